"""A fill that follows edits: legal where there is one, and as it was where nothing speaks against it."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.improve.cases import wide_problem
from tests.engine.repair.test_repair import standing_on
from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill, naive_fills
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.workers import SearchSettings, never
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.refill import Refill
from xwtui.engine.improve.standing import CodedFill, standing_of
from xwtui.engine.improve.worth import Cut, Worth
from xwtui.engine.repair.repair import follow
from xwtui.model import Grid


@examples(100)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_there_is_a_fill_if_there_is_any_and_it_stays_if_it_can(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    fills = list(naive_fills(grid, words))
    found = follow(problem_of(grid, words), standing_on(grid, rng))
    assert found.outcome is (Outcome.FILLED if fills else Outcome.IMPOSSIBLE)
    if not fills:
        assert not found.squares
        return
    check_fill(grid, found.squares, words)
    assert follow(problem_of(grid, words), found.squares).squares == found.squares
    fill = rng.choice(fills)
    assert follow(problem_of(grid, words), fill).squares == fill


def test_only_the_part_that_is_no_fill_any_more_moves() -> None:
    problem, last = wide_problem()
    broken = {at: content for at, content in last.items() if at.row > 0 or at.column > 4}
    found = follow(problem, broken)
    moved = {at for at, content in found.squares.items() if last[at] != content}
    assert moved <= {at for at in last if at.row < 4 and at.column < 4}


def test_the_words_of_the_last_fill_are_preferred_wherever_they_fit() -> None:
    problem, last = wide_problem()
    worth = Worth(problem, Objective())
    standing, whole = standing_of(problem, last), np.ones(len(last), np.bool_)

    def words_of_the_last(preferred: CodedFill | None) -> int:
        refill, cut = Refill(problem, worth), Cut(worth.row_limits(0))
        refill.prefer(preferred)
        refill.run(standing, whole, cut, settings=SearchSettings(), seed=1, nodes=10_000, stopped=never)
        return int(np.isin(refill.found().rows, standing.rows).sum())

    assert words_of_the_last(standing) >= words_of_the_last(None) + 4


def test_cancelled_it_has_nothing() -> None:
    problem, _ = wide_problem()
    assert follow(problem, {}, cancelled=lambda: True) == (Outcome.UNKNOWN, {})
    assert follow(problem, {}, seconds=0.0) == (Outcome.UNKNOWN, {})
