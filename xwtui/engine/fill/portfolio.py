"""Filling with one thread or several: the same problem, other seeds and settings, the first result wins.

A worker that goes for a proof, and is far from one, lets another search have most of its thread: where fills are
rare and proofs out of reach, what counts is how many searches go on from entry to entry.

A fill of which everything is written to a trace file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import repeat
from threading import Event as Flag
from time import perf_counter
from typing import NamedTuple

from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.events.event import Outcome, Statistics
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.errors import EngineError
from xwtui.model import Content, Position

SECONDS_A_SLICE = 0.02
"""How long a worker searches between two looks at the flags."""

_FIRST_SLICE = 0.005
_HEAD_START = 300
"""Nodes of the first worker before there are others: most grids are filled by then, with the same fill whatever
the number of threads."""
_SECONDS_A_REPORT = 0.1
_SLICES_BESIDE = 3
"""Of four slices of a thread, those for the search that has joined one that is far from a proof."""


class Progress(NamedTuple):
    """A look at a search that goes on."""

    statistics: Statistics
    squares: Mapping[Position, Content]
    """The squares that the first worker's decisions leave one content."""


@dataclass(frozen=True)
class FillResult:
    """What a fill came to."""

    outcome: Outcome
    squares: Mapping[Position, Content]
    """The content of every square of an entry, if filled."""
    statistics: Statistics
    """Of the worker that decided, or of the first."""
    seed: int
    threads: int
    worker: int
    """The worker that decided: `Filler(problem, seed=seed, worker=worker)` finds the same fill alone."""
    reason: str
    """Why no fill exists, if that is proved."""
    filler: Filler = field(repr=False, compare=False)
    """The search that decided, or the first."""

    @cached_property
    def answers(self) -> Mapping[str, str]:
        """The answer of every entry, by its name, if filled."""
        return self.filler.answers() if self.outcome is Outcome.FILLED else {}


def fill(
    problem: Problem,
    budget: Budget = NO_LIMIT,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> FillResult:
    """Fill a grid, or prove that it cannot be filled.

    UNKNOWN after its seconds, CANCELLED soon after `stop` says so. With one thread the same
    seed finds the same fill on every machine; with more, whichever worker is first decides where the first one
    has not within its head start.
    `progress` is called in the caller's thread every tenth of a second or so. Raises EngineError,
    with all searches stopped, where one of them dies.
    """
    warm_up(counting=False, improving=not problem.constraints.is_empty)
    return _Portfolio(problem, budget, progress).run()


class _Portfolio:
    """Workers side by side, each with a filler of its own, until the first is done."""

    def __init__(self, problem: Problem, budget: Budget, progress: Callable[[Progress], None] | None) -> None:
        self._fillers = {0: Filler(problem, seed=budget.seed)}
        self._problem = problem
        self._threads = max(budget.threads, 1)
        self._seed = budget.seed
        self._deadline = budget.deadline
        self._is_cancelled = budget.stop
        self._progress = progress
        self._reported = perf_counter()
        self._stop = Flag()
        self._deaths: list[str] = []

    def run(self) -> FillResult:
        """Search until a worker is done, the deadline comes, or the fill is cancelled."""
        outcome = self._run_all()
        if self._deaths:
            raise EngineError(f"a search died: {self._deaths[0]}; all searches are stopped")
        return self._result(outcome)

    def _run_all(self) -> Outcome:
        first = self._fillers[0]
        if self._threads == 1 or self._ends_alone(first):
            return self._lead(first)
        others = range(1, self._threads)
        for worker in others:
            self._join(worker)
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (an easy fill comes before)

        with ThreadPoolExecutor(len(others), "fill") as pool:
            try:
                for worker in others:
                    pool.submit(self._follow, worker)
                return self._lead(first)
            finally:
                self._stop.set()

    def _ends_alone(self, first: Filler) -> bool:
        """Give the first worker its head start; tell whether that was enough."""
        while (nodes := _HEAD_START - first.statistics.nodes) > 0 and not self._has_ended(first):
            now = perf_counter()
            if now >= self._deadline or self._is_cancelled():
                break
            self._report(first, now)
            self._advance(first, min(self._deadline - now, SECONDS_A_SLICE), nodes)
        return self._has_ended(first)

    def _has_ended(self, first: Filler) -> bool:
        return first.outcome.is_final or self._stop.is_set()

    def _join(self, worker: int) -> Filler:
        filler = self._fillers[worker] = Filler(self._problem, seed=self._seed, worker=worker)
        return filler

    def _follow(self, worker: int) -> None:
        """Search in a thread of one's own; whatever ends it, all others stop too."""
        with self._noting_death():
            for filler in self._in_turns(worker):
                if self._stop.is_set() or filler.advance(seconds=SECONDS_A_SLICE).is_final:
                    break
        self._stop.set()

    def _in_turns(self, worker: int) -> Iterator[Filler]:
        """Which search has the next slice: the thread's own, or mostly another while that is far from a proof."""
        own = self._fillers[worker]
        while not own.is_far_from_proof:
            yield own
        beside = self._join(worker + self._threads)
        while True:
            yield own
            if own.is_far_from_proof:
                yield from repeat(beside, _SLICES_BESIDE)

    def _advance(self, filler: Filler, seconds: float, nodes: int | None = None) -> None:
        """Search for a slice in the caller's thread."""
        with self._noting_death():
            filler.advance(nodes, seconds)

    @contextmanager
    def _noting_death(self) -> Iterator[None]:
        """A death is noted, to be told in the caller's thread, and stops all."""
        try:
            yield
        except Exception as error:
            self._deaths.append(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
            self._stop.set()

    def _lead(self, filler: Filler) -> Outcome:
        """Search in the caller's thread, which also reports and watches the clock."""
        seconds = _FIRST_SLICE
        while not filler.outcome.is_final and not self._stop.is_set():
            if self._is_cancelled():
                return Outcome.CANCELLED
            now = perf_counter()
            if now >= self._deadline:
                return Outcome.UNKNOWN
            self._report(filler, now)
            self._advance(filler, min(seconds, self._deadline - now))
            seconds = SECONDS_A_SLICE
        return filler.outcome

    def _report(self, filler: Filler, now: float) -> None:
        if self._progress is not None and now - self._reported >= _SECONDS_A_REPORT:
            self._reported = now
            self._progress(Progress(filler.statistics, filler.current()))

    def _result(self, outcome: Outcome) -> FillResult:
        """The result of the first worker that is done, or of the leader if none is."""
        done = [worker for worker, filler in self._fillers.items() if filler.outcome.is_final]
        worker = done[0] if done else 0
        filler = self._fillers[worker]
        return FillResult(
            outcome=filler.outcome if done else outcome,
            squares=filler.fill(),
            statistics=filler.statistics,
            seed=self._seed,
            threads=self._threads,
            worker=worker,
            reason=filler.reason,
            filler=filler,
        )
