"""One search in a thread: it goes on as told and stands still between the orders, until it ends or is dropped."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from xwtui.engine.watching.trace_file import TraceWriter
from xwtui.errors import XwtuiError
from xwtui.session.fill_options import FillOptions
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.arguing.argued import ArguedStepper
from xwtui.session.jobs.fills.arguing.argument import Argument
from xwtui.session.jobs.fills.arguing.branches import EngineBranches, StrategyBranches
from xwtui.session.jobs.fills.arguing.trail import stands_of
from xwtui.session.jobs.fills.running import FoundFill, RunOwner
from xwtui.session.jobs.fills.stepper import Stepper
from xwtui.session.jobs.worker import stand_back, what_failed
from xwtui.session.recording import Recording
from xwtui.session.run_view import RunView
from xwtui.session.trace_recordings import head_of
from xwtui.strategies.registry import DEFAULT_STRATEGY, StrategyChoice

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem

SLICE_SECONDS = 0.03
"""How long the engine works between two looks at what is asked of the search."""

_VIEW_SECONDS = 0.08
DEPTH_SAMPLES = 40
"""How many depths a view tells, for a sparkline."""


class Search:
    """A steppable search: `begin` starts it, `go` gives it a goal, `drop` ends it; it reports to its owner."""

    def __init__(
        self, owner: RunOwner, order: FillOptions, goal: Goal, *, seed: int, idle: threading.Condition
    ) -> None:
        self.order = order
        self.seed = seed
        self.view: RunView | None = None
        self.tape: Recording | None = None
        """What it has done so far; None before it begins."""
        self._owner = owner
        self._goal: Goal | None = goal
        self._idle = idle
        self._is_dropped = False
        self._depths: deque[int] = deque(maxlen=DEPTH_SAMPLES)
        self._seconds = 0.0
        self._trace: TraceWriter | None = None
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

    @property
    def is_watched(self) -> bool:
        """Whether it goes on slowly, event by event, to be looked at."""
        goal = self._goal
        return goal is not None and goal.speed is not None

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
        stand_back()
        try:
            stepper = self._make_stepper()
            if stepper is not None:
                self._search(stepper)
        except Exception as error:
            if not self._is_dropped:
                self._owner.run_failed(self, what_failed(error))
        finally:
            with suppress(XwtuiError):  # it was dropped, or has failed already
                self._end_trace()
            self._rest(self._goal)

    def _end_trace(self) -> None:
        trace, self._trace = self._trace, None
        if trace is not None:
            trace.close()

    def _make_stepper(self) -> Stepper | None:
        """What is to be stepped; None where this was dropped first."""
        problem = self._owner.pose(self.order, lambda: self._is_dropped)
        if problem is None:
            return None
        name = self.order.strategy or DEFAULT_STRATEGY
        stepper = self._stepper_of(problem)
        self.tape = Recording(problem.grid, strategy=name, seed=self.seed)
        if self.order.trace is not None:
            self._trace = TraceWriter(self.order.trace, head_of(problem.grid, strategy=name, seed=self.seed))
            self.tape.copy_to(self._trace)
        return stepper

    def _stepper_of(self, problem: Problem) -> Stepper:
        if not self.order.strategy:
            return ArguedStepper(EngineBranches(problem, self.seed))
        choice = StrategyChoice.parse(self.order.strategy)
        return ArguedStepper(StrategyBranches(problem, choice, self.seed))

    def _search(self, stepper: Stepper) -> None:
        while (goal := self._next_goal()) is not None:
            is_late = self._pursue(stepper, goal)
            if self._is_dropped:
                return
            if stepper.is_over and not self._is_in_past:
                self._end_trace()
                self.view = self._look(stepper)
                self._owner.run_ended(self, self.view)
                return
            if self._goal is goal:
                self._stand_still(self._consider(stepper), is_late)
                self._rest(goal)

    @property
    def _is_in_past(self) -> bool:
        return self.tape is not None and self.tape.is_in_past

    def _next_goal(self) -> Goal | None:
        with self._idle:
            self._idle.wait_for(lambda: self._goal is not None or self._is_dropped)
            return None if self._is_dropped else self._goal

    def _pursue(self, stepper: Stepper, goal: Goal) -> bool:
        """Go on until the goal is reached or replaced; returns whether its time has run out."""
        if goal.argument is not None:
            self._argue(stepper, goal.argument)
            return False
        left = self.tape.move(goal) if self.tape is not None else goal
        if left is None or left.steps == 0:
            return False
        if left.speed is not None:
            self._go_slowly(stepper, goal, left.speed)
            return False
        begun = shown = time.perf_counter()
        base, seen = self._seconds, 0
        while self._goal is goal and stepper.can_go_on:
            event = stepper.go_on(left, SLICE_SECONDS)
            self._record(stepper)
            seen += event is not None
            now = time.perf_counter()
            self._seconds = base + now - begun
            if event is not None and left.is_reached(event, seen):
                return False
            if left.seconds is not None and now - begun >= left.seconds:
                return stepper.can_go_on
            if now - shown >= _VIEW_SECONDS:
                shown = now
                self._show(self._look(stepper))
        return False

    def _argue(self, stepper: Stepper, argument: Argument) -> None:
        """Let the search go on from where one stands as a constructor says; a refusal is told."""
        past = None
        try:
            if self.tape is not None and self._is_in_past:
                moment = self.tape.seen(stepper.look()).moment
                past = stands_of(moment.decisions, self.tape.grid) if moment is not None else None
            stepper.argue(argument, past)
        except XwtuiError as error:
            self._owner.run_refused(self, str(error))
            return
        self._record(stepper)
        if self.tape is not None:
            self.tape.move(Goal(place=self.tape.length - 1))

    def _go_slowly(self, stepper: Stepper, goal: Goal, speed: float) -> None:
        """Go on by so many events a second, the recorded ones first, until there is another goal or an end."""
        begun, done = time.perf_counter(), 0
        while self._goal is goal and (self._is_in_past or stepper.can_go_on):
            due = int((time.perf_counter() - begun) * speed) + 1 - done
            done += self._do_some(stepper, due)
            self._show(self._look(stepper))
            with self._idle:
                self._idle.wait_for(lambda: self._goal is not goal, max(1 / speed, _VIEW_SECONDS))

    def _do_some(self, stepper: Stepper, events: int) -> int:
        """Go on by so many events, as far as that can be done in a slice; returns how many it were."""
        deadline = time.perf_counter() + SLICE_SECONDS
        for number in range(events):
            if not (self.tape is not None and self.tape.forward()):
                begun = time.perf_counter()
                stepper.step(SLICE_SECONDS)
                self._record(stepper)
                self._seconds += time.perf_counter() - begun
            if time.perf_counter() >= deadline or not (self._is_in_past or stepper.can_go_on):
                return number + 1
        return events

    def _record(self, stepper: Stepper) -> None:
        if self.tape is not None:
            stepper.record(self.tape)

    def _look(self, stepper: Stepper) -> RunView:
        """The search as it stands now, or stood in the past."""
        view = stepper.look()
        self._depths.append(view.depth)
        view = replace(view, seconds=self._seconds, depth_history=tuple(self._depths), seed=self.seed)
        return self.tape.seen(view) if self.tape is not None else view

    def _consider(self, stepper: Stepper) -> RunView:
        """The same where it stands still: with what led there, and what would come next."""
        view = replace(self._look(stepper), paused=True)
        if self.tape is None or self.tape.length == 0:
            return view
        thoughts = None if self._is_in_past else stepper.think()
        return replace(view, story=self.tape.story(), thoughts=thoughts)

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
