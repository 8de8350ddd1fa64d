"""A fill as every face makes it: the first one that is found, and then better words for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import NamedTuple

from xwtui.engine.events.event import FillSeconds, Outcome
from xwtui.engine.fill.portfolio import FillResult, Progress, fill
from xwtui.engine.fill.workers import never
from xwtui.engine.improve.improver import with_better_words
from xwtui.engine.problem.problem import Problem
from xwtui.model import Content, Position


class PlainFill(NamedTuple):
    """What a fill came to."""

    first: FillResult
    """The search for the first fill."""
    squares: Mapping[Position, Content]
    """Those of the first fill, or with better words; empty where there is no fill."""
    seconds: FillSeconds
    """What took how long; the layout is for who has laid the problem out."""


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
    """Fill a grid, and unless it is for the `first_only`, end with better words; `seconds` are for both.

    The same seed makes the same fill as far as `portfolio.fill` does, if the time does not end the better words.
    """
    begun = perf_counter()
    first = fill(problem, seed=seed, threads=threads, seconds=seconds, cancelled=cancelled, progress=progress)
    found = perf_counter()
    if first_only or first.outcome is not Outcome.FILLED:
        return PlainFill(first, first.squares, FillSeconds(first_fill=found - begun))
    left = None if seconds is None else max(seconds - (found - begun), 0.0)
    squares = with_better_words(problem, first.squares, seed=seed, seconds=left, cancelled=cancelled)
    return PlainFill(first, squares, FillSeconds(first_fill=found - begun, better_words=perf_counter() - found))


def laid_out(make: Callable[[], Problem]) -> tuple[Problem, float]:
    """A problem with its root, and the seconds that laying out both took."""
    begun = perf_counter()
    problem = make()
    problem.root  # noqa: B018  (it is made when it is first looked at)
    return problem, perf_counter() - begun
