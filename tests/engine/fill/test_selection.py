"""Filling some squares only: what stands elsewhere stays, and entries outside still have a word."""

from contextlib import suppress
from random import Random

import pytest

from tests.engine.problem.rule_cases import problem_of, selection_case
from tests.engine.small_problems import lexicon_of
from tests.examples import is_deep
from tests.known import known
from tests.naive.rules import Case, TooManyTriesError, partial_fills
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Position

MOST_TRIES = 4_000


def check_case(case: Case, seed: int) -> None:
    """The engine finds no less than what can go on to a whole fill, and nothing that leaves an entry no word."""
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
    if problem.root.is_possible:
        enumeration = FillEnumeration(problem)
        assert enumeration.advance(nodes=1_000_000)
        assert len(strict) <= enumeration.fills <= len(loose)
    else:
        assert not strict


@pytest.mark.parametrize("seed", range(4))
def test_many_seeded_cases_of_selections(seed: int) -> None:
    rng = Random(seed)
    cases, judged = 150 if is_deep() else 40, 0
    for _ in range(cases):
        with suppress(TooManyTriesError):
            check_case(selection_case(rng), seed)
            judged += 1
    assert judged > cases * 2 / 3


def test_only_the_selection_is_filled_and_pencil_outside_stands() -> None:
    grid = grid_from_text("...\n###\n...\n")
    grid = grid.with_squares({Position(2, 0): grid_from_text("C..\n...\n...\n")[Position(0, 0)]})
    problem = Problem.build(grid, lexicon_of({"CAT": 50, "DOG": 50}), selection=[Position(0, 1)])
    filler = Filler(problem)
    assert filler.advance() is Outcome.FILLED
    assert {str(at): str(content) for at, content in filler.fill().items()} == {"r1c2": "O"}


def test_an_entry_outside_that_no_word_fits_is_no_hindrance() -> None:
    grid = grid_from_text("...\n###\nQ..\n")
    problem = Problem.build(grid, lexicon_of({"CAT": 50}), selection=[Position(0, column) for column in range(3)])
    assert Filler(problem).advance() is Outcome.FILLED
    assert Filler(Problem.build(grid, lexicon_of({"CAT": 50}))).outcome is Outcome.IMPOSSIBLE
