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
        keys = [_keys(slot, holes) for slot in slots]
        ordered = sorted({key for row in keys for key in row})
        number = {key: index for index, key in enumerate(ordered)}
        return cls(
            tuple(key if isinstance(key, Position) else Position(*key[:2]) for key in ordered),
            tuple(tuple([number[key] for key in row]) for row in keys),
        )


def _keys(slot: Slot, holes: Collection[Position]) -> Sequence[tuple[int, ...]]:
    """What tells the squares of a slot from all others: the position, and of a hole the direction, too."""
    if not holes:
        return slot.positions
    is_down = int(slot.direction is Direction.DOWN)
    return [(*at, is_down) if at in holes else at for at in slot.positions]
