"""How many fills a grid has: what is known of it."""

from __future__ import annotations

import enum

from xwtui.dataclasses import dataclass
from xwtui.lazy import lazy_imports
from xwtui.worded import Worded

with lazy_imports():
    from xwtui.engine.problem.no_fill import Untried


class Instrument(enum.Enum):
    """What an estimate was made with."""

    EXACT = "exact"
    """The count is exact: counting ended, or propagation showed that there is no fill."""
    PAIRWISE = "pairwise"
    """The estimate from pairs of crossing domains, at once after an edit; rough, mostly too high."""
    BETHE = "bethe"
    """The estimate from beliefs between the entries, a moment later; without an interval, mostly too low."""
    PARTICLES = "particles"
    """Independent runs of the particle method with look-ahead; unbiased, with an interval."""


@dataclass(frozen=True)
class Estimate(Worded):
    """The number of fills.

    `log10` is None where the count is zero (then `exact` is 0) or where no run found a fill yet.
    `low` and `high` bound log10 with 95 % confidence; None while the estimate is rough.
    """

    instrument: Instrument
    log10: float | None
    low: float | None = None
    high: float | None = None
    exact: int | None = None
    runs: int = 0
    at_least: int = 0
    """Fills there are at least, where an exact count has not ended."""
    counted: float = 0.0
    """How much of an exact count that goes on is done, 0 to 1; its pieces of work differ in size."""
    under_rules: bool = False
    """Whether rules ask something of the grid as a whole, which the pairwise figure does not see."""
    untried: Untried | None = None
    """What an exact count does not count."""

    @property
    def rough(self) -> bool:
        """Whether no interval is known yet."""
        return self.exact is None and (self.low is None or self.high is None)

    @property
    def zero_proved(self) -> bool:
        return self.exact == 0 and self.untried is None
