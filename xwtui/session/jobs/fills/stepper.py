"""What a search in a thread steps: any strategy, of which the fill engine is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.events.timeline import Stretch
from xwtui.session.goals import Goal, SearchArgument, Stop
from xwtui.session.jobs.fills.trail import Stand
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.events.event import Thoughts
    from xwtui.strategies.protocol import Strategy


class Recorder(Protocol):
    """Who takes what a search does."""

    def take(self, stretch: Stretch, *, missed: int = 0) -> None:
        """Take events in order, before which so many were lost."""


class Stepper(Protocol):
    """A search that goes on by slices; used from its own thread alone."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a fill or without."""

    @property
    def can_go_on(self) -> bool:
        """Whether there is more to come."""

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Search on for a moment, up to the next event that may matter to the goal; returns that."""

    def step(self, seconds: float) -> Event | None:
        """Go on to the next event, and rest there; None if the time is up, or the search is over."""

    @property
    def progress(self) -> int:
        """How far it has come, in a unit of its own."""

    def catch_up(self, progress: int, seconds: float) -> bool:
        """Go on for a moment up to where another search of this kind had come; returns whether it is there."""

    def begin_recording(self) -> None:
        """Keep what happens from now on for `record`; what happened before is not kept."""

    def record(self, recorder: Recorder) -> None:
        """Record what has happened since the last call."""

    def decisions(self) -> tuple[Stand, ...]:
        """The decisions in force, the first one first."""

    def look(self) -> RunView:
        """How it stands, but for events and time."""

    def think(self) -> Thoughts:
        """What it would decide next, and why."""

    def argue(self, argument: SearchArgument, past: Sequence[Stand] | None) -> None:
        """Go on as a constructor says, from here or from where the search stood in the past.

        Raises VerbError where that cannot be.
        """


class StrategyStepper:
    """A strategy's search, up to its first fill."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a fill or without."""
        return self._strategy.has_ended

    @property
    def can_go_on(self) -> bool:
        """Whether there is more to come."""
        return not self.is_over

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Search on for a moment, up to the next event that may matter to the goal; returns that."""
        strategy = self._strategy
        if goal.steps is not None:
            return self.step(seconds)
        if goal.stop is Stop.ENTRY:
            return strategy.run_until((), entry=goal.entry, seconds=seconds)
        kind = goal.stop.event_kind if goal.stop is not None else None
        if kind in (EventKind.BACKTRACK, EventKind.RESTART):
            return strategy.run_until((kind,), seconds=seconds)
        strategy.advance(seconds)
        return None

    def step(self, seconds: float) -> Event | None:
        """Go on to the next event, and rest there; None if the time is up, or the search is over."""
        return self._strategy.run_until(seconds=seconds) if self.can_go_on else None

    @property
    def progress(self) -> int:
        """How far it has come, in the strategy's unit."""
        return self._strategy.progress

    def catch_up(self, progress: int, seconds: float) -> bool:
        """Go on for a moment up to where another search of this kind had come; returns whether it is there."""
        return self._strategy.catch_up(progress, seconds)

    def begin_recording(self) -> None:
        """Keep what happens from now on."""
        self._strategy.record()

    def record(self, recorder: Recorder) -> None:
        """Record what has happened since the last call."""
        stretch, missed = self._strategy.take_recorded()
        recorder.take(stretch, missed=missed)

    def look(self) -> RunView:
        """How it stands, but for events and time."""
        strategy, counters = self._strategy, self._strategy.counters
        return RunView(
            outcome=strategy.outcome,
            squares=dict(strategy.squares),
            nodes=counters.nodes,
            backtracks=counters.backtracks,
            restarts=counters.restarts,
            depth=strategy.depth,
            deepest=counters.deepest,
            domain_sizes=dict(strategy.domain_sizes),
            reason=strategy.reason,
            placements=counters.placements if strategy.places_letters else None,
        )

    def think(self) -> Thoughts:
        """What it would decide next or has decided last, and why."""
        return self._strategy.think()

    @property
    def is_exhausted(self) -> bool:
        """Whether it has ended without a fill."""
        return self._strategy.is_over and self._strategy.outcome is not Outcome.FILLED

    @property
    def is_proved(self) -> bool:
        """Whether that proves that there is none."""
        return self._strategy.outcome is Outcome.IMPOSSIBLE

    @property
    def dead_end(self) -> str:
        """The entry or square that nothing is left for before it decides anything; empty if that is not known."""
        return self._strategy.dead_end

    def decisions(self) -> tuple[Stand, ...]:
        """Its decisions in force, the first one first."""
        grid = self._strategy.task.grid
        return tuple(
            Stand(made.name, made.chosen, tuple(zip(positions, made.contents, strict=True)))
            for made in self._strategy.decisions
            for positions in [(made.square,) if made.square is not None else grid.slot(made.name).positions]
        )

    def ranked(self) -> tuple[str, ...]:
        """At its beginning: the places that it would decide first, or that it ranks when it does; it may go on."""
        thoughts = self.think()
        if thoughts.is_of_last:
            self._strategy.run_until((EventKind.DECIDE,))
            thoughts = self.think()
        return tuple(rank.name for rank in thoughts.ranking)
