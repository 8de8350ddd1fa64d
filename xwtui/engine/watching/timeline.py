"""The time line of a search: its latest events, and what stood on the grid after each of them.

It is made of the events alone, so that a search that is over, and one read from a file, can be walked
as well as one that goes on: a decision puts its word or letter on a stack, and whatever takes the search back
(backtrack, jump, restart) takes decisions off it. What only followed from them is not shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from xwtui.engine.event import Event, EventKind
from xwtui.engine.watching.blocks import EVENTS_A_BLOCK, Stretch, ToldEvents
from xwtui.engine.watching.moment import Moment, Standing, after
from xwtui.model import Grid

MOST_EVENTS = 131_072
"""Events that a time line keeps at least; older ones are forgotten."""


class _Block(NamedTuple):
    """Events, and the decisions in force before them."""

    before: Standing
    events: Stretch


class Timeline:
    """The latest events of one search on a grid; used from one thread at a time."""

    def __init__(self, grid: Grid, most: int = MOST_EVENTS, standing: Standing = ()) -> None:
        """`most` events are kept at least; `standing` are the decisions in force before the first of them."""
        self.grid = grid
        self._most = most
        self._starts: list[int] = []
        """The number of each block's first event."""
        self._blocks: list[_Block] = []
        self._length = 0
        self._standing = standing

    def __len__(self) -> int:
        """The number of events since the start of the search, forgotten ones included."""
        return self._length

    @property
    def first(self) -> int:
        """The number of the oldest event that is kept."""
        return self._starts[0] if self._starts else self._length

    @property
    def before_first(self) -> Standing:
        """The decisions in force before that event."""
        return self._blocks[0].before if self._blocks else self._standing

    def append(self, event: Event) -> None:
        """Add an event; the oldest are forgotten if there are enough after them."""
        last = self._blocks[-1].events if self._blocks else None
        if not isinstance(last, ToldEvents) or len(last) >= EVENTS_A_BLOCK:
            last = ToldEvents()
            self._add(last)
        last.events.append(event)
        self._standing = after(self._standing, [event], self._length, self.grid)
        self._length += 1
        self._forget()

    def extend(self, events: Iterable[Event]) -> None:
        """Add events in order."""
        for event in events:
            self.append(event)

    def join(self, stretch: Stretch, *, missed: int = 0) -> None:
        """Add a whole stretch of events; where some before it were `missed`, all before is forgotten."""
        if missed:
            self._starts.clear()
            self._blocks.clear()
            self._length += missed
            self._standing = ()
        if len(stretch) > 0:
            self._add(stretch)
            self._standing = stretch.after(self._standing, self._length, len(stretch), self.grid)
            self._length += len(stretch)
            self._forget()

    def _add(self, stretch: Stretch) -> None:
        self._starts.append(self._length)
        self._blocks.append(_Block(self._standing, stretch))

    def _forget(self) -> None:
        """Forget the oldest blocks that are not needed."""
        spare = 0
        while spare + 1 < len(self._starts) and self._length - self._starts[spare + 1] >= self._most:
            spare += 1
        del self._starts[:spare], self._blocks[:spare]

    def _place(self, number: int) -> tuple[_Block, int]:
        """The block of an event, and its index there; raises IndexError for one that is not kept."""
        if not self.first <= number < self._length:
            raise IndexError(number)
        place = bisect_right(self._starts, number) - 1
        return self._blocks[place], number - self._starts[place]

    def event(self, number: int) -> Event:
        """The event of a number that is still kept; raises IndexError for another."""
        block, index = self._place(number)
        return block.events[index]

    def depth(self, number: int) -> int:
        """The depth of such an event."""
        block, index = self._place(number)
        return block.events.depth(index)

    def events(self, first: int, most: int) -> list[Event]:
        """At most so many events from a number on."""
        begin = max(first, self.first)
        return [self.event(number) for number in range(begin, min(begin + most, self._length))]

    def at(self, number: int) -> Moment:
        """The search after an event that is still kept; raises IndexError for another."""
        block, index = self._place(number)
        standing = block.events.after(block.before, number - index, index + 1, self.grid)
        return Moment(number, block.events[index], standing)

    def find(
        self,
        start: int,
        wanted: Callable[[Event], bool],
        *,
        kinds: Collection[EventKind] = tuple(EventKind),
        entry: str | None = None,
        backwards: bool = False,
    ) -> int | None:
        """The number of the next event that is wanted, after `start` or before it; None if there is none.

        Only events of these kinds, or about this entry, are looked at.
        """
        found = self._about(start, kinds, entry, backwards=backwards)
        return next((number for number in found if wanted(self.event(number))), None)

    def _about(
        self, start: int, kinds: Collection[EventKind], entry: str | None, *, backwards: bool
    ) -> Iterator[int]:
        pairs = list(zip(self._starts, self._blocks, strict=True))
        for first, block in reversed(pairs) if backwards else pairs:
            if backwards and first < start:
                indices = block.events.about(kinds, entry)
                yield from (first + index for index in reversed(indices) if first + index < start)
            elif not backwards and first + len(block.events) > start:
                indices = block.events.about(kinds, entry)
                yield from (first + index for index in indices if first + index > start)
