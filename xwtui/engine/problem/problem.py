"""A fill problem: a grid and a lexicon, laid out for the kernels, with the names to speak of it."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.fill.search_settings import WORKERS
from xwtui.engine.kernels.network import DOMAIN, TABLE, Network
from xwtui.engine.kernels.search.search import IMPOSSIBLE, advance
from xwtui.engine.kernels.setup import start_state
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.arrays import (
    Layout,
    assemble_network,
    fresh_search,
    fresh_state,
    lay_out,
    square_masks,
    table_numbers,
)
from xwtui.engine.problem.constraints import NO_CONSTRAINTS, GlobalConstraints, SlotCardinality
from xwtui.engine.problem.rule_constraints import rule_constraints
from xwtui.engine.problem.segmentation import Requirements
from xwtui.engine.problem.squares import Squares, way_through
from xwtui.engine.problem.symbols import Symbols
from xwtui.engine.problem.tables import JoinedTables, Table, join_tables, starts
from xwtui.engine.problem.task import NO_RULES, Task
from xwtui.engine.problem.word_stock import WordStock, stock_of
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Grid, Position, Slot, Symmetry
from xwtui.model.rules import Rules
from xwtui.named_tuples import NamedTuple
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import codes_word
from xwtui.words.word_list import WordTable

with lazy_imports():
    from xwtui.engine.problem.no_fill import RuledOutThere


class Fault(enum.Enum):
    """What leaves a problem without a fill before any decision; `reasons` says it in words."""

    WORDLESS = "wordless"
    """An entry has no word at all."""
    ASSUMED = "assumed"
    """What is assumed leaves a square or an entry nothing."""
    EMPTIED = "emptied"
    """Propagation ran empty; the state tells where."""
    TOO_FEW = "too-few"
    """Fewer different answers are left than a rule for the whole grid wants."""


class Root(NamedTuple):
    """The state before any decision: domains after propagation, or where propagation ran empty."""

    state: State
    fault: Fault | None = None
    """Why nothing can be filled; None if something may."""
    ruled_out: RuledOutThere | None = None
    """What the assumptions leave nothing, where they are the fault."""

    @classmethod
    def of(cls, state: State, fault: Fault | None = None, ruled_out: RuledOutThere | None = None) -> Root:
        """The root of a state that nobody goes on with: only copies have the trail and other scratch."""
        return cls(state.at_rest(), fault, ruled_out)

    @property
    def is_possible(self) -> bool:
        """Whether propagation leaves something."""
        return self.fault is None


@dataclass(frozen=True, eq=False)
class Legend:
    """What the numbers of a problem stand for, without what it is searched with, which takes more memory."""

    slots: tuple[Slot, ...]
    positions: tuple[Position, ...]
    symbols: Symbols
    tables: tuple[Table, ...]
    constraints: GlobalConstraints

    @cached_property
    def slot_numbers(self) -> Mapping[str, int]:
        """The place of each named slot among the slots."""
        return {slot.name: number for number, slot in enumerate(self.slots)}

    def word(self, slot: int, row: int) -> str:
        """The word in a row of a slot's table, as it is read in the slot's direction."""
        table, entry = self.tables[slot], self.slots[slot]
        codes = table.symbols[row][list(entry.columns)] if entry.reads_twice else table.symbols[row]
        if table.has_letters_alone:
            return codes_word(self.symbols.plain.letters(codes))
        return self.symbols.spell(codes.tolist(), entry.directions)


@dataclass(frozen=True, eq=False)
class Problem:
    """What a fill, a count or an explanation works on; it never changes and may be shared by threads.

    `network` holds the slots in the order of `slots`, and the squares in the order of `positions`,
    where a hole or a split square has two places, one for each direction.
    """

    task: Task
    slots: tuple[Slot, ...]
    """The slots of the grid; without those outside a selection that no word fits, or that have no say."""
    squares: Squares
    symbols: Symbols
    tables: tuple[Table, ...]
    """The table of each slot."""
    joined: JoinedTables
    """These as they are laid out in `network`: problems of the same tables have the same ones."""
    network: Network
    constraints: GlobalConstraints = NO_CONSTRAINTS
    """What is demanded of the whole, and laid out in `network`."""

    @classmethod
    def build(
        cls,
        grid: Grid,
        lexicon: Lexicon,
        *,
        allow_repeats: bool = False,
        rules: Rules | None = None,
        own_lists: Mapping[str, Lexicon] | None = None,
        selection: Collection[Position] | None = None,
        holes: Collection[Position] = (),
        symmetry: Symmetry = Symmetry.NONE,
    ) -> Problem:
        """Lay out a grid: squares in PEN or LOCKED are kept, content in PENCIL is not looked at.

        An entry that is given whole has that answer, listed or not. `own_lists` are the lists that
        `rules` name for single entries. With a `selection` of squares only the entries that touch it
        are asked for, and all content outside is kept; entries outside still forbid what no
        word of theirs allows. Squares that are `holes` stay empty: their across and down letters
        need not agree. `symmetry` is that of placings that ask for one. Raises EngineError for a
        grid with too many different rebus squares, and for a rule that cannot be read.
        """
        return cls.of(
            Task(
                grid,
                lexicon,
                allow_repeats,
                rules or NO_RULES,
                own_lists or {},
                None if selection is None else frozenset(selection),
                frozenset(holes),
                symmetry,
            )
        )

    @classmethod
    def of(cls, task: Task) -> Problem:
        """Lay out a task, as `build` does."""
        task.check()
        requirements = Requirements.of(task)
        stock = stock_of(task)
        slots, tables = slot_tables(requirements, stock)
        is_free = requirements.asks_nothing and not task.rules.is_about_grid
        different = tuple(dict.fromkeys([*stock.free_tables, *tables] if is_free else tables))
        joined = join_tables(different, is_kept=not task.treatments)
        layout = lay_out(task, slots, tables, different, joined)
        squares = Squares.of(task, layout.positions, layout.squares, slots)
        constraints = rule_constraints(requirements, squares, slots, tables, stock)
        network = assemble_network(layout, tables, constraints, different, joined)
        return cls(task, slots, squares, requirements.symbols, tables, joined, network, constraints)

    def laid_out_anew(self, constraints: GlobalConstraints, tables: tuple[Table, ...] | None = None) -> Problem:
        """The same problem with other constraints, and with other tables of its slots, if there are any."""
        network, tables = self.network, self.tables if tables is None else tables
        slots = network.slots.copy()
        slots[:, DOMAIN] = starts([table.width for table in tables])
        different = tuple(dict.fromkeys(tables))
        joined = join_tables(different)
        slots[:-1, TABLE] = table_numbers(tables, different)
        layout = Layout(slots, network.places, network.squares, network.mates, self.positions)
        network = assemble_network(layout, tables, constraints, different, joined)
        return replace(self, tables=tables, joined=joined, network=network, constraints=constraints)

    @property
    def positions(self) -> tuple[Position, ...]:
        return self.squares.positions

    @property
    def grid(self) -> Grid:
        return self.task.grid

    @property
    def lexicon(self) -> Lexicon:
        """The words of entries without a list of their own."""
        return self.task.lexicon

    @property
    def allow_repeats(self) -> bool:
        """Whether two entries may have the same answer."""
        return self.task.allow_repeats

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The names of the slots, such as `17A`."""
        return tuple(slot.name for slot in self.slots)

    @cached_property
    def legend(self) -> Legend:
        return Legend(self.slots, self.positions, self.symbols, self.tables, self.constraints)

    @property
    def slot_numbers(self) -> Mapping[str, int]:
        """The place of each named slot among the slots."""
        return self.legend.slot_numbers

    def word(self, slot: int, row: int) -> str:
        """The word in a row of a slot's table, as it is read in the slot's direction."""
        return self.legend.word(slot, row)

    def words(self, slot: int) -> list[str]:
        """The words in all rows of a slot's table."""
        table = self.tables[slot]
        if table.has_letters_alone and not self.slots[slot].reads_twice:
            return WordTable(self.symbols.plain.letters(table.symbols), table.scores).words()
        return [self.word(slot, row) for row in range(table.rows)]

    def answer(self, slot: int, row: int) -> str:
        """The answer of a row of a slot's table, which may be another word than it enters."""
        table = self.tables[slot]
        return self.word(slot, row) if table.marks is None else stock_of(self.task).word(int(table.words[row]))

    def score(self, slot: int, row: int) -> int:
        """The score of a row of a slot's table; 0 for a given answer that no list has."""
        return int(self.tables[slot].scores[row])

    @cached_property
    def root(self) -> Root:
        """The state after propagation, before any decision; copy it before a search."""
        if any(table.rows == 0 for table in self.tables):
            return Root.of(fresh_state(self.network), Fault.WORDLESS)
        root = self.propagated()
        if root.is_possible and not self.allow_repeats:
            for cardinality in self.constraints.slot_cardinalities:
                if len(self.answers_left(root.state, cardinality)) < cardinality.least:
                    return Root.of(root.state, Fault.TOO_FEW)
        return Root.of(*root)

    def answers_left(self, state: State, cardinality: SlotCardinality) -> NDArray[np.int32]:
        """The identities of different answers that are left and count; no further ones once they are enough."""
        answers = np.zeros(0, np.int32)
        for slot, (table, counts) in enumerate(zip(self.tables, cardinality.rows, strict=True)):
            if len(answers) >= cardinality.least:
                break
            rows = self.rows_left(state, slot)
            answers = np.union1d(answers, table.words[rows[counts[rows]]])
        return answers

    def propagated(self) -> Root:
        """A fresh state, propagated, where all tables have rows; and what is the fault if a slot has none left."""
        state = fresh_state(self.network)
        start_state(self.network, state, not self.task.assumptions.is_empty)
        ruled_out = _assume(self, state)
        if ruled_out is not None:
            return Root(state, Fault.ASSUMED, ruled_out)
        search = fresh_search(self.network, WORKERS[0], 0, 0)
        is_possible = advance(self.network, state, search, 0) != IMPOSSIBLE
        return Root(state, None if is_possible else Fault.EMPTIED)

    def new_state(self) -> State:
        """A state of one's own, propagated, for a problem whose root is possible."""
        return self.root.state.copy()

    def word_count(self, slot: int, rows: NDArray[np.int64] | None = None) -> int:
        """How many different words some rows of a slot's table spell; all rows, if none are named."""
        table = self.tables[slot]
        if table.is_plain:
            return table.rows if rows is None else len(rows)
        return len(np.unique(table.words if rows is None else table.words[rows]))

    def domain_sizes(self, state: State) -> tuple[int, ...]:
        """For each slot, the rows that it can still take in a state; zeros where the root is impossible."""
        if not self.root.is_possible:
            return (0,) * len(self.slots)
        first = int(self.network.slots[-1, DOMAIN]) + len(self.slots)
        return tuple(state.memory[first : first + len(self.slots)].tolist())

    def decided_rows(self, state: State) -> Iterator[tuple[int, int]]:
        """The slots that have one row left in a state, and that row."""
        slots = np.flatnonzero(np.array(self.domain_sizes(state)) == 1)
        return zip(slots.tolist(), self._lowest_rows(state, slots), strict=True)

    def rows_left(self, state: State, slot: int) -> NDArray[np.int64]:
        """The rows of a slot's table that it can still take in a state."""
        start, end = self.network.slots[slot : slot + 2, DOMAIN].tolist()
        words = state.memory[start:end]
        live = np.flatnonzero(words)
        bits = np.unpackbits(words[live].view(np.uint8), bitorder="little").reshape(-1, 64)
        word, bit = np.nonzero(bits)
        rows: NDArray[np.int64] = live[word] * 64 + bit
        return rows

    def first_rows(self, state: State) -> list[int]:
        """For each slot, the first of `rows_left`; each must have one."""
        return self._lowest_rows(state, np.arange(len(self.slots)))

    def _lowest_rows(self, state: State, slots: NDArray[np.int64]) -> list[int]:
        """The lowest row of each of some slots that have rows left."""
        starts, memory = self.network.slots[slots, DOMAIN], state.memory
        live = np.flatnonzero(memory[: self.network.slots[-1, DOMAIN]])
        words = live[np.searchsorted(live, starts)]
        lowest = memory[words] & (~memory[words] + np.uint64(1))
        rows: list[int] = (64 * (words - starts) + np.log2(lowest).astype(np.int64)).tolist()
        return rows

    def masks(self, state: State) -> list[int]:
        """For each square of `positions`, the symbols that it can still take, as bits."""
        masks: list[int] = square_masks(self.network, state).tolist()
        return masks

    @cached_property
    def is_required(self) -> tuple[bool, ...]:
        """For each slot, whether a fill must decide on its word."""
        return tuple(map(self.task.is_required, self.slots))

    def is_decided(self, state: State) -> bool:
        """Whether every slot that must be decided has one row left in a propagated state."""
        sizes = self.domain_sizes(state)
        return all(size == 1 for size, needed in zip(sizes, self.is_required, strict=True) if needed)

    def decided_squares(self, state: State) -> dict[Position, Content]:
        """The squares with one content left in a state; never a hole."""
        return self.squares.joined(map(self.symbols.content_of_mask.get, self.masks(state)))


def slot_tables(requirements: Requirements, stock: WordStock) -> tuple[tuple[Slot, ...], tuple[Table, ...]]:
    """The slots with the table of each, but for those outside a selection that no word fits or have no say."""
    task = requirements.task
    slots = tuple(slot for slot in task.grid.entries if task.selection is None or task.is_laid_out(slot))
    free = cache(stock.free_table)
    if requirements.asks_nothing:
        tables = [free(len(slot.positions)) for slot in slots]
    else:
        tables = [
            free(len(slot)) if requirements.is_free(slot) else _slot_table(requirements, stock, slot)
            for slot in slots
        ]
    if task.selection is not None:
        fitting = [task.is_required(slot) or table.rows > 0 for slot, table in zip(slots, tables, strict=True)]
        slots, tables = tuple(compress(slots, fitting)), list(compress(tables, fitting))
    return slots, tuple(tables)


def _slot_table(requirements: Requirements, stock: WordStock, slot: Slot) -> Table:
    answer = requirements.task.given_answer(slot)
    if answer is None:
        choices, most_new = requirements.choices(slot), requirements.most_new(slot)
        columns = slot.columns if slot.reads_twice else None
        try:
            task = requirements.task
            rules, own_word = task.entry_rules(slot), task.own_words.get(slot.key, "")
            return stock.table(choices, most_new, rules, task.treatment(slot), columns, own_word)
        except EngineError as error:
            raise EngineError(f"{slot.label}: {error}") from None
    word = requirements.task.given_word(slot) or ""
    shown = map(requirements.task.shown, slot.positions, way_through(slot))
    return stock.given_table(word, list(map(requirements.symbols.code, shown)))


def _assume(problem: Problem, state: State) -> RuledOutThere | None:
    """Take what the assumptions rule out from a state made by `start_state`, every slot of which is queued.

    Returns the first square or entry that this leaves nothing, if there is one.
    """
    assumed = problem.task.assumptions
    if assumed.is_empty:
        return None
    masks, squares = square_masks(problem.network, state), problem.squares
    for position, content in assumed.standing.items():
        for square, shown in squares.shown(position, content):
            masks[square] &= _bits(problem, [shown])
            if not masks[square]:
                return RuledOutThere(position, content)
    for position, contents in assumed.squares.items():
        for square in squares.numbers.get(position, ()):
            masks[square] &= ~_bits(problem, squares.ruled_out(position, contents))
            if not masks[square]:
                return RuledOutThere(position)
    for name, rows in assumed.entries.items():
        slot = problem.slot_numbers.get(name)
        if slot is not None and not _without(problem, state, slot, rows):
            return RuledOutThere(name)
    return None


def _bits(problem: Problem, contents: Iterable[Content]) -> np.uint64:
    """Contents as bits, but for those that no square of the problem may hold."""
    known = problem.symbols.contents
    return np.uint64(problem.symbols.mask(content for content in contents if content in known))


def _without(problem: Problem, state: State, slot: int, rows: Iterable[tuple[Content, ...]]) -> bool:
    """Take rows with some contents out of a slot; False where none is left."""
    network, known, table = problem.network, problem.symbols.contents, problem.tables[slot].symbols
    size = int(network.slots[-1, DOMAIN]) + len(network.slots) - 1 + slot
    for whole in rows:
        contents = problem.squares.read(problem.slots[slot], whole)
        if all(content in known for content in contents):
            codes = [problem.symbols.code(content) for content in contents]
            for row in np.flatnonzero((table == codes).all(axis=1)).tolist():
                word, mark = int(network.slots[slot, DOMAIN]) + (row >> 6), np.uint64(1 << (row & 63))
                if state.memory[word] & mark:
                    state.memory[word] &= ~mark
                    state.memory[size] -= np.uint64(1)
    return bool(state.memory[size])
