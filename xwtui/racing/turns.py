"""Several runs on one core: each has its turn, one after the other."""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from xwtui.racing.run import Run
from xwtui.racing.standing import Standing
from xwtui.racing.state import State

SECONDS_A_TURN = 0.02
_REPORT_SECONDS = 0.25
"""How often a run that goes on is reported."""

Report = Callable[[int, Standing], object]
"""Takes the number of a run and how it stands."""


class Turns:
    """The runs that are under way; whoever calls `turn` gives the next one its slice.

    Python's collector of cyclic garbage looks at the objects of all runs in whosever turn it wakes up; lanes
    turn it off, and it works here, between turns, when a run is over.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._runs: deque[tuple[int, Run]] = deque()
        self._told: dict[int, float] = {}

    @property
    def is_idle(self) -> bool:
        """Whether there is no run left."""
        return not self._runs

    @property
    def next(self) -> int:
        """The number of the run whose turn is next."""
        return self._runs[0][0]

    def add(self, number: int, run: Run) -> None:
        """Let a run take part from now on."""
        self._runs.append((number, run))

    def turn(self, seconds: float = SECONDS_A_TURN) -> None:
        """Give the next run its turn, and tell how it stands at its ends and every now and then."""
        number, run = self._runs.popleft()
        if run.state is State.WAITING:
            self._report(number, replace(run.standing(), state=State.PREPARING))
        run.turn(seconds)
        now = time.perf_counter()
        if run.state.is_over or now - self._told.get(number, 0.0) >= _REPORT_SECONDS:
            self._report(number, run.standing())
            self._told[number] = now
        if run.state.is_over:
            gc.collect()
        else:
            self._runs.append((number, run))
