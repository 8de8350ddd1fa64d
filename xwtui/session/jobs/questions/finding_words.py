"""Findings in lines, the same for the REPL, scripts and the shell."""

from __future__ import annotations

from collections.abc import Iterator

from xwtui.model import Grid, Position
from xwtui.session.jobs.questions.findings import Findings

_MOST_PROPOSALS = 12
HEAT_DIGITS = "0123456789"
"""What heat maps are drawn with, from easy to hard."""


def finding_lines(findings: Findings, grid: Grid, most: int = _MOST_PROPOSALS) -> Iterator[str]:
    """The answer, what explains it, the heat map if there is one, and the proposals with their numbers."""
    if findings.answer:
        yield findings.answer
    yield from (f"  {line}" for line in findings.lines)
    if findings.heat:
        yield from heat_lines(findings, grid)
    for number, proposal in enumerate(findings.proposals[:most], 1):
        yield f"{number:4}. {proposal.text}" + (f"  ({proposal.remark})" if proposal.remark else "")
    rest = len(findings.proposals) - most
    if rest > 0:
        yield f"      and {rest} more"
    if not findings.is_complete:
        yield f"not finished after {findings.seconds:.1f} s: a longer --time may find more"


def progress_words(findings: Findings) -> str:
    """How far the work is, for a status line."""
    parts = [findings.title, findings.answer, findings.progress, f"{findings.seconds:.1f} s"]
    return ": ".join(part for part in parts if part)


def heat_digit(heat: float) -> str:
    """The digit for a square that is so hard, 0 to 1."""
    return HEAT_DIGITS[round(heat * (len(HEAT_DIGITS) - 1))]


def heat_lines(findings: Findings, grid: Grid) -> Iterator[str]:
    """The grid with a digit for each empty square, 9 for the hardest, and a legend."""
    for row in range(grid.height):
        yield "    " + " ".join(_heat_sign(findings, grid, Position(row, column)) for column in range(grid.width))
    yield "    0 easy … 9 hard, █ block, · given"


def _heat_sign(findings: Findings, grid: Grid, at: Position) -> str:
    if at in findings.heat:
        return heat_digit(findings.heat[at])
    return "·" if grid[at].is_open else "█"
