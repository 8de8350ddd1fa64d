"""Laying the global demands out in the kernels' arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.demands.key_layout import key_lists
from xwtui.engine.kernels.network import SQUARE, SYMBOLS
from xwtui.engine.kernels.propagate.demands import FIRST_QUOTA, LINKS, QUOTA_COLUMNS, QUOTAS, SQUARE_QUOTAS

if TYPE_CHECKING:
    from xwtui.engine.demands.quotas import Demands, SlotQuota, SquareQuota
    from xwtui.engine.problem.tables import Table

_LEFT_TO_CHANCE = 1.0
"""A quota is left to chance where, by the tables' shares, so many times what it asks for is to be expected."""


class DemandArrays(NamedTuple):
    """What `Network` holds of the demands."""

    demands: NDArray[np.int64]
    quota_rows: NDArray[np.uint64]
    keys: NDArray[np.int32]


_NO_ARRAYS = DemandArrays(np.zeros(0, np.int64), np.zeros(0, np.uint64), np.zeros(0, np.int32))


def lay_out_demands(
    demands: Demands, slot_tables: Sequence[Table], tables: Sequence[Table], places: NDArray[np.int64]
) -> DemandArrays:
    """Lay demands out for slots with these tables, of which `tables` has each one once."""
    if demands.is_empty:
        return _NO_ARRAYS
    quotas = np.zeros(0, np.int64)
    if demands.square_quotas or demands.slot_quotas or demands.links:
        quotas = _quotas_and_links(demands, slot_tables, places)
    keys = np.zeros(0, np.int32)
    if demands.word_keys and tables:
        keys = key_lists(demands.word_keys, slot_tables, tables)
    return DemandArrays(quotas, _row_bits(demands.slot_quotas), keys)


def _quotas_and_links(
    demands: Demands, slot_tables: Sequence[Table], places: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The header, the quotas with their squares, and the links."""
    squares = [square for quota in demands.square_quotas for square in quota.squares]
    quotas = np.zeros((len(demands.square_quotas) + len(demands.slot_quotas), QUOTA_COLUMNS), np.int64)
    header = np.zeros(FIRST_QUOTA, np.int64)
    header[SQUARE_QUOTAS], header[QUOTAS] = len(demands.square_quotas), len(quotas)
    header[LINKS] = FIRST_QUOTA + quotas.size + len(squares)
    expected = _Expectation(slot_tables, places)
    start = FIRST_QUOTA + quotas.size
    for cells, on_squares in zip(quotas, demands.square_quotas, strict=False):
        end = start + len(on_squares.squares)
        is_sought = expected.squares(on_squares) < _LEFT_TO_CHANCE * on_squares.least
        cells[:] = on_squares.least, on_squares.most, _signed(on_squares.symbols), start, end, is_sought
        start = end
    width = sum(table.width for table in slot_tables)
    for number, on_slots in enumerate(demands.slot_quotas):
        is_sought = expected.slots(on_slots) < _LEFT_TO_CHANCE * on_slots.least
        cells = quotas[len(demands.square_quotas) + number]
        cells[:] = on_slots.least, on_slots.most, number * width, 0, 0, is_sought
    links = [(link.first, link.second, _signed(link.symbols)) for link in demands.links]
    return np.concatenate([header, quotas.ravel(), np.array(squares, np.int64), np.array(links, np.int64).ravel()])


def _signed(mask: int) -> int:
    """A mask of 64 bits as the signed number that has the same bits."""
    return mask - (mask >> 63 << 64)


def _row_bits(quotas: Sequence[SlotQuota]) -> NDArray[np.uint64]:
    """The rows of each quota, slot after slot, as bit-sets as wide as the domains."""
    parts = [np.zeros(0, np.uint64)]
    for quota in quotas:
        for rows in quota.rows:
            bits = np.zeros(-(-len(rows) // 64) * 8, np.uint8)
            packed = np.packbits(rows, bitorder="little")
            bits[: len(packed)] = packed
            parts.append(bits.view(np.uint64))
    return np.concatenate(parts)


class _Expectation:
    """How many squares or slots would meet a quota if words were drawn from the tables."""

    def __init__(self, slot_tables: Sequence[Table], places: NDArray[np.int64]) -> None:
        self._shares: dict[int, list[NDArray[np.float64]]] = {}
        self._at_square: dict[int, list[NDArray[np.float64]]] = {}
        self._slot_tables = slot_tables
        self._places = places

    def slots(self, quota: SlotQuota) -> float:
        """The slots that a quota would count."""
        return sum(float(rows.mean()) for rows in quota.rows if len(rows))

    def squares(self, quota: SquareQuota) -> float:
        """The squares that it would count: at each, the geometric mean of its slots' shares."""
        if not self._at_square:
            self._collect()
        symbols = [symbol for symbol in range(SYMBOLS) if quota.symbols >> symbol & 1]
        expected = 0.0
        for square in quota.squares:
            shares = [float(table[symbols].sum()) for table in self._at_square[square]]
            expected += float(np.prod(shares)) ** (1 / len(shares))
        return expected

    def _collect(self) -> None:
        """Gather, for each square, the shares of symbols in the tables of its slots."""
        place = 0
        for table in self._slot_tables:
            for shares in self._symbol_shares(table):
                self._at_square.setdefault(int(self._places[place, SQUARE]), []).append(shares)
                place += 1

    def _symbol_shares(self, table: Table) -> list[NDArray[np.float64]]:
        """For each square of a table, the share of its rows that has each symbol."""
        found = self._shares.get(id(table))
        if found is None:
            found = self._shares[id(table)] = [
                np.bincount(column, minlength=SYMBOLS) / max(table.rows, 1) for column in table.symbols.T
            ]
        return found
