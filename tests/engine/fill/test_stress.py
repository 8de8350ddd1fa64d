"""The naive twins judge every fill of thousands of seeded random grids, lists and rule sets.

The grids are too large for a naive search, so only the fills that were found are judged.
"""

from random import Random

import pytest

from tests.engine.problem.rule_cases import (
    LETTERS,
    problem_of,
    random_entries,
    random_placing,
    random_squares,
    random_words,
)
from tests.examples import is_deep
from tests.naive.rules import Case, allowed_words, given, obeys_all, ways
from tests.ruled import asked, ruled
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.model import BLOCK, OPEN, Content, Grid, Ink, Position, Slot, Square, Symmetry

BATCHES = 20 if is_deep() else 3
CASES = 100
"""Cases per batch, which takes about a second."""
NODES = 150
FEWEST_FILLED = 10
"""Minimum fills per batch, so that there is something to judge."""


def large_grid(rng: Random) -> Grid:
    """Return a grid of 4x4 to 8x8 with blocks and a few given squares."""
    height, width = rng.randint(4, 8), rng.randint(4, 8)
    blocks = rng.choice([0.3, 0.4, 0.5])
    given_square = Square(content=Content.of(rng.choice(LETTERS)), ink=Ink.PEN)
    return Grid(
        height,
        width,
        tuple(
            BLOCK if rng.random() < blocks else given_square if rng.random() < 0.02 else OPEN
            for _ in range(height * width)
        ),
    )


def large_case(rng: Random) -> Case:
    """Return a case with a few rules of each kind, or none."""
    grid, words = large_grid(rng), random_words(rng, 250, 7)
    if rng.random() < 0.2:
        return Case(grid, words)
    return Case(
        grid,
        words,
        minimum=rng.choice([0, 0, 20]),
        rules=ruled(
            entries=random_entries(rng, grid) if rng.random() < 0.5 else {},
            squares=random_squares(rng, grid) if rng.random() < 0.2 else {},
            shared_substring=rng.choice([0, 0, 0, 5]),
            tag_limits={"name": rng.randint(0, 3)} if rng.random() < 0.3 else {},
            wanted=tuple(rng.sample(sorted(words), k=5)),
            wanted_least=rng.choice([0, 0, 1, 2]),
            letters=rng.choice(["", "A", LETTERS]),
            placings=(random_placing(rng),) if rng.random() < 0.2 else (),
        ),
        own_lists={"own": random_words(rng, 120, 7), "names": random_words(rng, 120, 7)},
        symmetry=Symmetry.ROTATION_180,
        tags={"name": frozenset(rng.sample(sorted(words), k=20))},
    )


def judge(case: Case, squares: dict[Position, Content], answers: dict[str, str]) -> None:
    """Raise AssertionError if a fill breaks a rule."""
    assert squares.keys() == {at for slot in case.grid.slots for at in slot.positions}
    assert len(set(answers.values())) == len(answers) == len(case.grid.slots)
    for slot in case.grid.slots:
        judge_entry(case, slot, tuple(squares[at] for at in slot.positions), answers[slot.name])
    assert obeys_all(case, {(at, None): content for at, content in squares.items()}, answers)


def judge_entry(case: Case, slot: Slot, way: tuple[Content, ...], answer: str) -> None:
    """Raise AssertionError if an answer is not allowed or does not match its squares."""
    kept = tuple(given(case, at) for at in slot.positions)
    assert "".join(content.reading(slot.direction) for content in way) == answer
    if all(kept):
        assert way == kept
        return
    rule = case.rules.entries.get((slot.start, slot.direction), asked())
    assert answer in allowed_words(case, rule), f"{slot.name} {answer}"
    assert way in ways(case, slot, answer)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_fill_of_a_batch_is_legal(batch: int) -> None:
    filled = 0
    for number in range(batch * CASES, (batch + 1) * CASES):
        case = large_case(Random(number))
        filler = Filler(problem_of(case), seed=number)
        if filler.advance(nodes=NODES) is Outcome.FILLED:
            judge(case, dict(filler.fill()), dict(filler.answers()))
            filled += 1
    assert filled >= FEWEST_FILLED
