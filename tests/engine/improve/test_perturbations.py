"""When the improver sets out anew, how much it frees then, and which words it may use."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.neighbourhood import Perturbations
from xwtui.engine.improve.worth import CodedFill

BEST = CodedFill(np.zeros(0, np.int64), np.zeros(0, np.int64), (0, 0))
OTHER = CodedFill(np.zeros(0, np.int64), np.zeros(0, np.int64), (0, 1))


def test_a_fill_is_left_where_nothing_better_comes_for_long() -> None:
    perturbations = Perturbations(100, Random(1))
    assert perturbations.present(BEST) is BEST
    rounds = 0
    while not perturbations.is_due:
        perturbations.count()
        rounds += 1
    assert 10 < rounds < 100
    perturbations.work_on(OTHER)
    assert not perturbations.is_due
    assert perturbations.present(BEST) is OTHER
    perturbations.work_on(None)
    assert perturbations.present(BEST) is BEST


@given(st.integers(1, 400), st.integers(0, 100), st.lists(st.sampled_from(list(Outcome)), max_size=200))
def test_a_perturbation_frees_some_squares_and_keeps_to_scores_that_there_are(
    squares: int, lowest: int, outcomes: list[Outcome]
) -> None:
    perturbations = Perturbations(squares, Random(2))
    assert perturbations.tier(lowest) == lowest
    for outcome in outcomes:
        before = perturbations.tier(lowest)
        perturbations.learn(outcome)
        assert 0 <= perturbations.tier(lowest) <= 100
        assert (perturbations.tier(lowest) > before) == (outcome is Outcome.FILLED and before < 100)
        assert 1 <= perturbations.size <= squares
