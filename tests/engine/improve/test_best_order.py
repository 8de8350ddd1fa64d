"""The order of fills by their lowest score: the mean breaks ties, and not how many entries have that score."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import problem_of
from tests.examples import examples
from tests.naive.worlds import random_world
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import fill_best, improve
from xwtui.model import Grid


def test_the_mean_comes_before_the_number_of_low_entries() -> None:
    """One fill has a single entry of 40 and all else 45, the other two of 40 and all else 90."""
    words = dict.fromkeys(("DEF", "GHI", "ADG", "BEH", "CFI"), 45)
    words |= dict.fromkeys(("PQR", "JMP", "KNQ", "LOR"), 90) | dict.fromkeys(("ABC", "JKL", "MNO"), 40)
    problem = problem_of(Grid.blank(3, 3), words)
    for seed in range(3):
        result = fill_best(problem, seconds=60, seed=seed)
        assert result.improvement is not None
        assert result.is_best
        assert result.improvement.lowest_score == 40
        assert round(result.improvement.mean_score, 1) == 73.3


@examples(150)
@given(st.integers(0, 1 << 32), st.integers(1, 2))
def test_what_is_called_as_good_as_can_be_is_that(seed: int, threads: int) -> None:
    world = random_world(Random(seed))
    result = fill_best(world.problem, seconds=60, seed=seed, threads=threads)
    if not world.fills:
        assert (result.outcome, result.improvement) == (Outcome.IMPOSSIBLE, None)
        return
    ranks = [_rank(world.scores(fill)) for fill in world.fills]
    assert result.improvement is not None
    assert result.is_best
    assert _rank(world.scores(result.improvement.squares)) == max(ranks)
    assert result.minimum_score == result.highest_possible == max(ranks)[0]
    start = world.fills[seed % len(world.fills)]
    improved = improve(world.problem, start, objective=Objective.lowest(), seed=seed, threads=threads)
    assert improved.outcome is Outcome.FILLED
    assert improved.best is not None
    assert _rank(world.scores(improved.best.squares)) == max(ranks)
    assert improved.gap == 0


def _rank(scores: list[int]) -> tuple[int, int]:
    """What fills are compared by; the mean as a sum, for all fills have as many entries."""
    return min(scores, default=100), sum(scores)
