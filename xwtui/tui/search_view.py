"""What the grid shows of a search: its squares, and what its last backtrack took back."""

from collections.abc import Mapping

from xwtui.engine.events.event import EventKind, Outcome
from xwtui.model import Content, Grid, Position
from xwtui.session.run_view import RunView


def is_going(run: RunView | None) -> bool:
    """Whether a search is under way: it runs, or stands still between two steps."""
    return run is not None and (run.paused or run.outcome is Outcome.RUNNING)


def stopped_squares(grid: Grid, run: RunView | None) -> frozenset[Position]:
    """The empty squares of the entries that stopped a partial fill."""
    slots = [grid.slots_by_name.get(one.entry) for one in run.stopped] if run is not None else []
    return frozenset(at for slot in slots if slot is not None for at in slot.positions if grid[at].content is None)


class SearchView:
    """Follows a search from view to view."""

    def __init__(self) -> None:
        self.squares: Mapping[Position, Content] = {}
        """What the search has on the grid."""
        self.undone: frozenset[Position] = frozenset()
        """The squares that it had a moment ago and has no longer, or has otherwise."""
        self.better: frozenset[Position] = frozenset()
        """The squares that the last better fill has otherwise than the one before."""
        self.is_on = False
        """Whether a search is under way."""

    def follow(self, run: RunView, grid: Grid) -> None:
        """Take the next view of the search; after a backtrack all that it left counts as undone."""
        before = self.squares
        self.is_on = True
        self.squares = run.squares
        changed = {at for at, content in before.items() if run.squares.get(at) != content}
        if run.quality is None:
            self.undone = frozenset(changed | self._left(run, grid))
        elif changed:
            self.better = frozenset(changed)

    def _left(self, run: RunView, grid: Grid) -> set[Position]:
        left = run.event.slot if run.event is not None and run.event.kind is EventKind.BACKTRACK else None
        if left is None or left not in grid.slots_by_name:
            return set()
        return {at for at in grid.slot(left).positions if not grid[at].is_given}

    def forget(self) -> None:
        """The search is over: what it had is on the grid in pencil, or gone."""
        self.squares = {}
        self.undone = self.better = frozenset()
        self.is_on = False
