"""Repairs against a naive twin: on small grids the smallest change is found and proved, word by word."""

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.engine.improve.cases import wide_problem
from tests.engine.small_problems import LETTERS, problem_of, small_grids, word_lists
from tests.examples import examples
from tests.naive.engine import check_fill, given_content
from tests.naive.repair import naive_cost, naive_repair, naive_swaps
from xwtui.engine.events.event import Outcome
from xwtui.engine.repair import repair as module
from xwtui.engine.repair.repair import Repair, repair
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Grid, Position

ALL = 10_000


def standing_on(grid: Grid, rng: Random) -> dict[Position, Content]:
    """What may stand on a grid: given content, and pencil that need be no words, with gaps at times."""
    contents = [*map(Content.of, LETTERS + LETTERS + "Z"), *([None] * rng.randint(0, 3))]
    standing: dict[Position, Content] = {}
    for position in sorted({position for slot in grid.slots for position in slot.positions}):
        content = given_content(grid, position) or rng.choice(contents)
        if content is not None:
            standing[position] = content
    return standing


def cost_of(made: Repair) -> tuple[int, float]:
    """A repair as the naive twin ranks it."""
    return len(made.changed), -round(made.mean_score, 6)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let proofs take their time, however busy the machine, and go through all fills of a level at once."""
    monkeypatch.setattr(module, "PROOF_SECONDS", 600.0)
    monkeypatch.setattr(module, "_FILLS_AT_ONCE", 1_000_000)


@examples(150)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_the_smallest_change_is_found_and_proved(grid: Grid, words: dict[str, int], rng: Random) -> None:
    standing = standing_on(grid, rng)
    result = repair(problem_of(grid, words), standing)
    best = naive_repair(grid, standing, words)
    if best is None:
        assert (result.outcome, result.repairs) == (Outcome.IMPOSSIBLE, ())
        assert result.reason
        return
    made = result.repairs[0]
    check_fill(grid, made.squares, words)
    assert result.outcome is Outcome.FILLED
    assert made.is_smallest
    assert cost_of(made) == best == naive_cost(grid, standing, made.squares, words)
    assert [at for at in sorted(made.squares) if standing.get(at, made.squares[at]) != made.squares[at]] == [
        *made.changed
    ]


@examples(150)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_each_other_word_of_an_entry_comes_with_its_own_smallest_change(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    assume(grid.slots)
    standing = standing_on(grid, rng)
    entry = rng.choice(grid.slots).name
    told: list[tuple[Repair, ...]] = []
    result = repair(problem_of(grid, words), standing, entry=entry, most=ALL, found=told.append)
    wanted = naive_swaps(grid, standing, words, entry)
    assert {made.answers[entry]: cost_of(made) for made in result.repairs} == wanted
    assert result.is_complete
    assert result.outcome is (Outcome.FILLED if wanted else Outcome.IMPOSSIBLE)
    assert [made.rank for made in result.repairs] == sorted(made.rank for made in result.repairs)
    assert all(made.is_smallest for made in result.repairs)
    assert (told[-1] if told else ()) == result.repairs
    few = repair(problem_of(grid, words), standing, entry=entry, most=2)
    costs = sorted(wanted.values())
    assert [cost_of(made) for made in few.repairs] == costs[:2]


@examples(60)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_a_word_that_is_named_stands_there(grid: Grid, words: dict[str, int], rng: Random) -> None:
    standing = standing_on(grid, rng)
    assume(grid.slots)
    entry = rng.choice(grid.slots).name
    wanted = naive_swaps(grid, standing, words, entry)
    assume(wanted)
    word = rng.choice(sorted(wanted))
    result = repair(problem_of(grid, words), standing, entry=entry, word=word)
    assert [(made.answers[entry], cost_of(made)) for made in result.repairs] == [(word, wanted[word])]


@examples(60)
@given(small_grids(4), word_lists(4), st.randoms(use_true_random=False))
def test_what_takes_too_long_to_prove_is_mended_all_the_same(
    grid: Grid, words: dict[str, int], rng: Random
) -> None:
    standing = standing_on(grid, rng)
    best = naive_repair(grid, standing, words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module._RepairSearch, "_search_levels", lambda *_: False)
        result = repair(problem_of(grid, words), standing)
    assert (result.outcome is Outcome.FILLED) == (best is not None)
    for made in result.repairs:
        assert best is not None
        check_fill(grid, made.squares, words)
        assert len(made.changed) == best[0] or not made.is_smallest


def _letters(text: str) -> Mapping[Position, Content]:
    return {
        Position(row, column): Content.of(letter)
        for row, line in enumerate(text.split())
        for column, letter in enumerate(line)
        if letter.isalpha()
    }


def test_nothing_but_the_changed_squares_moves() -> None:
    words = dict.fromkeys(["CAT", "ARE", "TED", "COT", "TEN", "ORE", "CAR", "RED"], 50)
    problem = problem_of(grid_from_text("...\n...\n...\n"), words, allow_repeats=True)
    result = repair(problem, _letters("CAT ARE TED"), entry="1A", most=ALL)
    changes = {made.answers["1A"]: [str(at) for at in made.changed] for made in result.repairs}
    assert changes == {"COT": ["r1c2"], "CAR": ["r1c3"]}


def test_cancelled_at_once_it_has_nothing() -> None:
    problem, standing = wide_problem()
    result = repair(problem, standing, entry=problem.slots[0].name, cancelled=lambda: True)
    assert (result.outcome, result.repairs) == (Outcome.CANCELLED, ())


def test_an_exhausted_proof_still_has_a_repair_that_is_not_called_the_smallest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem, standing = wide_problem()
    monkeypatch.setattr(module.Budget, "is_proof_over", True)
    monkeypatch.setattr(module, "PROOF_SECONDS", 0.5)
    result = repair(problem, standing, entry=problem.slots[0].name, word="FFFF")
    assert result.outcome is Outcome.FILLED
    assert result.repairs[0].answers[problem.slots[0].name] == "FFFF"
