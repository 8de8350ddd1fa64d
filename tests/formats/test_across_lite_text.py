"""The text of Across Lite: what it holds comes back, and what others write is read."""

from pathlib import Path

import pytest
from hypothesis import assume, given

from tests.examples import examples
from tests.formats.published import published
from tests.formats.samples import sample
from tests.generators import one_liners, puzzles
from xwtui.errors import PuzzleFormatError
from xwtui.formats.grid_text import grid_from_text, grid_to_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_bytes, read_puzzle, write_puzzle
from xwtui.model import Content, Ink, Position, Puzzle, Square

FILE = sample("across_lite.txt")


@given(
    puzzles(
        lines=one_liners(max_codepoint=255),
        word_choice=False,
        bars=False,
        voids=False,
        empty=False,
        schroedinger=False,
        marks=(),
    )
)
@examples(40)
def test_write_then_read_is_identity(puzzle: Puzzle) -> None:
    assume(len({square.content for square in puzzle.grid.squares}) < 20)
    data = puzzle_bytes(puzzle, ".al.txt").data
    assert read_bytes(data, ".txt") == published(puzzle)


def test_a_file_of_across_lite(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_bytes(FILE.encode("cp1252"))
    puzzle = read_puzzle(path)
    assert grid_to_text(puzzle.grid) == "A[HEART]C\n#EF\nGHI"
    assert puzzle.grid[Position(1, 1)].circle
    assert (puzzle.title, puzzle.notes) == ("Politics: “Who, What, Where and Why”", "A note\nof two lines")
    clues = {slot.name: puzzle.clue(slot) for slot in puzzle.grid.slots}
    assert clues == {"1A": "One", "4A": "Four", "5A": "Five, <DOWN>", "2D": "", "3D": "Three"}
    assert read_bytes(FILE.encode()) == puzzle


def test_ours_have_two_suffixes(tmp_path: Path) -> None:
    path = tmp_path / "P.AL.TXT"
    grid = grid_from_text("A[HEART]C\nDEF\nGHI")
    circled = Square(content=Content.of("E"), ink=Ink.PEN, circle=True)
    puzzle = puzzle_of_grid(grid.with_squares({Position(1, 1): circled}))
    write_puzzle(path, puzzle)
    text = path.read_text()
    assert "<GRID>\n\tA1C\n\tDeF\n\tGHI\n<REBUS>\n\tMARK;\n\t1:HEART:H\n<ACROSS>\n\t-\n\t-\n\t-\n<DOWN>" in text
    assert read_puzzle(path) == puzzle


def test_what_it_cannot_hold_is_named() -> None:
    grid = grid_from_text("A_C\nD[X/O]F\nGH.").with_squares(
        {Position(0, 0): Square(content=Content.of("A"), shade=True)}
    )
    puzzle = Puzzle(grid, title="Œ 🎉")
    with pytest.raises(
        PuzzleFormatError, match=r"voids at r1c2.*empty squares at r3c3.*two answers.*r2c2.*shade at r1c1"
    ):
        puzzle_bytes(puzzle, ".al.txt")
    data, warnings, _ = puzzle_bytes(puzzle, ".al.txt", lossy=True)
    assert warnings[-1] == "Across Lite text cannot hold these characters, spelled out: the title (Œ, 🎉)"
    assert read_bytes(data).title == "OE :tada:"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("3x3", "4x3", "3 rows of 4 squares"),
        ("3x3", "999x999", "grids are 3x3 to"),
        ("<GRID>", "<RIDG>", "lacks <GRID>"),
    ],
)
def test_damaged_files(old: str, new: str, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        read_bytes(FILE.replace(old, new, 1).encode())
