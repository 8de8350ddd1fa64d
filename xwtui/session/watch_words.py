"""What is known of a search at one of its events, in words for every face."""

from __future__ import annotations

from collections.abc import Sequence

from xwtui.engine.watching.moment import Decision
from xwtui.engine.watching.thoughts import LikelyWord, Thoughts
from xwtui.session.run_view import RunView
from xwtui.text import printable

_LONGEST = 200
_NAME_WIDTH = 6
_OTHERS = 4
"""Other words that are named in the line."""


def watch_lines(run: RunView) -> list[str]:
    """The event, its story, what may come next, and the decisions in force, the latest first."""
    lines = [run.event.describe()] if run.event is not None else []
    lines += [f"  {line}" for line in story_lines(run)]
    lines += thought_lines(run.thoughts)
    if run.moment is not None and run.moment.decisions:
        lines.append("decided, the latest first")
        lines += [f"  {line}" for line in decision_lines(run.moment.decisions)]
    return [printable(line, _LONGEST) for line in lines]


def story_lines(run: RunView) -> list[str]:
    """What led to the event and comes of it; the event itself is told elsewhere."""
    told = run.story.lines() if run.story is not None else []
    return [line for line in told if run.event is None or line != run.event.describe()]


def thought_lines(thoughts: Thoughts | None) -> list[str]:
    """What would be decided next, and why."""
    if thoughts is None:
        return []
    lines = _tried_lines(thoughts)
    if thoughts.ranking:
        lines.append(_ranking_heading(thoughts))
        lines += [
            f"  {place}. {one.name:<{_NAME_WIDTH}}{one.figures}" for place, one in enumerate(thoughts.ranking, 1)
        ]
    if thoughts.words:
        lines.append(f"words for {thoughts.ranking[0].name}, by room and score")
        lines += [f"  {likely_words(one)}" for one in thoughts.words]
    return lines


def _ranking_heading(thoughts: Thoughts) -> str:
    return "compared for the last choice" if thoughts.is_of_last else "next: options / blame"


def _tried_lines(thoughts: Thoughts) -> list[str]:
    """What was tried last, and what would come there next."""
    if not thoughts.tried:
        return []
    if not thoughts.others:
        return [f"tried {thoughts.tried} = {thoughts.chosen}", "  no other is left there"]
    named = [one.word for one in thoughts.others[:_OTHERS]]
    more = len(thoughts.others) - len(named)
    return [
        f"tried {thoughts.tried} = {thoughts.chosen}; then",
        f"  {', '.join(named)}{', …' if more > 0 else ''}",
    ]


def likely_words(word: LikelyWord) -> str:
    """A word with its figures, as far as the search has any."""
    room = f"  leaves 10^{word.room:.1f}" if word.room else ""
    return f"{word.word}  {word.score}{room}"


def decision_lines(decisions: Sequence[Decision]) -> list[str]:
    """The decisions in force, the latest first."""
    return [f"{depth:>3}  {one.subject} = {one.choice}" for depth, one in reversed(list(enumerate(decisions, 1)))]
