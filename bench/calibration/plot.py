"""A plot of the calibration: the error of each estimator against the true count."""

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.calibration.measure import Verdict
from bench.plots import STYLES


def draw(path: Path, verdicts: Sequence[Verdict]) -> None:
    """Plot the errors and intervals against the truth, and write an SVG file."""
    import matplotlib as mpl  # noqa: PLC0415  only those who draw need it

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "xwtui"
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    known = [verdict for verdict in verdicts if verdict.truth is not None]
    for verdict in known:
        if verdict.intervals and verdict.truth is not None:
            low, high = (statistics.median(ends) for ends in zip(*_ends(verdict), strict=True))
            axes.plot((verdict.truth, verdict.truth), (low, high), color=STYLES[2][0], alpha=0.4, linewidth=1)
    instruments = (
        ("pairwise", [verdict.pairwise for verdict in known]),
        ("Bethe", [verdict.bethe for verdict in known]),
        ("particles, with the 95 % interval", [verdict.particles for verdict in known]),
    )
    for (name, errors), (colour, marker) in zip(instruments, STYLES, strict=False):
        points = [(one.truth or 0.0, error) for one, error in zip(known, errors, strict=True) if error is not None]
        truths, heights = zip(*points, strict=True)
        axes.scatter(truths, heights, s=12, color=colour, marker=marker, label=name)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set(xscale="symlog", xlabel="log10 of the number of fills", ylabel="error of log10")
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def _ends(verdict: Verdict) -> Iterator[tuple[float, float]]:
    for one in verdict.intervals:
        yield one.low, one.high
