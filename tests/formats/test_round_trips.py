"""Round trips through every format, including linked lights and alphabets."""

import html
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.formats.published import document, published, read, written
from tests.generators import one_liners
from tests.known import clue_texts
from xwtui.errors import PuzzleError, PuzzleFormatError
from xwtui.formats.base import MAX_CLUES, MAX_FILE_BYTES
from xwtui.formats.clues import linked_by_texts
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.intake import Deviation
from xwtui.formats.registry import load_file, parse_bytes, puzzle_bytes, read_bytes, write_puzzle
from xwtui.model import Bar, Content, Direction, Grid, Ink, Kind, Position, Puzzle, Square, WordChoice
from xwtui.model.alphabet import ENGLISH
from xwtui.model.clues import AnswerEnumeration, unsettled
from xwtui.model.edits import link, set_alphabet, set_kind, unlink
from xwtui.model.markup import printed
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.words.alphabets import alphabet_names, find_alphabet

GRID = grid_from_text("ABC\nDEF\nGHI")
FIRST = (Position(0, 0), Direction.ACROSS)
XD = "Title: T\n\n\nABC\nDEF\nGHI\n\n\n"

PRINTABLE = st.text(st.characters(categories=("L", "M", "N", "P", "S"), include_characters=" "))
LINES = st.one_of(one_liners(), PRINTABLE.map(lambda text: " ".join(text.split())))
LONG_LINES = st.builds(
    lambda text, times: (text * times)[:LONGEST_TEXT].strip(),
    st.sampled_from(["x", "&", "<b>", "…", "—", "é", "あ", "𝄞", "a b ", "&lt;"]),
    st.sampled_from([1, 505, 506, 3_333, 9_990, LONGEST_TEXT]),
)


@given(st.lists(LINES | LONG_LINES, min_size=5, max_size=5), st.lists(LINES | LONG_LINES, max_size=6))
@examples(60)
@example(["<3", "&amp;", "R&D", "i<b and b>c", "&copy 2020"], ["<br>", "&lt;p&gt;", "x<br/>y"])
def test_any_text_of_a_puzzle_reads_back_from_each_format(title_page: list[str], clues: list[str]) -> None:
    names: dict[str, Any] = dict(zip(("title", "author", "copyright"), title_page, strict=False))
    notes = "\n".join(line for line in title_page[3:] if line)[:LONGEST_TEXT].strip()
    texts = {
        (slot.start, slot.direction): text
        for slot, text in zip(GRID.slots, clues, strict=False)
        if (shown := printed(text, GRID)) and shown == shown.strip()  # `{}` shows nothing
    }
    puzzle = replace(puzzle_of_grid(GRID), clues=unsettled(texts), notes=notes, **names)
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data, ".ipuz") == puzzle
    styled = replace(puzzle, clues=published(puzzle, styled=True).clues)
    assert read_bytes(puzzle_bytes(puzzle, ".xd").data, ".xd") == styled
    lossy = puzzle_bytes(puzzle, ".puz", lossy=True).data
    once = read_bytes(lossy, ".puz")
    assert read_bytes(puzzle_bytes(once, ".puz").data, ".puz") == once


@given(st.lists(LINES | LONG_LINES, max_size=6), st.sampled_from([".ipuz", ".xd"]))
@examples(60)
def test_many_clues_for_one_number_read_back(clues: list[str], suffix: str) -> None:
    if suffix == ".ipuz":
        lists = {"Across": [[number, html.escape(text)] for text in clues for number in (1, 99)]}
        data = json.dumps(written(puzzle_of_grid(GRID)) | {"clues": lists}).encode()
    else:
        data = (XD + "\n".join(f"A{number}. {text} ~ X" for text in clues for number in (1, 99))).encode()
    puzzle = read_bytes(data, suffix)
    for target in (".ipuz", ".xd"):
        assert read_bytes(puzzle_bytes(puzzle, target).data, target).clues == puzzle.clues


def test_if_clues_are_too_long_together_the_last_are_dropped(tmp_path: Path) -> None:
    first, second = "x" * 9_990, "y" * 9_990
    files = {
        ".ipuz": json.dumps(document(clues={"Across": [[1, first], [1, second]]})),
        ".xd": XD + f"A1. {first} ~ ABC\nA1. {second} ~ ABC\n",
    }
    for suffix, text in files.items():
        puzzle, warnings = parse_bytes(text.encode(), suffix)
        assert clue_texts(puzzle) == {FIRST: first}
        assert [(each.deviation, each.places) for each in warnings] == [(Deviation.UNPLACED, ("1A",))]
        write_puzzle(tmp_path / "p.ipuz", puzzle)
        assert load_file(tmp_path / "p.ipuz") == (puzzle, ())


def test_no_text_exceeds_the_length_that_can_be_read() -> None:
    slot = GRID.slots[0]
    assert Puzzle(GRID).with_clue(slot, "x" * LONGEST_TEXT).clue(slot)
    with pytest.raises(PuzzleError, match="the clue of 1A has 10,001 characters; the limit is 10,000"):
        Puzzle(GRID).with_clue(slot, "x" * (LONGEST_TEXT + 1))
    for field in ("title", "author", "copyright", "notes"):
        too_long: dict[str, Any] = {field: "x" * (LONGEST_TEXT + 1)}
        with pytest.raises(PuzzleError, match=f"the {field} has 10,001 characters"):
            replace(Puzzle(GRID), **too_long)
    with pytest.raises(PuzzleError, match="the clue at r2c2 has 10,001 characters"):
        Puzzle(GRID, unsettled({(Position(1, 1), Direction.DOWN): "x" * (LONGEST_TEXT + 1)}))


@pytest.mark.parametrize("number", [1, 99])
@pytest.mark.parametrize("count", [MAX_CLUES + 1, 350_000])
def test_too_many_clues_are_refused(number: int, count: int) -> None:
    message = f"{count:,} clues are too many for a puzzle; the limit is 10,000"
    with pytest.raises(PuzzleFormatError, match=message):
        read(clues={"Across": [[number, "x"]] * (count - 1), "Down": ["y"]})


def test_too_many_orphaned_clues_are_refused() -> None:
    with pytest.raises(PuzzleFormatError, match="10,001 clues are too many for a puzzle"):
        read(**{"net.xwtui:unplaced-clues": [["99", "A", "x"]] * (MAX_CLUES + 1)})


def test_many_clues_for_one_number_are_joined() -> None:
    puzzle = read(clues={"Across": [[1, "x"]] * 2_000})
    assert clue_texts(puzzle)[FIRST] == " / ".join("x" * 2_000)
    assert read_bytes(puzzle_bytes(puzzle, ".ipuz").data) == puzzle


def test_clues_of_one_entry_under_two_spellings_of_its_number_are_joined() -> None:
    puzzle = read_bytes((XD + "A1. one ~ ABC\nA01. two ~ ABC\n").encode(), ".xd")
    assert clue_texts(puzzle)[FIRST] == "one / two"


def test_a_duplicate_key_is_found_among_many() -> None:
    keys = [*range(300_000), 299_999]
    data = ("{" + ",".join(f'"{key}":1' for key in keys) + "}").encode()
    with pytest.raises(PuzzleFormatError, match="'299999' appears twice"):
        read_bytes(data, ".ipuz")


def test_notes_of_blank_lines_read_back_from_xd() -> None:
    puzzle = replace(puzzle_of_grid(GRID), notes="a" + "\n" * (LONGEST_TEXT - 2) + "b")
    assert read_bytes(puzzle_bytes(puzzle, ".xd").data, ".xd") == puzzle


def test_text_that_would_not_read_back_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "p.ipuz"
    write_puzzle(path, puzzle_of_grid(GRID))
    before = path.read_bytes()
    with pytest.raises(PuzzleFormatError, match=r"has 4\.0 MB, too large to read again: .* field 'large'"):
        write_puzzle(path, replace(puzzle_of_grid(GRID), foreign={"large": "x" * MAX_FILE_BYTES}))
    assert path.read_bytes() == before


def test_lone_surrogates_do_not_affect_other_text(tmp_path: Path) -> None:
    puzzle = read(strange="\ud800" + "é" * 300_000)
    write_puzzle(tmp_path / "p.ipuz", puzzle)
    data = (tmp_path / "p.ipuz").read_bytes()
    assert b'"\\ud800\xc3\xa9' in data
    assert read_bytes(data) == puzzle


def test_orphaned_clues_are_limited_to_what_can_be_read() -> None:
    waiting = {"net.xwtui:unplaced-clues": [["99", "A", "x"]] * 6_000}
    with pytest.raises(PuzzleFormatError, match="12,000 clues are too many"):
        read(clues={"Across": [[99, "x"]] * 6_000}, **waiting)


LINKED_GRID = grid_from_text("MARY#P\nA##O#O\nB#SPAP\nL##P#P\nESSAYI\n#####N")


def nanny() -> Puzzle:
    """MARYPOPPIN in 1A and 3D; 5A is linked with 2D, which crosses it."""
    slots = LINKED_GRID.slots_by_name
    puzzle = link(link(puzzle_of_grid(LINKED_GRID), [slots["1A"], slots["3D"]]), [slots["5A"], slots["2D"]])
    puzzle = puzzle.with_clue(slots["1A"], "Flying *nanny*")
    puzzle = puzzle.with_enumeration(slots["1A"], AnswerEnumeration.parse("4,6"))
    return puzzle.with_clue(slots["4A"], "Health resort").with_clue(slots["5A"], "Two: one square")


@pytest.mark.parametrize("suffix", [".ipuz", ".jpz", ".puz", ".xd", ".al.txt"])
def test_links_are_kept(suffix: str) -> None:
    puzzle = nanny()
    again, warnings = parse_bytes(puzzle_bytes(puzzle, suffix).data, suffix)
    assert not warnings
    assert again.grid.links == puzzle.grid.links
    for slot in puzzle.grid.slots:
        assert again.solver_clue(slot) == puzzle.solver_clue(slot), slot.name
    assert again.grid.answer(again.grid.entry("1A")) == "MARYPOPPIN"
    assert not again.stale_clues


def test_lost_links_are_named() -> None:
    assert "grid text has no place for the link of 1A and 3D; 5A and 2D" in puzzle_bytes(nanny(), ".txt").warnings
    waiting = set_kind(nanny(), Position(0, 5), Kind.BLOCK)
    told = "has no place for the link of 1A and r1c6 down (no entry now)"
    for suffix in (".jpz", ".puz", ".xd", ".al.txt", ".exolve", ".txt"):
        assert told in "".join(puzzle_bytes(waiting, suffix, lossy=True).warnings), suffix
    grid = LINKED_GRID.with_bars([Bar(Position(4, 2), Position(4, 3))])
    barred = link(puzzle_of_grid(grid), [grid.slot("6A"), grid.slot("3D")])
    for suffix in (".puz", ".al.txt", ".txt"):
        assert "the link of 6A and 3D" in "".join(puzzle_bytes(barred, suffix, lossy=True).warnings), suffix


def test_ipuz_names_where_the_clue_continues() -> None:
    clues = json.loads(puzzle_bytes(nanny(), ".ipuz").data)["clues"]
    assert clues["Across"][0] == {
        "number": 1,
        "clue": "Flying <i>nanny</i>",
        "enumeration": "4 6",
        "continued": [{"direction": "Down", "number": 3}],
    }
    assert [3, "See 1 Across"] in clues["Down"]


def test_ipuz_preserves_incomplete_links_and_earlier_clues() -> None:
    """A link with a missing light, and the clue that a light had before it was linked."""
    slots = LINKED_GRID.slots_by_name
    puzzle = puzzle_of_grid(LINKED_GRID).with_clue(slots["3D"], "A song with ins")
    linked = link(puzzle, [slots["1A"], slots["3D"]])
    again = read(**written(linked))
    assert unlink(again, slots["3D"].key).clue(slots["3D"]) == "A song with ins"
    waiting = set_kind(linked, Position(0, 5), Kind.BLOCK)
    assert waiting.grid.waiting_links
    assert read(**written(waiting)).grid.links == linked.grid.links


def test_links_of_other_programs_are_read_or_dropped() -> None:
    document = written(nanny())
    for clue in (one for one in document["clues"]["Across"] if isinstance(one, dict)):
        clue.pop("continued", None)
    assert not read(**document).grid.links
    document["clues"]["Across"][0]["number"] = "1, 3dn"
    assert [len(link) for link in read(**document).grid.links] == [2]
    document = written(nanny())
    document["clues"]["Down"][2] = [3, "A clue of its own"]
    again = read(**document)
    assert [link[0] for link in again.grid.links] == [LINKED_GRID.slot("5A").key]
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
def test_numbers_before_a_clue_indicate_a_link(texts: dict[str, str], links: int) -> None:
    given = {LINKED_GRID.slot(name).key: text for name, text in texts.items()}
    linked = linked_by_texts(LINKED_GRID, given)
    assert len(linked.grid.links) == links
    if not links:
        assert linked.texts == given
    else:
        assert LINKED_GRID.slot("3D").key not in linked.texts


@pytest.mark.parametrize(
    ("suffix", "told"),
    [
        (".md", ["**1,3D** Flying *nanny* (4,6)", "**3** See 1 Across"]),
        (".xd", ["A1. 1,3D: Flying {/nanny/} (4,6) ~ MARY", "D3. See 1 Across ~ POPPIN"]),
        (".al.txt", ["1,3D: Flying nanny (4,6)", "See 1 Across"]),
        (".html", ['"number":"1,3D"', '"name":"1A,3D"']),
    ],
)
def test_written_text(suffix: str, told: list[str]) -> None:
    text = puzzle_bytes(nanny(), suffix).data.decode()
    for each in told:
        assert each in text


@pytest.mark.parametrize("suffix", [".pdf", ".manuscript.pdf", ".svg"])
def test_printed_text(suffix: str) -> None:
    assert puzzle_bytes(nanny(), suffix).data


KEEPING = [".ipuz", ".xd", ".jpz", ".utf8.puz", ".txt"]
NO_READER = [".html", ".pdf", ".svg", ".md", ".manuscript.pdf"]


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Full 3x3 grids in the letters of an alphabet, including digraphs."""
    alphabet = find_alphabet(draw(st.sampled_from(alphabet_names())))
    letters = draw(st.lists(st.sampled_from(alphabet.letters), min_size=9, max_size=9))
    squares = tuple(Square(content=Content.of(letter), ink=Ink.PEN) for letter in letters)
    return set_alphabet(Puzzle(Grid(3, 3, squares), title="Ñandú ωφέλεια"), alphabet)


@examples(40)
@given(puzzles(), st.sampled_from(KEEPING))
def test_letters_round_trip(puzzle: Puzzle, suffix: str) -> None:
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
def test_a_to_z_formats_transliterate_and_name_the_entries(puzzle: Puzzle, suffix: str) -> None:
    data, warnings, _ = puzzle_bytes(puzzle, suffix)
    back = read_bytes(data, suffix)
    assert grid_to_text(back.grid).isascii()
    told = " ".join(warnings)
    for slot in puzzle.grid.slots[:3]:
        if not puzzle.grid.pattern(slot).isascii():
            assert f"{slot.name} {puzzle.grid.pattern(slot)} as {back.grid.pattern(slot)}" in told


@pytest.mark.parametrize("suffix", NO_READER)
@pytest.mark.parametrize("name", ["swedish", "polish", "greek", "cyrillic", "czech-ch"])
def test_print_and_web_show_special_letters(suffix: str, name: str) -> None:
    alphabet = find_alphabet(name)
    letters = (alphabet.letters * 3)[-9:]
    squares = tuple(Square(content=Content.of(letter), ink=Ink.PEN) for letter in letters)
    written = puzzle_bytes(set_alphabet(Puzzle(Grid(3, 3, squares)), alphabet), suffix, lossy=True)
    assert "letters" not in " ".join(written.warnings)
    assert "characters" not in " ".join(written.warnings)
    if suffix == ".html":
        assert letters[0] in written.data.decode()


def test_an_english_puzzle_does_not_store_its_alphabet() -> None:
    puzzle = Puzzle(Grid.blank(3, 3), words=WordChoice(minimum_score=50))
    assert b"alphabet" not in puzzle_bytes(puzzle, ".ipuz").data


def test_a_user_alphabet_is_stored_with_the_puzzle() -> None:
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
def test_letters_of_other_programs_are_kept_in_any_alphabet(text: str, content: str) -> None:
    data = json.loads(puzzle_bytes(Puzzle(Grid.blank(3, 3)), ".ipuz").data)
    data["solution"][0][0] = text
    read = parse_bytes(json.dumps(data).encode(), ".ipuz")
    assert str(read.puzzle.grid.squares[0].content) == content
    assert not read.warnings
    assert read.puzzle.alphabet == ENGLISH
