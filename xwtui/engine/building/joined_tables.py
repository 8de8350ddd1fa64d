"""The tables of a problem, one after the other in arrays, as a network has them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import (
    BIT_SETS,
    LENGTH,
    LETTERS,
    ROWS,
    SUPPORTS,
    SYMBOL_COUNT,
    TABLE_COLUMNS,
    WIDTH,
)

if TYPE_CHECKING:
    from xwtui.engine.building.tables import Table

Scalar = TypeVar("Scalar", bound=np.generic)


class JoinedTables(NamedTuple):
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


@lru_cache(maxsize=1)
def join_tables(tables: tuple[Table, ...]) -> JoinedTables:
    """Join tables; the same ones are asked for after every edit that gives no entry whole."""
    return JoinedTables(
        letters=_join([table.symbols.reshape(-1) for table in tables], np.uint8),
        supports=_join([table.supports for table in tables], np.uint64),
        row_counts=_join([table.row_counts for table in tables], np.int32),
        first_rows=_join([table.first_rows for table in tables], np.int32),
        row_words=_join([table.words for table in tables], np.int32),
        row_scores=_join([table.scores for table in tables], np.uint8),
        row_appeals=_join([table.appeals for table in tables], np.uint8),
        rows_by_word=_join([table.rows_by_word for table in tables], np.int32),
        tables=_table_rows(tables),
    )


def _table_rows(tables: Sequence[Table]) -> NDArray[np.int64]:
    rows = np.zeros((len(tables) + 1, TABLE_COLUMNS), np.int64)
    rows[:, LETTERS] = starts([table.symbols.size for table in tables])
    rows[:, SUPPORTS] = starts([table.supports.size for table in tables])
    rows[:, ROWS] = starts([table.rows for table in tables])
    rows[:, BIT_SETS] = starts([table.row_counts.size for table in tables])
    rows[:-1, LENGTH] = [table.symbols.shape[1] for table in tables]
    rows[:-1, SYMBOL_COUNT] = [table.symbol_count for table in tables]
    rows[:-1, WIDTH] = [table.width for table in tables]
    return rows


def _join(arrays: list[NDArray[Scalar]], dtype: type[Scalar]) -> NDArray[Scalar]:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype)


def starts(sizes: Sequence[int]) -> NDArray[np.int64]:
    """Where each of some consecutive pieces starts, and where the last ends."""
    return np.cumsum([0, *sizes], dtype=np.int64)


@lru_cache(maxsize=1)
def are_alike(tables: tuple[Table, ...]) -> NDArray[np.bool_]:
    """(tables, tables) which of them may have a word in common: those whose words are as long."""
    longest = max((max(table.lengths, default=0) for table in tables), default=0)
    has_length = np.zeros((len(tables), longest + 1), np.bool_)
    for number, table in enumerate(tables):
        has_length[number, list(table.lengths)] = True
    alike: NDArray[np.bool_] = has_length @ has_length.T
    return alike
