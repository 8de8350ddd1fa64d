"""Counting the fills of a grid: four instruments, from a rough figure at once to an exact one.

The pairwise estimate, from the domains of crossing slots, answers at once, the Bethe estimate a moment later.
Independent runs of the particle method refine it and give a 95 % interval; they scatter like a lognormal variable
whose mean is the count sought. An exact count, where it ends within its budget, ends all. Zero is said
only with a proof.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from xwtui.engine.budget import BELIEVING, COUNTING_SECONDS, NO_LIMIT, Budget, TimeLimit
from xwtui.engine.count.belief import Beliefs, believe, pairwise_log10
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.count.exact import Counting, ExactProgress
from xwtui.engine.count.particles import Populations
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import untried
from xwtui.named_tuples import NamedTuple

_CONFIDENCE = 0.975
_FEWEST_DRAWS = 3


class LogInterval(NamedTuple):
    """The logarithm (base 10) of a mean, with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def lognormal_mean_interval(log10_draws: Sequence[float], zero_draws: int = 0) -> LogInterval | None:
    """Estimate the mean of draws given by their logarithms, some of which may have been zero.

    Cox's method for the mean of a lognormal variable (Zhou & Gao, "Confidence intervals for the
    log-normal mean", Statistics in Medicine 1997), with Student's t for few draws; the share of zero draws
    enters as an independent binomial factor. Draws more skewed than that, as those of few particles are, raise
    the upper end: it takes the scatter of the upper half. Returns None for fewer than three positive draws.
    """
    draws = len(log10_draws)
    if draws < _FEWEST_DRAWS:
        return None
    natural = [draw * math.log(10) for draw in log10_draws]
    variance = statistics.variance(natural)
    positive_share = draws / (draws + zero_draws)
    base = statistics.fmean(natural) + math.log(positive_share)
    centre = base + variance / 2
    low = centre - _reach(variance, draws, positive_share)
    skewed = max(variance, _upper_variance(natural))
    high = base + skewed / 2 + _reach(skewed, draws, positive_share)
    return LogInterval(*(value / math.log(10) for value in (centre, low, high)))


def _upper_variance(values: Sequence[float]) -> float:
    """The variance of a symmetric variable whose upper half scatters as that of the values does."""
    middle = statistics.median(values)
    return 2 * sum((value - middle) ** 2 for value in values if value > middle) / (len(values) - 1)


def _reach(variance: float, draws: int, positive_share: float) -> float:
    """How far an end of the interval is from its centre."""
    spread = variance / draws + variance**2 / (2 * (draws - 1)) + (1 - positive_share) / draws
    return student_t_quantile(draws - 1) * math.sqrt(spread)


def student_t_quantile(degrees_of_freedom: int) -> float:
    """The 97.5 % quantile of Student's t, by the Cornish-Fisher series (Abramowitz & Stegun 26.7.5).

    Within 1 % from three degrees of freedom on; for two the exact value is given.
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
"""Particles that a run begins with."""
FEWEST_RUNS = 3
"""Independent runs at least, for an interval."""

COUNTABLE_LOG10 = 7.0
"""Above this pairwise estimate nobody waits for an exact count to end."""

_OVERTIME = 4.0
"""How many times its time a count may take where the interval is not there yet."""
_EXACT_AT_FIRST = 0.1
"""Part of the time in which an exact count is tried before the first run."""
_FIRST_RUNS = 0.4
"""Part of the time that runs may take to give an interval, before an exact count is tried again."""
_EXACT_LATER = 0.4
"""Part of the time for that."""
_SLICE_SECONDS = 0.25

_NODES_BEFORE_RUNS = 5_000
"""Exact counting tried at least before runs are relied on: where fills are few, chance runs scatter most."""


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
        self._proved = None if problem.root.is_possible else self._counted(0)

    def quick(self) -> Estimate:
        """The pairwise estimate, within some milliseconds; a proof where propagation is one."""
        if self._proved is None and self._problem.is_decided(self._problem.root.state):
            self._proved = self._counted(1)
        return self._proved or self._estimate_of(Instrument.PAIRWISE, pairwise_log10(self._problem))

    def bethe(self, budget: Budget = BELIEVING) -> Estimate:
        """The Bethe estimate, within a budget; a proof where propagation is one."""
        if self.quick().exact is not None:
            return self.quick()
        return self._estimate_of(Instrument.BETHE, self.beliefs(budget).log10_bethe)

    def beliefs(self, budget: Budget = BELIEVING) -> Beliefs:
        """How the fills share letters and words; reckoned once, unless it was cancelled."""
        beliefs = self._beliefs or believe(self._problem, seconds=budget.seconds, cancelled=budget.stop)
        if not budget.stop():
            self._beliefs = beliefs
        return beliefs

    @property
    def is_countable(self) -> bool:
        """Whether an exact count is worth a try; False too where the count is known already."""
        estimate = self.quick()
        return estimate.exact is None and estimate.log10 is not None and estimate.log10 < COUNTABLE_LOG10

    def exact(
        self, budget: Budget = NO_LIMIT, progress: Callable[[ExactProgress], None] | None = None
    ) -> Estimate | None:
        """Count until the count is exact or the budget is spent, None if it is; its nodes are words tried.

        A later call goes on where this one stopped.
        """
        if self._proved is None:
            counted = self._counting.go_on(budget, progress)
            if counted.count is not None:
                self._proved = self._counted(counted.count)
        return self._proved

    def refine(self, budget: Budget = NO_LIMIT, runs: int | None = None) -> Estimate:
        """Add independent runs of the particle method until the time or the runs are spent.

        Returns the estimate from all runs so far; rough while they are fewer than three, and where pairs of
        squares may differ, of which no run knows. One of seconds and `runs` should be given, else it goes on
        until stopped.
        """
        deadline = budget.deadline
        if self.is_countable:
            self.exact(Budget(nodes=_NODES_BEFORE_RUNS - self._counting.nodes, stop=budget.stop))
        return self._after_runs(deadline, math.inf if runs is None else self.runs + runs, budget)

    def _after_runs(self, deadline: float, last_run: float, budget: Budget) -> Estimate:
        """Add runs until the deadline, a time of `perf_counter`, or the last one."""
        if self._proved is not None:
            return self._proved
        beliefs = self.beliefs(BELIEVING._replace(stop=budget.stop))
        if budget.stop() or not self.has_runs:
            return self._estimate()
        if self._populations is None:
            self._populations = Populations(self._problem, beliefs, self._particles, seed=self._seed)
        self._populations.advance(
            budget.threads, last_run, lambda: budget.stop() or time.perf_counter() >= deadline
        )
        return self._estimate()

    def rest(self) -> None:
        """Hold only what is known: where counting goes on, runs that have not ended are begun again."""
        if self._populations is not None:
            self._populations.forget_interrupted()

    def exactly(self, budget: Budget) -> Iterator[Estimate]:
        """Count exactly within a budget: what is known on the way, and last the count if it ended."""
        limit = TimeLimit(budget)
        rough = estimate = self.quick()
        yield estimate
        while estimate.exact is None and not limit.is_over():
            exact = self.exact(limit.within(_SLICE_SECONDS).budget)
            progress = self._counting.progress
            estimate = exact or replace(rough, at_least=progress.lower, counted=progress.counted)
            yield estimate

    def estimates(self, budget: Budget) -> Iterator[Estimate]:
        """Count for about so long: estimates that get better, the last one exact or with an interval.

        An exact count that is not there at once is gone on with only after the runs have given an interval, which
        so is there soon on a busy machine, too. Where the interval takes longer than the time, up to four times as
        long is taken for it. Without a limit it goes on until the count is exact or nobody waits for it.
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
            yield self.bethe(BELIEVING._replace(stop=stop))
        if is_countable:
            yield from self._slices(time.perf_counter(), _FIRST_RUNS * seconds, 0.0, budget)
            self.exact(Budget(_EXACT_LATER * seconds, stop=stop))
            yield from self._slices(begin, _OVERTIME * seconds, 0.0, budget)
            nodes = max(_NODES_BEFORE_RUNS - self._counting.nodes, 0)  # what a slow machine has not come to
            rest = Budget(_OVERTIME * seconds, nodes, stop=stop).since(begin)
            self.exact(Budget(stop=stop) if budget.seconds is None else rest)
            yield self._proved or self._estimate()
        ends = (math.inf, math.inf) if budget.seconds is None else (_OVERTIME * seconds, seconds)
        yield from self._slices(begin, *ends, budget)

    def _slices(self, begin: float, if_rough: float, seconds: float, budget: Budget) -> Iterator[Estimate]:
        """What runs come to, slice by slice, for so many seconds; for more while there is no interval."""
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
        """Whether runs of the particle method make the estimate better."""
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
        """An estimate without an interval."""
        under_rules = self._problem.constraints.asks_for_more
        return Estimate(instrument, log10, runs=self.runs, under_rules=under_rules)

    def _counted(self, fills: int) -> Estimate:
        log10 = math.log10(fills) if fills else None
        return Estimate(Instrument.EXACT, log10, exact=fills, untried=untried(self._problem))
