"""Linked lights and alphabets in all formats."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.ipuz_documents import read, written
from xwtui.errors import PuzzleFormatError
from xwtui.formats.clues import linked_by_texts
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes, take_bytes
from xwtui.model import Content, Grid, Ink, Kind, Position, Puzzle, Square, WordChoice
from xwtui.model.alphabet import ENGLISH
from xwtui.model.clues import AnswerEnumeration
from xwtui.model.edits import link, set_alphabet, set_kind, unlink
from xwtui.words.alphabets import alphabet_names, find_alphabet

GRID = grid_from_text("MARY#P\nA##O#O\nB#SPAP\nL##P#P\nESSAYI\n#####N")


def nanny() -> Puzzle:
    """MARYPOPPIN in 1A and 3D; 5A is linked with 2D, which crosses it."""
    slots = GRID.slots_by_name
    puzzle = link(link(puzzle_of_grid(GRID), [slots["1A"], slots["3D"]]), [slots["5A"], slots["2D"]])
    puzzle = puzzle.with_clue(slots["1A"], "Flying *nanny*")
    puzzle = puzzle.with_enumeration(slots["1A"], AnswerEnumeration.parse("4,6"))
    return puzzle.with_clue(slots["4A"], "Health resort").with_clue(slots["5A"], "Two: one square")


@pytest.mark.parametrize("suffix", [".ipuz", ".jpz", ".puz", ".xd", ".al.txt"])
def test_links_are_kept(suffix: str) -> None:
    puzzle = nanny()
    again, warnings = take_bytes(puzzle_bytes(puzzle, suffix).data, suffix)
    assert not warnings
    assert again.grid.links == puzzle.grid.links
    for slot in puzzle.grid.slots:
        assert again.solver_clue(slot) == puzzle.solver_clue(slot), slot.name
    assert again.grid.answer(again.grid.entry("1A")) == "MARYPOPPIN"
    assert not again.stale_clues


def test_ipuz_says_where_the_clue_continues() -> None:
    clues = json.loads(puzzle_bytes(nanny(), ".ipuz").data)["clues"]
    assert clues["Across"][0] == {
        "number": 1,
        "clue": "Flying <i>nanny</i>",
        "enumeration": "4 6",
        "continued": [{"direction": "Down", "number": 3}],
    }
    assert [3, "See 1 Across"] in clues["Down"]


def test_ipuz_keeps_what_waits_and_what_a_light_had_before() -> None:
    """A link one of whose lights is gone, and the clue that a light had before it was linked."""
    slots = GRID.slots_by_name
    puzzle = puzzle_of_grid(GRID).with_clue(slots["3D"], "A song with ins")
    linked = link(puzzle, [slots["1A"], slots["3D"]])
    again = read(**written(linked))
    assert unlink(again, slots["3D"].key).clue(slots["3D"]) == "A song with ins"
    waiting = set_kind(linked, Position(0, 5), Kind.BLOCK)
    assert waiting.grid.waiting_links
    assert read(**written(waiting)).grid.links == linked.grid.links


def test_links_of_other_programs_are_read_or_left() -> None:
    document = written(nanny())
    for clue in (one for one in document["clues"]["Across"] if isinstance(one, dict)):
        clue.pop("continued", None)
    assert not read(**document).grid.links
    document["clues"]["Across"][0]["number"] = "1, 3dn"
    assert [len(link) for link in read(**document).grid.links] == [2]
    document = written(nanny())
    document["clues"]["Down"][2] = [3, "A clue of its own"]
    again = read(**document)
    assert [link[0] for link in again.grid.links] == [GRID.slot("5A").key]
    assert written(again)["clues"]["Across"][0]["continued"] == [{"direction": "Down", "number": 3}]


@pytest.mark.parametrize(
    ("texts", "links"),
    [
        ({"1A": "1,3D: Nanny", "3D": "See 1"}, 1),
        ({"1A": "1/3D: Nanny", "3D": "see 1-Across."}, 1),
        ({"1A": "1, 3: Nanny"}, 1),
        ({"1A": "1,3D: Nanny", "3D": "See the sea"}, 0),
        ({"1A": "1,9D: Nanny"}, 0),
        ({"1A": "4,3D: Nanny"}, 0),
        ({"1A": "1,3D:30 in the morning"}, 1),
        ({"1A": "Nanny", "3D": "See 1"}, 0),
        ({"1A": "1,3D: Nanny", "4A": "4,3D: Spa"}, 1),
    ],
)
def test_numbers_before_a_clue_tell_of_a_link(texts: dict[str, str], links: int) -> None:
    given = {GRID.slot(name).key: text for name, text in texts.items()}
    linked = linked_by_texts(GRID, given)
    assert len(linked.grid.links) == links
    if not links:
        assert linked.texts == given
    else:
        assert GRID.slot("3D").key not in linked.texts


@pytest.mark.parametrize(
    ("suffix", "told"),
    [
        (".md", ["**1,3D** Flying *nanny* (4,6)", "**3** See 1 Across"]),
        (".xd", ["A1. 1,3D: Flying {/nanny/} (4,6) ~ MARY", "D3. See 1 Across ~ POPPIN"]),
        (".al.txt", ["1,3D: Flying nanny (4,6)", "See 1 Across"]),
        (".html", ['"number":"1,3D"', '"name":"1A,3D"']),
    ],
)
def test_what_is_written(suffix: str, told: list[str]) -> None:
    text = puzzle_bytes(nanny(), suffix).data.decode()
    for each in told:
        assert each in text


@pytest.mark.parametrize("suffix", [".pdf", ".manuscript.pdf", ".svg"])
def test_what_is_printed_is_written(suffix: str) -> None:
    assert puzzle_bytes(nanny(), suffix).data


KEEPING = [".ipuz", ".xd", ".jpz", ".utf8.puz", ".txt"]
NO_READER = [".html", ".pdf", ".svg", ".md", ".manuscript.pdf"]


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Full grids of 3x3 in the letters of an alphabet, digraphs too."""
    alphabet = find_alphabet(draw(st.sampled_from(alphabet_names())))
    letters = draw(st.lists(st.sampled_from(alphabet.letters), min_size=9, max_size=9))
    squares = tuple(Square(content=Content.of(letter), ink=Ink.PEN) for letter in letters)
    return set_alphabet(Puzzle(Grid(3, 3, squares), title="Ñandú ωφέλεια"), alphabet)


@examples(40)
@given(puzzles(), st.sampled_from(KEEPING))
def test_letters_go_out_and_come_back(puzzle: Puzzle, suffix: str) -> None:
    written = puzzle_bytes(puzzle, suffix, lossy=suffix == ".txt")
    back = read_bytes(written.data, suffix.removeprefix(".utf8"))
    assert grid_to_text(back.grid) == grid_to_text(puzzle.grid)
    if suffix == ".ipuz":
        assert back.words == puzzle.words
    if suffix != ".txt":
        assert back.title == puzzle.title
        assert not [one for one in written.warnings if "is spoiled by" not in one]


@examples(30)
@given(puzzles(), st.sampled_from([".puz", ".al.txt"]))
def test_formats_of_a_to_z_have_them_spelled_and_name_the_entries(puzzle: Puzzle, suffix: str) -> None:
    data, warnings, _ = puzzle_bytes(puzzle, suffix)
    back = read_bytes(data, suffix)
    assert grid_to_text(back.grid).isascii()
    told = " ".join(warnings)
    for slot in puzzle.grid.slots[:3]:
        if not puzzle.grid.pattern(slot).isascii():
            assert f"{slot.name} {puzzle.grid.pattern(slot)} as {back.grid.pattern(slot)}" in told


@pytest.mark.parametrize("suffix", NO_READER)
@pytest.mark.parametrize("name", ["swedish", "polish", "greek", "cyrillic", "czech-ch"])
def test_print_and_web_show_them(suffix: str, name: str) -> None:
    alphabet = find_alphabet(name)
    letters = (alphabet.letters * 3)[-9:]
    squares = tuple(Square(content=Content.of(letter), ink=Ink.PEN) for letter in letters)
    written = puzzle_bytes(set_alphabet(Puzzle(Grid(3, 3, squares)), alphabet), suffix, lossy=True)
    assert "letters" not in " ".join(written.warnings)
    assert "characters" not in " ".join(written.warnings)
    if suffix == ".html":
        assert letters[0] in written.data.decode()


def test_an_english_puzzle_says_nothing_of_its_alphabet_in_a_file() -> None:
    puzzle = Puzzle(Grid.blank(3, 3), words=WordChoice(minimum_score=50))
    assert b"alphabet" not in puzzle_bytes(puzzle, ".ipuz").data


def test_an_alphabet_of_ones_own_goes_with_the_puzzle() -> None:
    own = replace(find_alphabet("swedish"), name="mine", title="Mine", folds=(("É", "Ä"),), has_digits=False)
    puzzle = set_alphabet(Puzzle(Grid.blank(3, 3)), own)
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz").alphabet == own


@pytest.mark.parametrize("value", ["swedish", {"name": "x"}, {"name": "X", "title": "X", "letters": "A"}, 5])
def test_a_damaged_alphabet_ends_in_one_clear_message(value: object) -> None:
    data = json.loads(puzzle_bytes(set_alphabet(Puzzle(Grid.blank(3, 3)), find_alphabet("swedish")), ".ipuz").data)
    data["net.xwtui:words"]["alphabet"] = value
    with pytest.raises(PuzzleFormatError, match="the alphabet in this file"):
        read_bytes(json.dumps(data).encode(), ".ipuz")


@pytest.mark.parametrize(("text", "content"), [("É", "É"), ("Ж", "Ж"), ("å", "Å")])
def test_letters_of_other_programs_stay_whatever_the_alphabet(text: str, content: str) -> None:
    data = json.loads(puzzle_bytes(Puzzle(Grid.blank(3, 3)), ".ipuz").data)
    data["solution"][0][0] = text
    read = take_bytes(json.dumps(data).encode(), ".ipuz")
    assert str(read.puzzle.grid.squares[0].content) == content
    assert not read.warnings
    assert read.puzzle.alphabet == ENGLISH
