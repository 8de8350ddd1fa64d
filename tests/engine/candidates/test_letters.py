"""The letters that squares can still take, judged by all fills."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import naive_fills
from xwtui.engine.candidates.options import letter_table
from xwtui.engine.count.belief import believe
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position


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
