"""What is kept in order while it comes: candidates, designs, layouts, fills to choose from, swaps."""

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
    """Which came first, of those of equal rank."""
    key: Hashable


class KeptOrder(Generic[Row]):
    """Rows under keys, those of the lowest rank first, of equal ones the one that came first.

    A row comes, goes or moves in O(log n); nothing is sorted anew. With `most`, what comes last has to go.
    """

    def __init__(self, rank: Callable[[Row], Any], most: int | None = None) -> None:
        self._rank = rank
        self._most = most
        self._rows: dict[Hashable, Row] = {}
        self._places: dict[Hashable, _Place] = {}
        self._order: SortedKeyList[_Place, tuple[Any, int]] = SortedKeyList(key=lambda place: place[:2])
        self._numbers = 0

    def put(self, key: Hashable, row: Row) -> None:
        """Let a row be in its place, instead of what was under its key."""
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
        """Let a row be in its place that is known by no key."""
        self.put(object(), row)

    def offer(self, key: Hashable, row: Row) -> bool:
        """The same where it comes before what is under its key; returns whether it does."""
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
        """So many rows from the first on."""
        return list(islice(self, count))

    def __iter__(self) -> Iterator[Row]:
        return (self._rows[place.key] for place in self._order)

    def __len__(self) -> int:
        return len(self._rows)
