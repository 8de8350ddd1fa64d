"""Which block, added, removed or moved with its mirrors, opens a grid most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from xwtui.engine.crew import never
from xwtui.engine.redesign.ranking import Ranking, Watch, rank
from xwtui.engine.task import Task
from xwtui.model import Symmetry
from xwtui.model.block_changes import NO_LIMITS, BlockChange, BlockLimits, legal_changes

_SEARCHED = 25
"""Changes, of the best ones, that a search tries to fill."""


def block_changes(
    task: Task,
    symmetry: Symmetry,
    *,
    limits: BlockLimits = NO_LIMITS,
    seconds: float | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
    found: Callable[[Ranking[BlockChange]], None] | None = None,
) -> Ranking[BlockChange]:
    """Rank every legal change of a grid's blocks by whether it can be filled, and by about how many fills it has.

    Each is looked at by propagation and the pairwise estimate, the best ones then by a search. `found` is
    called several times a second with the ranking so far. Ends after `seconds`, or soon after `cancelled`.
    """
    watch = Watch(seconds, cancelled)
    changes = legal_changes(task.grid, symmetry, limits, watch.is_over)
    alternatives = ((change, replace(task, grid=change.on(task.grid))) for change in changes)
    return rank(alternatives, searched=_SEARCHED, watch=watch, seed=seed, found=found)
