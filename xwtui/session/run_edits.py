"""What a run that has found squares makes of the puzzle."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from xwtui.errors import VerbError
from xwtui.model import Content, Ink, Position, Puzzle, edits
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.kept_out import admitting, barring
from xwtui.session.run_view import RunView


def edit_of_run(puzzle: Puzzle, options: FillOptions, view: RunView) -> tuple[Puzzle, str]:
    """The puzzle with what a run has found, and what the history calls that.

    A partial fill takes away the pencil of the squares that it leaves; a rejection bars its word from the entry.
    """
    wanted = options.selection
    if view.mode is Mode.PARTIAL and view.to_write:
        puzzle = edits.clear_pencil(puzzle, wanted)
    squares = {at: content for at, content in view.to_write.items() if wanted is None or at in wanted}
    after = edits.write_fill(puzzle, squares)
    if view.kept_out is not None:
        slot, word = puzzle.grid.slot(view.kept_out.entry), view.kept_out.word
        told = puzzle.entered_answer(slot)
        after = barring(after, slot, told.answer if told is not None and told.entered == word else word)
    elif options.word and squares:
        after = admitting(after, puzzle.grid.slot(options.entry), options.word)
    return after, f"{view.mode.value} {options.entry}".strip()


def decided_squares(view: RunView) -> Mapping[Position, Content]:
    """What a search that stands still has decided so far; raises VerbError where that is nothing."""
    decided = view.moment.decisions if view.moment is not None else ()
    if not decided:
        raise VerbError("nothing is decided here yet")
    return {at: content for one in decided for at, content in one.squares}


def accepted(
    puzzle: Puzzle, shown: Mapping[Position, Content] | None, squares: Collection[Position] | None
) -> Puzzle:
    """The puzzle with what is shown (None: what stands there) in pen, in some squares or in all."""
    found = shown
    if found is None:
        found = {at: content for at in puzzle.grid.positions() if (content := puzzle.grid[at].content)}
    taken_squares = {at: content for at, content in found.items() if squares is None or at in squares}
    filled = edits.write_fill(puzzle, taken_squares)
    return edits.set_ink(filled, [at for at in taken_squares if filled.grid[at].ink is Ink.PENCIL], Ink.PEN)


def with_locked(puzzle: Puzzle, standing: Mapping[Position, Content]) -> Puzzle:
    """The puzzle with some squares written and locked; those that were given already stay as they are."""
    free = {at: content for at, content in standing.items() if not puzzle.grid[at].is_given}
    return edits.set_ink(edits.write_fill(puzzle, free), free, Ink.LOCKED)


class BestShown:
    """A puzzle with the best fill of a run in it, made once for each."""

    def __init__(self) -> None:
        self._last: tuple[Puzzle, RunView, Puzzle] | None = None

    def __call__(self, puzzle: Puzzle, run: RunView) -> Puzzle:
        """The puzzle with what the run has, in pencil."""
        if self._last is None or self._last[0] is not puzzle or self._last[1] is not run:
            self._last = puzzle, run, edits.write_fill(puzzle, run.squares)
        return self._last[2]
