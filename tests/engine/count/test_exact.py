"""Exact counts compared with naive and published ones, or checked against intervals; budgets and stopping."""

import math
import statistics
from itertools import islice, product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.word_squares import symmetric
from tests.engine.small_problems import interval_of_runs, problem_of, small_grids, word_lists
from tests.examples import examples, is_deep
from tests.known import known
from tests.naive.engine import naive_fills
from tests.published_data import published_lexicon
from xwtui.engine.budget import Budget
from xwtui.engine.count.estimator import PARTICLES, Counter
from xwtui.engine.count.exact import Counting, ExactProgress, exact_count
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordList

WORDS = [first + second + third for first in "ABCD" for second in "ABCD" for third in "ABCD"]
MOST_FILLS = 3_000


def naive_count(grid: Grid, words: dict[str, int], *, allow_repeats: bool) -> int | None:
    """Count the fills of a grid by plain backtracking; None if there are too many to list."""
    count = 0
    for _ in naive_fills(grid, words, allow_repeats=allow_repeats):
        count += 1
        if count > MOST_FILLS:
            return None
    return count


@examples(80)
@given(small_grids(4), word_lists(4), st.booleans())
def test_an_exact_count_matches_the_naive_one(grid: Grid, words: dict[str, int], allow_repeats: bool) -> None:
    count = naive_count(grid, words, allow_repeats=allow_repeats)
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    if count is not None:
        assert exact_count(problem).count == count


def separate_squares(number: int) -> Problem:
    """Return the problem of several 3x3 squares that do not touch."""
    rows = ["#".join(["..."] * number)] * 3
    return problem_of(grid_from_text("\n".join(rows)), dict.fromkeys(WORDS, 50), allow_repeats=True)


def test_counts_of_separate_parts_multiply_beyond_64_bits() -> None:
    """Any letter fits anywhere: four to the power of nine for each square."""
    assert exact_count(separate_squares(6)).count == 4 ** (9 * 6)


def test_a_stopped_count_gives_a_lower_bound_and_can_continue() -> None:
    counting = Counting(
        problem_of(Grid.blank(4, 4), dict.fromkeys([a + b for a in WORDS[::3] for b in "ABCD"], 50))
    )
    first = counting.resume(Budget(nodes=2_500))
    assert first.count is None
    assert not first.is_complete
    whole = counting.resume()
    assert whole.count is not None
    assert 0 < first.lower < whole.count
    assert whole.lower == whole.count


def test_the_caller_can_stop_a_count_and_sees_its_progress() -> None:
    words = ["".join(letters) for letters in product("ABC", repeat=5)]
    problem = problem_of(Grid.blank(5, 5), dict.fromkeys(words, 50))
    told: list[ExactProgress] = []
    counted = exact_count(problem, cancelled=lambda: len(told) > 1, progress=told.append)
    assert not counted.is_complete
    assert [report.nodes for report in told] == sorted(report.nodes for report in told)
    assert counted.nodes >= told[-1].nodes > 0
    shares = [report.counted for report in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] < 1


@pytest.mark.parametrize(
    ("done", "parts", "share", "counted"), [(1, 4, 0.5, 0.375), (0, 1, 0.2, 0.2), (2, 2, 1, 1)]
)
def test_progress_covers_all_parts(done: int, parts: int, share: float, counted: float) -> None:
    assert ExactProgress(0, 0, done, parts, share).counted == counted


def test_progress_of_an_exact_count_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counter, "exact", lambda *_, **__: None)
    monkeypatch.setattr(Counting, "progress", property(lambda _: ExactProgress(5, 9, 1, 4, 0.5)))
    _, known = islice(
        Counter(
            problem_of(Grid.blank(4, 4), dict.fromkeys([a + b for a in WORDS for b in "ABCD"], 50))
        ).count_exactly(Budget(60)),
        2,
    )
    assert (known.at_least, known.counted, known.exact) == (5, 0.375, None)


def test_without_time_there_is_no_count() -> None:
    counted = exact_count(separate_squares(2), seconds=0)
    assert (counted.count, counted.is_complete) == (None, False)


def test_an_impossible_problem_has_no_fill() -> None:
    counted = exact_count(problem_of(Grid.blank(3, 3), {"ABC": 50}))
    assert counted.count == 0
    assert counted.is_complete


class Published(NamedTuple):
    """A published count of word squares from a list, with or without repeats."""

    words: str
    side: int
    allow_repeats: bool
    fills: int


BOTH = [
    Published("dicts/words.txt", 3, False, 59_496),
    Published("dicts/uk.txt", 3, True, 5_976_881),
    Published("dicts/uk.txt", 3, False, 4_749_396),
    Published("dicts/words.txt", 4, True, 2_528_480),
    Published("dicts/words.txt", 4, False, 1_506_754),
]
SMALL = [
    *BOTH,
    Published("berghel_rankin_134.txt", 5, True, 72),
    Published("berghel_rankin_134.txt", 5, False, 48),
    Published("berghel_rankin_128_nosol.txt", 5, True, 0),
    Published("dicts/words.txt", 3, True, 107_456),
]
LARGE = [
    *BOTH,
    Published("dicts/words.txt", 5, True, 347_132),
    Published("dicts/words.txt", 5, False, 71_340),
    Published("sgb-words.txt", 5, True, 1_787_056),
    Published("sgb-words.txt", 5, False, 646_528),
]


def published_problem(published: Published) -> Problem:
    grid = Grid.blank(published.side, published.side)
    return Problem.build(grid, published_lexicon(published.words), allow_repeats=published.allow_repeats)


@pytest.mark.parametrize("published", SMALL if is_deep() else [one for one in SMALL if one.fills < 1_000_000])
def test_the_exact_count_matches_the_published_one(published: Published) -> None:
    estimate = known(Counter(published_problem(published)).exact())
    assert estimate.exact == published.fills


@pytest.mark.parametrize(
    ("words", "side", "fills"),
    [
        ("berghel_rankin_128_nosol.txt", 5, 0),
        ("dicts/words.txt", 3, 17_474),
        *([("berghel_rankin_134.txt", 5, 22)] if is_deep() else []),
    ],
)
def test_the_exact_count_of_symmetric_squares_matches_the_published_one(words: str, side: int, fills: int) -> None:
    problem = Problem.build(Grid.blank(side, side), published_lexicon(words), allow_repeats=True)
    assert exact_count(symmetric(problem)).count == fills


def test_banning_one_word_leaves_a_third_of_the_fills() -> None:
    words = published_lexicon("berghel_rankin_134.txt").table(5).words()
    scores = {word: 50 for word in words if word != "AARON"}
    problem = Problem.build(
        Grid.blank(5, 5), Lexicon.build([WordList.from_scores("without", scores)]), allow_repeats=True
    )
    assert exact_count(problem).count == 24


def test_the_95_percent_interval_covers_published_counts() -> None:
    """At least nine of ten cases, but an interval that always covers the truth would be too wide."""
    estimates = [
        (published, interval_of_runs(problem, PARTICLES, seed))
        for published in LARGE
        for problem in [published_problem(published)]
        for seed in range(6 if is_deep() else 1)
    ]
    held = [interval.low <= math.log10(published.fills) <= interval.high for published, interval in estimates]
    assert sum(held) >= 0.9 * len(held)
    widths = [interval.high - interval.low for _, interval in estimates]
    assert statistics.median(widths) < 0.6


def test_the_interval_covers_a_count_too_large_to_enumerate() -> None:
    """Sixteen separate squares have the product of their counts: 107,456 to the power of sixteen."""
    rows = ["...#...#...#..."] * 3 + ["#" * 15]
    grid = grid_from_text("\n".join((rows * 4)[:15]))
    problem = Problem.build(grid, published_lexicon("dicts/words.txt"), allow_repeats=True)
    intervals = [interval_of_runs(problem, PARTICLES, seed) for seed in range(4 if is_deep() else 2)]
    truth = 16 * math.log10(107_456)
    assert sum(interval.low <= truth <= interval.high for interval in intervals) >= len(intervals) * 3 / 4
    assert statistics.median(interval.high - interval.low for interval in intervals) < 1.5


@pytest.mark.parametrize("published", LARGE)
def test_the_quick_estimate_has_the_right_order_of_magnitude(published: Published) -> None:
    estimate = Counter(published_problem(published)).quick()
    assert estimate.rough
    assert estimate.log10 is not None
    assert abs(estimate.log10 - math.log10(published.fills)) < 1.0
