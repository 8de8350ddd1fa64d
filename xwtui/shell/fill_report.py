"""What a fill came to, as JSON and as text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from xwtui.engine.outcome import Outcome, Statistics
from xwtui.model import Content, Position, Puzzle
from xwtui.model.statistics import GridStatistics
from xwtui.shell.engine_start import Loaded
from xwtui.shell.text_output import grid_rows


class SearchResult(Protocol):
    """What the report tells of a search."""

    @property
    def outcome(self) -> Outcome:
        """What it came to."""

    @property
    def statistics(self) -> Statistics:
        """What it took."""

    @property
    def seed(self) -> int:
        """The seed of its chance."""

    @property
    def threads(self) -> int:
        """The searches side by side."""

    @property
    def squares(self) -> Mapping[Position, Content]:
        """The fill, or the first of many; empty where there is none."""

    @property
    def reason(self) -> str:
        """Why no fill exists, or why there is none yet; else empty."""


@dataclass(frozen=True)
class Filled:
    """A search's end: the puzzle with the fill, or as it was, and the figures.

    `total` is the seconds since the command was called.
    """

    prepared: Loaded
    result: SearchResult
    puzzle: Puzzle
    statistics: GridStatistics
    total: float


def as_json(filled: Filled) -> dict[str, Any]:
    """The object of `fill --json`; it has a `reason` too where there is provably no fill."""
    grid, result = filled.puzzle.grid, filled.result
    score = filled.prepared.lexicon.score
    answers = {slot.name: answer for slot in grid.slots if (answer := grid.answer(slot)) is not None}
    document: dict[str, Any] = {
        "status": result.outcome.value,
        "grid": grid_rows(grid),
        "answers": {name: {"word": word, "score": score(word)} for name, word in answers.items()},
        "seconds": _seconds(filled),
        "nodes": result.statistics.nodes,
        "backtracks": result.statistics.backtracks,
        "restarts": result.statistics.restarts,
        "mean_score": filled.statistics.mean_score,
        "lowest_score": filled.statistics.lowest_score,
        "seed": result.seed,
        "threads": result.threads,
    }
    if result.reason:
        document["reason"] = result.reason
    return document


def _seconds(filled: Filled) -> dict[str, float]:
    times = {
        "load": filled.prepared.load,
        "compile": filled.prepared.compile,
        "search": filled.result.statistics.seconds_search,
        "total": filled.total,
    }
    return {name: round(seconds, 6) for name, seconds in times.items()}


def figures(filled: Filled) -> list[str]:
    """The outcome and the effort, in two lines."""
    found = filled.result.statistics
    seconds = _seconds(filled)
    effort = ", ".join(
        (_count(found.nodes, "node"), _count(found.backtracks, "backtrack"), _count(found.restarts, "restart"))
    )
    times = ", ".join(f"{name} {seconds[name]:.2f} s" for name in ("load", "compile", "search"))
    match filled.result.outcome:
        case Outcome.FILLED:
            return [f"filled: {_scores(filled.statistics)}", f"{effort}; {times}"]
        case Outcome.IMPOSSIBLE:
            return [
                f"impossible: {filled.result.reason or 'there is no fill with these words'}",
                f"{effort}; {times}",
            ]
        case Outcome.CANCELLED:
            how = "stopped, with the first fill" if filled.result.squares else "stopped, no file was written"
            return [how, f"{effort}; {times}"]
        case _ if filled.result.reason:
            return [f"unknown: {filled.result.reason}", f"{effort}; {times}"]
        case _:
            return [
                "unknown: the time is up, with neither a fill nor a proof that there is none",
                f"{effort}; {times}; try --time, --threads, another --seed or a lower --min-score",
            ]


def _scores(statistics: GridStatistics) -> str:
    entries = _count(statistics.entries, "entry", "entries")
    if statistics.filled_entries < statistics.entries:
        entries = f"{statistics.filled_entries:,} of {entries}"
    if statistics.mean_score is None:
        return f"{entries}, none of them in the word list"
    text = f"{entries}, mean score {statistics.mean_score:.1f}, lowest {statistics.lowest_score}"
    unlisted = ", ".join(f"{name} {answer}" for name, answer in statistics.unlisted)
    return f"{text}; not in the word list: {unlisted}" if unlisted else text


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
