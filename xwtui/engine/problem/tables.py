"""The words of each slot as kernels read them: a table of rows with bit-sets, and all tables joined."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.setup import build_supports
from xwtui.words.sharing import Shared

_LETTERS = 26


@dataclass(frozen=True, eq=False)
class Table:
    """Rows by descending score: `symbols` (rows, squares), `words` and `scores` (rows,), and bit-sets.

    A word that fits the squares in several ways has a row for each.
    """

    symbols: NDArray[np.uint8]
    words: NDArray[np.int32]
    scores: NDArray[np.uint8]
    kept_supports: NDArray[np.uint64] | None
    """The bit-sets, five times the size of the rows; None if they are rebuilt for each problem."""
    row_counts: NDArray[np.int32]
    """Number of rows in each bit-set."""
    first_rows: NDArray[np.int32]
    """The first FIRST_ROWS rows of each bit-set."""
    symbol_count: int
    rows_by_word: NDArray[np.int32]
    lengths: tuple[int, ...]
    """The possible numbers of characters of a word."""
    appeals: NDArray[np.uint8]
    """How strongly the filler prefers each word: its score, adjusted by preferences; shape (rows,)."""
    marks: NDArray[np.uint8] | None = None
    """For altered entries, the marks of how they differ from their answers (altered_words.py), shape (rows,)."""
    is_whole: bool = True
    """Whether the table has all ways to enter altered answers, none left out for lack of space."""
    has_best_alone: bool = False
    """Whether answers are left out that are entered like a better one."""
    is_plain: bool = True
    """Whether each word has one row: it has no rebus and only one way to be entered."""

    @classmethod
    def of_rows(
        cls,
        symbols: NDArray[np.uint8],
        words: NDArray[np.int32],
        scores: NDArray[np.uint8],
        lengths: tuple[int, ...],
        appeals: NDArray[np.uint8] | None = None,
        *,
        marks: NDArray[np.uint8] | None = None,
        is_plain: bool = True,
    ) -> Table:
        """Build the bit-sets of the rows; `appeals` defaults to the scores."""
        highest = int(symbols.max(initial=0))
        symbol_count = next(count for count in (_LETTERS, net.PLAIN_SYMBOLS, highest + 1) if count > highest)
        supports, counts, first_rows = _bit_sets(symbols, symbol_count)
        rows_by_word = np.argsort(words, kind="stable").astype(np.int32)
        appeals = scores if appeals is None else appeals
        return cls(
            symbols,
            words,
            scores,
            supports if marks is None else None,
            counts,
            first_rows,
            symbol_count,
            rows_by_word,
            lengths,
            appeals,
            marks,
            is_plain=is_plain and symbol_count <= net.PLAIN_SYMBOLS,
        )

    @cached_property
    def rows(self) -> int:
        return len(self.words)

    @cached_property
    def width(self) -> int:
        """Width of one bit-set, in 64-bit words."""
        return -(-self.rows // 64)

    @cached_property
    def has_letters_alone(self) -> bool:
        """Whether all squares of its rows hold plain symbols; a word may still have several rows."""
        return int(self.symbols.max(initial=0)) < net.PLAIN_SYMBOLS

    @property
    def supports(self) -> NDArray[np.uint64]:
        """For each square and symbol, the rows that have it, as flat bit-sets."""
        return _bit_sets(self.symbols, self.symbol_count)[0] if self.kept_supports is None else self.kept_supports

    @cached_property
    def bytes(self) -> int:
        arrays = (self.symbols, self.words, self.scores, self.kept_supports, self.first_rows, self.rows_by_word)
        return sum(array.nbytes for array in arrays if array is not None)


def _bit_sets(
    symbols: NDArray[np.uint8], symbol_count: int
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32]]:
    """Return the bit-sets of rows, the number of rows in each, and the first of them."""
    rows, length = symbols.shape
    bit_sets = length * symbol_count
    supports = np.zeros(bit_sets * -(-rows // 64), np.uint64)
    counts, first_rows = np.zeros(bit_sets, np.int32), np.zeros(bit_sets * net.FIRST_ROWS, np.int32)
    build_supports(symbols.flatten(), length, symbol_count, supports, counts, first_rows)
    return supports, counts, first_rows


def bit_set(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return a selection of rows, shape (rows,), as a bit-set as wide as a domain."""
    bits, packed = np.zeros(-(-len(rows) // 64) * 8, np.uint8), np.packbits(rows, bitorder="little")
    bits[: len(packed)] = packed
    return bits.view(np.uint64)


Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, eq=False)
class JoinedTables:
    """The fields of a network that hold all tables. Never written to."""

    letters: NDArray[np.uint8]
    supports: NDArray[np.uint64]
    row_counts: NDArray[np.int32]
    first_rows: NDArray[np.int32]
    row_words: NDArray[np.int32]
    row_scores: NDArray[np.uint8]
    row_appeals: NDArray[np.uint8]
    rows_by_word: NDArray[np.int32]
    tables: NDArray[np.int64]


_joined: Shared[tuple[Table, ...], JoinedTables] = Shared()

joined_last: dict[tuple[Table, ...], JoinedTables] = {}
"""The last joined tables, reused after every edit that does not complete an entry.

Altered entries are not kept: each edit changes them, and they are large.
"""


def join_tables(tables: tuple[Table, ...], *, is_kept: bool = False) -> JoinedTables:
    """Join tables, sharing the result with all holders; `is_kept` also caches it for the next caller."""
    joined = _joined.get(tables, lambda: _build_joined(tables))
    if is_kept:
        joined_last.clear()
        joined_last[tables] = joined
    return joined


def _build_joined(tables: tuple[Table, ...]) -> JoinedTables:
    joined_last.clear()  # free the previously joined tables first
    rows = _table_rows(tables)
    supports = np.empty(rows[-1, net.SUPPORTS], np.uint64)
    for table, (start, end) in zip(tables, pairwise(rows[:, net.SUPPORTS].tolist()), strict=True):
        supports[start:end] = table.supports  # rebuilt bit-sets exist for only one table at once
    return JoinedTables(
        letters=_join(
            [*(table.symbols.reshape(-1) for table in tables), np.zeros(net.COLUMNS, np.uint8)], np.uint8
        ),
        supports=supports,
        row_counts=_join([table.row_counts for table in tables], np.int32),
        first_rows=_join([table.first_rows for table in tables], np.int32),
        row_words=_join([table.words for table in tables], np.int32),
        row_scores=_join([table.scores for table in tables], np.uint8),
        row_appeals=_join([table.appeals for table in tables], np.uint8),
        rows_by_word=_join([table.rows_by_word for table in tables], np.int32),
        tables=rows,
    )


def _table_rows(tables: Sequence[Table]) -> NDArray[np.int64]:
    """Return where each table starts among the joined ones, and its size."""
    rows = np.zeros((len(tables) + 1, net.TABLE_COLUMNS), np.int64)
    rows[:, net.LETTERS] = starts([table.symbols.size for table in tables])
    rows[:, net.SUPPORTS] = starts([table.row_counts.size * table.width for table in tables])
    rows[:, net.ROWS] = starts([table.rows for table in tables])
    rows[:, net.BIT_SETS] = starts([table.row_counts.size for table in tables])
    rows[:-1, net.LENGTH] = [table.symbols.shape[1] for table in tables]
    rows[:-1, net.SYMBOL_COUNT] = [table.symbol_count for table in tables]
    rows[:-1, net.WIDTH] = [table.width for table in tables]
    rows[:-1, net.IS_PLAIN] = [table.is_plain for table in tables]
    return rows


def _join(arrays: list[NDArray[Scalar]], dtype: type[Scalar]) -> NDArray[Scalar]:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype)


def starts(sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return where each of several consecutive pieces starts, and where the last ends."""
    return np.cumsum([0, *sizes], dtype=np.int64)


@lru_cache(maxsize=1)
def are_alike(lengths: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
    """Return 1 for each pair of tables, given by their word lengths, with a length in common; a square array."""
    longest = max((max(some, default=0) for some in lengths), default=0)
    has_length = np.zeros((len(lengths), longest + 1), np.bool_)
    for number, some in enumerate(lengths):
        has_length[number, list(some)] = True
    return (has_length @ has_length.T).astype(np.int64)
