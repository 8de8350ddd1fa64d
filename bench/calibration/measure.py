"""Run each estimator on each case and compare its answer with the true count."""

import statistics
from dataclasses import dataclass
from math import log10

from bench.calibration.cases import Case
from xwtui.engine.budget import Budget
from xwtui.engine.count.estimate import Estimate
from xwtui.engine.count.estimator import Counter
from xwtui.engine.count.exact import Counting
from xwtui.engine.problem.problem import Problem

RUNS = 10
"""Particle runs per answer."""
SEEDS = 5
"""Answers of the particle method per case, each from independent runs."""
EXACT_NODES = 20_000
"""Node limit of the exact counter per case, in words or thousands of letters tried."""

_SLACK = 1e-9
"""Tolerance for rounding of logarithms."""


class ParticleCounter(Counter):
    """A counter that uses particles even for small cases."""

    @property
    def is_countable(self) -> bool:
        """Return False: exact counts would hide how good the intervals are."""
        return False


@dataclass(frozen=True)
class Interval:
    """Error of a particle estimate and the ends of its 95 % interval relative to the truth, in powers of ten."""

    error: float
    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def holds(self) -> bool:
        """Whether it contains the truth."""
        return self.low - _SLACK <= 0.0 <= self.high + _SLACK


@dataclass(frozen=True)
class Verdict:
    """The estimators' answers for a case. Errors are in powers of ten, None if there was no answer."""

    case: Case
    pairwise: float | None
    bethe: float | None
    intervals: tuple[Interval, ...]
    """Particle answers, one per seed; seeds without an interval are left out."""
    exact: int | None
    """Result of the exact counter; None if it did not finish."""
    answer: int | None
    """Exact count that the regular counter gives before any run; None if it leaves the case to the particles."""

    @property
    def truth(self) -> float | None:
        """Base-10 logarithm of the true number of fills; None if there are none."""
        return log10(self.case.fills) if self.case.fills else None

    @property
    def particles(self) -> float | None:
        """Median error of the particles over the seeds."""
        return statistics.median(one.error for one in self.intervals) if self.intervals else None

    @property
    def width(self) -> float | None:
        """Median width of the intervals over the seeds."""
        return statistics.median(one.width for one in self.intervals) if self.intervals else None

    @property
    def held(self) -> int:
        """Number of intervals that contain the truth."""
        return sum(one.holds for one in self.intervals)

    @property
    def right(self) -> tuple[bool, ...]:
        """For each seed, whether the regular counter is right: its exact count, or else its interval."""
        if self.answer is not None:
            return (self.answer == self.case.fills,) * SEEDS
        return tuple(one.holds for one in self.intervals)


def judge_numbered(numbered: tuple[int, Case]) -> Verdict:
    """Judge a case numbered from the corpus; the number selects its seeds."""
    number, case = numbered
    return judge(case, number)


def judge(case: Case, seed: int) -> Verdict:
    """Run every estimator on a case; the particles run with SEEDS different seeds derived from `seed`."""
    problem = case.problem()
    counter = Counter(problem, seed=seed)
    pairwise, bethe = (_error(said, case) for said in (counter.quick(), counter.bethe(Budget())))
    intervals = [_interval(problem, case, SEEDS * seed + number) for number in range(SEEDS)] if case.fills else []
    counted = Counting(problem).resume(Budget(nodes=EXACT_NODES))
    answer = counter.refine(runs=0).exact
    held = tuple(interval for interval in intervals if interval is not None)
    return Verdict(case, pairwise, bethe, held, counted.count, answer)


def _error(estimate: Estimate, case: Case) -> float | None:
    if estimate.log10 is None or not case.fills:
        return None
    return estimate.log10 - log10(case.fills)


def _interval(problem: Problem, case: Case, seed: int) -> Interval | None:
    """Return the particle estimate alone. An exact count, found by propagation, is a zero-width interval."""
    said, truth = ParticleCounter(problem, seed=seed).refine(runs=RUNS), log10(case.fills)
    if said.log10 is None:
        return None
    low, high = (said.log10, said.log10) if said.exact is not None else (said.low, said.high)
    if low is None or high is None:
        return None
    return Interval(said.log10 - truth, low - truth, high - truth)
