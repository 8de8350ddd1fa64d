"""A placement of theme answers as the search tries it: the layouts that are drawn for it, and what these teach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from xwtui.engine.annealing import Annealer, Walls, free_orbits
from xwtui.engine.kernels.layouts import FORBIDDEN, WORDS
from xwtui.grids.designs import DesignWanted
from xwtui.grids.placements import Placement
from xwtui.grids.run_words import RunWords
from xwtui.model import Direction, Slot

_NUMBERED_DRAWS = 12
"""Layouts that are drawn for one in which answers have the numbers that were told."""
_MISSED_COST = 0.5
"""By how much a placement is put off for each number that its answers were off, in the nearest layout."""
_DRAWS, _WORDS_LESS = 5, 2
"""Layouts that are drawn for one, each with so many words less, where nobody said how few there may be."""
_BLAME = 1.5
"""What a run costs more each time that the engine blames it for a dead grid."""
_MOST_BLAME = FORBIDDEN / 2


@dataclass
class TriedPlacement:
    """A placement, and what trying it has brought."""

    placement: Placement
    least_cost: float
    wanted: DesignWanted
    words: RunWords
    put_off: float = 0.0
    """How much later it is tried again, in terms of what it costs."""

    @property
    def order(self) -> float:
        """What is lowest for the placement that is tried next."""
        return self.least_cost + self.put_off

    @cached_property
    def _annealer(self) -> Annealer:
        layout, placement = self.wanted.layout, self.placement
        height, width = layout.height, layout.width
        walls = np.zeros(height * width, np.uint8)
        for at, is_wall in placement.walls.items():
            walls[at.row * width + at.column] = is_wall
        orbits = free_orbits(height, width, layout.symmetry, frozenset(placement.walls))
        return Annealer(height, width, orbits, placement.costs(self.words), self.wanted.limits.copy(), walls)

    def draw(self, random: Random) -> Walls | None:
        """A layout in which the answers have the numbers that were told; None where none is met."""
        nearest: int | None = None
        for _ in range(_NUMBERED_DRAWS if self.placement.is_numbered else 1):
            walls = self._draw_any(random)
            missed = self.placement.missed_numbers(walls) if walls is not None else None
            if missed == 0:
                return walls
            nearest = missed if nearest is None else min(nearest, missed or nearest)
        self.put_off += _MISSED_COST * (nearest or 0)
        return None

    def _draw_any(self, random: Random) -> Walls | None:
        """A layout; with fewer words where there is none, from then on."""
        limits, fewest = self._annealer.limits, self.wanted.layout.fewest_words
        for _ in range(_DRAWS):
            walls = self._annealer.draw(random.getrandbits(64))
            if walls is not None or fewest is not None:
                return walls
            limits[WORDS, 0] = max(0, limits[WORDS, 0] - _WORDS_LESS)
        return None

    def blame(self, slots: Sequence[Slot]) -> None:
        """Let the runs that entries of a dead grid are cost more in the next layouts."""
        costs = self._annealer.costs
        for slot in slots:
            is_across = slot.direction is Direction.ACROSS
            line, start = (slot.start.row, slot.start.column) if is_across else (slot.start.column, slot.start.row)
            run = (0 if is_across else 1, line, start, len(slot))
            if 0 < costs[run] < _MOST_BLAME:
                costs[run] += _BLAME
