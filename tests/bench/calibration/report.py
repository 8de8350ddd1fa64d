"""The calibration as a page of tables."""

import statistics
from collections.abc import Callable, Iterable, Sequence

from tests.bench.calibration.measure import EXACT_NODES, RUNS, Verdict
from tests.bench.tables import table

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
_CASE_HEAD = ("kind", "log10 of the truth", "pairwise", "Bethe", "particles", "interval", "holds", "exact counter")


def page(verdicts: Sequence[Verdict]) -> str:
    """The whole page, in Markdown."""
    kinds = list(dict.fromkeys(verdict.case.kind for verdict in verdicts))
    rows = [_kind_row(kind, [one for one in verdicts if one.case.kind == kind]) for kind in kinds]
    rows.append(_kind_row("all", verdicts))
    lines = [
        "# How far off the counts are",
        "",
        "`make calibrate` asks each instrument about grids whose number of fills is known without the "
        "engine: small ones by listing, independent parts as the product of theirs, strips by a transfer matrix "
        "(`tests/bench/calibration/`). Words are drawn from the default list.",
        "",
        "Errors are in powers of ten, estimate less truth: the median, and in brackets the median without sign. "
        f"Particles: {RUNS} runs; the interval is that of 95 %.",
        "",
        *table(_HEAD, rows),
        "",
        "![Errors by the size of the truth](calibration.svg)",
        "",
        *_remarks(verdicts),
        "",
        "## Every case",
        "",
        *table(_CASE_HEAD, map(_case_row, verdicts)),
    ]
    return "\n".join(lines) + "\n"


def _remarks(verdicts: Sequence[Verdict]) -> list[str]:
    zeros = [verdict for verdict in verdicts if verdict.answer == 0]
    wrong = sum(verdict.case.fills > 0 for verdict in zeros)
    judged = [verdict.is_right for verdict in verdicts if verdict.is_right is not None]
    counted = [verdict for verdict in verdicts if verdict.exact is not None]
    right = sum(verdict.exact == verdict.case.fills for verdict in counted)
    return [
        "- The table has the particles answer alone. As it is used, the counter tries an exact count first: then "
        f"{sum(judged)} of {len(judged)} answers hold the truth ({sum(judged) / max(len(judged), 1):.0%}).",
        f"- No fill, said with a proof: {len(zeros)} cases, {wrong} of them wrongly.",
        f"- The exact counter ended within {EXACT_NODES:,} nodes in {len(counted)} of {len(verdicts)} cases, "
        f"and is right in {right} of them.",
    ]


def share_held(verdicts: Iterable[Verdict]) -> float:
    """The share of the intervals that hold the truth."""
    held = [verdict.holds for verdict in verdicts if verdict.holds is not None]
    return sum(held) / len(held) if held else 1.0


def _kind_row(kind: str, verdicts: Sequence[Verdict]) -> list[str]:
    truths = [verdict.truth for verdict in verdicts if verdict.truth is not None]
    widths = [one.high - one.low for one in verdicts if one.high is not None and one.low is not None]
    intervals = sum(verdict.holds is not None for verdict in verdicts)
    return [
        kind,
        str(len(verdicts)),
        f"{min(truths):.1f} to {max(truths):.1f}" if truths else "no fill",
        *(
            _errors(verdicts, error)
            for error in (lambda one: one.pairwise, lambda one: one.bethe, lambda one: one.particles)
        ),
        f"{statistics.median(widths):.2f}" if widths and truths else "",
        f"{share_held(verdicts):.0%} of {intervals}" if intervals else "",
    ]


def _errors(verdicts: Sequence[Verdict], error_of: Callable[[Verdict], float | None]) -> str:
    errors = [error for verdict in verdicts if (error := error_of(verdict)) is not None]
    if not errors:
        return ""
    return f"{statistics.median(errors):+.2f} ({statistics.median(map(abs, errors)):.2f})"


def _case_row(verdict: Verdict) -> list[str]:
    has_interval = verdict.low is not None and verdict.high is not None and verdict.truth is not None
    return [
        verdict.case.kind,
        "no fill" if verdict.truth is None else f"{verdict.truth:.2f}",
        *(
            "" if error is None else f"{error:+.2f}"
            for error in (verdict.pairwise, verdict.bethe, verdict.particles)
        ),
        f"{verdict.low:.2f} to {verdict.high:.2f}" if has_interval else "",
        {True: "yes", False: "NO", None: ""}[verdict.holds],
        "out of time" if verdict.exact is None else "right" if verdict.exact == verdict.case.fills else "WRONG",
    ]
