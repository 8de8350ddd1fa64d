"""One search: it goes on as told and stands still between the orders, until it ends or is stopped."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from xwtui.engine.events.event import Outcome
from xwtui.engine.events.timeline import RecordedDecision
from xwtui.errors import XwtuiError
from xwtui.formats.base import write_proof
from xwtui.formats.trace import TraceWriter
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal, SearchArgument
from xwtui.session.jobs.fills.argued import ArguedStepper
from xwtui.session.jobs.fills.run import DEPTH_SAMPLES, FoundFill, Turn, ended_fill
from xwtui.session.jobs.fills.stepper import SearchBranches, Stepper
from xwtui.session.jobs.fills.trail import Stand, stands_of
from xwtui.session.messages import ArgumentRefused, FillEnded, FillProgress
from xwtui.session.recording import Recording, head_of
from xwtui.session.run_view import ProofFile, Quality, RunView
from xwtui.strategies import DEFAULT_STRATEGY

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem

SLICE_SECONDS = 0.03
"""How long the engine works between two looks at what is asked of the search."""

_VIEW_SECONDS = 0.08


class SteppedSearch:
    """A search that can be stepped; `go` gives it a goal, from any thread.

    One that is told nothing but to run to its end records nothing. Where it is stepped, it is recorded from there
    on; where one goes back in it, all that it has done is made again from its seed, and recorded.
    """

    is_replay = False
    """Whether it looks for nothing new."""

    def __init__(self, options: FillOptions, goal: Goal, *, seed: int, changed: threading.Condition) -> None:
        """`changed` is notified where the goal is another one."""
        self.options = options
        self.seed = seed
        self.view: RunView | None = None
        self.recording: Recording | None = None
        self.problem: Problem | None = None
        """What is searched, once that is laid out."""
        self.progress = 0
        """How far it had come when it was looked at last, as a stepper tells it."""
        self._goal: Goal | None = goal
        self._changed = changed
        self._depths: deque[int] = deque(maxlen=DEPTH_SAMPLES)
        self._seconds = 0.0
        self._trace: TraceWriter | None = None
        self._proof = None if options.proof is None else ProofFile(options.proof)
        self._stepper: Stepper | None = None
        self._turn: Turn | None = None
        self._better: tuple[FoundFill, ...] = ()
        """The fills that were the best in their turn, where the search goes on from its first one."""

    @property
    def best(self) -> RunView | None:
        """The best fill so far of a search that goes on to better ones; others leave the grid as it was."""
        if not self._better:
            return None
        return replace(self._with_best(self.view or RunView(Outcome.RUNNING)), paused=False)

    @property
    def found(self) -> Sequence[FoundFill]:
        """The fills that were the best in their turn, the best first; none where the first one is the end."""
        return self._better[::-1]

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
        with self._changed:
            self._goal = goal
            self._changed.notify_all()

    # In the thread

    def work(self, problem: Problem, turn: Turn) -> RunView | None:
        """Search as far as each goal says; returns how it ended, or None where it was stopped first."""
        self.problem, self._turn = problem, turn
        try:
            stepper = self._stepper = self._begin(problem)
            return self._ended(problem, self._search(stepper))
        finally:
            with suppress(XwtuiError):  # it was stopped, or has failed already
                self._end_trace()
            if self._stepper is not None:
                self._stepper.close()

    def _ended(self, problem: Problem, view: RunView | None) -> RunView | None:
        """How a search ends: one that was watched or argued with has the fill that was seen."""
        assert self._turn is not None
        if view is None or self.recording is not None or view.arguments:
            return view
        self.view = ended_fill(problem, view, self.options, self._turn.is_stopped)
        return self.view

    @property
    def _is_stopped(self) -> bool:
        return self._turn is None or self._turn.is_stopped()

    def _begin(self, problem: Problem) -> Stepper:
        """What is to be stepped, recorded from the start if it is to be stepped at once or written to a file."""
        goal = self._goal
        is_recorded = self.options.trace is not None or (goal is not None and goal.is_recorded)
        stepper = self._make_stepper(problem, is_recorded=is_recorded)
        if is_recorded:
            self.recording = self._new_recording(problem)
        if self.options.trace is not None and self.recording is not None:
            head = head_of(problem.grid, strategy=self._strategy_name, seed=self.seed)
            self._trace = TraceWriter(self.options.trace, head)
            self.recording.copy_to(self._trace)
        return stepper

    @property
    def _strategy_name(self) -> str:
        return self.options.strategy or DEFAULT_STRATEGY

    def _new_recording(self, problem: Problem, standing: tuple[RecordedDecision, ...] | None = None) -> Recording:
        return Recording(problem.grid, strategy=self._strategy_name, seed=self.seed, standing=standing)

    def _end_trace(self) -> None:
        trace, self._trace = self._trace, None
        if trace is not None:
            trace.close()

    def _make_stepper(self, problem: Problem, *, is_recorded: bool) -> Stepper:
        options = self.options
        branches = SearchBranches(
            problem,
            options.strategy,
            self.seed,
            start=options.start,
            begins_with_pencil=options.begins_with_pencil,
            is_recorded=is_recorded,
            keeps_proof=options.proof is not None,
        )
        return ArguedStepper(branches)

    def _search(self, stepper: Stepper) -> RunView | None:
        while (goal := self._next_goal()) is not None:
            stepper, is_late = self._pursue(stepper, goal)
            if self._is_stopped:
                return None
            if stepper.is_over and not self._is_in_past:
                self._end_trace()
                if self._proof is not None and (proof := stepper.proof) is not None:
                    write_proof(self._proof.path, *proof)
                    self._proof = self._proof._replace(is_written=True)
                self.view = self._with_best(self._look(stepper))
                return self.view
            if is_late and self._better:
                self._end_trace()
                self.view = replace(self._with_best(self._look(stepper)), outcome=Outcome.UNKNOWN)
                return self.view
            if self._goal is goal:
                self._stand_still(self._consider(stepper), is_late=is_late)
                self._rest(goal)
        return None

    @property
    def _is_in_past(self) -> bool:
        return self.recording is not None and self.recording.is_in_past

    def _next_goal(self) -> Goal | None:
        with self._changed:
            self._changed.wait_for(lambda: self._goal is not None or self._is_stopped)
            return None if self._is_stopped else self._goal

    def _pursue(self, stepper: Stepper, goal: Goal) -> tuple[Stepper, bool]:
        """Go on until the goal is reached or replaced; returns what is stepped, and whether time has run out."""
        left: Goal | None = goal
        if self.recording is None and goal.is_in_record:
            stepper = self._made_again(stepper, goal)
        elif self.recording is None and goal.is_recorded:
            left = self._record_from_here(stepper, goal)
        if self._goal is not goal or left is None:
            return stepper, False
        if goal.argument is not None:
            self._argue(stepper, goal.argument)
            return stepper, False
        left = self.recording.move(left) if self.recording is not None else left
        if left is None or left.steps == 0:
            return stepper, False
        if left.speed is not None:
            self._go_slowly(stepper, goal, left.speed)
            return stepper, False
        return stepper, self._go_fast(stepper, goal, left)

    def _go_fast(self, stepper: Stepper, goal: Goal, left: Goal) -> bool:
        """Go on at full speed, as far as what is left of a goal says; returns whether its time has run out."""
        begun = shown = time.perf_counter()
        base, seen = self._seconds, 0
        while self._goal is goal and stepper.can_go_on and not self._is_stopped:
            event = stepper.go_on(left, SLICE_SECONDS)
            self._note_better(stepper)
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
                view = self._look(stepper)
                self._show(view if self.recording is not None else self._with_best(view))
        return False

    def _go_slowly(self, stepper: Stepper, goal: Goal, speed: float) -> None:
        """Go on by so many events a second, the recorded ones first, until there is another goal or an end."""
        begun, done = time.perf_counter(), 0
        while self._goal is goal and not self._is_stopped and (self._is_in_past or stepper.can_go_on):
            due = int((time.perf_counter() - begun) * speed) + 1 - done
            done += self._do_some(stepper, due)
            self._show(self._look(stepper))
            with self._changed:
                self._changed.wait_for(
                    lambda: self._goal is not goal or self._is_stopped, max(1 / speed, _VIEW_SECONDS)
                )

    def _do_some(self, stepper: Stepper, events: int) -> int:
        """Go on by so many events, as far as that can be done in a slice; returns how many it were."""
        deadline = time.perf_counter() + SLICE_SECONDS
        for number in range(events):
            if not (self.recording is not None and self.recording.forward()):
                begun = time.perf_counter()
                stepper.step(SLICE_SECONDS)
                self._record(stepper)
                self._seconds += time.perf_counter() - begun
            if time.perf_counter() >= deadline or not (self._is_in_past or stepper.can_go_on):
                return number + 1
        return events

    def _argue(self, stepper: Stepper, argument: SearchArgument) -> None:
        """Let the search go on from where one stands as a constructor says; a refusal is told."""
        past = None
        try:
            if self.recording is not None and self._is_in_past:
                moment = self.recording.seen(stepper.look()).moment
                past = stands_of(moment.decisions, self.recording.grid) if moment is not None else None
            stepper.argue(argument, past)
        except XwtuiError as error:
            if self._turn is not None:
                self._turn.post(ArgumentRefused(str(error)))
            return
        self._record(stepper)
        if self.recording is not None:
            self.recording.move(Goal(place=self.recording.length - 1))

    # Recording

    def _record(self, stepper: Stepper) -> None:
        if self.recording is not None:
            stepper.record(self.recording)

    def _record_from_here(self, stepper: Stepper, goal: Goal) -> Goal:
        """Record what comes from now on; returns the goal, which has one event at least to stand at."""
        assert self.problem is not None
        self.recording = self._new_recording(self.problem, decisions_of(stepper.decisions()))
        stepper.begin_recording()
        return replace(goal, steps=1) if goal.steps == 0 or goal.argument is not None else goal

    def _made_again(self, stepper: Stepper, goal: Goal) -> Stepper:
        """The same search up to where it stands once more, recorded; as it was where something else is wanted."""
        assert self.problem is not None
        again = self._make_stepper(self.problem, is_recorded=True)
        recording = self._new_recording(self.problem)
        shown = time.perf_counter()
        while not again.catch_up(stepper.progress, SLICE_SECONDS):
            if self._goal is not goal or self._is_stopped:
                again.close()
                return stepper
            again.record(recording)
            if time.perf_counter() - shown >= _VIEW_SECONDS:
                shown = time.perf_counter()
                self._show(self._look(again))
        again.record(recording)
        self.recording = recording
        stepper.close()
        self._stepper = again
        return again

    # Telling

    def _look(self, stepper: Stepper) -> RunView:
        """The search as it stands now, or stood in the past."""
        view = stepper.look()
        self.progress = stepper.progress
        self._note_better(stepper)
        self._depths.append(view.depth)
        view = replace(
            view, seconds=self._seconds, depth_history=tuple(self._depths), seed=self.seed, proof=self._proof
        )
        return self.recording.seen(view) if self.recording is not None else view

    def _note_better(self, stepper: Stepper) -> None:
        """Keep the best fill of a search that goes on to better ones."""
        squares = stepper.incumbent
        if squares and self.problem is not None and (not self._better or squares != self._better[-1].squares):
            self._better = (*self._better, FoundFill.of(self.problem, squares))

    def _with_best(self, view: RunView) -> RunView:
        """A view with the best fill, as that of an improvement; the same where there is none."""
        if not self._better:
            return view
        first, best = self._better[0], self._better[-1]
        quality = Quality(
            best.mean_score,
            best.lowest_score,
            value=best.mean_score,
            first=first.mean_score,
            rounds=self._stepper.rounds if self._stepper is not None else 0,
            better=len(self._better) - 1,
        )
        return replace(view, squares=best.squares, quality=quality, mode=Mode.IMPROVE)

    def _consider(self, stepper: Stepper) -> RunView:
        """The same where it stands still: with what led there, and what would come next."""
        view = replace(self._look(stepper), paused=True)
        if self.recording is None or self.recording.length == 0:
            return view
        thoughts = None if self._is_in_past else stepper.think()
        return replace(view, story=self.recording.story(), thoughts=thoughts)

    def _show(self, view: RunView) -> None:
        if self._turn is not None and not self._turn.is_stopped():
            self.view = view
            self._turn.post(FillProgress(view))

    def _stand_still(self, view: RunView, *, is_late: bool) -> None:
        self.view = view
        if self._turn is not None and is_late:
            self._turn.post(FillEnded(replace(view, outcome=Outcome.UNKNOWN)))
        elif self._turn is not None:
            self._turn.post(FillProgress(view))

    def _rest(self, goal: Goal) -> None:
        """Be idle, unless another goal has come since; what there is to tell has been told by now."""
        with self._changed:
            if self._goal is goal:
                self._goal = None
                if self._turn is not None:
                    self._turn.rest()


def decisions_of(stands: Sequence[Stand]) -> tuple[RecordedDecision, ...]:
    """Decisions in force as a recording keeps those that it has not seen."""
    return tuple(
        RecordedDecision(depth, -1, stand.place, stand.choice, stand.squares)
        for depth, stand in enumerate(stands, 1)
    )
