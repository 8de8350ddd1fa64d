"""Plots with logarithmic axes, in colors safe for color-blind readers and with distinct markers."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

STYLES = (("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D"))
"""Colors of Okabe and Ito, https://jfly.uni-koeln.de/color/, with markers."""


class PointLike(Protocol):
    """A median with the lower and upper quartiles."""

    @property
    def size(self) -> int: ...
    @property
    def median(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


class Curve(NamedTuple):
    """A named line of points."""

    name: str
    points: Sequence[PointLike]


def draw(path: Path, across: str, curves: Sequence[Curve], limit: float) -> None:
    """Plot seconds against sizes, with the interquartile range as a band, and write an SVG file.

    Points on the dashed line were given up after `limit` seconds.
    """
    import matplotlib as mpl  # noqa: PLC0415  only those who draw need it

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "xwtui"
    from matplotlib import pyplot  # noqa: PLC0415
    from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    for curve, (colour, marker) in zip(curves, STYLES, strict=False):
        sizes = [point.size for point in curve.points]
        axes.plot(sizes, [point.median for point in curve.points], color=colour, marker=marker, label=curve.name)
        lows, highs = [point.low for point in curve.points], [point.high for point in curve.points]
        axes.fill_between(sizes, lows, highs, color=colour, alpha=0.15, linewidth=0)
    axes.axhline(limit, color="0.4", linestyle="--", label="given up")
    axes.set(xscale="log", yscale="log", xlabel=across, ylabel="seconds to the first fill")
    axes.set_xticks([point.size for point in curves[0].points])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
