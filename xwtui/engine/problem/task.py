"""What a fill is asked for: a grid, words, rules, and what is assumed for the sake of an argument."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xwtui.errors import EngineError, PuzzleError
from xwtui.model import Content, Grid, Position, Slot, Symmetry
from xwtui.model.rules import NO_ENTRY_RULES, EntryRules, Rules
from xwtui.words.lexicon import Lexicon


@dataclass(frozen=True, eq=False)
class Assumptions:
    """A part of all fills of a task; unlike what is given, it never makes an entry of a word that is none."""

    standing: Mapping[Position, Content] = field(default_factory=dict)
    """Squares with what they hold."""
    entries: Mapping[str, frozenset[tuple[Content, ...]]] = field(default_factory=dict)
    """For entries by name, what they must not be, square by square."""
    squares: Mapping[Position, frozenset[Content]] = field(default_factory=dict)
    """What squares must not hold."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is assumed."""
        return not (self.standing or self.entries or self.squares)


NO_ASSUMPTIONS = Assumptions()

NO_RULES = Rules()
"""The rules of a task without any."""


@dataclass(frozen=True, eq=False)
class Task:
    """A fill as it is asked for; `Problem.of` lays it out, and `dataclasses.replace` asks another."""

    grid: Grid
    lexicon: Lexicon
    allow_repeats: bool = False
    rules: Rules = NO_RULES
    own_lists: Mapping[str, Lexicon] = field(default_factory=dict)
    """The words of the lists that rules of entries name."""
    selection: frozenset[Position] | None = None
    """The squares to fill; entries that touch none of them need no word. None for the whole grid."""
    holes: frozenset[Position] = frozenset()
    """Squares whose across and down letters need not agree, and which stay empty."""
    symmetry: Symmetry = Symmetry.NONE
    """What places new rebus squares symmetrically, where the rules ask for it."""
    assumptions: Assumptions = NO_ASSUMPTIONS
    """Which part of the fills is meant."""

    @cached_property
    def given(self) -> Mapping[Position, Content]:
        """The content of each square that every fill keeps, row by row.

        These are the squares in PEN or LOCKED, and outside a selection those in PENCIL, too; no hole is one.
        """
        return {
            position: square.content
            for number, square in enumerate(self.grid.squares)
            if square.content is not None
            and (position := Position(*divmod(number, self.grid.width))) not in self.holes
            and (square.is_given or (self.selection is not None and position not in self.selection))
        }

    @cached_property
    def fills_the_rest(self) -> bool:
        """Whether no square beside the selection stays empty, so that a fill must have all that the grid must."""
        if self.selection is None:
            return True
        squares = {position for slot in self.grid.slots for position in slot.positions}
        return squares <= self.selection | self.given.keys() | self.holes

    def check(self) -> None:
        """Raise EngineError for an entry's rules that cannot be read, or whose list is not there."""
        for slot in self.grid.slots if self.rules.entries else ():
            rules = self.entry_rules(slot)
            if rules.word_list and rules.word_list not in self.own_lists:
                raise EngineError(f"{slot.name}: its own word list {rules.word_list!r} is not there")
            try:
                rules.check()
            except PuzzleError as error:
                raise EngineError(f"{slot.name}: {error}") from None

    def is_required(self, slot: Slot) -> bool:
        """Whether a fill must decide on a word for a slot."""
        return self.selection is None or not self.selection.isdisjoint(slot.positions)

    def are_required(self, slots: Sequence[Slot]) -> list[bool]:
        """The same, of each of some slots."""
        return [True] * len(slots) if self.selection is None else list(map(self.is_required, slots))

    def entry_rules(self, slot: Slot) -> EntryRules:
        """All that is asked of the answer of a slot; empty if nothing is."""
        rules = self.rules
        return rules.asked((slot.start, slot.direction)) if rules.asks_entries else NO_ENTRY_RULES

    def given_answer(self, slot: Slot) -> tuple[Content, ...] | None:
        """The contents of a slot that is given whole, or None."""
        given = self.given
        return tuple(given[at] for at in slot.positions) if all(at in given for at in slot.positions) else None

    def pattern(self, slot: Slot) -> str:
        """A slot as text: `SWEET[HEART]?`, with `?` for a square that is not given."""
        readings = [
            self.given[position].reading(slot.direction) if position in self.given else "?"
            for position in slot.positions
        ]
        return "".join(reading if len(reading) == 1 else f"[{reading}]" for reading in readings)
