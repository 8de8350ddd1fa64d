"""The time line of a search: its latest events, and what stood on the grid after each of them.

It is made of the events alone, so that a search that is over, and one read from a file, can be walked
as well as one that goes on: a decision puts its word or letter on a stack, and whatever takes the search back
(backtrack, jump, restart) takes decisions off it. What only followed from them is not shown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from xwtui.engine.event import Event, EventKind
from xwtui.model import Content, Grid, Position

MOST_EVENTS = 200_000
"""Events that a time line keeps; older ones are forgotten."""
_EVENTS_A_MARK = 256
"""How many events lie between two moments whose decisions are kept, rather than worked out."""

_TAKING_BACK = (EventKind.BACKTRACK, EventKind.JUMP, EventKind.RESTART)


@dataclass(frozen=True, slots=True)
class Decision:
    """A word in an entry, or a content in a square, that the search had chosen."""

    depth: int
    number: int
    """The number of its event."""
    subject: str
    """The entry's name, or the square's."""
    choice: str
    squares: tuple[tuple[Position, Content], ...]
    """What it puts on the grid."""


@dataclass(frozen=True)
class Moment:
    """The search after one of its events."""

    number: int
    """The number of the event, from 0 at the start of the search."""
    event: Event
    decisions: tuple[Decision, ...]
    """Those in force, the first one first."""

    @property
    def squares(self) -> Mapping[Position, Content]:
        """What the decisions put on the grid."""
        return {at: content for decision in self.decisions for at, content in decision.squares}

    @property
    def decision_depth(self) -> Mapping[Position, int]:
        """For each of those squares, the depth of the first decision that filled it."""
        depths: dict[Position, int] = {}
        for depth, decision in enumerate(self.decisions, 1):
            for at, _ in decision.squares:
                depths.setdefault(at, depth)
        return depths

    @property
    def decision_age(self) -> Mapping[Position, int]:
        """For each of those squares, how many events ago it was filled."""
        ages: dict[Position, int] = {}
        for decision in self.decisions:
            for at, _ in decision.squares:
                ages.setdefault(at, self.number - decision.number)
        return ages


class Timeline:
    """The latest events of one search on a grid; used from one thread at a time."""

    def __init__(self, grid: Grid, most: int = MOST_EVENTS) -> None:
        """`most` events are kept, 512 at least."""
        self._grid = grid
        self._most = max(most, 2 * _EVENTS_A_MARK)
        self._events: deque[Event] = deque()
        self._first = 0
        self._stack: tuple[Decision, ...] = ()
        self._marks: dict[int, tuple[Decision, ...]] = {}
        """The decisions in force before every 256th event."""

    def __len__(self) -> int:
        """The number of events since the start of the search, forgotten ones included."""
        return self._first + len(self._events)

    @property
    def first(self) -> int:
        """The number of the oldest event that is kept."""
        return self._first

    def append(self, event: Event) -> None:
        """Add an event; the oldest is forgotten if there is no more room."""
        number = len(self)
        if number % _EVENTS_A_MARK == 0:
            self._marks[number] = self._stack
        self._events.append(event)
        self._stack = after(self._stack, event, number, self._grid)
        if len(self._events) > self._most:
            self._forget(_EVENTS_A_MARK)

    def extend(self, events: Iterable[Event]) -> None:
        """Add events in order."""
        for event in events:
            self.append(event)

    def _forget(self, events: int) -> None:
        """Forget the oldest events up to the next mark."""
        del self._marks[self._first]
        for _ in range(events):
            self._events.popleft()
        self._first += events

    def event(self, number: int) -> Event:
        """The event of a number that is still kept; raises IndexError for another."""
        if not self._first <= number < len(self):
            raise IndexError(number)
        return self._events[number - self._first]

    def events(self, first: int, most: int) -> list[Event]:
        """At most so many events from a number on."""
        begin = max(first, self._first) - self._first
        return list(islice(self._events, begin, begin + max(most, 0)))

    def at(self, number: int) -> Moment:
        """The search after an event that is still kept; raises IndexError for another."""
        event = self.event(number)
        mark = max(known for known in self._marks if known <= number)
        stack = self._marks[mark]
        for step, passed in enumerate(self.events(mark, number - mark + 1), mark):
            stack = after(stack, passed, step, self._grid)
        return Moment(number, event, stack)

    def find(self, start: int, wanted: Callable[[Event], bool], *, backwards: bool = False) -> int | None:
        """The number of the next event that is wanted, after `start` or before it; None if there is none."""
        later = range(max(start + 1, self._first), len(self))
        numbers = range(start - 1, self._first - 1, -1) if backwards else later
        return next((number for number in numbers if wanted(self.event(number))), None)


def after(stack: tuple[Decision, ...], event: Event, number: int, grid: Grid) -> tuple[Decision, ...]:
    """The decisions in force after an event."""
    if event.kind is EventKind.DECIDE:
        below = tuple(decision for decision in stack if decision.depth < event.depth)
        subject = event.slot or str(event.crossing)
        choice = event.word or "".join(event.wanted)
        return (*below, Decision(event.depth, number, subject, choice, written_by(event, grid)))
    if event.kind in _TAKING_BACK:
        return tuple(decision for decision in stack if decision.depth <= event.depth)
    return stack


def written_by(event: Event, grid: Grid) -> tuple[tuple[Position, Content], ...]:
    """The squares that a decision writes; none for a word that goes through new rebus squares."""
    if event.slot is None:
        if event.crossing is None or not event.wanted:
            return ()
        return ((event.crossing, Content.parse(event.wanted[0])),)
    slot = grid.slots_by_name.get(event.slot)
    if slot is None or event.word is None:
        return ()
    contents = _contents(event.word, [grid[at].content if grid[at].is_given else None for at in slot.positions])
    if contents is None:
        return ()
    given = {at for at in slot.positions if grid[at].is_given}
    return tuple((at, content) for at, content in zip(slot.positions, contents, strict=True) if at not in given)


def _contents(word: str, given: list[Content | None]) -> list[Content] | None:
    """A word cut into squares, around given contents; None where it cannot be one letter a square elsewhere."""
    longer = len(word) - sum(1 if content is None else len(content.across) for content in given)
    if longer:
        return None
    contents: list[Content] = []
    rest = word
    for content in given:
        size = 1 if content is None else len(content.across)
        contents.append(content or Content.of(rest[:1]))
        rest = rest[size:]
    return contents
