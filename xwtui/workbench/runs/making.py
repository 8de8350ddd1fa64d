"""Which kind of run does what is ordered."""

from __future__ import annotations

import threading

from xwtui.workbench.goals import Goal
from xwtui.workbench.orders import FillOrder
from xwtui.workbench.runs.race import Race
from xwtui.workbench.runs.running import Running, RunOwner
from xwtui.workbench.runs.search import Search


def make_run(owner: RunOwner, order: FillOrder, seed: int, idle: threading.Condition) -> Running:
    """The run for an order; a fill with one thread is a search that can be stepped."""
    if order.threads == 1:
        return Search(owner, order, Goal(seconds=order.seconds), seed=seed, idle=idle)
    return Race(owner, order, seed=seed, idle=idle)
