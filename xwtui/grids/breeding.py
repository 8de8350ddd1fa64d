"""Breeding layouts: a population crossed and changed, scored by how far each can be filled and how it looks.

A child has the blocks of one parent on one side of a line and those of the other on the other side, or those of
one parent changed where the engine blames it for being dead; a short annealing makes it legal again, with fewer
words and blocks than a parent that was filled. If it could be among the best it is looked at by propagation and
the pairwise estimate of its fills, and if it could be a parent, too, by Bethe's. Parents are those with the best
looks less what their estimates lack; a short search looks for fills of the best of these alone, for most searches
are in vain, and each takes as long as several estimates.

Two other ways are there to compare: nothing but new random layouts, and Adam Copeland's, who generates random
valid grids, scores them by a filler, and would "use a genetic algorithm to produce new templates based on their
fitness". He says no more: selection in proportion to fitness, one-point crossover and a flip now and then are the
textbook's (Holland 1975), and children that are not valid are thrown away.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from time import perf_counter

from xwtui.engine.annealing import Walls, layout_key
from xwtui.engine.count.estimator import Counter as FillCounter
from xwtui.engine.fill.workers import never
from xwtui.engine.kernels.layouts import BLOCKS, WORDS
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import culprits
from xwtui.engine.problem.task import Task
from xwtui.engine.warmup import warm_up
from xwtui.engine.what_if.ranking import Fillability, Outlook, search
from xwtui.errors import EngineError
from xwtui.grids.judging import chokes, judge
from xwtui.grids.layouts import LayoutWanted, annealer_for, layout_grid, some_blocks, with_given
from xwtui.model import Grid
from xwtui.model.statistics import LayoutFigures

POPULATION = 16
"""Layouts of which the next ones come; so many are a generation."""
_CONTENDERS = 5
"""A layout that could be among so many best ones is searched for a fill."""
_NODES = 1_500
_CROSSED = 0.5
"""The share of children that have two parents."""
_TOURNAMENT = 3
_MUTATED = 2
"""Blocks that come or go in a child at most, with their mirror images, before it is made legal."""
_WARM = 0.45
_REPAIR_STEPS = 4
"""Steps a square of the annealing that makes a child legal."""
_FEWER_WORDS, _FEWER_BLOCKS = 2, 3
"""By so many at most a child of a layout with a fill has fewer."""

_SURE = {Fillability.IMPOSSIBLE: -200.0, Fillability.OPEN: 0.0, Fillability.HARD: 0.0, Fillability.FILLED: 100.0}
_HALF, _CHOKE, _ROOM = 0.5, 0.25, 0.05
_MOST_ROOM = _ROOM * 35
"""What the estimate of fills adds to the looks at most."""
_FEW_LEFT = 13.0
"""With fewer fills by Bethe's estimate, as a logarithm to base 10, a short search hardly finds one (measured)."""
_FEW_BY_PAIRS = 10.0
"""The same by the pairwise estimate, which is rougher and costs less."""
_ENOUGH, _DIGIT_COST, _VAIN_COST = 20.0, 0.7, 2.0
"""Layouts with so many fills, as a logarithm, are filled more often than not. In a parent each digit less costs so
much of its score while no fill is known, and so much a search that found none."""
_MEASURED_SQUARES = 15 * 15
"""Of the grids that these were measured on; smaller ones have fewer fills, and are filled as quickly."""
_FITNESS = {Fillability.IMPOSSIBLE: 0.05, Fillability.OPEN: 1.0, Fillability.HARD: 0.5, Fillability.FILLED: 2.0}
"""Copeland's: what a filler makes of a grid, and nothing else."""


class BreedingWay(enum.Enum):
    """How the next layout comes about; the value is what is typed."""

    BREEDING = "breeding"
    COPELAND = "copeland"
    RANDOM = "random"


@dataclass(frozen=True)
class BredLayout:
    """A layout with what is known of its fills, and its score."""

    grid: Grid
    walls: Walls = field(repr=False, compare=False)
    figures: LayoutFigures
    chokes: int
    """Open squares without one of which the grid falls apart."""
    outlook: Outlook
    blamed: tuple[str, ...] = ()
    """The entries that leave it without a fill, where it has none."""

    @property
    def score(self) -> float:
        """A fill that was found counts most; then few words and half as much few blocks and threes, then flow."""
        return _SURE[self.outlook.fillability] + self.looks

    @property
    def looks(self) -> float:
        """The score but for the fill."""
        figures = self.figures
        shape = -figures.words - _HALF * (figures.blocks + figures.threes + figures.cheaters)
        return shape - _CHOKE * self.chokes + _ROOM * (self.outlook.log10 or 0.0)

    @property
    def promise(self) -> float:
        """What makes it a parent: its looks, less for what it lacks to be filled."""
        outlook = self.outlook
        if outlook.fillability is Fillability.FILLED:
            return self.looks
        if outlook.fillability is Fillability.IMPOSSIBLE or outlook.log10 is None:
            return self.looks + _SURE[Fillability.IMPOSSIBLE]
        vain = _VAIN_COST * (outlook.fillability is Fillability.HARD)
        enough = _ENOUGH * _size_share(self.grid.height, self.grid.width)
        return self.looks - vain - _DIGIT_COST * max(0.0, enough - outlook.log10)


@dataclass(frozen=True)
class BreedProgress:
    """How far the breeding has come: the best layouts, the best first."""

    layouts: tuple[BredLayout, ...] = ()
    looked_at: int = 0
    filled: int = 0
    """Layouts of which a fill was found."""
    seconds: float = 0.0


def breed(
    wanted: LayoutWanted,
    task: Task,
    *,
    way: BreedingWay = BreedingWay.BREEDING,
    seconds: float | None = None,
    generations: int | None = None,
    population: Sequence[BredLayout] = (),
    seed: int = 0,
    count: int = 10,
    cancelled: Callable[[], bool] = never,
    found: Callable[[BreedProgress], None] | None = None,
    clock: Callable[[], float] = perf_counter,
) -> BreedProgress:
    """Breed layouts for so many seconds of a clock, or generations; `task` says with which words they are filled.

    It goes on from a `population`. Without seconds, what comes is the same for the same seed on every machine.
    `found` is called whenever the best one is another. Raises PuzzleError for what the profile does not take.
    """
    warm_up(counting=True, drawing=True)
    farm = _Farm(wanted, task, way, seed, count, seconds, clock, cancelled, found)
    return farm.run(population, None if generations is None else generations * POPULATION)


def bare(wanted: LayoutWanted, walls: Walls) -> BredLayout:
    """A layout of which is known what it looks like, and nothing of its fills."""
    grid = with_given(layout_grid(walls, wanted.height, wanted.width), wanted)
    return BredLayout(grid, walls, LayoutFigures.of(grid), chokes(grid), Outlook(Fillability.IMPOSSIBLE))


def _size_share(height: int, width: int) -> float:
    """How many of the fills, as a logarithm, that were measured a grid of this size needs."""
    return min(1.0, height * width / _MEASURED_SQUARES)


class _Farm:
    """The population, and all that is known of the layouts so far."""

    def __init__(
        self,
        wanted: LayoutWanted,
        task: Task,
        way: BreedingWay,
        seed: int,
        count: int,
        seconds: float | None,
        clock: Callable[[], float],
        cancelled: Callable[[], bool],
        found: Callable[[BreedProgress], None] | None,
    ) -> None:
        self._wanted, self._task, self._way, self._count = wanted, task, way, count
        self._random = Random(seed)
        self._annealer = annealer_for(wanted)
        self._clock, self._begun = clock, clock()
        self._longest = math.inf if seconds is None else seconds
        self._size_share = _size_share(wanted.height, wanted.width)
        self._cancelled, self._found = cancelled, found
        self._tries_all = way is BreedingWay.COPELAND
        self._known: set[object] = set()
        self._best: list[BredLayout] = []
        self._parents: list[BredLayout] = []
        """Those with the most promise, the best first."""
        self._looked_at = self._filled = 0

    def run(self, population: Sequence[BredLayout], most: int | None) -> BreedProgress:
        """Breed from a population until time is up, or so many children were tried."""
        for one in population:
            if self._is_unknown(one.walls):
                self._keep(one)
        children = {
            BreedingWay.BREEDING: self._bred,
            BreedingWay.COPELAND: self._by_copeland,
            BreedingWay.RANDOM: self._drawn,
        }[self._way]()
        for child in islice(children, most):
            if child is not None:
                self._keep(child)
            if self._is_over:
                break
        return self._progress

    @property
    def _is_over(self) -> bool:
        return self._clock() - self._begun >= self._longest or self._cancelled()

    @property
    def _progress(self) -> BreedProgress:
        seconds = self._clock() - self._begun
        return BreedProgress(tuple(self._best[: self._count]), self._looked_at, self._filled, seconds)

    def _keep(self, child: BredLayout) -> None:
        best = self._best[0] if self._best else None
        known = [one for one in self._best if one.walls is not child.walls]
        self._best = sorted([*known, child], key=lambda one: -one.score)[: max(self._count, POPULATION)]
        others = [one for one in self._parents if one.walls is not child.walls]
        self._parents = sorted([*others, child], key=lambda one: -one.promise)[:POPULATION]
        if self._found is not None and self._best[0] is not best:
            self._found(self._progress)

    # The three ways; each yields a new layout, or None where one came to nothing.

    def _drawn(self) -> Iterator[BredLayout | None]:
        while True:
            annealer = self._annealer.aiming_at(some_blocks(self._annealer, self._random))
            yield self._looked(annealer.draw(self._random.getrandbits(64)))

    def _bred(self) -> Iterator[BredLayout | None]:
        drawn = self._drawn()
        while len(self._parents) < POPULATION:
            yield next(drawn)
        while True:
            parents = self._parents
            hopeful = next(filter(self._is_hopeful, parents[:_CONTENDERS]), None)
            if hopeful is not None:
                yield self._searched(hopeful)
                continue
            first, second = (min(self._random.sample(range(len(parents)), _TOURNAMENT)) for _ in range(2))
            if self._random.random() < _CROSSED and first != second:
                walls = self._crossed(parents[first].walls, parents[second].walls)
            else:
                walls = self._changed(parents[first])
            yield self._estimated(self._repaired(walls, parents[first]))

    def _by_copeland(self) -> Iterator[BredLayout | None]:
        population: list[BredLayout] = []
        drawn = self._drawn()
        while len(population) < POPULATION:
            one = next(drawn)
            population += [one] if one is not None else []
            yield one
        while True:
            fitness = [_FITNESS[one.outlook.fillability] for one in population]
            children: list[BredLayout] = []
            while len(children) < POPULATION:
                first, second = self._random.choices(population, fitness, k=2)
                walls = self._crossed(first.walls, second.walls)
                if self._random.random() < _CROSSED:
                    self._flip(walls, self._random.randrange(len(self._annealer.orbits.orbits)))
                one = self._looked(walls, is_drawn=False)
                children += [one] if one is not None else []
                yield one
            population = children

    def _crossed(self, one: Walls, other: Walls) -> Walls:
        """The blocks of one on this side of a row or a column, those of the other on that side, mirrored along."""
        height, width = self._wanted.height, self._wanted.width
        is_row = self._random.random() < 0.5
        cut = self._random.randrange(1, height if is_row else width)
        child = one.copy()
        for orbit in self._annealer.orbits.orbits:
            squares = orbit[orbit >= 0]
            row, column = divmod(int(squares[0]), width)
            if (row if is_row else column) >= cut:
                child[squares] = other[squares]
        return child

    def _changed(self, parent: BredLayout) -> Walls:
        """Some blocks come or go, where it is dead in the entries that are blamed for it."""
        orbits, width = self._annealer.orbits, self._wanted.width
        slots = [parent.grid.slot(name) for name in parent.blamed]
        places = {int(orbits.orbit_of[at.row * width + at.column]) for slot in slots for at in slot.positions}
        blamed = sorted(places - {-1})
        walls = parent.walls.copy()
        for _ in range(self._random.randint(1, _MUTATED)):
            self._flip(
                walls, self._random.choice(blamed) if blamed else self._random.randrange(len(orbits.orbits))
            )
        return walls

    def _flip(self, walls: Walls, orbit: int) -> None:
        squares = self._annealer.orbits.orbits[orbit]
        walls[squares[squares >= 0]] ^= 1

    def _repaired(self, walls: Walls, parent: BredLayout) -> Walls | None:
        """The layout made legal, with about as few words and blocks as its parent, or fewer if that has a fill."""
        limits, figures = self._annealer.limits.copy(), parent.figures
        words, blocks = figures.words, figures.blocks
        if parent.outlook.fillability is Fillability.FILLED:
            words -= self._random.randint(0, _FEWER_WORDS)
            blocks -= self._random.randint(0, _FEWER_BLOCKS)
        else:
            words += self._random.randint(0, _FEWER_WORDS)
            blocks += self._random.randint(0, _FEWER_BLOCKS)
        for place, most in ((WORDS, words), (BLOCKS, blocks)):
            limits[place, 1] = max(limits[place, 0], min(limits[place, 1], most))
        steps = _REPAIR_STEPS * len(walls)
        annealer = replace(self._annealer, walls=walls, limits=limits, steps=steps, hot=_WARM)
        return annealer.draw(self._random.getrandbits(64))

    # Scoring

    def _looked(self, walls: Walls | None, *, is_drawn: bool = True) -> BredLayout | None:
        """A layout with its score; None for none, for one that is known already, and for one that is not legal.

        One that the annealing has drawn is legal but for little.
        """
        one = self._estimated(walls, is_drawn=is_drawn)
        return one if one is None or not self._is_hopeful(one) else self._searched(one)

    def _estimated(self, walls: Walls | None, *, is_drawn: bool = True) -> BredLayout | None:
        """The same, but for a search."""
        if walls is None:
            return None
        wanted = self._wanted
        grid = layout_grid(walls, wanted.height, wanted.width)
        is_legal = is_drawn or not judge(grid, wanted.profile)
        if not self._is_unknown(walls) or not (is_legal and wanted.takes(grid)):
            return None
        self._looked_at += 1
        one = bare(self._wanted, walls)
        if not self._tries_all and not self._is_contender(one):
            return replace(one, outlook=Outlook(Fillability.OPEN))
        try:
            problem = Problem.of(replace(self._task, grid=one.grid))
        except EngineError:
            return one
        if not problem.root.is_possible:
            return replace(one, blamed=culprits(problem))
        counter = FillCounter(problem)
        one = replace(one, outlook=Outlook(Fillability.OPEN, counter.quick().log10))
        if self._tries_all or not self._is_contender(one) or not self._may_be_parent(one):
            return one
        bethe = counter.bethe(seconds=None, cancelled=lambda: self._is_over).log10
        return one if bethe is None else replace(one, outlook=replace(one.outlook, log10=bethe))

    def _may_be_parent(self, one: BredLayout) -> bool:
        """Whether breeding may make it a parent: the estimate by pairs is nearly always the higher one."""
        full = self._way is BreedingWay.BREEDING and len(self._parents) == POPULATION
        return not full or one.promise > self._parents[-1].promise

    def _searched(self, one: BredLayout) -> BredLayout:
        """A layout after a search for a fill."""
        outlook = search(replace(self._task, grid=one.grid), one.outlook, _NODES, lambda: self._is_over)
        self._filled += outlook.fillability is Fillability.FILLED
        return replace(one, outlook=outlook)

    def _is_hopeful(self, one: BredLayout) -> bool:
        """Whether it is to be searched: it may be filled, and would be among the best then."""
        if self._tries_all or one.outlook.fillability is not Fillability.OPEN:
            return one.outlook.fillability is Fillability.OPEN
        log10 = one.outlook.log10
        return self._is_contender(one) and (log10 is None or log10 >= _FEW_LEFT * self._size_share)

    def _is_unknown(self, walls: Walls) -> bool:
        """Whether a layout comes for the first time; it is known from now on."""
        key = layout_key(walls, self._wanted.height, self._wanted.width)
        is_unknown = key not in self._known
        self._known.add(key)
        return is_unknown

    def _is_contender(self, one: BredLayout) -> bool:
        """Whether it would be among the best if a fill of it were found, and one may be."""
        log10 = one.outlook.log10
        if log10 is not None and log10 < _FEW_BY_PAIRS * self._size_share:
            return False
        sure = _SURE[Fillability.FILLED] + one.looks + (_MOST_ROOM if log10 is None else 0.0)
        return len(self._best) < _CONTENDERS or sure > self._best[_CONTENDERS - 1].score
