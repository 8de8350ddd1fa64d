"""The fill as clauses: judged like all others, and its proofs by a checker that knows clauses alone."""

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import small_grids, word_lists
from tests.naive.drat import refutes
from tests.strategies.judging import strategy_of
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Grid

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
