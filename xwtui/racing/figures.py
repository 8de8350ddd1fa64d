"""Figures of the race as short texts, the same in every table."""

from __future__ import annotations

from xwtui.racing.standing import Standing
from xwtui.racing.state import State
from xwtui.racing.summary import Summary

NOTHING = "–"
_MANY = 10_000_000


def seconds_text(seconds: float | None) -> str:
    """Seconds with three digits that mean something: `0.003`, `1.25`, `12.5`, `125`."""
    if seconds is None:
        return NOTHING
    return f"{seconds:.{3 if seconds < 1 else 2 if seconds < 10 else 1 if seconds < 100 else 0}f}"


def count_text(count: float | None) -> str:
    """A count, or the median of counts: `1,204`, `9,999,999`, `12.3M`."""
    if count is None:
        return NOTHING
    return f"{count:,.0f}" if count < _MANY else f"{count / 1e6:,.1f}M"


def score_text(score: float | None) -> str:
    """A mean score: `54.3`."""
    return NOTHING if score is None else f"{score:.1f}"


def squares_text(run: Standing) -> str:
    """Squares filled of all: `105/105`."""
    return f"{run.squares}/{run.all_squares}"


def failure_text(summary: Summary) -> str:
    """What went wrong, and how often: `2 out of time, 1 crashed`."""
    counts = {**summary.failures, State.REFUSED: summary.refused, State.STOPPED: summary.stopped}
    return ", ".join(f"{count} {state.value}" for state, count in counts.items() if count)


def median_text(summary: Summary, budget: float) -> str:
    """The median of the seconds: `> 10` where it is a failure."""
    if summary.median_seconds is None and summary.counted:
        return f"> {budget:g}"
    return seconds_text(summary.median_seconds)
