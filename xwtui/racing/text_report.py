"""The race as plain text: tables, the plot, and why runs failed."""

from __future__ import annotations

from collections.abc import Sequence

from xwtui.racing.survival_plot import PLOT_TITLE, SurvivalPlot
from xwtui.racing.tables import SUMMARY_COLUMNS, Column, Row, reason_lines, summary_rows
from xwtui.racing.text_plot import legend_lines, plot_rows
from xwtui.racing.view import RaceView

_LONGEST_NAME = 22
"""Characters of a first cell beyond which it has a line of its own."""
_PLOT_HEIGHT = 13


def report_lines(view: RaceView, width: int) -> list[str]:
    """The summary over the seeds, the survival plot in so many columns, and the reasons."""
    plot = SurvivalPlot.of(view)
    reasons = reason_lines(view)
    return [
        *summary_lines(view),
        "",
        PLOT_TITLE,
        *plot_rows(plot, width, _PLOT_HEIGHT),
        *legend_lines(plot, width),
        *([""] if reasons else []),
        *reasons,
    ]


def summary_lines(view: RaceView) -> list[str]:
    """The summary over the seeds, the best first."""
    return table_lines(SUMMARY_COLUMNS, summary_rows(view))


def progress_line(view: RaceView) -> str:
    """How far the race is: `3 of 27 runs over`."""
    over = sum(one.state.is_over for one in view.standings)
    return f"race: {over} of {len(view.standings)} runs over"


def table_lines(columns: Sequence[Column], rows: Sequence[Row]) -> list[str]:
    """A table under its headings, numbers to the right; a long first cell stands above its row."""
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
