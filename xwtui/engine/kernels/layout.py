"""Laying a grid out: its squares numbered, and for each slot the places, crossings and mates."""

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.compiled import entry_point, inlined
from xwtui.engine.kernels.network import (
    AT_INDEX,
    AT_SLOT,
    CROSSING,
    DOMAIN,
    INDEX,
    LENGTH,
    MATES,
    PLACE_COLUMNS,
    PLACES,
    REQUIRED,
    SLOT_COLUMNS,
    SQUARE,
    TABLE,
    WIDTH,
    Longs,
)

Flags = NDArray[np.bool_]


@entry_point
def lay_out_slots(
    starts: Longs, uses: Longs, required: Flags, tables: Longs, alike: Flags, holes: Flags, width: int
) -> tuple[Longs, Longs, Longs, Longs, Longs]:
    """Make `slots`, `places`, `squares` and `mates` of a network, and the cell of each square.

    `starts` are the slots' first cells, numbered row by row, ~cell of a slot that goes down; `uses`
    are the numbers of their tables. Squares are numbered row by row; a cell that is one of the `holes`
    has two, the first one across. `alike` (tables, tables) tells whose words must differ.
    """
    count = len(starts)
    slots = np.zeros((count + 1, SLOT_COLUMNS), np.int64)
    _start_slots(uses, required, tables, alike, np.zeros(len(tables), np.int64), slots)
    places = np.full((slots[count, PLACES], PLACE_COLUMNS), -1, np.int64)
    numbers = np.full(2 * len(holes), -1, np.int64)
    square_count = _number_squares(starts, slots, places, holes, width, numbers)
    squares = np.full((square_count, 2), -1, np.int64)
    _cross(slots, places, squares)
    mates = np.empty(slots[count, MATES], np.int64)
    _list_mates(uses, alike, mates)
    cells = np.empty(square_count, np.int64)
    for key in range(len(numbers)):
        if numbers[key] >= 0:
            cells[numbers[key]] = key // 2
    return slots, places, squares, mates, cells


@inlined
def _start_slots(uses: Longs, required: Flags, tables: Longs, alike: Flags, users: Longs, slots: Longs) -> None:
    """Fill in the slots, and how many use each table: what a slot is, and where what belongs to it starts."""
    for slot in range(len(uses)):
        users[uses[slot]] += 1
    for slot in range(len(uses)):
        table = uses[slot]
        mates = 0
        for other in range(len(alike)):
            if alike[table, other]:
                mates += users[other] - (1 if other == table else 0)
        slots[slot, TABLE] = table
        slots[slot, REQUIRED] = required[slot]
        slots[slot + 1, PLACES] = slots[slot, PLACES] + tables[table, LENGTH]
        slots[slot + 1, DOMAIN] = slots[slot, DOMAIN] + tables[table, WIDTH]
        slots[slot + 1, MATES] = slots[slot, MATES] + mates


@inlined
def _number_squares(starts: Longs, slots: Longs, places: Longs, holes: Flags, width: int, numbers: Longs) -> int:
    """Number the squares that slots go through, in the places and in `numbers` (two a cell); returns how many."""
    for slot in range(len(starts)):
        is_down = starts[slot] < 0
        cell = ~starts[slot] if is_down else starts[slot]
        for place in range(slots[slot, PLACES], slots[slot + 1, PLACES]):
            key = 2 * cell + (1 if is_down and holes[cell] else 0)
            places[place, SQUARE] = key
            numbers[key] = 0
            cell += width if is_down else 1
    count = 0
    for key in range(len(numbers)):
        if numbers[key] == 0:
            numbers[key] = count
            count += 1
    for place in range(len(places)):
        places[place, SQUARE] = numbers[places[place, SQUARE]]
    return count


@inlined
def _cross(slots: Longs, places: Longs, squares: Longs) -> None:
    """Tell each square the first slot through it, and each place the slot that crosses there."""
    for slot in range(len(slots) - 1):
        first = slots[slot, PLACES]
        for place in range(first, slots[slot + 1, PLACES]):
            square = places[place, SQUARE]
            other, index = squares[square, AT_SLOT], squares[square, AT_INDEX]
            if other < 0:
                squares[square, AT_SLOT], squares[square, AT_INDEX] = slot, place - first
            else:
                crossed = slots[other, PLACES] + index
                places[place, CROSSING], places[place, INDEX] = other, index
                places[crossed, CROSSING], places[crossed, INDEX] = slot, place - first


@inlined
def _list_mates(uses: Longs, alike: Flags, mates: Longs) -> None:
    """List, slot after slot, the others whose words must differ from its own."""
    end = 0
    for slot in range(len(uses)):
        for other in range(len(uses)):
            if other != slot and alike[uses[slot], uses[other]]:
                mates[end] = other
                end += 1
