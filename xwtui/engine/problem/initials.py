"""Initials that all differ, as cardinalities: of the squares where answers begin, one at most has each letter.

Two entries that begin in one square count once. Where a square may read differently across and down, answers are
counted instead of squares, which takes longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from xwtui.engine.problem.constraints import ChoiceOfWays, SlotCardinality, SquareCardinality
from xwtui.errors import EngineError
from xwtui.model import Content, Direction, Position, Slot
from xwtui.model.rules.constraints import InitialsDiffer

if TYPE_CHECKING:
    from xwtui.engine.problem.segmentation import Requirements
    from xwtui.engine.problem.squares import Squares
    from xwtui.engine.problem.tables import Table


@dataclass(frozen=True, eq=False)
class InitialConstraints:
    """What a task's rules ask of the first letters of its answers; two that are given may have the same."""

    requirements: Requirements
    squares: Squares
    slots: Sequence[Slot]
    tables: Sequence[Table]

    @cached_property
    def _asked(self) -> Sequence[InitialsDiffer]:
        asked = self.requirements.task.rules.constraints
        return [constraint for constraint in asked if isinstance(constraint, InitialsDiffer)]

    @cached_property
    def _counted(self) -> Mapping[Slot, Table]:
        """The slots that are decided on or given, with their tables; of two that begin in one square, one.

        That is one that is not given, if there is one. Raises EngineError where the square may read two ways.
        """
        task, masks = self.requirements.task, self.requirements.masks
        asked = [slot for slot in self.slots if task.is_required(slot) or task.given_answer(slot) is not None]
        asked.sort(key=lambda slot: task.given_answer(slot) is not None)
        counted: dict[Position, list[Slot]] = {}
        for slot in asked:
            earlier = counted.setdefault(slot.start, [])
            contents = self.requirements.symbols.in_mask(masks[slot.start])
            may_differ = slot.start in task.split or any(map(_begins_two_ways, contents))
            if earlier and slot.start not in task.holes and may_differ:
                raise EngineError(
                    f"{slot.start} begins two entries and may read two ways, so its initials are unclear"
                )
            if not earlier or slot.start in task.holes:
                earlier.append(slot)
        kept = {slot for slots in counted.values() for slot in slots}
        return {slot: table for slot, table in zip(self.slots, self.tables, strict=True) if slot in kept}

    @cached_property
    def _given(self) -> Mapping[Slot, str]:
        """The initials of the given answers."""
        task = self.requirements.task
        answers = [(slot, task.given_answer(slot)) for slot in self._counted]
        return {slot: contents[0].reading(slot.direction)[0] for slot, contents in answers if contents}

    @cached_property
    def _reads_two_ways(self) -> bool:
        """Whether some content begins with one letter across and with another one down, or a start is split."""
        contents, task = self.requirements.symbols.contents, self.requirements.task
        starts = {slot.start for slot in self._counted}
        return any(map(_begins_two_ways, contents)) or not starts.isdisjoint(task.holes | task.split)

    def on_squares(self) -> Iterator[SquareCardinality]:
        """For each letter, how many squares where answers begin have it, or a rebus that begins with it."""
        if self._asked and not self._reads_two_ways:
            numbers = self.squares.numbers
            squares = tuple(sorted({numbers[slot.start][0] for slot in self._counted}))
            given = Counter(self._given.values())
            for letter, least in self._letters().items():
                symbols = self.requirements.symbols.mask(self._beginning(letter, Direction.ACROSS))
                yield SquareCardinality(_name(letter), squares, symbols, least, max(given[letter], 1))

    def on_slots(self) -> Iterator[SlotCardinality]:
        """The same of answers."""
        if self._asked and self._reads_two_ways:
            given = Counter(self._given.values())
            codes = self.requirements.symbols.code
            for letter, least in self._letters().items():
                begin = {way: list(map(codes, self._beginning(letter, way))) for way in Direction}
                rows = tuple(
                    np.isin(table.symbols[:, 0], begin[slot.direction])
                    if slot in self._counted
                    else np.zeros(table.rows, np.bool_)
                    for slot, table in zip(self.slots, self.tables, strict=True)
                )
                yield SlotCardinality(_name(letter), rows, least, max(given[letter], 1))

    def out_of_reach(self) -> Iterator[ChoiceOfWays]:
        """What cannot be, whatever the words: more initials than letters."""
        if not self._asked:
            return
        open_slots = [slot for slot in self._counted if slot not in self._given]
        possible = {self._initial(slot, code) for slot in open_slots for code in self._codes(slot)}
        if len(open_slots) > len(possible - {*self._given.values()}):
            yield ChoiceOfWays(f"{len(self._counted)} different initials", ())

    def _codes(self, slot: Slot) -> list[int]:
        """The symbols with which some word of a slot begins."""
        codes: list[int] = np.unique(self._counted[slot].symbols[:, 0]).tolist()
        return codes

    def _initial(self, slot: Slot, code: int) -> str:
        return self.requirements.symbols.contents[code].reading(slot.direction)[0]

    def _letters(self) -> dict[str, int]:
        """The letters with which some content begins, and how many answers are to begin with each, at least."""
        contents = self.requirements.symbols.contents
        each = "".join(asked.each for asked in self._asked) if self.requirements.task.fills_the_rest else ""
        letters = dict.fromkeys([content.reading(way)[0] for content in contents for way in Direction], 0)
        return letters | dict.fromkeys(each, 1)

    def _beginning(self, letter: str, direction: Direction) -> list[Content]:
        """The contents that begin with a letter in a direction."""
        contents = self.requirements.symbols.contents
        return [content for content in contents if content.reading(direction).startswith(letter)]


def _begins_two_ways(content: Content) -> bool:
    return content.across[0] != content.down[0]


def _name(letter: str) -> str:
    return f"the initial {letter}"
