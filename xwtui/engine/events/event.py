"""What a search tells: what it does, what it would do next and why, what it came to and what it took.

The fill engine and the classic strategies yield the same events; this module loads neither.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping

from xwtui.dataclasses import dataclass, field, replace
from xwtui.model import Position
from xwtui.named_tuples import NamedTuple
from xwtui.worded import Worded


class Outcome(enum.Enum):
    """What a search has come to so far; the value is its name in reports."""

    RUNNING = "running"
    FILLED = "filled"
    IMPOSSIBLE = "impossible"
    """Proved: no fill exists."""
    UNKNOWN = "unknown"
    """The deadline came first."""
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether more searching would change nothing."""
        return self in (Outcome.FILLED, Outcome.IMPOSSIBLE)


class Statistics(NamedTuple):
    """What a search took. Nodes are decisions; depth is the decisions in force."""

    nodes: int = 0
    backtracks: int = 0
    restarts: int = 0
    depth: int = 0
    deepest: int = 0
    seconds_load: float = 0.0
    """Reading words; filled in by whoever read them."""
    seconds_search: float = 0.0


class FillSeconds(NamedTuple):
    """What the parts of a plain fill took, in seconds."""

    layout: float = 0.0
    """Laying the problem out: the words of each entry, and what the crossings leave of them."""
    first_fill: float = 0.0
    """The search for the first fill."""
    better_words: float = 0.0
    """Finding better words for it."""


class EventKind(enum.Enum):
    """What can happen in a search; the value is its name in verbs."""

    DECIDE = "decide"
    PRUNE = "prune"
    CLAIM = "claim"
    CONSTRAINT = "demand"  # as in the traces that users keep
    WIPE_OUT = "wipe-out"
    BACKTRACK = "backtrack"
    RESTART = "restart"
    SOLVED = "solved"
    IMPOSSIBLE = "impossible"
    JUMP = "jump"
    ARGUE = "argue"


@dataclass(frozen=True)
class Event(Worded):
    """One thing that the search did.

    `before` and `after` count the options of `slot`; of a claim, a word that one slot has and others
    lose, `before` counts those others. `crossing` is the square whose symbols
    pruned or emptied it; `other` is the slot across it, the slot that took the word first, or
    the slot or square that a backtrack goes back to. `wanted` are the contents that an emptied slot
    needed at the crossing, which no longer takes them. A decision on a square, and the backtrack out
    of it, has no `slot` and no `word`, but the square as `crossing` and its content in `wanted`.
    A restart goes back to the depth `after`. When a constructor argues with the search, `constraint` says how,
    and the decisions deeper than `depth` are gone.
    What comes from a global constraint, such as a cardinality, names it in `constraint`: options that it takes
    from a slot or a square, `before` words that it takes from other entries because of the slot's `word`, or
    a dead end.
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
        """The event as one of a search that begins so much deeper, where `start` was decided last."""
        if self.kind is EventKind.RESTART:
            return replace(self, depth=self.depth + depth, before=self.before + depth, after=self.after + depth)
        other = start if self.kind is EventKind.BACKTRACK and self.other is None else self.other
        return replace(self, depth=self.depth + depth, other=other)


MOST = 5
"""How many of the best are told."""


class Until(NamedTuple):
    """The events that a search rests at: those of some kinds, and all about an entry."""

    kinds: Collection[EventKind] = ()
    entry: str | None = None

    def is_met_by(self, event: Event) -> bool:
        return event.kind in self.kinds or (self.entry is not None and event.slot == self.entry)


ANY_EVENT = Until(frozenset(EventKind))
THE_END = Until()
"""It goes on to the next fill, or to its end."""


class Rank(NamedTuple):
    """How an entry or a square stands in the choice of the next one."""

    name: str
    figures: str
    """What the choice goes by, in words, such as `12 words`."""


class LikelyWord(NamedTuple):
    """A word that may be tried next."""

    word: str
    score: int
    room: float
    """Power of ten of the crossing words that it leaves, multiplied."""


@dataclass(frozen=True)
class Thoughts:
    """The best first of both."""

    ranking: tuple[Rank, ...] = ()
    words: tuple[LikelyWord, ...] = ()
    """Of the first of the ranking."""
    blame: Mapping[Position, float] = field(default_factory=dict)
    """How much each square was to blame for dead ends, as a share of the most blamed one."""
    tried: str = ""
    """The entry or square that was decided last; its other words are told."""
    chosen: str = ""
    """What it was decided to be."""
    others: tuple[LikelyWord, ...] = ()
    """What may be tried there instead, the next one first; the figures are 0 where the search has none."""
    is_of_last: bool = False
    """Whether the ranking is that of the last decision, rather than of the next one."""
