"""Each case asked of each instrument, and what it said beside the truth."""

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
"""Runs of the particle method for each answer."""
SEEDS = 5
"""Answers of the particle method to each case, each with runs of its own."""
EXACT_NODES = 20_000
"""Words, or thousands of letters, that the exact counter may try for a case."""

_SLACK = 1e-9
"""What rounding may do to a logarithm."""


class ParticleCounter(Counter):
    """A counter that leaves small cases to the particles, too."""

    @property
    def is_countable(self) -> bool:
        """Never: exact counts would hide what the intervals are worth."""
        return False


@dataclass(frozen=True)
class Interval:
    """How far off an answer of the particles is, and the ends of its 95 % interval, in powers of ten."""

    error: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.high - self.low

    @property
    def holds(self) -> bool:
        """Whether it holds the truth."""
        return self.low - _SLACK <= 0.0 <= self.high + _SLACK


@dataclass(frozen=True)
class Verdict:
    """What was said of a case; errors are in powers of ten, None where nothing was said."""

    case: Case
    pairwise: float | None
    bethe: float | None
    intervals: tuple[Interval, ...]
    """What the particles say, with one seed after the other; without those that gave no interval."""
    exact: int | None
    """What the exact counter says; None if it did not end."""
    answer: int | None
    """What the counter says exactly before any run, as it is used; None where it leaves it to the particles."""

    @property
    def truth(self) -> float | None:
        """The logarithm of the number of fills; None for none."""
        return log10(self.case.fills) if self.case.fills else None

    @property
    def particles(self) -> float | None:
        """The error of the particles in the median over the seeds."""
        return statistics.median(one.error for one in self.intervals) if self.intervals else None

    @property
    def width(self) -> float | None:
        """The width of the intervals in the median over the seeds."""
        return statistics.median(one.width for one in self.intervals) if self.intervals else None

    @property
    def held(self) -> int:
        """How many of the intervals hold the truth."""
        return sum(one.holds for one in self.intervals)

    @property
    def right(self) -> tuple[bool, ...]:
        """Whether what the counter says as it is used holds: its exact count, or else each interval."""
        if self.answer is not None:
            return (self.answer == self.case.fills,) * SEEDS
        return tuple(one.holds for one in self.intervals)


def judge_numbered(numbered: tuple[int, Case]) -> Verdict:
    """The same for a case with the number that its seeds begin with."""
    number, case = numbered
    return judge(case, number)


def judge(case: Case, seed: int) -> Verdict:
    """Ask every instrument about a case; the particles several times, from a seed on."""
    problem = case.problem()
    counter = Counter(problem, seed=seed)
    pairwise, bethe = (_error(said, case) for said in (counter.quick(), counter.bethe(Budget())))
    intervals = [_interval(problem, case, SEEDS * seed + number) for number in range(SEEDS)] if case.fills else []
    counted = Counting(problem).go_on(Budget(nodes=EXACT_NODES))
    answer = counter.refine(runs=0).exact
    held = tuple(interval for interval in intervals if interval is not None)
    return Verdict(case, pairwise, bethe, held, counted.count, answer)


def _error(estimate: Estimate, case: Case) -> float | None:
    if estimate.log10 is None or not case.fills:
        return None
    return estimate.log10 - log10(case.fills)


def _interval(problem: Problem, case: Case, seed: int) -> Interval | None:
    """What the particles alone say; an exact count, which propagation may be, is one point."""
    said, truth = ParticleCounter(problem, seed=seed).refine(runs=RUNS), log10(case.fills)
    if said.log10 is None:
        return None
    low, high = (said.log10, said.log10) if said.exact is not None else (said.low, said.high)
    if low is None or high is None:
        return None
    return Interval(said.log10 - truth, low - truth, high - truth)
