"""Estimates: wording, beliefs, intervals from quantiles and draws, and interrupted particle runs."""

import math
import random
from collections import Counter as Tally
from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import estimated_board, problem_of, small_grids, word_lists
from tests.examples import examples, is_deep
from tests.known import known
from tests.naive.engine import naive_fills, read_answer
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit
from xwtui.engine.candidates.find import Steps
from xwtui.engine.count.belief import Beliefs, believe
from xwtui.engine.count.estimate import Estimate, Instrument
from xwtui.engine.count.estimator import Counter, lognormal_mean_interval, student_t_quantile
from xwtui.engine.count.particles import ParticleRun, Populations
from xwtui.engine.kernels.network import SYMBOLS
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid
from xwtui.wording import about

EXACT, ROUGH, BETHE, SAMPLED = Instrument.EXACT, Instrument.PAIRWISE, Instrument.BETHE, Instrument.PARTICLES


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        (Estimate(EXACT, 3.08, exact=1204), "exactly 1,204 fills (proved)"),
        (Estimate(EXACT, 0.0, exact=1), "exactly 1 fill (proved)"),
        (Estimate(EXACT, None, exact=0), "no fill (proved)"),
        (Estimate(ROUGH, 38.42), "fills ≈ 10^38 (rough estimate)"),
        (Estimate(ROUGH, 0.0), "about 1 fill (rough estimate)"),
        (Estimate(ROUGH, -164.0), "probably no fill (estimate)"),
        (
            Estimate(ROUGH, 2.0, at_least=1204, counted=0.034),
            "about 100 fills (rough estimate); at least 1,204; 3.4% counted",
        ),
        (Estimate(BETHE, 38.42), "fills ≈ 10^38.4 (estimate)"),
        (Estimate(BETHE, 0.62), "about 4 fills (estimate)"),
        (Estimate(SAMPLED, 38.42, 37.9, 38.8, runs=6), "fills ≈ 10^38.4 (37.9–38.8)"),
        (Estimate(SAMPLED, 3.1, 3.0, 3.2), "about 1,300 fills (1,000 to 1,600)"),
        (
            Estimate(SAMPLED, None, runs=4),
            "no estimate yet: none of the samples was completed (this proves nothing)",
        ),
        # Grid rules that a figure ignores are named with it.
        (Estimate(ROUGH, 38.42, under_rules=True), "fills ≈ 10^38 without the rules (rough estimate)"),
        (
            Estimate(SAMPLED, None, runs=4, under_rules=True),
            "no estimate yet: none of the samples obeyed the rules (this proves nothing)",
        ),
        (Estimate(SAMPLED, 38.42, 37.9, 38.8, runs=6, under_rules=True), "fills ≈ 10^38.4 (37.9–38.8)"),
    ],
)
def test_an_estimate_states_its_certainty(estimate: Estimate, said: str) -> None:
    assert estimate.describe() == said


def test_an_interval_is_not_rough_and_zero_draws_prove_nothing() -> None:
    assert Estimate(ROUGH, 38.42).rough
    assert not Estimate(SAMPLED, 38.42, 37.9, 38.8, runs=6).rough
    assert Estimate(EXACT, None, exact=0).zero_proved
    assert not Estimate(SAMPLED, None, runs=4).zero_proved


def test_small_estimates_are_shown_as_plain_numbers() -> None:
    assert [about(log10) for log10 in (-1.0, 0.0, 2.0, 3.98, 38.42)] == ["< 1", "≈1", "≈100", "≈9,600", "≈10^38.4"]


@pytest.mark.parametrize(
    ("degrees_of_freedom", "published"),
    [(2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_student_t_quantiles_match_published_ones(degrees_of_freedom: int, published: float) -> None:
    assert student_t_quantile(degrees_of_freedom) == pytest.approx(published, rel=0.002)


def test_fewer_than_three_draws_give_no_interval() -> None:
    assert lognormal_mean_interval([30.0, 31.0]) is None
    assert lognormal_mean_interval([], zero_draws=10) is None


def test_equal_draws_give_a_point() -> None:
    interval = known(lognormal_mean_interval([12.5] * 4))
    assert interval == pytest.approx((12.5, 12.5, 12.5))


def test_zero_draws_lower_the_mean_and_widen_the_interval() -> None:
    draws = [10.0, 10.1, 10.2, 10.1]
    without, with_zeros = lognormal_mean_interval(draws), lognormal_mean_interval(draws, zero_draws=4)
    assert without is not None
    assert with_zeros is not None
    assert with_zeros.mean == pytest.approx(without.mean - math.log10(2))
    assert with_zeros.high - with_zeros.low > without.high - without.low


@pytest.mark.parametrize("spread", [0.3, 1.0, 2.0])
def test_the_interval_covers_the_mean_in_nine_of_ten_cases(spread: float) -> None:
    draw = random.Random(7)
    held = 0
    for _ in range(400):
        logs = [(draw.gauss(0.0, spread) - spread**2 / 2) / math.log(10) for _ in range(8)]
        interval = known(lognormal_mean_interval(logs))
        held += interval.low <= 0.0 <= interval.high
    assert held >= 360


class Endless(Counter):
    """A counter whose exact counts never end; it records the time limits they are given."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.given: list[float | None] = []

    def exact(self, budget: Budget = NO_LIMIT, progress: object = None) -> Estimate | None:
        self.given.append(budget.seconds)
        return None


def test_an_interval_does_not_wait_for_the_exact_count() -> None:
    counter = Endless(problem_of(GRID, WORDS, allow_repeats=True))
    counting = counter.estimates(Budget(1_000))
    assert counter.is_countable
    estimate = next(one for one in counting if not one.rough)
    assert counter.given == [100]
    assert estimate.runs >= 3
    assert not next(counting).rough
    assert counter.given[:2] == [100, 400]


def test_an_unlimited_count_continues_until_exact_or_stopped() -> None:
    counter = Endless(problem_of(GRID, WORDS, allow_repeats=True))
    waited_for = next(one for one in counter.estimates(NO_LIMIT) if None in counter.given)
    assert not waited_for.rough
    assert counter.given == [0.5, 2.0, None]
    many = dict.fromkeys(("".join(word) for word in product("ABCDEF", repeat=4)), 50)
    counter = Endless(problem_of(Grid.blank(4, 4), many, allow_repeats=True))
    assert not counter.is_countable
    *_, last = counter.estimates(Budget(stop=lambda: counter.runs >= 12))
    assert last.runs >= 12


TREES = [
    "...\n.#.\n.##",
    ".#.\n...\n.#.",
    "..#..\n#.#.#\n#...#\n##.##\n#...#",
    ".....\n#####\n#...#",
    "...#...\n#.###.#\n#.###.#",
]


def some_words(seed: int) -> dict[str, int]:
    """Return words of up to five letters, enough for most grids."""
    rng = Random(seed)
    return {"".join(rng.choices("ABCD", k=length)): 50 for length in (2, 3, 4, 5) for _ in range(6 * length)}


def truth(grid: Grid, words: dict[str, int], *, allow_repeats: bool) -> tuple[int, Tally[object]]:
    """Return the number of fills, and in how many each square has each content and each entry each word."""
    fills, having = 0, Tally[object]()
    for fill in naive_fills(grid, words, allow_repeats=allow_repeats):
        fills += 1
        having.update(fill.items())
        having.update((slot.name, read_answer(fill, slot)) for slot in grid.slots)
    return fills, having


@pytest.mark.parametrize("text", TREES)
@pytest.mark.parametrize("seed", range(4 if is_deep() else 1))
def test_beliefs_are_exact_on_trees(text: str, seed: int) -> None:
    grid, words = grid_from_text(text), some_words(seed)
    fills, having = truth(grid, words, allow_repeats=True)
    assert fills > 0
    problem = problem_of(grid, words, allow_repeats=True)
    beliefs = believe(problem, seconds=None)
    assert beliefs.converged
    assert beliefs.log10_bethe == pytest.approx(math.log10(fills), abs=0.01)
    for square, position in enumerate(problem.positions):
        for content, share in beliefs.square_shares(square).items():
            assert share == pytest.approx(having[position, content] / fills, abs=0.01)
    for slot in grid.slots:
        for word, share in beliefs.word_shares(slot.name).items():
            assert share == pytest.approx(having[slot.name, word] / fills, abs=0.01)


def test_shares_are_near_the_truth_on_grids_with_many_cycles() -> None:
    """On 3x3 squares with many words, letter shares are off by under 3 % on average, estimates by under half."""
    errors: list[float] = []
    for seed in range(3 if is_deep() else 1):
        rng = Random(seed)
        words = {"".join(rng.choices("ABCD", k=3)): 50 for _ in range(30)}
        grid = Grid.blank(3, 3)
        fills, having = truth(grid, words, allow_repeats=True)
        assert fills > 20
        beliefs = believe(problem_of(grid, words, allow_repeats=True), seconds=None)
        assert beliefs.log10_bethe == pytest.approx(math.log10(fills), abs=0.5)
        for square, position in enumerate(beliefs.problem.positions):
            shares = beliefs.square_shares(square)
            letters = [Content.of(letter) for letter in "ABCD"]
            errors += [abs(shares.get(letter, 0.0) - having[position, letter] / fills) for letter in letters]
    assert sum(errors) / len(errors) < 0.03


def check_bounds(beliefs: Beliefs) -> None:
    """Check that shares are in bounds, sum to 1, and are 0 for values removed by propagation."""
    problem = beliefs.problem
    for slot in range(len(problem.slot_names)):
        rows = beliefs.row_shares(slot)
        alive = set(problem.rows_left(problem.root.state, slot).tolist())
        assert all(0.0 <= share <= 1.0 for share in rows.tolist())
        assert all(share == 0.0 for row, share in enumerate(rows.tolist()) if row not in alive)
        assert rows.sum() == pytest.approx(1.0)
    for square in range(len(problem.positions)):
        shares = beliefs.square_shares(square)
        assert sum(shares.values()) == pytest.approx(1.0)
        assert list(shares.values()) == sorted(shares.values(), reverse=True)


@examples(40)
@given(small_grids(), word_lists(), st.booleans())
def test_beliefs_stay_in_bounds(grid: Grid, words: dict[str, int], allow_repeats: bool) -> None:
    problem = problem_of(grid, words, allow_repeats=allow_repeats)
    beliefs = believe(problem, seconds=None)
    if problem.root.is_possible:
        assert beliefs.log10_bethe is not None
        assert math.isfinite(beliefs.log10_bethe)
        check_bounds(beliefs)
        return
    assert beliefs.log10_bethe is None
    assert not any(beliefs.row_shares(slot).any() for slot in range(len(problem.slot_names)))
    assert not any(beliefs.square_shares(square) for square in range(len(problem.positions)))


def test_cancelled_beliefs_still_give_a_finite_estimate() -> None:
    words = some_words(1)
    beliefs = believe(problem_of(Grid.blank(3, 3), words), seconds=0.0)
    assert beliefs.log10_bethe is not None
    assert math.isfinite(beliefs.log10_bethe)


GRID = Grid.blank(3, 3)
WORDS = {"".join(letters): 50 for letters in product("ABC", repeat=3)}


def problem() -> Problem:
    return problem_of(GRID, WORDS)


def steps_of() -> Steps:
    """Return a stepwise candidate search for one entry."""
    posed = problem()
    beliefs = believe(posed)
    return Steps(estimated_board(posed, "1A", beliefs), beliefs)


def after(looks: int) -> Callable[[], bool]:
    """Return a stop callback that becomes true after `looks` calls."""
    left = iter(range(looks))
    return lambda: next(left, None) is None


def runs(*, forgetful: bool) -> list[float | None]:
    """Return the results of ten runs in which slices from the sixth on are cut short after a few steps."""
    posed = problem()
    populations = Populations(posed, believe(posed), 8, seed=3)
    for looks in (3, 7, 2, 5):
        populations.advance(1, 10, after(looks))
        if forgetful:
            populations.forget_interrupted()
            assert not any(populations._interrupted.values())
    populations.advance(2, 10, lambda: False)
    return list(populations.log10_fills)


def test_a_run_restarted_after_interruption_ends_the_same() -> None:
    assert runs(forgetful=True) == runs(forgetful=False)
    assert len(runs(forgetful=True)) == 10


def test_a_resting_counter_holds_no_interrupted_run() -> None:
    counter = Counter(problem(), particles=8)
    counter.release()
    counter._populations = populations = Populations(problem(), believe(problem()), 8, seed=3)
    populations.advance(1, 10, after(5))
    assert any(populations._interrupted.values())
    counter.release()
    assert not any(populations._interrupted.values())


def interrupted_count(steps: Steps, word: str) -> Populations:
    """Return the runs of a word's count, with one run interrupted."""
    counter = steps._trial(word).counter
    counter._populations = runs = Populations(counter._problem, counter.beliefs(), 8, seed=3)
    runs.advance(1, 10, after(5))
    assert any(runs._interrupted.values())
    steps._counted = word
    return runs


def test_only_one_candidate_holds_interrupted_runs() -> None:
    steps = steps_of()
    first = interrupted_count(steps, "ABC")
    steps._count("ABC", TimeLimit(Budget(0.0, stop=lambda: True)))
    assert any(first._interrupted.values())
    steps._count("CAB", TimeLimit(Budget(0.0, stop=lambda: True)))
    assert not any(first._interrupted.values())
    last = interrupted_count(steps, "CAB")
    steps.release()
    assert not any(last._interrupted.values())


def test_a_run_stores_no_shares_of_symbols_without_support() -> None:
    posed = problem()
    beliefs = believe(posed)
    assert beliefs.messages is not None
    shares = beliefs.messages.shares.reshape(-1, SYMBOLS)
    kept = ParticleRun(posed, beliefs, 8, seed=3)._population.shares
    assert kept.shape[1:] == (len(shares), 26)
    assert (kept[0] == shares[:, :26].astype(np.float32)).all()
    assert not shares[:, 26:].any()


def test_words_out_of_view_hold_no_trial() -> None:
    steps = steps_of()
    over = TimeLimit(Budget(0.0))
    for _ in range(3):
        steps.step(["ABC", "CAB"], over)
    steps._trial("ABC")
    steps._trial("CAB")
    steps.step(["CAB", "BAC"], over)
    assert "ABC" not in steps._trials
    assert "CAB" in steps._trials


def test_memory_for_words_in_view_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = steps_of()
    held = steps._trial("AAA").bytes
    monkeypatch.setattr("xwtui.engine.candidates.find._TRIALS_BYTES", 3 * held)
    for word in ("ABC", "CAB", "BAC", "CCC"):
        steps._trial(word)
    assert list(steps._trials) == ["CAB", "BAC", "CCC"]


def test_memory_for_interrupted_searches_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = steps_of()
    monkeypatch.setattr("xwtui.engine.candidates.find._SEARCHES_BYTES", 2 * steps._state.block.nbytes)
    for word in ("ABC", "CAB", "BAC", "ABC"):
        steps._prove_word(word, TimeLimit(Budget(0.0)))
    assert [word for word, trial in steps._trials.items() if trial.filler is not None] == ["ABC", "BAC"]
    steps._prove_word("ABC", TimeLimit())
    assert "ABC" in steps.board.fills
    assert [word for word, trial in steps._trials.items() if trial.filler is not None] == ["BAC"]


def test_a_root_state_has_no_scratch_arrays_but_its_copies_do() -> None:
    root = problem().root.state
    whole = root.copy()
    assert root.block.nbytes < whole.block.nbytes / 4
    assert len(root.trail) == len(root.events) == len(root.rows) == 0
    assert len(whole.trail) >= 12 * len(root.memory)
    assert (whole.memory == root.memory).all()
    assert whole.without_scratch().copy().block.nbytes == whole.block.nbytes


def test_a_fully_known_word_holds_no_trial() -> None:
    steps = steps_of()
    while steps.step(["ABC"], TimeLimit()) is not None:
        pass
    assert "ABC" in steps.board.fills
    assert not steps._trials
