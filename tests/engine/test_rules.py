"""Fills under rules against their naive twin: the same number of fills, the same verdict, every fill legal."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.rule_cases import local_case, problem_of
from tests.naive_rules import Case, fills
from xwtui.engine.enumeration import FillEnumeration
from xwtui.engine.filler import Filler
from xwtui.engine.outcome import Outcome
from xwtui.model import Content, Position

MOST_FILLS = 2_000
"""Cases with more fills are too slow to go through on text."""

Squares = frozenset[tuple[Position, Content]]


def naive_squares(case: Case) -> list[Squares] | None:
    """The squares of every fill (holes left out), or None if there are very many."""
    found = [
        frozenset((at, content) for (at, side), content in squares.items() if side is None)
        for squares, _ in islice(fills(case), MOST_FILLS)
    ]
    return found if len(found) < MOST_FILLS else None


def check_case(case: Case, seed: int) -> None:
    """Count, verdict and fill of the engine, as the naive twin has them."""
    expected = naive_squares(case)
    problem = problem_of(case)
    filler = Filler(problem, seed=seed)
    outcome = filler.advance(nodes=100_000)
    if expected is None:
        assert outcome is Outcome.FILLED
        return
    assert outcome is (Outcome.FILLED if expected else Outcome.IMPOSSIBLE), filler.reason
    if expected:
        assert frozenset(filler.fill().items()) in expected
        assert filler.answers().keys() == {slot.name for slot in case.grid.slots}
    if problem.root.is_possible:
        enumeration = FillEnumeration(problem)
        assert enumeration.advance(nodes=1_000_000)
        assert enumeration.fills == len(expected)
    else:
        assert problem.root.reason
        assert not expected


@settings(max_examples=500)
@given(st.integers(0, 1 << 32))
def test_entries_and_squares_obey_their_rules(seed: int) -> None:
    check_case(local_case(Random(seed)), seed % 7)


@pytest.mark.parametrize("seed", range(3))
def test_many_seeded_cases_of_entry_and_square_rules(seed: int) -> None:
    chance = Random(seed)
    for _ in range(300):
        check_case(local_case(chance), seed)
