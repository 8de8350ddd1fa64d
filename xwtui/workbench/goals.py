"""How far a search is to go before it stands still."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xwtui.errors import VerbError
from xwtui.model import Grid
from xwtui.text import printable

if TYPE_CHECKING:
    from xwtui.engine.trace import Event


class Stop(enum.Enum):
    """What a search may be told to run up to."""

    BACKTRACK = "backtrack"
    RESTART = "restart"
    SOLVED = "solved"
    ENTRY = "entry"


@dataclass(frozen=True, eq=False)
class Goal:
    """A search goes on for some events, some seconds, up to a stop, or to its end where none is set.

    Two goals are never equal: giving the same order again is another order.
    """

    steps: int | None = None
    seconds: float | None = None
    stop: Stop | None = None
    entry: str = ""

    @property
    def needs_events(self) -> bool:
        """Whether every event has to be looked at."""
        return self.steps is not None or self.stop in (Stop.BACKTRACK, Stop.RESTART, Stop.ENTRY)

    def is_reached(self, event: Event, events_seen: int) -> bool:
        """Whether the search stands still after this event, the so-manieth under this goal."""
        if self.steps is not None:
            return events_seen >= self.steps
        if self.stop is Stop.ENTRY:
            return event.kind.name == "DECIDE" and event.slot == self.entry
        return self.stop is not None and event.kind.name == self.stop.name

    @classmethod
    def until(cls, target: str, grid: Grid) -> Goal:
        """Read `backtrack`, `restart`, `solved`, or an entry such as `17A`; raises VerbError for another word."""
        word = target.strip()
        for stop in (Stop.BACKTRACK, Stop.RESTART, Stop.SOLVED):
            if word.lower() == stop.value:
                return cls(stop=stop)
        if word.upper() in grid.slots_by_name:
            return cls(stop=Stop.ENTRY, entry=word.upper())
        raise VerbError(f"{printable(word, 30)!r}: a search runs until backtrack, restart, solved or an entry such as 17A")
