"""A collection that stays sorted as rows arrive: candidates, designs, layouts, fills to choose from, swaps."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from sortedcontainers import SortedKeyList

Row = TypeVar("Row")


class _OrderedRow(NamedTuple, Generic[Row]):
    rank: Any
    number: int
    """Order of arrival, which breaks ties."""
    key: Hashable
    row: Row


_place = attrgetter("rank", "number")


class KeptOrder(Generic[Row]):
    """Rows by key, ordered by ascending rank and then by arrival.

    Adding, removing or moving a row takes O(log n). With `most`, the last row is dropped when there are too many.
    """

    def __init__(self, rank: Callable[[Row], Any], most: int | None = None) -> None:
        self._rank = rank
        self._most = most
        self._kept: dict[Hashable, _OrderedRow[Row]] = {}
        self._order: SortedKeyList[_OrderedRow[Row], tuple[Any, int]] = SortedKeyList(key=_place)
        self._numbers = 0

    def put(self, key: Hashable, row: Row) -> None:
        """Insert a row, replacing the one with its key."""
        before = self._kept.get(key)
        if before is None:
            self._numbers += 1
        else:
            self._order.remove(before)
        number = self._numbers if before is None else before.number
        self._kept[key] = kept = _OrderedRow(self._rank(row), number, key, row)
        self._order.add(kept)
        if self._most is not None and len(self._order) > self._most:
            del self._kept[self._order.pop().key]

    def add(self, row: Row) -> None:
        """Insert a row without a key."""
        self.put(object(), row)

    def offer(self, key: Hashable, row: Row) -> bool:
        """Insert a row only if it ranks before the one with its key; returns whether it does."""
        standing = self._kept.get(key)
        is_better = standing is None or self._rank(row) < standing.rank
        if is_better:
            self.put(key, row)
        return is_better

    def get(self, key: Hashable) -> Row | None:
        kept = self._kept.get(key)
        return None if kept is None else kept.row

    def items(self) -> Iterator[tuple[Hashable, Row]]:
        return ((kept.key, kept.row) for kept in self._order)

    def first(self, count: int) -> list[Row]:
        """Return the first `count` rows."""
        return list(islice(self, count))

    def __iter__(self) -> Iterator[Row]:
        return (kept.row for kept in self._order)

    def __len__(self) -> int:
        return len(self._order)
