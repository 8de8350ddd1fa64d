"""The letters that squares can still take, judged by all fills.

The shares that options have of all fills, exact and summed.
"""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples, is_deep
from tests.known import known
from tests.naive.engine import naive_fills, naive_propagation
from tests.naive.worlds import World, random_world
from xwtui.engine.budget import Budget
from xwtui.engine.candidates.options import (
    LetterTable,
    exact_letter_table,
    letter_table,
    sampled_letter_table,
    summed_options,
)
from xwtui.engine.count.belief import believe
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position
from xwtui.session.verbs.counts import shares_told
from xwtui.session.wording import share_words


@examples(40)
@given(small_grids(4), word_lists(4), st.booleans())
def test_every_fill_has_what_is_forced_and_no_letter_that_is_not_told(
    grid: Grid, words: dict[str, int], allow_repeats: bool
) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    letters = letter_table(believe(problem, seconds=None))
    assert not letters.shares.keys() & problem.task.given.keys()
    for at, shares in letters.shares.items():
        assert sum(shares.values()) == pytest.approx(1.0)
        assert list(shares.values()) == sorted(shares.values(), reverse=True)
        assert (at in letters.forced) <= (list(shares) == [letters.forced.get(at)])
    for fill in naive_fills(grid, words, allow_repeats=allow_repeats):
        for at, shares in letters.shares.items():
            assert fill[at] in shares
        for at, content in letters.forced.items():
            assert fill[at] == content


def test_shares_are_those_of_the_fills_where_entries_cross_in_a_tree() -> None:
    grid = grid_from_text("...\n.##\n.##")
    words = {"ABC": 50, "ABD": 50, "BBC": 50, "AXY": 50, "BXY": 50}
    fills = list(naive_fills(grid, words, allow_repeats=True))
    letters = letter_table(believe(problem_of(grid, words, allow_repeats=True), seconds=None))
    corner = letters.shares[Position(0, 0)]
    for content, share in corner.items():
        assert share == pytest.approx(
            sum(fill[Position(0, 0)] == content for fill in fills) / len(fills), abs=0.01
        )


def test_without_any_fill_nothing_is_told() -> None:
    letters = letter_table(believe(problem_of(grid_from_text("Q..\n...\n..."), {"ABC": 50})))
    assert not letters.shares
    assert not letters.forced


def test_a_square_with_one_letter_left_is_forced() -> None:
    letters = letter_table(believe(problem_of(grid_from_text("A..\n###\n###"), {"ABC": 50, "ABD": 40})))
    assert letters.forced == {Position(0, 1): Content.of("B")}
    assert set(letters.shares) == {Position(0, 1), Position(0, 2)}


def naive_shares(world: World) -> dict[Position, dict[Content, float]]:
    """How all fills share the squares that are not given."""
    fills, found = world.fills, dict[Position, dict[Content, float]]()
    for at in {at for path in world.paths.values() for at, _ in path}:
        if fills and not world.grid[at].is_given:
            held = Counter(fill[at] for fill in fills)
            found[at] = {content: count / len(fills) for content, count in held.items()}
    return found


@examples(200)
@given(st.integers(0, 1 << 32))
def test_shares_are_those_of_all_fills(seed: int) -> None:
    world = random_world(Random(seed))
    letters = known(exact_letter_table(world.problem))
    assert letters.fills == len(world.fills)
    assert letters.shares == naive_shares(world)
    assert letters.forced == {at: next(iter(held)) for at, held in naive_shares(world).items() if len(held) == 1}


@pytest.mark.parametrize("runs", [3, 20] if is_deep() else [3])
def test_the_intervals_of_sampled_shares_have_the_true_ones_in_95_of_100(runs: int) -> None:
    held = told = 0
    for seed in range(40):
        world = random_world(Random(seed))
        letters = sampled_letter_table(believe(world.problem, seconds=None), Budget(seed=seed), runs)
        exact = naive_shares(world)
        assert not letters.intervals or not letters.is_exact
        for at, intervals in letters.intervals.items():
            assert exact[at].keys() <= letters.shares[at].keys()
            assert list(intervals) == list(letters.shares[at])
            for content, (low, high) in intervals.items():
                held += low - 1e-6 <= exact[at].get(content, 0.0) <= high + 1e-6
                told += 1
    assert told > 500
    assert held >= 0.95 * told


def test_equal_seeds_and_runs_give_equal_shares() -> None:
    beliefs = believe(random_world(Random(1)).problem, seconds=None)
    one, other = (sampled_letter_table(beliefs, Budget(seed=7, threads=n), 5) for n in (1, 2))
    assert one.intervals
    assert (one.shares, one.intervals) == (other.shares, other.intervals)


def test_without_time_nothing_is_called_exact() -> None:
    words = [first + second + third for first in "ABCD" for second in "ABCD" for third in "ABCD"]
    problem = problem_of(Grid.blank(3, 3), dict.fromkeys(words, 50))
    assert exact_letter_table(problem, Budget(0)) is None
    estimated = letter_table(believe(problem))
    assert not estimated.is_exact
    shares = next(iter(estimated.shares.values()))
    assert share_words(shares, is_exact=estimated.is_exact).startswith("about ")


def test_an_estimate_never_says_all_or_none() -> None:
    shares = {Content.of("I"): 0.9999999, Content.of("A"): 0.0000001}
    assert share_words(shares, is_exact=False) == "about I >99%  A <1%"
    ends = {Content.of("I"): (0.941, 1.0), Content.of("A"): (0.0, 0.058)}
    assert share_words(shares, is_exact=False, intervals=ends) == "about I >99% (94-100)  A <1% (0-6)"
    table = LetterTable({Position(0, 0): shares}, {})
    told = shares_told(table, (Position(0, 0),)).as_json["squares"]["r1c1"]["shares"]
    assert told == {"I": 0.999999, "A": 1e-6}


@examples(50)
@given(small_grids(4), word_lists(4))
def test_it_is_what_naive_propagation_leaves(grid: Grid, words: dict[str, int]) -> None:
    left = naive_propagation(grid, words)
    expected = 0 if left is None else sum(map(len, left.values()))
    assert summed_options(problem_of(grid, words)) == expected
