"""The recording of one search, the current position in it, and its trace file."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.events.timeline import MOST_EVENTS, Decisions, EventSequence, Timeline
from xwtui.errors import EngineError, XwtuiError, failing_as
from xwtui.formats.grid_text import grid_from_text, grid_to_text
from xwtui.formats.trace import Head, TraceWriter, read_trace
from xwtui.model import Grid, Position, Puzzle
from xwtui.model.edits import clear_pencil
from xwtui.session.goals import Goal
from xwtui.session.run_view import EventContext, RunView
from xwtui.session.search_text import event_context

_RECENT_EVENTS = 12
_FEW = 64
"""Stretches of up to this many events are stored as events; longer ones are decoded on access."""


@dataclass(frozen=True)
class NumberedEvent:
    """An event with its number, counted from 0 at the start of the search."""

    number: int
    event: Event


class Recording:
    """Records events, and moves among them without repeating the search; thread-safe."""

    def __init__(
        self,
        grid: Grid,
        *,
        strategy: str = "xwtui",
        seed: int = 0,
        most: int = MOST_EVENTS,
        decisions: Decisions | None = None,
    ) -> None:
        """`decisions` are those in force at the start, if earlier events are not recorded."""
        self.grid = grid
        """The grid that was searched."""
        self.strategy = strategy
        self.seed = seed
        self.is_whole = decisions is None
        """Whether it starts at the beginning of the search."""
        self._timeline = Timeline(grid, most, decisions or ())
        self._lock = threading.Lock()
        self._writer: TraceWriter | None = None
        self._past: int | None = None
        self._passed = 1
        """Number of events that the last move passed; 1 for a move back."""

    # Recording

    def copy_to(self, writer: TraceWriter) -> None:
        """Also write all future events to a file; recording then raises EngineError if writing fails."""
        self._writer = writer

    def take(self, stretch: EventSequence, *, missed: int = 0) -> None:
        if self._writer is not None:
            if missed:
                raise EngineError(f"the trace is incomplete: {missed:,} events came too fast to write")
            self._writer.write(stretch[index] for index in range(len(stretch)))
        with self._lock:
            if len(stretch) <= _FEW and not missed:
                self._timeline.extend(stretch[index] for index in range(len(stretch)))
            else:
                self._timeline.join(stretch, missed=missed)

    def extend(self, events: Iterable[Event]) -> None:
        with self._lock:
            self._timeline.extend(events)

    @property
    def head(self) -> Head:
        """The header of its trace."""
        return head_of(self.grid, strategy=self.strategy, seed=self.seed)

    # Moving

    @property
    def length(self) -> int:
        """Number of events since the start of the search, including those no longer stored."""
        return len(self._timeline)

    @property
    def first(self) -> int:
        return self._timeline.first

    @property
    def is_in_past(self) -> bool:
        return self._past is not None

    def move(self, goal: Goal) -> Goal | None:
        """Move within the recording as far as the goal says; returns what remains for the search itself."""
        with self._lock:
            last = len(self._timeline) - 1
            here = last if self._past is None else self._past
            if goal.is_in_record:
                self._move_to(here - goal.back if goal.place is None else goal.place, here)
                return None
            if self._past is None or goal.speed is not None:
                return goal
            if goal.steps is not None:
                self._move_to(min(here + goal.steps, last), here)
                rest = goal.steps - (last - here)
                return replace(goal, steps=rest) if rest > 0 else None
            return self._find_event(goal, here)

    def _find_event(self, goal: Goal, here: int) -> Goal | None:
        """Go to the event at which a goal stops; if it is not recorded, go to the end and return the goal."""
        kinds = () if goal.stop is None else (goal.stop,)
        found = self._timeline.find(
            here, lambda event: goal.is_reached(event, 1), kinds=kinds, entry=goal.entry or None
        )
        if found is None:
            self._move_to(len(self._timeline) - 1, here)
            return goal
        self._move_to(found, here)
        return None

    def _move_to(self, number: int, here: int) -> None:
        last = len(self._timeline) - 1
        number = max(min(number, last), self._timeline.first)
        self._past = number if number < last else None
        self._passed = max(number - here, 1)

    # Views

    def seen(self, view: RunView) -> RunView:
        """Add the recording's state to a view of the search; in the past, also replace its contents."""
        with self._lock:
            timeline = self._timeline
            last = len(timeline) - 1
            number = last if self._past is None else self._past
            if number < timeline.first:
                return view
            moment = timeline.at(number)
            shown = _RECENT_EVENTS if self._past is None else min(self._passed, _RECENT_EVENTS)
            first = max(number - shown + 1, timeline.first)
            view = replace(
                view,
                event=moment.event,
                recent=tuple(timeline.events(first, number - first + 1)),
                moment=moment,
                event_number=number,
                first_event=timeline.first,
                last_event=last,
            )
            if self._past is None:
                return view
            depth = len(moment.decisions)
            return replace(view, squares=moment.squares, depth=depth, domain_sizes={}, quality=None)

    def context(self) -> EventContext:
        with self._lock:
            return event_context(self._timeline, len(self._timeline) - 1 if self._past is None else self._past)

    def at_end(self, view: RunView) -> RunView:
        """Return a view with the grid that the last decisions leave, for when no search supplies it."""
        with self._lock:
            moment = self._timeline.at(len(self._timeline) - 1)
        return replace(view, squares=moment.squares, depth=len(moment.decisions))

    def log(
        self, text: str = "", most: int = 40, *, kind: EventKind | None = None, entry: str = ""
    ) -> list[NumberedEvent]:
        """Return up to `most` last events before the current position whose descriptions contain `text`.

        `kind` and `entry` (an entry or a square) restrict them further.
        """
        wanted = text.casefold()
        found: list[NumberedEvent] = []
        with self._lock:
            timeline = self._timeline
            end = len(timeline) if self._past is None else self._past + 1
            for number in range(end - 1, timeline.first - 1, -1):
                if len(found) >= most:
                    break
                event = timeline.event(number)
                is_of_kind = kind is None or event.kind is kind
                if not is_of_kind or (entry and entry not in (event.slot, str(event.crossing), event.other)):
                    continue
                if not wanted or wanted in event.describe().casefold():
                    found.append(NumberedEvent(number, event))
        return found[::-1]

    def kept(self) -> list[Event]:
        """Return all stored events, preceded by those that recreate the decisions before the first one."""
        with self._lock:
            timeline = self._timeline
            before = [
                _decision_event(decision.depth, decision.subject, decision.choice, self.grid)
                for decision in timeline.before_first
            ]
            return before + timeline.events(timeline.first, len(timeline))

    def depths(self, samples: int) -> list[int]:
        """Return the depth at `samples` evenly spaced events of the recording, including its first and last."""
        with self._lock:
            first, last = self._timeline.first, len(self._timeline) - 1
            count = min(samples, last - first + 1)
            places = (last - (last - first) * left // max(count - 1, 1) for left in reversed(range(count)))
            return [self._timeline.depth(place) for place in places]


def _decision_event(depth: int, subject: str, choice: str, grid: Grid) -> Event:
    if subject in grid.slots_by_name:
        return Event(EventKind.DECIDE, depth, subject, choice)
    return Event(EventKind.DECIDE, depth, crossing=Position.parse(subject), wanted=(choice,))


# Files


def head_of(grid: Grid, *, strategy: str, seed: int) -> Head:
    """Return the header of a trace of a grid's search; pencil is left out."""
    return Head(tuple(grid_to_text(without_pencil(grid)).splitlines()), strategy, seed)


def without_pencil(grid: Grid) -> Grid:
    """Return the grid with only its given contents."""
    return clear_pencil(Puzzle(grid)).grid


def write_recording(recording: Recording, path: Path) -> int:
    """Write a recording to a file; returns the number of events. Raises EngineError if that fails."""
    events = recording.kept()
    with closing(TraceWriter(path, recording.head)) as writer:
        writer.write(events)
    return len(events)


def read_recording(path: Path) -> tuple[Puzzle, Recording, RunView]:
    """Return a trace's puzzle, search and final view; raises EngineError for other files or without events."""
    head, events = read_trace(path)
    with failing_as(EngineError, f"the grid in the head of {path.name} cannot be read", of=XwtuiError):
        grid = grid_from_text("\n".join(head.grid))
    recording = Recording(grid, strategy=head.strategy, seed=head.seed)
    counts = dict.fromkeys((EventKind.DECIDE, EventKind.BACKTRACK, EventKind.RESTART), 0)
    deepest = 0
    for event in events:
        recording.extend([event])
        deepest = max(deepest, event.depth)
        if event.kind in counts:
            counts[event.kind] += 1
    if recording.length == 0:
        raise EngineError(f"{path.name}: there is no event in this trace")
    nodes, backtracks, restarts = counts.values()
    last = RunView(
        Outcome.RUNNING, nodes=nodes, backtracks=backtracks, restarts=restarts, deepest=deepest, seed=head.seed
    )
    return Puzzle(grid), recording, recording.at_end(last)
