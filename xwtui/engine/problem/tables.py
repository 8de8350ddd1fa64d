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
    """Rows by descending score; `symbols` (rows, squares), `words` and `scores` (rows,) and bit-sets.

    A word that falls into the squares in several ways has a row for each.
    """

    symbols: NDArray[np.uint8]
    words: NDArray[np.int32]
    scores: NDArray[np.uint8]
    kept_supports: NDArray[np.uint64] | None
    """The bit-sets, five times the size of the rows; None if they are rebuilt for each problem."""
    row_counts: NDArray[np.int32]
    """How many rows each bit-set has."""
    first_rows: NDArray[np.int32]
    """The first FIRST_ROWS rows of each bit-set."""
    symbol_count: int
    rows_by_word: NDArray[np.int32]
    lengths: tuple[int, ...]
    """How many characters the words have."""
    appeals: NDArray[np.uint8]
    """(rows,) how dear each word is to the filler: its score, but for preferences."""
    marks: NDArray[np.uint8] | None = None
    """For altered entries, the marks of how they differ from their answers, shape (rows,).

    See treated_words.py.
    """
    is_whole: bool = True
    """Whether no way to enter an answer otherwise is left out for want of room."""
    has_best_alone: bool = False
    """Whether some answers are left out that enter the same as a better one."""
    is_plain: bool = True
    """Whether each word has one row: it has no rebus, and is not entered in several ways."""

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
        """Build the bit-sets of some rows; `appeals` are the scores if they are not given."""
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
        """64-bit words of one bit-set."""
        return -(-self.rows // 64)

    @cached_property
    def has_letters_alone(self) -> bool:
        """Whether no square of its rows holds more than a plain symbol; a word may have several rows still."""
        return int(self.symbols.max(initial=0)) < net.PLAIN_SYMBOLS

    @property
    def supports(self) -> NDArray[np.uint64]:
        """For each square and symbol which rows have it, a bit each, flat."""
        return _bit_sets(self.symbols, self.symbol_count)[0] if self.kept_supports is None else self.kept_supports

    @cached_property
    def bytes(self) -> int:
        arrays = (self.symbols, self.words, self.scores, self.kept_supports, self.first_rows, self.rows_by_word)
        return sum(array.nbytes for array in arrays if array is not None)


def _bit_sets(
    symbols: NDArray[np.uint8], symbol_count: int
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32]]:
    """The bit-sets of rows, how many rows each has, and the first of them."""
    rows, length = symbols.shape
    bit_sets = length * symbol_count
    supports = np.zeros(bit_sets * -(-rows // 64), np.uint64)
    counts, first_rows = np.zeros(bit_sets, np.int32), np.zeros(bit_sets * net.FIRST_ROWS, np.int32)
    build_supports(symbols.flatten(), length, symbol_count, supports, counts, first_rows)
    return supports, counts, first_rows


Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, eq=False)
class JoinedTables:
    """The fields of a network that hold all tables; nobody writes into them."""

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

_joined_last: dict[tuple[Table, ...], JoinedTables] = {}
"""The tables that were joined last; the same ones are asked for after every edit that gives no entry whole.

What words enter where that is not the answer is not kept, as each edit changes it and it is large."""


def join_tables(tables: tuple[Table, ...], *, is_kept: bool = False) -> JoinedTables:
    """Join tables, once for all who hold them; they may be kept for the next who asks."""
    joined = _joined.get(tables, lambda: _joined_anew(tables))
    if is_kept:
        _joined_last.clear()
        _joined_last[tables] = joined
    return joined


def _joined_anew(tables: tuple[Table, ...]) -> JoinedTables:
    _joined_last.clear()  # those that were joined before are let go first
    rows = _table_rows(tables)
    supports = np.empty(rows[-1, net.SUPPORTS], np.uint64)
    for table, (start, end) in zip(tables, pairwise(rows[:, net.SUPPORTS].tolist()), strict=True):
        supports[start:end] = table.supports  # those that are made anew are there one table at a time
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
    """Where each table lies among the joined ones, and how large it is."""
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
    """Where each of some consecutive pieces starts, and where the last ends."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def are_alike(tables: tuple[Table, ...]) -> NDArray[np.int64]:
    """Return 1 for each pair of tables with a common word length, since they may share a word.

    (tables, tables).
    """
    return _are_as_long(tuple(table.lengths for table in tables))


@lru_cache(maxsize=1)
def _are_as_long(lengths: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
    longest = max((max(some, default=0) for some in lengths), default=0)
    has_length = np.zeros((len(lengths), longest + 1), np.bool_)
    for number, some in enumerate(lengths):
        has_length[number, list(some)] = True
    return (has_length @ has_length.T).astype(np.int64)
