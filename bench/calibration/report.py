"""The calibration as a page of tables."""

import statistics
from collections.abc import Callable, Iterable, Sequence

from bench.calibration.measure import EXACT_NODES, RUNS, SEEDS, Verdict
from bench.calibration.spread import SECONDS, THREADS, Spread
from bench.tables import table

_HEAD = (
    "kind",
    "cases",
    "log10 of the truth",
    "pairwise",
    "Bethe",
    "particles",
    "interval wide",
    "holds the truth",
)
_CASE_HEAD = (
    "kind",
    "log10 of the truth",
    "pairwise",
    "Bethe",
    "particles",
    "interval wide",
    "holds",
    "exact counter",
)
_SPREAD_HEAD = ("template", "fills", "sd of log10", "interval wide", "runs", "seconds a run")


def page(verdicts: Sequence[Verdict], spreads: Sequence[Spread]) -> str:
    """Return the whole page, in Markdown."""
    kinds = list(dict.fromkeys(verdict.case.kind for verdict in verdicts))
    rows = [_kind_row(kind, [one for one in verdicts if one.case.kind == kind]) for kind in kinds]
    rows.append(_kind_row("all", verdicts))
    lines = [
        "# How far off the counts are",
        "",
        "`make calibrate` runs each way of counting on grids whose number of fills is known without the engine "
        "(`bench/calibration/`). Small grids (3x3, 4x4, 5x5) are counted by listing, grids of independent parts "
        "by multiplying the counts of the parts, and strips with a transfer matrix. Words are drawn from the "
        "default list.",
        "",
        "An error is the estimate minus the truth, in powers of ten. The table shows the median error and, in "
        f"parentheses, the median of its size. Particles use {RUNS} runs and {SEEDS} seeds for each case; the "
        "width of their 95 % interval is a median.",
        "",
        *table(_HEAD, rows),
        "",
        "![Errors by the size of the truth](calibration.svg)",
        "",
        *_remarks(verdicts),
        "",
        "## How far a count scatters",
        "",
        "These are ordinary 15x15 templates with the default list, each counted with "
        f"{spreads[0].seeds if spreads else 0} seeds. Each count had {THREADS * SECONDS:g} seconds of processor "
        f"time, beliefs included: as much as {SECONDS:g} seconds on {THREADS} idle cores. The standard deviation "
        "is over the seeds.",
        "",
        *table(_SPREAD_HEAD, map(_spread_row, spreads)),
        "",
        "## Every case",
        "",
        *table(_CASE_HEAD, map(_case_row, verdicts)),
    ]
    return "\n".join(lines) + "\n"


def _remarks(verdicts: Sequence[Verdict]) -> list[str]:
    zeros = [verdict for verdict in verdicts if verdict.answer == 0]
    wrong = sum(verdict.case.fills > 0 for verdict in zeros)
    judged = [is_right for verdict in verdicts for is_right in verdict.right]
    counted = [verdict for verdict in verdicts if verdict.exact is not None]
    right = sum(verdict.exact == verdict.case.fills for verdict in counted)
    return [
        "- The table shows the particles by themselves. In use, the counter tries an exact count first; with "
        f"that, {sum(judged)} of {len(judged)} answers hold the truth ({sum(judged) / max(len(judged), 1):.0%}).",
        f"- The counter proved that there is no fill in {len(zeros)} cases, {wrong} of them wrongly.",
        f"- The exact counter finished within {EXACT_NODES:,} nodes in {len(counted)} of {len(verdicts)} cases, "
        f"and is right in {right} of them.",
    ]


def share_held(verdicts: Iterable[Verdict]) -> float:
    """Return the share of the intervals that contain the truth."""
    held = [one.holds for verdict in verdicts for one in verdict.intervals]
    return sum(held) / len(held) if held else 1.0


def _kind_row(kind: str, verdicts: Sequence[Verdict]) -> list[str]:
    truths = [verdict.truth for verdict in verdicts if verdict.truth is not None]
    widths = [one.width for verdict in verdicts for one in verdict.intervals]
    return [
        kind,
        str(len(verdicts)),
        f"{min(truths):.1f} to {max(truths):.1f}" if truths else "no fill",
        *(
            _errors(verdicts, error)
            for error in (lambda one: one.pairwise, lambda one: one.bethe, lambda one: one.particles)
        ),
        f"{statistics.median(widths):.2f}" if widths else "",
        f"{share_held(verdicts):.0%} of {len(widths)}" if widths else "",
    ]


def _errors(verdicts: Sequence[Verdict], error_of: Callable[[Verdict], float | None]) -> str:
    errors = [error for verdict in verdicts if (error := error_of(verdict)) is not None]
    if not errors:
        return ""
    return f"{statistics.median(errors):+.2f} ({statistics.median(map(abs, errors)):.2f})"


def _case_row(verdict: Verdict) -> list[str]:
    return [
        verdict.case.kind,
        "no fill" if verdict.truth is None else f"{verdict.truth:.2f}",
        *(
            "" if error is None else f"{error:+.2f}"
            for error in (verdict.pairwise, verdict.bethe, verdict.particles)
        ),
        "" if verdict.width is None else f"{verdict.width:.2f}",
        f"{verdict.held} of {len(verdict.intervals)}" if verdict.intervals else "",
        "out of time" if verdict.exact is None else "right" if verdict.exact == verdict.case.fills else "WRONG",
    ]


def _spread_row(spread: Spread) -> list[str]:
    return [
        spread.template,
        f"10^{statistics.fmean(spread.log10s):.2f}",
        f"{statistics.stdev(spread.log10s):.2f}",
        f"{statistics.median(spread.widths):.2f}",
        f"{statistics.median(spread.runs):g}",
        f"{spread.seconds_a_run:.2f}",
    ]
