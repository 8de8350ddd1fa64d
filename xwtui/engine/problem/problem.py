"""A fill problem: a grid and a lexicon as arrays for the kernels, with the names needed to report on it."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import compress, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.fill.search_settings import WORKERS
from xwtui.engine.kernels.network import DOMAIN, PLACES, SQUARE, TABLE, Network
from xwtui.engine.kernels.search.search import IMPOSSIBLE, advance
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.arrays import (
    Layout,
    assemble_network,
    domain,
    domain_sizes,
    fresh_search,
    fresh_state,
    keep_rows,
    lay_out,
    square_masks,
    started_state,
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
from xwtui.words.lexicon import Lexicon
from xwtui.words.normalise import codes_word
from xwtui.words.word_list import WordTable

with lazy_imports():
    from xwtui.engine.problem.no_fill import RuledOut


class Fault(enum.Enum):
    """Why a problem is infeasible before any decision; `reasons` puts it into words."""

    WORDLESS = "wordless"
    """An entry has no candidates at all."""
    ASSUMED = "assumed"
    """The assumptions leave a square or an entry no options."""
    EMPTIED = "emptied"
    """Propagation wiped out a domain; the state says which."""
    TOO_FEW = "too-few"
    """Fewer distinct answers are left than a cardinality over the whole grid requires."""


class Root(NamedTuple):
    """The state before any decision: the propagated domains, or the wipe-out that propagation ended in."""

    state: State
    fault: Fault | None = None
    """Why no fill exists; None if one may exist."""
    ruled_out: RuledOut | None = None
    """The square or entry that the assumptions leave no options, if the fault is ASSUMED."""

    @classmethod
    def of(cls, state: State, fault: Fault | None = None, ruled_out: RuledOut | None = None) -> Root:
        """Make a root from a state that is no longer searched: only its copies have a trail and scratch arrays."""
        return cls(state.without_scratch(), fault, ruled_out)

    @property
    def is_possible(self) -> bool:
        """Whether propagation found no contradiction."""
        return self.fault is None


@dataclass(frozen=True, eq=False)
class Legend:
    """The meaning of a problem's numbers, without the search arrays, which take more memory."""

    slots: tuple[Slot, ...]
    positions: tuple[Position, ...]
    symbols: Symbols
    tables: tuple[Table, ...]
    constraints: GlobalConstraints

    @cached_property
    def slot_numbers(self) -> Mapping[str, int]:
        """Index of each slot by name."""
        return {slot.name: number for number, slot in enumerate(self.slots)}

    def word(self, slot: int, row: int) -> str:
        """Return the word in a row of a slot's table, read in the slot's direction."""
        table, entry = self.tables[slot], self.slots[slot]
        codes = table.symbols[row][list(entry.columns)] if entry.reads_twice else table.symbols[row]
        if table.has_letters_alone:
            return codes_word(self.symbols.plain.letters(codes))
        return self.symbols.spell(codes.tolist(), entry.directions)


@dataclass(frozen=True, eq=False)
class Problem:
    """The input of a fill, a count or an explanation. Immutable, so threads may share it.

    `network` has its slots in the order of `slots` and its squares in the order of `positions`. A hole or a split
    square occurs twice in `positions`, once for each direction.
    """

    task: Task
    slots: tuple[Slot, ...]
    """The grid's slots, except slots outside a selection that no word fits or that affect nothing."""
    squares: Squares
    symbols: Symbols
    tables: tuple[Table, ...]
    """The table of each slot."""
    joined: JoinedTables
    """The tables as `network` lays them out. Problems with the same tables share this value."""
    network: Network
    constraints: GlobalConstraints = NO_CONSTRAINTS
    """The constraints over the whole grid, which `network` also contains."""

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
        """Build the problem for a grid: squares in PEN or LOCKED are kept, content in PENCIL is ignored.

        An entry whose squares are all given has that answer, listed or not. `own_lists` are the lists that `rules`
        names for single entries. With a `selection` of squares, a fill needs only the entries that touch it, and
        all content outside is kept. Entries outside still rule out letters that none of their words allow. Squares
        in `holes` stay empty: their across and down letters need not agree. `symmetry` applies to placements that
        require one. Raises EngineError for a grid with too many different rebus squares and for a rule that cannot
        be read.
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
        """Build the problem for a task, as `build` does."""
        task.check()
        requirements = Requirements.of(task)
        stock = stock_of(task)
        slots, tables = slot_tables(requirements, stock)
        is_free = not task.rules.is_about_grid and all(map(requirements.is_free, task.grid.entries))
        different = tuple(dict.fromkeys([*stock.free_tables, *tables] if is_free else tables))
        joined = join_tables(different, is_kept=not task.treatments)
        layout = lay_out(task, slots, tables, different, joined)
        squares = Squares.of(task, layout.positions, layout.squares, slots)
        constraints = rule_constraints(requirements, squares, slots, tables, stock)
        network = assemble_network(layout, tables, constraints, different, joined)
        return cls(task, slots, squares, requirements.symbols, tables, joined, network, constraints)

    def rebuilt_with(self, constraints: GlobalConstraints, tables: tuple[Table, ...] | None = None) -> Problem:
        """Return this problem with other constraints and, if given, other tables for its slots."""
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

    @cached_property
    def slot_squares(self) -> tuple[NDArray[np.int64], ...]:
        """The numbers of each slot's squares."""
        places, starts = self.network.places[:, SQUARE], self.network.slots[:, PLACES].tolist()
        return tuple(places[start:end] for start, end in pairwise(starts))

    @cached_property
    def required_squares(self) -> NDArray[np.bool_]:
        """Whether a required slot passes through each square; shape (squares,)."""
        found = np.zeros(len(self.positions), np.bool_)
        for squares in compress(self.slot_squares, self.is_required):
            found[squares] = True
        return found

    @property
    def slot_names(self) -> tuple[str, ...]:
        """Names of the slots, such as `17A`."""
        return tuple(slot.name for slot in self.slots)

    @cached_property
    def legend(self) -> Legend:
        return Legend(self.slots, self.positions, self.symbols, self.tables, self.constraints)

    @property
    def slot_numbers(self) -> Mapping[str, int]:
        """Index of each slot by name."""
        return self.legend.slot_numbers

    def word(self, slot: int, row: int) -> str:
        """Return the word in a row of a slot's table, read in the slot's direction."""
        return self.legend.word(slot, row)

    def words(self, slot: int) -> list[str]:
        """Return the words in all rows of a slot's table."""
        table = self.tables[slot]
        if table.has_letters_alone and not self.slots[slot].reads_twice:
            return WordTable(self.symbols.plain.letters(table.symbols), table.scores).words()
        return [self.word(slot, row) for row in range(table.rows)]

    def answer(self, slot: int, row: int) -> str:
        """Return the answer for a row of a slot's table; it may differ from the word in the squares."""
        table = self.tables[slot]
        return self.word(slot, row) if table.marks is None else stock_of(self.task).word(int(table.words[row]))

    def score(self, slot: int, row: int) -> int:
        """Return the score of a row of a slot's table; 0 for a given answer that no list contains."""
        return int(self.tables[slot].scores[row])

    @cached_property
    def root(self) -> Root:
        """The state after propagation, before any decision. Copy it before searching."""
        if any(table.rows == 0 for table in self.tables):
            return Root.of(fresh_state(self.network), Fault.WORDLESS)
        root = self.propagated()
        if root.is_possible and not self.task.allow_repeats:
            for cardinality in self.constraints.slot_cardinalities:
                if len(self.answers_left(root.state, cardinality)) < cardinality.least:
                    return Root.of(root.state, Fault.TOO_FEW)
        return Root.of(*root)

    def answers_left(self, state: State, cardinality: SlotCardinality) -> NDArray[np.int32]:
        """Return ids of distinct answers left that count toward a cardinality, stopping once there are enough."""
        answers = np.zeros(0, np.int32)
        for slot, (table, counts) in enumerate(zip(self.tables, cardinality.rows, strict=True)):
            if len(answers) >= cardinality.least:
                break
            rows = self.rows_left(state, slot)
            answers = np.union1d(answers, table.words[rows[counts[rows]]])
        return answers

    def propagated(self) -> Root:
        """Return a fresh propagated state, or its fault if a slot is wiped out. All tables must have rows."""
        state = started_state(self.network, revise_all=not self.task.assumptions.is_empty)
        ruled_out = _assume(self, state)
        return self._propagated(state) if ruled_out is None else Root(state, Fault.ASSUMED, ruled_out)

    def rooted_at(self, state: State) -> Problem:
        """Return the same problem with another root: a `started_state` that was narrowed, once propagated."""
        problem = replace(self)
        vars(problem)["root"] = Root.of(*self._propagated(state))
        return problem

    def _propagated(self, state: State) -> Root:
        search = fresh_search(self.network, WORKERS[0], 0, 0)
        is_possible = advance(self.network, state, search, 0) != IMPOSSIBLE
        return Root(state, None if is_possible else Fault.EMPTIED)

    def new_state(self) -> State:
        """Return a private copy of the propagated state. The root must be possible."""
        return self.root.state.copy()

    def word_count(self, slot: int, rows: NDArray[np.int64] | None = None) -> int:
        """Return how many different words the given rows of a slot's table spell; all rows by default."""
        table = self.tables[slot]
        if table.is_plain:
            return table.rows if rows is None else len(rows)
        return len(np.unique(table.words if rows is None else table.words[rows]))

    def domain_sizes(self, state: State) -> tuple[int, ...]:
        """Return each slot's domain size, in rows, in a state; all zeros if the root is impossible."""
        if not self.root.is_possible:
            return (0,) * len(self.slots)
        return tuple(domain_sizes(self.network, state).tolist())

    def decided_rows(self, state: State) -> Iterator[tuple[int, int]]:
        """Return each slot with one row left in a state, with that row."""
        slots = np.flatnonzero(np.array(self.domain_sizes(state)) == 1)
        return zip(slots.tolist(), self._lowest_rows(state, slots), strict=True)

    def rows_left(self, state: State, slot: int) -> NDArray[np.int64]:
        """Return the rows in a slot's domain in a state."""
        words = domain(self.network, state, slot)
        live = np.flatnonzero(words)
        bits = np.unpackbits(words[live].view(np.uint8), bitorder="little").reshape(-1, 64)
        word, bit = np.nonzero(bits)
        rows: NDArray[np.int64] = live[word] * 64 + bit
        return rows

    def first_rows(self, state: State) -> list[int]:
        """Return the first of `rows_left` for each slot. No domain may be empty."""
        return self._lowest_rows(state, np.arange(len(self.slots)))

    def _lowest_rows(self, state: State, slots: NDArray[np.int64]) -> list[int]:
        """Return the lowest row in the domain of each of these slots. None may be empty."""
        starts, memory = self.network.slots[slots, DOMAIN], state.memory
        live = np.flatnonzero(memory[: self.network.slots[-1, DOMAIN]])
        words = live[np.searchsorted(live, starts)]
        lowest = memory[words] & (~memory[words] + np.uint64(1))
        rows: list[int] = (64 * (words - starts) + np.log2(lowest).astype(np.int64)).tolist()
        return rows

    def masks(self, state: State) -> list[int]:
        """Return the domain of each square of `positions`, as a bit mask of symbols."""
        masks: list[int] = square_masks(self.network, state).tolist()
        return masks

    @cached_property
    def is_required(self) -> tuple[bool, ...]:
        """For each slot, whether a fill must decide its word."""
        return tuple(map(self.task.is_required, self.slots))

    def is_decided(self, state: State) -> bool:
        """Whether every required slot has one row left in a propagated state."""
        sizes = self.domain_sizes(state)
        return all(size == 1 for size, needed in zip(sizes, self.is_required, strict=True) if needed)

    def written(self, contents: Iterable[Content | None]) -> dict[Position, Content]:
        """Return the content of each position that a fill writes, from those of its squares that are known."""
        selection, joined = self.task.selection, self.squares.joined(contents)
        return joined if selection is None else {at: held for at, held in joined.items() if at in selection}

    def decided_squares(self, state: State) -> dict[Position, Content]:
        """Return the squares with one content left in a state; never a hole."""
        return self.squares.joined(map(self.symbols.content_of_mask.get, self.masks(state)))


def slot_tables(requirements: Requirements, stock: WordStock) -> tuple[tuple[Slot, ...], tuple[Table, ...]]:
    """Return slots and their tables, except those outside a selection that no word fits or that affect nothing."""
    task = requirements.task
    slots = tuple(slot for slot in task.grid.entries if task.selection is None or task.is_laid_out(slot))
    free = cache(stock.free_table)
    tables = [
        free(len(slot)) if requirements.is_free(slot) else _slot_table(requirements, stock, slot) for slot in slots
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
    symbols, words = np.array([[*map(requirements.symbols.code, shown)]], np.uint8), stock.given_word(word)
    return Table.of_rows(symbols, words.numbers, words.scores, (len(word),))


def _assume(problem: Problem, state: State) -> RuledOut | None:
    """Remove what the assumptions rule out from a `started_state`; return what has no options left, or None."""
    assumed = problem.task.assumptions
    if assumed.is_empty:
        return None
    masks, squares = square_masks(problem.network, state), problem.squares
    for position, content in assumed.contents.items():
        for square, shown in squares.shown(position, content):
            masks[square] &= _bits(problem, [shown])
            if not masks[square]:
                return RuledOut(position, content)
    for position, contents in assumed.squares.items():
        for square in squares.numbers.get(position, ()):
            masks[square] &= ~_bits(problem, squares.ruled_out(position, contents))
            if not masks[square]:
                return RuledOut(position)
    for name, rows in assumed.entries.items():
        slot = problem.slot_numbers.get(name)
        if slot is not None and not _without(problem, state, slot, rows):
            return RuledOut(name)
    return None


def _bits(problem: Problem, contents: Iterable[Content]) -> np.uint64:
    """Return contents as a bit mask, skipping any that no square of the problem can hold."""
    known = problem.symbols.contents
    return np.uint64(problem.symbols.mask(content for content in contents if content in known))


def _without(problem: Problem, state: State, slot: int, rows: Iterable[tuple[Content, ...]]) -> bool:
    """Remove the rows with these contents from a slot's domain; return False if none is left."""
    known, table = problem.symbols.contents, problem.tables[slot]
    kept = np.ones(table.rows, np.bool_)
    for whole in rows:
        contents = problem.squares.read(problem.slots[slot], whole)
        if all(content in known for content in contents):
            kept &= (table.symbols != list(map(problem.symbols.code, contents))).any(axis=1)
    return keep_rows(problem.network, state, slot, kept) > 0
