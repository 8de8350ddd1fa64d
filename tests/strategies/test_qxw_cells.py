"""Fills by cells, as in Qxw, and as clauses, with proofs judged by a checker that knows clauses alone."""

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of, small_grids, word_lists
from tests.naive.drat import refutes
from tests.naive.engine import naive_propagation
from tests.strategies.judging import judge, strategy_of, trail_of
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import EventKind, Outcome
from xwtui.engine.problem.task import Task
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid
from xwtui.strategies.bitmaps import Bitmaps, LetterScores
from xwtui.strategies.board import Board

OPTIONS = st.sampled_from(["", ":hardest=score", ":score=sum", ":hardest=score,score=sum"])


@given(small_grids(4), word_lists(4))
def test_words_go_until_squares_and_entries_agree(grid: Grid, words: dict[str, int]) -> None:
    left = naive_propagation(grid, words, allow_repeats=True)
    strategy = strategy_of("qxw-cells", grid, words, allow_repeats=True)
    first = next((event for event in strategy.run() if event.kind is not EventKind.PRUNE), None)
    is_alive = first is not None and first.kind in (EventKind.DECIDE, EventKind.SOLVED)
    assert is_alive == (left is not None)
    if left is not None and first is not None and first.kind is EventKind.DECIDE:
        assert strategy.domain_sizes == {name: len(kept) for name, kept in left.items()}


@given(small_grids(4), word_lists(4), st.booleans())
def test_letters_are_worth_their_words(grid: Grid, words: dict[str, int], sums_scores: bool) -> None:
    board = Board(Task(grid, lexicon_of(words)))
    bitmaps = Bitmaps(board)
    fitting = [bitmaps.fitting(slot) for slot in range(len(board.slots))]
    scores = LetterScores(board, bitmaps, sums_scores=sums_scores)
    for square, places in enumerate(board.places):
        expected: dict[str, int] = {}
        for turn, (slot, at) in enumerate(places):
            here: dict[str, int] = {}
            for word in bitmaps.of[slot].spelled(fitting[slot]):
                worth = board.score(board.read(slot, word)) if sums_scores else 1
                here[word[at]] = here.get(word[at], 0) + worth
            shared = here if turn == 0 else {one: here[one] * expected[one] for one in here if one in expected}
            expected = shared
        assert scores.of(square, fitting) == expected


def test_the_hardest_square_takes_its_best_letter() -> None:
    grid = grid_from_text("...\n.##\n.##")
    words = {"ACE": 1, "APE": 1, "BED": 1, "BAD": 1, "BUD": 1, "CUR": 90}
    strategy = strategy_of("qxw-cells", grid, words)
    first = next(event for event in strategy.run() if event.kind is EventKind.DECIDE)
    assert first.describe() == "decide r1c3 = D, 3 options"
    assert [rank.name for rank in strategy.ranking] == ["r1c3", "r3c1", "r1c1", "r1c2", "r2c1"]
    assert [rank.figures for rank in strategy.ranking[:3:2]] == ["3 letters, score 6", "3 letters, score 14"]
    by_score = strategy_of("qxw-cells:score=sum", grid, words)
    assert trail_of(by_score)[0] == "decide r1c3 = R, 3 options"


def test_an_impossible_grid_is_proved_so() -> None:
    strategy = judge("qxw-cells", grid_from_text("..#\n...\n#.."), {"AB": 1, "BC": 1, "CD": 1, "XYZ": 5})
    assert strategy.outcome is Outcome.IMPOSSIBLE


def test_a_repeat_is_a_dead_end() -> None:
    told = trail_of(strategy_of("qxw-cells", grid_from_text("..#\n..#\n###"), {"AA": 1, "AB": 1, "BB": 1}))
    assert told[-1] == "impossible: no fill exists"
    assert "1D has no options left: 1A has AA" in told


pytest.importorskip("pysat")


@given(small_grids(4), word_lists(4), st.booleans())
def test_every_proof_is_accepted_by_a_checker(grid: Grid, words: dict[str, int], allow_repeats: bool) -> None:
    strategy = strategy_of("sat", grid, words, allow_repeats=allow_repeats)
    if strategy.first_fill() is not None:
        assert strategy.proof is None
        return
    assert strategy.outcome is Outcome.IMPOSSIBLE
    assert strategy.proof is not None
    assert refutes(strategy.proof.formula, strategy.proof.steps)


def test_the_formula_names_its_variables() -> None:
    strategy = strategy_of("sat", grid_from_text("..#\n..#\n###"), {"AB": 1, "CD": 1})
    assert strategy.first_fill() is None
    assert strategy.proof is not None
    assert "1A = AB" in strategy.proof.formula.splitlines()[0]
    assert not refutes("p cnf 1 1\n1 0\n", "0\n")


def squares_of_letters(letters: str) -> dict[str, int]:
    """All words of four of these letters."""
    return {a + b + c + d: 1 for a in letters for b in letters for c in letters for d in letters}


def test_laying_the_clauses_out_looks_at_the_clock() -> None:
    strategy = strategy_of("sat", Grid.blank(4, 4), squares_of_letters("ABCDE"))
    strategy.advance(Budget(0))
    assert strategy.outcome is Outcome.RUNNING
    assert (strategy.is_over, strategy.counters.nodes, dict(strategy.squares)) == (False, 0, {})
    assert len(strategy.first_fill() or {}) == 16


def test_the_solver_is_waited_for_no_longer_than_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from pysat.solvers import Glucose4  # noqa: PLC0415  (an extra)

    solve, may_end = Glucose4.solve_limited, threading.Event()

    def solve_late(solver: Any, **named: Any) -> Any:
        may_end.wait()
        return solve(solver, **named)

    monkeypatch.setattr(Glucose4, "solve_limited", solve_late)
    strategy = strategy_of("sat", grid_from_text("..#\n..#\n###"), {"AB": 1, "AC": 1, "BD": 1, "CD": 1})
    try:
        while not strategy.seconds_beside:
            strategy.advance(Budget(0))
            assert strategy.outcome is Outcome.RUNNING
    finally:
        may_end.set()
    assert len(strategy.first_fill() or {}) == 4
