"""A puzzle as solvers see it, which every format represents; and ipuz documents of other programs."""

import json
from dataclasses import replace
from typing import Any

from xwtui.formats.grid_text import found_symmetry
from xwtui.formats.registry import puzzle_bytes, read_bytes
from xwtui.model import Ink, Puzzle, WordChoice
from xwtui.model.clues import unsettled
from xwtui.model.markup import as_markup, printed_runs, source_of


def published(puzzle: Puzzle, *, styled: bool = False) -> Puzzle:
    """Return the puzzle without the constructor's data: ink, word choice, chosen symmetry, references in clues.

    Formats that are not `styled` store clues as plain text.
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


def document(**fields: Any) -> dict[str, Any]:
    """Return a small ipuz document as another program writes it."""
    return {
        "version": "http://ipuz.org/v1",
        "kind": ["http://ipuz.org/crossword#1"],
        "dimensions": {"width": 3, "height": 3},
        "puzzle": [[1, 2, 3], [4, 0, 0], [5, 0, 0]],
        "solution": [["A", "B", "C"], ["D", "E", "F"], ["G", "H", "I"]],
        **fields,
    }


def read(**fields: Any) -> Puzzle:
    return read_bytes(json.dumps(document(**fields)).encode(), ".ipuz")


def written(puzzle: Puzzle) -> dict[str, Any]:
    data = puzzle_bytes(puzzle, ".ipuz").data
    fields: dict[str, Any] = json.loads(data)
    return fields
