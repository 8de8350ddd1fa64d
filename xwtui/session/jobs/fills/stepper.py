"""What a search in a thread steps: the fill engine, or anything else that tells events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from xwtui.engine.events.event import Event, EventKind, Outcome
from xwtui.engine.events.timeline import Stretch
from xwtui.session.goals import Goal, Stop
from xwtui.session.jobs.fills.arguing.argument import SearchArgument
from xwtui.session.jobs.fills.arguing.trail import Stand
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.events.event import Thoughts
    from xwtui.engine.problem.problem import Problem

_RING = 65_536
"""Events that the engine keeps between two slices: it makes some 20,000 in one."""


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


class Branch(Protocol):
    """A search of a part of all fills, with the methods of a stepper, but that one cannot argue with it."""

    @property
    def is_over(self) -> bool:
        """As a stepper's."""

    @property
    def can_go_on(self) -> bool:
        """As a stepper's."""

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """As a stepper's."""

    def step(self, seconds: float) -> Event | None:
        """As a stepper's."""

    @property
    def progress(self) -> int:
        """As a stepper's."""

    def catch_up(self, progress: int, seconds: float) -> bool:
        """As a stepper's."""

    def begin_recording(self) -> None:
        """As a stepper's."""

    def record(self, recorder: Recorder) -> None:
        """As a stepper's."""

    def look(self) -> RunView:
        """As a stepper's."""

    def think(self) -> Thoughts:
        """As a stepper's."""

    @property
    def is_exhausted(self) -> bool:
        """Whether it has ended, and no further fill is to be had from it."""

    @property
    def is_proved(self) -> bool:
        """Whether that proves that there is none."""

    @property
    def dead_end(self) -> str:
        """The entry or square that nothing is left for before it decides anything; empty if that is not known."""

    def decisions(self) -> tuple[Stand, ...]:
        """Its decisions in force, the first one first."""

    def ranked(self) -> tuple[str, ...]:
        """At its beginning: the places that it would decide next, the first one first; it may go on for that."""


class EngineStepper:
    """The fill engine's search of a problem."""

    def __init__(
        self, problem: Problem, seed: int, *, is_recorded: bool = True, after: EngineStepper | None = None
    ) -> None:
        """Begin a search; `after` another one of the same network, with what that has learnt."""
        from xwtui.engine.fill.filler import Filler  # noqa: PLC0415  (loads numba)

        self._problem = problem
        self._filler = Filler(problem, seed=seed, trace=is_recorded, ring=_RING)
        if after is not None:
            self._filler.learn_from(after._filler)

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a fill or without."""
        return self._filler.outcome is not Outcome.RUNNING

    @property
    def can_go_on(self) -> bool:
        """Whether there is more to come."""
        return not self.is_over

    def go_on(self, goal: Goal, seconds: float) -> Event | None:
        """Search on for a moment, up to the next event that may matter to the goal; returns that."""
        filler = self._filler
        if goal.steps is not None:
            return self.step(seconds)
        if goal.stop is Stop.ENTRY:
            return filler.run_until(slot=goal.entry, seconds=seconds)
        kind = goal.stop.event_kind if goal.stop is not None else None
        if kind in (EventKind.BACKTRACK, EventKind.RESTART):
            return filler.run_until((kind,), seconds=seconds)
        filler.advance(seconds=seconds)
        return None

    def step(self, seconds: float) -> Event | None:
        """Go on to the next event, and rest there; None if the time is up, or the search is over."""
        from xwtui.engine.fill.recorded import ENGINE_KINDS  # noqa: PLC0415  (loads numba)

        return self._filler.run_until(ENGINE_KINDS, seconds=seconds)

    @property
    def progress(self) -> int:
        """Its nodes."""
        return self._filler.statistics.nodes

    def catch_up(self, progress: int, seconds: float) -> bool:
        """Go on for a moment up to so many nodes; returns whether it is there."""
        left = progress - self.progress
        if left > 0 and not self.is_over:
            self._filler.advance(nodes=left, seconds=seconds)
        return self.is_over or self.progress >= progress

    def begin_recording(self) -> None:
        """Keep what happens from now on."""
        self._filler.begin_trace()

    def record(self, recorder: Recorder) -> None:
        """Record what has happened since the last call."""
        recorded = self._filler.take_recorded()
        recorder.take(recorded, missed=recorded.missed)

    def look(self) -> RunView:
        """How it stands, but for events and time."""
        filler, statistics = self._filler, self._filler.statistics
        return RunView(
            outcome=filler.outcome,
            squares=dict(filler.current()),
            nodes=statistics.nodes,
            backtracks=statistics.backtracks,
            restarts=statistics.restarts,
            depth=statistics.depth,
            deepest=statistics.deepest,
            domain_sizes=dict(zip(self._problem.slot_names, filler.domain_sizes(), strict=True)),
            reason=filler.reason,
        )

    def think(self) -> Thoughts:
        """What it would decide next, and why."""
        from xwtui.engine.fill.why_next import thoughts_of  # noqa: PLC0415  (loads numba)

        return thoughts_of(self._filler)

    @property
    def is_exhausted(self) -> bool:
        """Whether it has proved that there is no fill."""
        return self._filler.outcome is Outcome.IMPOSSIBLE

    @property
    def is_proved(self) -> bool:
        """Always, at its end: the search is complete."""
        return True

    @property
    def dead_end(self) -> str:
        """The entry or square that nothing is left for, where propagation alone runs empty."""
        from xwtui.engine.kernels.state import FAILED_SLOT, FAILED_SQUARE  # noqa: PLC0415  (loads numba)

        problem = self._problem
        if problem.root.is_possible:
            return ""
        control = problem.root.state.control
        slot, square = int(control[FAILED_SLOT]), int(control[FAILED_SQUARE])
        if slot >= 0:
            return problem.slots[slot].name
        return str(problem.positions[square]) if square >= 0 else ""

    def decisions(self) -> tuple[Stand, ...]:
        """Its decisions in force, the first one first."""
        filler, grid = self._filler, self._problem.grid
        return tuple(
            Stand(who, what, tuple(zip(grid.slot(who).positions, contents, strict=True)))
            if isinstance(who, str)
            else Stand(str(who), what, ((who, contents[0]),))
            for (who, what), contents in zip(filler.decisions(), filler.decided_contents(), strict=True)
        )

    def ranked(self) -> tuple[str, ...]:
        """The places that it would decide next, the first one first."""
        return tuple(rank.name for rank in self.think().ranking)
