"""Reading the events of a search out of the ring that the kernels write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from xwtui.engine.demands.reasons import describe_demand
from xwtui.engine.event import Event, EventKind
from xwtui.engine.kernels import trace as kernel_trace
from xwtui.engine.kernels.network import Longs
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

ENGINE_KINDS = tuple(_CODES)
"""The kinds of events that the kernels write."""


def kind_code(kind: EventKind) -> int:
    """A kind of event as the kernels write it."""
    return _CODES[kind]


def unread_events(state: State, first: int) -> range:
    """The numbers of the events from `first` on, counted since the start, that the ring still has."""
    count = int(state.control[EVENT_COUNT])
    return range(max(first, count - len(state.events)), count)


def event_key(state: State, number: int) -> tuple[int, int]:
    """The code of an event's kind, and its slot or -1: enough to see whether it is asked for."""
    event = state.events[number % len(state.events)]
    return int(event[KIND]), int(event[EVENT_SLOT])


def rows_of(state: State, numbers: range) -> Longs:
    """A copy of the rows of events that the ring still has."""
    return state.events[np.arange(numbers.start, numbers.stop) % len(state.events)]


def read_event(problem: Problem, state: State, number: int) -> Event:
    """Read an event that the ring still has."""
    return event_of(problem, state.events[number % len(state.events)].tolist())


def event_of(problem: Problem, row: list[int]) -> Event:
    """The event that a row of the ring tells."""
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
