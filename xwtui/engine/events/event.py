"""What a search tells: what it does, what it would do next and why, what it came to and what it took.

The fill engine and the classic strategies yield the same events; this module loads neither.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from xwtui.model import Position


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
class Event:
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
    constraint: str = ""

    def describe(self) -> str:
        """The event in a line, such as `decide 17A = SWEETHEART, 31 options`."""
        match self.kind:
            case EventKind.DECIDE:
                options = f", {_options(self.before)}" if self.before else ""
                return f"decide {self._subject} = {self._choice}{options}"
            case EventKind.PRUNE:
                return self._describe_prune()
            case EventKind.CLAIM:
                return f"{self.slot} has {self.word}: {_entries(self.before)} cannot take it any more"
            case EventKind.CONSTRAINT:
                return self._describe_constraint()
            case EventKind.WIPE_OUT:
                return self._describe_wipe_out()
            case EventKind.BACKTRACK | EventKind.JUMP:
                return self._describe_backtrack()
            case _:
                return self._describe_turn()

    def _describe_turn(self) -> str:
        """The events that are about no single entry."""
        if self.kind is EventKind.RESTART:
            return f"restart from depth {self.before}" + (f" to depth {self.after}" if self.after else "")
        if self.kind is EventKind.ARGUE:
            return f"argued: {self.constraint}"
        if self.kind is EventKind.SOLVED:
            return "solved: every entry has its word"
        return "impossible: no fill exists"

    def moved(self, depth: int, start: str | None) -> Event:
        """The event as one of a search that begins so much deeper, where `start` was decided last."""
        if self.kind is EventKind.RESTART:
            return replace(self, depth=self.depth + depth, before=self.before + depth, after=self.after + depth)
        other = start if self.kind is EventKind.BACKTRACK and self.other is None else self.other
        return replace(self, depth=self.depth + depth, other=other)

    @property
    def _subject(self) -> str:
        """The entry or the square that was decided."""
        return self.slot or str(self.crossing)

    @property
    def _choice(self) -> str:
        """What it was decided to be."""
        return self.word or "".join(self.wanted)

    def _describe_backtrack(self) -> str:
        if self.kind is EventKind.JUMP and self.before:
            return f"leave {self._subject} = {self._choice}: {self.before:,} others failed there"
        if self.kind is EventKind.JUMP:
            return f"jump back over {self._subject} = {self._choice}: the dead end does not depend on it"
        left = f"{_options(self.after)} left there"
        target = self.other or "the start"
        return f"backtrack from {self._subject} to {target}: {self._subject} is not {self._choice}, {left}"

    def _describe_prune(self) -> str:
        change = f"{self.slot}: {self.before:,} to {_options(self.after)}"
        if self.crossing is not None:
            return f"prune {change}, through {self.crossing}"
        return f"prune {change}, without {self.word}"

    def _describe_constraint(self) -> str:
        if self.word is not None:
            return (
                f"{self.slot} has {self.word}: {_words(self.before)} out of other entries, for {self.constraint}"
            )
        return f"{self._subject}: {self.before:,} to {_options(self.after)}, for {self.constraint}"

    def _describe_wipe_out(self) -> str:
        if self.constraint:
            return f"dead end: {self.constraint} cannot be any more"
        if self.crossing is not None and self.wanted:
            return f"{self.slot} runs empty: {self.crossing} takes none of {', '.join(self.wanted)}"
        if self.crossing is not None:
            return f"{self.slot or 'the search'} runs empty: nothing is left for {self.crossing}"
        if self.other is not None:
            return f"{self.slot} runs empty: {self.other} has {self.word}"
        if self.word is None:
            return f"{self.slot} runs empty: no word is left for it"
        return f"{self.slot} runs empty without {self.word}"


def _options(count: int) -> str:
    return f"{count:,} option" + ("" if count == 1 else "s")


def _words(count: int) -> str:
    return f"{count:,} word" + ("" if count == 1 else "s")


def _entries(count: int) -> str:
    return f"{count:,} other " + ("entry" if count == 1 else "entries")


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
