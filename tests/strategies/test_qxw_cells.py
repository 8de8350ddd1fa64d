"""Published fillers: Copeland's, Qxw's by cells, and SAT with proofs that a checker verifies."""

import re
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
from xwtui.strategies.copeland import Copeland, look_ahead
from xwtui.strategies.registry import StrategyChoice

OPTIONS = st.sampled_from(["", ":hardest=score", ":score=sum", ":hardest=score,score=sum"])


@given(small_grids(4), word_lists(4))
def test_words_are_removed_until_squares_and_entries_agree(grid: Grid, words: dict[str, int]) -> None:
    left = naive_propagation(grid, words, allow_repeats=True)
    strategy = strategy_of("qxw-cells", grid, words, allow_repeats=True)
    first = next((event for event in strategy.run() if event.kind is not EventKind.PRUNE), None)
    is_alive = first is not None and first.kind in (EventKind.DECIDE, EventKind.SOLVED)
    assert is_alive == (left is not None)
    if left is not None and first is not None and first.kind is EventKind.DECIDE:
        assert strategy.domain_sizes == {name: len(kept) for name, kept in left.items()}


@given(small_grids(4), word_lists(4), st.booleans())
def test_letters_are_weighted_by_their_words(grid: Grid, words: dict[str, int], sums_scores: bool) -> None:
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


def test_a_repeat_is_a_dead_end() -> None:
    told = trail_of(strategy_of("qxw-cells", grid_from_text("..#\n..#\n###"), {"AA": 1, "AB": 1, "BB": 1}))
    assert told[-1] == "impossible: no fill exists"
    assert "1D has no options left: 1A has AA" in told


pytest.importorskip("pysat")


@given(small_grids(4), word_lists(4), st.booleans())
def test_a_checker_accepts_every_proof(grid: Grid, words: dict[str, int], allow_repeats: bool) -> None:
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


def test_repeat_clauses_apply_to_one_fill_only() -> None:
    strategy = strategy_of("sat", grid_from_text("..#\n..#\n###"), {"AA": 1})
    first, *_ = trail_of(strategy)
    assert re.fullmatch("dead end: a fill with AA in both [0-9][AD] and [0-9][AD] is no longer possible", first)


def squares_of_letters(letters: str) -> dict[str, int]:
    """Return all words of four of these letters."""
    return {a + b + c + d: 1 for a in letters for b in letters for c in letters for d in letters}


def test_building_clauses_checks_the_time_limit() -> None:
    strategy = strategy_of("sat", Grid.blank(4, 4), squares_of_letters("ABCDE"))
    strategy.advance(Budget(0))
    assert strategy.outcome is Outcome.RUNNING
    assert (strategy.is_over, strategy.counters.nodes, dict(strategy.squares)) == (False, 0, {})
    assert len(strategy.first_fill() or {}) == 16


def test_the_solver_respects_its_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    from pysat.solvers import Glucose4  # noqa: PLC0415  (an extra)

    solve, may_end = Glucose4.solve_limited, threading.Event()

    def solve_late(solver: Any, **named: Any) -> Any:
        may_end.wait()
        return solve(solver, **named)

    monkeypatch.setattr(Glucose4, "solve_limited", solve_late)
    strategy = strategy_of("sat", grid_from_text("..#\n..#\n###"), {"AB": 1, "AC": 1, "BD": 1, "CD": 1})
    try:
        while not strategy.thread_seconds:
            strategy.advance(Budget(0))
            assert strategy.outcome is Outcome.RUNNING
    finally:
        may_end.set()
    assert len(strategy.first_fill() or {}) == 4


WORDS = {a + b + c: 10 * ord(a) + 7 * ord(b) + ord(c) - 18 * ord("A") for a in "ABC" for b in "ABC" for c in "ABC"}
SQUARE = grid_from_text("...\n...\n...")


def copeland(
    options: str, grid: Grid, words: dict[str, int], *, allow_repeats: bool = False, seed: int = 0
) -> Copeland:
    """Return the strategy object, which has an estimate and values of fills."""
    made = StrategyChoice.parse(f"copeland{options}").make(Task(grid, lexicon_of(words), allow_repeats), seed)
    assert isinstance(made, Copeland)
    return made


@given(small_grids(4), word_lists(4))
def test_greedy_without_an_effective_limit_is_complete(grid: Grid, words: dict[str, int]) -> None:
    plain, greedy = judge("copeland", grid, words), judge("copeland:order=greedy,limit=1000000", grid, words)
    assert (plain.counters.fills, plain.outcome) == (greedy.counters.fills, greedy.outcome)


@given(
    small_grids(4),
    word_lists(4),
    st.sampled_from(["monte-carlo", "sections", "monte-carlo,order=greedy", "sections,flatten=50,section=2"]),
    st.integers(0, 3),
)
def test_improved_fills_are_legal_and_strictly_better(
    grid: Grid, words: dict[str, int], improve: str, seed: int
) -> None:
    judge(f"copeland:improve={improve},rounds=4", grid, words, seed=seed)
    strategy = copeland(f":improve={improve},rounds=4", grid, words, seed=seed)
    worth = worths(strategy)
    assert worth == sorted(set(worth))
    has_fill = any(event.kind is EventKind.SOLVED for event in strategy_of("copeland", grid, words).run())
    assert bool(worth) == has_fill
    assert strategy.outcome is (Outcome.FILLED if has_fill else Outcome.IMPOSSIBLE)


def test_both_improvers_find_the_best_of_a_small_square() -> None:
    best = max(worths(copeland("", SQUARE, WORDS)))
    for improve in ("monte-carlo", "sections"):
        assert worths(copeland(f":improve={improve},rounds=200,section=3", SQUARE, WORDS))[-1] == best


@pytest.mark.parametrize("improve", ["monte-carlo", "sections"])
def test_an_improver_reports_its_first_fill_immediately_and_runs_on(improve: str) -> None:
    strategy = copeland(f":improve={improve}", SQUARE, WORDS)
    first = strategy.first_fill()
    assert first == copeland("", SQUARE, WORDS).first_fill() == strategy.incumbent
    assert not strategy.has_ended
    best = max(worths(copeland("", SQUARE, WORDS)))
    told = [first]
    while strategy.kept_fill().worth < best:
        strategy.advance(Budget(1000))
        assert strategy.outcome is Outcome.FILLED
        assert strategy.squares == strategy.incumbent != told[-1]
        told.append(dict(strategy.incumbent))
    assert len(told) == strategy.counters.fills


def test_after_its_last_round_the_board_shows_the_best_fill() -> None:
    strategy = copeland(":improve=monte-carlo,rounds=30", SQUARE, WORDS, seed=4)
    told = [dict(strategy.squares) for event in strategy.run() if event.kind is EventKind.SOLVED]
    assert (strategy.is_over, strategy.outcome) == (True, Outcome.FILLED)
    assert strategy.squares == strategy.incumbent == told[-1]


def test_a_fully_given_grid_cannot_be_improved() -> None:
    strategy = copeland(":improve=sections", grid_from_text("AAA\nAAA\nAAA"), WORDS, allow_repeats=True)
    assert len(worths(strategy)) == 1
    assert strategy.outcome is Outcome.FILLED


def worths(strategy: Copeland) -> list[float]:
    """Return the value of each fill that a search reports."""
    return [strategy.kept_fill().worth for event in strategy.run() if event.kind is EventKind.SOLVED]


def test_greedy_gives_up_at_its_limit() -> None:
    words = {word: 1 for word in WORDS if len(set(word)) == 3}
    strategy = judge("copeland:order=greedy,limit=2", grid_from_text("...\n...\n..."), words)
    assert strategy.outcome is Outcome.UNKNOWN
    assert strategy.reason == "copeland gave up after 2 nodes; that proves nothing"


def test_entries_are_ordered_by_fewest_fills_or_critical_square() -> None:
    grid = grid_from_text("....\n.###\n.###")
    words = {"ACE": 9, "BED": 3, "CAB": 2, "AXLE": 8, "ABUT": 7}
    fewest, greedy = copeland("", grid, words), copeland(":order=greedy", grid, words)
    assert next(iter(fewest.run())).describe() == "decide 1A = AXLE, 2 options"
    assert fewest.ranking[0].figures == "2 words"
    assert next(iter(greedy.run())).slot == "1A"
    assert [rank.figures for rank in greedy.ranking] == ["4 squares through r1c1", "3 squares through r1c1"]
    assert next(iter(copeland(":order=shortest", grid, words).run())).slot == "1D"


def test_the_estimate_adds_options_at_increasing_depth() -> None:
    grid = grid_from_text("...\n.##\n.##\n.##")
    words = {"CAT": 9, "DOG": 8, "EWE": 7, "CASE": 1, "DATE": 1, "DARE": 1}
    strategy = copeland("", grid, words)
    assert strategy.estimate(0) == 3 + 3
    assert strategy.estimate(1) == 1 + 2
    assert strategy.estimate(2) == 1 + 1 + 1
    assert look_ahead(strategy.task, 2) == 3
    assert trail_of(strategy)[0] == "decide 1A = CAT, 2 options"
    assert trail_of(copeland(":look-ahead=1", grid, words))[0] == "decide 1A = DOG, 2 options"


def test_flattened_words_count_for_less() -> None:
    for flatten, worth in [(0, 81.0), (50, 9.0), (100, 1.0)]:
        assert copeland(f":flatten={flatten}", SQUARE, {"AAA": 81}).word_worth("AAA") == worth
