"""Positions and directions, and how constructors write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xwtui.errors import PuzzleError
from xwtui.model import Direction, Position


@given(st.integers(0, 39), st.integers(0, 39))
def test_a_position_is_read_as_it_is_written(row: int, column: int) -> None:
    position = Position(row, column)
    assert Position.parse(str(position)) == position
    assert Position.parse(f" R{row + 1}C{column + 1} ") == position


@pytest.mark.parametrize(
    "text", ["", "r1", "c1", "r0c1", "r1c0", "r00c1", "r1c00", "r100c1", "r-1c1", "1,1", "r1c1x"]
)
def test_other_text_is_no_position(text: str) -> None:
    with pytest.raises(PuzzleError, match="squares are written r3c12"):
        Position.parse(text)


def test_a_long_line_is_cut_in_the_message() -> None:
    with pytest.raises(PuzzleError) as caught:
        Position.parse("x" * 1_000_000)
    assert len(str(caught.value)) < 200


def test_directions_cross_each_other() -> None:
    assert Direction.ACROSS.other is Direction.DOWN
    assert Direction.DOWN.other is Direction.ACROSS
    assert (Direction.ACROSS.word, Direction.DOWN.word) == ("across", "down")


@given(st.integers(0, 9), st.integers(0, 9), st.sampled_from(Direction), st.integers(-5, 5))
def test_a_step_back_undoes_a_step(row: int, column: int, direction: Direction, squares: int) -> None:
    position = Position(row, column)
    assert position.step(direction, squares).step(direction, -squares) == position
