"""The survival plot: one line for each entrant, drawn in the terminal or as an SVG file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from xml.etree import ElementTree as Xml

from xwtui.batch.races.summary import Step, settled_shares
from xwtui.batch.races.task import RaceView, RunState
from xwtui.dataclasses import dataclass

PLOT_TITLE = "share of runs settled, over search time"
"""The title of the plot."""

MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Letters that distinguish the lines without color; at least as many as the maximum number of entrants."""

_FASTEST = 0.0001

# In the terminal, in characters.
_LABEL_WIDTH = 5
_LEAST_WIDTH, _LEAST_HEIGHT = 20, 3
_FOOT_RULE = "─"

# As SVG, in pixels.
_WIDTH = 760
_LEFT, _RIGHT, _TOP = 56, 24, 44
_PLOT_HEIGHT = 280
_LEGEND_ROW = 20
_LEGEND_COLUMN = 340
_FOOT = 56
_ACROSS = _WIDTH - _LEFT - _RIGHT
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a6fd0")
"""Colors of Okabe and Ito, https://jfly.uni-koeln.de/color/, without their yellow, invisible on white."""
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "5 2 1 2 1 2")
_MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.5 -3.5h7v7h-7z",
    "M0 -4.5L4.5 3.5H-4.5z",
    "M0 -5L5 0L0 5L-5 0z",
    "M0 4.5L4.5 -3.5H-4.5z",
    "M-1.5 -5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z",
    "M0 -5L1.5 -1.5L5 0L1.5 1.5L0 5L-1.5 1.5L-5 0L-1.5 -1.5z",
    "M-5 -2.5h10v5h-10z",
)
_STYLE = """
svg { color-scheme: light dark; background: transparent; }
text { font: 12px system-ui, sans-serif; fill: #333; }
.title { font-size: 14px; font-weight: 600; }
.rule { stroke: #999; stroke-opacity: .35; }
.frame { stroke: #888; fill: none; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } }
"""


class Tick(NamedTuple):
    """A time on the axis and its label, such as `10 ms`."""

    seconds: float
    text: str


@dataclass(frozen=True)
class TimeAxis:
    """Search seconds on a logarithmic axis, from a power of ten to the budget."""

    first: float
    last: float

    @classmethod
    def over(cls, times: Sequence[float], budget: float) -> TimeAxis:
        """Return an axis for all of these times up to the budget, at least two powers of ten long."""
        least = min((time for time in times if time > 0), default=budget)
        power = math.floor(math.log10(max(min(least, budget / 100), _FASTEST)))
        return cls(10.0**power, max(budget, 10.0 ** (power + 1)))

    def place(self, seconds: float) -> float:
        """Return the position of a time, 0 for the first and 1 for the last; earlier times are at 0."""
        if seconds <= self.first:
            return 0.0
        return min(math.log(seconds / self.first) / math.log(self.last / self.first), 1.0)

    def time_at(self, place: float) -> float:
        """Return the time at a position from 0 to 1."""
        return float(self.first * (self.last / self.first) ** place)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The powers of ten, and the last time."""
        powers = range(round(math.log10(self.first)), math.ceil(math.log10(self.last)) + 1)
        tens = [10.0**power for power in powers if 10.0**power < self.last * 0.7]
        return tuple(Tick(seconds, time_text(seconds)) for seconds in (*tens, self.last))


@dataclass(frozen=True)
class SurvivalLine:
    """One entrant: its steps up to the budget, and the letter that marks it."""

    entrant: str
    mark: str
    steps: tuple[Step, ...]

    def share_at(self, seconds: float) -> float:
        """Return the share of its runs that are settled by this time."""
        return max((step.share for step in self.steps if step.seconds <= seconds), default=0.0)

    @property
    def last_share(self) -> float:
        return self.steps[-1].share if self.steps else 0.0


@dataclass(frozen=True)
class SurvivalPlot:
    """All lines over one axis."""

    axis: TimeAxis
    lines: tuple[SurvivalLine, ...]

    @classmethod
    def of(cls, view: RaceView) -> SurvivalPlot:
        """Return a race's plot; entrants that refused have no line, and the others keep their letters."""
        runs_of = {name: view.of(name) for name in view.entrants}
        lines = tuple(
            SurvivalLine(name, mark, settled_shares(runs))
            for (name, runs), mark in zip(runs_of.items(), MARKS, strict=False)
            if any(run.state is not RunState.REFUSED for run in runs)
        )
        times = [step.seconds for line in lines for step in line.steps]
        return cls(TimeAxis.over(times, view.order.seconds), lines)


def time_text(seconds: float) -> str:
    """Return a time as an axis label: `1 ms`, `2.5 s`."""
    return f"{seconds * 1000:g} ms" if seconds < 1 else f"{seconds:g} s"


def plot_rows(plot: SurvivalPlot, width: int, height: int) -> list[str]:
    """Return the plot with this many columns and rows, axes included: share of settled runs over search seconds.

    Lines that overlap alternate their letters. Several that have settled nothing yet are drawn as a rule.
    """
    columns = max(width - _LABEL_WIDTH - 1, _LEAST_WIDTH)
    rows = max(height - 2, _LEAST_HEIGHT)
    cells: dict[tuple[int, int], list[str]] = {}
    for line in plot.lines:
        for cell in _path(plot, line, columns, rows):
            cells.setdefault(cell, []).append(line.mark)

    def drawn(row: int, column: int) -> str:
        marks = cells.get((row, column), " ")
        return _FOOT_RULE if len(marks) > 1 and row == rows - 1 else marks[column % len(marks)]

    labels = {0: "100%", rows - 1: "0%"} | ({rows // 2: "50%"} if rows % 2 else {})
    lines = [
        f"{labels.get(row, ''):>{_LABEL_WIDTH}}│{''.join(drawn(row, column) for column in range(columns))}"
        for row in range(rows)
    ]
    return [line.rstrip() for line in (*lines, *_time_axis(plot, columns))]


def legend_lines(plot: SurvivalPlot, width: int) -> list[str]:
    """Return the legend of the letters, as many on a line as fit."""
    lines: list[str] = []
    for line in plot.lines:
        told = f"{line.mark} {line.entrant} {line.last_share:.0%}"
        if lines and len(lines[-1]) + 3 + len(told) <= width:
            lines[-1] += f"   {told}"
        else:
            lines.append(told)
    return lines


def _path(plot: SurvivalPlot, line: SurvivalLine, columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """Yield the cells of a line, each once: to the right, and up where it rises."""
    times = [plot.axis.time_at((x + 1) / columns) for x in range(columns)]
    heights = [round((1 - line.share_at(time)) * (rows - 1)) for time in times]
    yield heights[0], 0
    for x, (before, here) in enumerate(pairwise(heights), start=1):
        for row in range(here, max(before, here + 1)):
            yield row, x


def _time_axis(plot: SurvivalPlot, columns: int) -> list[str]:
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


def svg_plot(plot: SurvivalPlot, title: str) -> str:
    """Return the SVG text: the share of settled runs over search seconds, with a legend."""
    rows = -(-len(plot.lines) // 2)
    height = _TOP + _PLOT_HEIGHT + _FOOT + rows * _LEGEND_ROW
    box = {"width": str(_WIDTH), "height": str(height), "viewBox": f"0 0 {_WIDTH} {height}"}
    root = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **box})
    Xml.SubElement(root, "title").text = title
    Xml.SubElement(root, "style").text = _STYLE
    _text(root, _LEFT, 22, title, {"class": "title"})
    _draw_frame(root, plot)
    for number, line in enumerate(plot.lines):
        _draw_line(root, plot, number, line)
    for number, line in enumerate(plot.lines):
        _draw_legend(root, number, line)
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode") + "\n"


def _x(plot: SurvivalPlot, seconds: float) -> float:
    return round(_LEFT + _ACROSS * plot.axis.place(seconds), 1)


def _y(share: float) -> float:
    return round(_TOP + _PLOT_HEIGHT * (1 - share), 1)


def _draw_frame(root: Xml.Element, plot: SurvivalPlot) -> None:
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        _rule(root, _LEFT, y, _LEFT + _ACROSS, y)
        _text(root, _LEFT - 8, y + 4, f"{percent}%", {"text-anchor": "end"})
    foot = _TOP + _PLOT_HEIGHT
    for tick in plot.axis.ticks:
        x = _x(plot, tick.seconds)
        _rule(root, x, _TOP, x, foot)
        _text(root, x, foot + 18, tick.text, {"text-anchor": "middle"})
    size = {"x": str(_LEFT), "y": str(_TOP), "width": str(_ACROSS), "height": str(_PLOT_HEIGHT)}
    Xml.SubElement(root, "rect", {"class": "frame", **size})
    _text(root, _LEFT + _ACROSS / 2, foot + 38, PLOT_TITLE, {"text-anchor": "middle"})


def _draw_line(root: Xml.Element, plot: SurvivalPlot, number: int, line: SurvivalLine) -> None:
    corners, share = [(_x(plot, 0.0), _y(0.0))], 0.0
    for step in line.steps:
        x = _x(plot, step.seconds)
        corners += [(x, _y(share)), (x, _y(step.share))]
        share = step.share
    points = " ".join(f"{x},{y}" for x, y in [*corners, (_x(plot, plot.axis.last), _y(share))])
    drawn = Xml.SubElement(root, "polyline", {"class": "line", "points": points, **_stroke(number)})
    Xml.SubElement(drawn, "title").text = line.entrant
    for step in line.steps:
        _draw_marker(root, _x(plot, step.seconds), _y(step.share), number)


def _draw_marker(root: Xml.Element, x: float, y: float, number: int) -> None:
    colour, _, marker = _look(number)
    Xml.SubElement(root, "path", {"d": marker, "transform": f"translate({x} {y})", "fill": colour})


def _draw_legend(root: Xml.Element, number: int, line: SurvivalLine) -> None:
    row, column = divmod(number, 2)
    x, y = _LEFT + column * _LEGEND_COLUMN, _TOP + _PLOT_HEIGHT + _FOOT + row * _LEGEND_ROW
    points = f"{x},{y} {x + 36},{y}"
    Xml.SubElement(root, "polyline", {"class": "line", "points": points, **_stroke(number)})
    _draw_marker(root, x + 18, y, number)
    _text(root, x + 44, y + 4, f"{line.entrant}  {line.last_share:.0%}", {})


def _look(number: int) -> tuple[str, str, str]:
    """Return the color, dashes and marker of a line; the first fifty are all different."""
    return _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)], _MARKERS[number % len(_MARKERS)]


def _stroke(number: int) -> dict[str, str]:
    colour, dashes, _ = _look(number)
    return {"stroke": colour} | ({"stroke-dasharray": dashes} if dashes else {})


def _rule(root: Xml.Element, x1: float, y1: float, x2: float, y2: float) -> None:
    Xml.SubElement(root, "line", {"class": "rule", "x1": str(x1), "y1": str(y1), "x2": str(x2), "y2": str(y2)})


def _text(root: Xml.Element, x: float, y: float, text: str, attributes: dict[str, str]) -> None:
    Xml.SubElement(root, "text", {"x": str(x), "y": str(y), **attributes}).text = text
