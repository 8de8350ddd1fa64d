"""What a run with more than one search came to, as JSON and as text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from xwtui.model import Puzzle
from xwtui.model.statistics import grid_statistics
from xwtui.session.fill_options import Mode
from xwtui.session.run_view import RunView
from xwtui.session.wording import ending_words, stopped_lines
from xwtui.shell.engine_start import Prepared
from xwtui.shell.text_output import grid_rows


@dataclass(frozen=True)
class Ran:
    """A run's end, with the puzzles that it made; seconds of the run, and since the command was called."""

    prepared: Prepared
    view: RunView
    puzzles: tuple[Puzzle, ...]
    searched: float
    total: float


def as_json(ran: Ran) -> dict[str, Any]:
    """The object of `--json`: `fills` for several, else the keys of one fill and what the mode adds."""
    view = ran.view
    document: dict[str, Any] = {
        "status": _status(view),
        "mode": view.mode.value,
        "seconds": _seconds(ran),
        "seed": view.seed,
        "threads": view.threads,
    }
    if view.mode is Mode.DIVERSE:
        document |= {"wanted": view.wanted, "fills": [_fill(ran, puzzle) for puzzle in ran.puzzles]}
    else:
        document |= _fill(ran, ran.puzzles[0] if ran.puzzles else ran.prepared.puzzle)
    document |= _details(view)
    return document | ({"reason": view.reason} if view.reason else {})


def _status(view: RunView) -> str:
    """As for a plain fill: `filled` wherever there is a whole fill, even if time ended the run."""
    is_filled = view.quality is not None or (view.mode is Mode.DIVERSE and view.found > 0)
    return "filled" if is_filled else view.outcome.value


def _fill(ran: Ran, puzzle: Puzzle) -> dict[str, Any]:
    grid, score = puzzle.grid, ran.prepared.lexicon.score
    answers = {slot.name: answer for slot in grid.slots if (answer := grid.answer(slot)) is not None}
    statistics = grid_statistics(grid, score)
    return {
        "grid": grid_rows(grid),
        "answers": {name: {"word": word, "score": score(word)} for name, word in answers.items()},
        "mean_score": statistics.mean_score,
        "lowest_score": statistics.lowest_score,
    }


def _details(view: RunView) -> dict[str, Any]:
    """What only some runs have."""
    if view.mode is Mode.PARTIAL:
        stopped = [{"entry": one.entry, "reason": one.reason} for one in view.stopped]
        return {"filled": view.found, "open": view.wanted - view.found, "stopped": stopped}
    quality = view.quality
    if quality is None:
        return {}
    return {
        "aim": quality.unit,
        "value": quality.value,
        "first_value": quality.first,
        "bound": quality.bound,
        "gap": quality.gap,
        "rounds": quality.rounds,
        "better_fills": quality.better,
        "proved": quality.is_proved,
    }


def _seconds(ran: Ran) -> Mapping[str, float]:
    times = {
        "load": ran.prepared.load,
        "compile": ran.prepared.compile,
        "search": ran.searched,
        "total": ran.total,
    }
    return {name: round(seconds, 6) for name, seconds in times.items()}


def figures(ran: Ran) -> list[str]:
    """How it ended, and how long it took."""
    view, seconds = ran.view, _seconds(ran)
    times = ", ".join(f"{name} {seconds[name]:.2f} s" for name in ("load", "compile", "search"))
    lines = [ending_words(view), *(f"  {line}" for line in stopped_lines(view))]
    if view.mode is Mode.DIVERSE:
        lines += [f"  {number}  {_scores(ran, puzzle)}" for number, puzzle in enumerate(ran.puzzles, start=1)]
    return [*lines, times]


def _scores(ran: Ran, puzzle: Puzzle) -> str:
    statistics = grid_statistics(puzzle.grid, ran.prepared.lexicon.score)
    return f"mean score {statistics.mean_score or 0:.1f}, lowest {statistics.lowest_score}"
