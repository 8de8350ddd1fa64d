"""The race as CSV: one row a run, with the units in the names of the columns."""

from __future__ import annotations

import csv
import io

from xwtui.racing.standing import Standing
from xwtui.racing.view import RaceView

COLUMNS = (
    "strategy",
    "seed",
    "state",
    "search_seconds",
    "prepare_seconds",
    "nodes",
    "backtracks",
    "restarts",
    "depth_decisions",
    "filled_squares",
    "all_squares",
    "mean_score",
    "lowest_score",
    "reason",
)


def race_as_csv(view: RaceView) -> str:
    """The text of the file, as RFC 4180 has it; what is not known is empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(map(_row, view.standings))
    return text.getvalue()


def _row(run: Standing) -> list[str | int | None]:
    return [
        run.entrant,
        run.seed,
        run.state.value,
        f"{run.search_seconds:.6f}",
        f"{run.prepare_seconds:.6f}",
        run.nodes,
        run.backtracks,
        run.restarts,
        run.depth,
        run.squares,
        run.all_squares,
        None if run.mean_score is None else f"{run.mean_score:.2f}",
        run.lowest_score,
        run.reason,
    ]
