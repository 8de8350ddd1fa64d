"""The survival plot as an SVG file, for light and dark pages; lines differ in dashes and markers, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as Xml

from xwtui.racing.survival_plot import PLOT_TITLE, SurvivalLine, SurvivalPlot

_WIDTH = 760
_LEFT, _RIGHT, _TOP = 56, 24, 44
_PLOT_HEIGHT = 280
_LEGEND_ROW = 20
_LEGEND_COLUMN = 340
_FOOT = 56
_ACROSS = _WIDTH - _LEFT - _RIGHT

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a6fd0")
"""Of Okabe and Ito, https://jfly.uni-koeln.de/color/, with a violet for their yellow, which white swallows."""
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


class _Look(NamedTuple):
    """How a line looks: no two of the first fifty are drawn alike."""

    colour: str
    dashes: str
    marker: str


def svg_plot(plot: SurvivalPlot, title: str) -> str:
    """The text of the file: the share of settled runs over search seconds, with a legend."""
    rows = -(-len(plot.lines) // 2)
    height = _TOP + _PLOT_HEIGHT + _FOOT + rows * _LEGEND_ROW
    box = {"width": str(_WIDTH), "height": str(height), "viewBox": f"0 0 {_WIDTH} {height}"}
    root = Xml.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **box})
    Xml.SubElement(root, "title").text = title
    Xml.SubElement(root, "style").text = _STYLE
    _text(root, _LEFT, 22, title, {"class": "title"})
    _draw_frame(root, plot)
    for number, line in enumerate(plot.lines):
        _draw_line(root, plot, line, _look(number))
    for number, line in enumerate(plot.lines):
        _draw_legend(root, number, line)
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode") + "\n"


def _look(number: int) -> _Look:
    """How the line of a number looks."""
    return _Look(
        _COLOURS[number % len(_COLOURS)],
        _DASHES[number % len(_DASHES)],
        _MARKERS[number % len(_MARKERS)],
    )


def _x(plot: SurvivalPlot, seconds: float) -> float:
    return round(_LEFT + _ACROSS * plot.axis.place(seconds), 1)


def _y(share: float) -> float:
    return round(_TOP + _PLOT_HEIGHT * (1 - share), 1)


def _draw_frame(root: Xml.Element, plot: SurvivalPlot) -> None:
    """Axes, rules and their labels."""
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


def _corners(plot: SurvivalPlot, line: SurvivalLine) -> Iterator[tuple[float, float]]:
    """The corners of a line from the left to the right edge."""
    share = 0.0
    yield _x(plot, 0.0), _y(share)
    for step in line.steps:
        yield _x(plot, step.seconds), _y(share)
        share = step.share
        yield _x(plot, step.seconds), _y(share)
    yield _x(plot, plot.axis.last), _y(share)


def _draw_line(root: Xml.Element, plot: SurvivalPlot, line: SurvivalLine, look: _Look) -> None:
    points = " ".join(f"{x},{y}" for x, y in _corners(plot, line))
    drawn = Xml.SubElement(root, "polyline", {"class": "line", "points": points, **_stroke(look)})
    Xml.SubElement(drawn, "title").text = line.entrant
    for step in line.steps:
        _draw_marker(root, _x(plot, step.seconds), _y(step.share), look)


def _draw_marker(root: Xml.Element, x: float, y: float, look: _Look) -> None:
    Xml.SubElement(root, "path", {"d": look.marker, "transform": f"translate({x} {y})", "fill": look.colour})


def _draw_legend(root: Xml.Element, number: int, line: SurvivalLine) -> None:
    """One entrant below the plot, two on a row."""
    row, column = divmod(number, 2)
    x, y = _LEFT + column * _LEGEND_COLUMN, _TOP + _PLOT_HEIGHT + _FOOT + row * _LEGEND_ROW
    look = _look(number)
    points = f"{x},{y} {x + 36},{y}"
    Xml.SubElement(root, "polyline", {"class": "line", "points": points, **_stroke(look)})
    _draw_marker(root, x + 18, y, look)
    _text(root, x + 44, y + 4, f"{line.entrant}  {line.last_share:.0%}", {})


def _stroke(look: _Look) -> dict[str, str]:
    return {"stroke": look.colour} | ({"stroke-dasharray": look.dashes} if look.dashes else {})


def _rule(root: Xml.Element, x1: float, y1: float, x2: float, y2: float) -> None:
    Xml.SubElement(root, "line", {"class": "rule", "x1": str(x1), "y1": str(y1), "x2": str(x2), "y2": str(y2)})


def _text(root: Xml.Element, x: float, y: float, text: str, attributes: dict[str, str]) -> None:
    Xml.SubElement(root, "text", {"x": str(x), "y": str(y), **attributes}).text = text
