"""What all formats but the native one hold: the puzzle as a solver sees it."""

from dataclasses import replace

from xwtui.formats.grid_text import found_symmetry
from xwtui.model import Ink, Puzzle, WordChoice


def published(puzzle: Puzzle) -> Puzzle:
    """The puzzle without what is the constructor's alone: ink, word choice, chosen symmetry."""
    grid = puzzle.grid
    inked = grid.with_squares(
        {at: replace(grid[at], ink=Ink.PEN) for at in grid.open_positions() if grid[at].content}
    )
    return replace(puzzle, grid=inked, symmetry=found_symmetry(grid), words=WordChoice(), foreign={})
