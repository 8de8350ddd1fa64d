"""Parts of a grid, by their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.places import naive_squares
from xwtui.errors import PuzzleError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import BLOCK, Grid, Position
from xwtui.model.selection import SHAPES, area_named, around, looks_like_place, rectangle

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
        assert set(area_named(GRID, f"{one}:{other}").open_squares(GRID)) == expected


def test_around_an_entry_are_its_crossings() -> None:
    slot = GRID.slot("1A")
    found = around(GRID, slot)
    assert set(slot.positions) <= found
    crossed = {GRID.slot_at(at, slot.direction.other) for at in slot.positions}
    assert found == set(slot.positions) | {at for one in crossed if one is not None for at in one.positions}


def test_parts_are_put_together() -> None:
    assert area_named(GRID, "r5c5, 1a,r1c1").squares == (Position(4, 4), *GRID.slot("1A").positions)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("99A", "no entry"),
        ("r9c9:r1c1", "not on this grid"),
        ("r1c1:x", "r1c1:r5c5"),
        ("", "17A"),
        ("1A,,2D", "17A"),
        ("r1c4", "no open square"),
        ("r1c1:r2c2:r3c3", "not a square"),
        ("\x1b[2J", "17A"),
    ],
)
def test_what_is_no_part_of_the_grid_is_told(text: str, said: str) -> None:
    with pytest.raises(PuzzleError, match=said) as caught:
        area_named(GRID, text).open_squares(GRID)
    assert str(caught.value).isprintable()


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Grids of all proportions, with a block here and there."""
    height, width = draw(st.integers(3, 9)), draw(st.integers(3, 9))
    blocks = draw(st.sets(st.builds(Position, st.integers(0, height - 1), st.integers(0, width - 1)), max_size=5))
    return Grid.blank(height, width).with_squares(dict.fromkeys(blocks, BLOCK))


@st.composite
def grids_and_parts(draw: st.DrawFn) -> tuple[Grid, list[str]]:
    """A grid with places that it has, some of them in capitals."""
    grid = draw(grids())
    rows, columns = st.integers(1, grid.height), st.integers(1, grid.width)
    parts = [
        st.builds(lambda number: f"row {number}", rows),
        st.builds(lambda number: f"column {number}", columns),
        st.builds(lambda number: f"col{number}", columns),
        st.builds(lambda row, column: f"r{row}c{column}", rows, columns),
        st.builds("r{}c{}:r{}c{}".format, rows, columns, rows, columns),
        st.sampled_from([*(SHAPES if grid.height == grid.width else ["perimeter"])]),
        *([st.sampled_from([slot.name for slot in grid.slots])] if grid.slots else []),
    ]
    return grid, draw(
        st.lists(st.one_of(parts).map(str) | st.one_of(parts).map(str.upper), min_size=1, max_size=4)
    )


@given(grids_and_parts())
def test_squares_come_once_each_and_in_the_order_of_what_names_them(case: tuple[Grid, list[str]]) -> None:
    grid, parts = case
    expected: list[Position] = []
    for part in parts:
        expected += [at for at in naive_squares(grid, part) if at not in expected]
    named = area_named(grid, ",".join(parts))
    assert list(named.squares) == expected
    open_squares = [at for at in expected if grid[at].is_open]
    if open_squares:
        assert list(named.open_squares(grid)) == open_squares
    assert looks_like_place(",".join(parts))


def test_shapes_in_their_order() -> None:
    grid = Grid.blank(3, 3)
    assert [" ".join(map(str, SHAPES[name](grid))) for name in SHAPES] == [
        "r1c1 r1c2 r1c3 r2c3 r3c3 r3c2 r3c1 r2c1",
        "r1c1 r2c2 r3c3",
        "r3c1 r2c2 r1c3",
    ]
    assert " ".join(map(str, area_named(grid, "r2c3:r1c2").squares)) == "r2c3 r2c2 r1c3 r1c2"


@pytest.mark.parametrize("name", ["diagonal", "antidiagonal"])
def test_an_oblong_grid_has_no_diagonal(name: str) -> None:
    with pytest.raises(PuzzleError, match="diagonals need a square grid; this one has 4 rows of 5"):
        area_named(Grid.blank(4, 5), name)
