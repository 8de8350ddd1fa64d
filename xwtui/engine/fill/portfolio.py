"""Filling with one or more threads: workers with different seeds and settings; the first result wins.

A worker that aims for a proof but is far from one gives most of its thread to another search. When fills are rare
and proofs out of reach, the number of searches that branch on entries is what counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

from xwtui.dataclasses import dataclass, field
from xwtui.engine.budget import NO_LIMIT, SECONDS_PER_SLICE, Budget, Workers
from xwtui.engine.events.event import Outcome, Statistics
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position

with lazy_imports():
    from xwtui.engine.problem.no_fill import Reason

_FIRST_SLICE = 0.005
_HEAD_START = 300
"""Nodes of the first worker before others start; most grids are filled by then, however many threads there are."""
_JOINED_SLICES = 3
"""Of every four slices of a thread, those for the search that has joined one far from a proof."""


class Progress(NamedTuple):
    """A snapshot of a running search."""

    statistics: Statistics
    squares: Mapping[Position, Content]
    """The squares decided by the first worker's decisions."""


@dataclass(frozen=True)
class FillResult:
    """The result of a fill."""

    outcome: Outcome
    squares: Mapping[Position, Content]
    """The content of every square of an entry, if filled."""
    statistics: Statistics
    """Of the worker that decided, or of the first."""
    seed: int
    threads: int
    worker: int
    """The worker that decided: `Filler(problem, seed=seed, worker=worker)` alone finds the same fill."""
    reason: Reason | None
    """Why no fill exists, if that is proved."""
    filler: Filler = field(repr=False, compare=False)
    """The search that decided, or the first."""

    @cached_property
    def answers(self) -> Mapping[str, str]:
        """The answer of every entry, by the entry's name, if filled."""
        return self.filler.answers() if self.outcome is Outcome.FILLED else {}


def fill(
    problem: Problem,
    budget: Budget = NO_LIMIT,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> FillResult:
    """Fill a grid, or prove that no fill exists.

    The outcome is UNKNOWN after the time limit, and CANCELLED soon after `stop` returns True. With one thread, the
    same seed finds the same fill on every machine. With more, the fastest worker determines the fill unless the
    first worker finds one within its head start. `progress` is called in the caller's thread about every tenth of
    a second. Raises EngineError, with all searches stopped, if one of them crashes.
    """
    portfolio = Portfolio(problem, budget.threads, budget.seed)
    return portfolio.run(budget if progress is None else budget.reporting(lambda: progress(portfolio.progress)))


class Portfolio:
    """Parallel workers, each with its own filler, that run until the first is done."""

    def __init__(self, problem: Problem, threads: int, seed: int) -> None:
        warm_up(counting=False, improving=not problem.constraints.is_empty)
        self._problem = problem
        self._seed = seed
        self._threads = max(threads, 1)
        self._fillers: dict[int, Filler] = {}
        self._join(0)

    @property
    def progress(self) -> Progress:
        """A snapshot of the first worker, for the caller's thread."""
        first = self._fillers[0]
        return Progress(first.statistics, first.current())

    def run(self, budget: Budget) -> FillResult:
        """Search until a worker is done, the budget is used up, or the fill is cancelled."""
        first, workers = self._fillers[0], Workers(budget._replace(threads=self._threads))
        if self._threads == 1 or not self._run_head_start(first, workers):
            for worker in range(1, self._threads):
                self._join(worker)
            workers.run(lambda worker: self._work(worker, workers))
        return self._result(workers.limit.unfinished_outcome)

    def _join(self, worker: int) -> Filler:
        filler = self._fillers[worker] = Filler(self._problem, seed=self._seed, worker=worker)
        return filler

    def _run_head_start(self, first: Filler, workers: Workers) -> bool:
        """Give the first worker its head start; return whether it is done or out of budget."""
        while (nodes := _HEAD_START - first.statistics.nodes) > 0 and not first.outcome.is_final:
            if workers.is_over(0):
                return True
            _advance(first, nodes, workers.slice_seconds)
        return first.outcome.is_final

    def _work(self, worker: int, workers: Workers) -> None:
        seconds = _FIRST_SLICE
        for filler in self._schedule(worker):
            if workers.is_over(worker) or _advance(filler, None, min(seconds, workers.slice_seconds)).is_final:
                return
            seconds = SECONDS_PER_SLICE

    def _schedule(self, worker: int) -> Iterator[Filler]:
        """Yield the search for each slice: the thread's own, or mostly another while that is far from a proof."""
        own = self._fillers[worker]
        while worker == 0 or not own.is_far_from_proof:
            yield own
        joined = self._join(worker + self._threads)
        while True:
            yield own
            if own.is_far_from_proof:
                yield from repeat(joined, _JOINED_SLICES)

    def _result(self, outcome: Outcome) -> FillResult:
        """Return the result of the first worker that is done, or of worker 0 if none is."""
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


def _advance(filler: Filler, nodes: int | None, seconds: float) -> Outcome:
    """Continue a search; raises EngineError if it crashes."""
    try:
        return filler.advance(nodes, seconds)
    except Exception as error:
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise EngineError(f"a search crashed: {text}; all searches were stopped") from error
