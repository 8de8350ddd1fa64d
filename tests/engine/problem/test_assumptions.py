"""Problems of which a part is assumed, against the naive fills of that part."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import lexicon_of, small_grids, word_lists
from tests.naive.engine import naive_fills
from xwtui.engine.count.exact import FillEnumeration
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.engine.problem.task import Assumptions, Task
from xwtui.model import Content, Grid, Position

Fill = dict[Position, Content]


def drawn_assumptions(grid: Grid, fill: Fill, rng: Random) -> Assumptions:
    """Some of what a fill has, assumed or ruled out."""
    squares = rng.sample(sorted(fill), k=min(len(fill), 3))
    entries = [slot for slot in grid.slots if rng.random() < 0.4 and all(at in fill for at in slot.positions)]
    return Assumptions(
        {at: fill[at] for at in squares[:1] if rng.random() < 0.5},
        {slot.name: frozenset({tuple(fill[at] for at in slot.positions)}) for slot in entries},
        {at: frozenset({fill[at]}) for at in squares[1:] if rng.random() < 0.5},
    )


def is_inside(grid: Grid, fill: Fill, assumed: Assumptions) -> bool:
    """Whether a fill belongs to the part."""
    return (
        all(fill[at] == content for at, content in assumed.standing.items())
        and all(fill[at] not in contents for at, contents in assumed.squares.items())
        and all(
            tuple(fill[at] for at in grid.slot(name).positions) not in rows
            for name, rows in assumed.entries.items()
        )
    )


@given(small_grids(4), word_lists(4), st.randoms(use_true_random=True))
def test_a_part_has_the_fills_that_belong_to_it(grid: Grid, words: dict[str, int], rng: Random) -> None:
    fills = [dict(fill) for fill in naive_fills(grid, words)]
    needed = {at for slot in grid.slots for at in slot.positions}
    pattern = {at: fill[at] for fill in fills[:1] for at in needed}
    assumed = drawn_assumptions(grid, pattern, rng)
    problem = Problem.of(Task(grid, lexicon_of(words), assumptions=assumed))
    expected = sum(is_inside(grid, fill, assumed) for fill in fills)
    if not problem.root.is_possible:
        assert expected == 0
        assert why_impossible(problem)
        return
    enumeration = FillEnumeration(problem)
    assert enumeration.advance(nodes=1_000_000)
    assert enumeration.fills == expected
