"""One protocol of a search: it goes on within a budget, up to an event, and shows how it stands.

Each mode of a run is one kind of search: the plain one here, which can be stepped; those that work until they are
done, in modes.py and swapping.py. What records one and walks back in it wraps it
(watching.py), and only where somebody does so.
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
from xwtui.worded import Worded, said

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
"""How long a strategy works between two looks at what is asked of it."""
SEARCH_IS_OVER = "this search is over, so you cannot argue with it; `step` starts another"
ANOTHER_GRID = "that search began from a different grid; undo or redo to get back to it, then replay the search"


class ModeSearch(ABC):
    """A search of one mode; it works in the thread of the run, and may be looked at from others."""

    tells_depths: ClassVar[bool] = False
    """Whether its depth is worth a sparkline."""
    recording: Recording | None = None
    """What it has done, where that is recorded."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        self.options = options
        self.seed = seed
        self.tell: Callable[[], None] = lambda: None
        """Shows how it stands at once, for it has something new; otherwise it is looked at every now and then."""

    @property
    @abstractmethod
    def has_ended(self) -> bool:
        """Whether it is at its end."""

    @property
    def can_go_on(self) -> bool:
        return not self.has_ended

    @abstractmethod
    def advance(self, budget: Budget, until: Until = THE_END) -> Event | None:
        """Go on until the budget is spent, to the end or to an event that is waited for; returns that."""

    def pursue(self, goal: Goal, budget: Budget) -> int:
        """Go on as far as a goal says; returns over how many events, where it counts them."""
        self.advance(budget)
        return 0

    def settle(self) -> None:  # noqa: B027  (few write anything)
        """Write what is to be written once it has ended; raises XwtuiError where that fails."""

    @abstractmethod
    def view(self) -> RunView:
        """How it stands, or has ended."""

    def consider(self) -> RunView:
        """The same where it stands still: with what led there, and what would come next."""
        return self.view()

    def best(self, last: RunView) -> RunView | None:
        """What is worth keeping if it is stopped now, after it was last seen so; None where that is nothing."""
        return None

    @property
    def found(self) -> Sequence[FoundFill]:
        """The fills to choose from that it has found, the best first."""
        return ()

    @property
    def progress(self) -> int:
        """How far it has come, in a unit of its own; 0 where it cannot be made again."""
        return 0

    def close(self) -> None:  # noqa: B027  (some hold nothing)
        """Let go of what it holds."""


Ending: TypeAlias = tuple[Outcome, Worded | str | None]
"""How a search has ended, and why."""


class DirectSearch(ModeSearch):
    """One that cannot be stepped: it works until it is done, and may be stopped with what it has."""

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self.problem = problem
        self.outcome = Outcome.RUNNING
        self.reason = ""
        """Why it has ended so."""
        self._begun = time.perf_counter()

    @abstractmethod
    def work(self, budget: Budget) -> Ending:
        """Do all of it within a budget."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """What a view of it tells beside what views of all of them do."""

    @property
    def has_ended(self) -> bool:
        return self.outcome is not Outcome.RUNNING

    @property
    def has_found(self) -> bool:
        """Whether it has something that is kept if it is stopped."""
        return False

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        outcome, reason = self.work(budget)
        self.outcome, self.reason = outcome, said(reason)

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
    """A search by one strategy, the engine's if none is named, which can be stepped.

    One that improves begins with what stands where that is a finished grid; others where asked to.
    """

    tells_depths = True

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        """Begin; raises EngineError where the strategy cannot take the problem on."""
        super().__init__(options, seed)
        self.problem = problem
        self.seconds = 0.0
        """How long it has searched."""
        self.better: tuple[FoundFill, ...] = ()
        """The fills that were the best in their turn, where it goes on from its first one."""
        self._engine: XwtuiEngine | None = None
        """The engine's search that was begun last, from which the next part of the problem learns."""
        self._is_recorded = False
        self._proof = None if options.proof is None else ProofFile(options.proof)
        strategy = self.open(problem)
        if options.proof is not None:
            strategy.keep_proof()
        self._whole = strategy
        self.argued: ArguedSearch | None = None
        """All branches of the search, once somebody has argued with it."""

    def open(self, part: Problem) -> Strategy:
        search: Strategy
        if self.options.strategy:
            search = StrategyChoice.parse(self.options.strategy).make(part.task, self.seed)
            start = self.options.start
            is_finished = all(at in start for slot in part.grid.entries for at in slot.positions)
            if self.options.begins_with_pencil or (search.improves and is_finished):
                search.begin_with(start)
        else:
            search = self._engine = XwtuiEngine.on(part, self.seed, after=self._engine)
        if self._is_recorded:
            search.record()
        return search

    def record(self) -> None:
        """Let this search, and those of its parts that begin from now on, keep their events."""
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
        begun, before, event = time.perf_counter(), self.seconds, None
        while event is None and not self.has_ended and not budget.stop():
            event = self.searching.advance(Budget(SLICE_SECONDS), until)
            squares = self.strategy.incumbent  # of a search that goes on to better fills
            if squares and (not self.better or squares != self.better[-1].squares):
                self.better = (*self.better, FoundFill.of(self.problem.task, squares))
            spent = time.perf_counter() - begun
            self.seconds = before + spent
            if budget.seconds is not None and spent >= budget.seconds:
                break
        return event

    def settle(self) -> None:
        proof = self._whole.proof if self.argued is None else None  # what is argued is no part of the problem
        if self._proof is not None and proof is not None:
            write_proof(self._proof.path, *proof)
            self._proof = self._proof._replace(is_written=True)

    def state(self) -> RunView:
        """How the search itself stands, whatever it has found."""
        view = view_of(self._whole) if self.argued is None else self.argued.look()
        return replace(view, seconds=self.seconds, seed=self.seed, proof=self._proof)

    def view(self) -> RunView:
        return self.with_best(self.state())

    def best(self, last: RunView) -> RunView | None:
        """The best fill so far of a search that goes on to better ones; others leave the grid as it was."""
        return replace(self.with_best(last), paused=False) if self.better else None

    @property
    def found(self) -> Sequence[FoundFill]:
        return self.better[::-1]

    def with_best(self, view: RunView) -> RunView:
        """A view with the best fill, as that of an improvement; the same where there is none."""
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
    """A search that is over, with all that it takes to walk it."""

    options: FillOptions
    seed: int
    last: RunView
    """How it stood at its end."""
    recording: Recording | None = None
    """What it did; None where that is to be made again."""
    task: Task | None = None
    """What it searched, to be laid out once more; None for one that comes from a file."""
    progress: int = 0
    """How far it came, in the unit of its strategy."""
    grid: Grid | None = None
    """The grid as it stood then, where that was edited since."""
