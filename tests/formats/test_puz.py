""".puz: what it holds comes back, what it cannot hold is named, and real files' quirks are read."""

from dataclasses import replace

import puz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.published import published
from tests.strategies import one_liners, puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Bar, Content, Direction, Ink, Position, Puzzle, Square, Symmetry

ACROSS, DOWN = Direction.ACROSS, Direction.DOWN
REPLACED = "‘’‚‛′“”„‟″‐‑‒–−—―…"
FILLED = "ABC\n[HEART]#D\nEFG"

holdable = puzzles(
    lines=st.one_of(one_liners(exclude_characters=REPLACED), one_liners(max_codepoint=255)),
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


def made_by_others(
    solution: str = "ABCDEFGHI", width: int = 3, version: str = "1.3", clues: int = 6
) -> puz.Puzzle:
    """A file that puzpy made, to be bent by the tests."""
    file = puz.Puzzle(version=version)
    file.width, file.height = width, len(solution) // width
    file.solution = solution
    file.fill = "".join(letter if letter in ".:" else "-" for letter in solution)
    file.clues = [f"clue {number}" for number in range(clues)]
    return file


@given(holdable)
@settings(max_examples=60)
def test_write_then_read_is_identity(puzzle: Puzzle) -> None:
    assert read_bytes(puzzle_bytes(puzzle, ".puz").data, ".puz") == published(puzzle)


@given(holdable)
@settings(max_examples=40)
def test_puzpy_reads_the_same(puzzle: Puzzle) -> None:
    file = written(puzzle)
    assert (file.width, file.height) == (puzzle.grid.width, puzzle.grid.height)
    assert (file.title, file.author, file.copyright) == (puzzle.title, puzzle.author, puzzle.copyright)
    numbering = file.clue_numbering()
    for direction, entries in ((ACROSS, numbering.across), (DOWN, numbering.down)):
        slots = [slot for slot in puzzle.grid.slots if slot.direction is direction]
        assert [entry.number for entry in entries] == [slot.number for slot in slots]
        assert [entry.text for entry in entries] == [puzzle.clue(slot) for slot in slots]
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
    ("title", "plain"),
    [
        ("“It’s” – a—b…", '"It\'s" - a--b...'),
        ("café © ½", "café © ½"),
        ("thin\u2009space", "thin space"),
    ],
)
def test_text_is_latin_1_where_it_can_be(title: str, plain: str) -> None:
    file = written(small(title=title))
    assert (file.version, file.title) == (b"1.3", plain)


def test_other_characters_force_utf_8() -> None:
    file = written(small(title="Žluťoučký 猫", notes="“quoted”"))
    assert (file.version, file.title, file.notes) == (b"2.0", "Žluťoučký 猫", '"quoted"')


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


def test_content_is_read_in_pen() -> None:
    grid = read_bytes(made_by_others("AB.-EFGHI").tobytes()).grid
    assert grid[Position(0, 0)] == Square(content=Content.of("A"), ink=Ink.PEN)
    assert grid_to_text(grid) == "AB#\n.EF\nGHI"


@pytest.mark.parametrize("version", ["1.1", "1.2", "1.3", "1.4", "2.0"])
def test_versions(version: str) -> None:
    file = made_by_others(version=version)
    file.title, file.notes = "Café", "Noté"
    puzzle = read_bytes(file.tobytes(), ".puz")
    assert (puzzle.title, puzzle.notes) == ("Café", "Noté")
    assert puzzle.symmetry is Symmetry.ROTATION_180


def test_windows_quotes_in_a_latin_1_file() -> None:
    file = made_by_others()
    file.title = b"\x93Quoted\x94 \x96 it\x92s".decode("latin-1")
    assert read_bytes(file.tobytes()).title == "“Quoted” – it’s"


def test_terminal_escapes_in_a_clue() -> None:
    file = made_by_others()
    file.clues[0] = "\x1b]0;owned\x07harmless\x1b[2J"
    assert "harmless" in read_bytes(file.tobytes()).clues.values()


def test_lower_case_and_accents_in_the_solution() -> None:
    assert grid_to_text(read_bytes(made_by_others("abcdÉfghi").tobytes()).grid) == "ABC\nDEF\nGHI"


def test_a_symbol_in_the_solution_is_named() -> None:
    with pytest.raises(PuzzleFormatError, match="r2c2 holds '&'"):
        read_bytes(made_by_others("ABCD&FGHI").tobytes())


def test_a_rebus_with_a_slash_reads_two_ways() -> None:
    file = made_by_others()
    file.rebus().add_rebus_squares(4, "IE/EI")
    assert read_bytes(file.tobytes()).grid[Position(1, 1)].content == Content("IE", "EI")


def test_a_rebus_key_without_a_string_is_its_letter() -> None:
    file = made_by_others()
    file.extensions[puz.Extensions.Rebus] = bytes([0, 0, 0, 0, 7, 0, 0, 0, 0])
    file.extensions[puz.Extensions.RebusSolutions] = b" 0:HEART;"
    assert read_bytes(file.tobytes()).grid[Position(1, 1)].content == Content.of("E")


@pytest.mark.parametrize("table", [b"x:HEART;", b"\xff\xfe:;", b" 0:\xc9T\xc9;"])
def test_a_damaged_rebus_table_is_told_or_survived(table: bytes) -> None:
    file = made_by_others(version="2.0")
    file.extensions[puz.Extensions.Rebus] = bytes([0, 0, 0, 0, 1, 0, 0, 0, 0])
    file.extensions[puz.Extensions.RebusSolutions] = table
    with pytest.raises(PuzzleFormatError, match="rebus table"):
        read_bytes(file.tobytes())


def test_marks_for_more_squares_than_there_are() -> None:
    file = made_by_others()
    file.extensions[puz.Extensions.Markup] = b"\x80" * 20
    assert all(square.circle for square in read_bytes(file.tobytes()).grid.squares)


def test_solvers_progress_and_unknown_extensions_are_left_behind() -> None:
    file = made_by_others()
    file.fill = "Q" * 9
    file.extensions[b"LTIM"] = b"12,1"
    file.extensions[b"XYZZ"] = b"?"
    puzzle = read_bytes(file.tobytes())
    assert grid_to_text(puzzle.grid) == "ABC\nDEF\nGHI"
    assert written(puzzle).extensions == {}


def test_a_diagramless_has_blocks() -> None:
    file = made_by_others("AB:DEFGHI", clues=6)
    file.puzzletype = puz.PuzzleType.Diagramless
    assert grid_to_text(read_bytes(file.tobytes()).grid) == "AB#\nDEF\nGHI"


def test_a_solution_that_is_left_out_gives_empty_squares() -> None:
    file = made_by_others("XX.XXXXXX")
    file.solution_state = puz.SolutionState.NotProvided
    assert grid_to_text(read_bytes(file.tobytes()).grid) == "..#\n...\n..."


def test_a_locked_solution_is_refused() -> None:
    file = made_by_others()
    file.lock_solution(1234)
    with pytest.raises(PuzzleFormatError, match="locked"):
        read_bytes(file.tobytes())


@pytest.mark.parametrize("place", [0, 0x0E, 0x10, 0x34, 0x40])
def test_a_wrong_checksum_is_told(place: int) -> None:
    data = bytearray(made_by_others().tobytes())
    data[place] ^= 0x01
    with pytest.raises(PuzzleFormatError, match=r"damaged: the .* checksum does not match"):
        read_bytes(bytes(data), ".puz")


def test_the_number_of_clues_must_be_that_of_the_entries() -> None:
    with pytest.raises(PuzzleFormatError, match="5 clues for 6 entries"):
        read_bytes(made_by_others(clues=5).tobytes())


def test_something_may_stand_before_the_puzzle() -> None:
    assert read_bytes(b"Subject: puzzle\r\n" + made_by_others().tobytes()).clues


def test_other_files_and_huge_ones() -> None:
    with pytest.raises(PuzzleFormatError, match=r"no \.puz file"):
        read_bytes(b"hello", ".puz")
    with pytest.raises(PuzzleFormatError, match=r"larger than a .puz"):
        read_bytes(made_by_others().tobytes() + b"\0" * 600_000, ".puz")
    with pytest.raises(PuzzleFormatError, match="3x3 to 40x40"):
        read_bytes(made_by_others("A" * 41 * 3, width=41, clues=44).tobytes())
