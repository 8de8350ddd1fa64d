"""Counting the fills of a grid by four methods, from an immediate rough figure to an exact count.

The pairwise estimate, from the domains of crossing slots, is immediate, and the Bethe estimate follows a moment
later. Independent runs of the particle method refine it and give a 95 % interval; their results are distributed
like a lognormal variable whose mean is the count. An exact count, if it finishes within its budget, replaces all
others. Zero is reported only with a proof.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from xwtui.engine.budget import BELIEF_BUDGET, COUNTING_SECONDS, NO_LIMIT, Budget, TimeLimit
from xwtui.engine.count.belief import Beliefs, believe, pairwise_log10
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.count.exact import Counting
from xwtui.engine.count.particles import Populations
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import untried_ways

_CONFIDENCE = 0.975
_FEWEST_DRAWS = 3


class LogInterval(NamedTuple):
    """The logarithm (base 10) of a mean, and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def lognormal_mean_interval(log10_draws: Sequence[float], zero_draws: int = 0) -> LogInterval | None:
    """Estimate the mean of draws given by their logarithms, some of which may have been zero.

    Cox's method for the mean of a lognormal variable (Zhou & Gao, "Confidence intervals for the log-normal mean",
    Statistics in Medicine 1997), with Student's t for few draws. The share of zero draws enters as an independent
    binomial factor. Draws may be more skewed than lognormal, as those of few particles are: then the upper end is
    based on the scatter of the upper half. Returns None for fewer than three positive draws.
    """
    draws = len(log10_draws)
    if draws < _FEWEST_DRAWS:
        return None
    natural = [draw * math.log(10) for draw in log10_draws]
    variance = statistics.variance(natural)
    positive_share = draws / (draws + zero_draws)
    base = statistics.fmean(natural) + math.log(positive_share)
    centre = base + variance / 2
    low = centre - _half_width(variance, draws, positive_share)
    skewed = max(variance, _upper_variance(natural))
    high = base + skewed / 2 + _half_width(skewed, draws, positive_share)
    return LogInterval(*(value / math.log(10) for value in (centre, low, high)))


def _upper_variance(values: Sequence[float]) -> float:
    """Return the variance of a symmetric variable whose upper half scatters like that of the values."""
    middle = statistics.median(values)
    return 2 * sum((value - middle) ** 2 for value in values if value > middle) / (len(values) - 1)


def _half_width(variance: float, draws: int, positive_share: float) -> float:
    """Return the distance of an end of the interval from its center."""
    spread = variance / draws + variance**2 / (2 * (draws - 1)) + (1 - positive_share) / draws
    return student_t_quantile(draws - 1) * math.sqrt(spread)


def student_t_quantile(degrees_of_freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t, by the Cornish-Fisher series (Abramowitz & Stegun 26.7.5).

    Accurate to 1 % from three degrees of freedom on; the value for two is exact.
    """
    if degrees_of_freedom <= 2:
        return 4.302653
    z = statistics.NormalDist().inv_cdf(_CONFIDENCE)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(sum(term / float(degrees_of_freedom) ** power for power, term in enumerate(terms)))


PARTICLES = 16
"""Number of particles at the start of a run."""
FEWEST_RUNS = 3
"""Minimum number of independent runs for an interval."""

COUNTABLE_LOG10 = 7.0
"""Above this pairwise estimate, an exact count would take too long."""

_OVERTIME = 4.0
"""A count may take this multiple of its time if there is no interval yet."""
_EXACT_AT_FIRST = 0.1
"""Share of the time for an exact count before the first run."""
_FIRST_RUNS = 0.4
"""Share of the time for the runs to give an interval, before the exact count continues."""
_EXACT_LATER = 0.4
"""Share of the time for continuing the exact count."""
_SLICE_SECONDS = 0.25

_NODES_BEFORE_RUNS = 5_000
"""Minimum nodes of exact counting before runs are used: they scatter most when fills are few."""


class Counter:
    """Counts the fills of one problem.

    Long calls work in slices of some milliseconds and poll the budget's `stop` between them. The same seed and
    number of runs give the same estimate on every machine.
    """

    def __init__(self, problem: Problem, *, seed: int = 0, particles: int = PARTICLES) -> None:
        self._problem = problem
        self._seed = seed
        self._particles = particles
        self._beliefs: Beliefs | None = None
        self._populations: Populations | None = None
        self._counting = Counting(problem)
        self._proved = None if problem.root.is_possible else self._counted(0)

    def quick(self) -> Estimate:
        """Return the pairwise estimate, within some milliseconds, or an exact count if propagation gives one."""
        if self._proved is None and self._problem.is_decided(self._problem.root.state):
            self._proved = self._counted(1)
        return self._proved or self._estimate_of(Instrument.PAIRWISE, pairwise_log10(self._problem))

    def bethe(self, budget: Budget = BELIEF_BUDGET) -> Estimate:
        """Return the Bethe estimate, within a budget, or an exact count if propagation gives one."""
        if self.quick().exact is not None:
            return self.quick()
        return self._estimate_of(Instrument.BETHE, self.beliefs(budget).log10_bethe)

    def beliefs(self, budget: Budget = BELIEF_BUDGET) -> Beliefs:
        """Return the shares of letters and words, computed once unless cancelled."""
        beliefs = self._beliefs or believe(self._problem, seconds=budget.seconds, cancelled=budget.stop)
        if not budget.stop():
            self._beliefs = beliefs
        return beliefs

    @property
    def is_countable(self) -> bool:
        """Whether an exact count is worth trying; also False if the count is already known."""
        estimate = self.quick()
        return estimate.exact is None and estimate.log10 is not None and estimate.log10 < COUNTABLE_LOG10

    def exact(self, budget: Budget = NO_LIMIT) -> Estimate | None:
        """Count on until the count is exact or the budget is used up (then None); a node is a word tried."""
        if self._proved is None:
            counted = self._counting.resume(budget)
            if counted.count is not None:
                self._proved = self._counted(counted.count)
        return self._proved

    def refine(self, budget: Budget = NO_LIMIT, runs: int | None = None) -> Estimate:
        """Add independent runs of the particle method until the time or the runs are used up.

        Returns the estimate from all runs so far. It is rough with fewer than three runs, and if pairs of squares
        may differ, which runs do not support. Without a time limit and `runs`, it continues until stopped.
        """
        deadline = budget.deadline
        if self.is_countable:
            self.exact(Budget(nodes=_NODES_BEFORE_RUNS - self._counting.nodes, stop=budget.stop))
        return self._after_runs(deadline, math.inf if runs is None else self.runs + runs, budget)

    def _after_runs(self, deadline: float, last_run: float, budget: Budget) -> Estimate:
        """Add runs until the deadline, a time of `perf_counter`, or until the last one."""
        if self._proved is not None:
            return self._proved
        beliefs = self.beliefs(BELIEF_BUDGET._replace(stop=budget.stop))
        if budget.stop() or not self.has_runs:
            return self._estimate()
        if self._populations is None:
            self._populations = Populations(self._problem, beliefs, self._particles, seed=self._seed)
        self._populations.advance(
            budget.threads, last_run, lambda: budget.stop() or time.perf_counter() >= deadline
        )
        return self._estimate()

    def release(self) -> None:
        """Free memory, keeping only results: if counting continues, unfinished runs start over."""
        if self._populations is not None:
            self._populations.forget_interrupted()

    def count_exactly(self, budget: Budget) -> Iterator[Estimate]:
        """Count exactly within a budget: yield the state along the way, and finally the count if it finished."""
        limit = TimeLimit(budget)
        rough = estimate = self.quick()
        yield estimate
        while estimate.exact is None and not limit.is_over():
            exact = self.exact(limit.within(_SLICE_SECONDS).budget)
            progress = self._counting.progress
            estimate = exact or replace(rough, at_least=progress.lower, counted=progress.counted)
            yield estimate

    def estimates(self, budget: Budget) -> Iterator[Estimate]:
        """Count for about the given time: yield improving estimates, the last one exact or with an interval.

        An exact count that does not finish at once continues only after the runs have given an interval, so that
        one is available soon even on a busy machine. If the interval takes longer than the time, up to four times
        as much is used. Without a time limit, counting continues until the count is exact or the caller stops it.
        """
        begin, stop = time.perf_counter(), budget.stop
        seconds = COUNTING_SECONDS if budget.seconds is None else budget.seconds
        estimate = self.quick()
        yield estimate
        is_countable = self.is_countable
        if is_countable:
            estimate = self.exact(Budget(_EXACT_AT_FIRST * seconds, stop=stop)) or estimate
            yield estimate
        if estimate.exact is None and not stop():
            yield self.bethe(BELIEF_BUDGET._replace(stop=stop))
        if is_countable:
            yield from self._slices(time.perf_counter(), _FIRST_RUNS * seconds, 0.0, budget)
            self.exact(Budget(_EXACT_LATER * seconds, stop=stop))
            yield from self._slices(begin, _OVERTIME * seconds, 0.0, budget)
            nodes = max(_NODES_BEFORE_RUNS - self._counting.nodes, 0)  # nodes that a slow machine has not reached
            rest = Budget(_OVERTIME * seconds, nodes, stop=stop).since(begin)
            self.exact(Budget(stop=stop) if budget.seconds is None else rest)
            yield self._proved or self._estimate()
        ends = (math.inf, math.inf) if budget.seconds is None else (_OVERTIME * seconds, seconds)
        yield from self._slices(begin, *ends, budget)

    def _slices(self, begin: float, if_rough: float, seconds: float, budget: Budget) -> Iterator[Estimate]:
        """Yield the runs' estimates, slice by slice, for this many seconds, or `if_rough` without an interval."""
        estimate = self._estimate()
        while self._proved is None and self.has_runs and not budget.stop():
            now = time.perf_counter()
            left = begin + (if_rough if estimate.rough else seconds) - now
            if left <= 0:
                return
            fewest = self.runs + FEWEST_RUNS if estimate.rough else math.inf
            estimate = self._after_runs(now + min(left, _SLICE_SECONDS), fewest, budget)
            yield estimate

    @property
    def has_runs(self) -> bool:
        """Whether the particle method can improve the estimate."""
        return not self._problem.constraints.pairs

    @property
    def runs(self) -> int:
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
        """Return an estimate without an interval."""
        under_rules = self._problem.constraints.has_minimums
        return Estimate(instrument, log10, runs=self.runs, under_rules=under_rules)

    def _counted(self, fills: int) -> Estimate:
        log10 = math.log10(fills) if fills else None
        return Estimate(Instrument.EXACT, log10, exact=fills, untried=untried_ways(self._problem))
