"""How many fills a grid has: what is known of it, and how it is said."""

import enum
import math
from dataclasses import dataclass

_MOST_FIGURES = 10**24
_FROM_POWERS = 4.0
"""From this logarithm on an estimate is told as a power of ten."""


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
class Estimate:
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

    @property
    def rough(self) -> bool:
        """Whether no interval is known yet."""
        return self.exact is None and (self.low is None or self.high is None)

    @property
    def zero_proved(self) -> bool:
        return self.exact == 0

    def describe(self) -> str:
        """The estimate in a few words: `fills ≈ 10^38.4 (37.9–38.8)`, `about 4 fills (estimate)`."""
        if self.exact is not None:
            return _describe_exact(self.exact)
        found = [self._describe()]
        if self.at_least:
            found.append(f"{_figures(self.at_least)} at least")
        if self.counted:
            found.append(f"{self.counted:.1%} counted")
        return "; ".join(found)

    def _describe(self) -> str:
        if self.log10 is None:
            came = "kept the rules" if self.under_rules else "came to a fill"
            return f"no estimate yet: no sample {came}, which proves nothing"
        if self.log10 < 0:
            return "probably no fill (estimate)"
        if self.low is None or self.high is None:
            rules = " but for the rules" if self.under_rules else ""
            is_rough = self.instrument is not Instrument.BETHE
            told = "rough estimate" if is_rough else "estimate"
            if self.log10 < _FROM_POWERS:
                return f"about {_counted(self.log10)}{rules} ({told})"
            return f"fills ≈ 10^{self.log10:.{0 if is_rough else 1}f}{rules} ({told})"
        if self.high < _FROM_POWERS:
            return f"about {_counted(self.log10)} ({_rounded(self.low)} to {_rounded(self.high)})"
        return f"fills ≈ 10^{self.log10:.1f} ({self.low:.1f}–{self.high:.1f})"


def about(log10: float, *, is_sure: bool = True) -> str:
    """Say how many fills an estimate comes to, given as a logarithm: `≈10^38.4`, `≈4`, less than one as `< 1`.

    One that is not sure, for it may be wrong by more than two powers of ten, has a `?` before it.
    """
    if log10 < 0:
        return "< 1"
    return ("≈" if is_sure else "?") + (f"10^{log10:.1f}" if log10 >= _FROM_POWERS else _rounded(log10))


def _rounded(log10: float) -> str:
    """A number of fills that is told in figures, two of which are more than zeros: `4`, `1,200`."""
    number = round(10**log10)
    unit = 10 ** max(len(str(number)) - 2, 0)
    return f"{round(number / unit) * unit:,}"


def _counted(log10: float) -> str:
    rounded = _rounded(log10)
    return f"{rounded} fill{'' if rounded == '1' else 's'}"


def _describe_exact(count: int) -> str:
    if count == 0:
        return "no fill (proved)"
    return f"exactly {_figures(count)} {'fill' if count == 1 else 'fills'} (proved)"


def _figures(count: int) -> str:
    """A number in figures, or as a power of ten where these would fill the line."""
    return f"{count:,}" if count < _MOST_FIGURES else f"10^{math.log10(count):.2f}"
