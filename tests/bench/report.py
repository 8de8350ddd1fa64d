"""The contest as tables: seconds, and how many times longer than xwtui the others take."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tests.bench.contest import Standing
from tests.bench.fillers.field import OURS
from tests.bench.tables import duration, geometric_mean, table

SLOWER_BY = 0.005
"""Seconds by which another search must be faster to be named."""


@dataclass(frozen=True)
class Report:
    """The standings of a contest, to be told."""

    standings: Sequence[Standing]
    others: Sequence[str]
    limit: float
    """Seconds after which a filler gave up."""

    def lines(self) -> list[str]:
        """All tables and verdicts."""
        return [*self.by_kind(), "", *self.verdicts(), "", *self.by_template()]

    def by_kind(self) -> list[str]:
        """A row a kind: the median over its templates, and each other's geometric mean ratio to ours."""
        head = ["kind", "templates", "filled", "median"]
        for name in self.others:
            head += [f"{name} filled", "median", "times ours"]
        groups = [(kind, list(group)) for kind, group in groupby(self.standings, lambda each: each.kind)]
        rows = [self._kind_row(kind, group) for kind, group in groups]
        if len(groups) > 1:
            rows.append(self._kind_row("all", list(self.standings)))
        return table(head, rows)

    def _kind_row(self, kind: str, group: Sequence[Standing]) -> list[str]:
        row = [kind, str(len(group)), str(sum(each.is_filled(OURS) for each in group)), self._median(group, OURS)]
        for name in self.others:
            ratios = [ratio for each in group if (ratio := self.ratio(each, name)) is not None]
            is_least = any(each.has_given_up(name) for each in group)
            times = f"{'≥ ' if is_least else ''}{geometric_mean(ratios):.1f}" if ratios else ""
            row += [str(sum(each.is_filled(name) for each in group)), self._median(group, name), times]
        return row

    def _median(self, group: Sequence[Standing], name: str) -> str:
        """The median of the templates' medians, giving up counted as the limit."""
        median = statistics.median(self.counted(each, name) for each in group)
        return f"> {self.limit:.0f} s" if median >= self.limit else duration(median)

    def counted(self, standing: Standing, name: str) -> float:
        """The median seconds of a filler on a template, the limit where it gave up."""
        seconds = standing.seconds(name)
        return self.limit if seconds is None else seconds

    def ratio(self, standing: Standing, name: str) -> float | None:
        """How many times our seconds another took, giving up counted as the limit; None where both did."""
        if standing.seconds(OURS) is None and standing.seconds(name) is None:
            return None
        return self.counted(standing, name) / self.counted(standing, OURS)

    def by_template(self) -> list[str]:
        """A row a template: our median, then each other's with the difference and the ratio to ours."""
        head = ["template", "entries", OURS]
        for name in self.others:
            head += [name, "more by", "times"]
        return table(head, [self._template_row(each) for each in self.standings])

    def _template_row(self, standing: Standing) -> list[str]:
        row = [standing.template, str(standing.entries), self._figure(standing, OURS)]
        for name in self.others:
            ratio = self.ratio(standing, name)
            difference = self.counted(standing, name) - self.counted(standing, OURS)
            least = "≥ " if standing.has_given_up(name) else ""
            sign = "-" if difference < 0 else ""
            more = f"{least}{sign}{duration(abs(difference))}" if ratio is not None else ""
            row += [self._figure(standing, name), more, "" if ratio is None else f"{least}{ratio:.1f}"]
        return row

    def _figure(self, standing: Standing, name: str) -> str:
        seconds = standing.seconds(name)
        if seconds is None:
            return f"> {self.limit:.0f} s" if standing.has_given_up(name) else "-"
        return duration(seconds) + ("*" if name in standing.objections else "")

    def verdicts(self) -> list[str]:
        """Who filled how many, what the referee objected to, and where another was better."""
        lines = []
        for name in (OURS, *self.others):
            filled = sum(standing.is_filled(name) for standing in self.standings)
            lines.append(f"- {name}: {filled} of {len(self.standings)} filled, every run judged.")
            wrong = [each for each in self.standings if name in each.objections]
            lines += [f"  - \\* {each.template}: {each.objections[name]}" for each in wrong]
        for name in self.others:
            lines += [self._unfilled(name), self._slower(name)]
        return lines

    def _unfilled(self, name: str) -> str:
        left = [each.template for each in self.standings if each.is_filled(name) and not each.is_filled(OURS)]
        return f"- Filled by {name} and not by {OURS}: {', '.join(left) or 'none'}."

    def _slower(self, name: str) -> str:
        lost = [
            f"{each.template} ({duration(self.counted(each, OURS) - self.counted(each, name))})"
            for each in self.standings
            if self.counted(each, OURS) - self.counted(each, name) > SLOWER_BY
        ]
        return f"- {name} faster by more than {SLOWER_BY * 1000:.0f} ms: {', '.join(lost) or 'on none'}."
