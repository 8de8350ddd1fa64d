"""What the squares of a task may hold: given contents, the rules' own ones, and new rebus squares."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from xwtui.engine.problem.segmentation import FREE, SquareChoice
from xwtui.engine.problem.tables import PLAIN_CHARACTERS, PLAIN_MASK, Symbols
from xwtui.engine.problem.task import Task
from xwtui.model import Content, Direction, Position, Slot
from xwtui.model.rules.constraints import NewSquares
from xwtui.words.normalise import encode


@dataclass(frozen=True, eq=False)
class Requirements:
    """For each square of a task, the symbols that it may hold."""

    task: Task
    symbols: Symbols

    @classmethod
    def of(cls, task: Task) -> Requirements:
        """Collect the contents in play; raises EngineError for too many different rebuses."""
        rules = task.rules
        contents = [*task.given.values()]
        contents += [content for allowed in rules.squares.values() for content in allowed]
        contents += [content for new in rules.new_squares for content in new.contents]
        return cls(task, Symbols.of_contents(contents))

    @cached_property
    def masks(self) -> Mapping[Position, int]:
        """The symbols that each open square may hold, as bits; any plain character where nothing else is asked."""
        masks: dict[Position, int] = {}
        for position in self.task.grid.open_positions():
            if position in self.task.given:
                masks[position] = self.symbols.mask([self.task.given[position]])
            elif position in self.task.rules.squares:
                masks[position] = self.symbols.mask(self.task.rules.squares[position])
            else:
                masks[position] = PLAIN_MASK
        for new in self.task.rules.new_squares:
            for position in self.places_for(new) - self.task.rules.squares.keys():
                masks[position] |= self.symbols.mask(new.contents)
        for new in self.task.rules.new_squares:
            mask = self.symbols.mask(new.contents)
            for position in self.free - self.places_for(new):
                masks[position] &= ~mask
            for position in self.placed(new.contents) if new.symmetric else ():
                for mirror in self.mirrors(position) & self.free:
                    masks[mirror] &= mask
        return masks

    def placed(self, contents: Collection[Content]) -> list[Position]:
        """The squares in pencil outside a selection that hold one of some contents: new rebuses that stay."""
        task = self.task
        if task.selection is None:
            return []
        return [at for at, content in task.given.items() if content in contents and not task.grid[at].is_given]

    def places_for(self, new: NewSquares) -> frozenset[Position]:
        """Where new squares may be: checked and not given, all mirrors, too, if they are to be symmetric.

        A given square with one of the contents is no hindrance to its mirrors.
        """
        if not new.symmetric:
            return self.free
        fitting = self.free | {at for at, content in self.task.given.items() if content in new.contents}
        return frozenset(position for position in self.free if self.mirrors(position) <= fitting)

    def mirrors(self, position: Position) -> frozenset[Position]:
        """A square with all its images in the task's symmetry."""
        return self.task.symmetry.orbit(position, self.task.grid.height, self.task.grid.width)

    @cached_property
    def free(self) -> frozenset[Position]:
        """The squares that new rebuses may come to: to be filled, and in two entries."""
        return self.asked & {crossing.position for crossing in self.task.grid.crossings}

    @cached_property
    def asked(self) -> frozenset[Position]:
        """The squares that a fill writes: those of entries or of a selection, neither given nor holes."""
        squares = {position for slot in self.task.grid.slots for position in slot.positions}
        if self.task.selection is not None:
            squares &= self.task.selection
        return frozenset(squares - self.task.given.keys() - self.task.holes)

    @property
    def asks_nothing(self) -> bool:
        """Whether every slot takes every word of its length."""
        return not (self.task.rules.asks_entries or self.task.rules.new_squares or self._asked_of)

    def is_free(self, slot: Slot) -> bool:
        """Whether a slot takes every word of its length: nothing is asked of it nor of its squares alone."""
        task, asked_of = self.task, self._asked_of
        is_untouched = not asked_of or asked_of.isdisjoint(slot.positions)
        return is_untouched and not task.rules.new_squares and task.entry_rules(slot).is_empty

    @cached_property
    def _asked_of(self) -> frozenset[Position]:
        """The squares of which something is asked one by one."""
        return frozenset(self.task.given.keys() | self.task.rules.squares.keys())

    def choices(self, slot: Slot) -> tuple[SquareChoice, ...]:
        """What each square of a slot may hold, as the slot reads it."""
        return tuple(
            self._choice(self.masks[position], slot.direction, position in self.task.given)
            for position in slot.positions
        )

    def _choice(self, mask: int, direction: Direction, is_given: bool) -> SquareChoice:
        rebuses = mask & ~PLAIN_MASK
        if mask == PLAIN_MASK:
            return FREE
        readings = tuple(
            (code, encode(content.reading(direction)))
            for code, content in enumerate(self.symbols.rebuses, len(PLAIN_CHARACTERS))
            if rebuses >> code & 1
        )
        return SquareChoice(mask & PLAIN_MASK, readings, is_given)

    def most_new(self, slot: Slot) -> int:
        """How many squares with a choice may hold a rebus in a slot, at most."""
        own = sum(position in self.task.rules.squares for position in slot.positions)
        return min(len(slot), own + sum(new.most for new in self.task.rules.new_squares))
