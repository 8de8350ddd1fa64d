"""What a search in a thread steps: the fill engine, or anything else that tells events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from xwtui.engine.event import Event, EventKind
from xwtui.engine.outcome import Outcome
from xwtui.workbench.goals import Goal, Stop
from xwtui.workbench.run_view import RunView
from xwtui.workbench.runs.tape import Tape

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem
    from xwtui.engine.watching.thoughts import Thoughts

_RING = 65_536
"""Events that the engine keeps between two slices: it makes some 20,000 in one."""


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

    def record(self, tape: Tape) -> None:
        """Record what has happened since the last call."""

    def look(self) -> RunView:
        """How it stands, but for events and time."""

    def think(self) -> Thoughts:
        """What it would decide next, and why."""


class EngineStepper:
    """The fill engine's search of a problem."""

    def __init__(self, problem: Problem, seed: int) -> None:
        from xwtui.engine.filler import Filler  # noqa: PLC0415  (loads numba)

        self._problem = problem
        self._filler = Filler(problem, seed=seed, trace=True, ring=_RING)

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
        if goal.stop in (Stop.BACKTRACK, Stop.RESTART):
            return filler.run_until((EventKind(goal.stop.value),), seconds=seconds)
        filler.advance(seconds=seconds)
        return None

    def step(self, seconds: float) -> Event | None:
        """Go on to the next event, and rest there; None if the time is up, or the search is over."""
        return self._filler.run_until(tuple(EventKind), seconds=seconds)

    def record(self, tape: Tape) -> None:
        """Record what has happened since the last call."""
        recorded = self._filler.take_recorded()
        tape.take(recorded, missed=recorded.missed)

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
        from xwtui.engine.watching.why_next import thoughts_of  # noqa: PLC0415  (loads numba)

        return thoughts_of(self._filler)
