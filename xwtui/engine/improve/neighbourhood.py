"""Choice of the squares to free next: a region to refill, or a large part after a long time without improvement.

Regions are connected, around weak entries or anywhere, of a size that pays off. The large part is refilled with
only good words, as in iterated local search (Lourenço, Martin and Stützle, Handbook of Metaheuristics, 2003): the
fill with the new part is then improved, and if that ends below the best, the next attempt starts from the best
again. Not used when letters come first: regaining them takes longer than the gain is worth.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.worth import CodedFill
from xwtui.engine.kernels.network import PLACES, SQUARE
from xwtui.engine.problem.problem import Problem

_FIRST_SIZE = 16.0
_SMALLEST = 4.0
_GROWTH = 1.03
_SHRINKING = 0.95
_FORGETTING = 0.98
_LEAST_WEIGHT = 0.05
_FLOOR = 0.02
"""Weight of a square or slot with nothing to gain, relative to the one with the most."""


class RegionKind(enum.Enum):
    """How a region is chosen."""

    WORST = "worst"
    """Grown from a square of a weak entry, preferring squares of weak entries."""
    BLOB = "blob"
    """Grown from any square, preferring squares that touch the region a lot."""
    ENTRIES = "entries"
    """Whole entries: a weak one, then one by one entries that cross the region."""
    WHOLE = "whole"
    """All squares."""


class Region(NamedTuple):
    """The squares to free, and how they were chosen."""

    kind: RegionKind
    free: NDArray[np.bool_]
    """Shape (squares,)."""


@dataclass
class _KindStatistics:
    """A method's current size, in squares, and its recent success."""

    size: float = _FIRST_SIZE
    success: float = 1.0
    tries: float = 1.0

    @property
    def weight(self) -> float:
        return max(self.success / self.tries, _LEAST_WEIGHT)


class Neighbourhoods:
    """Draws regions and learns which pay: a region searched exhaustively was too small, one given up too large.

    Each method has its own size, and is drawn in proportion to its recent success.
    """

    def __init__(self, problem: Problem, random: Random) -> None:
        self._random = random
        self.slot_squares: list[list[int]] = [squares.tolist() for squares in problem.slot_squares]
        """The squares of each slot."""
        self._places = problem.network.places[:, SQUARE]
        self._starts = problem.network.slots[:-1, PLACES]
        count = len(problem.positions)
        self._neighbours: list[set[int]] = [set() for _ in range(count)]
        self._slots_at: list[list[int]] = [[] for _ in range(count)]
        for slot, along in enumerate(self.slot_squares):
            for square, following in itertools.pairwise(along):
                self._neighbours[square].add(following)
                self._neighbours[following].add(square)
            for square in along:
                self._slots_at[square].append(slot)
        self._opposites = dict(problem.squares.opposites)
        for square, opposite in self._opposites.items():
            self._neighbours[square].add(opposite)
            self._neighbours[opposite].add(square)
            both = [*self._slots_at[square], *self._slots_at[opposite]]
            self._slots_at[square], self._slots_at[opposite] = both, both
        masks = problem.masks(problem.root.state)
        needed = problem.required_squares.tolist()
        self._movable = [bool(mask & (mask - 1)) and need for mask, need in zip(masks, needed, strict=True)]
        """Whether a square has a choice at the root, and lies in a slot that must be decided."""
        self.movable_squares = [square for square in range(count) if self._movable[square]]
        self._even = [1.0] * count
        self.set_gains(self._even)
        self._statistics = {
            kind: _KindStatistics() for kind in (RegionKind.WORST, RegionKind.BLOB, RegionKind.ENTRIES)
        }

    def set_gains(self, gains: Sequence[float]) -> None:
        """Set how much can be gained at each square, 0 to 1; shape (squares,)."""
        self._weights = [_FLOOR + gain for gain in gains]
        self._starting = list(itertools.accumulate(self._weights[square] for square in self.movable_squares))

    def draw(self) -> Region:
        kinds = list(self._statistics)
        kind = self._random.choices(kinds, [self._statistics[each].weight for each in kinds])[0]
        size = int(self._statistics[kind].size)
        match kind:
            case RegionKind.WORST:
                chosen = self._grow([self._weak_square()], self._weights, size)
            case RegionKind.BLOB:
                chosen = self._grow([self._random.choice(self.movable_squares)], self._even, size)
            case _:
                chosen = self._join_entries(size)
        return self._region(kind, chosen)

    def anywhere(self, size: int) -> Region:
        """Draw a region of this many squares at a random place."""
        return self._region(
            RegionKind.WHOLE, self._grow([self._random.choice(self.movable_squares)], self._even, size)
        )

    def about(self, squares: set[int], size: int) -> Region:
        """Draw a region of this many squares around the given ones, or fewer if no more are connected.

        It always contains the given squares. It grows past squares without a choice, along the entries through
        them.
        """
        grown = self._grow(sorted(squares), self._even, max(size, len(squares)), self._linked)
        return self._region(RegionKind.WHOLE, grown)

    def whole(self) -> Region:
        return self._region(RegionKind.WHOLE, set(self.movable_squares))

    def of(self, squares: set[int]) -> Region:
        return self._region(RegionKind.WHOLE, squares)

    def is_whole(self, region: Region) -> bool:
        """Whether a region frees every square that has a choice."""
        return int(region.free.sum()) == len(self.movable_squares)

    def slots_outside(self, region: Region) -> NDArray[np.bool_]:
        """Return whether each slot has no free square; shape (slots,)."""
        return np.logical_not(np.logical_or.reduceat(region.free[self._places], self._starts))

    def _region(self, kind: RegionKind, chosen: set[int]) -> Region:
        free = np.zeros(len(self._movable), np.bool_)
        free[list(chosen)] = True
        for one, other in self._opposites.items():
            if free[one] or free[other]:
                free[one], free[other] = self._movable[one], self._movable[other]
        return Region(kind, free)

    def _weak_square(self) -> int:
        """Draw a square, preferring squares where much can be gained."""
        return self._random.choices(self.movable_squares, cum_weights=self._starting)[0]

    @cached_property
    def _linked(self) -> list[set[int]]:
        """For each square, the nearest squares with a choice before and after it in its entries."""
        linked: list[set[int]] = [set() for _ in self._movable]
        for along in self.slot_squares:
            for square, following in itertools.pairwise([each for each in along if self._movable[each]]):
                linked[square].add(following)
                linked[following].add(square)
        return linked

    def _grow(
        self,
        first: Iterable[int],
        weights: Sequence[float],
        size: int,
        neighbours: Sequence[Collection[int]] | None = None,
    ) -> set[int]:
        """Grow a region from the given squares by first-passage percolation: heavy squares are reached sooner.

        A neighbor of the region is reached after an exponentially distributed time; one that the region touches
        twice is reached three times as fast (Hammersley and Welsh, First-Passage Percolation, 1965).
        """
        chosen: set[int] = set()
        touched: dict[int, int] = {}
        reached = [(0.0, square) for square in first]
        while reached and len(chosen) < size:
            now, square = heappop(reached)
            if square in chosen:
                continue
            chosen.add(square)
            for neighbour in (neighbours or self._neighbours)[square]:
                if self._movable[neighbour] and neighbour not in chosen:
                    rate = 3 * touched.get(neighbour, 0) or 1
                    touched[neighbour] = rate
                    heappush(reached, (now + self._random.expovariate(rate * weights[neighbour]), neighbour))
        return chosen

    def _join_entries(self, size: int) -> set[int]:
        """Join whole entries, starting with one through a weak square, each crossing earlier ones."""
        chance = self._random.random
        first = self._random.choice(self._slots_at[self._weak_square()])
        chosen: set[int] = set()
        joined = {first}
        waiting = [first]
        while waiting and len(chosen) < size:
            slot = waiting.pop(int(chance() * min(len(waiting), 4)))
            squares = [square for square in self.slot_squares[slot] if self._movable[square]]
            chosen.update(squares)
            for square in sorted(squares, key=lambda each: -self._weights[each] * chance()):
                crossing = [other for other in self._slots_at[square] if other not in joined]
                joined.update(crossing)
                waiting += crossing
        return chosen

    def learn(self, region: Region, outcome: Outcome) -> None:
        """Update a method's size and success from the outcome of a region."""
        statistics = self._statistics.get(region.kind)
        if statistics is None:
            return
        statistics.success = statistics.success * _FORGETTING + (outcome is Outcome.FILLED)
        statistics.tries = statistics.tries * _FORGETTING + 1
        if outcome is Outcome.IMPOSSIBLE:
            statistics.size = min(statistics.size * _GROWTH, float(len(self.movable_squares)))
        elif outcome is Outcome.UNKNOWN:
            statistics.size = max(statistics.size * _SHRINKING, _SMALLEST)

    def around(self, squares: set[int]) -> set[int]:
        """Return the squares and their neighbors; all squares if that adds none."""
        rim = {
            neighbour for square in squares for neighbour in self._neighbours[square] if self._movable[neighbour]
        }
        return squares | rim if rim - squares else set(self.movable_squares)


_PATIENCE = 0.4
"""Rounds without a better fill before the next perturbation, for each square that has a choice."""
_SHARES = (0.3, 1.0)
"""Smallest and largest share of the squares that a perturbation frees."""

_RISE, _FALL = 2.0, 1.0
"""Change of the minimum score of a perturbation's words: added after a success, subtracted after a failure."""


class Perturbations:
    """The fill that a thread is improving, and when to leave it."""

    def __init__(self, squares: int, random: Random) -> None:
        """Start without a fill, in a grid where this many squares have a choice."""
        self._squares = squares
        self._random = random
        self._current: CodedFill | None = None
        self._rounds = 0
        self._tier: float | None = None

    def current(self, best: CodedFill) -> CodedFill:
        """Return the fill to improve: the best by default."""
        if self._current is None:
            self._current = best
        return self._current

    @property
    def is_due(self) -> bool:
        """Whether the present fill has not improved for a long time."""
        return self._rounds > _PATIENCE * self._squares

    @property
    def size(self) -> int:
        """Number of squares for the next perturbation to free."""
        least, most = _SHARES
        return max(int(self._squares * (least + (most - least) * self._random.random())), 1)

    def tier(self, lowest: int) -> int:
        """Return the minimum score of the next perturbation's words, given the best fill's lowest score."""
        if self._tier is None:
            self._tier = float(lowest)
        return int(self._tier)

    def learn(self, outcome: Outcome) -> None:
        """Raise the minimum score after a success, and lower it after a failure."""
        assert self._tier is not None
        self._tier += _RISE if outcome is Outcome.FILLED else -_FALL
        self._tier = min(max(self._tier, 0.0), 100.0)

    def count(self) -> None:
        """Count a round without a better fill."""
        self._rounds += 1

    def switch_to(self, fill: CodedFill | None) -> None:
        """Switch to another fill; None for the best."""
        self._current = fill
        self._rounds = 0
