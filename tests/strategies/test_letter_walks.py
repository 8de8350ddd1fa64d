from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.small_problems import small_grids
from xwtui.model import Direction, Grid, Position
from xwtui.strategies.letter_walks import LETTER_WALKS, Rectangle, letter_walk

ORDERS = {
    "straight": "01 02 03 04/05 06 07 08/09 10 11 12/13 14 15 16",
    "switch": "01 02 03 04/05 08 09 10/06 11 13 14/07 12 15 16",
    "snake": "01 02 05 10/03 04 06 11/07 08 09 12/13 14 15 16",
    "sik-sak": "01 02 04 07/03 05 08 11/06 09 12 14/10 13 15 16",
    "slalom": "01 03 04 10/02 05 09 11/06 08 12 15/07 13 14 16",
}


def before(grid: Grid) -> dict[Position, list[Position]]:
    """For each square of a slot, those that come before it in its slots."""
    needed: dict[Position, list[Position]] = {}
    for slot in grid.slots:
        for index, at in enumerate(slot.positions):
            needed.setdefault(at, []).extend(slot.positions[:index])
    return needed


@pytest.mark.parametrize("name", ORDERS)
def test_the_walks_of_a_square_are_cambons(name: str) -> None:
    grid = Grid.blank(4, 4)
    walk = letter_walk(name, Rectangle(4, 4), before(grid), before(grid), Random(0))
    rows = [" ".join(f"{walk.index(Position(row, column)) + 1:02}" for column in range(4)) for row in range(4)]
    assert "/".join(rows) == ORDERS[name]


@given(small_grids(6, rebuses=False), st.sampled_from(LETTER_WALKS), st.integers(0, 9))
def test_every_square_comes_once_and_after_those_before_it(grid: Grid, name: str, seed: int) -> None:
    needed = before(grid)
    walk = letter_walk(name, Rectangle(grid.height, grid.width), needed, needed, Random(seed))
    assert sorted(walk) == sorted(needed)
    turns = {at: turn for turn, at in enumerate(walk)}
    assert all(turns[one] < turns[at] for at, others in needed.items() for one in others)


@pytest.mark.parametrize(("height", "width"), [(3, 7), (7, 3)])
def test_walks_cover_oblong_grids(height: int, width: int) -> None:
    grid = Grid.blank(height, width)
    for name in LETTER_WALKS:
        walk = letter_walk(name, Rectangle(height, width), before(grid), before(grid), Random(1))
        assert len(walk) == len(set(walk)) == height * width


def test_random_walks_differ_by_seed() -> None:
    grid = Grid.blank(5, 5)
    walks = {
        tuple(letter_walk("random", Rectangle(5, 5), before(grid), before(grid), Random(seed)))
        for seed in range(5)
    }
    assert len(walks) == 5


def test_random_walks_need_not_go_by_rows() -> None:
    grid = Grid.blank(3, 3)
    seconds = {
        letter_walk("random", Rectangle(3, 3), before(grid), before(grid), Random(seed))[1] for seed in range(20)
    }
    assert seconds == {Position(0, 0).step(direction) for direction in Direction}
