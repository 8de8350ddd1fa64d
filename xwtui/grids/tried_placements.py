"""A placement of theme answers as the search tries it: the layouts that are drawn for it, and what these teach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np

from xwtui.engine.annealing import Annealer, Walls, free_orbits
from xwtui.engine.kernels.layouts import FORBIDDEN, WORDS
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import culprits
from xwtui.grids.designs import DesignWanted
from xwtui.grids.placements import Placement
from xwtui.grids.run_words import RunWords
from xwtui.model import Direction, Slot

_NUMBERED_DRAWS = 12
"""Layouts that are drawn for one in which answers have the numbers that were told."""
_MISSED_COST = 1.5
"""By how much a placement is put off for each number that its answers were off, in the nearest layout."""
_DRAWS, _WORDS_LESS = 5, 2
"""Layouts that are drawn for one, each with so many words less, where nobody said how few there may be."""
_NO_LAYOUT_COST = 100.0
"""What a placement is said to cost for which the first draws find no layout."""
_BLAME = 1.5
"""What a run costs more each time that the engine blames it for a dead grid."""
_MOST_BLAME = FORBIDDEN / 2
_FEW_WORDS, _MOST_BLAMED = 100, 3
"""Entries with fewer words are blamed before others, and so many of them."""


@dataclass
class TriedPlacement:
    """A placement, and what trying it has brought."""

    placement: Placement
    wanted: DesignWanted
    words: RunWords
    cost: float = 0.0
    """What its first layout costs; how well it fills is told by that, and hardly by what lines cost at least."""
    put_off: float = 0.0
    """How much later it is tried again, in terms of what it costs."""
    _waiting: Walls | None = None
    """The first layout, which is not tried yet."""

    @property
    def order(self) -> float:
        """What is lowest for the placement that is tried next."""
        return self.cost + self.put_off

    def look(self, random: Random) -> None:
        """Draw a first layout, to know what the placement costs."""
        self._waiting, self.cost = self._draw_any(random)
        if self._waiting is None:
            self.cost = _NO_LAYOUT_COST

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
            walls, self._waiting = self._waiting, None
            if walls is None:
                walls, _ = self._draw_any(random)
            missed = self.placement.missed_numbers(walls) if walls is not None else None
            if missed == 0:
                return walls
            nearest = missed if nearest is None else min(nearest, missed or nearest)
        self.put_off += _MISSED_COST * (nearest or 0)
        return None

    def _draw_any(self, random: Random) -> tuple[Walls | None, float]:
        """A layout and what it costs; with fewer words where there is none, from then on."""
        limits, fewest = self._annealer.limits, self.wanted.layout.fewest_words
        for _ in range(_DRAWS):
            walls, cost = self._annealer.draw_priced(random.getrandbits(64))
            if walls is not None or fewest is not None:
                return walls, cost
            limits[WORDS, 0] = max(0, limits[WORDS, 0] - _WORDS_LESS)
        return None, math.inf

    def blame(self, problem: Problem) -> None:
        """Let the runs that are to blame for a dead grid cost more in the next layouts."""
        costs = self._annealer.costs
        for slot in blamed(problem):
            is_across = slot.direction is Direction.ACROSS
            line, start = (slot.start.row, slot.start.column) if is_across else (slot.start.column, slot.start.row)
            run = (0 if is_across else 1, line, start, len(slot))
            if 0 < costs[run] < _MOST_BLAME:
                costs[run] += _BLAME


def blamed(problem: Problem) -> tuple[Slot, ...]:
    """The entries to blame for a dead grid: those with the fewest words of what ran empty and what crosses it.

    The entry that runs empty often has thousands of words, and only what few words across it leave is none of
    them. Where all have many, it is the one that ran empty; theme answers are never to blame.
    """
    grid = problem.task.grid
    emptied = tuple(grid.slot(name) for name in culprits(problem))
    crossing = (grid.slot_at(at, slot.direction.other) for slot in emptied for at in slot.positions)
    near = {slot.name: slot for slot in (*emptied, *crossing) if slot is not None and "?" in grid.pattern(slot)}
    words = {name: table.rows for name, table in zip(problem.slot_names, problem.tables, strict=True)}
    few = sorted((name for name in near if words[name] < _FEW_WORDS), key=lambda name: words[name])
    return tuple(near[name] for name in few[:_MOST_BLAMED]) or emptied
