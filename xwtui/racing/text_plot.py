"""The survival plot in the terminal: each line is drawn with its letter, so that no colour is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from xwtui.racing.survival_plot import SurvivalLine, SurvivalPlot

_LABEL_WIDTH = 5
_LEAST_WIDTH, _LEAST_HEIGHT = 20, 3


def plot_rows(plot: SurvivalPlot, width: int, height: int) -> list[str]:
    """The plot in so many columns and rows, axes included: the share of settled runs over search seconds.

    Where lines lie on each other, their letters take turns.
    """
    columns = max(width - _LABEL_WIDTH - 1, _LEAST_WIDTH)
    rows = max(height - 2, _LEAST_HEIGHT)
    cells = _cells(plot, columns, rows)
    lines: list[str] = []
    for row in range(rows):
        drawn = "".join(_mark(cells.get((row, x), ()), x) for x in range(columns))
        lines.append(f"{_share_text(row, rows):>{_LABEL_WIDTH}}│{drawn}")
    return [line.rstrip() for line in (*lines, *_time_axis(plot, columns))]


def legend_lines(plot: SurvivalPlot, width: int) -> list[str]:
    """What each letter stands for, as many on a line as there is room for."""
    lines: list[str] = []
    for line in plot.lines:
        told = f"{line.mark} {line.entrant} {line.last_share:.0%}"
        if lines and len(lines[-1]) + 3 + len(told) <= width:
            lines[-1] += f"   {told}"
        else:
            lines.append(told)
    return lines


def _share_text(row: int, rows: int) -> str:
    """The label of a row: the whole at the top, nothing at the foot, the half where a row is just there."""
    labels = {0: "100%", rows - 1: "0%"}
    if rows % 2:
        labels[rows // 2] = "50%"
    return labels.get(row, "")


def _cells(plot: SurvivalPlot, columns: int, rows: int) -> dict[tuple[int, int], list[str]]:
    """The letters that are on each cell, by row and column."""
    cells: dict[tuple[int, int], list[str]] = {}
    for line in plot.lines:
        for cell in _path(plot, line, columns, rows):
            cells.setdefault(cell, []).append(line.mark)
    return cells


def _path(plot: SurvivalPlot, line: SurvivalLine, columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """The cells of a line, each once: along, and up where it rises."""
    times = [plot.axis.time_at((x + 1) / columns) for x in range(columns)]
    heights = [round((1 - line.share_at(time)) * (rows - 1)) for time in times]
    yield heights[0], 0
    for x, (before, here) in enumerate(pairwise(heights), start=1):
        for row in range(here, max(before, here + 1)):
            yield row, x


def _mark(marks: Sequence[str], column: int) -> str:
    return marks[column % len(marks)] if marks else " "


def _time_axis(plot: SurvivalPlot, columns: int) -> list[str]:
    """The axis and its labels, those that have room."""
    axis, labels = ["─"] * columns, [" "] * (columns + _LABEL_WIDTH + 1)
    free = 0
    for tick in plot.axis.ticks:
        x = min(round(plot.axis.place(tick.seconds) * columns), columns - 1)
        axis[x] = "┴"
        start = min(max(x + _LABEL_WIDTH + 1 - len(tick.text) // 2, free), len(labels) - len(tick.text))
        if start >= free:
            labels[start : start + len(tick.text)] = tick.text
            free = start + len(tick.text) + 1
    return [" " * _LABEL_WIDTH + "└" + "".join(axis), "".join(labels)]
