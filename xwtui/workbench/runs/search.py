"""One search in a thread: it goes on as told and stands still between the orders, until it ends or is dropped."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xwtui.workbench.goals import Goal, Stop
from xwtui.workbench.messages import RunView
from xwtui.workbench.orders import FillOrder
from xwtui.workbench.runs.running import FoundFill, RunOwner
from xwtui.workbench.worker import what_failed

if TYPE_CHECKING:
    from xwtui.engine.event import Event
    from xwtui.engine.filler import Filler
    from xwtui.engine.problem import Problem

SLICE_SECONDS = 0.03
"""How long the engine works between two looks at what is asked of the search."""

_VIEW_SECONDS = 0.08
_RECENT_EVENTS = 12
DEPTH_SAMPLES = 40
"""How many depths a view tells, for a sparkline."""


class Search:
    """A steppable search: `begin` starts it, `go` gives it a goal, `drop` ends it; it reports to its owner."""

    def __init__(
        self, owner: RunOwner, order: FillOrder, goal: Goal, *, seed: int, idle: threading.Condition
    ) -> None:
        self.order = order
        self.seed = seed
        self.view: RunView | None = None
        self._owner = owner
        self._goal: Goal | None = goal
        self._idle = idle
        self._is_dropped = False
        self._recent: deque[Event] = deque(maxlen=_RECENT_EVENTS)
        self._depths: deque[int] = deque(maxlen=DEPTH_SAMPLES)
        self._seconds = 0.0
        self._thread = threading.Thread(target=self._run, name="search", daemon=True)

    def begin(self) -> None:
        """Start, once the owner knows this search: a short one may end before this call does."""
        self._thread.start()

    @property
    def best(self) -> RunView | None:
        """Nothing: a search that is stopped leaves the grid as it was."""
        return None

    @property
    def found(self) -> Sequence[FoundFill]:
        """Nothing: it ends with its first fill."""
        return ()

    @property
    def is_active(self) -> bool:
        """Whether it goes on at this moment, rather than stand still or be over."""
        return self._goal is not None

    def go(self, goal: Goal) -> None:
        """Go on as far as the goal says, whatever was going on."""
        with self._idle:
            self._goal = goal
            self._idle.notify_all()

    def drop(self) -> None:
        """End it, soon and without a report."""
        with self._idle:
            self._is_dropped = True
            self._goal = None
            self._idle.notify_all()

    def join(self, seconds: float) -> None:
        """Give the thread some time to end."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            problem = self._owner.pose(self.order, lambda: self._is_dropped)
            if problem is not None:
                self._search(problem)
        except Exception as error:
            if not self._is_dropped:
                self._owner.run_failed(self, what_failed(error))
        finally:
            self._rest(self._goal)

    def _search(self, problem: Problem) -> None:
        from xwtui.engine.filler import Filler  # noqa: PLC0415  (loads numba)
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415

        filler = Filler(problem, seed=self.seed, trace=True)
        while (goal := self._next_goal()) is not None:
            is_late = self._pursue(filler, problem, goal)
            if self._is_dropped:
                return
            if filler.outcome is not Outcome.RUNNING:
                self.view = self._look(filler, problem)
                self._owner.run_ended(self, self.view)
                return
            if self._goal is goal:
                self._stand_still(replace(self._look(filler, problem), paused=True), is_late)
                self._rest(goal)

    def _next_goal(self) -> Goal | None:
        with self._idle:
            self._idle.wait_for(lambda: self._goal is not None or self._is_dropped)
            return None if self._is_dropped else self._goal

    def _pursue(self, filler: Filler, problem: Problem, goal: Goal) -> bool:
        """Search until the goal is reached or replaced; returns whether its time has run out."""
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415

        begun = shown = time.perf_counter()
        base, seen = self._seconds, 0
        while self._goal is goal and filler.outcome is Outcome.RUNNING:
            event = self._slice(filler, goal)
            seen += event is not None
            reached = event is not None and goal.is_reached(event, seen)
            now = time.perf_counter()
            self._seconds = base + now - begun
            if reached:
                return False
            if goal.seconds is not None and now - begun >= goal.seconds:
                return filler.outcome is Outcome.RUNNING
            if now - shown >= _VIEW_SECONDS:
                shown = now
                self._show(self._look(filler, problem))
        return False

    def _slice(self, filler: Filler, goal: Goal) -> Event | None:
        """Search on for a moment, up to the next event that may matter to the goal."""
        from xwtui.engine.event import EventKind  # noqa: PLC0415

        event = None
        if goal.steps is not None:
            event = filler.run_until(tuple(EventKind), seconds=SLICE_SECONDS)
        elif goal.stop is Stop.ENTRY:
            event = filler.run_until(slot=goal.entry, seconds=SLICE_SECONDS)
        elif goal.stop in (Stop.BACKTRACK, Stop.RESTART):
            event = filler.run_until((EventKind(goal.stop.value),), seconds=SLICE_SECONDS)
        else:
            filler.advance(seconds=SLICE_SECONDS)
        self._recent.extend(_up_to(event, filler.take_events(_RECENT_EVENTS)))
        return event

    def _look(self, filler: Filler, problem: Problem) -> RunView:
        """The search as it stands now."""
        statistics = filler.statistics
        self._depths.append(statistics.depth)
        return RunView(
            outcome=filler.outcome,
            squares=dict(filler.current()),
            event=self._recent[-1] if self._recent else None,
            recent=tuple(self._recent),
            nodes=statistics.nodes,
            backtracks=statistics.backtracks,
            restarts=statistics.restarts,
            depth=statistics.depth,
            deepest=statistics.deepest,
            seconds=self._seconds,
            domain_sizes=dict(zip(problem.slot_names, filler.domain_sizes(), strict=True)),
            reason=filler.reason,
            depth_history=tuple(self._depths),
            seed=self.seed,
        )

    def _show(self, view: RunView) -> None:
        if not self._is_dropped:
            self.view = view
            self._owner.run_moved(self, view)

    def _stand_still(self, view: RunView, is_late: bool) -> None:
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415

        self.view = view
        if is_late:
            self._owner.run_ended(self, replace(view, outcome=Outcome.UNKNOWN))
        else:
            self._owner.run_moved(self, view)

    def _rest(self, goal: Goal | None) -> None:
        """Be idle, unless another goal has come since; what there is to tell has been told by now."""
        with self._idle:
            if self._goal is goal:
                self._goal = None
            self._idle.notify_all()


def _up_to(last: Event | None, events: list[Event]) -> list[Event]:
    """The events up to the last one told: one move of the search may have made several."""
    if last is None:
        return events
    return events[: events.index(last) + 1] if last in events else [last]
