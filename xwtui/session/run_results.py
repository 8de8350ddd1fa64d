"""What a run has found, laid into the puzzle."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from xwtui.model import Content, Ink, Position, Puzzle, edits
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.run_view import RunView


def written(puzzle: Puzzle, view: RunView, order: FillOptions) -> Puzzle:
    """The puzzle with what a run has found; a partial fill takes away the pencil of the squares that it leaves."""
    if view.mode is Mode.PARTIAL and view.to_write:
        puzzle = edits.clear_pencil(puzzle, order.selection)
    wanted = order.selection
    return edits.write_fill(
        puzzle, {at: content for at, content in view.to_write.items() if wanted is None or at in wanted}
    )


def accepted(
    puzzle: Puzzle, shown: Mapping[Position, Content] | None, squares: Collection[Position] | None
) -> Puzzle:
    """The puzzle with what is shown (None: what stands there) in pen, in some squares or in all."""
    found = shown
    if found is None:
        found = {at: content for at in puzzle.grid.positions() if (content := puzzle.grid[at].content)}
    taken = {at: content for at, content in found.items() if squares is None or at in squares}
    filled = edits.write_fill(puzzle, taken)
    return edits.set_ink(filled, [at for at in taken if filled.grid[at].ink is Ink.PENCIL], Ink.PEN)


class ShownPuzzle:
    """The puzzle with the fill of a run, made once for each view of it."""

    def __init__(self) -> None:
        self._puzzle: Puzzle | None = None
        self._run: RunView | None = None
        self._with_fill: Puzzle | None = None

    def of(self, puzzle: Puzzle, run: RunView) -> Puzzle:
        """The puzzle with what a run shows."""
        if self._with_fill is None or self._puzzle is not puzzle or self._run is not run:
            self._puzzle, self._run = puzzle, run
            self._with_fill = edits.write_fill(puzzle, run.squares)
        return self._with_fill
