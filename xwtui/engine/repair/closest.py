"""The fill closest to the grid's contents: a large-neighborhood search around clashes, limited by decisions.

It starts with the squares of entries that are not words, and frees more and more around them until there is a
fill. From then on, each region is searched under the constraint that the total change decreases (closeness.py).
Regions are drawn in three ways: around a changed square; around the original clashes, with everything else
restored; and the changed squares with some of their surroundings. If clashes lie in several places, the changes
form separate islands. Each island is restored and repaired on its own, so that none grows because of another.

A few starts with different random numbers run for a part of the work, and the best of them continues, because no
region leads back from a first fill that took a wrong turn. After a long time without a closer fill, regions get
more decisions, so that larger ones can be searched. Work is counted rather than timed, and each start has its own
seed, so the result is the same on every machine and with any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from threading import Lock
from typing import NamedTuple

import numpy as np

from xwtui.engine.budget import Budget, run_concurrently
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.neighbourhood import Neighbourhoods
from xwtui.engine.improve.rounds import Refill
from xwtui.engine.improve.worth import CodedFill, Cut, Worth, code_start
from xwtui.engine.problem.problem import Problem
from xwtui.model import Content, Position

_NODES = 250
"""Initial decision limit for each region.

It doubles whenever the whole grid was given up, or after the work of _PATIENCE regions without a closer fill. It
is not lowered again after a success: with a reset to 250, or with half as many, some grids end up with more
changed squares.
"""
_PATIENCE = 10
_WORK_OF_OPENING = 10
"""Opening a region takes about as long as this many decisions."""
_FIRST_SIZE = 2.0
"""Initial size of a region, relative to the squares of the clashes."""
_RING = 1.06
"""Growth of regions while there is no fill."""
_GROWTH, _SHRINKING = 1.03, 0.97
"""Growth of regions after an exhaustive search without result, and shrinkage otherwise."""
_SIZE_ABOUT_A_SQUARE, _SMALLEST = 20.0, 4.0
_ISLAND_SIZES = (0.85, 1.5)
"""How many squares to free again, relative to those that an island has changed."""
_ABOUT_A_SQUARE, _ABOUT_THE_CLASH = 0.45, 0.8
"""Thresholds for a random number in [0, 1): around a changed square, around the clashes, else changed squares."""
_RIM_SHARE = 3


class RepairEffort(NamedTuple):
    """Work limits of the search for the closest fill, in decisions, with ten added for each region."""

    starts: int
    each: int
    """For each start."""
    best: int
    """For the best start afterward."""


class ClosestFill(NamedTuple):
    """The result of the search for the closest fill."""

    fill: CodedFill | None
    """Ranked by closeness."""
    is_proved: bool
    """Whether it is proved that no fill is closer, or that there is none."""


def closest_fill(
    worth: Worth,
    current: Mapping[Position, Content],
    effort: RepairEffort,
    budget: Budget,
    found: Callable[[CodedFill], None] = lambda _: None,
    known: CodedFill | None = None,
) -> ClosestFill:
    """Find the closest fill within the given work; `worth` is that of a closeness problem.

    `found` is called with each fill that is closer than all before, from any thread but one at a time. If no start
    gets closer than `known`, the search continues from that.
    """
    closest = known
    lock = Lock()

    def report(fill: CodedFill) -> None:
        nonlocal closest
        with lock:
            if closest is None or fill.rank > closest.rank:
                closest = fill
                found(fill)

    searches = [
        _ClosestSearch(worth, current, f"{budget.seed} {start}", budget.stop, report)
        for start in range(effort.starts)
    ]
    threads = min(budget.threads, len(searches))

    def begin(first: int) -> None:
        for search in searches[first::threads]:
            search.run(effort.each)

    run_concurrently(partial(begin, 0), [partial(begin, first) for first in range(1, threads)])
    best = max(searches, key=lambda search: (search.is_proved, search.rank))
    if not best.is_proved:
        best.resume_from(known)
        best.run(effort.each + effort.best)
    return ClosestFill(best.best, best.is_proved)


class _ClosestSearch:
    """One search, starting from the grid's contents; for one thread at a time."""

    def __init__(
        self,
        worth: Worth,
        current: Mapping[Position, Content],
        seed: str,
        stopped: Callable[[], bool],
        found: Callable[[CodedFill], None],
    ) -> None:
        self.best: CodedFill | None = None
        self.is_proved = False
        problem: Problem = worth.problem
        self._worth = worth
        self._random = random = Random(seed)
        self._start = code_start(problem, current)
        self._regions, self._refill = Neighbourhoods(problem, random), Refill(problem, worth)
        self._stopped, self._found = stopped, found
        self._movable = set(self._regions.movable_squares)
        self._faulty = [set(self._regions.slot_squares[slot]) for slot in self._start.faults(problem)]
        self._clash = set[int]().union(*self._faulty) & self._movable
        self._size = _FIRST_SIZE * len(self._clash)
        """Of the regions around clashes."""
        self._size_about = _SIZE_ABOUT_A_SQUARE
        self._nodes = _NODES
        self._patient_until = 0
        """The work after which the decision limit doubles, unless a closer fill is found first."""

    @property
    def rank(self) -> tuple[int, int]:
        """Higher is closer."""
        return (-1, 0) if self.best is None else self.best.rank

    def resume_from(self, known: CodedFill | None) -> None:
        """Continue from another fill if that is closer."""
        if known is not None and known.rank > self.rank:
            if self.best is None:
                self._grow_patient()
            self.best = known

    @property
    def _work(self) -> int:
        """Decisions so far, including the cost of opening regions."""
        return self._refill.nodes + _WORK_OF_OPENING * self._refill.regions

    def run(self, work: int) -> None:
        """Continue until the work since the first run is used up, or the closest fill is proved."""
        while self._clash and not (self.is_proved or self._stopped()):
            if self._work >= work:
                return
            if self.best is None:
                self._look_for_first()
                continue
            changed = set(np.flatnonzero(self.best.symbols != self._start.symbols).tolist()) & self._movable
            if not changed:
                self.is_proved = True
                return
            if self._work >= self._patient_until:
                self._nodes *= 2
                self._grow_patient()
            self._go_on(self.best, changed)

    def _grow_patient(self) -> None:
        self._patient_until = self._work + _PATIENCE * self._nodes

    def _try(self, base: CodedFill, squares: set[int]) -> Outcome:
        """Search for a closer fill with some squares freed."""
        best, seed = self.best, self._random.getrandbits(31)
        cut = Cut(self._worth.row_limits(0)) if best is None else self._worth.better_than(best.rank)
        free = self._regions.of(squares).free
        found = self._refill.run(base, free, cut, seed=seed, nodes=self._nodes, stopped=self._stopped)
        if found is Outcome.FILLED:
            self.best = self._refill.found()
            self._grow_patient()
            self._found(self.best)
        elif found is Outcome.IMPOSSIBLE and squares >= self._movable:
            self.is_proved = True
        return found

    def _about(self, squares: set[int], size: float) -> set[int]:
        return set(np.flatnonzero(self._regions.about(squares, int(size)).free).tolist())

    def _look_for_first(self) -> None:
        region = self._about(self._clash, self._size)
        outcome = self._try(self._start, region)
        if outcome is Outcome.FILLED:
            self._size = float(len(region))
        elif region >= self._movable:
            self._nodes *= 2
        else:
            size = min(self._size * _RING + 1, float(len(self._movable)))
            self._size, is_stuck = size, len(region) < int(self._size)
            if is_stuck:
                self._clash, self._faulty = self._movable, []

    def _go_on(self, best: CodedFill, changed: set[int]) -> None:
        draw = self._random.random()
        if draw < _ABOUT_A_SQUARE:
            region = self._about({self._random.choice(sorted(changed))}, self._size_about)
            self._size_about = self._next_size(self._size_about, self._try(best, region))
        elif draw < _ABOUT_THE_CLASH:
            self._restart_repair(best, self._islands(changed))
        else:
            rim = sorted(self._regions.around(changed) - changed)
            some = self._random.sample(rim, min(len(rim), max(_RIM_SHARE, len(rim) // _RIM_SHARE)))
            self._try(best, changed | set(some))

    def _next_size(self, size: float, outcome: Outcome) -> float:
        factor = _GROWTH if outcome is Outcome.IMPOSSIBLE else _SHRINKING
        return min(max(size * factor, _SMALLEST), float(len(self._movable)))

    def _restart_repair(self, best: CodedFill, islands: list[set[int]]) -> None:
        """Restore the original contents, everywhere or in one of several islands, and repair the clashes there."""
        if len(islands) == 1:
            region = self._about(self._clash, self._size)
            self._size = self._next_size(self._size, self._try(self._start, region))
            return
        island = self._random.choice(islands)
        clash = [fault for fault in self._faulty if not island.isdisjoint(fault)]
        about = set[int]().union(*clash) & self._movable or island
        symbols, back = best.symbols.copy(), sorted(island | about)
        symbols[back] = self._start.symbols[back]
        is_put_back = [not island.isdisjoint(along) for along in self._regions.slot_squares]
        rows = np.where(is_put_back, self._start.rows, best.rows)
        region = self._about(about, len(island) * self._random.uniform(*_ISLAND_SIZES))
        self._try(CodedFill(symbols, rows, best.rank), region)

    def _islands(self, changed: set[int]) -> list[set[int]]:
        """Return the changed squares, grouped by the entries that connect them."""
        entries = [found for along in self._regions.slot_squares if (found := changed.intersection(along))]
        islands = list[set[int]]()
        for entry in entries:
            touching = [island for island in islands if not island.isdisjoint(entry)]
            islands = [island for island in islands if island not in touching]
            islands.append(entry.union(*touching))
        return islands
