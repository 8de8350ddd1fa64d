"""Slots, their numbers and their crossings, found from the blocks, voids and bars of a grid."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xwtui.model.where import Direction, Position

IsJoined = Callable[[Position, Position], bool]
"""Whether two places are open neighbours on the grid, with no bar between them."""

SlotKey = tuple[Position, Direction]
"""A slot by its first square and direction: unlike a number, this stays while blocks move elsewhere."""

SHORTEST_SLOT = 2
"""Squares in a run at least, for it to take an entry."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A run of two or more open squares that takes an entry."""

    number: int
    direction: Direction
    positions: tuple[Position, ...]

    @property
    def name(self) -> str:
        """The name that solvers use, such as `17A`."""
        return f"{self.number}{self.direction.value}"

    @property
    def start(self) -> Position:
        """The first square, which bears the number."""
        return self.positions[0]

    def __len__(self) -> int:
        """The number of squares (an answer through a rebus is longer)."""
        return len(self.positions)


class Crossing(NamedTuple):
    """A square that an across and a down slot share, with its index along each."""

    position: Position
    across: Slot
    across_index: int
    down: Slot
    down_index: int


def find_slots(open_positions: Iterable[Position], is_joined: IsJoined) -> tuple[Slot, ...]:
    """Find and number all slots, across first, each direction in the order of the numbers.

    `open_positions` come row by row.
    """
    across: list[Slot] = []
    down: list[Slot] = []
    number = 0
    for position in open_positions:
        runs = {direction: _run_from(position, direction, is_joined) for direction in Direction}
        if any(runs.values()):
            number += 1
        if run := runs[Direction.ACROSS]:
            across.append(Slot(number, Direction.ACROSS, run))
        if run := runs[Direction.DOWN]:
            down.append(Slot(number, Direction.DOWN, run))
    return (*across, *down)


def _run_from(position: Position, direction: Direction, is_joined: IsJoined) -> tuple[Position, ...]:
    """The squares of the slot that starts here, or nothing where none does."""
    if is_joined(position.step(direction, -1), position):
        return ()
    run = [position]
    while is_joined(run[-1], run[-1].step(direction)):
        run.append(run[-1].step(direction))
    return tuple(run) if len(run) >= SHORTEST_SLOT else ()


def find_crossings(slots: Sequence[Slot]) -> tuple[Crossing, ...]:
    """Find the squares that two of the slots share, in the order of the across slots."""
    down_at = {
        position: (slot, index)
        for slot in slots
        if slot.direction is Direction.DOWN
        for index, position in enumerate(slot.positions)
    }
    return tuple(
        Crossing(position, slot, index, *down_at[position])
        for slot in slots
        if slot.direction is Direction.ACROSS
        for index, position in enumerate(slot.positions)
        if position in down_at
    )
