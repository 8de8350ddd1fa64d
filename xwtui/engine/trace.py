"""Trace events: the single things that a search does, named as a constructor would."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xwtui.engine.demands.reasons import describe_demand
from xwtui.engine.kernels import trace as kernel_trace
from xwtui.engine.kernels.state import (
    AFTER,
    BEFORE,
    EVENT_COUNT,
    EVENT_DEMAND,
    EVENT_DEPTH,
    EVENT_ROW,
    EVENT_SLOT,
    EVENT_SQUARE,
    KIND,
    MASK_HIGH,
    MASK_LOW,
    OTHER_SLOT,
    State,
)

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem
    from xwtui.model import Position


class EventKind(enum.Enum):
    """What can happen in a search; the value is its name in verbs."""

    DECIDE = "decide"
    PRUNE = "prune"
    CLAIM = "claim"
    DEMAND = "demand"
    WIPE_OUT = "wipe-out"
    BACKTRACK = "backtrack"
    RESTART = "restart"
    SOLVED = "solved"
    IMPOSSIBLE = "impossible"
    JUMP = "jump"

    @property
    def code(self) -> int:
        """The kind as the kernels write it."""
        return _CODES[self]


_CODES = {
    EventKind.DECIDE: kernel_trace.DECIDE,
    EventKind.PRUNE: kernel_trace.PRUNE,
    EventKind.CLAIM: kernel_trace.CLAIM,
    EventKind.DEMAND: kernel_trace.DEMAND,
    EventKind.WIPE_OUT: kernel_trace.WIPE_OUT,
    EventKind.BACKTRACK: kernel_trace.BACKTRACK,
    EventKind.RESTART: kernel_trace.RESTART,
    EventKind.SOLVED: kernel_trace.SOLVED,
    EventKind.IMPOSSIBLE: kernel_trace.IMPOSSIBLE,
    EventKind.JUMP: kernel_trace.JUMP,
}
_KINDS = {code: kind for kind, code in _CODES.items()}


@dataclass(frozen=True)
class Event:
    """One thing that the search did.

    `before` and `after` count the options of `slot`; of a claim, a word that one slot has and others
    lose, `before` counts those others. `crossing` is the square whose symbols
    pruned or emptied it; `other` is the slot across it, the slot that took the word first, or
    the slot or square that a backtrack goes back to. `wanted` are the contents that an emptied slot
    needed at the crossing, which no longer takes them. A decision on a square, and the backtrack out
    of it, has no `slot` and no `word`, but the square as `crossing` and its content in `wanted`.
    What comes from a global demand, such as a quota, names it in `demand`: options that it takes from a slot or a
    square, `before` words that it takes from other entries because of the slot's `word`, or a dead end.
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
    demand: str = ""

    def describe(self) -> str:
        """The event in a line, such as `decide 17A = SWEETHEART, 31 options`."""
        match self.kind:
            case EventKind.DECIDE:
                return f"decide {self._subject} = {self._choice}, {_options(self.before)}"
            case EventKind.PRUNE:
                return self._describe_prune()
            case EventKind.CLAIM:
                return f"{self.slot} has {self.word}: {_entries(self.before)} cannot take it any more"
            case EventKind.DEMAND:
                return self._describe_demand()
            case EventKind.WIPE_OUT:
                return self._describe_wipe_out()
            case EventKind.BACKTRACK | EventKind.JUMP:
                return self._describe_backtrack()
            case EventKind.RESTART:
                return f"restart from depth {self.before}"
            case EventKind.SOLVED:
                return "solved: every entry has its word"
            case EventKind.IMPOSSIBLE:
                return "impossible: no fill exists"

    @property
    def _subject(self) -> str:
        """The entry or the square that was decided."""
        return self.slot or str(self.crossing)

    @property
    def _choice(self) -> str:
        """What it was decided to be."""
        return self.word or "".join(self.wanted)

    def _describe_backtrack(self) -> str:
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

    def _describe_demand(self) -> str:
        if self.word is not None:
            return f"{self.slot} has {self.word}: {_words(self.before)} out of other entries, for {self.demand}"
        return f"{self._subject}: {self.before:,} to {_options(self.after)}, for {self.demand}"

    def _describe_wipe_out(self) -> str:
        if self.demand:
            return f"dead end: {self.demand} cannot be any more"
        if self.crossing is not None:
            return f"{self.slot} runs empty: {self.crossing} takes none of {', '.join(self.wanted)}"
        if self.other is not None:
            return f"{self.slot} runs empty: {self.other} has {self.word}"
        return f"{self.slot} runs empty without {self.word}"


def _options(count: int) -> str:
    return f"{count:,} option" + ("" if count == 1 else "s")


def _words(count: int) -> str:
    return f"{count:,} word" + ("" if count == 1 else "s")


def _entries(count: int) -> str:
    return f"{count:,} other " + ("entry" if count == 1 else "entries")


def unread_events(state: State, first: int) -> range:
    """The numbers of the events from `first` on, counted since the start, that the ring still has."""
    count = int(state.control[EVENT_COUNT])
    return range(max(first, count - len(state.events)), count)


def event_key(state: State, number: int) -> tuple[int, int]:
    """The code of an event's kind, and its slot or -1: enough to see whether it is asked for."""
    event = state.events[number % len(state.events)]
    return int(event[KIND]), int(event[EVENT_SLOT])


def read_event(problem: Problem, state: State, number: int) -> Event:
    """Read an event that the ring still has."""
    row: list[int] = state.events[number % len(state.events)].tolist()
    slot, square, other = row[EVENT_SLOT], row[EVENT_SQUARE], row[OTHER_SLOT]
    wanted = row[MASK_LOW] | row[MASK_HIGH] << 32
    return Event(
        kind=_KINDS[row[KIND]],
        depth=row[EVENT_DEPTH],
        slot=problem.slots[slot].name if slot >= 0 else None,
        word=problem.word(slot, row[EVENT_ROW]) if row[EVENT_ROW] >= 0 else None,
        crossing=problem.positions[square] if square >= 0 else None,
        before=max(row[BEFORE], 0),
        after=max(row[AFTER], 0),
        other=_subject_name(problem, row[KIND], other),
        wanted=tuple(str(content) for content in problem.symbols.in_mask(wanted)),
        demand=describe_demand(problem, row[EVENT_DEMAND]) if row[EVENT_DEMAND] >= 0 else "",
    )


def _subject_name(problem: Problem, kind: int, code: int) -> str | None:
    """The name of a slot or, of what a backtrack goes back to, of a square."""
    if code >= 0:
        return problem.slots[code].name
    if kind == kernel_trace.BACKTRACK and code != kernel_trace.START:
        return str(problem.positions[~code])
    return None
