"""Which kind of run does what is asked for."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.direct_run import DirectRun
from xwtui.session.jobs.fills.every_fill import EveryFill
from xwtui.session.jobs.fills.improve import Best, Improving
from xwtui.session.jobs.fills.partial import Partial
from xwtui.session.jobs.fills.run import Run
from xwtui.session.jobs.fills.search import Search
from xwtui.session.jobs.fills.side_by_side import SideBySide
from xwtui.session.jobs.fills.variety import Variety

_DIRECT: Mapping[Mode, type[DirectRun]] = {
    Mode.FILL: SideBySide,
    Mode.PARTIAL: Partial,
    Mode.BEST: Best,
    Mode.DIVERSE: Variety,
    Mode.ALL: EveryFill,
    Mode.IMPROVE: Improving,
}


def make_run(options: FillOptions, seed: int, changed: threading.Condition) -> Run:
    """The run for some options; a fill with one thread is a search that can be stepped."""
    if options.mode is Mode.FILL and options.threads == 1:
        return Search(options, Goal(seconds=options.seconds), seed=seed, changed=changed)
    return make_direct_run(options, seed)


def make_direct_run(options: FillOptions, seed: int) -> DirectRun:
    """The run for some options that works to its end."""
    return _DIRECT[options.mode](options, seed)
