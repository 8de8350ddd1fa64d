"""What is loaded before a clock runs: the words, and the engine's compiled code."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xwtui.racing.course import Course
from xwtui.strategies.registry import DEFAULT_STRATEGY, StrategyChoice


def load_words(course: Course) -> None:
    """Make the tables of the words that entries of the course may take."""
    task = course.task
    lengths = {len(slot) for slot in task.grid.slots}
    for lexicon in (task.lexicon, *task.own_lists.values()):
        for length in lexicon.lengths:
            if length in lengths:
                lexicon.table(length)


def need_engine(entrants: Iterable[StrategyChoice]) -> bool:
    """Whether any entrant is one of the engine."""
    return any(entrant.name == DEFAULT_STRATEGY for entrant in entrants)


def load_engines(
    course: Course, entrants: Iterable[StrategyChoice], progress: Callable[[str], None] = lambda _: None
) -> None:
    """Load the engine, if any entrant is one of it; compiles it where that has not been done on this machine."""
    if need_engine(entrants):
        from xwtui.engine.warmup import warm_up  # noqa: PLC0415  (loads numba)

        warm_up(progress, counting=False, improving=course.task.rules.is_about_grid)
