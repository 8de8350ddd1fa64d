"""The race as a file (JSON, CSV, or the plot as SVG), and as the object that `--json` prints."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from xwtui.batch.races.plots import SurvivalPlot, svg_plot
from xwtui.batch.races.summary import settled_shares, summarise
from xwtui.batch.races.task import RaceView, RunState, RunStatus
from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import write_atomically

JSON_VERSION = 1
"""Increases when a key is removed or changes its meaning; new keys may be added at any time."""

_CSV: Mapping[str, Callable[[RunStatus], object]] = {
    "strategy": lambda run: run.entrant,
    "seed": lambda run: run.seed,
    "state": lambda run: run.state.value,
    "search_seconds": lambda run: f"{run.search_seconds:.6f}",
    "prepare_seconds": lambda run: f"{run.prepare_seconds:.6f}",
    "nodes": lambda run: run.nodes,
    "backtracks": lambda run: run.backtracks,
    "restarts": lambda run: run.restarts,
    "depth_decisions": lambda run: run.depth,
    "filled_squares": lambda run: run.squares,
    "all_squares": lambda run: run.all_squares,
    "mean_score": lambda run: None if run.mean_score is None else f"{run.mean_score:.2f}",
    "lowest_score": lambda run: run.lowest_score,
    "reason": lambda run: run.reason,
}
CSV_COLUMNS = tuple(_CSV)
TITLE = "Strategies on one grid"
"""The heading of a plot."""


def race_as_json(view: RaceView) -> dict[str, Any]:
    """Return the race as plain lists, dicts, strings and numbers."""
    return {
        "status": status(view),
        "version": JSON_VERSION,
        "seconds_each": view.order.seconds,
        "seeds": list(view.order.seeds),
        "cores": view.order.cores,
        "strategies": [_summary(view, name) for name in view.entrants],
        "runs": [
            {
                "strategy": one.entrant,
                **{name: value for name, value in asdict(one).items() if name != "entrant"},
                **{
                    name: _rounded(getattr(one, name))
                    for name in ("prepare_seconds", "search_seconds", "mean_score")
                },
                "state": one.state.value,
                "grid": list(one.grid),
            }
            for one in view.statuses
        ],
    }


def status(view: RaceView) -> str:
    """Return what is known about the grid: `filled`, `impossible`, or else `cancelled` or `unknown`."""
    states = {one.state for one in view.statuses}
    if RunState.FILLED in states:
        return "filled"
    if RunState.IMPOSSIBLE in states:
        return "impossible"
    return "cancelled" if view.is_stopped else "unknown"


def _summary(view: RaceView, entrant: str) -> dict[str, Any]:
    runs = view.of(entrant)
    summary, steps = summarise(entrant, runs, view.order.seconds), settled_shares(runs)
    return {
        "strategy": summary.entrant,
        "counted": summary.counted,
        "settled": summary.settled,
        "filled": summary.filled,
        "failures": {state.value: count for state, count in summary.failures.items()},
        "refused": summary.refused,
        "stopped": summary.stopped,
        "median_seconds": _rounded(summary.median_seconds),
        "par2_seconds": _rounded(summary.penalised_seconds),
        "median_nodes": summary.median_nodes,
        "median_backtracks": summary.median_backtracks,
        "median_mean_score": _rounded(summary.median_score),
        "survival": [[_rounded(step.seconds), _rounded(step.share)] for step in steps],
        "reason": summary.reason,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def race_as_csv(view: RaceView) -> str:
    """Return the race as CSV (RFC 4180); unknown values are empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(CSV_COLUMNS)
    writer.writerows([cell(run) for cell in _CSV.values()] for run in view.statuses)
    return text.getvalue()


_WRITERS: Mapping[str, Callable[[RaceView], str]] = {
    ".json": lambda view: json.dumps(race_as_json(view), ensure_ascii=False, indent=1) + "\n",
    ".csv": race_as_csv,
    ".svg": lambda view: svg_plot(SurvivalPlot.of(view), TITLE),
}

SUFFIXES = tuple(_WRITERS)
"""The file types that a race can be written as."""


def check_target(path: Path) -> None:
    """Raise PuzzleFormatError if the race cannot be written to this file, so that this is known before it runs."""
    if path.suffix.lower() not in _WRITERS:
        raise PuzzleFormatError(f"{path}: a race is saved as {', '.join(SUFFIXES)}, not {path.suffix!r}")
    if not path.parent.is_dir():
        raise PuzzleFormatError(f"{path}: there is no folder {path.parent}")


def write_race(path: Path, view: RaceView) -> None:
    """Write the race; raises PuzzleFormatError if that is impossible."""
    check_target(path)
    write_atomically(path, _WRITERS[path.suffix.lower()](view).encode())
