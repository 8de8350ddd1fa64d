""".puz as it is written: what it holds comes back, and what it cannot hold is named."""

from dataclasses import replace

import puz
import pytest
from hypothesis import given

from tests.examples import examples
from tests.formats.published import published
from tests.generators import one_liners, puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Bar, Content, Direction, Position, Puzzle, Square

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
FILLED = "ABC\n[HEART]#D\nEFG"

holdable = puzzles(
    lines=one_liners(max_codepoint=255),
    word_choice=False,
    bars=False,
    voids=False,
    empty=False,
    schroedinger=False,
    marks=("circle",),
)


def small(**fields: str) -> Puzzle:
    return Puzzle(grid_from_text(FILLED), **fields)  # type: ignore[arg-type]


def written(puzzle: Puzzle) -> puz.Puzzle:
    """The file as puzpy reads it: with all its checksums."""
    return puz.load(puzzle_bytes(puzzle, ".puz").data)


@given(holdable)
@examples(60)
def test_write_then_read_is_identity(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".puz").data, ".puz") == published(puzzle)


@given(holdable)
@examples(40)
def test_puzpy_reads_the_same(puzzle: Puzzle) -> None:
    file = written(puzzle)
    assert (file.width, file.height) == (puzzle.grid.width, puzzle.grid.height)
    assert (file.title, file.author, file.copyright) == (puzzle.title, puzzle.author, puzzle.copyright)
    numbering = file.clue_numbering()
    for direction, entries in ((ACROSS, numbering.across), (DOWN, numbering.down)):
        slots = [slot for slot in puzzle.grid.slots if slot.direction is direction]
        assert [entry.number for entry in entries] == [slot.number for slot in slots]
        assert [entry.text for entry in entries] == [puzzle.printed_clue(slot) for slot in slots]
    for index, square in enumerate(puzzle.grid.squares):
        expected = str(square.content).strip("[]") if square.content else "."
        solution = file.rebus().get_rebus_solution(index) or file.solution[index]
        assert solution == expected
        assert file.solution[index] == expected[0]
        assert file.fill[index] == ("-" if square.is_open else ".")
        assert file.markup().is_markup_square(index, puz.GridMarkup.Circled) is square.circle


def test_clues_stand_in_the_order_of_numbers_across_before_down() -> None:
    puzzle = Puzzle(grid_from_text("AB#\nCDE\n#FG"))
    for name in ("1A", "1D", "2D", "3A", "4D", "5A"):
        puzzle = puzzle.with_clue(puzzle.grid.slot(name), name)
    assert written(puzzle).clues == ["1A", "1D", "2D", "3A", "4D", "5A"]


def test_entries_without_a_clue_have_an_empty_one() -> None:
    assert written(small()).clues == [""] * 4


def test_a_rebus_is_its_first_letter_and_an_extension() -> None:
    file = written(small())
    assert file.solution == "ABCH.DEFG"
    assert file.extensions[puz.Extensions.Rebus] == bytes([0, 0, 0, 1, 0, 0, 0, 0, 0])
    assert file.extensions[puz.Extensions.RebusSolutions] == b" 0:HEART;"


def test_a_circle_is_0x80() -> None:
    grid = grid_from_text("ABC\nDEF\nGHI").with_squares(
        {Position(1, 1): Square(content=Content.of("E"), circle=True)}
    )
    assert written(Puzzle(grid)).extensions[puz.Extensions.Markup] == bytes([0, 0, 0, 0, 0x80, 0, 0, 0, 0])


def test_a_grid_without_rebus_and_circles_has_no_extension() -> None:
    assert written(puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))).extensions == {}


@pytest.mark.parametrize(
    ("title", "plain", "signs"),
    [
        ("“It’s” – a—b…", '"It\'s" - a--b...', "–, —, ’, “, ”, …"),
        ("café © ½", "café © ½", ""),
        ("thin\u2009space", "thin space", ""),
    ],
)
def test_text_is_latin_1_where_it_can_be(title: str, plain: str, signs: str) -> None:
    data, warnings, _ = puzzle_bytes(small(title=title), ".puz")
    file = puz.load(data)
    assert (file.version, file.title) == (b"1.3", plain)
    assert warnings == ((f".puz cannot hold these characters, simplified: the title ({signs})",) if signs else ())


@pytest.mark.parametrize(
    ("title", "plain", "warning"),
    [
        ("Œuvre, Łódź", "OEuvre, Lódz", "cannot hold these letters, simplified: the title (Ł, Œ, ź)"),
        ("Žluťoučký", "Zlutoucký", "cannot hold these letters, simplified: the title (č, ť, Ž)"),
        ("e\u0301 and n\u0303", "é and ñ", ""),
        ("ﬁne ①", "fine 1", "cannot hold these characters, spelled out: the title (①, ﬁ)"),
        ("🎉", ":tada:", "cannot hold these characters, spelled out: the title (🎉)"),
        ("猫 for €5", "Mao for EUR5", "cannot hold these characters, spelled out: the title (€, 猫)"),
        ("\ue000", "?", "cannot hold these characters, spelled out: the title (\ue000)"),
    ],
)
def test_other_characters_are_spelled_in_latin_1_and_named(title: str, plain: str, warning: str) -> None:
    puzzle = small(title=title)
    data, warnings, _ = puzzle_bytes(puzzle, ".puz")
    file = puz.load(data)
    assert (file.version, file.encoding, file.title) == (b"1.3", "ISO-8859-1", plain)
    assert sorted(warnings) == ([f".puz {warning}"] if warning else [])


def test_the_entries_whose_clues_are_spelled_otherwise_are_named() -> None:
    puzzle = small()
    for name, clue in (("1A", "Party 🎉"), ("1D", "Łódź"), ("3A", "“Café” – ½…"), ("2D", "🎉 again")):
        puzzle = puzzle.with_clue(puzzle.grid.slot(name), clue)
    data, warnings, _ = puzzle_bytes(puzzle, ".puz")
    assert puz.load(data).clues == ["Party :tada:", "Lódz", ":tada: again", '"Café" - ½...']
    assert warnings == (
        ".puz cannot hold these characters, simplified: the clue of 3A (–, “, ”, …)",
        ".puz cannot hold these letters, simplified: the clue of 1D (Ł, ź)",
        ".puz cannot hold these characters, spelled out: the clue of 1A (🎉), the clue of 2D (🎉)",
    )


@given(one_liners())
def test_any_text_is_written_in_latin_1(text: str) -> None:
    assert written(small(title=text)).version == b"1.3"


def test_control_characters_cannot_break_the_file() -> None:
    file = written(small(title="nul\0 and \x1b[31mred", notes="a\nb"))
    assert file.title == "nul and red"
    assert file.notes == "a\r\nb"
    assert read_bytes(puzzle_bytes(small(notes="a\nb"), ".puz").data).notes == "a\nb"


def test_a_clue_above_505_characters_is_named_and_cut_if_lossy() -> None:
    puzzle = small()
    fits = puzzle.with_clue(puzzle.grid.slot("1A"), "x" * 505)
    assert written(fits).clues[0] == "x" * 505
    too_long = puzzle.with_clue(puzzle.grid.slot("1A"), "x" * 506)
    with pytest.raises(PuzzleFormatError, match=r"more than 505 characters.* 1A \(506 characters\)"):
        puzzle_bytes(too_long, ".puz")
    lossy = puzzle_bytes(too_long, ".puz", lossy=True)
    assert len(lossy.warnings) == 1
    assert puz.load(lossy.data).clues[0] == "x" * 502 + "..."


@pytest.mark.parametrize(
    ("text", "named", "becomes"),
    [
        ("ABC\n_DE\nFGH", "voids at r2c1", "ABC\n#DE\nFGH"),
        ("ABC\n.DE\nFG.", "empty squares at r2c1, r3c3", "ABC\n.DE\nFG."),
        ("ABC\nD[X/TIMES]E\nFGH", "two answers in a square at r2c2", "ABC\nD[X/TIMES]E\nFGH"),
    ],
)
def test_what_it_cannot_hold_is_named(text: str, named: str, becomes: str) -> None:
    puzzle = puzzle_of_grid(grid_from_text(text))
    with pytest.raises(PuzzleFormatError, match=f".puz cannot hold {named}"):
        puzzle_bytes(puzzle, ".puz")
    lossy = puzzle_bytes(puzzle, ".puz", lossy=True)
    assert len(lossy.warnings) == 1
    assert grid_to_text(read_bytes(lossy.data).grid) == becomes


def test_bars_are_named_and_the_clues_that_go_with_them() -> None:
    grid = grid_from_text("ABCD\nEFGH\nIJKL\nMNOP").with_bars({Bar(Position(0, 1), Position(0, 2))})
    puzzle = Puzzle(grid)
    for slot in grid.slots:
        puzzle = puzzle.with_clue(slot, slot.name)
    with pytest.raises(PuzzleFormatError, match=r"bars at r1c2, r1c3 .*the clues at 3A"):
        puzzle_bytes(puzzle, ".puz")
    lossy = puzzle_bytes(puzzle, ".puz", lossy=True)
    assert len(lossy.warnings) == 2
    again = read_bytes(lossy.data)
    assert again.clue(again.grid.slot("1A")) == "1A"
    assert again.clue(again.grid.slot("3D")) == "3D"
    assert not again.grid.bars


def test_shade_becomes_circles_where_there_are_none() -> None:
    at, other = Position(0, 0), Position(1, 1)
    grid = grid_from_text("ABC\nDEF\nGHI")
    shaded = grid.with_squares({at: replace(grid[at], shade=True)})
    with pytest.raises(PuzzleFormatError, match="shade at r1c1"):
        puzzle_bytes(Puzzle(shaded), ".puz")
    assert read_bytes(puzzle_bytes(Puzzle(shaded), ".puz", lossy=True).data).grid[at].circle
    both = shaded.with_squares({other: replace(grid[other], circle=True)})
    again = read_bytes(puzzle_bytes(Puzzle(both), ".puz", lossy=True).data).grid
    assert (again[at].circle, again[other].circle) == (False, True)


def test_too_many_rebus_strings() -> None:
    letters = "ABCDEFGHIJ"
    strings = iter([first + second for first in letters for second in letters])
    text = "\n".join("".join(f"[{next(strings)}]" for _ in range(10)) for _ in range(10))
    with pytest.raises(PuzzleFormatError, match="more than 99 different"):
        puzzle_bytes(puzzle_of_grid(grid_from_text(text)), ".puz")


@pytest.mark.parametrize(("text", "plain"), [("a ≠ b", "a not = b"), ("≮", "not <"), ("é = è", "é = è")])
def test_what_is_denied_is_not_said(text: str, plain: str) -> None:
    puzzle = Puzzle(grid_from_text("ABC\nDEF\nGHI"), title=text)
    assert read_bytes(puzzle_bytes(puzzle, ".puz").data).title == plain


def test_utf_8_tells_who_spoils_it() -> None:
    plain, accented = (Puzzle(grid_from_text("ABC\nDEF\nGHI"), title=title) for title in ("Lodz", "Łódź"))
    assert puzzle_bytes(plain, ".utf8.puz").warnings == ()
    [warning] = puzzle_bytes(accented, ".utf8.puz").warnings
    assert "spoiled by Puzzmo's tools" in warning
