"""A genetic algorithm for layouts: crossover and mutation, scored by estimated fills and by looks.

A child combines the blocks of two parents on either side of a line, or it is one parent mutated where the engine
blames it for being dead. A short annealing run then makes it legal. It is scored by propagation and the pairwise
estimate of its number of fills. Candidates for the best few also get Bethe's estimate and a short search for a
fill.

Two other methods serve for comparison: random layouts alone, and Bob Copeland's. He generates random valid grids,
scores them by a filler, and would "use a genetic algorithm to produce new templates based on their fitness". As he
gives no details, selection in proportion to fitness, one-point crossover and occasional flips follow the textbook
(Holland 1975), and invalid children are discarded.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.annealing import Walls, layout_key
from xwtui.engine.budget import Budget
from xwtui.engine.count.estimator import Counter as FillCounter
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import culprits
from xwtui.engine.problem.task import Task
from xwtui.engine.warmup import warm_up
from xwtui.engine.what_if.ranking import Fillability, Outlook, search
from xwtui.errors import EngineError
from xwtui.grids.layouts import LayoutWanted, annealer_for, layout_grid, some_blocks, with_given
from xwtui.grids.profiles import judge
from xwtui.model import Grid, Position
from xwtui.model.statistics import LayoutFigures
from xwtui.words.kept_order import KeptOrder

_POPULATION = 16
"""Size of the population, and of a generation."""
_CONTENDERS = 5
"""A layout is searched for a fill if it could be among this many best ones."""
_NODES = 1_500
_BETHE_SECONDS = 0.3
_CROSSED = 0.5
"""Fraction of children with two parents."""
_TOURNAMENT = 3
_MUTATED = 2
"""Maximum number of blocks, with their mirror images, flipped in a child before it is made legal."""
_WARM = 0.45
_REPAIR_STEPS = 4
"""Annealing steps per square for making a child legal."""

_SURE = {Fillability.IMPOSSIBLE: -200.0, Fillability.OPEN: 0.0, Fillability.HARD: 0.0, Fillability.FILLED: 100.0}
_HALF, _CHOKE, _ROOM = 0.5, 0.25, 0.05
_FEW_LEFT = 13.0
"""If Bethe's estimate (log10 of the number of fills) is lower, a short search rarely finds a fill (measured)."""
_FEW_BY_PAIRS = 10.0
"""The same threshold for the pairwise estimate, which is cheaper and less accurate."""
_MEASURED_SQUARES = 15 * 15
"""Size of the grids on which these were measured. Smaller grids have fewer fills but are filled as quickly."""
_FITNESS = {Fillability.IMPOSSIBLE: 0.05, Fillability.OPEN: 1.0, Fillability.HARD: 0.5, Fillability.FILLED: 2.0}
"""Copeland's fitness: only the filler's result for the grid."""


class BreedingWay(enum.Enum):
    """The method that produces the next layout. The value is what users type."""

    BREEDING = "breeding"
    COPELAND = "copeland"
    RANDOM = "random"


@dataclass(frozen=True)
class BredLayout:
    """A layout with its score and what is known about its fills."""

    grid: Grid
    walls: Walls = field(repr=False, compare=False)
    figures: LayoutFigures
    chokes: int
    """The number of open squares whose removal disconnects the grid."""
    outlook: Outlook
    blamed: tuple[str, ...] = ()
    """The entries blamed if the layout has no fill."""

    @property
    def score(self) -> float:
        """Weighs a known fill most, then few words, then few blocks and threes (at half weight), then flow."""
        return _SURE[self.outlook.fillability] + self.looks

    @property
    def looks(self) -> float:
        figures = self.figures
        shape = -figures.words - _HALF * (figures.blocks + figures.threes + figures.cheaters)
        return shape - _CHOKE * self.chokes + _ROOM * (self.outlook.log10 or 0.0)


@dataclass(frozen=True)
class BreedProgress:
    """The state of a breeding run, with its best layouts in order."""

    layouts: tuple[BredLayout, ...] = ()
    looked_at: int = 0
    filled: int = 0
    """Number of layouts for which a fill was found."""
    seconds: float = 0.0


@dataclass(frozen=True)
class BreedingRequest:
    """Parameters of a breeding run."""

    wanted: LayoutWanted
    task: Task
    """The words with which the layouts are filled."""
    budget: Budget
    way: BreedingWay = BreedingWay.BREEDING
    count: int = 10
    clock: Callable[[], float] = perf_counter
    """The clock that measures the budget's seconds."""


def breed(request: BreedingRequest, found: Callable[[BreedProgress], None] | None = None) -> BreedProgress:
    """Breed layouts and report each new best one; raises PuzzleError for what the profile does not allow."""
    warm_up(counting=True, drawing=True)
    return _Farm(request, found).run()


class _Farm:
    """The population, and everything known about the layouts so far."""

    def __init__(self, request: BreedingRequest, found: Callable[[BreedProgress], None] | None) -> None:
        self._asked, self._wanted, self._found = request, request.wanted, found
        self._random = Random(request.budget.seed)
        self._annealer = annealer_for(self._wanted)
        self._begun = request.clock()
        self._longest = math.inf if request.budget.seconds is None else request.budget.seconds
        self._size_share = min(1.0, self._wanted.height * self._wanted.width / _MEASURED_SQUARES)
        self._known: set[object] = set()
        self._best: KeptOrder[BredLayout] = KeptOrder(lambda one: -one.score, max(request.count, _POPULATION))
        self._looked_at = self._filled = 0

    def run(self) -> BreedProgress:
        children = {
            BreedingWay.BREEDING: self._bred,
            BreedingWay.COPELAND: self._by_copeland,
            BreedingWay.RANDOM: self._drawn,
        }[self._asked.way]()
        for child in children:
            if child is not None:
                best = next(iter(self._best), None)
                self._best.add(child)
                if self._found is not None and next(iter(self._best)) is not best:
                    self._found(self._progress)
            if self._is_over:
                break
        return self._progress

    @property
    def _is_over(self) -> bool:
        return self._asked.clock() - self._begun >= self._longest or self._asked.budget.stop()

    @property
    def _progress(self) -> BreedProgress:
        seconds = self._asked.clock() - self._begun
        return BreedProgress(tuple(self._best.first(self._asked.count)), self._looked_at, self._filled, seconds)

    # The three methods. Each yields a new layout, or None after a failed attempt.

    def _drawn(self) -> Iterator[BredLayout | None]:
        while True:
            annealer = self._annealer.for_block_count(some_blocks(self._annealer, self._random))
            yield self._looked(annealer.draw(self._random.getrandbits(64)))

    def _bred(self) -> Iterator[BredLayout | None]:
        drawn = self._drawn()
        while len(self._best) < _POPULATION:
            yield next(drawn)
        while True:
            parents = self._best.first(_POPULATION)
            first, second = (min(self._random.sample(range(len(parents)), _TOURNAMENT)) for _ in range(2))
            if self._random.random() < _CROSSED and first != second:
                walls = self._crossed(parents[first].walls, parents[second].walls)
            else:
                walls = self._changed(parents[first])
            # repair with about as many words as the parent, or slightly fewer
            limits = self._annealer.limits.copy()
            words = parents[first].figures.words + self._random.randint(-2, 0)
            limits[0, 1] = max(limits[0, 0], min(limits[0, 1], words))
            steps = _REPAIR_STEPS * len(walls)
            annealer = replace(self._annealer, walls=walls, limits=limits, steps=steps, hot=_WARM)
            yield self._looked(annealer.draw(self._random.getrandbits(64)))

    def _by_copeland(self) -> Iterator[BredLayout | None]:
        population: list[BredLayout] = []
        drawn = self._drawn()
        while len(population) < _POPULATION:
            one = next(drawn)
            population += [one] if one is not None else []
            yield one
        while True:
            fitness = [_FITNESS[one.outlook.fillability] for one in population]
            children: list[BredLayout] = []
            while len(children) < _POPULATION:
                first, second = self._random.choices(population, fitness, k=2)
                walls = self._crossed(first.walls, second.walls)
                if self._random.random() < _CROSSED:
                    self._flip(walls, self._random.randrange(len(self._annealer.orbits.orbits)))
                one = self._looked(walls, is_drawn=False)
                children += [one] if one is not None else []
                yield one
            population = children

    def _crossed(self, one: Walls, other: Walls) -> Walls:
        """Combine two layouts at a random row or column, in symmetric orbits."""
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
        """Flip some blocks, within the blamed entries if the layout is dead."""
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

    # Scoring

    def _looked(self, walls: Walls | None, *, is_drawn: bool = True) -> BredLayout | None:
        """Score a layout; returns None for no layout, a known one or an illegal one.

        A layout drawn by annealing needs only a partial check of legality.
        """
        wanted = self._wanted
        if walls is None or (key := layout_key(walls, wanted.height, wanted.width)) in self._known:
            return None
        self._known.add(key)
        grid = layout_grid(walls, wanted.height, wanted.width)
        if not (wanted.takes(grid) if is_drawn else not judge(grid, wanted.profile) and wanted.takes_threes(grid)):
            return None
        self._looked_at += 1
        grid = with_given(grid, wanted)
        one = BredLayout(grid, walls, LayoutFigures.of(grid), chokes(grid), Outlook(Fillability.IMPOSSIBLE))
        task = replace(self._asked.task, grid=one.grid)
        try:
            problem = Problem.of(task)
        except EngineError:
            return one
        if not problem.root.is_possible:
            return replace(one, blamed=culprits(problem))
        counter = FillCounter(problem)
        one = replace(one, outlook=Outlook(Fillability.OPEN, counter.quick().log10))
        tries_all = self._asked.way is BreedingWay.COPELAND
        if not tries_all and not self._is_contender(one):
            return one
        outlook = one.outlook
        if not tries_all:
            bethe = counter.bethe(Budget(_BETHE_SECONDS, stop=lambda: self._is_over)).log10
            outlook = replace(outlook, log10=outlook.log10 if bethe is None else bethe)
        if tries_all or outlook.log10 is None or outlook.log10 >= _FEW_LEFT * self._size_share:
            outlook = search(task, outlook, _NODES, lambda: self._is_over)
        self._filled += outlook.fillability is Fillability.FILLED
        return replace(one, outlook=outlook)

    def _is_contender(self, one: BredLayout) -> bool:
        """Whether it would be among the best with a fill, and a fill is likely enough."""
        log10 = one.outlook.log10
        if log10 is not None and log10 < _FEW_BY_PAIRS * self._size_share:
            return False
        sure = _SURE[Fillability.FILLED] + one.looks
        best = self._best.first(_CONTENDERS)
        return len(best) < _CONTENDERS or sure > best[-1].score


def chokes(grid: Grid) -> int:
    """Count the open squares whose removal disconnects part of the grid (Tarjan 1972)."""
    squares = set(grid.open_positions())
    parents = _depth_first(squares)
    number = {at: place for place, at in enumerate(parents)}
    lowest = {at: min(number[near] for near in (at, *at.neighbours) if near in squares) for at in squares}
    parted: Counter[Position] = Counter()
    for at in reversed(parents):
        parent = parents[at]
        if parent is not None:
            lowest[parent] = min(lowest[parent], lowest[at])
            parted[parent] += lowest[at] >= number[parent]
    return sum(parts > (parents[at] is None) for at, parts in parted.items())


def _depth_first(squares: set[Position]) -> dict[Position, Position | None]:
    """Return the squares in depth-first order, each with its predecessor."""
    parents: dict[Position, Position | None] = {}
    for root in sorted(squares):
        waiting: list[tuple[Position, Position | None]] = [(root, None)]
        while waiting:
            at, before = waiting.pop()
            if at not in parents:
                parents[at] = before
                waiting += [(near, at) for near in at.neighbours if near in squares and near not in parents]
    return parents
