"""The survival plot as geometry: where each entrant's line runs, in shares of the plot's width and height."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xwtui.racing.state import State
from xwtui.racing.survival import Step, settled_shares
from xwtui.racing.view import RaceView

PLOT_TITLE = "share of runs settled, over search time"
"""What the plot shows."""

MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""What tells the lines apart where colours do not; as many as may start."""

_FASTEST = 0.0001


class Tick(NamedTuple):
    """A time on the axis, and what stands there: `10 ms`."""

    seconds: float
    text: str


@dataclass(frozen=True)
class TimeAxis:
    """Search seconds on a logarithmic axis, from a power of ten to the budget."""

    first: float
    last: float

    @classmethod
    def over(cls, times: Sequence[float], budget: float) -> TimeAxis:
        """An axis for all of these times up to the budget, two powers of ten long at least."""
        least = min((time for time in times if time > 0), default=budget)
        power = math.floor(math.log10(max(min(least, budget / 100), _FASTEST)))
        return cls(10.0**power, max(budget, 10.0 ** (power + 1)))

    def place(self, seconds: float) -> float:
        """Where a time lies, 0 for the first and 1 for the last; earlier ones lie at 0."""
        if seconds <= self.first:
            return 0.0
        return min(math.log(seconds / self.first) / math.log(self.last / self.first), 1.0)

    def time_at(self, place: float) -> float:
        """The time at a place from 0 to 1."""
        return float(self.first * (self.last / self.first) ** place)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The powers of ten, and the last time."""
        powers = range(round(math.log10(self.first)), math.ceil(math.log10(self.last)) + 1)
        tens = [10.0**power for power in powers if 10.0**power < self.last * 0.7]
        return tuple(Tick(seconds, time_text(seconds)) for seconds in (*tens, self.last))


@dataclass(frozen=True)
class SurvivalLine:
    """One entrant: its steps up to the budget, and the letter that marks it."""

    entrant: str
    mark: str
    steps: tuple[Step, ...]

    def share_at(self, seconds: float) -> float:
        """The share of its runs that is settled by then."""
        return max((step.share for step in self.steps if step.seconds <= seconds), default=0.0)

    @property
    def last_share(self) -> float:
        """The share that is settled in the end."""
        return self.steps[-1].share if self.steps else 0.0


@dataclass(frozen=True)
class SurvivalPlot:
    """All lines over one axis."""

    axis: TimeAxis
    lines: tuple[SurvivalLine, ...]

    @classmethod
    def of(cls, view: RaceView) -> SurvivalPlot:
        """The plot of a race; entrants that refused the task have no line."""
        runs_of = {name: view.of(name) for name in view.entrants}
        took_part = [name for name, runs in runs_of.items() if any(run.state is not State.REFUSED for run in runs)]
        lines = tuple(
            SurvivalLine(name, mark, settled_shares(runs_of[name]))
            for name, mark in zip(took_part, MARKS, strict=False)
        )
        times = [step.seconds for line in lines for step in line.steps]
        return cls(TimeAxis.over(times, view.order.seconds), lines)


def time_text(seconds: float) -> str:
    """A time as it stands on an axis: `1 ms`, `2.5 s`."""
    return f"{seconds * 1000:g} ms" if seconds < 1 else f"{seconds:g} s"
