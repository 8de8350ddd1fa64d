"""The improver and its perturbations."""

from collections.abc import Callable, Mapping
from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.improve.cases import Stopper, wide_problem
from tests.engine.small_problems import LETTERS, REBUSES, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.known import known
from tests.naive.engine import check_fill, given_content, naive_fills
from tests.naive.quality import naive_best, naive_rank, naive_scores, naive_value
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Improvement, ImproveResult, Objective
from xwtui.engine.improve.improver import improve, with_better_words
from xwtui.engine.improve.neighbourhood import Perturbations
from xwtui.engine.improve.worth import CodedFill
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position

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


OBJECTIVES = [
    Objective(),
    Objective.lowest(),
    Objective.flattened(0.5),
    Objective.flattened(2),
    Objective.fewer_below(40),
    Objective.fresh(),
    Objective.fresh("AB"),
    Objective.avoiding("B"),
    Objective.avoiding("AB"),
]


def test_a_given_square_of_two_unwanted_letters_is_one_square() -> None:
    grid, words = grid_from_text("[A/B]C#\nCC#\n###"), dict.fromkeys(("AC", "BC", "CC"), 50)
    result = improve(
        problem_of(grid, words, allow_repeats=True), {}, objective=Objective.avoiding("AB"), rounds=20
    )
    assert (known(result.best).value, result.bound) == (1, 1)


def test_a_letter_of_a_square_that_no_entry_reads_is_not_fresh() -> None:
    grid, words = grid_from_text("##[B/C]#\n##.#\n####"), {"CB": 32, "CC": 60}
    result = improve(problem_of(grid, words), {}, objective=Objective.fresh(), rounds=20)
    assert result.best is not None
    assert (result.best.value, result.best.answers) == (2, {"1D": "CB"})


def some_fill(grid: Grid, words: Mapping[str, int], rng: Random) -> dict[Position, Content]:
    """One of the first fills that plain backtracking finds."""
    fills = list(islice(naive_fills(grid, words), 5))
    assume(fills)
    return rng.choice(fills)


@examples(100)
@given(
    small_grids(4),
    word_lists(4),
    st.sampled_from(OBJECTIVES),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)
def test_on_small_grids_the_best_is_found_and_proved(
    grid: Grid, words: dict[str, int], objective: Objective, seed: int, rng: Random
) -> None:
    start = some_fill(grid, words, rng)
    result = improve(problem_of(grid, words), start, Budget(seed=seed), objective=objective, rounds=3000)
    best = known(naive_best(grid, words, objective))
    assert result.best is not None
    assert result.outcome is Outcome.FILLED
    assert known(result.first).squares == start
    assert naive_rank(grid, result.best.squares, words, objective) == naive_rank(grid, best, words, objective)
    assert result.best.value == pytest.approx(naive_value(grid, result.best.squares, words, objective))
    assert result.bound == result.best.value
    assert result.gap == 0


@examples(60)
@given(small_grids(4), word_lists(4), st.sampled_from(OBJECTIVES), st.randoms(use_true_random=False))
def test_every_kept_fill_is_legal_better_and_within_the_bound(
    grid: Grid, words: dict[str, int], objective: Objective, rng: Random
) -> None:
    start = some_fill(grid, words, rng)
    best = known(naive_best(grid, words, objective))
    most = naive_value(grid, best, words, objective)
    told: list[Improvement] = []
    result = improve(problem_of(grid, words), start, objective=objective, rounds=20, improved=told.append)
    assert tuple(told) == result.kept
    ranks = [naive_rank(grid, each.squares, words, objective) for each in result.kept]
    assert ranks == sorted(set(ranks))
    for each in result.kept:
        check_fill(grid, each.squares, words)
        scores = naive_scores(grid, each.squares, words)
        assert each.mean_score == pytest.approx(sum(scores) / len(scores) if scores else 0)
        assert each.lowest_score == min(scores, default=100)
        sign = 1 if objective.higher_is_better else -1
        assert sign * each.bound >= sign * most - 1e-4  # flattened scores are rounded


@examples(60)
@given(
    small_grids(5),
    word_lists(5),
    st.sampled_from(OBJECTIVES),
    st.integers(0, 30),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_however_it_is_stopped_the_best_is_legal_and_no_worse(
    grid: Grid, words: dict[str, int], objective: Objective, looks: int, threads: int, rng: Random
) -> None:
    start = some_fill(grid, words, rng)
    problem = problem_of(grid, words)
    result = improve(problem, start, Budget(threads=threads, stop=Stopper(looks)), objective=objective)
    assert result.outcome in (Outcome.CANCELLED, Outcome.FILLED)
    _check_no_worse(grid, words, objective, start, result)
    none = improve(problem, start, Budget(0), objective=objective)
    _check_no_worse(grid, words, objective, start, none)


def _check_no_worse(
    grid: Grid,
    words: Mapping[str, int],
    objective: Objective,
    start: Mapping[Position, Content],
    result: ImproveResult,
) -> None:
    assert result.best is not None
    check_fill(grid, result.best.squares, words)
    assert naive_rank(grid, result.best.squares, words, objective) >= naive_rank(grid, start, words, objective)


@examples(60)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_a_faulty_start_is_mended_or_proved_hopeless(grid: Grid, words: dict[str, int], rng: Random) -> None:
    contents = [*map(Content.of, LETTERS + "Z"), *REBUSES, None]
    squares = {position: rng.choice(contents) for slot in grid.slots for position in slot.positions}
    start = {position: content for position, content in squares.items() if content is not None}
    result = improve(problem_of(grid, words), start, rounds=2000)
    exists = any(True for _ in islice(naive_fills(grid, words), 1))
    if not exists:
        assert (result.outcome, result.best) == (Outcome.IMPOSSIBLE, None)
        assert result.reason
        return
    assert result.best is not None
    check_fill(grid, result.best.squares, words)
    given_squares = {at: content for at in grid.positions() if (content := given_content(grid, at))}
    assert all(result.best.squares[at] == content for at, content in given_squares.items() if at in squares)


@pytest.mark.parametrize("objective", [Objective(), Objective.lowest()])
def test_one_seed_finds_the_same_fills_round_by_round(objective: Objective) -> None:
    problem, start = wide_problem()
    runs = [improve(problem, start, Budget(seed=seed), objective=objective, rounds=100) for seed in (5, 5, 6)]
    values = [[(each.round, each.answers) for each in run.kept] for run in runs]
    assert values[0] == values[1] != values[2]
    assert runs[0].rounds == 100
    assert runs[0].outcome is Outcome.UNKNOWN


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_way_is_made_better_step_by_step(threads: int) -> None:
    problem, start = wide_problem()
    result = improve(problem, start, Budget(threads=threads), rounds=300)
    assert known(result.best).value > 97 > known(result.first).value
    assert result.bound == 100


def test_entries_that_no_list_has_are_replaced_and_others_kept() -> None:
    words = {"CAT": 30, "COT": 50, "ARE": 50, "TEA": 40, "ORE": 60}
    grid = grid_from_text("...#...\n" + "#######\n" * 2)
    unlisted = {
        Position(0, column): Content.of(letter) for column, letter in enumerate("XYZ TEA") if letter != " "
    }
    result = improve(problem_of(grid, words), unlisted, rounds=1)
    assert result.first is None
    assert result.best is not None
    assert result.best.answers["2A"] == "TEA"
    assert result.best.answers["1A"] in {"CAT", "COT", "ARE", "ORE"}


def test_an_exception_in_a_thread_ends_the_run_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from xwtui.engine.improve import rounds  # noqa: PLC0415

    def die(*_: object) -> None:
        raise RuntimeError("the thread is dead")

    monkeypatch.setattr(rounds.Rounds, "_round", die)
    problem, start = wide_problem()
    with pytest.raises(RuntimeError, match="the thread is dead"):
        improve(problem, start, Budget(threads=2))


def test_a_root_without_fills_says_why() -> None:
    result = improve(problem_of(grid_from_text("Q.J\n###\n###\n"), {"CAT": 1}), {})
    assert (result.outcome, result.best, result.gap) == (Outcome.IMPOSSIBLE, None, None)
    assert str(result.reason) == "1A: no word fits Q?J"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Objective.flattened(0), "the exponent must be above 0 and at most 10; it is 0"),
        (lambda: Objective.fewer_below(101), "scores go from 0 to 100; the mark is 101"),
        (lambda: Objective.avoiding("é"), "letters are expected, not 'é'"),
    ],
)
def test_objectives_out_of_range_are_refused(make: Callable[[], Objective], message: str) -> None:
    with pytest.raises(EngineError, match=message):
        make()


@examples(60)
@given(small_grids(4), word_lists(4), st.integers(0, 3), st.randoms(use_true_random=False))
def test_better_words_are_chosen_within_what_is_given(
    grid: Grid, words: dict[str, int], seed: int, rng: Random
) -> None:
    start = some_fill(grid, words, rng)
    problem = problem_of(grid, words)
    better = with_better_words(problem, start, Budget(seed=seed))
    check_fill(grid, better, words)
    assert naive_rank(grid, better, words, Objective()) >= naive_rank(grid, start, words, Objective())
    assert with_better_words(problem, start, Budget(seed=seed)) == better
