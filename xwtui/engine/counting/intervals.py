"""The 95 % interval of a mean that is known from a few positive, heavily skewed draws.

The runs of the particle method scatter like a lognormal variable whose mean is the count sought.
"""

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

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
