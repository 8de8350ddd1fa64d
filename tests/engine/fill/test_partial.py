"""Partial fills, and fills of a selection, compared with brute force: always legal, and as large as possible."""

import contextlib
import gc
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, selection_case, whole_grid_case
from tests.engine.small_problems import (
    HARD_GRID,
    HARD_WORDS,
    LETTERS,
    REBUSES,
    endless_problem,
    fills_counted,
    lexicon_of,
    small_grids,
    word_lists,
)
from tests.engine.small_problems import problem_of as problem_of_words
from tests.examples import examples, is_deep
from tests.known import known
from tests.naive.agreeing import TooManyTriesError
from tests.naive.partial import check_partial, has_equal_given, naive_most_filled
from tests.naive.rules import Case, partial_fills
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.fill.partial import Coverage, PartialAnswers, PartialFill, partial_fill, stopped_entries
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import BLOCK, OPEN, Content, Grid, Ink, Position, Square

MOST_WORDS = 14
"""Most words that brute force can handle."""


def reasons(fill: PartialFill) -> list[str]:
    return [f"{name}: {reason}" for name, reason in fill.stopped]


@examples(80)
@given(small_grids(4), word_lists(4), st.booleans(), st.integers(0, 5), st.integers(0, 20))
def test_a_partial_fill_is_legal_whenever_it_is_stopped(
    grid: Grid, words: dict[str, int], allow_repeats: bool, seed: int, rounds: int
) -> None:
    case = Case(grid, dict(list(words.items())[:MOST_WORDS]), allow_repeats=allow_repeats)
    problem = problem_of(case)
    fill = partial_fill(problem, Budget(seed=seed), rounds=rounds)
    check_partial(case, fill.squares, fill.answers)
    assert fill.filled == len(fill.squares) <= naive_most_filled(case)
    assert fill.filled + fill.open == len(set(problem.positions))
    assert (fill.outcome is Outcome.FILLED) == (fill.open == 0 and not has_equal_given(case))
    assert (fill.at_odds is not None) == has_equal_given(case)
    assert {name for name, _ in fill.stopped} == set(problem.slot_names) - fill.answers.keys()


def test_a_problem_is_freed_after_its_partial_fill() -> None:
    problem = problem_of_words(grid_from_text("...\n###\n...\n"), {"CAT": 1})
    held = weakref.ref(problem)
    gc.collect()
    gc.disable()
    try:
        partial_fill(problem, rounds=2)
        del problem
        assert held() is None
    finally:
        gc.enable()


def random_case(seed: int) -> Case:
    """A grid of 3x3 to 4x4 with some given squares, and up to 16 words; few cases have a complete fill."""
    rng = Random(seed)
    contents = [*map(Content.of, LETTERS), *REBUSES]

    def square() -> Square:
        kind = rng.randrange(10)
        if kind == 3:
            return Square(content=rng.choice(contents), ink=rng.choice(list(Ink)))
        return BLOCK if kind < 3 else OPEN

    height, width = rng.randint(3, 4), rng.randint(3, 4)
    grid = Grid(height, width, tuple(square() for _ in range(height * width)))
    count = rng.randint(1, 16)
    words = {"".join(rng.choices(LETTERS, k=rng.randint(2, 4))): rng.randint(0, 100) for _ in range(count)}
    return Case(grid, words)


@pytest.mark.parametrize("first", range(0, 100, 25))
def test_with_enough_rounds_no_partial_fill_is_larger(first: int) -> None:
    for seed in range(first, first + (25 if is_deep() else 8)):
        case = random_case(seed)
        fill = partial_fill(problem_of(case), Budget(seed=seed), rounds=200)
        check_partial(case, fill.squares, fill.answers)
        assert fill.filled == naive_most_filled(case), f"case {seed}"


RULES_TRIES = 20_000


@pytest.mark.parametrize("make", [local_case, whole_grid_case, placing_case])
def test_a_partial_fill_obeys_the_rules(make: Callable[[Random], Case]) -> None:
    settled = 0
    for seed in range(15 if is_deep() else 8):
        case = replace(make(Random(seed)), holes=frozenset())
        fill = partial_fill(problem_of(case), Budget(seed=seed), rounds=60)
        check_partial(case, fill.squares, fill.answers)
        with contextlib.suppress(TooManyTriesError):
            assert fill.filled <= naive_most_filled(case, most_tries=RULES_TRIES)
            settled += 1
    assert settled >= 3


def test_one_thread_with_fixed_rounds_is_reproducible() -> None:
    problem = problem_of_words(HARD_GRID, dict(list(HARD_WORDS.items())[::3]))
    first, again = (partial_fill(problem, Budget(seed=4), rounds=30) for _ in range(2))
    assert first == again
    assert first.rounds <= 30


def test_a_fillable_grid_is_filled_completely() -> None:
    fill = partial_fill(problem_of_words(HARD_GRID, HARD_WORDS), Budget(threads=2))
    assert fill.outcome is Outcome.FILLED
    assert (fill.open, fill.stopped) == (0, ())
    check_partial(Case(HARD_GRID, HARD_WORDS), fill.squares, fill.answers)


def test_between_equally_large_fills_better_words_win() -> None:
    grid = grid_from_text("...\n###\n..#\n")
    words = {"CAT": 10, "DOG": 90, "COW": 20}
    fill = partial_fill(problem_of_words(grid, words), rounds=50)
    assert fill.answers == {"1A": "DOG"}
    assert fill.mean_score == 90
    assert fill.outcome is Outcome.IMPOSSIBLE
    assert reasons(fill) == ["2A: the word list has no word of 2 letters"]


def test_reasons_name_the_pattern_the_rival_and_the_crossing() -> None:
    unfit = partial_fill(problem_of_words(grid_from_text("...\n###\nQ.J\n"), {"CAT": 1}), rounds=20)
    assert reasons(unfit) == ["2A: no word fits Q?J"]
    rival = partial_fill(problem_of_words(grid_from_text("...\n###\n...\n"), {"CAT": 1}), rounds=20)
    assert len(rival.stopped) == 1
    assert str(rival.stopped[0].reason) in ("only CAT fits ???, and 1A has it", "only CAT fits ???, and 2A has it")
    both = partial_fill(
        problem_of_words(grid_from_text("...\n###\n...\n###\n...\n"), {"CAT": 1, "DOG": 1}), rounds=20
    )
    assert len(both.stopped) == 1
    assert str(both.stopped[0].reason).startswith("the 2 words that fit ??? are all used: ")
    problem = problem_of_words(grid_from_text("...\n.##\n.##\n.##\n"), {"CAT": 1, "DOGS": 1})
    empty = PartialAnswers(Coverage(problem), {})
    assert [f"{name}: {reason}" for name, reason in stopped_entries(empty)] == [
        "1A: ??? needs C at r1c1, and 1D does not allow it",
        "1D: ???? needs D at r1c1, and 1A does not allow it",
    ]


@pytest.mark.parametrize("third", ["...", "DOG"])
def test_two_equal_given_entries_are_kept_and_reported(third: str) -> None:
    grid, words = grid_from_text(f"CAT\n###\nCAT\n###\n{third}\n"), {"CAT": 50, "DOG": 50}
    fill = partial_fill(problem_of_words(grid, words), rounds=20)
    assert fill.answers == {"1A": "CAT", "2A": "CAT", "3A": "DOG"}
    assert (fill.outcome, fill.open, fill.stopped) == (Outcome.IMPOSSIBLE, 0, ())
    assert str(fill.at_odds) == "1A and 2A would both be CAT"
    repeating = partial_fill(problem_of_words(grid, words, allow_repeats=True), rounds=20)
    assert (repeating.outcome, repeating.at_odds) == (Outcome.FILLED, None)


def test_a_grid_without_entries_is_full() -> None:
    fill = partial_fill(problem_of_words(grid_from_text("#.#\n#.#\n#.#\n".replace(".", "#")), {"CAT": 50}))
    assert (fill.outcome, fill.filled, fill.open) == (Outcome.FILLED, 0, 0)


def test_only_the_selection_is_filled_as_far_as_possible() -> None:
    grid = grid_from_text("...\n...\nQ..\n")
    row = frozenset(Position(0, column) for column in range(3))
    problem = Problem.build(grid, lexicon_of({"CAT": 50, "ARE": 50, "TEN": 50}), selection=row)
    fill = partial_fill(problem, rounds=100)
    assert fill.squares.keys() <= row
    assert "1D" not in fill.answers
    assert "1D: no word fits ??Q" in reasons(fill) or "1D: no word fits C?Q" in reasons(fill)


def test_cancelling_keeps_the_result_and_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    for threads in (1, 3):
        looks = iter([False] * 30 + [True] * 10)
        fill = partial_fill(endless_problem(), Budget(threads=threads, stop=partial(next, looks, True)))
        assert fill.outcome is Outcome.CANCELLED
        assert fill.filled + fill.open == 48
        assert fill.filled >= 24
        assert set(threading.enumerate()) <= before


def test_a_deadline_ends_in_a_legal_fill() -> None:
    fill = partial_fill(endless_problem(), Budget(seconds=0.05, threads=2))
    assert fill.outcome is Outcome.UNKNOWN
    assert fill.filled + fill.open == 48


def test_progress_never_decreases() -> None:
    seen: list[PartialFill] = []
    problem = problem_of_words(HARD_GRID, dict(list(HARD_WORDS.items())[::4]))
    last = partial_fill(problem, Budget(seed=1), rounds=100, progress=seen.append)
    filled = [fill.filled for fill in (*seen, last)]
    assert filled == sorted(filled)


MOST_TRIES = 4_000


def check_case(case: Case, seed: int) -> None:
    """Check that the engine finds every extendable fill of the selection, and none that empties a domain."""
    loose, strict = partial_fills(case, most_tries=MOST_TRIES)
    problem = problem_of(case)
    filler = Filler(problem, seed=seed)
    outcome = filler.advance(nodes=100_000)
    assert outcome.is_final
    if not loose:
        assert outcome is Outcome.IMPOSSIBLE
    if strict:
        assert outcome is Outcome.FILLED
    if outcome is Outcome.FILLED:
        filled = filler.fill().items()
        asked = {at for slot in case.grid.slots for at in slot.positions} & known(case.selection)
        assert {at for at, _ in filled} == asked
        assert any({((at, None), content) for at, content in filled} <= squares.items() for squares in loose)
    assert len(strict) <= fills_counted(problem) <= len(loose)


@pytest.mark.parametrize("seed", range(4))
def test_many_seeded_cases_of_selections(seed: int) -> None:
    rng = Random(seed)
    cases, judged = 150 if is_deep() else 40, 0
    for _ in range(cases):
        with suppress(TooManyTriesError):
            check_case(selection_case(rng), seed)
            judged += 1
    assert judged > cases * 2 / 3


def test_only_the_selection_is_filled_and_pencil_outside_is_kept() -> None:
    grid = grid_from_text("...\n###\n...\n")
    grid = grid.with_squares({Position(2, 0): grid_from_text("C..\n...\n...\n")[Position(0, 0)]})
    problem = Problem.build(grid, lexicon_of({"CAT": 50, "DOG": 50}), selection=[Position(0, 1)])
    filler = Filler(problem)
    assert filler.advance() is Outcome.FILLED
    assert {str(at): str(content) for at, content in filler.fill().items()} == {"r1c2": "O"}


def test_an_impossible_entry_outside_the_selection_is_ignored() -> None:
    grid = grid_from_text("...\n###\nQ..\n")
    problem = Problem.build(grid, lexicon_of({"CAT": 50}), selection=[Position(0, column) for column in range(3)])
    assert Filler(problem).advance() is Outcome.FILLED
    assert Filler(Problem.build(grid, lexicon_of({"CAT": 50}))).outcome is Outcome.IMPOSSIBLE
