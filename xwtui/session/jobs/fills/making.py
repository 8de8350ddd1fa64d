"""Which kind of run does what is ordered."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.every_fill import EveryFill
from xwtui.session.jobs.fills.improve import Best, Improving
from xwtui.session.jobs.fills.job import Job
from xwtui.session.jobs.fills.partial import Partial
from xwtui.session.jobs.fills.running import Running, RunOwner
from xwtui.session.jobs.fills.search import Search
from xwtui.session.jobs.fills.side_by_side import SideBySide
from xwtui.session.jobs.fills.variety import Variety

_JOBS: Mapping[Mode, type[Job]] = {
    Mode.FILL: SideBySide,
    Mode.PARTIAL: Partial,
    Mode.BEST: Best,
    Mode.DIVERSE: Variety,
    Mode.ALL: EveryFill,
    Mode.IMPROVE: Improving,
}


def make_run(owner: RunOwner, order: FillOptions, seed: int, idle: threading.Condition) -> Running:
    """The run for an order; a fill with one thread is a search that can be stepped."""
    if order.mode is Mode.FILL and order.threads == 1:
        return Search(owner, order, Goal(seconds=order.seconds), seed=seed, idle=idle)
    return make_job(owner, order, seed, idle)


def make_job(owner: RunOwner, order: FillOptions, seed: int, idle: threading.Condition) -> Job:
    """The job for an order, which works to its end."""
    return _JOBS[order.mode](owner, order, seed=seed, idle=idle)
