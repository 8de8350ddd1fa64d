"""How far a search goes before it pauses, and the arguments that are possible there."""

from __future__ import annotations

import enum
from typing import NamedTuple

from xwtui.dataclasses import dataclass
from xwtui.engine.events.event import Event, EventKind
from xwtui.errors import VerbError
from xwtui.model import Grid
from xwtui.text import printable


class ArgumentKind(enum.Enum):
    """The kind of an argument; the value is the word in the verb."""

    CHOOSE = "choose"
    FORBID = "forbid"
    LOCK = "lock"
    SKIP = "skip"
    BACK = "back"


class SearchArgument(NamedTuple):
    """One argument against a search; without `place`, it is about the last decision.

    `place` is an entry such as `17A`, or a square. `word` is what CHOOSE puts there. For FORBID, it is the word to
    exclude, and an empty one means the present contents.
    """

    kind: ArgumentKind
    place: str = ""
    word: str = ""


_STOPS = {kind.value: kind for kind in (EventKind.BACKTRACK, EventKind.RESTART, EventKind.SOLVED)}


@dataclass(frozen=True, eq=False)
class Goal:
    """How far a search goes: some events or seconds, up to a kind of event or an entry, or by default to its end.

    From a point in the recorded past, it first moves on within the recording. `back` goes back by this number of
    events, and `place` goes to the event with this number. `speed` limits the events per second. Goals compare by
    identity, because giving the same order twice means two orders.
    """

    steps: int | None = None
    seconds: float | None = None
    stop: EventKind | None = None
    entry: str = ""
    back: int = 0
    place: int | None = None
    speed: float | None = None
    argument: SearchArgument | None = None
    """The argument to apply; the search then pauses."""

    @property
    def is_recorded(self) -> bool:
        """Whether the search must be recorded from here on; running to the end needs no recording."""
        settings = (self.steps, self.stop, self.place, self.speed, self.argument)
        return self.back > 0 or bool(self.entry) or any(one is not None for one in settings)

    @property
    def is_in_record(self) -> bool:
        """Whether the recording alone is enough to reach it."""
        return self.back > 0 or self.place is not None

    def is_reached(self, event: Event, events_seen: int) -> bool:
        """Whether the search pauses after this event; `events_seen` counts the events under this goal.

        An entry is reached when it is decided, wiped out, backtracked from, or left with one candidate.
        """
        if self.steps is not None:
            return events_seen >= self.steps
        if self.entry:
            is_pruned_only = event.kind in (EventKind.PRUNE, EventKind.CONSTRAINT) and event.after > 1
            return event.slot == self.entry and not is_pruned_only
        return event.kind is self.stop

    @classmethod
    def until(cls, target: str, grid: Grid) -> Goal:
        """Parse `backtrack`, `restart`, `solved`, or an entry such as `17A`; raises VerbError for other words."""
        word = target.strip()
        if (kind := _STOPS.get(word.lower())) is not None:
            return cls(stop=kind)
        if word.upper() in grid.slots_by_name:
            return cls(entry=word.upper())
        raise VerbError(f"{printable(word, 30)!r}: use backtrack, restart, solved or an entry such as 17A")
