"""The squares of a problem by number: one for each position that entries go through, two where it is split.

A position is split where its across and its down entry may have different letters there: one square is the across
entry's, the other the down entry's, so that a pair of letters is no symbol of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, field
from xwtui.engine.kernels.network import AT_INDEX, AT_SLOT
from xwtui.engine.problem.task import Task
from xwtui.model import Content, Direction, Position, Slot


@dataclass(frozen=True, eq=False)
class Squares:
    """Which square is where."""

    positions: tuple[Position, ...]
    """The position of each square, row by row; that of a hole or a split one twice, across first."""
    holes: Collection[Position] = ()
    sides: Mapping[int, Direction] = field(default_factory=dict)
    """Whose each square of a split position is."""
    given: Mapping[Position, Content] = field(default_factory=dict)
    """The split positions that are given."""

    @classmethod
    def of(
        cls, task: Task, positions: tuple[Position, ...], squares: NDArray[np.int64], slots: Sequence[Slot]
    ) -> Squares:
        """The squares as they are laid out for some slots of a task."""
        split = task.split
        sides = {
            number: way_through(slots[squares[number, AT_SLOT]])[int(squares[number, AT_INDEX])]
            for number, at in (enumerate(positions) if split else ())
            if at in split
        }
        return cls(positions, task.holes, sides, {at: task.given[at] for at in split & task.given.keys()})

    @cached_property
    def numbers(self) -> Mapping[Position, tuple[int, ...]]:
        """The squares at each position, two of a hole or a split one, across first."""
        found: dict[Position, tuple[int, ...]] = {}
        for number, at in enumerate(self.positions):
            found[at] = (*found.get(at, ()), number)
        return found

    @cached_property
    def _split(self) -> Mapping[Position, tuple[int, ...]]:
        return {at: self.numbers[at] for at in {self.positions[number] for number in self.sides}}

    @property
    def opposites(self) -> Iterator[tuple[int, int]]:
        """The two squares of each split position."""
        for numbers in self._split.values():
            if len(numbers) == 2:
                yield numbers[0], numbers[1]

    def half(self, number: int, content: Content) -> Content:
        """What a square has of a position's content: all of it, or its side's letter."""
        side = self.sides.get(number)
        return content if side is None or not content.is_letter_pair else Content.of(content.reading(side))

    def parted(self, contents: Mapping[Position, Content]) -> list[Content | None]:
        """What each square has of what stands; None where nothing does."""
        standing = (contents.get(at) for at in self.positions)
        return [None if held is None else self.half(number, held) for number, held in enumerate(standing)]

    def ruled_out(self, at: Position, contents: Collection[Content]) -> Collection[Content]:
        """What a position's squares lose where that holds none of some contents: a given pair all or nothing."""
        given = self.given.get(at)
        if given is None:
            return contents
        return [Content.of(letter) for letter in (given.across, given.down)] if given in contents else ()

    def read(self, slot: Slot, contents: Sequence[Content]) -> list[Content]:
        """What a slot's squares have where its positions hold these; a pair for another given one stays whole."""
        ways = way_through(slot) if self.sides else ()
        read = list(contents)
        for place, (at, way) in enumerate(zip(slot.positions, ways, strict=False)):
            if at in self._split and self.given.get(at, read[place]) == read[place]:
                read[place] = Content.of(read[place].reading(way))
            elif at in self._split:
                read[place] = self.given[at]
        return read

    def shown(self, at: Position, content: Content) -> Iterator[tuple[int, Content]]:
        """The squares at a position that holds this, each with what it has of it."""
        return ((number, self.half(number, content)) for number in self.numbers.get(at, ()))

    def joined(self, contents: Iterable[Content | None]) -> dict[Position, Content]:
        """The content of each position, from those of the squares as far as they are known; never of a hole."""
        known = list(contents)
        found = {at: content for at, content in zip(self.positions, known, strict=True) if content is not None}
        for hole in self.holes:
            found.pop(hole, None)
        for at, numbers in self._split.items():
            first, last = known[numbers[0]], known[numbers[-1]]
            if at in self.given:
                found[at] = self.given[at]
            elif first is None or last is None:
                found.pop(at, None)
            else:
                found[at] = Content(first.across, last.down)
        return found


def way_through(slot: Slot) -> list[Direction]:
    """The direction in which a slot reads each of its positions, of one that it reads twice the first."""
    ways = dict(reversed(list(zip(slot.reading, slot.directions, strict=True))))
    return [ways[at] for at in slot.positions]
