"""A collection that stays sorted as rows arrive: candidates, designs, layouts, fills to choose from, swaps."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from sortedcontainers import SortedKeyList

from xwtui.named_tuples import NamedTuple

Row = TypeVar("Row")


class _Place(NamedTuple):
    rank: Any
    number: int
    """Order of arrival, which breaks ties."""
    key: Hashable


class KeptOrder(Generic[Row]):
    """Rows by key, ordered by ascending rank and then by arrival.

    Adding, removing or moving a row takes O(log n). With `most`, the last row is dropped when there are too many.
    """

    def __init__(self, rank: Callable[[Row], Any], most: int | None = None) -> None:
        self._rank = rank
        self._most = most
        self._rows: dict[Hashable, Row] = {}
        self._places: dict[Hashable, _Place] = {}
        self._order: SortedKeyList[_Place, tuple[Any, int]] = SortedKeyList(key=lambda place: place[:2])
        self._numbers = 0

    def put(self, key: Hashable, row: Row) -> None:
        """Insert a row, replacing the one with its key."""
        before = self._places.get(key)
        if before is None:
            self._numbers += 1
        else:
            self._order.remove(before)
        place = _Place(self._rank(row), self._numbers if before is None else before.number, key)
        self._rows[key], self._places[key] = row, place
        self._order.add(place)
        if self._most is not None and len(self._rows) > self._most:
            last = self._order.pop().key
            del self._rows[last], self._places[last]

    def add(self, row: Row) -> None:
        """Insert a row without a key."""
        self.put(object(), row)

    def offer(self, key: Hashable, row: Row) -> bool:
        """Insert a row only if it ranks before the one with its key; returns whether it does."""
        standing = self._places.get(key)
        is_better = standing is None or self._rank(row) < standing.rank
        if is_better:
            self.put(key, row)
        return is_better

    def get(self, key: Hashable) -> Row | None:
        return self._rows.get(key)

    def items(self) -> Iterator[tuple[Hashable, Row]]:
        return ((place.key, self._rows[place.key]) for place in self._order)

    def first(self, count: int) -> list[Row]:
        """Return the first `count` rows."""
        return list(islice(self, count))

    def __iter__(self) -> Iterator[Row]:
        return (self._rows[place.key] for place in self._order)

    def __len__(self) -> int:
        return len(self._rows)
