"""The race as text, the same in every face: figures, tables, the plot, and why runs failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xwtui.batch.races.plots import PLOT_TITLE, SurvivalPlot, legend_lines, plot_rows
from xwtui.batch.races.summary import Summary, ranked_summaries
from xwtui.batch.races.task import RaceView, RunState, RunStatus

NOTHING = "–"
_MANY = 10_000_000

_LONGEST_NAME = 22
"""A first cell longer than this gets a line of its own."""
_PLOT_HEIGHT = 13


def seconds_text(seconds: float | None) -> str:
    """Return seconds with three significant digits: `0.003`, `1.25`, `12.5`, `125`."""
    if seconds is None:
        return NOTHING
    return f"{seconds:.{3 if seconds < 1 else 2 if seconds < 10 else 1 if seconds < 100 else 0}f}"


def count_text(count: float | None) -> str:
    """Return a count, or a median of counts: `1,204`, `9,999,999`, `12.3M`."""
    if count is None:
        return NOTHING
    return f"{count:,.0f}" if count < _MANY else f"{count / 1e6:,.1f}M"


def score_text(score: float | None) -> str:
    """Return a mean score: `54.3`."""
    return NOTHING if score is None else f"{score:.1f}"


def failure_text(summary: Summary) -> str:
    """Return what went wrong, and how often: `2 out of time, 1 crashed`."""
    counts = {**summary.failures, RunState.REFUSED: summary.refused, RunState.STOPPED: summary.stopped}
    return ", ".join(f"{count} {state.value}" for state, count in counts.items() if count)


def median_text(summary: Summary, budget: float) -> str:
    """Return the median seconds, or `> 10` if the median is a failure."""
    if summary.median_seconds is None and summary.counted:
        return f"> {budget:g}"
    return seconds_text(summary.median_seconds)


class Column(NamedTuple):
    """A column's heading, the text of its cells, and whether they are numbers, which are right-aligned."""

    heading: str
    cell: Callable[..., str]
    is_number: bool = True


class Row(NamedTuple):
    """A row's cells, and the state that it shows, if any."""

    cells: tuple[str, ...]
    state: RunState | None = None


LIVE_COLUMNS = (
    Column("strategy", lambda run, runs: run.entrant, is_number=False),
    Column("done", lambda run, runs: f"{sum(one.state.is_over for one in runs)}/{len(runs)}"),
    Column("state", lambda run, runs: run.state.value, is_number=False),
    Column("seconds", lambda run, runs: seconds_text(run.search_seconds)),
    Column("nodes", lambda run, runs: count_text(run.nodes)),
    Column("backtr.", lambda run, runs: count_text(run.backtracks)),
    Column("depth", lambda run, runs: count_text(run.depth)),
    Column("score", lambda run, runs: score_text(run.mean_score)),
    Column("squares", lambda run, runs: f"{run.squares}/{run.all_squares}"),
)
"""Columns about the shown run of an entrant, and all its runs."""
SUMMARY_COLUMNS = (
    Column("strategy", lambda one, budget: one.entrant, is_number=False),
    Column("settled", lambda one, budget: f"{one.settled}/{one.counted}"),
    Column("median", median_text),
    Column("PAR2", lambda one, budget: seconds_text(one.penalised_seconds)),
    Column("nodes", lambda one, budget: count_text(one.median_nodes)),
    Column("backtr.", lambda one, budget: count_text(one.median_backtracks)),
    Column("score", lambda one, budget: score_text(one.median_score)),
    Column("failures", lambda one, budget: failure_text(one), is_number=False),
)
"""Columns about the summary of an entrant, and the budget of a run."""


def live_rows(view: RaceView) -> list[Row]:
    """Return each entrant's current run, or else its last finished one."""
    shown = [(shown_run(runs), runs) for runs in map(view.of, view.entrants)]
    return [Row(tuple(column.cell(run, runs) for column in LIVE_COLUMNS), run.state) for run, runs in shown]


def shown_run(runs: tuple[RunStatus, ...]) -> RunStatus:
    """Return which of an entrant's runs to show."""
    going = [run for run in runs if run.state in (RunState.RUNNING, RunState.PREPARING)]
    over = [run for run in runs if run.state.is_over]
    return going[0] if going else over[-1] if over else runs[0]


def summary_rows(view: RaceView) -> list[Row]:
    """Return the summary of each entrant, best first."""
    found, budget = ranked_summaries(view), view.order.seconds
    return [Row(tuple(column.cell(one, budget) for column in SUMMARY_COLUMNS)) for one in found]


def reason_lines(view: RaceView) -> list[str]:
    """Return why runs failed or were refused, each reason once with its entrants; timeouts need no reason."""
    entrants: dict[str, dict[str, None]] = {}
    for one in view.statuses:
        if one.reason and not one.state.is_settled:
            entrants.setdefault(f"{one.state.value}: {one.reason}", {})[one.entrant] = None
    return [f"{', '.join(names)}: {told}" for told, names in entrants.items()]


def ending_line(run: RunStatus) -> str:
    """Return how a run ended, in a line: `emogic-words, seed 0: filled in 0.553 s, 363 nodes`."""
    effort = f"{seconds_text(run.search_seconds)} s, {count_text(run.nodes)} nodes"
    reason = f": {run.reason}" if run.reason else ""
    return f"{run.entrant}, seed {run.seed}: {run.state.value} after {effort}{reason}"


def report_lines(view: RaceView, width: int) -> list[str]:
    """Return the summary over all seeds, the survival plot with this many columns, and the reasons."""
    plot = SurvivalPlot.of(view)
    reasons = reason_lines(view)
    return [
        *table_lines(SUMMARY_COLUMNS, summary_rows(view)),
        "",
        PLOT_TITLE,
        *plot_rows(plot, width, _PLOT_HEIGHT),
        *legend_lines(plot, width),
        *([""] if reasons else []),
        *reasons,
    ]


def progress_line(view: RaceView) -> str:
    """Return the progress of the race: `race: 3 of 27 runs over`."""
    over = sum(one.state.is_over and one.state is not RunState.STOPPED for one in view.statuses)
    return f"race: {over} of {len(view.statuses)} runs over"


def plan_line(view: RaceView) -> str:
    """Return the plan and the remaining time: `9 runs of at most 2 s, at most about 12 s to go`."""
    order, left = view.order, (one for one in view.statuses if not one.state.is_over)
    seconds = sum(max(order.seconds - one.search_seconds, 0) for one in left) / max(order.cores, 1)
    going = f", at most about {seconds:.0f} s to go" if seconds else ""
    return f"{len(view.statuses)} runs of at most {order.seconds:g} s{going}"


def table_lines(columns: Sequence[Column], rows: Sequence[Row]) -> list[str]:
    """Return a table with headings, numbers right-aligned; a long first cell gets a line above its row."""
    heading = tuple(column.heading for column in columns)
    short = [row.cells for row in rows if len(row.cells[0]) <= _LONGEST_NAME]
    inside = [heading, *short, *(("", *row.cells[1:]) for row in rows)]
    widths = [max(len(cells[place]) for cells in inside) for place in range(len(columns))]
    lines = [_line(columns, widths, heading), "─" * (sum(widths) + 2 * len(widths) - 2)]
    for row in rows:
        cells = row.cells
        if len(cells[0]) > _LONGEST_NAME:
            lines.append(cells[0])
            cells = ("", *cells[1:])
        lines.append(_line(columns, widths, cells))
    return lines


def _line(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    padded = [
        cell.rjust(width) if column.is_number else cell.ljust(width)
        for column, width, cell in zip(columns, widths, cells, strict=True)
    ]
    return "  ".join(padded).rstrip()
