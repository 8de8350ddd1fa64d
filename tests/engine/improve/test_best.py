"""The improver: best fills by brute force, valid proofs, rules and preferences."""

from collections.abc import Callable, Mapping
from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.small_problems import LETTERS, REBUSES, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.known import known
from tests.naive.engine import check_fill, given_content, naive_fills
from tests.naive.partial import naive_best, naive_rank, naive_scores, naive_value
from tests.naive.worlds import random_world
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.portfolio import fill
from xwtui.engine.improve.improvement import Improvement, ImproveResult, Objective
from xwtui.engine.improve.improver import improve, with_better_words
from xwtui.engine.improve.neighbourhood import Perturbations
from xwtui.engine.improve.rounds import Climb
from xwtui.engine.improve.shared_best import PricedBound, SharedBest, Watch
from xwtui.engine.improve.worth import CodedFill, Worth
from xwtui.engine.problem.problem import Problem
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position
from xwtui.words.lexicon import FAVOUR, Lexicon, Preferences
from xwtui.words.word_list import WordList

LOWEST = Objective.lowest()


def best_fill(problem: Problem, budget: Budget) -> ImproveResult:
    """Fill a grid with the highest lowest score, and then the best mean."""
    return improve(problem, None, budget, objective=LOWEST)


@examples(60)
@given(small_grids(4), word_lists(4), st.integers(0, 3), st.integers(1, 2))
def test_the_best_of_all_fills_is_found(grid: Grid, words: dict[str, int], seed: int, threads: int) -> None:
    result = best_fill(problem_of(grid, words), Budget(60, threads=threads, seed=seed))
    objective = Objective.lowest()
    best = naive_best(grid, words, objective)
    if best is None:
        assert (result.outcome, result.best) == (Outcome.IMPOSSIBLE, None)
        assert result.reason
        return
    assert result.best is not None
    check_fill(grid, result.best.squares, words)
    found = naive_rank(grid, result.best.squares, words, objective)
    assert found == naive_rank(grid, best, words, objective)
    assert result.outcome is Outcome.FILLED
    assert result.best.value == result.bound == min(naive_scores(grid, best, words), default=100)


@examples(60)
@given(small_grids(4), word_lists(4), st.integers(0, 3), st.integers(1, 2))
def test_each_minimum_score_tried_is_judged_rightly(
    grid: Grid, words: dict[str, int], seed: int, threads: int
) -> None:
    problem = problem_of(grid, words)
    assume(problem.root.is_possible)
    shared = SharedBest(Worth(problem, LOWEST))
    climb = Climb(shared, Watch(shared, Budget(60, threads=threads, seed=seed)))
    climb.find_any()
    climb.sweep(1 << 20)
    for minimum_score, outcome in climb.tried.items():
        high = {word: score for word, score in words.items() if score >= minimum_score}
        assert outcome in (Outcome.UNKNOWN, _verdict(grid, words, high))


def _verdict(grid: Grid, words: dict[str, int], high: dict[str, int]) -> Outcome:
    """Return whether some fill uses only high-scoring words, except entries given whole."""
    for filled in naive_fills(grid, words):
        if min(naive_scores(grid, filled, words), default=100) >= min(high.values(), default=101):
            return Outcome.FILLED
    return Outcome.IMPOSSIBLE


@examples(40)
@given(small_grids(4), word_lists(4), st.integers(0, 40), st.integers(1, 3))
def test_the_fill_is_legal_whenever_it_is_stopped(
    grid: Grid, words: dict[str, int], looks: int, threads: int
) -> None:
    result = best_fill(problem_of(grid, words), Budget(60, threads=threads, stop=Stopper(looks)))
    if result.best is None:
        assert result.outcome in (Outcome.CANCELLED, Outcome.IMPOSSIBLE)
        return
    ranks = [naive_rank(grid, each.squares, words, Objective.lowest()) for each in result.kept]
    assert ranks == sorted(set(ranks))
    assert result.kept[-1] is result.best
    for each in result.kept:
        check_fill(grid, each.squares, words)


def test_a_seed_finds_the_same_fills_up_to_any_cutoff() -> None:
    problem, _ = wide_problem()
    short, long, other = (
        [fill.answers for fill in best_fill(problem, Budget(600, seed=seed, stop=Stopper(looks))).kept]
        for seed, looks in ((5, 80), (5, 240), (6, 240))
    )
    assert 1 < len(short) <= len(long)
    assert short == long[: len(short)]
    assert short != other[: len(short)]


def test_without_time_there_is_no_fill_and_no_claim() -> None:
    problem = problem_of(Grid.blank(3, 3), {"AAA": 1, "BBB": 2})
    result = best_fill(problem, Budget(0))
    assert (result.outcome, result.best) == (Outcome.UNKNOWN, None)
    cancelled = best_fill(problem, Budget(60, stop=lambda: True))
    assert (cancelled.outcome, cancelled.best) == (Outcome.CANCELLED, None)


def test_the_mean_ranks_before_the_number_of_low_entries() -> None:
    """In one fill a single entry scores 40 and the rest 45; in the other two score 40 and the rest 90."""
    words = dict.fromkeys(("DEF", "GHI", "ADG", "BEH", "CFI"), 45)
    words |= dict.fromkeys(("PQR", "JMP", "KNQ", "LOR"), 90) | dict.fromkeys(("ABC", "JKL", "MNO"), 40)
    problem = problem_of(Grid.blank(3, 3), words)
    for seed in range(3):
        result = best_fill(problem, Budget(60, seed=seed))
        assert result.best is not None
        assert result.outcome is Outcome.FILLED
        assert result.best.lowest_score == 40
        assert round(result.best.mean_score, 1) == 73.3


@examples(150)
@given(st.integers(0, 1 << 32), st.integers(1, 2))
def test_a_fill_called_best_is_best(seed: int, threads: int) -> None:
    world = random_world(Random(seed))
    result = best_fill(world.problem, Budget(60, threads=threads, seed=seed))
    if not world.fills:
        assert (result.outcome, result.best) == (Outcome.IMPOSSIBLE, None)
        return
    ranks = [_rank(world.scores(fill)) for fill in world.fills]
    assert result.best is not None
    assert result.outcome is Outcome.FILLED
    assert _rank(world.scores(result.best.squares)) == max(ranks)
    assert result.best.value == result.bound == max(ranks)[0]
    start = world.fills[seed % len(world.fills)]
    improved = improve(world.problem, start, Budget(threads=threads, seed=seed), objective=Objective.lowest())
    assert improved.outcome is Outcome.FILLED
    assert _rank(world.scores(known(improved.best).squares)) == max(ranks)
    assert improved.gap == 0


def _rank(scores: list[int]) -> tuple[int, int]:
    """Return the sort key of fills. The sum stands for the mean, since all fills have as many entries."""
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


def test_prices_reconcile_crossing_entries_that_want_different_letters() -> None:
    words = {"ABC": 100, "BAC": 10, "CCC": 5}
    problem = problem_of(grid_from_text(".##\n...\n.##\n"), words)
    worth = Worth(problem, Objective())
    priced = PricedBound(worth)
    totals = [priced.step(110) for _ in range(500) if not priced.is_settled]
    assert totals[0] == 200
    assert totals[-1] == 110


def test_a_fill_that_meets_the_bound_is_proved_best() -> None:
    words = {"ABC": 100, "BAC": 10, "CCC": 5}
    problem = problem_of(grid_from_text(".##\n...\n.##\n"), words)
    result = improve(problem, {}, rounds=400)
    assert (known(result.best).value, result.bound, result.gap) == (55, 55, 0)


class Stopper:
    """A stop callback that becomes true after `looks` calls."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def __call__(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def wide_problem() -> tuple[Problem, dict[Position, Content]]:
    """Return a problem with too many fills to enumerate, and one of its fills."""
    rng = Random(1)
    words = {
        first + second + third + fourth: rng.randint(0, 100)
        for first in "ABCDEF"
        for second in "ABCDEF"
        for third in "ABCDEF"
        for fourth in "ABCDEF"
    }
    grid = grid_from_text("....#....\n" * 4 + "#########\n" + "....#....\n" * 4)
    problem = problem_of(grid, words)
    return problem, dict(fill(problem).squares)


RANDOMS = st.randoms(use_true_random=False)
PREFERRING = [Objective(), Objective.lowest(), Objective.flattened(0.5), Objective.fewer_below(60)]


def with_preferences(words: dict[str, int], rng: Random, cost: int = FAVOUR) -> tuple[Lexicon, dict[str, int]]:
    """Return a lexicon with preferred and recently used words, and the effective score of each word."""
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
    st.sampled_from(PREFERRING),
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
    result = best_fill(Problem.build(grid, lexicon), Budget(60))
    assert result.best is not None
    found = naive_rank(grid, result.best.squares, counts, objective)
    assert found == naive_rank(grid, best, counts, objective)
    assert result.best.value == result.bound == naive_value(grid, best, counts, objective)


BEST = CodedFill(np.zeros(0, np.int64), np.zeros(0, np.int64), (0, 0))
OTHER = CodedFill(np.zeros(0, np.int64), np.zeros(0, np.int64), (0, 1))


def test_a_fill_is_abandoned_after_long_without_improvement() -> None:
    perturbations = Perturbations(100, Random(1))
    assert perturbations.current(BEST) is BEST
    rounds = 0
    while not perturbations.is_due:
        perturbations.count()
        rounds += 1
    assert 10 < rounds < 100
    perturbations.switch_to(OTHER)
    assert not perturbations.is_due
    assert perturbations.current(BEST) is OTHER
    perturbations.switch_to(None)
    assert perturbations.current(BEST) is BEST


@given(st.integers(1, 400), st.integers(0, 100), st.lists(st.sampled_from(list(Outcome)), max_size=200))
def test_a_perturbation_frees_some_squares_and_uses_existing_scores(
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


WEIGHTS = [
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


def test_a_given_square_of_two_unwanted_letters_counts_once() -> None:
    grid, words = grid_from_text("[A/B]C#\nCC#\n###"), dict.fromkeys(("AC", "BC", "CC"), 50)
    result = improve(
        problem_of(grid, words, allow_repeats=True), {}, objective=Objective.avoiding("AB"), rounds=20
    )
    assert (known(result.best).value, result.bound) == (1, 1)


@pytest.mark.parametrize(
    ("text", "answer", "fresh"),
    [("##[B/C]#\n##.#\n####", "CB", 2), ("###\n###\n#.[AB/CA]", "AAB", 2), ("##[CA/B]\n##.\n###", "BB", 1)],
)
def test_a_letter_that_no_entry_reads_does_not_count(text: str, answer: str, fresh: int) -> None:
    problem = problem_of(grid_from_text(text), {"CB": 32, "CC": 60, "AAB": 50, "BB": 40})
    result = improve(problem, {}, objective=Objective.fresh(), rounds=20)
    assert (known(result.best).value, *known(result.best).answers.values()) == (fresh, answer)
    unread = "".join(set("ABCX") - set(answer))
    avoided = improve(problem, dict(known(result.best).squares), objective=Objective.avoiding(unread), rounds=20)
    assert known(avoided.first).value == 0


def some_fill(grid: Grid, words: Mapping[str, int], rng: Random) -> dict[Position, Content]:
    """Return one of the first fills of plain backtracking."""
    fills = list(islice(naive_fills(grid, words), 5))
    assume(fills)
    return rng.choice(fills)


@examples(100)
@given(
    small_grids(4),
    word_lists(4),
    st.sampled_from(WEIGHTS),
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
@given(small_grids(4), word_lists(4), st.sampled_from(WEIGHTS), st.randoms(use_true_random=False))
def test_every_incumbent_is_legal_better_and_within_the_bound(
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
    st.sampled_from(WEIGHTS),
    st.integers(0, 30),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_the_incumbent_is_legal_and_no_worse_whenever_it_is_stopped(
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
def test_an_illegal_start_is_repaired_or_proved_hopeless(grid: Grid, words: dict[str, int], rng: Random) -> None:
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
def test_a_seed_finds_the_same_fills_round_by_round(objective: Objective) -> None:
    problem, start = wide_problem()
    runs = [improve(problem, start, Budget(seed=seed), objective=objective, rounds=100) for seed in (5, 5, 6)]
    values = [[(each.round, each.answers) for each in run.kept] for run in runs]
    assert values[0] == values[1] != values[2]
    assert runs[0].rounds == 100
    assert runs[0].outcome is Outcome.UNKNOWN


@pytest.mark.parametrize("threads", [1, 2])
def test_a_distant_optimum_is_reached_step_by_step(threads: int) -> None:
    problem, start = wide_problem()
    result = improve(problem, start, Budget(threads=threads), rounds=300)
    assert known(result.best).value > 97 > known(result.first).value
    assert result.bound == 100


def test_unlisted_entries_are_replaced_and_others_kept() -> None:
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


@pytest.mark.parametrize("rounds", [0, 1])
def test_no_thread_waits_forever_when_rounds_end_before_a_repair(rounds: int) -> None:
    problem, start = wide_problem()
    faulty = {at: Content.of("Q") if number < 9 else content for number, (at, content) in enumerate(start.items())}
    result = improve(problem, faulty, Budget(threads=2), rounds=rounds)
    assert result.first is None
    assert result.outcome is Outcome.UNKNOWN


def test_an_exception_in_a_thread_ends_the_run_and_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from xwtui.engine.improve import rounds  # noqa: PLC0415

    def die(*_: object) -> None:
        raise RuntimeError("the thread is dead")

    monkeypatch.setattr(rounds.Rounds, "_round", die)
    problem, start = wide_problem()
    with pytest.raises(RuntimeError, match="the thread is dead"):
        improve(problem, start, Budget(threads=2))


def test_a_root_without_fills_gives_a_reason() -> None:
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
def test_better_words_keep_the_given_squares_and_are_reproducible(
    grid: Grid, words: dict[str, int], seed: int, rng: Random
) -> None:
    start = some_fill(grid, words, rng)
    problem = problem_of(grid, words)
    better = with_better_words(problem, start, Budget(seed=seed))
    check_fill(grid, better, words)
    assert naive_rank(grid, better, words, Objective()) >= naive_rank(grid, start, words, Objective())
    assert with_better_words(problem, start, Budget(seed=seed)) == better
