"""What all formats but the native one hold: the puzzle as a solver sees it."""

from dataclasses import replace

from xwtui.formats.grid_text import found_symmetry
from xwtui.model import Ink, Puzzle, WordChoice
from xwtui.model.clues import unsettled
from xwtui.model.markup import as_markup, printed_runs, source_of


def published(puzzle: Puzzle, *, styled: bool = False) -> Puzzle:
    """The puzzle without what is the constructor's alone: ink, word choice, chosen symmetry, references in clues.

    Formats that are not `styled` hold the plain text of clues.
    """
    grid = puzzle.grid
    inked = grid.with_squares(
        {at: replace(grid[at], ink=Ink.PEN) for at in grid.open_positions() if grid[at].content}
    )
    clues = {}
    for slot in grid.slots:
        if text := puzzle.clue(slot):
            clues[slot.start, slot.direction] = (
                source_of(printed_runs(text, grid)) if styled else as_markup(puzzle.printed_clue(slot))
            )
    return replace(
        puzzle, clues=unsettled(clues), grid=inked, symmetry=found_symmetry(grid), words=WordChoice(), foreign={}
    )
