"""Parts of a grid, by their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Position
from xwtui.model.selection import around, rectangle, squares_named

GRID = grid_from_text("...#.\n.....\n.....\n.....\n.#...\n")
CORNERS = st.builds(Position, st.integers(0, 4), st.integers(0, 4))


@given(CORNERS, CORNERS)
def test_a_rectangle_is_the_open_squares_between_its_corners_whichever_come_first(
    one: Position, other: Position
) -> None:
    expected = {
        at
        for at in GRID.open_positions()
        if min(one.row, other.row) <= at.row <= max(one.row, other.row)
        and min(one.column, other.column) <= at.column <= max(one.column, other.column)
    }
    assert rectangle(GRID, one, other) == expected
    if expected:
        assert squares_named(GRID, f"{one}:{other}") == expected


def test_around_an_entry_are_its_crossings() -> None:
    slot = GRID.slot("1A")
    found = around(GRID, slot)
    assert set(slot.positions) <= found
    crossed = {GRID.slot_at(at, slot.direction.other) for at in slot.positions}
    assert found == set(slot.positions) | {at for one in crossed if one is not None for at in one.positions}


def test_parts_are_put_together() -> None:
    assert squares_named(GRID, "1a, r5c5") == {*GRID.slot("1A").positions, Position(4, 4)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("99A", "no entry"),
        ("r9c9:r1c1", "not on this grid"),
        ("r1c1:x", "r1c1:r5c5"),
        ("", "17A"),
        ("1A,,2D", "17A"),
        ("r1c4", "no open square"),
        ("r1c1:r2c2:r3c3", "no square"),
        ("\x1b[2J", "17A"),
    ],
)
def test_what_is_no_part_of_the_grid_is_told(text: str, said: str) -> None:
    with pytest.raises(PuzzleError, match=said) as caught:
        squares_named(GRID, text)
    assert str(caught.value).isprintable()
