"""The best fill: the highest tier that brute force can fill, and proofs that hold.

The order of fills by their lowest score: the mean breaks ties, and not how many entries have that score.

The bound by priced letters: never below the best of all fills, and tighter than each entry's best word.
"""

from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.improve.cases import Stopper, wide_problem
from tests.engine.small_problems import problem_of, small_grids, word_lists
from tests.examples import examples
from tests.known import known
from tests.naive.engine import check_fill, naive_fills
from tests.naive.quality import naive_best, naive_rank, naive_scores, naive_value
from tests.naive.worlds import random_world
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import fill_best, improve
from xwtui.engine.improve.shared_best import PricedBound
from xwtui.engine.improve.worth import Worth
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid


@examples(60)
@given(small_grids(4), word_lists(4), st.integers(0, 3), st.integers(1, 2))
def test_the_best_of_all_fills_is_found(grid: Grid, words: dict[str, int], seed: int, threads: int) -> None:
    result = fill_best(problem_of(grid, words), Budget(60, threads=threads, seed=seed))
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
    assert result.improvement.value == result.highest_possible == min(naive_scores(grid, best, words), default=100)
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
    result = fill_best(problem_of(grid, words), Budget(60, threads=threads, stop=Stopper(looks)))
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
        [fill.answers for fill in fill_best(problem, Budget(600, seed=seed, stop=Stopper(looks))).kept]
        for seed, looks in ((5, 80), (5, 240), (6, 240))
    )
    assert 1 < len(short) <= len(long)
    assert short == long[: len(short)]
    assert short != other[: len(short)]


def test_no_time_at_all_makes_no_fill_and_no_claim() -> None:
    problem = problem_of(Grid.blank(3, 3), {"AAA": 1, "BBB": 2})
    result = fill_best(problem, Budget(0))
    assert (result.outcome, result.improvement, result.is_best) == (Outcome.UNKNOWN, None, False)
    cancelled = fill_best(problem, Budget(60, stop=lambda: True))
    assert (cancelled.outcome, cancelled.improvement) == (Outcome.CANCELLED, None)


def test_the_mean_comes_before_the_number_of_low_entries() -> None:
    """One fill has a single entry of 40 and all else 45, the other two of 40 and all else 90."""
    words = dict.fromkeys(("DEF", "GHI", "ADG", "BEH", "CFI"), 45)
    words |= dict.fromkeys(("PQR", "JMP", "KNQ", "LOR"), 90) | dict.fromkeys(("ABC", "JKL", "MNO"), 40)
    problem = problem_of(Grid.blank(3, 3), words)
    for seed in range(3):
        result = fill_best(problem, Budget(60, seed=seed))
        assert result.improvement is not None
        assert result.is_best
        assert result.improvement.lowest_score == 40
        assert round(result.improvement.mean_score, 1) == 73.3


@examples(150)
@given(st.integers(0, 1 << 32), st.integers(1, 2))
def test_what_is_called_as_good_as_can_be_is_that(seed: int, threads: int) -> None:
    world = random_world(Random(seed))
    result = fill_best(world.problem, Budget(60, threads=threads, seed=seed))
    if not world.fills:
        assert (result.outcome, result.improvement) == (Outcome.IMPOSSIBLE, None)
        return
    ranks = [_rank(world.scores(fill)) for fill in world.fills]
    assert result.improvement is not None
    assert result.is_best
    assert _rank(world.scores(result.improvement.squares)) == max(ranks)
    assert result.improvement.value == result.highest_possible == max(ranks)[0]
    start = world.fills[seed % len(world.fills)]
    improved = improve(world.problem, start, Budget(threads=threads, seed=seed), objective=Objective.lowest())
    assert improved.outcome is Outcome.FILLED
    assert _rank(world.scores(known(improved.best).squares)) == max(ranks)
    assert improved.gap == 0


def _rank(scores: list[int]) -> tuple[int, int]:
    """What fills are compared by; the mean as a sum, for all fills have as many entries."""
    return min(scores, default=100), sum(scores)


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
    assert (known(result.best).value, result.bound, result.gap) == (55, 55, 0)
