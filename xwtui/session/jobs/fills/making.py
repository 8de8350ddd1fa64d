"""Which kind of run does what is asked for; what is stepped and recorded is loaded with the first of its kind."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeGuard

from xwtui.session.fill_options import FillOptions, Mode
from xwtui.session.goals import Goal
from xwtui.session.jobs.fills.direct_runs import DirectRun, EveryFill, Partial, SideBySide, Variety
from xwtui.session.jobs.fills.improve import Best, Improving
from xwtui.session.jobs.fills.run import EndedSearch, FillRun
from xwtui.session.jobs.fills.swapping import Swapping

if TYPE_CHECKING:
    from xwtui.session.jobs.fills.replay import Replay
    from xwtui.session.jobs.fills.search import SteppedSearch

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
        return make_search(options, Goal(seconds=options.seconds), seed, changed)
    return _DIRECT[options.mode](options, seed)


def make_search(options: FillOptions, goal: Goal, seed: int, changed: threading.Condition) -> SteppedSearch:
    """A search that can be stepped."""
    from xwtui.session.jobs.fills.search import SteppedSearch  # noqa: PLC0415  (loads what is recorded)

    return SteppedSearch(options, goal, seed=seed, changed=changed)


def make_replay(ended: EndedSearch, goal: Goal, changed: threading.Condition) -> Replay:
    """A search that is over, to be walked once more."""
    from xwtui.session.jobs.fills.replay import Replay  # noqa: PLC0415  (loads what is recorded)

    return Replay(ended, goal, changed=changed)


def is_search(run: FillRun | None) -> TypeGuard[SteppedSearch]:
    """Whether a run can be stepped."""
    return run is not None and not isinstance(run, DirectRun)


def is_replay(run: FillRun | None) -> TypeGuard[Replay]:
    """Whether a run walks a search that is over."""
    return is_search(run) and run.is_replay
