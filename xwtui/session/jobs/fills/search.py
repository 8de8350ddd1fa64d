"""One search: it goes on as told and stands still between the orders, until it ends or is stopped."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from xwtui.engine.events.event import Event, EventKind, Outcome, Thoughts
from xwtui.engine.events.timeline import RecordedDecision
from xwtui.errors import VerbError, XwtuiError
from xwtui.formats.base import write_proof
from xwtui.formats.trace import TraceWriter
from xwtui.lazy import lazy_imports
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal, SearchArgument, Stop
from xwtui.session.jobs.fills.argued import ArguedSearch
from xwtui.session.jobs.fills.assumptions import (
    BranchAssumptions,
    ProblemParts,
    decisions_of,
    recorded_decisions,
)
from xwtui.session.jobs.fills.run import (
    DEPTH_SAMPLES,
    SEARCH_IS_OVER,
    EndedSearch,
    FillRun,
    FoundFill,
    RunControl,
    ended_fill,
    view_of,
)
from xwtui.session.messages import ArgumentRefused, FillEnded, FillProgress
from xwtui.session.recording import Recording, head_of
from xwtui.session.run_view import ProofFile, Quality, RunView
from xwtui.strategies import DEFAULT_STRATEGY
from xwtui.strategies.protocol import Steppable, Strategy

with lazy_imports():
    from xwtui.engine.problem.problem import Problem
    from xwtui.strategies.registry import StrategyChoice
    from xwtui.strategies.xwtui_engine import XwtuiEngine

SLICE_SECONDS = 0.03
"""How long the engine works between two looks at what is asked of the search."""

_VIEW_SECONDS = 0.08


class SteppedSearch(FillRun):
    """A search that can be stepped; `go` gives it a goal, from any thread.

    One that is told nothing but to run to its end records nothing. Where it is stepped, it is recorded from there
    on; where one goes back in it, all that it has done is made again from its seed, and recorded.
    """

    is_stepped = True
    is_replay = False
    """Whether it looks for nothing new."""

    def __init__(self, options: FillOptions, goal: Goal, *, seed: int, changed: threading.Condition) -> None:
        """`changed` is notified where the goal is another one."""
        super().__init__(options, seed)
        self.problem: Problem | None = None
        """What is searched, once that is laid out."""
        self.progress = 0
        """How far it had come when it was looked at last, in the unit of its strategy."""
        self._goal: Goal | None = goal
        self._changed = changed
        self._depths: deque[int] = deque(maxlen=DEPTH_SAMPLES)
        self._seconds = 0.0
        self._trace: TraceWriter | None = None
        self._proof = None if options.proof is None else ProofFile(options.proof)
        self._search: Steppable | None = None
        """What is searched on; None where there is nothing more to search."""
        self._argued: ArguedSearch | None = None
        """The same once somebody has argued with it."""
        self._engine: XwtuiEngine | None = None
        """The engine's search that was begun last, from which the next branch learns."""
        self._is_recorded = False
        """Whether the searches that begin from now on keep their events."""
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

    def fill(self, problem: Problem) -> RunView | None:
        """Search as far as each goal says; None where it was stopped first.

        One that was watched or argued with ends with the fill that was seen.
        """
        self.problem = problem
        try:
            self._begin(problem)
            view = self._pursue_goals()
            if view is None or self.recording is not None or view.arguments:
                return view
            return ended_fill(problem, view, self.options, self.is_stopped)
        finally:
            with suppress(XwtuiError):  # it was stopped, or has failed already
                self._end_trace()
            if self._search is not None:
                self._search.close()

    def _begin(self, problem: Problem) -> None:
        """Begin to search, recorded from the start if it is to be stepped at once or written to a file."""
        goal = self._goal
        self._is_recorded = self.options.trace is not None or (goal is not None and goal.is_recorded)
        self._search = self._open(BranchAssumptions())
        if self._is_recorded:
            self.recording = self._new_recording(problem)
        if self.options.trace is not None and self.recording is not None:
            head = head_of(problem.grid, strategy=self._strategy_name, seed=self.seed)
            self._trace = TraceWriter(self.options.trace, head)
            self.recording.copy_to(self._trace)

    def _open(self, assumed: BranchAssumptions) -> Strategy:
        """Begin the search of a part of all fills; those of the engine begin with what the one before has learnt.

        One that improves begins with what stands where that is a finished grid; others where asked to. Raises
        EngineError where the strategy cannot take it on.
        """
        assert self.problem is not None
        parts, options = ProblemParts(self.problem), self.options
        search: Strategy
        if options.strategy:
            search = StrategyChoice.parse(options.strategy).make(parts.task(assumed), self.seed)
            is_finished = all(at in options.start for slot in parts.problem.grid.entries for at in slot.positions)
            if options.begins_with_pencil or (search.improves and is_finished):
                search.begin_with(options.start)
        else:
            search = self._engine = XwtuiEngine.on(parts.part(assumed), self.seed, after=self._engine)
        if self._is_recorded:
            search.record()
        if options.proof is not None and assumed == BranchAssumptions():
            search.keep_proof()
        return search

    @property
    def _strategy_name(self) -> str:
        return self.options.strategy or DEFAULT_STRATEGY

    def _new_recording(self, problem: Problem, standing: tuple[RecordedDecision, ...] | None = None) -> Recording:
        return Recording(problem.grid, strategy=self._strategy_name, seed=self.seed, standing=standing)

    def _end_trace(self) -> None:
        trace, self._trace = self._trace, None
        if trace is not None:
            trace.close()

    @property
    def _can_go_on(self) -> bool:
        """Whether there is more to be searched."""
        return self._search is not None and not self._search.has_ended

    def _pursue_goals(self) -> RunView | None:
        while (goal := self._next_goal()) is not None:
            is_late = self._pursue(goal)
            if self.is_stopped():
                return None
            search = self._search
            if search is not None and search.has_ended and not self._is_in_past:
                self._end_trace()
                if self._proof is not None and (proof := search.proof) is not None:
                    write_proof(self._proof.path, *proof)
                    self._proof = self._proof._replace(is_written=True)
                self.view = self._with_best(self._look())
                return self.view
            if is_late and self._better:
                self._end_trace()
                self.view = replace(self._with_best(self._look()), outcome=Outcome.UNKNOWN)
                return self.view
            if self._goal is goal:
                self._stand_still(self._consider(), is_late=is_late)
                self._rest(goal)
        return None

    @property
    def _is_in_past(self) -> bool:
        return self.recording is not None and self.recording.is_in_past

    def _next_goal(self) -> Goal | None:
        with self._changed:
            self._changed.wait_for(lambda: self._goal is not None or self.is_stopped())
            return None if self.is_stopped() else self._goal

    def _pursue(self, goal: Goal) -> bool:
        """Go on until the goal is reached or replaced; returns whether time has run out."""
        left: Goal | None = goal
        if self.recording is None and goal.is_in_record:
            self._make_again(goal)
        elif self.recording is None and goal.is_recorded:
            left = self._record_from_here(goal)
        if self._goal is not goal or left is None:
            return False
        if goal.argument is not None:
            self._argue(goal.argument)
            return False
        left = self.recording.move(left) if self.recording is not None else left
        if left is None or left.steps == 0:
            return False
        if left.speed is not None:
            self._go_slowly(goal, left.speed)
            return False
        return self._go_fast(goal, left)

    def _go_fast(self, goal: Goal, left: Goal) -> bool:
        """Go on at full speed, as far as what is left of a goal says; returns whether its time has run out."""
        begun = shown = time.perf_counter()
        base, seen = self._seconds, 0
        while self._goal is goal and (search := self._search) and not search.has_ended and not self.is_stopped():
            event = go_on(search, left, SLICE_SECONDS)
            self._note_better()
            self._record()
            seen += event is not None
            now = time.perf_counter()
            self._seconds = base + now - begun
            if event is not None and left.is_reached(event, seen):
                return False
            if left.seconds is not None and now - begun >= left.seconds:
                return self._can_go_on
            if now - shown >= _VIEW_SECONDS:
                shown = now
                view = self._look()
                self.tell(view if self.recording is not None else self._with_best(view))
        return False

    def _go_slowly(self, goal: Goal, speed: float) -> None:
        """Go on by so many events a second, the recorded ones first, until there is another goal or an end."""
        begun, done = time.perf_counter(), 0
        while self._goal is goal and not self.is_stopped() and (self._is_in_past or self._can_go_on):
            due = int((time.perf_counter() - begun) * speed) + 1 - done
            done += self._do_some(due)
            self.tell(self._look())
            with self._changed:
                self._changed.wait_for(
                    lambda: self._goal is not goal or self.is_stopped(), max(1 / speed, _VIEW_SECONDS)
                )

    def _do_some(self, events: int) -> int:
        """Go on by so many events, as far as that can be done in a slice; returns how many it were."""
        deadline = time.perf_counter() + SLICE_SECONDS
        for number in range(events):
            if not (self.recording is not None and self.recording.forward()) and self._search is not None:
                begun = time.perf_counter()
                self._search.run_until(seconds=SLICE_SECONDS)
                self._record()
                self._seconds += time.perf_counter() - begun
            if time.perf_counter() >= deadline or not (self._is_in_past or self._can_go_on):
                return number + 1
        return events

    def _argue(self, argument: SearchArgument) -> None:
        """Let the search go on from where one stands as a constructor says; a refusal is told."""
        try:
            self._go_on_argued(argument)
        except XwtuiError as error:
            self._control.post(ArgumentRefused(str(error)))
            return
        self._record()
        if self.recording is not None:
            self.recording.move(Goal(place=self.recording.length - 1))

    def _go_on_argued(self, argument: SearchArgument) -> None:
        """Argue with the search; raises XwtuiError where that cannot be."""
        past = None
        if self.recording is not None and self._is_in_past:
            moment = self.recording.seen(self._state()).moment
            past = recorded_decisions(moment.decisions, self.recording.grid) if moment is not None else None
        argued = self._argued
        if argued is None:
            if not isinstance(self._search, Strategy):
                raise VerbError(SEARCH_IS_OVER)
            assert self.problem is not None
            argued = ArguedSearch(ProblemParts(self.problem), self._search, self._open)
        argued.argue(argument, past)
        self._search = self._argued = argued

    # Recording

    def _record(self) -> None:
        """Record what the search has done since the last call."""
        if self.recording is not None and self._search is not None:
            record(self._search, self.recording)

    def _record_from_here(self, goal: Goal) -> Goal:
        """Record what comes from now on; returns the goal, which has one event at least to stand at."""
        assert self.problem is not None
        assert isinstance(self._search, Strategy)
        standing = tuple(
            RecordedDecision(depth, -1, made.place, made.choice, made.squares)
            for depth, made in enumerate(decisions_of(self._search), 1)
        )
        self.recording = self._new_recording(self.problem, standing)
        self._is_recorded = True
        self._search.record()
        return replace(goal, steps=1) if goal.steps == 0 or goal.argument is not None else goal

    def _make_again(self, goal: Goal) -> None:
        """Search up to where it stands once more, recorded; all is as it was where something else is wanted."""
        assert self.problem is not None
        if self._search is not None:
            self.progress = self._search.progress
        engine, self._engine, self._is_recorded = self._engine, None, True
        again = self._open(BranchAssumptions())
        recording = self._new_recording(self.problem)
        shown = time.perf_counter()
        while not again.catch_up(self.progress, SLICE_SECONDS):
            if self._goal is not goal or self.is_stopped():
                again.close()
                self._engine, self._is_recorded = engine, False
                return
            record(again, recording)
            if time.perf_counter() - shown >= _VIEW_SECONDS:
                shown = time.perf_counter()
                self.tell(self._told(view_of(again)))
        record(again, recording)
        self.recording = recording
        before, self._search = self._search, self._after_making(again)
        if before is not None:
            before.close()

    def _after_making(self, again: Strategy) -> Steppable | None:
        """What is searched on once a search was made again."""
        return again

    # Telling

    def _state(self) -> RunView:
        """The search as it stands, but for time and for what is recorded."""
        if self._argued is not None:
            return self._argued.look()
        assert isinstance(self._search, Strategy)
        return view_of(self._search)

    def _look(self) -> RunView:
        """The search as it stands now, or stood in the past."""
        if self._search is not None:
            self.progress = self._search.progress
        self._note_better()
        return self._told(self._state())

    def _told(self, view: RunView) -> RunView:
        """A view with what is known of the run."""
        self._depths.append(view.depth)
        view = replace(
            view, seconds=self._seconds, depth_history=tuple(self._depths), seed=self.seed, proof=self._proof
        )
        return self.recording.seen(view) if self.recording is not None else view

    def _note_better(self) -> None:
        """Keep the best fill of a search that goes on to better ones."""
        squares = self._search.incumbent if self._search is not None else None
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
            rounds=self._search.rounds if self._search is not None else 0,
            better=len(self._better) - 1,
        )
        return replace(view, squares=best.squares, quality=quality, mode=Mode.IMPROVE)

    def _consider(self) -> RunView:
        """The same where it stands still: with what led there, and what would come next."""
        view = replace(self._look(), paused=True)
        if self.recording is None or self.recording.length == 0:
            return view
        thoughts = None if self._is_in_past else self._think()
        return replace(view, story=self.recording.story(), thoughts=thoughts)

    def _think(self) -> Thoughts:
        """What the search would decide next, and what else may be tried where it has decided last."""
        if not isinstance(self._search, Strategy):
            return self._search.think() if self._search is not None else Thoughts()
        assert self.problem is not None
        assumed = BranchAssumptions(decisions_of(self._search))
        return ProblemParts(self.problem).with_others(self._search.think(), assumed)

    def _stand_still(self, view: RunView, *, is_late: bool) -> None:
        self.view = view
        self._control.post(FillEnded(replace(view, outcome=Outcome.UNKNOWN)) if is_late else FillProgress(view))

    def _rest(self, goal: Goal) -> None:
        """Be idle, unless another goal has come since; what there is to tell has been told by now."""
        with self._changed:
            if self._goal is goal:
                self._goal = None
                self._control.rest()


def go_on(search: Steppable, goal: Goal, seconds: float) -> Event | None:
    """Search on for a moment, up to the next event that may matter to the goal; returns that."""
    if goal.steps is not None:
        return search.run_until(seconds=seconds)
    if goal.stop is Stop.ENTRY:
        return search.run_until((), entry=goal.entry, seconds=seconds)
    kind = goal.stop.event_kind if goal.stop is not None else None
    if kind in (EventKind.BACKTRACK, EventKind.RESTART) or (kind is not None and search.improves):
        return search.run_until((kind,), seconds=seconds)
    search.advance(seconds)
    return None


def record(search: Steppable, recording: Recording) -> None:
    """Record what a search has done since the last call."""
    stretch, missed = search.take_recorded()
    while len(stretch) or missed:
        recording.take(stretch, missed=missed)
        stretch, missed = search.take_recorded()


class Replay(SteppedSearch):
    """Walks a search that is over, or comes from a file, without looking for anything new.

    It walks its recording, which is made again from its seed where there is none. At its end it stands still, for
    there is nothing more.
    """

    is_replay = True

    def __init__(self, ended: EndedSearch, goal: Goal, *, changed: threading.Condition) -> None:
        super().__init__(FillOptions(strategy=ended.options.strategy), goal, seed=ended.seed, changed=changed)
        self.ended = ended
        self.recording = ended.recording
        self.problem = ended.problem
        self.progress = ended.progress

    def go(self, goal: Goal) -> None:
        """Walk on as far as the goal says; raises VerbError where one stands at the end already."""
        if not (goal.is_in_record or self._is_in_past):
            raise VerbError(
                "this search is over: `back` and `goto` walk in it, `stop` leaves it, `fill` begins another"
            )
        super().go(goal)

    def walk(self, control: RunControl) -> RunView | None:
        """Walk as far as each goal says; ends where it is stopped."""
        self._control = control
        if self.recording is None:
            self._make_again(self._goal or Goal())
            if self.recording is None:
                return None
        return self._pursue_goals()

    def _after_making(self, again: Strategy) -> None:
        again.close()

    def _state(self) -> RunView:
        """How the search stood at its end, which was told then."""
        return replace(self.ended.last, outcome=Outcome.RUNNING)
