"""What the engine says of a small problem, held against all fills that a naive twin finds."""

from collections.abc import Collection

from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.model import Content, Position

Squares = frozenset[tuple[Position, Content]]
"""The squares of a fill, holes left out."""


def check_fills(problem: Problem, expected: Collection[Squares], seed: int) -> Filler:
    """Assert that verdict, fill and count are those of the expected fills; returns the search that has ended."""
    filler = Filler(problem, seed=seed)
    outcome = filler.advance(nodes=100_000)
    assert outcome is (Outcome.FILLED if expected else Outcome.IMPOSSIBLE), filler.reason
    if expected:
        assert frozenset(filler.fill().items()) in expected
    if problem.root.is_possible:
        enumeration = FillEnumeration(problem)
        assert enumeration.advance(nodes=1_000_000)
        assert enumeration.fills == len(expected)
    else:
        assert why_impossible(problem)
        assert not expected
    return filler
