"""Exact counts: the naive count of small problems; budgets, stopping."""

from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import naive_fills
from xwtui.engine.count.estimator import Counter
from xwtui.engine.count.exact import Counting, ExactProgress, exact_count
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid

WORDS = [first + second + third for first in "ABCD" for second in "ABCD" for third in "ABCD"]
MOST_FILLS = 3_000


def naive_count(grid: Grid, words: dict[str, int], *, allow_repeats: bool) -> int | None:
    """The fills of a grid, by plain backtracking; None if they are too many to list."""
    count = 0
    for _ in naive_fills(grid, words, allow_repeats=allow_repeats):
        count += 1
        if count > MOST_FILLS:
            return None
    return count


@examples(80)
@given(small_grids(4), word_lists(4), st.booleans())
def test_an_exact_count_is_the_naive_one(grid: Grid, words: dict[str, int], allow_repeats: bool) -> None:
    count = naive_count(grid, words, allow_repeats=allow_repeats)
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    if count is not None:
        assert exact_count(problem).count == count


def separate_squares(number: int) -> Problem:
    """So many 3x3 squares that do not touch."""
    rows = ["#".join(["..."] * number)] * 3
    return problem_of(grid_from_text("\n".join(rows)), dict.fromkeys(WORDS, 50), allow_repeats=True)


def test_counts_of_separate_parts_multiply_beyond_64_bits() -> None:
    """Every letter may stand anywhere: four to the nine for each square."""
    assert exact_count(separate_squares(6)).count == 4 ** (9 * 6)


def test_a_count_that_is_stopped_tells_what_there_is_at_least_and_goes_on() -> None:
    counting = Counting(
        problem_of(Grid.blank(4, 4), dict.fromkeys([a + b for a in WORDS[::3] for b in "ABCD"], 50))
    )
    first = counting.go_on(nodes=2_500)
    assert first.count is None
    assert not first.is_complete
    whole = counting.go_on()
    assert whole.count is not None
    assert 0 < first.lower < whole.count
    assert whole.lower == whole.count


def test_the_caller_can_stop_a_count_and_hears_how_far_it_is() -> None:
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
def test_what_is_counted_is_told_of_all_parts(done: int, parts: int, share: float, counted: float) -> None:
    assert ExactProgress(0, 0, done, parts, share).counted == counted


def test_what_is_known_on_the_way_to_an_exact_count_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counter, "exact", lambda *_, **__: None)
    monkeypatch.setattr(Counting, "progress", property(lambda _: ExactProgress(5, 9, 1, 4, 0.5)))
    _, known = islice(
        Counter(problem_of(Grid.blank(4, 4), dict.fromkeys([a + b for a in WORDS for b in "ABCD"], 50))).exactly(
            60
        ),
        2,
    )
    assert (known.at_least, known.counted, known.exact) == (5, 0.375, None)


def test_no_time_is_no_count() -> None:
    counted = exact_count(separate_squares(2), seconds=0)
    assert (counted.count, counted.is_complete) == (None, False)


def test_an_impossible_problem_has_no_fill() -> None:
    counted = exact_count(problem_of(Grid.blank(3, 3), {"ABC": 50}))
    assert counted.count == 0
    assert counted.is_complete
