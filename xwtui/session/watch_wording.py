"""A search that is watched in words that every face uses: its events, decisions, and what it thinks of next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xwtui.engine.events.event import Event, LikelyWord, Thoughts
from xwtui.engine.events.timeline import RecordedDecision
from xwtui.session.run_view import RunView
from xwtui.text import printable
from xwtui.wording import about

_LONGEST = 200
_DEEPEST_INDENT = 8
_NAME_WIDTH = 6
_OTHERS = 4
"""Other words that are named in the line."""


def watch_lines(run: RunView) -> list[str]:
    """The event, its story, what may come next, and the decisions in force, the latest first."""
    lines = [run.event.describe()] if run.event is not None else []
    lines += [f"  {line}" for line in story_lines(run)]
    lines += [line.text for line in thought_lines(run.thoughts)]
    if run.moment is not None and run.moment.decisions:
        lines.append("decided, the latest first")
        lines += [f"  {line}" for line in decision_lines(run.moment.decisions)]
    return [printable(line, _LONGEST) for line in lines]


def story_lines(run: RunView) -> list[str]:
    """What led to the event and comes of it; the event itself is told elsewhere."""
    told = run.story.lines() if run.story is not None else []
    return [line for line in told if run.event is None or line != run.event.describe()]


class ThoughtLine(NamedTuple):
    """A line of what the search thinks: a heading, or what stands below one."""

    text: str
    is_heading: bool = False


def thought_lines(thoughts: Thoughts | None) -> list[ThoughtLine]:
    """What would be decided next, and why."""
    if thoughts is None:
        return []
    lines = _tried_lines(thoughts)
    if thoughts.ranking:
        lines.append(ThoughtLine(_ranking_heading(thoughts), is_heading=True))
        lines += [
            ThoughtLine(f"  {place}. {one.name:<{_NAME_WIDTH}}{one.figures}")
            for place, one in enumerate(thoughts.ranking, 1)
        ]
    if thoughts.words:
        lines.append(ThoughtLine(f"words for {thoughts.ranking[0].name}, by room and score", is_heading=True))
        lines += [ThoughtLine(f"  {likely_words(one)}") for one in thoughts.words]
    return lines


def _ranking_heading(thoughts: Thoughts) -> str:
    return "compared for the last choice" if thoughts.is_of_last else "next: options / blame"


def _tried_lines(thoughts: Thoughts) -> list[ThoughtLine]:
    """What was tried last, and what would come there next."""
    if not thoughts.tried:
        return []
    if not thoughts.others:
        heading = f"tried {thoughts.tried} = {thoughts.chosen}"
        return [ThoughtLine(heading, is_heading=True), ThoughtLine("  no other word is left there")]
    named = [one.word for one in thoughts.others[:_OTHERS]]
    more = len(thoughts.others) - len(named)
    return [
        ThoughtLine(f"tried {thoughts.tried} = {thoughts.chosen}; then", is_heading=True),
        ThoughtLine(f"  {', '.join(named)}{', …' if more > 0 else ''}"),
    ]


def likely_words(word: LikelyWord) -> str:
    """A word with its figures, as far as the search has any."""
    return f"{word.word}  {likely_figures(word)}"


def likely_figures(word: LikelyWord) -> str:
    """The figures of a word, as far as the search has any."""
    room = f"  leaves {about(word.room)}" if word.room else ""
    return f"{word.score}{room}"


def decision_lines(decisions: Sequence[RecordedDecision]) -> list[str]:
    """The decisions in force, the latest first."""
    return [f"{depth:>3}  {one.subject} = {one.choice}" for depth, one in reversed(list(enumerate(decisions, 1)))]


def numbered_event(number: int, event: Event) -> str:
    """An event in a line, after its number from 1 on, moved in by its depth."""
    return f"{number + 1:>7,}  {'  ' * min(event.depth, _DEEPEST_INDENT)}{event.describe()}"


def place_words(run: RunView) -> str:
    """Which event is shown, of how many; empty before the first."""
    if run.last_event < 0:
        return ""
    return f"event {run.event_number + 1:,} of {run.last_event + 1:,}"
