"""The best fill: the highest tier that brute force can fill, and proofs that hold."""

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.improve.cases import Stopper, wide_problem
from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill, naive_fills
from tests.naive.quality import naive_best, naive_rank, naive_scores
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import fill_best
from xwtui.model import Grid


@examples(60)
@given(small_grids(4), word_lists(4), st.integers(0, 3), st.integers(1, 2))
def test_the_best_of_all_fills_is_found(grid: Grid, words: dict[str, int], seed: int, threads: int) -> None:
    result = fill_best(problem_of(grid, words), seconds=60, seed=seed, threads=threads)
    objective = Objective.lowest()
    best = naive_best(grid, words, objective)
    if best is None:
        assert (result.outcome, result.improvement) == (Outcome.IMPOSSIBLE, None)
        assert result.reason
        return
    assert result.outcome is Outcome.FILLED
    assert result.improvement is not None
    check_fill(grid, result.improvement.squares, words)
    found = naive_rank(grid, result.improvement.squares, words, objective)
    assert found == naive_rank(grid, best, words, objective)
    assert result.is_best
    assert result.minimum_score == result.highest_possible == min(naive_scores(grid, best, words), default=100)
    for tier in result.tiers:
        high = {word: score for word, score in words.items() if score >= tier.minimum_score}
        assert tier.outcome in (Outcome.UNKNOWN, _verdict(grid, words, high))


def _verdict(grid: Grid, words: dict[str, int], high: dict[str, int]) -> Outcome:
    """Whether some fill has only high words, but for entries given whole."""
    for fill in naive_fills(grid, words):
        if min(naive_scores(grid, fill, words), default=100) >= min(high.values(), default=101):
            return Outcome.FILLED
    return Outcome.IMPOSSIBLE


@examples(40)
@given(small_grids(4), word_lists(4), st.integers(0, 40), st.integers(1, 3))
def test_however_it_is_stopped_the_fill_is_legal(
    grid: Grid, words: dict[str, int], looks: int, threads: int
) -> None:
    result = fill_best(problem_of(grid, words), seconds=60, threads=threads, cancelled=Stopper(looks))
    if result.improvement is None:
        assert result.outcome in (Outcome.CANCELLED, Outcome.IMPOSSIBLE)
        return
    ranks = [naive_rank(grid, each.squares, words, Objective.lowest()) for each in result.kept]
    assert ranks == sorted(set(ranks))
    assert result.kept[-1] is result.improvement
    for each in result.kept:
        check_fill(grid, each.squares, words)


def test_one_seed_finds_the_same_fills_wherever_time_cuts_them_off() -> None:
    problem, _ = wide_problem()
    short, long, other = (
        [fill.answers for fill in fill_best(problem, seconds=600, seed=seed, cancelled=Stopper(looks)).kept]
        for seed, looks in ((5, 80), (5, 240), (6, 240))
    )
    assert 1 < len(short) <= len(long)
    assert short == long[: len(short)]
    assert short != other[: len(short)]


def test_no_time_at_all_makes_no_fill_and_no_claim() -> None:
    problem = problem_of(Grid.blank(3, 3), {"AAA": 1, "BBB": 2})
    result = fill_best(problem, seconds=0)
    assert (result.outcome, result.improvement, result.is_best) == (Outcome.UNKNOWN, None, False)
    cancelled = fill_best(problem, seconds=60, cancelled=lambda: True)
    assert (cancelled.outcome, cancelled.improvement) == (Outcome.CANCELLED, None)
