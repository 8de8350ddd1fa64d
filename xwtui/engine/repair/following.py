"""A fill that follows edits: whatever fill there was is mended where it no longer agrees, and stays elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xwtui.engine.fill.workers import never
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import Worth
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.model import Content, Position


def follow(
    problem: Problem,
    last: Mapping[Position, Content],
    *,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
) -> Mapping[Position, Content] | None:
    """A fill of a problem that has much of another one; None where there is none, or it was cancelled first.

    Squares that cannot be as in `last` are freed, with entries that are no words then, and ever more about them
    until there is a fill: so it is quick where little has changed, and little moves.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return None
    shared = SharedBest(Worth(problem, Objective()), None, None)
    watch = Watch(shared, lambda: shared.standing is not None or cancelled(), None, None)
    run = ImproveRun(shared, watch, last, seed, 1)
    if not run.accept_start():
        run.run()
    return None if shared.standing is None else shared.standing.squares(problem)
