"""The squares of a problem as numbers: one for each, and two for a hole."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xwtui.model import Direction, Position, Slot


@dataclass(frozen=True)
class Squares:
    """The numbers of the squares in use."""

    positions: tuple[Position, ...]
    """The position of each number, row by row; that of a hole twice, across first."""
    numbers: tuple[tuple[int, ...], ...]
    """The numbers of each slot's squares."""

    @cached_property
    def number(self) -> Mapping[Position, int]:
        """The number at each position; of a hole, that of its square down."""
        return {position: number for number, position in enumerate(self.positions)}

    @classmethod
    def of(cls, slots: Sequence[Slot], holes: Collection[Position]) -> Squares:
        """Number the squares of some slots; across and down have a square each at a hole."""
        keys = [[(at, position_key(slot, at, holes)) for at in slot.positions] for slot in slots]
        ordered = sorted({key for row in keys for key in row})
        number = {key: index for index, key in enumerate(ordered)}
        return cls(
            tuple(position for position, _ in ordered),
            tuple(tuple(number[key] for key in row) for row in keys),
        )


def position_key(slot: Slot, position: Position, holes: Collection[Position]) -> int:
    """What tells the two squares of a hole apart; 0 for any other square."""
    return int(position in holes and slot.direction is Direction.DOWN)
