"""The contest as tables: seconds, and how many times longer than xwtui the others take."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from tests.bench.contest import Standing

OURS = "xwtui"


class Column(NamedTuple):
    """One figure to compare: of the summary, the field to show."""

    title: str
    field: str


SEARCH = Column("search", "search")
WHOLE = Column("whole process", "whole")


def table(standings: Sequence[Standing], fillers: Sequence[str], column: Column, limit: float) -> list[str]:
    """A row a template: our figure, then each other's with its ratio to ours."""
    others = [name for name in fillers if name != OURS and _has_figures(standings, name, column)]
    head = f"{column.title:<16} entries {OURS:>10}" + "".join(f"{name:>14}{'ratio':>8}" for name in others)
    lines = [head, "-" * len(head)]
    lines += [_row(standing, others, column, limit) for standing in standings]
    for name in others:
        lines.append(_means(standings, name, column, limit))
    return lines


def _has_figures(standings: Sequence[Standing], name: str, column: Column) -> bool:
    return any(getattr(run, column.field) is not None for each in standings for run in each.runs.get(name, []))


def _row(standing: Standing, others: Sequence[str], column: Column, limit: float) -> str:
    ours = getattr(standing.summary(OURS), column.field)
    cells = [f"{standing.template:<16} {standing.entries:>7} {_figure(standing, OURS, column, limit):>10}"]
    for name in others:
        theirs = getattr(standing.summary(name), column.field)
        ratio = f"{theirs / ours:.1f}" if theirs and ours else ""
        if not ratio and ours and standing.has_given_up(name):
            ratio = f">{limit / ours:.0f}"
        cells.append(f"{_figure(standing, name, column, limit):>14}{ratio:>8}")
    return "".join(cells)


def _figure(standing: Standing, name: str, column: Column, limit: float) -> str:
    value = getattr(standing.summary(name), column.field)
    mark = "*" if name in standing.objections else ""
    if value is not None:
        return (f"{value * 1000:,.1f} ms" if value < 1 else f"{value:.2f} s") + mark
    return f"> {limit:.0f} s" if standing.has_given_up(name) else "-"


def _means(standings: Sequence[Standing], name: str, column: Column, limit: float) -> str:
    both: list[float] = []
    at_least: list[float] = []
    for standing in standings:
        ours = getattr(standing.summary(OURS), column.field)
        theirs = getattr(standing.summary(name), column.field)
        if ours and theirs:
            both.append(theirs / ours)
            at_least.append(theirs / ours)
        elif ours and standing.has_given_up(name):
            at_least.append(limit / ours)
    if not at_least:
        return f"{name}: no template filled by both"
    where_both = f"{_geometric_mean(both):.1f} times ours on the {len(both)} filled by both" if both else ""
    with_rest = (
        f"at least {_geometric_mean(at_least):.1f} times on all {len(at_least)}, giving up counted as the limit"
    )
    return f"{name}: geometric mean {', '.join(part for part in (where_both, with_rest) if part)}"


def _geometric_mean(ratios: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def verdicts(standings: Sequence[Standing], fillers: Sequence[str]) -> list[str]:
    """Who filled how many, what the referee objected to, and where another search was the faster one."""
    lines = []
    for name in fillers:
        filled = sum(standing.is_filled(name) for standing in standings)
        lines.append(f"{name}: {filled} of {len(standings)} filled, every run judged")
        lines += [f"  * {each.template}: {each.objections[name]}" for each in standings if name in each.objections]
    for standing in standings:
        ours = standing.summary(OURS).search
        for name in fillers:
            theirs = standing.summary(name).search
            if name != OURS and ours and theirs and ours > theirs:
                lines.append(f"{standing.template}: {name} searched {(ours - theirs) * 1000:.1f} ms less")
    return lines
