"""Counting the fills of a grid: four instruments, from a rough figure at once to an exact one.

The pairwise estimate answers at once, the Bethe estimate a moment later; independent runs of the particle
method refine it and give an interval; an exact count, where it ends within its budget, is one. Zero is said
only with a proof.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from xwtui.engine.counting.belief import Beliefs, believe
from xwtui.engine.counting.estimate import Estimate, Instrument
from xwtui.engine.counting.exact import Counting, ExactProgress
from xwtui.engine.counting.intervals import lognormal_mean_interval
from xwtui.engine.counting.pairwise import pairwise_log10
from xwtui.engine.counting.populations import Populations
from xwtui.engine.crew import never
from xwtui.engine.problem import Problem

PARTICLES = 16
"""Particles that a run begins with."""
BELIEF_SECONDS = 0.2
"""Within this the beliefs of an ordinary 15x15 grid come to rest."""
FEWEST_RUNS = 3
"""Independent runs at least, for an interval."""

COUNTABLE_LOG10 = 7.0
"""Above this pairwise estimate nobody waits for an exact count to end."""

_OVERTIME = 4.0
"""How many times its time a count may take where the interval is not there yet."""
_EXACT_SHARE = 0.5
"""Part of the time in which an exact count is tried."""
_SLICE_SECONDS = 0.25

_NODES_BEFORE_RUNS = 5_000
"""Exact counting tried before the first run: where fills are few, chance runs scatter most."""

_PROVED_ZERO = Estimate(Instrument.EXACT, None, exact=0)


class Counter:
    """Counts the fills of one problem.

    Long calls work in slices of some milliseconds and ask `cancelled` between them. Equal
    seeds and equal numbers of runs give equal estimates on every machine.
    """

    def __init__(self, problem: Problem, *, seed: int = 0, particles: int = PARTICLES) -> None:
        self._problem = problem
        self._seed = seed
        self._particles = particles
        self._beliefs: Beliefs | None = None
        self._populations: Populations | None = None
        self._counting = Counting(problem)
        self._proved = None if problem.root.is_possible else _PROVED_ZERO

    def quick(self) -> Estimate:
        """The pairwise estimate, within some milliseconds; a proof where propagation is one."""
        if self._proved is None and self._problem.is_decided(self._problem.root.state):
            self._proved = _counted(1)
        return self._proved or self._estimate_of(Instrument.PAIRWISE, pairwise_log10(self._problem))

    def bethe(self, *, seconds: float | None = BELIEF_SECONDS, cancelled: Callable[[], bool] = never) -> Estimate:
        """The Bethe estimate, within so many seconds; a proof where propagation is one."""
        if self._proved is not None or self.quick().exact is not None:
            return self._proved or _PROVED_ZERO
        beliefs = self.beliefs(seconds=seconds, cancelled=cancelled)
        return self._estimate_of(Instrument.BETHE, beliefs.log10_bethe)

    def beliefs(self, *, seconds: float | None = BELIEF_SECONDS, cancelled: Callable[[], bool] = never) -> Beliefs:
        """How the fills share letters and words; reckoned once, unless it was cancelled."""
        beliefs = self._beliefs or believe(self._problem, seconds=seconds, cancelled=cancelled)
        if not cancelled():
            self._beliefs = beliefs
        return beliefs

    @property
    def is_countable(self) -> bool:
        """Whether an exact count is worth a try; False too where the count is known already."""
        estimate = self.quick()
        return estimate.exact is None and estimate.log10 is not None and estimate.log10 < COUNTABLE_LOG10

    def exact(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        threads: int = 1,
        cancelled: Callable[[], bool] = never,
        progress: Callable[[ExactProgress], None] | None = None,
    ) -> Estimate | None:
        """Count until the count is exact or a budget is spent; None if it is spent.

        A later call goes on where this one stopped. `nodes` are words tried, or thousands of letters.
        """
        if self._proved is None:
            counted = self._counting.go_on(
                seconds=seconds, nodes=nodes, threads=threads, cancelled=cancelled, progress=progress
            )
            if counted.count is not None:
                self._proved = _counted(counted.count)
        return self._proved

    def refine(
        self,
        *,
        seconds: float | None = None,
        runs: int | None = None,
        threads: int = 1,
        cancelled: Callable[[], bool] = never,
    ) -> Estimate:
        """Add independent runs of the particle method until the time or the runs are spent.

        Returns the estimate from all runs so far; rough while they are fewer than three. One of `seconds` and
        `runs` should be given, else it goes on until cancelled.
        """
        deadline = math.inf if seconds is None else time.perf_counter() + seconds
        if self.is_countable:
            self.exact(nodes=_NODES_BEFORE_RUNS - self._counting.effort, cancelled=cancelled)
        if self._proved is not None:
            return self._proved
        beliefs = self.beliefs(cancelled=cancelled)
        if cancelled():
            return self._estimate()
        if self._populations is None:
            self._populations = Populations(self._problem, beliefs, self._particles, seed=self._seed)
        last_run = math.inf if runs is None else self.runs + runs
        self._populations.advance(threads, last_run, lambda: cancelled() or time.perf_counter() >= deadline)
        return self._estimate()

    def exactly(
        self, seconds: float, *, threads: int = 1, cancelled: Callable[[], bool] = never
    ) -> Iterator[Estimate]:
        """Count exactly for so many seconds at most: what is known on the way, and last the count if it ended."""
        deadline = time.perf_counter() + seconds
        rough = estimate = self.quick()
        yield estimate
        while estimate.exact is None and (left := deadline - time.perf_counter()) > 0 and not cancelled():
            exact = self.exact(seconds=min(left, _SLICE_SECONDS), threads=threads, cancelled=cancelled)
            estimate = exact or replace(rough, at_least=self._counting.lower)
            yield estimate

    def estimates(
        self, seconds: float, *, threads: int = 1, cancelled: Callable[[], bool] = never
    ) -> Iterator[Estimate]:
        """Count for about so many seconds: estimates that get better, the last one exact or with an interval.

        Where the interval takes longer than the time, up to four times as long is taken for it.
        """
        begin = time.perf_counter()
        estimate = self.quick()
        yield estimate
        if self.is_countable:
            estimate = self.exact(seconds=_EXACT_SHARE * seconds, threads=threads, cancelled=cancelled) or estimate
            yield estimate
        if estimate.exact is None and not cancelled():
            yield self.bethe(cancelled=cancelled)
        while estimate.exact is None and not cancelled():
            limit = seconds * (_OVERTIME if estimate.rough else 1.0)
            left = limit - (time.perf_counter() - begin)
            if left <= 0:
                return
            estimate = self.refine(seconds=min(left, _SLICE_SECONDS), threads=threads, cancelled=cancelled)
            yield estimate

    @property
    def runs(self) -> int:
        """The runs that have ended."""
        return 0 if self._populations is None else len(self._populations.log10_fills)

    def _estimate(self) -> Estimate:
        ended = [] if self._populations is None else self._populations.log10_fills
        fertile = [log10 for log10 in ended if log10 is not None]
        interval = lognormal_mean_interval(fertile, len(ended) - len(fertile))
        if interval is not None:
            mean, low, high = (max(end, 0.0) for end in interval)
            return Estimate(Instrument.PARTICLES, mean, low, high, runs=len(ended))
        if len(ended) >= FEWEST_RUNS:
            return self._estimate_of(Instrument.PARTICLES, None)
        return replace(self.bethe() if self._beliefs else self.quick(), runs=len(ended))

    def _estimate_of(self, instrument: Instrument, log10: float | None) -> Estimate:
        """An estimate without an interval."""
        under_rules = self._problem.demands.asks_for_more
        return Estimate(instrument, log10, runs=self.runs, under_rules=under_rules)


def _counted(fills: int) -> Estimate:
    return Estimate(Instrument.EXACT, math.log10(fills) if fills else None, exact=fills)
