"""The published numbers of fills of open squares: exactly where that is quick, else within the interval."""

import math
import statistics
from typing import NamedTuple

import pytest

from bench.word_squares import symmetric
from tests.examples import is_deep
from tests.published_data import published_lexicon
from xwtui.engine.budget import never
from xwtui.engine.count.belief import believe
from xwtui.engine.count.estimator import PARTICLES, Counter, LogInterval, lognormal_mean_interval
from xwtui.engine.count.exact import exact_count
from xwtui.engine.count.particles import Populations
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList


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


@pytest.mark.parametrize("published", SMALL if is_deep() else [one for one in SMALL if one.fills < 1_000_000])
def test_the_exact_count_is_the_published_one(published: Published) -> None:
    estimate = Counter(problem_of(published)).exact()
    assert estimate is not None
    assert estimate.exact == published.fills


@pytest.mark.parametrize(
    ("words", "side", "fills"),
    [
        ("berghel_rankin_128_nosol.txt", 5, 0),
        ("dicts/words.txt", 3, 17_474),
        *([("berghel_rankin_134.txt", 5, 22)] if is_deep() else []),
    ],
)
def test_the_exact_count_of_symmetric_squares_is_the_published_one(words: str, side: int, fills: int) -> None:
    problem = Problem.build(Grid.blank(side, side), published_lexicon(words), allow_repeats=True)
    assert exact_count(symmetric(problem)).count == fills


def test_without_one_word_a_third_of_the_fills_is_left() -> None:
    words = published_lexicon("berghel_rankin_134.txt").table(5).words()
    scores = {word: 50 for word in words if word != "AARON"}
    problem = Problem.build(
        Grid.blank(5, 5), Lexicon.build([WordList.from_scores("without", scores)]), allow_repeats=True
    )
    assert exact_count(problem).count == 24


def test_the_95_percent_interval_holds_the_published_counts() -> None:
    """Nine cases of ten at least: an interval that always held would be too wide to say anything."""
    estimates = [
        (published, _interval(problem, seed))
        for published in LARGE
        for problem in [problem_of(published)]
        for seed in range(6 if is_deep() else 1)
    ]
    held = [interval.low <= math.log10(published.fills) <= interval.high for published, interval in estimates]
    assert sum(held) >= 0.9 * len(held)
    widths = [interval.high - interval.low for _, interval in estimates]
    assert statistics.median(widths) < 0.6


def _interval(problem: Problem, seed: int) -> LogInterval:
    """What eight runs of particles alone come to, where the counter would count exactly."""
    populations = Populations(problem, believe(problem), PARTICLES, seed=seed)
    populations.advance(1, 8, never)
    fertile = [log10 for log10 in populations.log10_fills if log10 is not None]
    interval = lognormal_mean_interval(fertile, 8 - len(fertile))
    assert interval is not None
    return interval


def test_the_interval_holds_a_count_beyond_all_enumeration() -> None:
    """Sixteen squares that do not touch have the product of their counts: 107,456 to the sixteenth."""
    rows = ["...#...#...#..."] * 3 + ["#" * 15]
    grid = grid_from_text("\n".join((rows * 4)[:15]))
    problem = Problem.build(grid, published_lexicon("dicts/words.txt"), allow_repeats=True)
    intervals = [_interval(problem, seed) for seed in range(4 if is_deep() else 2)]
    truth = 16 * math.log10(107_456)
    assert sum(interval.low <= truth <= interval.high for interval in intervals) >= len(intervals) * 3 / 4
    assert statistics.median(interval.high - interval.low for interval in intervals) < 1.5


@pytest.mark.parametrize("published", LARGE)
def test_the_quick_estimate_is_of_the_right_order(published: Published) -> None:
    estimate = Counter(problem_of(published)).quick()
    assert estimate.rough
    assert estimate.log10 is not None
    assert abs(estimate.log10 - math.log10(published.fills)) < 1.0
