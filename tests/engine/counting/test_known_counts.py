"""The published numbers of fills of open squares: exactly where that is quick, else within the interval."""

import math
import statistics
from typing import NamedTuple

import pytest

from tests.published_data import published_lexicon
from xwtui.engine.counting.estimate import Estimate
from xwtui.engine.counting.estimator import Counter
from xwtui.engine.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid


class Published(NamedTuple):
    """A published count: of the squares of a side that a list fills, repeats allowed or not."""

    words: str
    side: int
    allow_repeats: bool
    fills: int


SMALL = [
    Published("berghel_rankin_134.txt", 5, True, 72),
    Published("berghel_rankin_134.txt", 5, False, 48),
    Published("berghel_rankin_128_nosol.txt", 5, True, 0),
    Published("dicts/words.txt", 3, True, 107_456),
    Published("dicts/words.txt", 3, False, 59_496),
    Published("dicts/words.txt", 4, True, 2_528_480),
    Published("dicts/words.txt", 4, False, 1_506_754),
    Published("dicts/uk.txt", 3, True, 5_976_881),
    Published("dicts/uk.txt", 3, False, 4_749_396),
]
LARGE = [
    Published("dicts/words.txt", 3, False, 59_496),
    Published("dicts/uk.txt", 3, True, 5_976_881),
    Published("dicts/uk.txt", 3, False, 4_749_396),
    Published("dicts/words.txt", 4, True, 2_528_480),
    Published("dicts/words.txt", 4, False, 1_506_754),
    Published("dicts/words.txt", 5, True, 347_132),
    Published("dicts/words.txt", 5, False, 71_340),
    Published("sgb-words.txt", 5, True, 1_787_056),
    Published("sgb-words.txt", 5, False, 646_528),
]


def problem_of(published: Published) -> Problem:
    grid = Grid.blank(published.side, published.side)
    return Problem.build(grid, published_lexicon(published.words), allow_repeats=published.allow_repeats)


@pytest.mark.parametrize("published", SMALL)
def test_the_exact_count_is_the_published_one(published: Published) -> None:
    estimate = Counter(problem_of(published)).exact()
    assert estimate is not None
    assert estimate.exact == published.fills


def test_the_95_percent_interval_holds_the_published_counts() -> None:
    """Nine cases of ten at least: an interval that always held would be too wide to say anything."""
    estimates = [
        (published, Counter(problem, seed=seed).refine(runs=8))
        for published in LARGE
        for problem in [problem_of(published)]
        for seed in range(6)
    ]
    held = [_holds(estimate, published.fills) for published, estimate in estimates]
    assert sum(held) >= 0.9 * len(held)
    widths = [(estimate.high or math.inf) - (estimate.low or 0.0) for _, estimate in estimates]
    assert statistics.median(widths) < 0.6


def _holds(estimate: Estimate, fills: int) -> bool:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= math.log10(fills) <= estimate.high


def test_the_interval_holds_a_count_beyond_all_enumeration() -> None:
    """Sixteen squares that do not touch have the product of their counts: 107,456 to the sixteenth."""
    rows = ["...#...#...#..."] * 3 + ["#" * 15]
    grid = grid_from_text("\n".join((rows * 4)[:15]))
    problem = Problem.build(grid, published_lexicon("dicts/words.txt"), allow_repeats=True)
    estimate = Counter(problem, seed=3).refine(runs=8)
    assert _holds(estimate, 107_456**16)
    assert estimate.high is not None
    assert estimate.low is not None
    assert estimate.high - estimate.low < 2.0


@pytest.mark.parametrize("published", LARGE)
def test_the_quick_estimate_is_of_the_right_order(published: Published) -> None:
    estimate = Counter(problem_of(published)).quick()
    assert estimate.rough
    assert estimate.log10 is not None
    assert abs(estimate.log10 - math.log10(published.fills)) < 1.0
