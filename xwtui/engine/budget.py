"""The budget of a search, passed down as one value, and the threads that share it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event as Flag
from time import perf_counter
from typing import NamedTuple, TypeVar

from xwtui.engine.events.event import Outcome
from xwtui.lazy import lazy_imports
from xwtui.memory import cores
from xwtui.parameters import MOST_THREADS, Limits

with lazy_imports():
    from concurrent.futures import ThreadPoolExecutor

Result = TypeVar("Result")

ALL_CORES = 0
"""The thread count that means one thread per core."""

COUNTING_SECONDS, ANSWERING_SECONDS, DESIGNING_SECONDS = 5.0, 10.0, 30.0
"""Default time limits in all faces: for counts and candidates, answers to questions, and designs."""

REPORTING_SECONDS = 0.1
"""How often a search reports its progress by default."""


def never() -> bool:
    """Never stop."""
    return False


def threads_of(requested: int) -> int:
    """Return the requested number of threads; for ALL_CORES, one for each core that this process may use."""
    return min(cores(), MOST_THREADS) if requested == ALL_CORES else requested


class Budget(NamedTuple):
    """Limits of a search, which ends when any is reached. The same seed and threads repeat the same search."""

    seconds: float | None = None
    """None for no time limit."""
    nodes: int | None = None
    """Maximum number of decisions, or whatever unit the search counts; None for no limit."""
    threads: int = 1
    seed: int = 0
    stop: Callable[[], bool] = never
    """Polled often; returns True once the result is no longer wanted."""

    @classmethod
    def of(cls, limits: Limits) -> Budget:
        """Return the budget for a caller's limits."""
        return cls(
            limits.get("seconds"),
            threads=threads_of(limits.get("threads", 1)),
            seed=limits.get("seed", 0),
            stop=limits.get("cancelled", never),
        )

    @property
    def limits(self) -> Limits:
        """The budget as a caller would pass it."""
        return Limits(seconds=self.seconds, threads=self.threads, seed=self.seed, cancelled=self.stop)

    def since(self, begun: float) -> Budget:
        """Return what is left for the work that follows something started at `begun`, a time of `perf_counter`."""
        return self.after(perf_counter() - begun)

    def after(self, seconds: float) -> Budget:
        """Return what is left after this many seconds."""
        return self if self.seconds is None else self._replace(seconds=max(self.seconds - seconds, 0.0))

    def share(self, share: float) -> Budget:
        """Return this budget with only a share of its seconds."""
        return self if self.seconds is None else self._replace(seconds=share * self.seconds)

    def reporting(self, report: Callable[[], object], every: float = REPORTING_SECONDS) -> Budget:
        """Return this budget with a `stop` that also calls `report` every `every` seconds while it is polled."""
        last_report = perf_counter()

        def stop() -> bool:
            nonlocal last_report
            if perf_counter() - last_report >= every:
                last_report = perf_counter()
                report()
            return self.stop()

        return self._replace(stop=stop)

    @property
    def deadline(self) -> float:
        """The time, on the clock of `perf_counter`, when the seconds run out if they start now."""
        return math.inf if self.seconds is None else perf_counter() + self.seconds


NO_LIMIT = Budget()
BELIEF_BUDGET = Budget(0.2)
"""Enough for belief propagation on an ordinary 15x15 grid to converge."""


class TimeLimit:
    """A running budget: over once its seconds, counted from creation, have passed or its `stop` returns True."""

    def __init__(self, budget: Budget = NO_LIMIT) -> None:
        self.budget = budget
        self._begin = perf_counter()
        self._seconds = math.inf if budget.seconds is None else budget.seconds
        self.was_cancelled = False

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._begin

    @property
    def remaining(self) -> Budget:
        """What is left of the budget."""
        return self.budget.since(self._begin)

    @property
    def left(self) -> float:
        """Seconds left, at least 0."""
        return max(self._seconds - self.seconds, 0.0)

    def within(self, seconds: float) -> TimeLimit:
        """Return a limit of this many seconds from now that ends no later than this one."""
        return TimeLimit(self.budget._replace(seconds=min(self.left, seconds)))

    @property
    def unfinished_outcome(self) -> Outcome:
        """Outcome of a search that ended without a result: CANCELLED, or UNKNOWN if it ran out of time."""
        return Outcome.CANCELLED if self.was_cancelled else Outcome.UNKNOWN

    def is_over(self, share: float = 1.0) -> bool:
        """Whether the limit is reached, or this share of the time has passed."""
        self.was_cancelled = self.was_cancelled or self.budget.stop()
        return self.was_cancelled or self.seconds >= share * self._seconds


SECONDS_PER_SLICE = 0.02
"""How long a worker may run before it checks again whether it should stop."""


class Workers:
    """Runs one function in several threads, each of which checks `is_over` often."""

    def __init__(self, budget: Budget) -> None:
        self.threads = max(budget.threads, 1)
        self.limit = TimeLimit(budget)
        self._stop = Flag()

    @property
    def slice_seconds(self) -> float:
        """How long a worker may run before its next check."""
        return min(SECONDS_PER_SLICE, self.limit.left)

    def run(self, work: Callable[[int], None]) -> None:
        """Run `work` with each worker's number; the first to return or raise ends all. Re-raises exceptions."""

        def follow(worker: int) -> None:
            try:
                work(worker)
            finally:
                self._stop.set()

        first, *others = (partial(follow, worker) for worker in range(self.threads))
        run_concurrently(first, others, "workers")

    def is_over(self, worker: int) -> bool:
        """Whether a worker should stop; worker 0, in the caller's thread, also checks the clock and `stop`."""
        if worker == 0 and not self._stop.is_set() and self.limit.is_over():
            self._stop.set()
        return self._stop.is_set()


def run_concurrently(
    first: Callable[[], Result], others: Sequence[Callable[[], Result]], name: str = ""
) -> list[Result]:
    """Return the results of several calls, the first made in the caller's thread, each other in its own.

    Waits for all of them. Re-raises the first call's exception, or else one of the others'.
    """
    if not others:
        return [first()]
    with ThreadPoolExecutor(len(others), name) as pool:
        running = [pool.submit(other) for other in others]
        own = first()
    return [own, *(each.result() for each in running)]
