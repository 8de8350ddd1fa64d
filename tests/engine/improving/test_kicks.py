"""When the improver sets out anew, how much it frees then, and which words it may use."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.neighbourhood import Kicks
from xwtui.engine.improve.standing import Standing

BEST = Standing(np.zeros(0, np.int64), np.zeros(0, np.int64), (0, 0))
OTHER = Standing(np.zeros(0, np.int64), np.zeros(0, np.int64), (0, 1))


def test_a_fill_is_left_where_nothing_better_comes_for_long() -> None:
    kicks = Kicks(100, Random(1))
    assert kicks.present(BEST) is BEST
    rounds = 0
    while not kicks.is_due:
        kicks.count()
        rounds += 1
    assert 10 < rounds < 100
    kicks.work_on(OTHER)
    assert not kicks.is_due
    assert kicks.present(BEST) is OTHER
    kicks.work_on(None)
    assert kicks.present(BEST) is BEST


@given(st.integers(1, 400), st.integers(0, 100), st.lists(st.sampled_from(list(Outcome)), max_size=200))
def test_a_kick_frees_some_squares_and_keeps_to_scores_that_there_are(
    squares: int, lowest: int, outcomes: list[Outcome]
) -> None:
    kicks = Kicks(squares, Random(2))
    assert kicks.tier(lowest) == lowest
    for outcome in outcomes:
        before = kicks.tier(lowest)
        kicks.learn(outcome)
        assert 0 <= kicks.tier(lowest) <= 100
        assert (kicks.tier(lowest) > before) == (outcome is Outcome.FILLED and before < 100)
        assert 1 <= kicks.size <= squares
