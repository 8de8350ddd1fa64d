"""The protocol of a search: it works within a budget, as far as a goal says, and returns views of itself.

Each mode of a run is one kind of search. The one that can be stepped is in stepped.py. Those that run until they
are done are in modes.py and swapping.py.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

from xwtui.engine.budget import Budget
from xwtui.engine.events.event import DecisionReport, Outcome
from xwtui.lazy import lazy_imports
from xwtui.session.fill_options import FillOptions
from xwtui.session.goals import Goal
from xwtui.session.run_view import FoundFill, RunView
from xwtui.worded import Worded, in_words

with lazy_imports():
    from xwtui.engine.problem.problem import Problem
    from xwtui.session.recording import Recording

SLICE_SECONDS = 0.03
"""How long a strategy works between two checks for new requests."""
SEARCH_IS_OVER = "this search is over, so you cannot argue with it; `step` starts another"
ANOTHER_GRID = "that search began from a different grid; undo or redo to get back to it, then replay the search"


class ModeSearch(ABC):
    """A search of one mode; it works on the run's thread, and other threads may read its views."""

    shows_depth: ClassVar[bool] = False
    """Whether its depth is worth a sparkline."""
    recording: Recording | None = None
    """The recording of its events, if there is one."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        self.options = options
        self.seed = seed
        self.notify: Callable[[], None] = lambda: None
        """Reports a new result at once; otherwise views are taken from time to time."""

    @property
    @abstractmethod
    def has_ended(self) -> bool:
        """Whether it has reached its end."""

    @property
    def can_go_on(self) -> bool:
        return not self.has_ended

    @abstractmethod
    def pursue(self, goal: Goal, budget: Budget) -> int:
        """Work as far as a goal says; returns the number of events passed, if it counts them."""

    def write_output(self) -> None:  # noqa: B027  (few write anything)
        """Write output files, if any, after the end; raises XwtuiError if that fails."""

    @abstractmethod
    def view(self) -> RunView:
        """Return the current or final view."""

    def detailed_view(self) -> RunView:
        """Return the view of a paused search; if it is recorded, with what led there and what would come next."""
        view, recording = self.view(), self.recording
        if recording is None or not recording.length:
            return view
        report = None if recording.is_in_past else self.decision_report()
        return replace(view, context=recording.context(), decision_report=report)

    def decision_report(self) -> DecisionReport:
        return DecisionReport()

    def best(self, last: RunView) -> RunView | None:
        """Return the view to keep if it is stopped now, given the last view; None if there is nothing to keep."""
        return None

    @property
    def found(self) -> Sequence[FoundFill]:
        """Fills to choose from that it has found, best first."""
        return ()

    @property
    def progress(self) -> int:
        """Its progress in a unit of its own; 0 if it cannot be repeated."""
        return 0

    def close(self) -> None:  # noqa: B027  (some hold nothing)
        """Free its resources."""


Ending: TypeAlias = tuple[Outcome, Worded | str | None]
"""A search's outcome, and the reason."""


class DirectSearch(ModeSearch):
    """A search that cannot be stepped: it runs until it is done, and may be stopped with what it has."""

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self.problem = problem
        self.outcome = Outcome.RUNNING
        self.reason = ""
        """The reason for the outcome."""
        self._begun = time.perf_counter()

    @abstractmethod
    def work(self, budget: Budget) -> Ending:
        """Do all the work within a budget."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """Return the fields of a view that are specific to this search."""

    @property
    def has_ended(self) -> bool:
        return self.outcome is not Outcome.RUNNING

    @property
    def has_found(self) -> bool:
        """Whether it has a result that is kept if it is stopped."""
        return False

    def pursue(self, goal: Goal, budget: Budget) -> int:
        outcome, reason = self.work(budget)
        self.outcome, self.reason = outcome, in_words(reason)
        return 0

    def view(self) -> RunView:
        so_far = RunView(
            self.outcome,
            seconds=time.perf_counter() - self._begun,
            reason=self.reason,
            seed=self.seed,
            threads=self.options.threads,
            mode=self.options.mode,
        )
        return replace(so_far, **self.figures())

    def best(self, last: RunView) -> RunView | None:
        return self.view() if self.has_found else None
