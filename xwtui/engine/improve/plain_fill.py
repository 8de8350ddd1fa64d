"""A fill as every face makes it: the first one that is found, with its stems apart and better words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import NamedTuple

from xwtui.engine.events.event import FillSeconds, Outcome
from xwtui.engine.fill.portfolio import FillResult, Progress, fill
from xwtui.engine.fill.workers import never
from xwtui.engine.improve.improver import with_better_words
from xwtui.engine.problem.problem import Problem
from xwtui.engine.repair.stems_apart import SharedStem, shared_stems, stems_apart, with_stems_apart
from xwtui.model import Content, Position


class PlainFill(NamedTuple):
    """What a fill came to."""

    first: FillResult
    """The search for the first fill."""
    squares: Mapping[Position, Content]
    """As the fill is finished; empty where there is none."""
    seconds: FillSeconds
    """What took how long; the layout is for who has laid the problem out."""
    shared_stems: tuple[SharedStem, ...] = ()
    """The entries that share a stem, where they were to be kept apart and no fill was found that does."""


def plain_fill(
    problem: Problem,
    *,
    first_only: bool = False,
    seed: int = 0,
    threads: int = 1,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
    progress: Callable[[Progress], None] | None = None,
) -> PlainFill:
    """Fill a grid and finish the fill; `seconds` are for both.

    The same seed makes the same fill as far as `portfolio.fill` does, if the time does not end the better words.
    """
    begun = perf_counter()
    first = fill(problem, seed=seed, threads=threads, seconds=seconds, cancelled=cancelled, progress=progress)
    found = perf_counter()
    if first.outcome is not Outcome.FILLED:
        return PlainFill(first, first.squares, FillSeconds(first_fill=found - begun))
    left = None if seconds is None else max(seconds - (found - begun), 0.0)
    squares = finished(problem, first.squares, first_only=first_only, seed=seed, seconds=left, cancelled=cancelled)
    ended = perf_counter()
    if first_only:
        found = ended
    took = FillSeconds(first_fill=found - begun, better_words=ended - found)
    return PlainFill(first, squares, took, shared_stems(problem.task, squares))


def finished(
    problem: Problem,
    squares: Mapping[Position, Content],
    *,
    first_only: bool = False,
    seed: int = 0,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
) -> Mapping[Position, Content]:
    """A first fill with its stems apart where one near it is found so, and but for `first_only` better words."""
    if first_only:
        return with_stems_apart(problem, squares, seed=seed, seconds=seconds, cancelled=cancelled)
    begun = perf_counter()
    apart = stems_apart(problem, squares, seed=seed, seconds=seconds, cancelled=cancelled)
    left = None if seconds is None else max(seconds - (perf_counter() - begun), 0.0)
    return with_better_words(apart.problem, apart.squares, seed=seed, seconds=left, cancelled=cancelled)


def laid_out(make: Callable[[], Problem]) -> tuple[Problem, float]:
    """A problem with its root, and the seconds that laying out both took."""
    begun = perf_counter()
    problem = make()
    problem.root  # noqa: B018  (it is made when it is first looked at)
    return problem, perf_counter() - begun
