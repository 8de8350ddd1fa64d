"""Markdown tables that also read well as plain text, and human-readable durations."""

import math
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table; the first column is left-aligned, the others right-aligned."""
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return [_line(line, widths) for line in [lines[0], rule, *lines[1:]]]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "| " + " | ".join([first, *rest]) + " |"


def duration(seconds: float) -> str:
    """Format seconds with a unit and about three digits."""
    if seconds < 0.1:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def geometric_mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean of ratios."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))
