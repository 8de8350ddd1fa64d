"""Writers for print in a process of their own, as screen and REPL run them."""

import subprocess
import sys
import weakref

import pytest

from xwtui import memory
from xwtui.errors import PuzzleFormatError
from xwtui.formats import apart
from xwtui.formats.grid_text import grid_from_text, puzzle_of_grid
from xwtui.formats.registry import puzzle_bytes, read_puzzle
from xwtui.model import Puzzle
from xwtui.resources import puzzles_folder

_PROBE = """
import sys
from xwtui import memory
from xwtui.formats.registry import puzzle_bytes, read_puzzle
from xwtui.resources import puzzles_folder
memory._is_limited = True
puzzle_bytes(read_puzzle(puzzles_folder() / "heart-to-heart.ipuz"), ".pdf")
print({"reportlab", "PIL"} & sys.modules.keys())
"""
"""It ends with the other process running."""


@pytest.fixture
def puzzle(monkeypatch: pytest.MonkeyPatch) -> Puzzle:
    monkeypatch.setattr(memory, "_is_limited", True)
    apart._printer.cache_clear()
    return read_puzzle(puzzles_folder() / "heart-to-heart.ipuz")


def test_a_long_lived_process_leaves_the_libraries_to_another_one() -> None:
    done = subprocess.run([sys.executable, "-c", _PROBE], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("set()", "")


def test_the_other_process_writes_the_same(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    there = [puzzle_bytes(puzzle, suffix, lossy=True) for suffix in (".pdf", ".solution.png")]
    assert apart._printer.cache_info().currsize == 1
    monkeypatch.setattr(memory, "_is_limited", False)
    assert there == [puzzle_bytes(puzzle, suffix, lossy=True) for suffix in (".pdf", ".solution.png")]


@pytest.mark.usefixtures("puzzle")
def test_a_refusal_is_raised_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "xwtui.formats.pdf", raising=False)
    puzzle = puzzle_of_grid(grid_from_text("ABC\nDEF\nGHI"))
    puzzle = puzzle.with_clue(puzzle.grid.slot("1A"), "Letters")
    changed = puzzle.with_grid(grid_from_text("XBC\nDEF\nGHI"))
    with pytest.raises(PuzzleFormatError, match="clues of other answers at 1A"):
        puzzle_bytes(changed, ".pdf")
    assert "xwtui.formats.pdf" not in sys.modules


def test_a_dead_process_is_replaced(puzzle: Puzzle) -> None:
    written = puzzle_bytes(puzzle, ".pdf")
    apart._printer().kill()
    assert puzzle_bytes(puzzle, ".pdf") == written
    assert apart._printer.cache_info().currsize == 0
    assert puzzle_bytes(puzzle, ".pdf") == written


def test_the_other_process_ends_when_nothing_was_printed_for_a_while(puzzle: Puzzle) -> None:
    puzzle_bytes(puzzle, ".pdf")
    printer = weakref.ref(apart._printer())
    memory.drop_unused()
    assert printer() is not None
    memory.drop_unused()
    assert printer() is None
