"""Letters of every alphabet in every format: kept where a format can hold them, told where it cannot."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_to_text
from xwtui.formats.registry import puzzle_bytes, read_bytes, take_bytes
from xwtui.model import Content, Grid, Ink, Puzzle, Square, WordChoice
from xwtui.model.alphabet import ENGLISH
from xwtui.model.edits import set_alphabet
from xwtui.words.alphabets import alphabet_names, find_alphabet

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
