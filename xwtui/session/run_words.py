"""How a run stands and how it ended, in words that every face uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from xwtui.session.fill_options import MOST_KEPT, Mode
from xwtui.session.run_view import Quality, RunView
from xwtui.text import printable

if TYPE_CHECKING:
    from xwtui.engine.event import Event

PARTIAL_HINT = "`fill --partial` fills what can be filled"
_MOST_STOPPED = 3
_LONGEST_REASON = 200
_DEEPEST_INDENT = 8


def standing_words(run: RunView) -> str:
    """What a run has so far."""
    match run.mode:
        case Mode.PARTIAL:
            return f"{run.found:,} of {run.wanted:,} squares"
        case Mode.DIVERSE:
            return f"{run.found} of {run.wanted} fills"
        case Mode.ALL:
            return ", ".join([counted(run.found, "fill"), *(_placed(run) or [counted(run.nodes, "node")])])
        case Mode.FILL:
            depth = f"depth {run.depth} of {run.deepest}"
            return f"{depth}, {counted(run.nodes, 'node')}, {counted(run.backtracks, 'backtrack')}"
        case _:
            return quality_words(run.quality) if run.quality is not None else "no fill yet"


def quality_words(quality: Quality) -> str:
    """How good the best fill is, where it began, and what no fill can exceed."""
    name = quality.unit.removesuffix(" score")
    parts = [f"{name}{':' if ' ' in name else ''} {figure(quality.value)}"]
    if quality.bound is not None:
        parts.append(f"(from {figure(quality.first)}, at best {figure(quality.bound)})")
    others = []
    if quality.unit != "mean score":
        others.append(f"mean {quality.mean_score:.1f}")
    if quality.unit != "lowest score":
        others.append(f"lowest {quality.lowest_score}")
    return ", ".join([" ".join(parts), *others, counted(quality.rounds, "round")])


def ending_words(run: RunView) -> str:
    """How a run that is no plain fill has ended; what stopped a partial one is for `stopped_lines`."""
    return _ENDINGS[run.mode](run)


def ending_line(run: RunView) -> str:
    """The same where there is one line for it all: it names the first entries that a partial fill left."""
    named = "; ".join(stopped_lines(run)[:_MOST_STOPPED])
    more = "; …" if len(run.stopped) > _MOST_STOPPED else ""
    return ending_words(run) + (f": {named}{more}" if named else "")


def _partial_ending(run: RunView) -> str:
    if not run.squares and run.outcome.name == "CANCELLED":
        return "stopped, the grid is as it was"
    if run.outcome.name == "FILLED":
        return "filled: nothing had to be left out"
    return f"filled {standing_words(run)}, {counted(len(run.stopped), 'entry', 'entries')} left"


def stopped_lines(run: RunView) -> list[str]:
    """The entries that a partial fill left, each with its reason."""
    return [printable(f"{one.entry}: {one.reason}", _LONGEST_REASON) for one in run.stopped]


def _several_ending(run: RunView) -> str:
    if run.found == 0 and run.reason:
        return f"impossible: {run.reason}"
    found = counted(run.found, "fill")
    how = {"CANCELLED": "stopped with", "UNKNOWN": "the time is up, with"}.get(run.outcome.name, "found")
    missing = f" of {run.wanted}" if run.found < run.wanted else ""
    return f"{how} {found}{missing}"


def all_fills_words(fills: int, reason: str) -> str:
    """How many fills a search has come through: all of them, or, with a reason, some of them."""
    found = counted(fills, "fill")
    return f"{found} at least: {reason}" if reason else f"{found}, all that there are"


def _all_ending(run: RunView) -> str:
    if run.outcome.name == "IMPOSSIBLE":
        return f"impossible: {run.reason}"
    reason = "it was stopped" if run.outcome.name == "CANCELLED" else run.reason
    kept = [f"the first {MOST_KEPT} are kept"] if run.found > MOST_KEPT else []
    return "; ".join([all_fills_words(run.found, reason), *_placed(run), *kept])


def _placed(run: RunView) -> list[str]:
    """The letters placed, of a search that goes letter by letter."""
    return [] if run.placements is None else [f"{counted(run.placements, 'letter')} placed"]


def _better_ending(run: RunView) -> str:
    quality = run.quality
    if quality is None:
        said = {"IMPOSSIBLE": f"impossible: {run.reason or 'there is no fill with these words'}"}
        return said.get(run.outcome.name, "stopped before a fill was found; the grid is as it was")
    if quality.is_proved:
        how = "as good as can be (proved)"
    elif run.outcome.name == "CANCELLED":
        how = "stopped, the best stays"
    else:
        how = "the time is up"
    if quality.better == 0 and not quality.is_proved:
        how += ", nothing better was found"
    return f"{how}: {quality_words(quality)}"


_ENDINGS: Mapping[Mode, Callable[[RunView], str]] = {
    Mode.PARTIAL: _partial_ending,
    Mode.DIVERSE: _several_ending,
    Mode.ALL: _all_ending,
    Mode.BEST: _better_ending,
    Mode.IMPROVE: _better_ending,
}


def numbered_event(number: int, event: Event) -> str:
    """An event in a line, after its number from 1 on, moved in by its depth."""
    return f"{number + 1:>7,}  {'  ' * min(event.depth, _DEEPEST_INDENT)}{event.describe()}"


def place_words(run: RunView) -> str:
    """Which event is shown, of how many; empty before the first."""
    if run.last_event < 0:
        return ""
    return f"event {run.event_number + 1:,} of {run.last_event + 1:,}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: `1 node`, `2 nodes`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def figure(value: float) -> str:
    """A value with one digit after the point where it has any."""
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"
