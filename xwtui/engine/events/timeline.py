"""The timeline of a search: its latest events in blocks, and the grid's contents after each of them.

It is built from events alone, so a finished search, or one read from a file, can be replayed like a running one. A
decision pushes its word or letter on a stack; a backtrack, jump or restart pops decisions. Contents that were only
implied by propagation are not shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, Protocol

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.events.event import Event, EventKind, Until
from xwtui.model import Content, Grid, Position
from xwtui.model.answers import laid_along


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """A word in an entry, or a content in a square, that the search decided."""

    depth: int
    number: int
    """The number of its event."""
    subject: str
    """The name of the entry or the square."""
    choice: str
    squares: tuple[tuple[Position, Content], ...]
    """The squares that it fills."""


@dataclass(frozen=True)
class Moment:
    """The search after one of its events."""

    number: int
    """The number of the event, counted from 0 at the start of the search."""
    event: Event
    decisions: tuple[RecordedDecision, ...]
    """The decisions in force, in order."""

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The contents that the decisions put on the grid."""
        return {at: content for decision in self.decisions for at, content in decision.squares}

    @property
    def decision_depth(self) -> Mapping[Position, int]:
        """For each of those squares, the depth of the first decision that filled it."""
        latest_first = reversed([*enumerate(self.decisions, 1)])
        return {at: depth for depth, decision in latest_first for at, _ in decision.squares}

    @property
    def decision_age(self) -> Mapping[Position, int]:
        """For each of those squares, how many events ago it was filled."""
        latest_first = reversed(self.decisions)
        return {at: self.number - decision.number for decision in latest_first for at, _ in decision.squares}


Decisions = tuple[RecordedDecision, ...]
"""The decisions in force, in order."""


def decision_of(event: Event, number: int, grid: Grid) -> RecordedDecision:
    """Return the decision of a DECIDE event; a word that passes through new rebus squares fills no squares."""
    subject = event.slot or str(event.crossing)
    choice = event.word or "".join(event.wanted)
    written: tuple[tuple[Position, Content], ...] = ()
    slot = grid.entries_by_name.get(event.slot) if event.slot is not None else None
    if event.slot is None and event.crossing is not None and event.wanted:
        written = ((event.crossing, Content.parse(event.wanted[0])),)
    elif slot is not None and event.word is not None:
        given = [grid[at].content if grid[at].is_given else None for at in slot.reading]
        along = zip(slot.reading, laid_along(event.word, given, slot.directions) or (), strict=False)
        written = tuple((at, content) for at, content in along if not grid[at].is_given)
    return RecordedDecision(event.depth, number, subject, choice, written)


def after(decisions: Decisions, events: Iterable[Event], number: int, grid: Grid) -> Decisions:
    """Return the decisions in force after further events, of which the first has this number."""
    for place, event in enumerate(events, number):
        match event.kind:
            case EventKind.DECIDE:
                below = tuple(decision for decision in decisions if decision.depth < event.depth)
                decisions = (*below, decision_of(event, place, grid))
            case EventKind.BACKTRACK | EventKind.JUMP:
                decisions = _after_backtrack(decisions, event)
            case EventKind.RESTART:
                decisions = tuple(decision for decision in decisions if decision.depth <= event.after)
            case EventKind.ARGUE:
                decisions = tuple(decision for decision in decisions if decision.depth <= event.depth)
    return decisions


def _after_backtrack(decisions: Decisions, event: Event) -> Decisions:
    """Return the remaining decisions: those up to a depth, or all except one removed from below others."""
    subject = event.slot or str(event.crossing)
    taken = next((one for one in decisions if one.subject == subject and one.depth <= event.depth), None)
    if taken is None:
        return tuple(decision for decision in decisions if decision.depth <= event.depth)
    below = (decision for decision in decisions if decision.depth < taken.depth)
    above = (replace(decision, depth=decision.depth - 1) for decision in decisions if decision.depth > taken.depth)
    return (*below, *above)


EVENTS_PER_BLOCK = 256
"""Maximum number of events in a block that was recorded one by one."""


class EventSequence(Protocol):
    """A sequence of events of a search."""

    def __len__(self) -> int:
        """Return the number of events."""

    def __getitem__(self, index: int, /) -> Event:
        """Return one of the events."""

    def depth(self, index: int) -> int:
        """Return the depth of one of the events."""

    def about(self, kinds: Collection[EventKind], entry: str | None) -> list[int]:
        """Return the indices of the events of these kinds or about this entry."""

    def moved(self, depth: int, start: str | None) -> EventSequence:
        """Return the events shifted to start at a greater depth, where `start` was the last decision."""

    def without_last(self) -> EventSequence:
        """Return the events without the last one."""

    def after(self, decisions: Decisions, number: int, count: int, grid: Grid) -> Decisions:
        """Return the decisions in force after its first `count` events, of which the first is event `number`."""


class DecodedEvents(list[Event]):
    """Events stored as objects."""

    def depth(self, index: int) -> int:
        return self[index].depth

    def about(self, kinds: Collection[EventKind], entry: str | None) -> list[int]:
        until = Until(kinds, entry)
        return [index for index, event in enumerate(self) if until.is_met_by(event)]

    def moved(self, depth: int, start: str | None) -> DecodedEvents:
        return DecodedEvents(event.moved(depth, start) for event in self)

    def without_last(self) -> DecodedEvents:
        return DecodedEvents(self[:-1])

    def after(self, decisions: Decisions, number: int, count: int, grid: Grid) -> Decisions:
        return after(decisions, self[:count], number, grid)


MOST_EVENTS = 131_072
"""Minimum number of events that a timeline keeps; older ones are dropped."""


class _Block(NamedTuple):
    """Events, and the decisions in force before them."""

    before: Decisions
    events: EventSequence


class Timeline:
    """The latest events of one search on a grid; for one thread at a time."""

    def __init__(self, grid: Grid, most: int = MOST_EVENTS, decisions: Decisions = ()) -> None:
        """Keep at least `most` events; `decisions` are the ones in force before the first of them."""
        self.grid = grid
        self._most = most
        self._starts: list[int] = []
        """The number of each block's first event."""
        self._blocks: list[_Block] = []
        self._length = 0
        self._decisions = decisions

    def __len__(self) -> int:
        """Return the number of events since the start of the search, including dropped ones."""
        return self._length

    @property
    def first(self) -> int:
        """The number of the oldest event that is kept."""
        return self._starts[0] if self._starts else self._length

    @property
    def before_first(self) -> Decisions:
        """The decisions in force before that event."""
        return self._blocks[0].before if self._blocks else self._decisions

    def append(self, event: Event) -> None:
        """Add an event, dropping the oldest ones if enough are left after them."""
        last = self._blocks[-1].events if self._blocks else None
        if not isinstance(last, DecodedEvents) or len(last) >= EVENTS_PER_BLOCK:
            last = DecodedEvents()
            self._add(last)
        last.append(event)
        self._decisions = after(self._decisions, [event], self._length, self.grid)
        self._length += 1
        self._forget()

    def extend(self, events: Iterable[Event]) -> None:
        for event in events:
            self.append(event)

    def join(self, events: EventSequence, *, missed: int = 0) -> None:
        """Add a block of events; if events before it were `missed`, drop everything before it."""
        if missed:
            self._starts.clear()
            self._blocks.clear()
            self._length += missed
            self._decisions = ()
        if len(events) > 0:
            self._add(events)
            self._decisions = events.after(self._decisions, self._length, len(events), self.grid)
            self._length += len(events)
            self._forget()

    def _add(self, events: EventSequence) -> None:
        self._starts.append(self._length)
        self._blocks.append(_Block(self._decisions, events))

    def _forget(self) -> None:
        spare = 0
        while spare + 1 < len(self._starts) and self._length - self._starts[spare + 1] >= self._most:
            spare += 1
        del self._starts[:spare], self._blocks[:spare]

    def _place(self, number: int) -> tuple[_Block, int]:
        """Return an event's block and its index there; raises IndexError for an event that is not kept."""
        if not self.first <= number < self._length:
            raise IndexError(number)
        place = bisect_right(self._starts, number) - 1
        return self._blocks[place], number - self._starts[place]

    def event(self, number: int) -> Event:
        """Return a kept event by number; raises IndexError for others."""
        block, index = self._place(number)
        return block.events[index]

    def depth(self, number: int) -> int:
        """Return the depth of a kept event."""
        block, index = self._place(number)
        return block.events.depth(index)

    def events(self, first: int, most: int) -> list[Event]:
        """Return at most `most` events starting at a number."""
        begin = max(first, self.first)
        return [self.event(number) for number in range(begin, min(begin + most, self._length))]

    def at(self, number: int) -> Moment:
        """Return the search after a kept event; raises IndexError for others."""
        block, index = self._place(number)
        decisions = block.events.after(block.before, number - index, index + 1, self.grid)
        return Moment(number, block.events[index], decisions)

    def find(
        self,
        start: int,
        wanted: Callable[[Event], bool],
        *,
        kinds: Collection[EventKind] = tuple(EventKind),
        entry: str | None = None,
    ) -> int | None:
        """Return the number of the next wanted event after `start` of these kinds or about this entry, or None."""
        for first, block in zip(self._starts, self._blocks, strict=True):
            if first + len(block.events) > start:
                numbers = (first + index for index in block.events.about(kinds, entry))
                found = next((number for number in numbers if number > start and wanted(self.event(number))), None)
                if found is not None:
                    return found
        return None
