"""The texts about a watched search, shared by all faces: the event's causes, its effects, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xwtui.engine.events.event import DecisionReport, Event, EventKind, LikelyWord
from xwtui.engine.events.timeline import RecordedDecision, Timeline
from xwtui.session.run_view import DeadEnd, EventContext, RunView
from xwtui.text import listed, printable
from xwtui.wording import about

_LONGEST = 200
_DEEPEST_INDENT = 8
_NAME_WIDTH = 6
_OTHERS = 4
"""Number of other words named in the line."""


def watch_lines(run: RunView) -> list[str]:
    """Return the event, its context, the next options, and the decisions in force, latest first."""
    lines = [run.event.describe()] if run.event is not None else []
    lines += [f"  {line}" for line in context_lines(run)]
    lines += [line.text for line in decision_report_lines(run.decision_report)]
    if run.moment is not None and run.moment.decisions:
        lines.append("decided, the latest first")
        lines += [f"  {line}" for line in decision_lines(run.moment.decisions)]
    return [printable(line, _LONGEST) for line in lines]


def context_lines(run: RunView) -> list[str]:
    """Return the causes and effects of the event, without the event itself."""
    lines = format_context(run.context) if run.context is not None else []
    return [line for line in lines if run.event is None or line != run.event.describe()]


class DecisionReportLine(NamedTuple):
    """A line about the search's next decisions: a heading, or an item below one."""

    text: str
    is_heading: bool = False


def decision_report_lines(report: DecisionReport | None) -> list[DecisionReportLine]:
    """Return lines with the candidates for the next decision, and the reasons for their order."""
    if report is None:
        return []
    lines = _tried_lines(report)
    if report.ranking:
        heading = "compared for the last choice" if report.is_of_last else "next: fewest options per blame"
        lines.append(DecisionReportLine(heading, is_heading=True))
        lines += [
            DecisionReportLine(f"  {place}. {one.name:<{_NAME_WIDTH}}{one.figures}")
            for place, one in enumerate(report.ranking, 1)
        ]
    if report.words:
        lines.append(DecisionReportLine(f"words for {report.ranking[0].name}, by room and score", is_heading=True))
        lines += [
            DecisionReportLine(f"  {one.word}  {one.score}{f'  {about(one.room)}' if one.room else ''}")
            for one in report.words
        ]
    return lines


def _tried_lines(report: DecisionReport) -> list[DecisionReportLine]:
    if not report.tried:
        return []
    if not report.others:
        heading = f"tried {report.tried} = {report.chosen}"
        return [DecisionReportLine(heading, is_heading=True), DecisionReportLine("  no other word is left there")]
    named = [one.word for one in report.others[:_OTHERS]]
    more = len(report.others) - len(named)
    return [
        DecisionReportLine(f"tried {report.tried} = {report.chosen}; then", is_heading=True),
        DecisionReportLine(f"  {', '.join(named)}{', …' if more > 0 else ''}"),
    ]


def likely_figures(word: LikelyWord) -> str:
    """Return the figures of a word, as far as the search has any."""
    room = f"  leaves {about(word.room)}" if word.room else ""
    return f"{word.score}{room}"


def decision_lines(decisions: Sequence[RecordedDecision]) -> list[str]:
    """Return the decisions in force, latest first."""
    return [f"{depth:>3}  {one.subject} = {one.choice}" for depth, one in reversed(list(enumerate(decisions, 1)))]


def numbered_event(number: int, event: Event) -> str:
    """Return a line for an event: its number, counted from 1, and its text, indented by depth."""
    return f"{number + 1:>7,}  {'  ' * min(event.depth, _DEEPEST_INDENT)}{event.describe()}"


def place_words(run: RunView) -> str:
    """Return which event is shown, of how many; empty if the run is not recorded."""
    if not run.is_recorded:
        return ""
    return f"event {run.event_number + 1:,} of {run.last_event + 1:,}"


_FARTHEST = 400
"""Number of events inspected in each direction."""
_MOST_LINES = 6

_ENDS_OF_PRUNING = (EventKind.DECIDE, EventKind.BACKTRACK, EventKind.RESTART, EventKind.ARGUE)
_WAYS_BACK = (EventKind.JUMP, EventKind.BACKTRACK)


def format_context(context: EventContext) -> list[str]:
    """Return the way into and out of a dead end, and the prunings, strongest first."""
    lines: list[str] = []
    if context.dead_end is not None:
        lines += _dead_end_lines(context.dead_end)
    by_share = sorted(context.pruned, key=lambda event: event.after / max(event.before, 1))
    for event in by_share[:_MOST_LINES]:
        lines.append(f"{event.slot}: {event.before:,} → {event.after:,}{_through(event)}")
    if len(context.pruned) > _MOST_LINES:
        lines.append(f"and {len(context.pruned) - _MOST_LINES} more pruned")
    return lines


def event_context(timeline: Timeline, number: int) -> EventContext:
    """Build the context of an event in a timeline."""
    event = timeline.event(number)
    failure = number if event.kind is EventKind.WIPE_OUT else None
    if event.kind in _WAYS_BACK:
        failure = _failure_before(timeline, number)
    last = number if failure is None else failure
    pruned = _pruned_before(timeline, last)
    if failure is None:
        return EventContext(tuple(pruned))
    failed = timeline.event(failure)
    own = tuple(one for one in pruned if one.slot == failed.slot)
    rest = tuple(one for one in pruned if one.slot != failed.slot)
    return EventContext(rest, DeadEnd(failed, own, tuple(_undone_after(timeline, failure))))


def _failure_before(timeline: Timeline, number: int) -> int | None:
    """Return the number of the wipe-out that led to a backtrack or backjump; None if not found."""
    for place in range(number - 1, max(number - _FARTHEST, timeline.first) - 1, -1):
        kind = timeline.event(place).kind
        if kind is EventKind.WIPE_OUT:
            return place
        if kind not in _WAYS_BACK:
            return None
    return None


def _pruned_before(timeline: Timeline, number: int) -> list[Event]:
    found: list[Event] = []
    for place in range(number, max(number - _FARTHEST, timeline.first) - 1, -1):
        event = timeline.event(place)
        if event.kind in _ENDS_OF_PRUNING:
            break
        if event.kind in (EventKind.PRUNE, EventKind.CONSTRAINT) and event.slot is not None and event.word is None:
            found.append(event)
    return found[::-1]


def _undone_after(timeline: Timeline, failure: int) -> list[Event]:
    found: list[Event] = []
    for event in timeline.events(failure + 1, _FARTHEST):
        if event.kind not in _WAYS_BACK:
            break
        found.append(event)
    return found


def _dead_end_lines(dead_end: DeadEnd) -> list[str]:
    lines = [dead_end.failure.describe()]
    jumped = [_subject(event) for event in dead_end.undone if event.kind is EventKind.JUMP]
    if jumped:
        lines.append(f"jumps back over {listed(jumped, 'and')}")
    refuted = [event for event in dead_end.undone if event.kind is EventKind.BACKTRACK]
    if refuted:
        choices = [f"{_subject(event)} = {event.word or ''.join(event.wanted)}" for event in refuted]
        lines.append(f"undoes {listed(choices, 'and')}, continues from {refuted[-1].other or 'the start'}")
    crossings = [f"{event.before:,} → {event.after:,}{_through(event)}" for event in dead_end.emptied_by]
    if crossings:
        lines.append(f"before that: {'; '.join(crossings[-_MOST_LINES:])}")
    return lines


def _subject(event: Event) -> str:
    return event.slot or str(event.crossing)


def _through(event: Event) -> str:
    through = f" through {event.crossing}" if event.crossing is not None else ""
    return f"{through} ({event.other})" if through and event.other else through
