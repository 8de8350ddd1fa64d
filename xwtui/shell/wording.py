"""What the shell prints of an answer: one JSON object, or words; the only module that words answers here.

For people the grid is drawn, with the figures below. For another program stdout carries the grid as text that
xwtui reads again, and the figures go to stderr, so that commands can be piped together.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from xwtui.engine.events.event import Outcome
from xwtui.model.statistics import GridStatistics
from xwtui.printing import warn
from xwtui.session.answers import CountAnswer, FillAnswer, FindingsAnswer, RaceAnswer, ReviewAnswer
from xwtui.session.fill_options import Mode
from xwtui.session.verbs.verb import VerbAnswer
from xwtui.session.wording import all_fills_words, counted, ending_words, replaced_words, stopped_lines
from xwtui.shell.root import SCHEMA
from xwtui.shell.text_output import print_figures, print_grid
from xwtui.text import printable

_LONGEST_TITLE = 70
_WIDEST_PLOT = 100


@dataclass(frozen=True)
class Times:
    """Seconds: `started` as `perf_counter` has it; reading puzzle and words; the engine; the work itself."""

    started: float
    load: float
    compile: float
    search: float = 0.0
    total: float = 0.0

    def ended(self, answer: VerbAnswer) -> Times:
        """The same at the end."""
        search = answer.view.seconds if isinstance(answer, FillAnswer | RaceAnswer) else 0.0
        return replace(self, search=search, total=time.perf_counter() - self.started)

    def named(self, work: str) -> dict[str, float]:
        """Each by its name, rounded; the work is a `search` or a `race`."""
        times = {"load": self.load, "compile": self.compile, work: self.search, "total": self.total}
        return {name: round(seconds, 6) for name, seconds in times.items()}

    @property
    def words(self) -> str:
        """All but the total."""
        return f"load {self.load:.2f} s, compile {self.compile:.2f} s, search {self.search:.2f} s"


def as_json(answer: VerbAnswer, times: Times) -> dict[str, Any]:
    """The object of `--json`: what the answer has, after the version of its form."""
    document = {"schema": SCHEMA, **answer.as_json}
    if isinstance(answer, FillAnswer):
        document["seconds"] = times.named("search")
    elif isinstance(answer, RaceAnswer):
        document["seconds"] = times.named("race")
    return document


def print_answer(answer: VerbAnswer, times: Times, *, is_piped: bool, is_stopped: bool) -> None:
    """Print an answer in words."""
    match answer:
        case FillAnswer():
            _print_fill(answer, times, is_piped=is_piped, is_stopped=is_stopped)
        case RaceAnswer():
            _print(_race_lines(answer))
        case ReviewAnswer():
            _print(_review_lines(answer))
        case _:
            _print(answer.lines)


def _print(lines: Sequence[str]) -> None:
    print("\n".join(lines))


def stopped_words(answer: VerbAnswer) -> str:
    """What an answer is that a signal has cut short; empty where its own words say so."""
    match answer:
        case FillAnswer():
            return ""
        case CountAnswer():
            return "the count is the one reached so far"
        case RaceAnswer():
            return "this is the race so far"
        case FindingsAnswer():
            return "this is what was found so far"
    return "this is what is known so far"


def _print_fill(answer: FillAnswer, times: Times, *, is_piped: bool, is_stopped: bool) -> None:
    for puzzle in answer.fills:
        print_grid(puzzle.grid, is_piped=is_piped)
        if len(answer.fills) > 1:
            print()
    lines = _search_lines(answer, times) if answer.is_plain else _run_lines(answer, times)
    if answer.is_plain and is_stopped:
        warn("; ".join(lines))
    else:
        print_figures(lines, is_piped=is_piped)


def _search_lines(answer: FillAnswer, times: Times) -> list[str]:
    """The outcome and the effort of one search, and how many fills there are where that was asked."""
    view = answer.view
    took = [counted(view.nodes, "node"), counted(view.backtracks, "backtrack"), counted(view.restarts, "restart")]
    effort = f"{', '.join(took)}; {times.words}"
    reason = view.reason
    hint = ""
    match view.outcome:
        case Outcome.FILLED:
            told = f"filled: {_scores(answer.statistics)}"
        case Outcome.IMPOSSIBLE:
            told = f"impossible: {reason or 'there is no fill with these words'}"
        case Outcome.CANCELLED:
            told = "stopped, with the first fill" if answer.fills else "stopped, no file was written"
        case _ if reason:
            told = f"unknown: {reason}"
        case _:
            told = "unknown: the time is up, with neither a fill nor a proof that there is none"
            hint = "; try --time, --threads, another --seed or a lower --min-score"
    if view.mode is not Mode.ALL:
        replaced = replaced_words(view)
        return [told, *([replaced] if replaced else []), effort + hint]
    is_all = view.outcome in (Outcome.FILLED, Outcome.IMPOSSIBLE)
    return [told, effort, all_fills_words(view.found, "" if is_all else reason or "the search was not over")]


def _scores(statistics: GridStatistics) -> str:
    entries = counted(statistics.entries, "entry", "entries")
    if statistics.filled_entries < statistics.entries:
        entries = f"{statistics.filled_entries:,} of {entries}"
    if statistics.mean_score is None:
        return f"{entries}, none of them in the word list"
    text = f"{entries}, mean score {statistics.mean_score:.1f}, lowest {statistics.lowest_score}"
    unlisted = ", ".join(f"{name} {answer}" for name, answer in statistics.unlisted)
    return f"{text}; not in the word list: {unlisted}" if unlisted else text


def _run_lines(answer: FillAnswer, times: Times) -> list[str]:
    """How a run of several searches ended, and how long it took."""
    lines = [ending_words(answer.view), *(f"  {line}" for line in stopped_lines(answer.view))]
    if answer.view.mode is Mode.DIVERSE:
        for number, puzzle in enumerate(answer.fills, start=1):
            figures = replace(answer, fills=(puzzle,)).statistics
            lines.append(f"  {number}  mean score {figures.mean_score or 0:.1f}, lowest {figures.lowest_score}")
    return [*lines, times.words]


def _race_lines(answer: RaceAnswer) -> list[str]:
    from xwtui.racing.report import report_lines  # noqa: PLC0415  (only where there is a race)

    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
    return report_lines(answer.view, min(columns - 1, _WIDEST_PLOT))


def _review_lines(answer: ReviewAnswer) -> list[str]:
    puzzle, statistics = answer.puzzle, answer.statistics
    title = printable(puzzle.title, _LONGEST_TITLE) or "untitled"
    author = f" by {printable(puzzle.author, _LONGEST_TITLE)}" if puzzle.author else ""
    lines = [
        f"{title}{author}: {statistics.height}x{statistics.width}, {statistics.entries} entries, "
        f"{statistics.blocks} blocks, mean length {statistics.mean_length:.2f}",
        f"filled: {statistics.filled_entries} of {statistics.entries} entries, "
        f"{statistics.filled_squares} of {statistics.open_squares} squares, {statistics.rebus_squares} rebus",
    ]
    if statistics.mean_score is not None:
        lines.append(f"scores: mean {statistics.mean_score:.1f}, lowest {statistics.lowest_score}")
    if statistics.unlisted:
        lines.append("not in the word list: " + ", ".join(" ".join(pair) for pair in statistics.unlisted))
    if statistics.letters:
        lines.append("letters: " + " ".join(f"{letter}{n}" for letter, n in statistics.letters.items()))
    return [*lines, *answer.lines]
