"""The bound by priced letters: never below the best of all fills, and tighter than each entry's best word."""

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.quality import naive_best, naive_value
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import improve
from xwtui.engine.improve.shared_best import PricedBound
from xwtui.engine.improve.worth import Worth
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid

OBJECTIVES = [Objective(), Objective.flattened(0.5), Objective.fewer_below(50)]


@examples(100)
@given(
    small_grids(4),
    word_lists(4),
    st.sampled_from(OBJECTIVES),
    st.integers(0, 300),
    st.integers(1, 40),
)
def test_no_fill_is_better_than_the_bound(
    grid: Grid, words: dict[str, int], objective: Objective, target: int, steps: int
) -> None:
    best = naive_best(grid, words, objective)
    assume(best is not None)
    assert best is not None
    worth = Worth(problem_of(grid, words), objective)
    priced = PricedBound(worth)
    bounds = [worth.value_of_sum(priced.step(target)) for _ in range(steps) if not priced.is_settled]
    sign = 1 if objective.higher_is_better else -1
    most = naive_value(grid, best, words, objective)
    assert all(sign * bound >= sign * most - 1e-4 for bound in bounds)  # flattened scores are rounded
    assert bounds == sorted(bounds, reverse=objective.higher_is_better)


def test_entries_that_want_different_letters_come_to_terms() -> None:
    words = {"ABC": 100, "BAC": 10, "CCC": 5}
    problem = problem_of(grid_from_text(".##\n...\n.##\n"), words)
    worth = Worth(problem, Objective())
    priced = PricedBound(worth)
    totals = [priced.step(110) for _ in range(500) if not priced.is_settled]
    assert totals[0] == 200
    assert totals[-1] == 110


def test_a_fill_that_is_as_good_as_the_bound_is_proved_the_best() -> None:
    words = {"ABC": 100, "BAC": 10, "CCC": 5}
    problem = problem_of(grid_from_text(".##\n...\n.##\n"), words)
    result = improve(problem, {}, rounds=400)
    assert result.best is not None
    assert (result.best.value, result.bound, result.gap) == (55, 55, 0)
