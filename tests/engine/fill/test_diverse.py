"""Several fills that differ: judged by all fills of small grids, by proof and by repetition."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.fill.test_filler import HARD_GRID, HARD_WORDS
from tests.engine.fill.test_portfolio import endless_problem
from tests.engine.small_problems import lexicon_of, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill, given_content, naive_fills
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.diverse import DiverseResult, RankedFill, diverse_fills
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position

Squares = dict[Position, Content]


def differing(first: Squares, second: Squares) -> int:
    return sum(first[position] != second[position] for position in first)


def least_difference(grid: Grid, share: float) -> int:
    """The squares in which two fills differ, at least, by a share of those that are not given."""
    entries = {position for slot in grid.slots for position in slot.positions}
    free = sum(given_content(grid, position) is None for position in entries)
    return max(1, next(count for count in range(free + 1) if count >= share * free - 1e-9))


def check_result(grid: Grid, result: DiverseResult, words: dict[str, int], share: float) -> None:
    fills = [dict(fill.squares) for fill in result.fills]
    for fill in result.fills:
        check_fill(grid, fill.squares, words)
    assert result.squares == least_difference(grid, share)
    assert all(differing(*pair) >= result.squares for pair in combinations(fills, 2))
    means = [fill.mean_score for fill in result.fills]
    assert means == sorted(means, reverse=True)


@examples(200)
@given(
    small_grids(4), word_lists(4), st.integers(1, 6), st.sampled_from([0, 0.1, 0.34, 0.5, 1]), st.integers(0, 3)
)
def test_fills_differ_and_fewer_are_fewer_indeed(
    grid: Grid, words: dict[str, int], count: int, share: float, seed: int
) -> None:
    words = dict(list(words.items())[:25])
    result = diverse_fills(problem_of(grid, words), Budget(seed=seed), count=count, difference=share)
    check_result(grid, result, words, share)
    assert result.outcome is (Outcome.FILLED if len(result.fills) == count else Outcome.IMPOSSIBLE)
    assert bool(result.reason) == (result.outcome is Outcome.IMPOSSIBLE)
    if result.outcome is Outcome.IMPOSSIBLE:
        fills = [dict(fill.squares) for fill in result.fills]
        for other in naive_fills(grid, words):
            assert any(differing(other, fill) < result.squares for fill in fills), "another fill differs enough"


@pytest.mark.parametrize("threads", [1, 2])
def test_five_fills_that_differ_in_half_their_squares(threads: int) -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    result = diverse_fills(problem, Budget(seed=2, threads=threads), count=5, difference=0.5)
    assert result.outcome is Outcome.FILLED
    assert len(result.fills) == 5
    check_result(HARD_GRID, result, HARD_WORDS, 0.5)


def test_one_thread_repeats_itself_and_tells_of_each_fill() -> None:
    problem = problem_of(HARD_GRID, HARD_WORDS)
    told: list[RankedFill] = []
    first = diverse_fills(problem, Budget(seed=1), count=4, difference=0.4, found=told.append)
    again = diverse_fills(problem, Budget(seed=1), count=4, difference=0.4)
    assert first.fills == again.fills
    assert sorted(told, key=lambda fill: -fill.mean_score) == list(first.fills)


def test_scores_leave_out_what_is_given() -> None:
    grid = grid_from_text("CAT\n###\n...\n")
    result = diverse_fills(problem_of(grid, {"DOG": 30, "COW": 60, "CAT": 90}), count=3, difference=1)
    assert [(fill.answers["2A"], fill.mean_score, fill.lowest_score) for fill in result.fills] == [("COW", 60, 60)]
    assert str(result.reason) == "no other fill differs from this one in at least 3 squares: all were tried"


def test_a_selection_differs_within_itself() -> None:
    grid = grid_from_text("...\n###\n...\n")
    row = frozenset(Position(0, column) for column in range(3))
    problem = Problem.build(grid, lexicon_of({"CAT": 50, "DOG": 50, "TEN": 50}), selection=row)
    result = diverse_fills(problem, count=3, difference=0.5)
    assert {fill.answers["1A"] for fill in result.fills} == {"CAT", "DOG", "TEN"}
    assert all(fill.squares.keys() == row for fill in result.fills)


def test_what_ends_a_hunt_is_told() -> None:
    late = diverse_fills(endless_problem(), Budget(seconds=0.05), count=2, difference=0.5)
    assert (late.outcome, late.fills) == (Outcome.UNKNOWN, ())
    assert str(late.reason) == "found 0 of 2 before the time ran out"
    stopped = diverse_fills(endless_problem(), Budget(stop=lambda: True, threads=2), count=2, difference=0.5)
    assert stopped.outcome is Outcome.CANCELLED
    none = diverse_fills(problem_of(grid_from_text("Q.J\n###\n...\n"), {"CAT": 1}), count=2, difference=0.5)
    assert (none.outcome, str(none.reason)) == (Outcome.IMPOSSIBLE, "1A: no word fits Q?J")


def test_a_share_is_from_0_to_1() -> None:
    with pytest.raises(EngineError, match=r"from 0 to 1; 1\.5 is outside"):
        diverse_fills(problem_of(HARD_GRID, HARD_WORDS), count=2, difference=1.5)
