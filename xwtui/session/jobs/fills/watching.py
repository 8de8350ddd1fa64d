"""A recorded search that can be stepped, walked back in and argued with; and the walk through an ended one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.events.event import ANY_EVENT, THE_END, DecisionReport, Event, EventKind, Outcome, Until
from xwtui.engine.events.timeline import RecordedDecision
from xwtui.errors import VerbError
from xwtui.formats.trace import TraceWriter
from xwtui.lazy import lazy_imports
from xwtui.session.fill_options import FillOptions
from xwtui.session.goals import Goal, SearchArgument, Stop
from xwtui.session.jobs.fills.argued import (
    ArguedSearch,
    BranchAssumptions,
    ProblemParts,
    decisions_of,
    recorded_decision,
)
from xwtui.session.jobs.fills.search import SEARCH_IS_OVER, SLICE_SECONDS, EndedSearch, ModeSearch, PlainSearch
from xwtui.session.recording import Recording, head_of
from xwtui.session.run_view import FoundFill, RunView
from xwtui.strategies import DEFAULT_STRATEGY
from xwtui.strategies.protocol import Strategy

with lazy_imports():
    from xwtui.engine.problem.problem import Problem


class Watched(ModeSearch):
    """Advances a search that is being recorded, and moves within its recording."""

    shows_depth = True
    recording: Recording

    def __init__(self, search: ModeSearch, recording: Recording, trace: TraceWriter | None = None) -> None:
        """Watch a plain search that records its events, or an ended one; `trace` is closed at the end."""
        super().__init__(search.options, search.seed)
        self.recording = recording
        self._search = search
        self._plain = search if isinstance(search, PlainSearch) else None
        """The search, if it is live rather than ended."""
        self._trace = trace
        self._is_settled = False
        if trace is not None:
            recording.copy_to(trace)

    @property
    def has_ended(self) -> bool:
        return self._search.has_ended and not self.recording.is_in_past

    @property
    def can_go_on(self) -> bool:
        return self.recording.is_in_past or self._search.can_go_on

    @property
    def progress(self) -> int:
        return self._search.progress

    @property
    def found(self) -> Sequence[FoundFill]:
        return self._search.found

    def best(self, last: RunView) -> RunView | None:
        return self._search.best(last)

    def advance(self, budget: Budget, until: Until = THE_END) -> Event | None:
        event, limit = None, TimeLimit(budget)
        while event is None and self._search.can_go_on and not limit.is_over():
            event = self._search.advance(Budget(SLICE_SECONDS), until)
            self.take()
        return event

    def take(self) -> None:
        if self._plain is not None:
            record(self._plain.searching, self.recording)

    def pursue(self, goal: Goal, budget: Budget) -> int:
        """Advance as far as a goal says, first within the recording; returns the number of events passed.

        Raises XwtuiError for an impossible argument.
        """
        if goal.argument is not None:
            self._argue(goal.argument)
            return 0
        left = self.recording.move(goal)
        if left is None:
            return goal.steps or 0
        passed, until, limit, seen = (goal.steps or 0) - (left.steps or 0), self._until(left), TimeLimit(budget), 0
        while left.steps != 0 and self._search.can_go_on and not limit.is_over():
            event = self.advance(limit.remaining, until)
            seen += event is not None
            if event is not None and left.is_reached(event, seen):
                break
        return passed + seen

    def _until(self, goal: Goal) -> Until:
        """Return the events that may matter to a goal."""
        if goal.steps is not None:
            return ANY_EVENT
        if goal.stop is Stop.ENTRY:
            return Until(entry=goal.entry)
        kind = goal.stop.event_kind if goal.stop is not None else None
        improves = self._plain is not None and self._plain.strategy.improves
        if kind in (EventKind.BACKTRACK, EventKind.RESTART) or (kind is not None and improves):
            return Until((kind,))
        return THE_END

    def _argue(self, argument: SearchArgument) -> None:
        plain, past = self._plain, None
        if plain is None:
            raise VerbError(SEARCH_IS_OVER)
        if self.recording.is_in_past:
            moment = self.recording.seen(plain.state()).moment
            decided = moment.decisions if moment is not None else ()
            past = [recorded_decision(one, self.recording.grid) for one in decided] if moment is not None else None
        argued = plain.argued
        if argued is None:
            parts = ProblemParts(plain.problem)
            argued = ArguedSearch(parts, plain.strategy, lambda assumed: plain.open(parts.part(assumed)))
        argued.argue(argument, past)
        plain.argued = argued
        self.take()
        self.recording.move(Goal(place=self.recording.length - 1))

    # Views

    def view(self) -> RunView:
        """Return the search's present or past view; at the end, with the best fill it has found."""
        if self._plain is not None and not self._is_settled:
            return self.recording.seen(self._plain.state())
        return self.recording.seen(self._search.view())

    def detailed_view(self) -> RunView:
        view = self.view()
        if self.recording.length == 0:
            return view
        report = None if self.recording.is_in_past else self._report_decision()
        return replace(view, context=self.recording.context(), decision_report=report)

    def _report_decision(self) -> DecisionReport:
        """Return the search's ranking of the next decisions, and the alternatives to its last one."""
        plain = self._plain
        if plain is None:
            return DecisionReport()
        if plain.argued is not None:
            return plain.argued.report_decision()
        assumed = BranchAssumptions(decisions_of(plain.strategy))
        return ProblemParts(plain.problem).with_others(plain.strategy.report_decision(), assumed)

    def write_output(self) -> None:
        self._is_settled = True
        self._search.write_output()
        self._end_trace()

    def close(self) -> None:
        self._search.close()
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


def recorded_from_here(search: ModeSearch) -> Watched:
    """Record a search from now on, and write it to a trace file too if its options name one."""
    assert isinstance(search, PlainSearch)
    decisions: tuple[RecordedDecision, ...] | None = None
    if search.seconds:
        decisions = tuple(
            RecordedDecision(depth, -1, made.place, made.choice, made.squares)
            for depth, made in enumerate(decisions_of(search.strategy), 1)
        )
    search.record()
    recording, path = _recording_of(search, search.problem, decisions), search.options.trace
    head = head_of(recording.grid, strategy=recording.strategy, seed=recording.seed)
    return Watched(search, recording, None if path is None else TraceWriter(path, head))


def _recording_of(
    search: ModeSearch, problem: Problem, decisions: tuple[RecordedDecision, ...] | None = None
) -> Recording:
    strategy = search.options.strategy or DEFAULT_STRATEGY
    return Recording(problem.grid, strategy=strategy, seed=search.seed, decisions=decisions)


def repeated_search(
    before: ModeSearch, problem: Problem, budget: Budget, show: Callable[[ModeSearch], None]
) -> Watched | None:
    """Repeat another search up to the same progress, recording it; returns None if it was stopped first.

    If the other search has ended, the result walks through it instead of continuing the new one.
    """
    again, progress = PlainSearch(problem, before.options, before.seed), before.progress
    if isinstance(before, PlainSearch):
        again.seconds, again.better = before.seconds, before.better
    again.record()
    found, budget = Watched(again, _recording_of(again, problem)), budget.reporting(lambda: show(again))
    while not again.has_ended and again.progress < progress:
        if budget.stop():
            again.close()
            return None
        again.strategy.advance(Budget(SLICE_SECONDS, nodes=progress - again.progress))
        found.take()
    found.take()
    if isinstance(before, OverSearch):
        again.close()
        return Watched(before, found.recording)
    before.close()
    return found


class OverSearch(ModeSearch):
    """An ended search, or one from a file; it is at its end, with nothing more to search."""

    def __init__(self, ended: EndedSearch, options: FillOptions) -> None:
        super().__init__(options, ended.seed)
        self._ended = ended

    @property
    def has_ended(self) -> bool:
        """Always False, because the user walks in it until leaving it."""
        return False

    @property
    def can_go_on(self) -> bool:
        return False

    @property
    def progress(self) -> int:
        return self._ended.progress

    def advance(self, budget: Budget, until: Until = THE_END) -> Event | None:
        return None

    def view(self) -> RunView:
        """Return the view at the end of the search, which was reported then."""
        return replace(self._ended.last, outcome=Outcome.RUNNING, seconds=0.0, seed=self.seed, proof=None)
