"""What a search may take, as one value that is handed down whole, and the threads that share it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event as Flag
from time import perf_counter
from typing import TypeVar

from xwtui.asked import MOST_THREADS, Limits
from xwtui.engine.events.event import Outcome
from xwtui.lazy import lazy_imports
from xwtui.memory import cores
from xwtui.named_tuples import NamedTuple

with lazy_imports():
    from concurrent.futures import ThreadPoolExecutor

Result = TypeVar("Result")

ALL_CORES = 0
"""The number of threads that stands for as many as there are cores."""

COUNTING_SECONDS, ANSWERING_SECONDS, DESIGNING_SECONDS = 5.0, 10.0, 30.0
"""How long counts and candidates, answers to questions, and designs take where nobody says, on every face."""

TELLING_SECONDS = 0.1
"""How often it is told how a search stands, unless somebody asks for that more often."""


def never() -> bool:
    """Never stop."""
    return False


def threads_of(asked: int) -> int:
    """The threads asked for; for ALL_CORES, one for each core that this process may use."""
    return min(cores(), MOST_THREADS) if asked == ALL_CORES else asked


class Budget(NamedTuple):
    """A search ends when any of it is used up; the same seed and threads search in the same way."""

    seconds: float | None = None
    """None for as long as it takes."""
    nodes: int | None = None
    """Decisions, or what else a search counts itself by; None for any number."""
    threads: int = 1
    seed: int = 0
    stop: Callable[[], bool] = never
    """Asked often: True once nobody waits for what is searched for."""

    @classmethod
    def of(cls, limits: Limits) -> Budget:
        """What a caller says."""
        return cls(
            limits.get("seconds"),
            threads=threads_of(limits.get("threads", 1)),
            seed=limits.get("seed", 0),
            stop=limits.get("cancelled", never),
        )

    @property
    def limits(self) -> Limits:
        """The budget as a caller may say it."""
        return Limits(seconds=self.seconds, threads=self.threads, seed=self.seed, cancelled=self.stop)

    def since(self, begun: float) -> Budget:
        """What is left of it for what goes on after something that began at this time of `perf_counter`."""
        return self.after(perf_counter() - begun)

    def after(self, seconds: float) -> Budget:
        """What is left of it after so many seconds."""
        return self if self.seconds is None else self._replace(seconds=max(self.seconds - seconds, 0.0))

    def share(self, share: float) -> Budget:
        """The same with a share of its seconds."""
        return self if self.seconds is None else self._replace(seconds=share * self.seconds)

    def telling(self, tell: Callable[[], object], every: float = TELLING_SECONDS) -> Budget:
        """The same, which tells something every so many seconds while it is asked whether to stop."""
        told = perf_counter()

        def stop() -> bool:
            nonlocal told
            if perf_counter() - told >= every:
                told = perf_counter()
                tell()
            return self.stop()

        return self._replace(stop=stop)

    @property
    def deadline(self) -> float:
        """The moment, as `perf_counter` tells it, at which the seconds are over if they begin now."""
        return math.inf if self.seconds is None else perf_counter() + self.seconds


NO_LIMIT = Budget()
BELIEVING = Budget(0.2)
"""Within this the beliefs of an ordinary 15x15 grid come to rest."""


class TimeLimit:
    """Tells when to end: once the seconds of a budget are over, counted from now, or as soon as it says so."""

    def __init__(self, budget: Budget = NO_LIMIT) -> None:
        self.budget = budget
        self._begin = perf_counter()
        self._seconds = math.inf if budget.seconds is None else budget.seconds
        self.was_cancelled = False

    @property
    def seconds(self) -> float:
        """How long it has been."""
        return perf_counter() - self._begin

    @property
    def rest(self) -> Budget:
        """What is left of the budget."""
        return self.budget.since(self._begin)

    @property
    def left(self) -> float:
        """The seconds to go, 0 at least."""
        return max(self._seconds - self.seconds, 0.0)

    def within(self, seconds: float) -> TimeLimit:
        """One of so many seconds from now on that ends no later than this one."""
        return TimeLimit(self.budget._replace(seconds=min(self.left, seconds)))

    @property
    def unproved(self) -> Outcome:
        """What a search came to that has ended without a result: it was cancelled, or its time was up."""
        return Outcome.CANCELLED if self.was_cancelled else Outcome.UNKNOWN

    def is_over(self, share: float = 1.0) -> bool:
        """Whether it is time to end, or such a share of the time has gone."""
        self.was_cancelled = self.was_cancelled or self.budget.stop()
        return self.was_cancelled or self.seconds >= share * self._seconds


SECONDS_A_SLICE = 0.02
"""How long a worker may go on between two looks at whether it is over."""


class Workers:
    """Runs one function in several threads, which look at `is_over` often."""

    def __init__(self, budget: Budget) -> None:
        self.threads = max(budget.threads, 1)
        self.limit = TimeLimit(budget)
        self._stop = Flag()

    @property
    def slice_seconds(self) -> float:
        """How long a worker may go on before it looks again."""
        return min(SECONDS_A_SLICE, self.limit.left)

    def run(self, work: Callable[[int], None]) -> None:
        """Let each worker work, by its number; the first to end ends all. Raises what a worker raised."""

        def follow(worker: int) -> None:
            try:
                work(worker)
            finally:
                self._stop.set()

        first, *others = (partial(follow, worker) for worker in range(self.threads))
        side_by_side(first, others, "workers")

    def is_over(self, worker: int) -> bool:
        """Whether a worker is to end; worker 0, in the caller's thread, looks at the clock and the caller, too."""
        if worker == 0 and not self._stop.is_set() and self.limit.is_over():
            self._stop.set()
        return self._stop.is_set()


def side_by_side(
    first: Callable[[], Result], others: Sequence[Callable[[], Result]], name: str = ""
) -> list[Result]:
    """What some calls return, the first made in the caller's thread, each other one in its own.

    Waits for all of them; raises what the first has raised, or another.
    """
    if not others:
        return [first()]
    with ThreadPoolExecutor(len(others), name) as pool:
        running = [pool.submit(other) for other in others]
        own = first()
    return [own, *(each.result() for each in running)]
