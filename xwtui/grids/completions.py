"""Completions of a layout that is being drawn: what could be added to its blocks, the most fillable first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from xwtui.engine.fill.workers import never
from xwtui.engine.problem.task import Task
from xwtui.engine.what_if.ranking import Ranking, TimeLimit, rank
from xwtui.grids.judging import judge
from xwtui.grids.layouts import LayoutWanted, layouts
from xwtui.model import Grid
from xwtui.model.block_changes import BlockChange

_LOOKED_AT = 24
"""Completions that are looked at."""
_SEARCHED = 3
"""Those, of the best ones, that a search tries to fill."""


def completions(
    task: Task,
    wanted: LayoutWanted,
    *,
    seconds: float | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
    found: Callable[[Ranking[BlockChange]], None] | None = None,
) -> Ranking[BlockChange]:
    """Rank ways to complete the blocks of a grid under a profile by whether, and how far, they can be filled.

    What stands in the grid stays. No blocks at all are one way, where the grid is legal as it stands. `found` is
    called with the ranking so far. Raises PuzzleError where what stands cannot be symmetric.
    """
    grid = task.grid
    watch = TimeLimit(seconds, cancelled)
    changes = _changes(grid, replace(wanted, given=grid), seed, watch.is_over)
    alternatives = ((change, replace(task, grid=change.on(grid))) for change in islice(changes, _LOOKED_AT))
    return rank(alternatives, searched=_SEARCHED, watch=watch, seed=seed, found=found)


def _changes(grid: Grid, wanted: LayoutWanted, seed: int, is_over: Callable[[], bool]) -> Iterator[BlockChange]:
    if not judge(grid, wanted.profile):
        yield BlockChange()
    for layout in layouts(wanted, seed, is_over):
        added = (at for at in grid.open_positions() if not layout[at].is_open)
        change = BlockChange(frozenset(added))
        if change.added:
            yield change
