"""Each case asked of each instrument, and what it said beside the truth."""

from dataclasses import dataclass
from math import log10

from tests.bench.calibration.cases import Case
from xwtui.engine.counting.estimate import Estimate
from xwtui.engine.counting.estimator import Counter
from xwtui.engine.counting.exact import Counting

RUNS = 10
"""Runs of the particle method for each case."""
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
class Verdict:
    """What was said of a case; errors are in powers of ten, None where nothing was said."""

    case: Case
    pairwise: float | None
    bethe: float | None
    particles: float | None
    low: float | None
    high: float | None
    exact: int | None
    """What the exact counter says; None if it did not end."""
    answer: int | None
    """What the counter says exactly before any run, as it is used; None where it leaves it to the particles."""

    @property
    def truth(self) -> float | None:
        """The logarithm of the number of fills; None for none."""
        return log10(self.case.fills) if self.case.fills else None

    @property
    def holds(self) -> bool | None:
        """Whether the 95 % interval holds the truth; None where there is no interval."""
        if self.low is None or self.high is None or self.truth is None:
            return None
        return self.low - _SLACK <= self.truth <= self.high + _SLACK

    @property
    def is_right(self) -> bool | None:
        """Whether what the counter says as it is used holds: its exact count, or else the interval."""
        return self.answer == self.case.fills if self.answer is not None else self.holds


def judge(case: Case, seed: int) -> Verdict:
    """Ask every instrument about a case."""
    problem = case.problem()
    counter = ParticleCounter(problem, seed=seed)
    said = [counter.quick(), counter.bethe(seconds=None), counter.refine(runs=RUNS)]
    pairwise, bethe, particles = (_error(estimate, case) for estimate in said)
    low, high = _interval(said[2])
    counted = Counting(problem).go_on(nodes=EXACT_NODES)
    answer = Counter(problem, seed=seed).refine(runs=0).exact
    return Verdict(case, pairwise, bethe, particles, low, high, counted.count, answer)


def _error(estimate: Estimate, case: Case) -> float | None:
    if estimate.log10 is None or not case.fills:
        return None
    return estimate.log10 - log10(case.fills)


def _interval(estimate: Estimate) -> tuple[float | None, float | None]:
    """The interval; of an exact count, one point."""
    return (estimate.log10, estimate.log10) if estimate.exact is not None else (estimate.low, estimate.high)
