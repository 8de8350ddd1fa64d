"""Which kind of run does what is asked for."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.direct_runs import DirectRun, EveryFill, Partial, SideBySide, Variety
from xwtui.session.jobs.fills.improve import Best, Improving
from xwtui.session.jobs.fills.run import FillRun
from xwtui.session.jobs.fills.search import SteppedSearch
from xwtui.session.jobs.fills.swapping import Swapping

_DIRECT: Mapping[Mode, type[DirectRun]] = {
    Mode.FILL: SideBySide,
    Mode.PARTIAL: Partial,
    Mode.BEST: Best,
    Mode.DIVERSE: Variety,
    Mode.ALL: EveryFill,
    Mode.IMPROVE: Improving,
    Mode.SWAP: Swapping,
    Mode.REJECT: Swapping,
}


def make_run(options: FillOptions, seed: int, changed: threading.Condition) -> FillRun:
    """The run for some options; a fill with one thread is a search that can be stepped."""
    if options.scheduler:
        from xwtui.session.jobs.fills.cluster_fill import ClusterFill, ClusterImproving  # noqa: PLC0415  (loads batches)

        return (ClusterImproving if options.mode is Mode.IMPROVE else ClusterFill)(options, seed)
    if options.mode is Mode.FILL and options.threads == 1:
        return SteppedSearch(options, Goal(seconds=options.seconds), seed=seed, changed=changed)
    return make_direct_run(options, seed)


def make_direct_run(options: FillOptions, seed: int) -> DirectRun:
    """The run for some options that works to its end."""
    return _DIRECT[options.mode](options, seed)
