"""The race as JSON; docs/race.md documents it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from xwtui.racing.standing import Standing
from xwtui.racing.state import State
from xwtui.racing.summary import Summary, summaries
from xwtui.racing.survival import settled_shares
from xwtui.racing.view import RaceView

VERSION = 1
"""Rises when a key changes its meaning or goes; new keys may come at any time."""


def race_as_json(view: RaceView) -> dict[str, Any]:
    """The object, of plain lists, dicts, texts and numbers."""
    return {
        "status": status(view),
        "version": VERSION,
        "seconds_each": view.order.seconds,
        "seeds": list(view.order.seeds),
        "cores": view.order.cores,
        "strategies": [_summary(view, one) for one in summaries(view)],
        "runs": [_run(one) for one in view.standings],
    }


def status(view: RaceView) -> str:
    """What is known of the grid now: `filled`, `impossible`, or else `cancelled` or `unknown`."""
    states = {one.state for one in view.standings}
    if State.FILLED in states:
        return "filled"
    if State.IMPOSSIBLE in states:
        return "impossible"
    return "cancelled" if view.is_stopped else "unknown"


def _summary(view: RaceView, summary: Summary) -> dict[str, Any]:
    steps = settled_shares(view.of(summary.entrant))
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


def _run(standing: Standing) -> dict[str, Any]:
    found = asdict(standing)
    found["strategy"] = found.pop("entrant")
    found["state"] = standing.state.value
    found["grid"] = list(standing.grid)
    for key in ("prepare_seconds", "search_seconds", "mean_score"):
        found[key] = _rounded(found[key])
    return {"strategy": found.pop("strategy"), **found}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
