"""What the grid shows of a search: its squares, and what its last backtrack took back."""

from collections.abc import Mapping

from xwtui.engine.outcome import Outcome
from xwtui.model import Content, Grid, Position
from xwtui.workbench.messages import RunView

_BACKTRACK = "backtrack"
"""The value of the kind of event; the enumeration itself would load the engine."""


def is_going(run: RunView | None) -> bool:
    """Whether a search is under way: it runs, or stands still between two steps."""
    return run is not None and (run.paused or run.outcome is Outcome.RUNNING)


class SearchView:
    """Follows a search from view to view."""

    def __init__(self) -> None:
        self.squares: Mapping[Position, Content] = {}
        """What the search has on the grid."""
        self.undone: frozenset[Position] = frozenset()
        """The squares that it had a moment ago and has no longer, or has otherwise."""
        self.is_on = False
        """Whether a search is under way."""

    def follow(self, run: RunView, grid: Grid) -> None:
        """Take the next view of the search; after a backtrack all that it left counts as undone."""
        before = self.squares
        self.is_on = True
        self.squares = run.squares
        gone = {at for at, content in before.items() if run.squares.get(at) != content}
        if run.event is not None and run.event.kind.value == _BACKTRACK:
            left = run.event.slot
            is_entry = left is not None and left in grid.slots_by_name
            squares = grid.slot(left).positions if left and is_entry else (run.event.crossing,)
            gone.update(at for at in squares if at is not None and not grid[at].is_given)
        self.undone = frozenset(gone)

    def forget(self) -> None:
        """The search is over: what it had is on the grid in pencil, or gone."""
        self.squares = {}
        self.undone = frozenset()
        self.is_on = False
