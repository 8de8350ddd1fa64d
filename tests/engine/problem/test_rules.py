"""Fills under rules against their naive twin: the same number of fills, the same verdict, every fill legal."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.problem.rule_cases import local_case, placing_case, problem_of, whole_grid_case
from tests.examples import examples, is_deep
from tests.naive.rules import Case, TooManyTriesError, fills
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.reasons import why_impossible
from xwtui.model import Content, Position

MOST_TRIES = 4_000
"""Words that the naive twin tries for a case; longer ones are passed over."""

Squares = frozenset[tuple[Position, Content]]


def naive_squares(case: Case) -> list[Squares]:
    """The squares of every fill, holes left out."""
    return [
        frozenset((at, content) for (at, side), content in squares.items() if side is None)
        for squares, _ in fills(case, most_tries=MOST_TRIES)
    ]


def check_case(case: Case, seed: int) -> None:
    """Count, verdict and fill of the engine, as the naive twin has them; raises TooManyTriesError."""
    expected = naive_squares(case)
    problem = problem_of(case)
    filler = Filler(problem, seed=seed)
    outcome = filler.advance(nodes=100_000)
    assert outcome is (Outcome.FILLED if expected else Outcome.IMPOSSIBLE), filler.reason
    if expected:
        assert frozenset(filler.fill().items()) in expected
        assert filler.answers().keys() == {slot.name for slot in case.grid.slots}
    if problem.root.is_possible:
        enumeration = FillEnumeration(problem)
        assert enumeration.advance(nodes=1_000_000)
        assert enumeration.fills == len(expected)
    else:
        assert why_impossible(problem)
        assert not expected


MAKERS = [local_case, placing_case, whole_grid_case]


@examples(300)
@given(st.integers(0, 1 << 32), st.sampled_from(MAKERS))
def test_fills_obey_the_rules(seed: int, make: Callable[[Random], Case]) -> None:
    with suppress(TooManyTriesError):
        check_case(make(Random(seed)), seed % 7)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", range(3))
def test_many_seeded_cases(make: Callable[[Random], Case], seed: int) -> None:
    rng = Random(seed)
    cases, passed_over = 200 if is_deep() else 60, 0
    for _ in range(cases):
        try:
            check_case(make(rng), seed)
        except TooManyTriesError:
            passed_over += 1
    assert passed_over < cases / 4
