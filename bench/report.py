"""The contest as tables: seconds, and the ratio of each peer to xwtui."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from bench.contest import Standing
from bench.fillers.field import OURS
from bench.tables import duration, geometric_mean, table

SLOWER_BY = 0.005
"""Seconds by which a peer must be faster to be named."""


@dataclass(frozen=True)
class Report:
    """The results of a contest, for reporting."""

    standings: Sequence[Standing]
    others: Sequence[str]

    def lines(self) -> list[str]:
        """Return all tables and verdicts."""
        lines = self.by_kind()
        for name in self.others:
            lines += ["", f"Compared with {name}:", "", *self.beside(name)]
        return [*lines, "", *self.verdicts(), "", *self.by_template()]

    @cached_property
    def groups(self) -> list[tuple[str, list[Standing]]]:
        """The results by kind, followed by all if there are several kinds."""
        groups = [(kind, list(group)) for kind, group in groupby(self.standings, lambda each: each.kind)]
        return [*groups, ("all", list(self.standings))] if len(groups) > 1 else groups

    def by_kind(self) -> list[str]:
        """Return a row per kind: how many templates each filler filled, and its median."""
        head = ["kind", "templates"]
        for name in (OURS, *self.others):
            head += [f"{name} filled", "median"]
        rows = []
        for kind, group in self.groups:
            row = [kind, str(len(group))]
            for name in (OURS, *self.others):
                row += [str(sum(each.is_filled(name) for each in group)), _median(group, name)]
            rows.append(row)
        return table(head, rows)

    def beside(self, name: str) -> list[str]:
        """Return a row per kind: geometric mean ratios of the peer to ours, and our largest deficit."""
        head = ["kind", "both fill", "times ours", "either fills", "times ours", "at most slower than it by"]
        rows = []
        for kind, group in self.groups:
            both = [each for each in group if is_timed(each, OURS) and is_timed(each, name)]
            either = [each for each in group if is_timed(each, OURS) or is_timed(each, name)]
            times = [_times(both, name), _times(either, name)]
            rows.append([kind, str(len(both)), times[0], str(len(either)), times[1], _most_behind(group, name)])
        return table(head, rows)

    def by_template(self) -> list[str]:
        """Return a row per template: our median, then each peer's with the difference and ratio to ours."""
        head = ["template", "entries", OURS]
        for name in self.others:
            head += [name, "more by", "times"]
        return table(head, [self._template_row(each) for each in self.standings])

    def _template_row(self, standing: Standing) -> list[str]:
        row = [standing.template, str(standing.entries), _figure(standing, OURS)]
        for name in self.others:
            row.append(_figure(standing, name))
            if not is_timed(standing, OURS) and not is_timed(standing, name):
                row += ["", ""]
                continue
            bound, difference = _bound([standing], name), _difference(standing, name)
            sign = "-" if difference < 0 else ""
            row += [f"{bound}{sign}{duration(abs(difference))}", _times([standing], name)]
        return row

    def verdicts(self) -> list[str]:
        """Summarize who filled how many, the referee's objections, and where a peer was better."""
        lines = []
        for name in (OURS, *self.others):
            filled = sum(standing.is_filled(name) for standing in self.standings)
            lines.append(f"- {name}: {filled} of {len(self.standings)} filled, every run judged.")
            wrong = [each for each in self.standings if name in each.objections]
            lines += [f"  - \\* {each.template}: {each.objections[name]}" for each in wrong]
        proved = [each.template for each in self.standings if each.is_proved_empty(OURS)]
        left = [each for each in self.standings if each.has_given_up(OURS) and each.template not in proved]
        lines.append(f"- {OURS} proved that there is no fill: {_listed(proved)}.")
        lines.append(f"- Left unfilled by {OURS} with some seed: {_listed(each.template for each in left)}.")
        for name in self.others:
            better = [each.template for each in left if each.has_filled(name)]
            lines.append(f"  - Of these, filled by {name}: {_listed(better)}.")
        return lines + [self._slower(name) for name in self.others]

    def _slower(self, name: str) -> str:
        lost = [
            f"{each.template} ({duration(behind)})"
            for each in self.standings
            if is_timed(each, name) and (behind := -_difference(each, name)) > SLOWER_BY
        ]
        return f"- {name} faster by more than {SLOWER_BY * 1000:.0f} ms: {', '.join(lost) or 'on none'}."


def is_timed(standing: Standing, name: str) -> bool:
    """Whether every run of a filler ended with a fill, regardless of objections."""
    return standing.seconds(name) is not None


def _has_timed_out(standing: Standing, name: str) -> bool:
    return not is_timed(standing, name) and not standing.is_proved_empty(name)


def _difference(standing: Standing, name: str) -> float:
    """Return the peer's seconds minus ours."""
    return standing.counted(name) - standing.counted(OURS)


def _times(group: Sequence[Standing], name: str) -> str:
    """Return the geometric mean ratio of the peer's seconds to ours; giving up counts as the limit."""
    if not group:
        return ""
    ratios = [each.counted(name) / each.counted(OURS) for each in group]
    return f"{_bound(group, name)}{geometric_mean(ratios):.1f}"


def _bound(group: Sequence[Standing], name: str) -> str:
    """Mark a difference or ratio that giving up makes a lower bound, an upper bound, or neither."""
    is_least = any(not is_timed(each, name) for each in group)
    is_most = any(not is_timed(each, OURS) for each in group)
    return ("~ " if is_most else "≥ ") if is_least else ("≤ " if is_most else "")


def _most_behind(group: Sequence[Standing], name: str) -> str:
    """Return our largest deficit to the peer and its template; giving up counts as the limit."""
    lost = [(-_difference(each, name), each) for each in group if is_timed(each, name)]
    seconds, standing = max(lost, key=lambda each: each[0], default=(0.0, None))
    if standing is None or seconds <= 0:
        return "never"
    return f"{'' if is_timed(standing, OURS) else '≥ '}{duration(seconds)} ({standing.template})"


def _median(group: Sequence[Standing], name: str) -> str:
    """Return the median of the templates' medians; giving up counts as the limit."""
    median = statistics.median(each.counted(name) for each in group)
    given_up = [each.counted(name) for each in group if _has_timed_out(each, name)]
    return f"> {median:.0f} s" if given_up and median >= min(given_up) else duration(median)


def _figure(standing: Standing, name: str) -> str:
    if standing.is_proved_empty(name):
        return f"no fill: {duration(standing.counted(name))}"
    if not is_timed(standing, name):
        return f"> {standing.counted(name):.0f} s"
    return duration(standing.counted(name)) + ("*" if name in standing.objections else "")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
