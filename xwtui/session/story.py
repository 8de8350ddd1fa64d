"""What led to an event and what comes of it: what was pruned before, and the way out of a dead end."""

from __future__ import annotations

from xwtui.dataclasses import dataclass
from xwtui.engine.events.event import Event, EventKind
from xwtui.engine.events.timeline import Timeline
from xwtui.text import listed

_FARTHEST = 400
"""Events that are looked at in each direction."""
_MOST_TOLD = 6

_ENDS_OF_PRUNING = (EventKind.DECIDE, EventKind.BACKTRACK, EventKind.RESTART, EventKind.ARGUE)
_WAYS_BACK = (EventKind.JUMP, EventKind.BACKTRACK)


@dataclass(frozen=True)
class DeadEnd:
    """How a search ran into a dead end and got out of it."""

    failure: Event
    """The entry, or the constraint, that could not be any more."""
    emptied_by: tuple[Event, ...]
    """What was pruned from that entry since the last decision, in order."""
    undone: tuple[Event, ...]
    """The decisions taken back on the way; the last one is refuted if it is a backtrack."""


@dataclass(frozen=True)
class Story:
    """What belongs to one event."""

    pruned: tuple[Event, ...] = ()
    """What was pruned since the last decision, in order; without the dead end's entry."""
    dead_end: DeadEnd | None = None

    def lines(self) -> list[str]:
        told: list[str] = []
        if self.dead_end is not None:
            told += _dead_end_lines(self.dead_end)
        by_share = sorted(self.pruned, key=lambda event: event.after / max(event.before, 1))
        for event in by_share[:_MOST_TOLD]:
            told.append(f"{event.slot}: {event.before:,} → {event.after:,}{_through(event)}")
        if len(self.pruned) > _MOST_TOLD:
            told.append(f"and {len(self.pruned) - _MOST_TOLD} more pruned")
        return told


def story_of(timeline: Timeline, number: int) -> Story:
    """The story of an event that a time line keeps."""
    event = timeline.event(number)
    failure = number if event.kind is EventKind.WIPE_OUT else None
    if event.kind in _WAYS_BACK:
        failure = _failure_before(timeline, number)
    last = number if failure is None else failure
    pruned = _pruned_before(timeline, last)
    if failure is None:
        return Story(tuple(pruned))
    failed = timeline.event(failure)
    own = tuple(one for one in pruned if one.slot == failed.slot)
    rest = tuple(one for one in pruned if one.slot != failed.slot)
    return Story(rest, DeadEnd(failed, own, tuple(_undone_after(timeline, failure))))


def _failure_before(timeline: Timeline, number: int) -> int | None:
    """The dead end that a way back comes from."""
    for place in range(number - 1, max(number - _FARTHEST, timeline.first) - 1, -1):
        kind = timeline.event(place).kind
        if kind is EventKind.WIPE_OUT:
            return place
        if kind not in _WAYS_BACK:
            return None
    return None


def _pruned_before(timeline: Timeline, number: int) -> list[Event]:
    """What was pruned since the last decision, up to an event."""
    found: list[Event] = []
    for place in range(number, max(number - _FARTHEST, timeline.first) - 1, -1):
        event = timeline.event(place)
        if event.kind in _ENDS_OF_PRUNING:
            break
        if event.kind in (EventKind.PRUNE, EventKind.CONSTRAINT) and event.slot is not None and event.word is None:
            found.append(event)
    return found[::-1]


def _undone_after(timeline: Timeline, failure: int) -> list[Event]:
    """The decisions taken back from a dead end on, as far as that is recorded."""
    found: list[Event] = []
    for event in timeline.events(failure + 1, _FARTHEST):
        if event.kind not in _WAYS_BACK:
            break
        found.append(event)
        if event.kind is EventKind.BACKTRACK:
            break
    return found


def _dead_end_lines(dead_end: DeadEnd) -> list[str]:
    told = [dead_end.failure.describe()]
    jumped = [_subject(event) for event in dead_end.undone if event.kind is EventKind.JUMP]
    if jumped:
        told.append(f"jumps back over {listed(jumped, 'and')}")
    refuted = [event for event in dead_end.undone if event.kind is EventKind.BACKTRACK]
    if refuted:
        choice = refuted[0].word or "".join(refuted[0].wanted)
        told.append(f"undoes {_subject(refuted[0])} = {choice}, continues from {refuted[0].other or 'the start'}")
    crossings = [f"{event.before:,} → {event.after:,}{_through(event)}" for event in dead_end.emptied_by]
    if crossings:
        told.append(f"before that: {'; '.join(crossings[-_MOST_TOLD:])}")
    return told


def _subject(event: Event) -> str:
    return event.slot or str(event.crossing)


def _through(event: Event) -> str:
    through = f" through {event.crossing}" if event.crossing is not None else ""
    return f"{through} ({event.other})" if through and event.other else through
