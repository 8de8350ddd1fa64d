"""The numbered squares of a problem: one for each position in an entry, two if the position is split.

A position is split if its across and down entries may have different letters there. One square then belongs to the
across entry and one to the down entry, so that a pair of letters is not a symbol of its own.

Rules about split positions become three constraints in one, propagated by `kernels/propagate/pairs.py`: a table
over the two squares of each pair, a cardinality of those that differ, and an automaton over their letters, which
spells a message.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, field
from xwtui.engine.kernels.network import AT_INDEX, AT_SLOT, SYMBOLS
from xwtui.engine.kernels.propagate.constraints import NO_LIMIT
from xwtui.engine.kernels.propagate.pairs import HEADER, PAIR_COLUMNS
from xwtui.engine.problem.segmentation import Requirements
from xwtui.engine.problem.symbols import signed
from xwtui.engine.problem.task import Task
from xwtui.model import Content, Direction, Position, Slot


@dataclass(frozen=True, eq=False)
class Squares:
    """The numbering of the squares."""

    positions: tuple[Position, ...]
    """The position of each square, row by row. A hole or a split position occurs twice, across first."""
    holes: Collection[Position] = ()
    sides: Mapping[int, Direction] = field(default_factory=dict)
    """The direction that each square of a split position belongs to."""
    given: Mapping[Position, Content] = field(default_factory=dict)
    """The given contents of split positions."""

    @classmethod
    def of(
        cls, task: Task, positions: tuple[Position, ...], squares: NDArray[np.int64], slots: Sequence[Slot]
    ) -> Squares:
        """Return the squares as laid out for the slots of a task."""
        split = task.split
        sides = {
            number: way_through(slots[squares[number, AT_SLOT]])[int(squares[number, AT_INDEX])]
            for number, at in (enumerate(positions) if split else ())
            if at in split
        }
        return cls(positions, task.holes, sides, {at: task.given[at] for at in split & task.given.keys()})

    @cached_property
    def numbers(self) -> Mapping[Position, tuple[int, ...]]:
        """The squares at each position: two for a hole or a split position, across first."""
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

    def part_of(self, number: int, content: Content) -> Content:
        """Return a square's part of a position's content: all of it, or its side's reading if there are two."""
        side = self.sides.get(number)
        return content if side is None or not content.is_schroedinger else Content.of(content.reading(side))

    def split_contents(self, contents: Mapping[Position, Content]) -> list[Content | None]:
        """Return each square's part of the given contents; None if there are none."""
        held_by = (contents.get(at) for at in self.positions)
        return [None if held is None else self.part_of(number, held) for number, held in enumerate(held_by)]

    def ruled_out(self, at: Position, contents: Collection[Content]) -> Collection[Content]:
        """Return what a position's squares lose if it may not hold these contents.

        If a pair is given there, they lose either all of it or nothing.
        """
        given = self.given.get(at)
        if given is None:
            return contents
        return [Content.of(letter) for letter in (given.across, given.down)] if given in contents else ()

    def read(self, slot: Slot, contents: Sequence[Content]) -> list[Content]:
        """Return the contents of a slot's squares for its positions'; a wrong pair becomes the given one."""
        ways = way_through(slot) if self.sides else ()
        read = list(contents)
        for place, (at, way) in enumerate(zip(slot.positions, ways, strict=False)):
            if at in self._split and self.given.get(at, read[place]) == read[place]:
                read[place] = Content.of(read[place].reading(way))
            elif at in self._split:
                read[place] = self.given[at]
        return read

    def shown(self, at: Position, content: Content) -> Iterator[tuple[int, Content]]:
        """Yield the squares at a position with this content, each with its part of it."""
        return ((number, self.part_of(number, content)) for number in self.numbers.get(at, ()))

    def joined(self, contents: Iterable[Content | None]) -> dict[Position, Content]:
        """Return each position's content from its squares, as far as they are known; never a hole's."""
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
    """Return the direction in which a slot reads each of its positions; for one read twice, the first."""
    ways = dict(reversed(list(zip(slot.reading, slot.directions, strict=True))))
    return [ways[at] for at in slot.positions]


_ANY_SYMBOL = (1 << SYMBOLS) - 1


class SquarePairs(NamedTuple):
    """A set number of pairs of squares differ and all others agree, or the differing ones spell a message."""

    verb: str
    """The verb of the rule that this comes from."""
    pairs: tuple[tuple[int, int], ...]
    """Numbers of squares, row by row, the across square of each pair first."""
    letters: int
    """The symbols of pairs that can differ, as bits."""
    least: int
    most: int
    allowed: tuple[tuple[int, int], ...] | None = None
    """The pairs of different symbols that are allowed; None for any."""
    steps: tuple[tuple[int, int], ...] = ()
    """For each letter of a message, the symbols of both squares, as bits."""
    message: str = ""
    given: int = 0
    """Number of given pairs."""

    @property
    def fewest(self) -> int:
        """The upper limit on differing pairs in a run that lets no more differ than necessary."""
        return min(max(self.least, self.given), self.most)

    def at_fault(self, masks: Sequence[int]) -> tuple[list[int], int, bool]:
        """Return the squares, one of each pair, that differ but should not, from the symbols left in each square.

        Also returns how many pairs can differ, and whether those squares are not allowed to differ as they do. If
        the message is at fault, no squares are returned.
        """
        must = [one for one, other in self.pairs if not masks[one] & masks[other]]
        can = [one for one, other in self.pairs if self._can_differ(masks[one], masks[other])]
        if self.message and len(can) >= self.least:
            return [], len(can), False
        barred = [square for square in must if square not in can]
        return barred or (must if len(must) > self.most else []), len(can), bool(barred)

    def _can_differ(self, across: int, down: int) -> bool:
        across, down = across & self.letters, down & self.letters
        if self.allowed is None:
            return bool(across and down) and (across | down).bit_count() > 1
        return any(across >> one & 1 and down >> other & 1 for one, other in self.allowed)


def pair_records(constraints: Sequence[SquarePairs]) -> NDArray[np.int64]:
    """Return the records that the kernels read; empty if there are none."""
    cells: list[int] = []
    for each in constraints:
        allowed = each.allowed or ()
        steps = [(signed(one), signed(other)) for one, other in each.steps]
        following = len(cells) + HEADER + PAIR_COLUMNS * (len(each.pairs) + len(allowed) + len(steps))
        cells += [following, len(each.pairs), len(allowed), len(steps)]
        cells += [each.least, each.most, each.fewest, 0 if each.allowed == () else signed(each.letters)]
        cells += [cell for pair in (*each.pairs, *allowed, *steps) for cell in pair]
    return np.array(cells, np.int64)


def square_pairs(requirements: Requirements, squares: Squares) -> Iterator[SquarePairs]:
    """Yield the requirements of a task's rules on pairs. While squares stay empty, none need to differ."""
    task, symbols = requirements.task, requirements.symbols

    def codes(pairs: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the symbols of pairs of letters, except letters that the alphabet lacks."""
        for pair in pairs:
            across, down = map(symbols.letters_mask, pair)
            if across and down:
                yield across.bit_length() - 1, down.bit_length() - 1

    def wanted(letter: str) -> int:
        """Return the symbols that a step of a message requires."""
        return symbols.letters_mask(letter) if letter else _ANY_SYMBOL

    for rule in task.rules.two_readings:
        places = [at for at in rule.places(task.grid, task.rules.squares) if at in task.split]
        numbers = [squares.numbers.get(at, ()) for at in places]
        least, most = rule.bounds
        has_message = bool(rule.message) and task.completes_grid
        yield SquarePairs(
            rule.verb,
            tuple((pair[0], pair[1]) for pair in numbers if len(pair) == 2),
            symbols.plain.mask,
            least if task.completes_grid else 0,
            NO_LIMIT if most is None else most,
            tuple(codes(rule.pairs)) if rule.pairs else None,
            tuple((wanted(one), wanted(other)) for one, other in rule.steps) if has_message else (),
            rule.message if has_message else "",
            sum(at in task.given for at in places),
        )
