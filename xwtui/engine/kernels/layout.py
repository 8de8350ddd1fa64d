"""Laying a grid out: its squares numbered, and for each slot the places, crossings and mates."""

from dataclasses import dataclass

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
    SLOT_COLUMNS,
    SQUARE,
    SQUARE_COLUMNS,
    TABLE,
    TABLE_COLUMNS,
    WIDTH,
    Bytes,
    Longs,
)
from xwtui.engine.kernels.records import Assembled


@dataclass(frozen=True, eq=False)
class Ground(
    Assembled,
    columns={"tables": TABLE_COLUMNS, "slots": SLOT_COLUMNS, "places": PLACE_COLUMNS, "squares": SQUARE_COLUMNS},
):
    """What a grid is laid out from, and what is to be filled in."""

    starts: Longs
    """The slots' first cells, numbered row by row; ~cell of a slot that goes down."""
    users: Longs
    """How many slots use each table."""
    tables: Longs
    """As a network has them."""
    alike: Bytes
    """(tables, tables; flat) 1 where words of two tables must differ."""
    holes: Bytes
    """(cells) 1 where there are two squares, the first one across."""
    slots: Longs
    """(slots + 1, 5) zeroed, but for each slot's TABLE and REQUIRED."""
    places: Longs
    """(places, 3) -1 everywhere."""
    squares: Longs
    """(places, 2) -1 everywhere; there are no more squares than places."""
    mates: Longs
    numbers: Longs
    """(cells, 2; flat) -1 everywhere: the numbers of a cell's squares, row by row; one of no square stays -1."""


@entry_point
def lay_out_slots(ground: Ground, width: int) -> None:
    """Fill in `slots`, `places`, `squares` and `mates` of a network, and the numbers of the squares."""
    _start_slots(ground)
    _number_squares(ground, width)
    _cross(ground.slots, ground.places, ground.squares)
    _list_mates(ground)


@inlined
def _start_slots(ground: Ground) -> None:
    """Tell where what belongs to each slot starts."""
    slots, tables, users = ground.slots, ground.tables, ground.users
    for slot in range(len(slots) - 1):
        table = slots[slot, TABLE]
        mates = 0
        for other in range(len(users)):
            if ground.alike[table * len(users) + other] != 0:
                mates += users[other] - (1 if other == table else 0)
        slots[slot + 1, PLACES] = slots[slot, PLACES] + tables[table, LENGTH]
        slots[slot + 1, DOMAIN] = slots[slot, DOMAIN] + tables[table, WIDTH]
        slots[slot + 1, MATES] = slots[slot, MATES] + mates


@inlined
def _number_squares(ground: Ground, width: int) -> None:
    """Number the squares that slots go through."""
    starts, slots, places, numbers = ground.starts, ground.slots, ground.places, ground.numbers
    for slot in range(len(starts)):
        is_down = starts[slot] < 0
        cell = ~starts[slot] if is_down else starts[slot]
        for place in range(slots[slot, PLACES], slots[slot + 1, PLACES]):
            key = 2 * cell + (1 if is_down and ground.holes[cell] != 0 else 0)
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
def _list_mates(ground: Ground) -> None:
    """List, slot after slot, the others whose words must differ from its own."""
    slots, count = ground.slots, len(ground.starts)
    end = 0
    for slot in range(count):
        first = slots[slot, TABLE] * len(ground.users)
        for other in range(count):
            if other != slot and ground.alike[first + slots[other, TABLE]] != 0:
                ground.mates[end] = other
                end += 1
