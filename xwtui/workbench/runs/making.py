"""Which kind of run does what is ordered."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from xwtui.workbench.goals import Goal
from xwtui.workbench.orders import FillOrder, Mode
from xwtui.workbench.runs.bettering import Best, Improving
from xwtui.workbench.runs.every_fill import EveryFill
from xwtui.workbench.runs.job import Job
from xwtui.workbench.runs.partial import Partial
from xwtui.workbench.runs.running import Running, RunOwner
from xwtui.workbench.runs.search import Search
from xwtui.workbench.runs.side_by_side import SideBySide
from xwtui.workbench.runs.variety import Variety

_JOBS: Mapping[Mode, type[Job]] = {
    Mode.FILL: SideBySide,
    Mode.PARTIAL: Partial,
    Mode.BEST: Best,
    Mode.DIVERSE: Variety,
    Mode.ALL: EveryFill,
    Mode.IMPROVE: Improving,
}


def make_run(owner: RunOwner, order: FillOrder, seed: int, idle: threading.Condition) -> Running:
    """The run for an order; a fill with one thread is a search that can be stepped."""
    if order.mode is Mode.FILL and order.threads == 1:
        return Search(owner, order, Goal(seconds=order.seconds), seed=seed, idle=idle)
    return make_job(owner, order, seed, idle)


def make_job(owner: RunOwner, order: FillOrder, seed: int, idle: threading.Condition) -> Job:
    """The job for an order, which works to its end."""
    return _JOBS[order.mode](owner, order, seed=seed, idle=idle)
