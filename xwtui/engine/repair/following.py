"""A fill that follows edits: whatever fill there was is mended where it no longer agrees, and stays elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.workers import never
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import Worth
from xwtui.engine.problem.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.model import Content, Position


class Following(NamedTuple):
    """What following came to."""

    outcome: Outcome
    """FILLED; IMPOSSIBLE: there is no fill (proved); UNKNOWN: the time is up, or it was cancelled."""
    squares: Mapping[Position, Content]
    """The fill; empty where there is none."""


def follow(
    problem: Problem,
    last: Mapping[Position, Content],
    *,
    seed: int = 0,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
) -> Following:
    """Find a fill of a problem that has much of another one.

    Squares that cannot be as in `last` are freed, with entries that are no words then, and ever more about them
    until there is a fill: so it is quick where little has changed, and little moves.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return Following(Outcome.IMPOSSIBLE, {})
    shared = SharedBest(Worth(problem, Objective()), seconds, None)
    watch = Watch(shared, lambda: shared.standing is not None or cancelled(), None, None)
    run = ImproveRun(shared, watch, last, seed, 1)
    if not run.accept_start():
        run.run()
    if shared.standing is not None:
        return Following(Outcome.FILLED, shared.standing.squares(problem))
    return Following(Outcome.IMPOSSIBLE if shared.is_proved else Outcome.UNKNOWN, {})
