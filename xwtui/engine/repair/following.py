"""A fill that follows an edit: as the last one, but for a part about what can be so no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.workers import never
from xwtui.engine.improve.improvement import Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.standing import NONE
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
    threads: int = 1,
    cancelled: Callable[[], bool] = never,
    agreed: Callable[[Mapping[Position, Content]], None] | None = None,
) -> Following:
    """Find a fill of a problem that has much of another one.

    Squares that cannot be as in `last` are freed, with entries that are no words then, and ever more about them
    until there is a fill: so it is quick where little has changed, and little moves.

    Where none is found at once, `agreed` is told in the caller's thread what of `last` may stay, for all that is
    known: each entry that it completes has a word of its own, and every other one can still have one. It is told
    again each time that less of it may.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return Following(Outcome.IMPOSSIBLE, {})
    shared = SharedBest(Worth(problem, Objective()), seconds, None)
    told = shared.freed

    def is_over() -> bool:
        nonlocal told
        if agreed is not None and shared.freed != told:
            told = shared.freed
            symbols = run.start.symbols.copy()
            symbols[list(told)] = NONE
            agreed(replace(run.start, symbols=symbols).squares(problem))
        return shared.standing is not None or cancelled()

    run = ImproveRun(shared, Watch(shared, is_over, None, None), last, seed, threads)
    if not run.accept_start():
        run.run()
    if shared.standing is not None:
        return Following(Outcome.FILLED, shared.standing.squares(problem))
    return Following(Outcome.IMPOSSIBLE if shared.is_proved else Outcome.UNKNOWN, {})
