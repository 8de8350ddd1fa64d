"""What is known of a search at one of its events, in words for every face."""

from __future__ import annotations

from collections.abc import Sequence

from xwtui.engine.watching.moment import Decision
from xwtui.engine.watching.thoughts import Thoughts
from xwtui.text import printable
from xwtui.workbench.run_view import RunView

_LONGEST = 200
_NAME_WIDTH = 6


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
    if thoughts is None or not thoughts.ranking:
        return []
    lines = ["next: options / blame" if thoughts.blame else "compared for the last choice"]
    lines += [
        f"  {place}. {one.name:<{_NAME_WIDTH}}{one.figures}" for place, one in enumerate(thoughts.ranking, 1)
    ]
    if thoughts.words:
        lines.append(f"words for {thoughts.ranking[0].name}, by room and score")
        lines += [f"  {one.word}  {one.score}  leaves 10^{one.room:.1f}" for one in thoughts.words]
    return lines


def decision_lines(decisions: Sequence[Decision]) -> list[str]:
    """The decisions in force, the latest first."""
    return [f"{depth:>3}  {one.subject} = {one.choice}" for depth, one in reversed(list(enumerate(decisions, 1)))]
