"""A fill problem: a grid and a lexicon, laid out for the kernels, with the names to speak of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.assemble import assemble_network, copy_state, fresh_state
from xwtui.engine.kernels.network import DOMAIN, Network
from xwtui.engine.kernels.search import IMPOSSIBLE, advance
from xwtui.engine.kernels.state import State
from xwtui.engine.kernels.supports import start_state
from xwtui.engine.quotas import NO_DEMANDS, Demands
from xwtui.engine.reasons import no_word_fits, root_failure
from xwtui.engine.search_arrays import fresh_search
from xwtui.engine.settings import WORKERS
from xwtui.engine.symbols import PLAIN_CHARACTERS, Symbols
from xwtui.engine.tables import Pattern, Table, given_table, lexicon_tables
from xwtui.model import Content, Grid, Position, Slot
from xwtui.words.lexicon import Lexicon
from xwtui.words.word_list import WordTable


@dataclass(frozen=True)
class Root:
    """The state before any decision: domains after propagation, or where propagation ran empty."""

    state: State
    is_possible: bool
    reason: str
    """Why nothing can be filled, in a constructor's words; empty if something may."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What a fill, a count or an explanation works on; it never changes and may be shared by threads.

    `network` holds the slots in the order of `slots`, and the squares in the order of `positions`.
    """

    grid: Grid
    lexicon: Lexicon
    allow_repeats: bool
    slots: tuple[Slot, ...]
    positions: tuple[Position, ...]
    symbols: Symbols
    tables: tuple[Table, ...]
    """The table of each slot."""
    network: Network
    demands: Demands = NO_DEMANDS
    """What is demanded of the whole, and laid out in `network`."""

    @classmethod
    def build(cls, grid: Grid, lexicon: Lexicon, *, allow_repeats: bool = False) -> Problem:
        """Lay out a grid: squares in PEN or LOCKED are kept, content in PENCIL is not looked at.

        An entry that is given whole has that answer, listed or not. Raises EngineError for a
        grid with too many different rebus squares.
        """
        given = given_contents(grid)
        symbols = Symbols.of_contents(given.values())
        slots = grid.slots
        patterns = [[given.get(position) for position in slot.positions] for slot in slots]
        tables = tuple(_slot_tables(slots, patterns, lexicon, symbols))
        positions = tuple(sorted({position for slot in slots for position in slot.positions}))
        mates = [[] for _ in slots] if allow_repeats else _mates(slots, patterns)
        network = assemble_network(slots, tables, mates, positions)
        return cls(grid, lexicon, allow_repeats, slots, positions, symbols, tables, network)

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The names of the slots, such as `17A`."""
        return tuple(slot.name for slot in self.slots)

    @cached_property
    def slot_numbers(self) -> Mapping[str, int]:
        """The place of each named slot among the slots."""
        return {slot.name: number for number, slot in enumerate(self.slots)}

    def word(self, slot: int, row: int) -> str:
        """The word in a row of a slot's table, as it is read in the slot's direction."""
        return self.symbols.spell(self.tables[slot].symbols[row].tolist(), self.slots[slot].direction)

    def words(self, slot: int) -> list[str]:
        """The words in all rows of a slot's table."""
        table = self.tables[slot]
        if table.symbol_count <= len(PLAIN_CHARACTERS):
            return WordTable(table.symbols, table.scores).words()
        return [self.word(slot, row) for row in range(table.rows)]

    def score(self, slot: int, row: int) -> int:
        """The score of a row of a slot's table; 0 for a given answer that no list has."""
        return int(self.tables[slot].scores[row])

    @cached_property
    def root(self) -> Root:
        """The state after propagation, before any decision; copy it before a search."""
        state = fresh_state(self.network)
        for number, table in enumerate(self.tables):
            if table.rows == 0:
                return Root(state, False, no_word_fits(self, number))
        start_state(self.network, state)
        if advance(self.network, state, fresh_search(self.network, WORKERS[0], 0, 0), 0) == IMPOSSIBLE:
            return Root(state, False, root_failure(self, state))
        return Root(state, True, "")

    def new_state(self) -> State:
        """A state of one's own, propagated, for a problem whose root is possible."""
        return copy_state(self.root.state)

    def pattern_sizes(self) -> tuple[int, ...]:
        """For each slot, the words that match its given squares."""
        return tuple(table.rows for table in self.tables)

    def domain_sizes(self, state: State) -> tuple[int, ...]:
        """For each slot, the rows that it can still take in a state; zeros where the root is impossible."""
        if not self.root.is_possible:
            return (0,) * len(self.slots)
        first = int(self.network.slots[-1, DOMAIN]) + len(self.slots)
        return tuple(state.memory[first : first + len(self.slots)].tolist())

    def rows_left(self, state: State, slot: int) -> NDArray[np.int64]:
        """The rows of a slot's table that it can still take in a state."""
        start, end = self.network.slots[slot : slot + 2, DOMAIN].tolist()
        bits = np.unpackbits(state.memory[start:end].view(np.uint8), bitorder="little")
        return np.flatnonzero(bits)

    def masks(self, state: State) -> list[int]:
        """For each square of `positions`, the symbols that it can still take, as bits."""
        first = int(self.network.slots[-1, DOMAIN]) + 2 * len(self.slots)
        masks: list[int] = state.memory[first:].tolist()
        return masks

    def decided_squares(self, state: State) -> dict[Position, Content]:
        """The squares with one content left in a state."""
        return {
            position: self.symbols.contents[mask.bit_length() - 1]
            for position, mask in zip(self.positions, self.masks(state), strict=True)
            if mask and not mask & (mask - 1)
        }


def given_contents(grid: Grid) -> dict[Position, Content]:
    """The content of each given square, row by row."""
    return {
        position: square.content
        for position, square in zip(grid.positions(), grid.squares, strict=True)
        if square.is_given and square.content is not None
    }


def _slot_tables(
    slots: Sequence[Slot], patterns: Sequence[Pattern], lexicon: Lexicon, symbols: Symbols
) -> Iterator[Table]:
    """The table of each slot: the lexicon's own, or one made for its given squares."""
    plain = lexicon_tables(lexicon)
    unlisted: dict[str, int] = {}
    for slot, pattern in zip(slots, patterns, strict=True):
        if any(pattern):
            yield given_table(plain, symbols, slot, pattern, unlisted)
        else:
            yield plain.table(len(slot))


def _mates(slots: Sequence[Slot], patterns: Sequence[Pattern]) -> list[list[int]]:
    """For each slot, the other slots whose answers have as many characters."""
    by_length: dict[int, list[int]] = {}
    lengths = [_characters(slot, pattern) for slot, pattern in zip(slots, patterns, strict=True)]
    for number, length in enumerate(lengths):
        by_length.setdefault(length, []).append(number)
    return [[mate for mate in by_length[length] if mate != number] for number, length in enumerate(lengths)]


def _characters(slot: Slot, pattern: Pattern) -> int:
    """The characters of a slot's answer."""
    return sum(1 if content is None else len(content.reading(slot.direction)) for content in pattern)
