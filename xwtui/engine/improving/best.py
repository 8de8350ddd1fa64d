"""The best fill that the time allows: the highest lowest score first, then the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xwtui.engine.improving.improvement import Improvement, ImproveProgress
from xwtui.engine.improving.improver import ImproveRun
from xwtui.engine.improving.objective import Objective
from xwtui.engine.improving.shared_best import SharedBest
from xwtui.engine.improving.tiers import Climb, Tier
from xwtui.engine.improving.worth import Worth
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.engine.warmup import warm_up
from xwtui.engine.watch import Watch


@dataclass(frozen=True)
class BestResult:
    """What `fill_best` came to."""

    outcome: Outcome
    """FILLED where there is a fill; IMPOSSIBLE (proved), UNKNOWN or CANCELLED where there is none."""
    improvement: Improvement | None
    """The best fill, its value the lowest score, counted with the constructor's preferences."""
    minimum_score: int | None
    """That value: the tier reached."""
    highest_possible: int
    """No fill has a higher lowest score than this; equal to `minimum_score` where that is proved the highest."""
    is_best: bool
    """Whether it is proved that no better fill exists, the mean included."""
    tiers: tuple[Tier, ...]
    """The tiers that were tried, the lowest first."""
    kept: tuple[Improvement, ...]
    """Every fill that was better than all before it, in order."""
    reason: str
    """Why no fill exists, if that is proved."""


def _never() -> bool:
    return False


def fill_best(
    problem: Problem,
    *,
    seconds: float,
    seed: int = 0,
    threads: int = 1,
    cancelled: Callable[[], bool] = _never,
    improved: Callable[[Improvement], None] | None = None,
    progress: Callable[[ImproveProgress], None] | None = None,
) -> BestResult:
    """Fill a grid as well as the time allows: the highest lowest score, then few entries with it, then the mean.

    First any fill; then, by turns and longer each time, ever higher tiers of minimum scores by
    bisection, and `improve`. The callbacks are as there. With one thread the same seed finds the same
    fills, one after the other, on every machine: time only cuts them off.
    """
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return BestResult(Outcome.IMPOSSIBLE, None, None, 0, False, (), (), problem.root.reason)
    shared = SharedBest(Worth(problem, Objective.lowest()), seconds, None)
    watch = Watch(shared, cancelled, improved, progress)
    climb = Climb(shared, watch, seed, max(threads, 1))
    if climb.find_any() is Outcome.IMPOSSIBLE:
        return BestResult(
            Outcome.IMPOSSIBLE, None, None, 0, False, climb.tiers, (), "searched everything: no fill exists"
        )
    improving = ImproveRun(shared, watch, {}, seed, max(threads, 1))
    climb.by_turns_with(improving.run)
    watch.tell()
    best = shared.kept[-1] if shared.kept else None
    without = Outcome.CANCELLED if watch.was_cancelled else Outcome.UNKNOWN
    return BestResult(
        outcome=without if best is None else Outcome.FILLED,
        improvement=best,
        minimum_score=None if best is None else int(best.value),
        highest_possible=int(best.value if best is not None and shared.is_proved else shared.bound),
        is_best=shared.is_proved,
        tiers=climb.tiers,
        kept=shared.kept,
        reason="",
    )
