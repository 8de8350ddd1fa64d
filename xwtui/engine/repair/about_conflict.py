"""A fill that is as what stands but for one region about what cannot stay, as small a region as is found.

The improver goes from fill to fill and keeps what is outside the region that it frees as the last fill has it: so
what its first fill has changed far from the conflict comes back but slowly. Here all outside is as it stood, and
the region about the conflict grows until it has a fill, and shrinks as long as one is found that changes less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.workers import SearchSettings
from xwtui.engine.improve.neighbourhood import Neighbourhoods
from xwtui.engine.improve.refill import Refill
from xwtui.engine.improve.shared_best import SharedBest
from xwtui.engine.improve.standing import standing_of
from xwtui.engine.improve.worth import Cut
from xwtui.model import Content, Position

_NODES = 200
"""Decisions that each region may take."""
_GROWTH = 1.03
"""By what the next region is larger where one has no fill that is nearer."""
_SHRINKING = 0.97
"""By what it is smaller where one was filled, or took too long."""
_MOST_REGIONS = 1000
"""More than there is time for, but in the smallest grids."""
_FIRST_SIZE = 2
"""How many times the conflict the first region is."""


def fill_about_conflict(
    shared: SharedBest, standing: Mapping[Position, Content], seed: int, stopped: Callable[[], bool]
) -> None:
    """Offer ever better fills that are as what stands outside a region about the conflict, until stopped.

    `shared` asks for closeness to what stands. It ends without any where even the whole grid is not
    filled soon, and where the last one is proved to be the nearest of all.
    """
    problem, worth, random = shared.worth.problem, shared.worth, Random(seed)
    start = standing_of(problem, standing)
    regions, refill = Neighbourhoods(problem, random), Refill(problem, worth)
    whole = set(regions.movable_squares)
    conflict = {square for slot in start.faults(problem) for square in regions.slot_squares[slot]} & whole
    size, cut = float(_FIRST_SIZE * len(conflict)), Cut(worth.row_limits(0))
    for _ in range(_MOST_REGIONS if conflict else 0):
        if stopped():
            return
        region = regions.about(conflict, int(size))
        number = random.getrandbits(31)
        outcome = refill.run(
            start, region.free, cut, settings=SearchSettings(), seed=number, nodes=_NODES, stopped=stopped
        )
        if outcome is Outcome.FILLED:
            found = refill.found()
            shared.offer(found)
            cut = worth.better_than(found.rank)
            size = min(size, float(region.free.sum())) * _SHRINKING
        elif regions.is_whole(region) and (outcome is Outcome.IMPOSSIBLE or shared.standing is None):
            if outcome is Outcome.IMPOSSIBLE:
                shared.prove(shared.standing)
            return
        elif outcome is Outcome.IMPOSSIBLE:
            size = min(size * _GROWTH, float(len(whole)))
        else:
            size *= _SHRINKING if shared.standing is not None else _GROWTH
