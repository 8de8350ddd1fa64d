"""The global constraints of a problem: those that span several entries or squares.

Cardinalities count squares or entries. Links tie two squares together. Word keys keep apart answers that have
something in common. Choices can be met in several ways. Pairs of squares differ. All of them are laid out in the
arrays that the kernels read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.kernels.network import SQUARE, SYMBOLS
from xwtui.engine.kernels.propagate import constraints as columns
from xwtui.engine.kernels.propagate.choices import WAY_COLUMNS
from xwtui.engine.problem.squares import SquarePairs, pair_records
from xwtui.engine.problem.symbols import signed
from xwtui.engine.problem.tables import Table, bit_set


class SquareCardinality(NamedTuple):
    """Between `least` and `most` of the given squares hold one of the given symbols."""

    name: str
    """What the squares hold, such as `HEART`, `HEART or CLUB`, or `Q`."""
    squares: tuple[int, ...]
    """Numbers of squares, as in `Problem.positions`, each once."""
    symbols: int
    """The symbols, as bits by their codes in `Symbols`."""
    least: int = 0
    most: int = columns.NO_LIMIT


@dataclass(frozen=True, eq=False)
class SlotCardinality:
    """Between `least` and `most` slots take one of the given rows."""

    name: str
    """What the entries have, such as `a wanted word`, or `the tag abbreviation`."""
    rows: tuple[NDArray[np.bool_], ...]
    """For each slot, whether each row of its table counts."""
    least: int = 0
    most: int = columns.NO_LIMIT


def rows_among(rows: Sequence[NDArray[np.bool_]], chosen: Sequence[bool]) -> int:
    """Return how many of the chosen slots have at least one row that counts."""
    return sum(bool(having.any()) for having in itertools.compress(rows, chosen))


class Link(NamedTuple):
    """One square holds one of the symbols if and only if another does."""

    name: str
    """What they hold, such as `HEART`."""
    first: int
    second: int
    symbols: int


@dataclass(frozen=True, eq=False)
class Chain:
    """An ordered sequence of slots whose rows make steps one after another: the letters of a message."""

    name: str
    """What the steps are, such as `the message SECRET`."""
    slots: tuple[int, ...]
    """Numbers of the slots, in order."""
    marks: tuple[NDArray[np.uint8], ...]
    """For each slot of the problem, the mark of each row of its table; 0 for no step."""
    steps: tuple[int, ...]
    """The marks of the steps, at most 63."""

    @property
    def classes(self) -> list[tuple[int, int]]:
        """Each mark, that of no step first, with the numbers of the steps that it can make, as bits."""
        marks = dict.fromkeys(self.steps)
        return [
            (0, 0),
            *((mark, sum(1 << at for at, step in enumerate(self.steps) if step == mark)) for mark in marks),
        ]

    def rows(self, mark: int) -> Iterator[NDArray[np.bool_]]:
        """Yield, for each slot of the problem, which rows have a mark; lazily, because they are large."""
        for slot, marks in enumerate(self.marks):
            yield marks == mark if slot in self.slots else np.zeros(len(marks), np.bool_)


@dataclass(frozen=True, eq=False)
class WordKeys:
    """Keys of words: no two answers may share a key, however they pass through rebus squares."""

    name: str
    """What two answers with a common key do: `repeat each other`, or `share 5 letters in a row`."""
    words: NDArray[np.int32]
    """Ids of words, as in `Table.words`; a word may occur several times."""
    keys: NDArray[np.int32]
    """The key of each, numbered from 0."""

    @property
    def bytes(self) -> int:
        return self.words.nbytes + self.keys.nbytes


class ChoiceOfWays(NamedTuple):
    """At least one of the ways is taken, meaning that each of its squares holds one of its symbols."""

    name: str
    """What must be placed and where: `NINA in any row`."""
    ways: tuple[tuple[tuple[int, int], ...], ...]
    """The squares of each way with their symbols, as bits, except squares that hold them anyway."""


class GlobalConstraints(NamedTuple):
    """All global constraints of a problem by kind, in the order in which kernels number them."""

    square_cardinalities: tuple[SquareCardinality, ...] = ()
    slot_cardinalities: tuple[SlotCardinality, ...] = ()
    links: tuple[Link, ...] = ()
    chains: tuple[Chain, ...] = ()
    word_keys: tuple[WordKeys, ...] = ()
    """All of these share one number."""
    choices: tuple[ChoiceOfWays, ...] = ()
    pairs: tuple[SquarePairs, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not any(self)

    def with_rows(self, orders: Sequence[NDArray[np.intp]]) -> GlobalConstraints:
        """Return the constraints adapted to tables reduced to, or sorted by, the given rows."""
        return self._replace(
            slot_cardinalities=tuple(
                replace(each, rows=tuple(rows[order] for rows, order in zip(each.rows, orders, strict=True)))
                for each in self.slot_cardinalities
            ),
            chains=tuple(
                replace(each, marks=tuple(marks[order] for marks, order in zip(each.marks, orders, strict=True)))
                for each in self.chains
            ),
        )

    @property
    def has_minimums(self) -> bool:
        """Whether a whole fill has requirements that part of one does not: a minimum, link, chain or way."""
        kinds: tuple[Sequence[SquareCardinality | SlotCardinality | SquarePairs], ...]
        kinds = self.square_cardinalities, self.slot_cardinalities, self.pairs
        return bool(self.links or self.chains or self.choices) or any(
            each.least for kind in kinds for each in kind
        )


NO_CONSTRAINTS = GlobalConstraints()


_LEFT_TO_CHANCE = 1.0
"""A cardinality is left to chance if its expected count is at least this multiple of its lower bound."""


class ConstraintArrays(NamedTuple):
    """The constraint arrays of a `Network`."""

    constraints: NDArray[np.int64]
    cardinality_rows: NDArray[np.uint64]
    keys: NDArray[np.int32]
    choices: NDArray[np.int64]
    pairs: NDArray[np.int64]


_NO_CELLS = np.zeros(0, np.int64)
_NO_ARRAYS = ConstraintArrays(_NO_CELLS, np.zeros(0, np.uint64), np.zeros(0, np.int32), _NO_CELLS, _NO_CELLS)


def lay_out_constraints(
    constraints: GlobalConstraints,
    slot_tables: Sequence[Table],
    tables: Sequence[Table],
    places: NDArray[np.int64],
) -> ConstraintArrays:
    """Lay out constraints for slots with these tables; `tables` has each of them once."""
    if constraints.is_empty:
        return _NO_ARRAYS
    cardinalities = np.zeros(0, np.int64)
    if not constraints._replace(word_keys=()).is_empty:
        cardinalities = _cardinalities_and_links(constraints, slot_tables, places)
    keys = np.zeros(0, np.int32)
    if constraints.word_keys and tables:
        keys = key_lists(constraints.word_keys, slot_tables, tables)
    counted = [each.rows for each in constraints.slot_cardinalities]
    steps = (chain.rows(mark) for chain in constraints.chains for mark, _ in chain.classes)
    choices, pairs = _choice_lists(constraints.choices), pair_records(constraints.pairs)
    sets = (bit_set(rows) for choice in (*counted, *steps) for rows in choice)
    row_bits = np.concatenate([np.zeros(0, np.uint64), *sets])
    return ConstraintArrays(cardinalities, row_bits, keys, choices, pairs)


def _cardinalities_and_links(
    constraints: GlobalConstraints, slot_tables: Sequence[Table], places: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the header, the cardinalities with their squares, the links, and the chains."""
    on_squares, on_slots = constraints.square_cardinalities, constraints.slot_cardinalities
    shares = _symbol_shares(slot_tables, places) if on_squares else {}
    width = sum(table.width for table in slot_tables)
    squares = [square for cardinality in on_squares for square in cardinality.squares]
    count = len(on_squares) + len(on_slots)
    start = columns.FIRST_CARDINALITY + columns.CARDINALITY_COLUMNS * count
    links_at = start + len(squares)
    cells: list[int] = []
    for counted in on_squares:
        end = start + len(counted.squares)
        symbols = [symbol for symbol in range(SYMBOLS) if counted.symbols >> symbol & 1]
        # Expected count for words drawn from the tables: per square, the geometric mean of its slots' shares.
        expected = 0.0
        for square in counted.squares:
            having = [float(share[symbols].sum()) for share in shares[square]]
            expected += float(np.prod(having)) ** (1 / len(having))
        is_unlikely = expected < _LEFT_TO_CHANCE * counted.least
        cells += [counted.least, counted.most, signed(counted.symbols), start, end, is_unlikely]
        start = end
    for number, rows in enumerate(on_slots):
        expected = sum(float(counts.mean()) for counts in rows.rows if len(counts))
        is_unlikely = expected < _LEFT_TO_CHANCE * rows.least
        cells += [rows.least, rows.most, number * width, 0, 0, is_unlikely]
    links = [cell for link in constraints.links for cell in (link.first, link.second, signed(link.symbols))]
    chains_at = links_at + len(links)
    header = [len(on_squares), count, links_at, chains_at]
    chains = _chains(constraints, chains_at, width)
    return np.array([*header, *cells, *squares, *links, *chains], np.int64)


def _chains(constraints: GlobalConstraints, start: int, width: int) -> list[int]:
    """Return the chains, the first of which starts at `start`; `width` is that of all slots' bit-sets."""
    cells: list[int] = []
    bit_sets = len(constraints.slot_cardinalities)
    for chain in constraints.chains:
        classes = chain.classes
        size = columns.CHAIN_COLUMNS + len(chain.slots) + len(classes)
        following = start + len(cells) + size
        cells += [following, len(chain.slots), len(classes), bit_sets * width, width, len(chain.steps)]
        cells += [*chain.slots, *(steps for _, steps in classes)]
        bit_sets += len(classes)
    return cells


def _choice_lists(choices: Sequence[ChoiceOfWays]) -> NDArray[np.int64]:
    """Return the ways of each choice as `kernels/propagate/choices.py` describes; empty if there are none."""
    if not choices:
        return np.zeros(0, np.int64)
    ways = [way for choice in choices for way in choice.ways]
    lists = 1 + len(choices) + 1
    first_ways = lists + np.cumsum([0, *(len(choice.ways) for choice in choices)])
    starts = lists + len(ways) + 1 + WAY_COLUMNS * np.cumsum([0, *map(len, ways)])
    cells = [cell for way in ways for square, symbols in way for cell in (square, signed(symbols))]
    return np.concatenate([[len(choices)], first_ways, starts, cells]).astype(np.int64)


def _symbol_shares(
    slot_tables: Sequence[Table], places: NDArray[np.int64]
) -> dict[int, list[NDArray[np.float64]]]:
    """Return, for each square and each slot through it, the share of its table's rows with each symbol there."""
    of_tables = {
        number: [np.bincount(column, minlength=SYMBOLS) / max(table.rows, 1) for column in table.symbols.T]
        for number, table in {id(table): table for table in slot_tables}.items()
    }
    found: dict[int, list[NDArray[np.float64]]] = {}
    along = itertools.chain.from_iterable(of_tables[id(table)] for table in slot_tables)
    for square, shares in zip(places[:, SQUARE].tolist(), along, strict=True):
        found.setdefault(square, []).append(shares)
    return found


def key_lists(
    word_keys: Sequence[WordKeys], slot_tables: Sequence[Table], tables: Sequence[Table]
) -> NDArray[np.int32]:
    """Return the lists of keys by row, rows by key and slots by table (`kernels/propagate/constraints.py`).

    There must be at least one table, and `tables` has each one once. Each kind's keys are numbered separately.
    """
    offsets = np.cumsum([0, *(int(kind.keys.max(initial=-1)) + 1 for kind in word_keys)], dtype=np.int32)
    words = np.concatenate([kind.words for kind in word_keys])
    keys = np.concatenate([kind.keys + offset for kind, offset in zip(word_keys, offsets, strict=False)])
    order = np.argsort(words, kind="stable")
    words, keys = words[order], keys[order]
    table_words = np.concatenate([table.words for table in tables])
    firsts = np.searchsorted(words, table_words).astype(np.int32)
    counts = np.searchsorted(words, table_words, side="right").astype(np.int32) - firsts
    del words, table_words, order  # altered answers have millions of rows and keys
    row_starts = _starts(counts)
    pairs = np.arange(row_starts[-1], dtype=np.int32)
    pairs -= np.repeat(row_starts[:-1] - firsts, counts)
    pair_keys = keys[pairs]
    del pairs, firsts, keys
    by_key = pair_keys.astype(np.int64) << 32
    by_key |= np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    by_key.sort()
    key_rows = by_key.astype(np.int32)
    del by_key
    key_starts = _starts(np.bincount(pair_keys, minlength=offsets[-1]))
    numbers = {id(table): number for number, table in enumerate(tables)}
    users = np.array([numbers[id(table)] for table in slot_tables], np.int64)
    table_starts = _starts(np.bincount(users, minlength=len(tables)))
    lists = ((row_starts, pair_keys), (key_starts, key_rows), (table_starts, np.argsort(users, kind="stable")))
    return _join_lists(lists)


def _starts(counts: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """Return where each of several consecutive pieces starts, and where the last ends; there may be millions."""
    return np.cumsum(np.concatenate([[0], counts]), dtype=np.int32)


def _join_lists(lists: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> NDArray[np.int32]:
    """Join lists of starts and items after a header, and turn the starts into indices into the whole."""
    whole = np.zeros(columns.KEYS_HEADER + sum(len(starts) + len(items) for starts, items in lists), np.int32)
    end = columns.KEYS_HEADER
    for column, (starts, items) in zip(
        (columns.ROW_STARTS, columns.KEY_STARTS, columns.TABLE_STARTS), lists, strict=True
    ):
        whole[column] = end
        first = end + len(starts)
        whole[end:first] = starts + first
        end = first + len(items)
        whole[first:end] = items
    return whole
