"""The events that the kernels wrote: read out of their ring, one by one or when somebody looks at them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.events.timeline import RecordedDecision, Standing, decision_of
from xwtui.engine.kernels import trace as kernel_trace
from xwtui.engine.kernels.network import Longs
from xwtui.engine.kernels.state import (
    AFTER,
    BEFORE,
    EVENT_CONSTRAINT,
    EVENT_COUNT,
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
from xwtui.engine.kernels.trace import START
from xwtui.engine.problem.reasons import describe_constraint
from xwtui.model import Grid, Position

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem

_CODES = {
    EventKind.DECIDE: kernel_trace.DECIDE,
    EventKind.PRUNE: kernel_trace.PRUNE,
    EventKind.CLAIM: kernel_trace.CLAIM,
    EventKind.CONSTRAINT: kernel_trace.CONSTRAINT,
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
        constraint=describe_constraint(problem, row[EVENT_CONSTRAINT]) if row[EVENT_CONSTRAINT] >= 0 else "",
    )


def _subject_name(problem: Problem, kind: int, code: int) -> str | None:
    """The name of a slot or, of what a backtrack goes back to, of a square."""
    if code >= 0:
        return problem.slots[code].name
    if kind == kernel_trace.BACKTRACK and code != kernel_trace.START:
        return str(problem.positions[~code])
    return None


_DECIDE, _RESTART = kind_code(EventKind.DECIDE), kind_code(EventKind.RESTART)
_BACKTRACK = kind_code(EventKind.BACKTRACK)


class RecordedEvents:
    """Events of the engine in order, before which `missed` others were lost."""

    def __init__(self, problem: Problem, rows: NDArray[np.int64], missed: int = 0) -> None:
        """Take rows of a trace, as `engine.kernels.state` lays them out."""
        self._problem = problem
        self._rows = rows
        self.missed = missed

    def __len__(self) -> int:
        """How many."""
        return len(self._rows)

    def __getitem__(self, index: int) -> Event:
        """One of them."""
        return event_of(self._problem, self._rows[index].tolist())

    def moved(self, depth: int, start: str | None) -> RecordedEvents:
        """The events as those of a search that begins so much deeper, where `start` was decided last."""
        rows = self._rows.copy()
        rows[:, EVENT_DEPTH] += depth
        restarts = rows[:, KIND] == _RESTART
        rows[restarts, BEFORE] += depth
        rows[restarts, AFTER] += depth
        if start is not None:
            to_start = (rows[:, KIND] == _BACKTRACK) & (rows[:, OTHER_SLOT] == START)
            rows[to_start, OTHER_SLOT] = _subject_code(self._problem, start)
        return RecordedEvents(self._problem, rows, self.missed)

    def but_last(self) -> RecordedEvents:
        """The events without the last one."""
        return RecordedEvents(self._problem, self._rows[:-1], self.missed)

    def latest(self, most: int) -> list[Event]:
        """The last ones, at most so many."""
        return [event_of(self._problem, row) for row in self._rows[-most:].tolist()] if most > 0 else []

    def depth(self, index: int) -> int:
        """The depth of one of them."""
        return int(self._rows[index, EVENT_DEPTH])

    def about(self, kinds: Collection[EventKind], entry: str | None) -> list[int]:
        """The indices of those of these kinds, or about this entry."""
        wanted = np.isin(self._rows[:, KIND], [kind_code(kind) for kind in kinds if kind in ENGINE_KINDS])
        number = self._problem.slot_numbers.get(entry) if entry is not None else None
        if number is not None:
            wanted |= self._rows[:, EVENT_SLOT] == number
        found: list[int] = np.flatnonzero(wanted).tolist()
        return found

    def after(self, standing: Standing, number: int, count: int, grid: Grid) -> Standing:
        """The decisions in force after its first `count` events, the first of which has this number.

        Of each depth that is in force it is the last decision that was made there.
        """
        rows = self._rows[:count]
        if len(rows) == 0:
            return standing
        depth = int(rows[-1, AFTER if rows[-1, KIND] == _RESTART else EVENT_DEPTH])
        decided = np.flatnonzero(rows[:, KIND] == _DECIDE)
        latest = np.full(depth + 1, -1)
        for index, made in zip(decided.tolist(), rows[decided, EVENT_DEPTH].tolist(), strict=True):
            if made <= depth:
                latest[made] = index
        before = {decision.depth: decision for decision in standing}
        made_here: list[RecordedDecision | None] = [
            before.get(level)
            if latest[level] < 0
            else decision_of(self[int(latest[level])], number + int(latest[level]), grid)
            for level in range(1, depth + 1)
        ]
        return tuple(decision for decision in made_here if decision is not None)


def _subject_code(problem: Problem, name: str) -> int:
    """An entry, or a square, as a backtrack goes back to it."""
    if name in problem.slot_numbers:
        return problem.slot_numbers[name]
    at = Position.parse(name)
    return ~problem.positions.index(at) if at in problem.positions else START
