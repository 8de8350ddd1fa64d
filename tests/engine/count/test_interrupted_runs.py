"""Runs of particles that are given up to save memory, and begun again."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from tests.engine.small_problems import problem_of
from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.candidates.find import Steps, reckoned_board
from xwtui.engine.count.belief import believe
from xwtui.engine.count.estimator import Counter
from xwtui.engine.count.particles import ParticleRun, Populations
from xwtui.engine.kernels.network import SYMBOLS
from xwtui.engine.problem.problem import Problem
from xwtui.model import Grid

GRID = Grid.blank(3, 3)
WORDS = {"".join(letters): 50 for letters in product("ABC", repeat=3)}


def problem() -> Problem:
    return problem_of(GRID, WORDS)


def after(looks: int) -> Callable[[], bool]:
    """Over after so many looks at the clock."""
    left = iter(range(looks))
    return lambda: next(left, None) is None


def runs(*, forgetful: bool) -> list[float | None]:
    """The ends of ten runs, where the sixth and later slices of a few steps are cut short."""
    posed = problem()
    populations = Populations(posed, believe(posed), 8, seed=3)
    for looks in (3, 7, 2, 5):
        populations.advance(1, 10, after(looks))
        if forgetful:
            populations.forget_interrupted()
            assert not populations._interrupted
    populations.advance(2, 10, lambda: False)
    return list(populations.log10_fills)


def test_a_run_that_was_given_up_comes_to_the_same_end() -> None:
    assert runs(forgetful=True) == runs(forgetful=False)
    assert len(runs(forgetful=True)) == 10


def test_a_counter_at_rest_holds_no_run_that_has_not_ended() -> None:
    counter = Counter(problem(), particles=8)
    counter.rest()
    counter._populations = populations = Populations(problem(), believe(problem()), 8, seed=3)
    populations.advance(1, 10, after(5))
    assert populations._interrupted
    counter.rest()
    assert not populations._interrupted


def interrupted_count(steps: Steps, word: str) -> Populations:
    """The runs of a word's count, one of which has not ended."""
    counter = steps._trial(word).counter
    counter._populations = runs = Populations(counter._problem, counter.beliefs(), 8, seed=3)
    runs.advance(1, 10, after(5))
    assert runs._interrupted
    steps._counted = word
    return runs


def test_of_all_candidates_one_has_runs_that_have_not_ended() -> None:
    posed = problem()
    beliefs = believe(posed)
    steps = Steps(reckoned_board(posed, "1A", beliefs, None), beliefs)
    first = interrupted_count(steps, "ABC")
    steps._count("ABC", TimeLimit(Budget(0.0, stop=lambda: True)))
    assert first._interrupted
    steps._count("CAB", TimeLimit(Budget(0.0, stop=lambda: True)))
    assert not first._interrupted
    last = interrupted_count(steps, "CAB")
    steps.rest()
    assert not last._interrupted


def test_a_run_holds_no_shares_of_symbols_that_no_table_has() -> None:
    posed = problem()
    beliefs = believe(posed)
    assert beliefs.messages is not None
    shares = beliefs.messages.shares.reshape(-1, SYMBOLS)
    kept = ParticleRun(posed, beliefs, 8, seed=3)._population.shares
    assert kept.shape[1:] == (len(shares), 26)
    assert (kept[0] == shares[:, :26].astype(np.float32)).all()
    assert not shares[:, 26:].any()


def test_words_that_have_left_the_view_hold_no_trial() -> None:
    posed = problem()
    beliefs = believe(posed)
    steps = Steps(reckoned_board(posed, "1A", beliefs, None), beliefs)
    over = TimeLimit(Budget(0.0))
    for _ in range(3):
        steps.step(["ABC", "CAB"], over)
    steps._trial("ABC")
    steps._trial("CAB")
    steps.step(["CAB", "BAC"], over)
    assert "ABC" not in steps._trials
    assert "CAB" in steps._trials


def test_the_words_in_view_hold_so_many_bytes_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    posed = problem()
    steps = Steps(reckoned_board(posed, "1A", believe(posed), None), believe(posed))
    held = steps._trial("AAA").bytes
    monkeypatch.setattr("xwtui.engine.candidates.find._TRIALS_BYTES", 3 * held)
    for word in ("ABC", "CAB", "BAC", "CCC"):
        steps._trial(word)
    assert list(steps._trials) == ["CAB", "BAC", "CCC"]


def test_searches_that_have_not_ended_hold_so_many_bytes_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    posed = problem()
    steps = Steps(reckoned_board(posed, "1A", believe(posed), None), believe(posed))
    monkeypatch.setattr("xwtui.engine.candidates.find._SEARCHES_BYTES", 2 * steps._state.block.nbytes)
    for word in ("ABC", "CAB", "BAC", "ABC"):
        steps._prove_word(word, TimeLimit(Budget(0.0)))
    assert [word for word, trial in steps._trials.items() if trial.is_searching] == ["ABC", "BAC"]
    steps._prove_word("ABC", TimeLimit())
    assert "ABC" in steps.board.fills
    assert [word for word, trial in steps._trials.items() if trial.is_searching] == ["BAC"]


def test_a_root_has_no_scratch_and_copies_of_it_do() -> None:
    root = problem().root.state
    whole = root.copy()
    assert root.block.nbytes < whole.block.nbytes / 4
    assert len(root.trail) == len(root.events) == len(root.rows) == 0
    assert len(whole.trail) >= 12 * len(root.memory)
    assert (whole.memory == root.memory).all()
    assert whole.at_rest().copy().block.nbytes == whole.block.nbytes


def test_a_word_of_which_all_is_known_holds_no_trial() -> None:
    posed = problem()
    beliefs = believe(posed)
    steps = Steps(reckoned_board(posed, "1A", beliefs, None), beliefs)
    while steps.step(["ABC"], TimeLimit()) is not None:
        pass
    assert "ABC" in steps.board.fills
    assert not steps._trials
