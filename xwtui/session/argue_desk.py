"""The desk with the search that is argued with: what the constructor says, and what it does to the puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from xwtui.errors import VerbError
from xwtui.model import Content, Ink, Position, Puzzle, edits
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.arguing.argument import Argument, ArgumentKind
from xwtui.session.jobs.fills.replay import Replay
from xwtui.session.jobs.fills.search import Search
from xwtui.session.run_view import RunView
from xwtui.session.watch_desk import WatchDesk

_LOCK = "argue lock"
"""What an edit that locks is called in the history."""


class ArgueDesk(WatchDesk):
    """Argues with a search that stands still; it goes on from there."""

    _keeps_search = False
    """Whether what is edited now is no reason to stop the search."""

    @property
    def is_watched(self) -> bool:
        """Whether a search goes on slowly, event by event."""
        run = self._background.search
        return isinstance(run, Search) and run.is_watched

    def argue(self, argument: Argument) -> None:
        """Say something against the search; a refusal that needs the engine comes as ArgumentRefused.

        Raises VerbError where no search stands still.
        """
        run = self._background.search
        if isinstance(run, Replay) or (run is None and self._background.tape is not None):
            raise VerbError("this search is over, and cannot be argued with; `step` begins another one")
        if isinstance(run, Search) and run.is_active:
            raise VerbError("the search goes on; `pause` holds it, so that you can argue")
        if not isinstance(run, Search) or run.view is None:
            raise VerbError("there is no search to argue with; `step` or `until backtrack` begins one")
        view = run.view
        if argument.kind is ArgumentKind.LOCK:
            decided = view.moment.decisions if view.moment is not None else ()
            if not decided:
                raise VerbError("nothing is decided here yet")
            standing = {at: content for one in decided for at, content in one.squares}
            with self._kept_search():
                self.edit(_LOCK, lambda puzzle: _with_locked(puzzle, standing))
        elif argument.kind is ArgumentKind.BACK and self._was_lock(view):
            with self._kept_search():
                self.undo()
        run.go(Goal(argument=argument))

    def _was_lock(self, view: RunView) -> bool:
        """Whether the last argument locked something, and nothing was edited since."""
        said = view.arguments[-1] if view.arguments else ""
        return said.startswith("you lock") and self.document.history.undo_label == _LOCK

    @contextmanager
    def _kept_search(self) -> Iterator[None]:
        self._keeps_search = True
        try:
            yield
        finally:
            self._keeps_search = False


def _with_locked(puzzle: Puzzle, standing: Mapping[Position, Content]) -> Puzzle:
    """The puzzle with some squares written and locked; those that were given already stay as they are."""
    free = {at: content for at, content in standing.items() if not puzzle.grid[at].is_given}
    return edits.set_ink(edits.write_fill(puzzle, free), free, Ink.LOCKED)
