"""Improving with lists to be preferred and words used of late: both count, and scores are told as listed."""

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.small_problems import small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill
from tests.naive.quality import naive_best, naive_rank, naive_scores, naive_value
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import fill_best, improve
from xwtui.engine.problem.problem import Problem
from xwtui.model import Grid
from xwtui.words.lexicon import FAVOUR, Lexicon, Preferences
from xwtui.words.word_list import WordList

RANDOMS = st.randoms(use_true_random=False)
OBJECTIVES = [Objective(), Objective.lowest(), Objective.flattened(0.5), Objective.fewer_below(60)]


def with_preferences(words: dict[str, int], rng: Random, cost: int = FAVOUR) -> tuple[Lexicon, dict[str, int]]:
    """A lexicon that prefers some of the words and has seen others of late, and what each counts as."""
    loved = {word: score for word, score in words.items() if rng.random() < 0.3}
    seen = {word: score for word, score in words.items() if rng.random() < 0.3}
    counts = {
        word: max(score + FAVOUR * (word in loved) - cost * (word in seen), 0) for word, score in words.items()
    }
    preferences = Preferences((WordList.from_scores("loved", loved),), WordList.from_scores("seen", seen))
    lexicon = Lexicon.build([WordList.from_scores("small", words)], preferences=preferences)
    return lexicon.with_repeat_cost(cost), counts


@examples(80)
@given(
    small_grids(4),
    word_lists(4),
    st.sampled_from(OBJECTIVES),
    st.randoms(use_true_random=False),
    st.integers(0, 100),
)
def test_the_best_fill_by_preference_is_found(
    grid: Grid, words: dict[str, int], objective: Objective, rng: Random, cost: int
) -> None:
    lexicon, counts = with_preferences(words, rng, cost)
    best = naive_best(grid, counts, objective)
    assume(best is not None)
    assert best is not None
    problem = Problem.build(grid, lexicon)
    result = improve(problem, {}, objective=objective, rounds=3000)
    assert result.outcome is Outcome.FILLED
    assert result.best is not None
    check_fill(grid, result.best.squares, words)
    assert naive_rank(grid, result.best.squares, counts, objective) == naive_rank(grid, best, counts, objective)
    assert result.best.value == pytest.approx(naive_value(grid, result.best.squares, counts, objective))
    scores = naive_scores(grid, result.best.squares, words)
    assert result.best.mean_score == pytest.approx(sum(scores) / len(scores) if scores else 0)
    assert result.best.lowest_score == min(scores, default=100)


@examples(30)
@given(small_grids(4), word_lists(4), RANDOMS)
def test_tiers_count_preferences(grid: Grid, words: dict[str, int], rng: Random) -> None:
    lexicon, counts = with_preferences(words, rng)
    objective = Objective.lowest()
    best = naive_best(grid, counts, objective)
    assume(best is not None)
    assert best is not None
    result = fill_best(Problem.build(grid, lexicon), Budget(60))
    assert result.improvement is not None
    found = naive_rank(grid, result.improvement.squares, counts, objective)
    assert found == naive_rank(grid, best, counts, objective)
    assert result.improvement.value == result.highest_possible == naive_value(grid, best, counts, objective)
