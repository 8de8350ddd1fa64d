"""What every run is to the session, and the session to every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from xwtui.model import Content, Position
from xwtui.session.fill_options import FillOptions
from xwtui.session.goals import Goal
from xwtui.session.jobs.worker import IsStale
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem
    from xwtui.session.recording import Recording


class FoundFill(NamedTuple):
    """A fill that a run has found: its squares and the scores of its answers."""

    squares: Mapping[Position, Content]
    mean_score: float
    lowest_score: int
    note: str = ""
    """What there is to say of it, such as `the start`."""


class Running(Protocol):
    """What goes on in a thread of its own until it ends or is dropped."""

    order: FillOptions
    """What was ordered."""

    view: RunView | None
    """How it stood when it last told."""

    tape: Recording | None
    """What it has done, of a search that can be stepped."""

    @property
    def is_active(self) -> bool:
        """Whether it goes on at this moment."""

    @property
    def best(self) -> RunView | None:
        """What is worth keeping if it is stopped now; None where that is nothing."""

    @property
    def found(self) -> Sequence[FoundFill]:
        """The fills to choose from that it has found, the best first."""

    def begin(self) -> None:
        """Start, once the owner knows it: a short one may end before this call does."""

    def go(self, goal: Goal) -> None:
        """Go on as far as the goal says; raises VerbError where that cannot be said."""

    def drop(self) -> None:
        """End it, soon and without a report."""

    def join(self, seconds: float) -> None:
        """Give its thread some time to end."""


class RunOwner(Protocol):
    """Who started a run, and hears of it from the run's thread."""

    def pose(self, order: FillOptions, is_dropped: IsStale) -> Problem | None:
        """The problem, once words and engine are there; None if the run was dropped first."""

    def run_moved(self, run: Running, view: RunView) -> None:
        """The run goes on, or stands still."""

    def run_ended(self, run: Running, view: RunView) -> None:
        """The run is over (or out of time, and stands still, where the view is paused)."""

    def run_refused(self, run: Running, message: str) -> None:
        """The run stands where it stood: what was argued cannot be."""

    def run_failed(self, run: Running, message: str) -> None:
        """The run stopped on an error."""
