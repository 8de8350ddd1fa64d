"""Search events: what a search does, what it would decide next and why, its outcome and its statistics.

The fill engine and the classic strategies yield the same events. This module loads neither.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from typing import NamedTuple

from xwtui.dataclasses import dataclass, field, replace
from xwtui.model import Content, Position
from xwtui.worded import Worded


class Outcome(enum.Enum):
    """The state or outcome of a search; the value is its name in reports."""

    RUNNING = "running"
    FILLED = "filled"
    IMPOSSIBLE = "impossible"
    """Proved: no fill exists."""
    UNKNOWN = "unknown"
    """The deadline came first."""
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether further searching would change nothing."""
        return self in (Outcome.FILLED, Outcome.IMPOSSIBLE)


class Statistics(NamedTuple):
    """The effort of a search. Nodes are decisions; depth is the number of decisions in force."""

    nodes: int = 0
    backtracks: int = 0
    restarts: int = 0
    depth: int = 0
    deepest: int = 0
    seconds_search: float = 0.0


class FillSeconds(NamedTuple):
    """The time taken by the parts of a plain fill, in seconds."""

    layout: float = 0.0
    """Building the problem: the words of each entry, and propagation of the crossings."""
    first_fill: float = 0.0
    """The search for the first fill."""
    better_words: float = 0.0
    """Finding better words for it."""


class EventKind(enum.Enum):
    """The kinds of events; the value is the name in verbs."""

    DECIDE = "decide"
    PRUNE = "prune"
    CLAIM = "claim"
    CONSTRAINT = "demand"  # the name in users' saved traces
    WIPE_OUT = "wipe-out"
    BACKTRACK = "backtrack"
    RESTART = "restart"
    SOLVED = "solved"
    IMPOSSIBLE = "impossible"
    JUMP = "jump"
    ARGUE = "argue"


@dataclass(frozen=True)
class Event(Worded):
    """One step of a search.

    `before` and `after` count the options of `slot`. In a claim, where one slot's word is removed from others,
    `before` counts those others. `crossing` is the square whose symbols pruned or emptied the slot. `other` is the
    slot across it, the slot that took the word first, or the slot or square that a backtrack returns to. `wanted`
    is the contents that an emptied slot needed at the crossing, which no longer allows them.

    A decision on a square, and the backtrack from it, has no `slot` or `word`. Instead, `crossing` is the square
    and `wanted` its content. A restart returns to depth `after`. When a constructor argues with the search,
    `constraint` describes how, and the decisions deeper than `depth` are undone.

    An event of a global constraint, such as a cardinality, names it in `constraint`. It removes options from a
    slot or a square, removes `before` words from other entries because of the slot's `word`, or is a dead end.
    """

    kind: EventKind
    depth: int
    slot: str | None = None
    word: str | None = None
    crossing: Position | None = None
    before: int = 0
    after: int = 0
    other: str | None = None
    wanted: tuple[str, ...] = ()
    constraint: Worded | str = ""

    def moved(self, depth: int, start: str | None) -> Event:
        """Return the event shifted to start at a greater depth, where `start` was the last decision."""
        if self.kind is EventKind.RESTART:
            return replace(self, depth=self.depth + depth, before=self.before + depth, after=self.after + depth)
        other = start if self.kind is EventKind.BACKTRACK and self.other is None else self.other
        return replace(self, depth=self.depth + depth, other=other)


MOST = 5
"""How many of the best are reported."""


class Until(NamedTuple):
    """The events at which a search stops: some kinds, and all events of an entry."""

    kinds: Collection[EventKind] = ()
    entry: str | None = None

    def is_met_by(self, event: Event) -> bool:
        return event.kind in self.kinds or (self.entry is not None and event.slot == self.entry)


ANY_EVENT = Until(frozenset(EventKind))
THE_END = Until()
"""Run to the next fill, or to the end."""


class Decision(NamedTuple):
    """One decision in force: the word of an entry, or the content of a square."""

    slot: str | None
    square: Position | None
    chosen: str
    """The word as read, or the content in its text form."""
    left: tuple[str, ...]
    """The untried alternatives in the order of trying; empty if the search keeps no such list."""
    contents: tuple[Content, ...] = ()
    """The content that the decision puts on each of its squares."""

    @property
    def name(self) -> str:
        """The name of the entry or the square."""
        return self.slot or str(self.square)


class Rank(NamedTuple):
    """The rank of an entry or square in the choice of the next decision."""

    name: str
    figures: str
    """The figures that the choice is based on, in words, such as `12 words`."""


class LikelyWord(NamedTuple):
    """A word that may be tried next."""

    word: str
    score: int
    room: float
    """The product of the numbers of crossing words that it leaves, as a power of ten."""


@dataclass(frozen=True)
class DecisionReport:
    """A search's ranking of its next decisions and its likely words, both best first."""

    ranking: tuple[Rank, ...] = ()
    words: tuple[LikelyWord, ...] = ()
    """Of the first in the ranking."""
    blame: Mapping[Position, float] = field(default_factory=dict)
    """Each square's share of blame for dead ends; 1 for the most blamed one."""
    tried: str = ""
    """The entry or square decided last, whose alternatives are in `others`."""
    chosen: str = ""
    """What it was decided to be."""
    others: tuple[LikelyWord, ...] = ()
    """What may be tried there instead, next one first; the figures are 0 if the search has none."""
    is_of_last: bool = False
    """Whether the ranking is that of the last decision rather than the next one."""
