"""The protocol of a search: it advances within a budget, up to an event, and returns views of itself.

Each mode of a run is one kind of search. The plain search, which can be stepped, is here. Those that run until
they are done are in modes.py and swapping.py. Recording and moving back are wrappers (watching.py), added only on
demand.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

from xwtui.engine.budget import Budget
from xwtui.engine.events.event import THE_END, Event, Outcome, Until
from xwtui.formats.base import write_proof
from xwtui.lazy import lazy_imports
from xwtui.named_tuples import NamedTuple
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.run_view import FoundFill, ProofFile, Quality, RunView, view_of
from xwtui.worded import Worded, in_words

with lazy_imports():
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.task import Task
    from xwtui.model import Grid
    from xwtui.session.jobs.fills.argued import ArguedSearch
    from xwtui.session.recording import Recording
    from xwtui.strategies.protocol import Strategy
    from xwtui.strategies.registry import StrategyChoice
    from xwtui.strategies.xwtui_engine import XwtuiEngine

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
    def advance(self, budget: Budget, until: Until = THE_END) -> Event | None:
        """Advance until the budget is spent, the search ends or an awaited event occurs; returns that event."""

    def pursue(self, goal: Goal, budget: Budget) -> int:
        """Advance as far as a goal says; returns the number of events passed, if it counts them."""
        self.advance(budget)
        return 0

    def write_output(self) -> None:  # noqa: B027  (few write anything)
        """Write output files, if any, after the end; raises XwtuiError if that fails."""

    @abstractmethod
    def view(self) -> RunView:
        """Return the current or final view."""

    def detailed_view(self) -> RunView:
        """Return the view of a paused search, with what led there and what would come next."""
        return self.view()

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

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        outcome, reason = self.work(budget)
        self.outcome, self.reason = outcome, in_words(reason)

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


class PlainSearch(ModeSearch):
    """A search with one strategy, by default the engine's, which can be stepped.

    A strategy that improves starts from the present contents if the grid is full; others do so on request.
    """

    shows_depth = True

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        """Start; raises EngineError if the strategy cannot handle the problem."""
        super().__init__(options, seed)
        self.problem = problem
        self.seconds = 0.0
        """Time spent searching."""
        self.better: tuple[FoundFill, ...] = ()
        """The incumbents, if the search goes on after its first fill."""
        self._engine: XwtuiEngine | None = None
        """The engine's latest search; the search of the next branch learns from it."""
        self._is_recorded = False
        self._proof = None if options.proof is None else ProofFile(options.proof)
        strategy = self.open(problem)
        if options.proof is not None:
            strategy.keep_proof()
        self._whole = strategy
        self.argued: ArguedSearch | None = None
        """All branches of the search, once there was an argument."""

    def open(self, part: Problem) -> Strategy:
        search: Strategy
        if self.options.strategy:
            search = StrategyChoice.parse(self.options.strategy).make(part.task, self.seed)
            start = self.options.start
            is_finished = all(at in start for slot in part.grid.entries for at in slot.positions)
            if self.options.begins_with_pencil or (search.improves and is_finished):
                search.start_from(start)
        else:
            search = self._engine = XwtuiEngine.on(part, self.seed, after=self._engine)
        if self._is_recorded:
            search.record()
        return search

    def record(self) -> None:
        """Record the events of this search, and of branches that start from now on."""
        self._is_recorded = True
        self.strategy.record()

    @property
    def searching(self) -> Strategy | ArguedSearch:
        return self.argued or self._whole

    @property
    def strategy(self) -> Strategy:
        return self.argued.branch if self.argued is not None else self._whole

    @property
    def has_ended(self) -> bool:
        return self.searching.has_ended

    @property
    def progress(self) -> int:
        return self.strategy.progress

    def advance(self, budget: Budget, until: Until = THE_END) -> Event | None:
        started, before, event = time.perf_counter(), self.seconds, None
        while event is None and not self.has_ended and not budget.stop():
            event = self.searching.advance(Budget(SLICE_SECONDS), until)
            squares = self.strategy.incumbent  # set if the search goes on to better fills
            if squares and (not self.better or squares != self.better[-1].squares):
                self.better = (*self.better, FoundFill.of(self.problem.task, squares))
            spent = time.perf_counter() - started
            self.seconds = before + spent
            if budget.seconds is not None and spent >= budget.seconds:
                break
        return event

    def write_output(self) -> None:
        proof = self._whole.proof if self.argued is None else None  # arguments are not part of the problem
        if self._proof is not None and proof is not None:
            write_proof(self._proof.path, *proof)
            self._proof = self._proof._replace(is_written=True)

    def state(self) -> RunView:
        """Return a view of the search itself, regardless of its results."""
        view = view_of(self._whole) if self.argued is None else self.argued.view()
        return replace(view, seconds=self.seconds, seed=self.seed, proof=self._proof)

    def view(self) -> RunView:
        return self.with_best(self.state())

    def best(self, last: RunView) -> RunView | None:
        """Return the best fill so far of a search that goes on to better ones; others leave the grid unchanged."""
        return replace(self.with_best(last), paused=False) if self.better else None

    @property
    def found(self) -> Sequence[FoundFill]:
        return self.better[::-1]

    def with_best(self, view: RunView) -> RunView:
        """Return the view with the best fill, as for an improvement; unchanged if there is none."""
        if not self.better:
            return view
        first, best = self.better[0], self.better[-1]
        quality = Quality(
            best.mean_score,
            best.lowest_score,
            value=best.mean_score,
            first=first.mean_score,
            rounds=self.strategy.rounds,
            better=len(self.better) - 1,
        )
        return replace(view, squares=best.squares, quality=quality, mode=Mode.IMPROVE)

    def close(self) -> None:
        self.searching.close()


class EndedSearch(NamedTuple):
    """An ended search, with everything needed to walk through it."""

    options: FillOptions
    seed: int
    last: RunView
    """Its view at the end."""
    recording: Recording | None = None
    """Its recording; None if it must be repeated."""
    task: Task | None = None
    """What it searched, to be set up again; None if it comes from a file."""
    progress: int = 0
    """Its progress, in the unit of its strategy."""
    grid: Grid | None = None
    """The grid at that time, if it was edited since."""
