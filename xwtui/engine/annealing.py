"""Generating layouts: the orbits of squares, the costs of runs, and the annealing of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.kernels.layouts import (
    BLOCKS,
    LARGEST_ORBIT,
    TOTALS,
    LayoutSpace,
    LayoutState,
    anneal,
)
from xwtui.model import Direction, Position, Symmetry

Walls = NDArray[np.uint8]
"""The squares row by row, 1 for a block."""

_STEPS_PER_SQUARE = 27
_HOT, _COLD = 4.0, 0.25
_NEAR = 2
"""Tolerance around the aimed-at number of blocks."""
_CHEATER_COST = 0.5


class LayoutOrbits(NamedTuple):
    """The squares that change together, as the kernel reads them."""

    orbits: NDArray[np.int64]
    """Shape (orbits, 4)."""
    orbit_of: NDArray[np.int64]
    """Shape (squares,)."""


def free_orbits(height: int, width: int, symmetry: Symmetry, fixed: frozenset[Position]) -> LayoutOrbits:
    """Return the orbits that contain no fixed square."""
    orbit_of = np.full(height * width, -1, np.int64)
    rows: list[list[int]] = []
    for row in range(height):
        for column in range(width):
            orbit = symmetry.orbit(Position(row, column), height, width)
            if min(orbit) == (row, column) and orbit.isdisjoint(fixed):
                squares = [at.row * width + at.column for at in sorted(orbit)]
                orbit_of[squares] = len(rows)
                rows.append(squares + [-1] * (LARGEST_ORBIT - len(squares)))
    return LayoutOrbits(np.array(rows, np.int64).reshape(-1, LARGEST_ORBIT), orbit_of)


def run_costs(height: int, width: int, cost_of: Callable[[int], float]) -> NDArray[np.float64]:
    """Return costs of runs that depend only on their length; shape (2, side, side, side + 1)."""
    side = max(height, width)
    costs = np.empty((len(Direction), side, side, side + 1))
    costs[...] = [0.0, *(cost_of(length) for length in range(1, side + 1))]
    return costs


@dataclass(frozen=True)
class Annealer:
    """Draws layouts of one kind. Thread-safe."""

    height: int
    width: int
    orbits: LayoutOrbits
    costs: NDArray[np.float64]
    """Shape (2, side, side, side + 1): the cost of each run. Changes to it apply from the next layout on."""
    limits: NDArray[np.int64]
    walls: Walls
    """The initial layout: blocks that stay, and open squares."""
    steps: int = 0
    """Number of annealing steps; 0 for the default for its squares."""
    hot: float = _HOT
    """The initial temperature: low if most of the initial layout should stay."""

    @cached_property
    def _space(self) -> LayoutSpace:
        shape, cheaters = np.array([self.height, self.width], np.int64), np.array([_CHEATER_COST])
        orbits, orbit_of = self.orbits
        return LayoutSpace(shape, orbits, orbit_of, self.costs.ravel(), self.limits, cheaters)

    def for_block_count(self, blocks: int) -> Annealer:
        """Return an annealer for layouts with about this many blocks, within the limits."""
        limits = self.limits.copy()
        fewest, most = limits[BLOCKS]
        limits[BLOCKS] = max(fewest, min(blocks - _NEAR, most)), min(most, max(blocks + _NEAR, fewest))
        return replace(self, limits=limits)

    def draw(self, seed: int) -> Walls | None:
        """Return a layout, or None if this 64-bit seed finds none. Deterministic for a seed."""
        return self.draw_priced(seed)[0]

    def draw_priced(self, seed: int) -> tuple[Walls | None, float]:
        """Return a layout and its cost, or None and infinity if this seed finds none. Deterministic for a seed."""
        if not len(self.orbits.orbits):
            return None, np.inf
        squares = self.height * self.width
        state = LayoutState(
            walls=self.walls.copy(),
            best=np.zeros(squares, np.uint8),
            totals=np.zeros(TOTALS, np.int64),
            before=np.zeros(TOTALS, np.int64),
            stack=np.zeros(squares, np.int64),
            seen=np.zeros(squares, np.uint8),
            random=np.array([seed], np.uint64),
        )
        cost = anneal(self._space, state, self.steps or _STEPS_PER_SQUARE * squares, self.hot, _COLD)
        return None if np.isinf(cost) else state.best, cost


def rotations_and_reflections(walls: Walls, height: int, width: int) -> Iterator[NDArray[np.uint8]]:
    """Yield a layout in all its eight orientations, starting with its own."""
    form = walls.reshape(height, width)
    for _ in range(4):
        yield form
        yield form[:, ::-1]
        form = np.rot90(form)


def layout_key(walls: Walls, height: int, width: int) -> tuple[tuple[int, ...], bytes]:
    """Return a key that is equal for layouts that are mirror images or rotations of each other."""
    return min((form.shape, form.tobytes()) for form in rotations_and_reflections(walls, height, width))
