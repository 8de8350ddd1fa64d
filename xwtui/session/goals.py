"""How far a search is to go before it stands still, and what may be said against it there."""

from __future__ import annotations

import enum

from xwtui.dataclasses import dataclass
from xwtui.engine.events.event import Event, EventKind
from xwtui.errors import VerbError
from xwtui.model import Grid
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable


class ArgumentKind(enum.Enum):
    """The value is the word in the verb."""

    CHOOSE = "choose"
    FORBID = "forbid"
    LOCK = "lock"
    SKIP = "skip"
    BACK = "back"


class SearchArgument(NamedTuple):
    """One argument; the place (an entry such as `17A`, or a square) is the one decided last, if none is named.

    `word` is what CHOOSE puts there, and what FORBID keeps away: what stands there, if empty.
    """

    kind: ArgumentKind
    place: str = ""
    word: str = ""


class Stop(enum.Enum):
    """What a search may be told to run up to."""

    BACKTRACK = "backtrack"
    RESTART = "restart"
    SOLVED = "solved"
    ENTRY = "entry"

    @property
    def event_kind(self) -> EventKind | None:
        return _KINDS.get(self)


_KINDS = {
    Stop.BACKTRACK: EventKind.BACKTRACK,
    Stop.RESTART: EventKind.RESTART,
    Stop.SOLVED: EventKind.SOLVED,
}


@dataclass(frozen=True, eq=False)
class Goal:
    """A search goes on for some events, some seconds, up to a stop, or to its end where none is set.

    It first goes on among what is recorded, if one stands in the past; `back` goes back so many events,
    `place` to the event of this number. With a `speed` it makes so many events a second. Two goals are
    never equal: giving the same order again is another order.
    """

    steps: int | None = None
    seconds: float | None = None
    stop: Stop | None = None
    entry: str = ""
    back: int = 0
    place: int | None = None
    speed: float | None = None
    argument: SearchArgument | None = None
    """What is said against the search, which then stands still."""

    @property
    def is_recorded(self) -> bool:
        """Whether the search is recorded from there on: to run to its end it need not be."""
        asked = (self.steps, self.stop, self.place, self.speed, self.argument)
        return self.back > 0 or any(one is not None for one in asked)

    @property
    def is_in_record(self) -> bool:
        """Whether it needs no more than what is recorded."""
        return self.back > 0 or self.place is not None

    def is_reached(self, event: Event, events_seen: int) -> bool:
        """Whether the search stands still after this event, one of so many under this goal.

        An entry is come to when it is decided, runs empty, is backed out of, or has one word left.
        """
        if self.steps is not None:
            return events_seen >= self.steps
        if self.stop is Stop.ENTRY:
            is_pruned_only = event.kind in (EventKind.PRUNE, EventKind.CONSTRAINT) and event.after > 1
            return event.slot == self.entry and not is_pruned_only
        return self.stop is not None and event.kind is self.stop.event_kind

    @classmethod
    def until(cls, target: str, grid: Grid) -> Goal:
        """Read `backtrack`, `restart`, `solved`, or an entry such as `17A`; raises VerbError for another word."""
        word = target.strip()
        for stop in (Stop.BACKTRACK, Stop.RESTART, Stop.SOLVED):
            if word.lower() == stop.value:
                return cls(stop=stop)
        if word.upper() in grid.slots_by_name:
            return cls(stop=Stop.ENTRY, entry=word.upper())
        raise VerbError(f"{printable(word, 30)!r}: use backtrack, restart, solved or an entry such as 17A")
