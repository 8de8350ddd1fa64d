"""Random legal layouts in any symmetry, no two alike up to mirror and turn.

Blocks are annealed (`engine.kernels.layouts`) under what a profile demands and what is wanted beside: more or
fewer entries, none that is longer than so many squares, few of three. What the kernel cannot see to, `judge`
does. Where bars part the entries, `barred_layouts` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from random import Random

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.annealing import Annealer, Walls, free_orbits, layout_key, run_costs
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit, never
from xwtui.engine.kernels.layouts import BLOCKS, FORBIDDEN
from xwtui.engine.problem.task import Task
from xwtui.engine.warmup import warm_up
from xwtui.engine.what_if.ranking import Ranking, rank
from xwtui.errors import PuzzleError
from xwtui.grids.barred_layouts import BarredKind, barred_layouts
from xwtui.grids.judging import judge, judge_drawn
from xwtui.grids.profiles import Profile, lattice_blocks
from xwtui.model import Bar, Direction, Grid, Kind, Position, Symmetry
from xwtui.model.block_changes import BlockChange
from xwtui.model.square import BLOCK, OPEN
from xwtui.model.statistics import LayoutFigures

_ATTEMPTS = 100
"""Layouts in a row that may fail, or be known already, before there are said to be no more."""
_BLOCK_SHARES = (0.04, 0.24)
"""Of the squares that may change, so many become blocks if nothing else is asked; a layout aims at one share."""
_THREE_COST = 0.35
_LONG, _LONG_COST = 8, 0.15
"""Entries longer than so many squares cost so much for each square more: they are hard to fill."""


@dataclass(frozen=True)
class LayoutWanted:
    """What layouts are to be; what is None does not matter."""

    height: int
    width: int
    profile: Profile
    symmetry: Symmetry = Symmetry.ROTATION_180
    fewest_words: int | None = None
    most_words: int | None = None
    fewest_blocks: int | None = None
    most_blocks: int | None = None
    most_threes: int | Fraction | None = None
    """Entries of three squares at most, or the share of all entries that they may be."""
    longest_entry: int | None = None
    """Squares that an entry may have at most."""
    given: Grid | None = None
    """A grid whose blocks, voids and squares with content, circle or shade stay as they are, its bars too."""

    def __post_init__(self) -> None:
        if not self.profile.takes_size(self.height, self.width):
            raise PuzzleError(f"the profile {self.profile.name} takes no grid of {self.height}x{self.width}")
        if self.symmetry not in self.profile.symmetries:
            raise PuzzleError(f"the profile {self.profile.name} does not take the symmetry {self.symmetry.value}")
        self.symmetry.check_fits(self.height, self.width)
        if self.given is not None and self.given.bars and not self.profile.bars:
            raise PuzzleError(f"the grid has bars, and the profile {self.profile.name} takes none")

    def check_blocks(self) -> None:
        """Raise PuzzleError where bars part the entries, for what knows blocks alone."""
        if self.profile.bars:
            raise PuzzleError(f"the profile {self.profile.name} has bars; `layouts` alone draws those")

    @property
    def entry_lengths(self) -> range:
        """How many squares an entry may have."""
        demanded = (self.longest_entry, self.profile.longest_entry, max(self.height, self.width))
        return range(self.profile.shortest_entry, min(one for one in demanded if one is not None) + 1)

    def takes(self, drawn: Grid) -> bool:
        """Whether a layout that was drawn within the limits is legal, with the share of threes that is wanted."""
        return judge_drawn(drawn, self.profile) and self.takes_threes(drawn)

    def takes_threes(self, layout: Grid) -> bool:
        """Whether its entries of three squares are no larger a share of all than is wanted."""
        if not isinstance(self.most_threes, Fraction):
            return True
        figures = LayoutFigures.of(layout)
        return figures.threes <= self.most_threes * figures.words

    @property
    def limits(self) -> NDArray[np.int64]:
        """(4 x 2) the fewest and the most words, blocks, entries of three squares, and cheaters.

        A share of the entries is as many as the most words allow; `takes` sees to the rest.
        """
        profile, squares = self.profile, self.height * self.width
        words = min(one for one in (self.most_words, profile.most_words, squares) if one is not None)
        threes = int(self.most_threes * words) if isinstance(self.most_threes, Fraction) else self.most_threes
        rows = (
            (self.fewest_words, self.most_words, profile.most_words),
            (self.fewest_blocks, self.most_blocks, profile.most_blocks),
            (None, threes, profile.most_threes),
            (None, None, profile.most_cheaters),
        )
        return np.array(
            [
                (fewest or 0, min(one for one in (own, demanded, squares) if one is not None))
                for fewest, own, demanded in rows
            ],
            np.int64,
        )


def layout_grid(walls: Walls, height: int, width: int) -> Grid:
    """The grid of a layout."""
    return Grid(height, width, tuple(BLOCK if wall else OPEN for wall in walls))


def with_given(layout: Grid, wanted: LayoutWanted) -> Grid:
    """A layout with what the squares of the given grid hold, where one is given."""
    given = wanted.given
    if given is None:
        return layout
    return layout.with_squares({at: given[at] for at in given.positions() if given[at] != OPEN})


def layouts(wanted: LayoutWanted, seed: int = 0, is_over: Callable[[], bool] = never) -> Iterator[Grid]:
    """Legal layouts, each unlike those before it; ends where it finds no more. The same for the same seed.

    `is_over` is asked before each is drawn.
    """
    is_barred = wanted.profile.bars
    drawn = barred_layouts(_barred_kind(wanted), seed, is_over) if is_barred else _drawn(wanted, seed, is_over)
    failed = 0
    for grid in drawn:
        failed = 0 if wanted.takes_threes(grid) else failed + 1
        if not failed:
            yield with_given(grid, wanted)
        elif failed == _ATTEMPTS:
            return


def _drawn(wanted: LayoutWanted, seed: int, is_over: Callable[[], bool]) -> Iterator[Grid]:
    warm_up(counting=False, drawing=True)
    annealer = annealer_for(wanted)
    random = Random(seed)
    known: set[object] = set()
    failed = 0
    while failed < _ATTEMPTS and not is_over():
        failed += 1
        walls = annealer.aiming_at(some_blocks(annealer, random)).draw(random.getrandbits(64))
        if walls is None:
            continue
        key = layout_key(walls, wanted.height, wanted.width)
        if key not in known:
            known.add(key)
            grid = layout_grid(walls, wanted.height, wanted.width)
            if judge_drawn(grid, wanted.profile):
                failed = 0
                yield grid


def some_blocks(annealer: Annealer, random: Random) -> int:
    """How many blocks the next layout is to have: any number that is usual, or that is asked for."""
    standing = int(annealer.walls.sum())
    free = int((annealer.orbits.orbit_of >= 0).sum())
    fewest, most = (standing + round(share * free) for share in _BLOCK_SHARES)
    least, limit = map(int, annealer.limits[BLOCKS])
    fewest = max(fewest, least)
    return random.randint(fewest, max(fewest, min(most, limit)))


def _barred_kind(wanted: LayoutWanted) -> BarredKind:
    """What the barred layouts that are wanted are to be; squares that are written side by side stay joined."""
    blocks = dict.fromkeys((at for at, is_block in fixed_squares(wanted).items() if is_block), BLOCK)
    blank, given = Grid.blank(wanted.height, wanted.width).with_squares(blocks), wanted.given
    bars: frozenset[Bar] = frozenset()
    joined: frozenset[Bar] = frozenset()
    if given is not None:
        bars = frozenset(bar for bar in given.bars if blank.is_joined(*bar))
        written = [at for at in given.open_positions() if given[at].content is not None]
        pairs = (Bar(at, at.step(way)) for at in written for way in Direction)
        joined = frozenset(bar for bar in pairs if bar.second in written) - bars
    kind = wanted.profile, wanted.symmetry, wanted.entry_lengths, wanted.limits
    return BarredKind(blank, *kind, standing=bars, joined=joined)


def annealer_for(wanted: LayoutWanted) -> Annealer:
    """What draws the layouts that are wanted, with blocks alone; raises PuzzleError for a profile with bars."""
    wanted.check_blocks()
    height, width = wanted.height, wanted.width
    fixed = fixed_squares(wanted)
    walls = np.array(
        [fixed.get(Position(*divmod(square, width)), False) for square in range(height * width)], np.uint8
    )
    return Annealer(
        height,
        width,
        free_orbits(height, width, wanted.symmetry, frozenset(fixed)),
        _costs(wanted),
        wanted.limits,
        walls,
    )


def _costs(wanted: LayoutWanted) -> NDArray[np.float64]:
    """What runs cost; in a lattice, those of which too little is checked are forbidden."""
    costs = run_costs(wanted.height, wanted.width, lambda length: _cost(length, wanted))
    if wanted.profile.lattice:
        side = max(wanted.height, wanted.width)
        for start in range(side):
            for length in range(wanted.profile.shortest_entry, side + 1):
                checked = sum(square % 2 == 0 for square in range(start, start + length))
                if checked < wanted.profile.least_checked * length:
                    costs[:, ::2, start, length] = FORBIDDEN
    return costs


def _cost(length: int, wanted: LayoutWanted) -> float:
    if length == 1 and not wanted.profile.checks_all:
        return 0.0
    if length not in wanted.entry_lengths:
        return FORBIDDEN
    return _THREE_COST * (length == 3) + _LONG_COST * max(0, length - _LONG)


def fixed_squares(wanted: LayoutWanted) -> dict[Position, bool]:
    """The squares that stay as they are, with their mirror images, and whether each is a block.

    Raises PuzzleError where a block and an open square would have to be one.
    """
    fixed: dict[Position, bool] = {}

    def fix(at: Position, is_block: bool) -> None:
        for image in wanted.symmetry.orbit(at, wanted.height, wanted.width):
            if fixed.setdefault(image, is_block) is not is_block:
                raise PuzzleError(f"{at} and its mirror image {image} cannot both stay as they are")

    if wanted.profile.lattice:
        for at in lattice_blocks(wanted.height, wanted.width):
            fix(at, is_block=True)
    if wanted.given is not None:
        for at in wanted.given.positions():
            square = wanted.given[at]
            if square.kind is not Kind.OPEN:
                fix(at, is_block=True)
            elif square.content is not None or square.circle or square.shade:
                fix(at, is_block=False)
    return fixed


_LOOKED_AT = 24
"""Completions that are looked at."""
_SEARCHED = 3
"""Those, of the best ones, that a search tries to fill."""


def completions(
    task: Task,
    wanted: LayoutWanted,
    budget: Budget = NO_LIMIT,
    *,
    found: Callable[[Ranking[BlockChange]], None] | None = None,
) -> Ranking[BlockChange]:
    """Rank ways to complete the blocks of a grid under a profile by whether, and how far, they can be filled.

    What stands in the grid stays. No blocks at all are one way, where the grid is legal as it stands. `found` is
    called with the ranking so far. Raises PuzzleError where what stands cannot be symmetric.
    """
    grid = task.grid
    watch = TimeLimit(budget)
    changes = _changes(grid, replace(wanted, given=grid), budget.seed, watch.is_over)
    alternatives = ((change, replace(task, grid=change.on(grid))) for change in islice(changes, _LOOKED_AT))
    return rank(alternatives, searched=_SEARCHED, watch=watch, found=found)


def _changes(grid: Grid, wanted: LayoutWanted, seed: int, is_over: Callable[[], bool]) -> Iterator[BlockChange]:
    if not judge(grid, wanted.profile):
        yield BlockChange()
    for layout in layouts(wanted, seed, is_over):
        added = (at for at in grid.open_positions() if not layout[at].is_open)
        change = BlockChange(frozenset(added))
        if change.added:
            yield change
