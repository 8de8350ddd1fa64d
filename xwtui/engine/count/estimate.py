"""What is known about the number of fills."""

from __future__ import annotations

import enum

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports
from xwtui.worded import Worded

with lazy_imports():
    from xwtui.engine.problem.no_fill import UntriedWays


class Instrument(enum.Enum):
    """The method behind an estimate."""

    EXACT = "exact"
    """The exact count: counting finished, or propagation proved that there is no fill."""
    PAIRWISE = "pairwise"
    """From pairs of crossing domains, available right after an edit: rough, usually too high."""
    BETHE = "bethe"
    """From belief propagation, a moment later: without an interval, usually too low."""
    PARTICLES = "particles"
    """From independent runs of the particle method with look-ahead: unbiased, with an interval."""


@dataclass(frozen=True)
class Estimate(Worded):
    """The number of fills.

    `log10` is None if the count is zero (then `exact` is 0) or if no run has found a fill yet. `low` and `high`
    are the bounds of the 95 % confidence interval of log10; None while the estimate is rough.
    """

    instrument: Instrument
    log10: float | None
    low: float | None = None
    high: float | None = None
    exact: int | None = None
    runs: int = 0
    at_least: int = 0
    """A lower bound on the number of fills, if an exact count has not finished."""
    counted: float = 0.0
    """Progress of a running exact count, 0 to 1; its steps differ in size."""
    under_rules: bool = False
    """Whether rules apply to the grid as a whole, which the pairwise figure ignores."""
    untried: UntriedWays | None = None
    """The ways of entering answers that an exact count does not cover."""

    @property
    def rough(self) -> bool:
        """Whether there is no interval yet."""
        return self.exact is None and (self.low is None or self.high is None)

    @property
    def zero_proved(self) -> bool:
        return self.exact == 0 and self.untried is None
