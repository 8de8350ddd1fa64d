"""A search that can be stepped, recorded, rewound and argued with; and the walk through an ended one."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.events.event import ANY_EVENT, THE_END, DecisionReport, Event, EventKind, Outcome, Until
from xwtui.errors import VerbError
from xwtui.formats.base import write_proof
from xwtui.lazy import lazy_imports
from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal, SearchArgument
from xwtui.session.jobs.fills.search import SEARCH_IS_OVER, SLICE_SECONDS, ModeSearch
from xwtui.session.run_view import FoundFill, ProofFile, Quality, RunView, view_of
from xwtui.strategies import DEFAULT_STRATEGY

with lazy_imports():
    from xwtui.engine.events.timeline import RecordedDecision
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.task import Task
    from xwtui.formats.trace import TraceWriter
    from xwtui.model import Grid
    from xwtui.session.jobs.fills.argued import (
        ArguedSearch,
        BranchAssumptions,
        ProblemParts,
        decisions_of,
        recorded_decision,
    )
    from xwtui.session.recording import Recording
    from xwtui.strategies.protocol import Strategy
    from xwtui.strategies.registry import StrategyChoice
    from xwtui.strategies.xwtui_engine import XwtuiEngine


class SteppedSearch(ModeSearch):
    """A search with one strategy, by default the engine's, that can be stepped.

    It records its events only on demand; from then on, it can move within its recording and be argued with. A
    strategy that improves starts from the present contents if the grid is full; others do so on request.
    """

    shows_depth = True

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        """Start; raises EngineError if the strategy cannot handle the problem."""
        super().__init__(options, seed)
        self.problem = problem
        self.seconds = 0.0
        """Time spent searching."""
        self.better: tuple[FoundFill, ...] = ()
        """The incumbents, if the search goes on after its first fill."""
        self._engine: XwtuiEngine | None = None
        """The engine's latest search; the search of the next branch learns from it."""
        self._makes_events = False
        self._trace: TraceWriter | None = None
        self._is_settled = False
        self._proof = None if options.proof is None else ProofFile(options.proof)
        self._whole = strategy = self._open(problem)
        if options.proof is not None:
            strategy.keep_proof()
        self._argued: ArguedSearch | None = None
        """All branches of the search, once there was an argument."""

    def _open(self, part: Problem) -> Strategy:
        search: Strategy
        if self.options.strategy:
            search = StrategyChoice.parse(self.options.strategy).make(part.task, self.seed)
            start = self.options.start
            is_finished = all(at in start for slot in part.grid.entries for at in slot.positions)
            if self.options.begins_with_pencil or (search.improves and is_finished):
                search.start_from(start)
        else:
            search = self._engine = XwtuiEngine.on(part, self.seed, after=self._engine)
        if self._makes_events:
            search.record()
        return search

    @property
    def searching(self) -> Strategy | ArguedSearch:
        return self._argued or self._whole

    @property
    def strategy(self) -> Strategy:
        return self._argued.branch if self._argued is not None else self._whole

    @property
    def has_ended(self) -> bool:
        return self.searching.has_ended and not (self.recording is not None and self.recording.is_in_past)

    @property
    def progress(self) -> int:
        return self.strategy.progress

    # Recording

    def make_events(self) -> None:
        """Have this search, and branches that start from now on, make events for a recording."""
        self._makes_events = True
        self.strategy.record()

    def new_recording(self, decisions: tuple[RecordedDecision, ...] | None = None) -> Recording:
        strategy = self.options.strategy or DEFAULT_STRATEGY
        return Recording(self.problem.grid, strategy=strategy, seed=self.seed, decisions=decisions)

    def record_from_here(self) -> None:
        """Record the search from now on, and write it to a trace file too if the options name one."""
        decisions: tuple[RecordedDecision, ...] | None = None
        if self.seconds:
            decisions = tuple(
                RecordedDecision(depth, -1, made.place, made.choice, made.squares)
                for depth, made in enumerate(decisions_of(self.strategy), 1)
            )
        self.make_events()
        self.recording = recording = self.new_recording(decisions)
        if self.options.trace is not None:
            self._trace = TraceWriter(self.options.trace, recording.head)
            recording.copy_to(self._trace)

    def _take_events(self) -> None:
        if self.recording is not None:
            record(self.searching, self.recording)

    # Advancing

    def advance(self, budget: Budget, until: Until = THE_END) -> Event | None:
        """Advance until the budget is spent, the search ends or an awaited event occurs; returns that event."""
        limit, event = TimeLimit(budget), None
        while event is None and not self.searching.has_ended and not budget.stop():
            started = time.perf_counter()
            event = self.searching.advance(Budget(SLICE_SECONDS), until)
            self.seconds += time.perf_counter() - started
            squares = self.strategy.incumbent  # set if the search goes on to better fills
            if squares and (not self.better or squares != self.better[-1].squares):
                self.better = (*self.better, FoundFill.of(self.problem.task, squares))
            self._take_events()
            if not limit.left:
                break
        return event

    def pursue(self, goal: Goal, budget: Budget) -> int:
        """Advance as far as a goal says, first in the recording; raises XwtuiError for a wrong argument."""
        recording = self.recording
        if recording is None:
            self.advance(budget)
            return 0
        if goal.argument is not None:
            self._argue(goal.argument, recording)
            return 0
        left = recording.move(goal)
        if left is None:
            return goal.steps or 0
        passed, until, limit, seen = (goal.steps or 0) - (left.steps or 0), self._until(left), TimeLimit(budget), 0
        while left.steps != 0 and self.can_go_on and not limit.is_over():
            event = self.advance(limit.remaining, until)
            seen += event is not None
            if event is not None and left.is_reached(event, seen):
                break
        return passed + seen

    def _until(self, goal: Goal) -> Until:
        if goal.steps is not None:
            return ANY_EVENT
        if goal.entry:
            return Until(entry=goal.entry)
        kind = goal.stop
        if kind in (EventKind.BACKTRACK, EventKind.RESTART) or (kind is not None and self.strategy.improves):
            return Until((kind,))
        return THE_END

    def _argue(self, argument: SearchArgument, recording: Recording) -> None:
        past, argued = None, self._argued
        if recording.is_in_past and (moment := recording.seen(self.state()).moment) is not None:
            past = [recorded_decision(one, recording.grid) for one in moment.decisions]
        if argued is None:
            parts = ProblemParts(self.problem)
            argued = ArguedSearch(parts, self.strategy, lambda assumed: self._open(parts.part(assumed)))
        argued.argue(argument, past)
        self._argued = argued
        self._take_events()
        recording.move(Goal(place=recording.length - 1))

    # Views

    def state(self) -> RunView:
        """Return a view of the search itself, regardless of its results."""
        view = view_of(self._whole) if self._argued is None else self._argued.view()
        return replace(view, seconds=self.seconds, seed=self.seed, proof=self._proof)

    def view(self) -> RunView:
        """Return the view with the best fill, or, while events are recorded, with the state after one of them."""
        if self.recording is None:
            return self._with_best(self.state())
        return self.recording.seen(self._with_best(self.state()) if self._is_settled else self.state())

    def best(self, last: RunView) -> RunView | None:
        """Return the best fill so far of a search that goes on to better ones; others leave the grid unchanged."""
        return replace(self._with_best(last), paused=False) if self.better else None

    @property
    def found(self) -> Sequence[FoundFill]:
        return self.better[::-1]

    def _with_best(self, view: RunView) -> RunView:
        """Return the view with the best fill, as for an improvement; unchanged if there is none."""
        if not self.better:
            return view
        first, best = self.better[0], self.better[-1]
        quality = Quality(
            best.mean_score,
            best.lowest_score,
            value=best.mean_score,
            first=first.mean_score,
            rounds=self.strategy.rounds,
            better=len(self.better) - 1,
        )
        return replace(view, squares=best.squares, quality=quality, mode=Mode.IMPROVE)

    def decision_report(self) -> DecisionReport:
        """Return the search's ranking of the next decisions, and the alternatives to its last one."""
        if self._argued is not None:
            return self._argued.report_decision()
        assumed = BranchAssumptions(decisions_of(self.strategy))
        return ProblemParts(self.problem).with_others(self.strategy.report_decision(), assumed)

    # End

    def write_output(self) -> None:
        self._is_settled = True
        proof = self._whole.proof if self._argued is None else None  # arguments are not part of the problem
        if self._proof is not None and proof is not None:
            write_proof(self._proof.path, *proof)
            self._proof = self._proof._replace(is_written=True)
        self._end_trace()

    def close(self) -> None:
        self.searching.close()
        self._end_trace()

    def _end_trace(self) -> None:
        trace, self._trace = self._trace, None
        if trace is not None:
            trace.close()


def record(search: Strategy | ArguedSearch, recording: Recording) -> None:
    """Record a search's events since the last call."""
    stretch, missed = search.take_recorded()
    while len(stretch) or missed:
        recording.take(stretch, missed=missed)
        stretch, missed = search.take_recorded()


class EndedSearch(NamedTuple):
    """An ended search, with everything needed to walk through it."""

    options: FillOptions
    seed: int
    last: RunView
    """Its view at the end."""
    recording: Recording | None = None
    """Its recording; None if it must be repeated."""
    task: Task | None = None
    """What it searched, to be set up again; None if it comes from a file."""
    progress: int = 0
    """Its progress, in the unit of its strategy."""
    grid: Grid | None = None
    """The grid at that time, if it was edited since."""


class EndedWalk(ModeSearch):
    """The walk through an ended search; it has nothing more to search, and ends only when the user leaves it."""

    shows_depth = True
    has_ended = False

    def __init__(self, ended: EndedSearch, options: FillOptions) -> None:
        super().__init__(options, ended.seed)
        self._ended = ended
        self.recording = ended.recording

    @property
    def can_go_on(self) -> bool:
        return self.recording is not None and self.recording.is_in_past

    @property
    def progress(self) -> int:
        return self._ended.progress

    def pursue(self, goal: Goal, budget: Budget) -> int:
        """Move within the recording as far as a goal says; raises VerbError for an argument."""
        if goal.argument is not None:
            raise VerbError(SEARCH_IS_OVER)
        left = None if self.recording is None else self.recording.move(goal)
        return (goal.steps or 0) - ((left.steps or 0) if left is not None else 0)

    def view(self) -> RunView:
        """Return the view at the end of the search, which was reported then, or after an earlier event."""
        last = replace(self._ended.last, outcome=Outcome.RUNNING, seconds=0.0, seed=self.seed, proof=None)
        return last if self.recording is None else self.recording.seen(last)


def repeated_search(
    before: SteppedSearch | EndedWalk, problem: Problem, budget: Budget, show: Callable[[ModeSearch], None]
) -> SteppedSearch | EndedWalk | None:
    """Repeat a search up to the same progress, recording it; returns None if it was stopped first.

    If the search has ended, the result walks through it instead of continuing the new one.
    """
    again, progress = SteppedSearch(problem, before.options, before.seed), before.progress
    if isinstance(before, SteppedSearch):
        again.seconds, again.better = before.seconds, before.better
    again.make_events()
    recording, budget = again.new_recording(), budget.reporting(lambda: show(again))
    while not again.has_ended and again.progress < progress:
        if budget.stop():
            again.close()
            return None
        again.strategy.advance(Budget(SLICE_SECONDS, nodes=progress - again.progress))
        record(again.searching, recording)
    record(again.searching, recording)
    left, kept = (again, before) if isinstance(before, EndedWalk) else (before, again)
    left.close()
    kept.recording = recording
    return kept
