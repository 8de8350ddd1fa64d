"""Slots, numbers and checked squares, against the naive twin and on grids numbered by hand."""

from hypothesis import given

from tests.generators import grids
from tests.model.layouts import layouts
from tests.naive.model import naive_answers, naive_checked, naive_slots
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Bar, Direction, Grid, Position


@given(layouts())
def test_slots_are_those_of_the_naive_twin(grid: Grid) -> None:
    assert {slot.name: slot.positions for slot in grid.slots} == naive_slots(grid)


@given(layouts())
def test_slots_come_across_first_and_in_the_order_of_their_numbers(grid: Grid) -> None:
    order = [(slot.direction is Direction.DOWN, slot.number) for slot in grid.slots]
    assert order == sorted(order)


@given(layouts())
def test_the_squares_where_answers_cross_are_those_of_the_naive_twin(grid: Grid) -> None:
    assert grid.checked == naive_checked(grid)


@given(grids(largest=4))
def test_answers_are_those_of_the_naive_twin(grid: Grid) -> None:
    assert {slot.name: answer for slot in grid.slots if (answer := grid.answer(slot))} == naive_answers(grid)


@given(layouts())
def test_the_slot_at_a_square_is_the_one_that_holds_it(grid: Grid) -> None:
    for position in grid.positions():
        for direction in Direction:
            holding = [slot for slot in grid.slots if slot.direction is direction and position in slot.positions]
            assert grid.slot_at(position, direction) == (holding[0] if holding else None)


def test_numbering_as_printed_in_newspapers() -> None:
    grid = grid_from_text("""
        ##...
        #....
        .....
        ....#
        ...##
    """)
    assert [slot.name for slot in grid.slots] == ["1A", "4A", "5A", "6A", "7A", "1D", "2D", "3D", "4D", "5D"]
    assert [len(slot) for slot in grid.slots] == [3, 4, 5, 4, 3, 5, 4, 3, 4, 3]


def test_an_unchecked_square_has_no_number_of_its_own() -> None:
    grid = grid_from_text("""
        .....
        .#.#.
        .....
    """)
    assert grid.numbers == {Position(0, 0): 1, Position(0, 2): 2, Position(0, 4): 3, Position(2, 0): 4}
    assert grid.slot_at(Position(0, 1), Direction.DOWN) is None


def test_a_bar_ends_a_slot_and_the_next_square_starts_one() -> None:
    blank = Grid.blank(3, 5)
    barred = blank.with_bars([Bar(Position(0, 2), Position(0, 3))])
    assert [len(slot) for slot in barred.slots if slot.direction is Direction.ACROSS] == [3, 2, 5, 5]
    assert barred.slot("4A").start == Position(0, 3)


def test_a_void_ends_a_slot_as_a_block_does() -> None:
    with_block = grid_from_text("..#..\n.....\n.....")
    with_void = grid_from_text(".._..\n.....\n.....")
    assert [slot.positions for slot in with_block.slots] == [slot.positions for slot in with_void.slots]


def test_a_grid_of_blocks_has_no_slots() -> None:
    grid = grid_from_text("###\n#.#\n###")
    assert grid.slots == ()
    assert not grid.checked
