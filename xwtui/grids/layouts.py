"""Random legal layouts in any symmetry, no two alike up to mirror and turn.

Blocks are annealed (`engine.kernels.layouts`) under what a profile demands and what is wanted beside: more or
fewer entries, none that is longer than so many squares, few of three. What the kernel cannot see to, `judge`
does.

Bars are annealed, too: they come and go with their mirror images, and what breaks costs most. What a layout costs
is the sum of what its lines cost. A line is two bit masks, its cuts and its unches: a cut parts a square from the
next one, an unch is a square with cuts, or the rim, on both sides in the other direction. Most lines are met
often, and looked up. A bar changes its own line and the two that cross that beside it, so a step takes some
microseconds without any compiled code (Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated annealing",
Science 1983).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import islice
from random import Random

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.annealing import Annealer, Walls, free_orbits, layout_key, run_costs
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit, never
from xwtui.engine.kernels.layouts import BLOCKS, FORBIDDEN, THREES, WORDS
from xwtui.engine.problem.task import Task
from xwtui.engine.warmup import warm_up
from xwtui.engine.what_if.ranking import Ranking, rank
from xwtui.errors import PuzzleError
from xwtui.grids.library import pattern_key
from xwtui.grids.profiles import Profile, judge, judge_drawn, lattice_blocks
from xwtui.model import Bar, Direction, Grid, Kind, Position, Symmetry
from xwtui.model.block_changes import BlockChange
from xwtui.model.edits import bar_orbit
from xwtui.model.square import BLOCK, OPEN
from xwtui.model.statistics import LayoutFigures
from xwtui.named_tuples import NamedTuple

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
            raise PuzzleError(f"the profile {self.profile.name} does not allow a {self.height}x{self.width} grid")
        if self.symmetry not in self.profile.symmetries:
            raise PuzzleError(f"the profile {self.profile.name} does not allow the symmetry {self.symmetry.value}")
        self.symmetry.check_fits(self.height, self.width)
        if self.given is not None and self.given.bars and not self.profile.bars:
            raise PuzzleError(f"the grid has bars, and the profile {self.profile.name} allows none")

    def check_blocks(self) -> None:
        """Raise PuzzleError where bars part the entries, for what knows blocks alone."""
        if self.profile.bars:
            raise PuzzleError(f"the profile {self.profile.name} has bars; only `layouts` draws those")

    @property
    def entry_lengths(self) -> range:
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

    def cost(length: int) -> float:
        if length == 1 and not wanted.profile.checks_all:
            return 0.0
        if length not in wanted.entry_lengths:
            return FORBIDDEN
        return _THREE_COST * (length == 3) + _LONG_COST * max(0, length - _LONG)

    costs = run_costs(wanted.height, wanted.width, cost)
    if wanted.profile.lattice:
        side = max(wanted.height, wanted.width)
        for start in range(side):
            for length in range(wanted.profile.shortest_entry, side + 1):
                checked = sum(square % 2 == 0 for square in range(start, start + length))
                if checked < wanted.profile.least_checked * length:
                    costs[:, ::2, start, length] = FORBIDDEN
    return costs


def fixed_squares(wanted: LayoutWanted) -> dict[Position, bool]:
    """The squares that stay as they are, with their mirror images, and whether each is a block.

    Raises PuzzleError where a block and an open square would have to be one.
    """
    fixed: dict[Position, bool] = {}

    def fix(at: Position, is_block: bool) -> None:
        for image in wanted.symmetry.orbit(at, wanted.height, wanted.width):
            if fixed.setdefault(image, is_block) is not is_block:
                raise PuzzleError(f"{at} and its mirror image {image} cannot both stay unchanged")

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


_BARRED_ATTEMPTS = 20
"""Of these, which take longer."""
_STEPS_A_BAR = 100
_HOT, _COLD = 2.0, 0.15
_BROKEN = 4.0
"""What each thing costs that the profile does not allow."""
_OUTSIDE = 1.5
"""What each entry costs that is too many or too few."""
_WORD_SHARES = (0.24, 0.29)
"""Of the squares; a layout aims at so many entries if nothing else is asked."""
_CHECKED_COST = 0.3
"""What each square costs that is checked though it need not be: it is hard to fill, too."""
_MOST_KNOWN = 200_000
"""Lines that are kept with what they cost."""


@dataclass(frozen=True)
class BarredKind:
    """What barred layouts are drawn: on which squares, under what, and the bars that are told."""

    blank: Grid
    """Its blocks stay, and no others come."""
    profile: Profile
    symmetry: Symmetry
    lengths: range
    """How many squares an entry may have."""
    limits: NDArray[np.int64]
    """(4 x 2) the fewest and the most words, blocks, entries of three squares, and cheaters."""
    standing: frozenset[Bar] = frozenset()
    """Bars that stay, with their images."""
    joined: frozenset[Bar] = frozenset()
    """Where no bar may come, with the images."""

    @cached_property
    def fixed(self) -> dict[Bar, bool]:
        """Where a bar stands or may not come; raises PuzzleError where one would have to do both."""
        fixed: dict[Bar, bool] = {}
        for stands, bars in ((True, self.standing), (False, self.joined)):
            for bar in bars:
                for image in bar_orbit(bar, self.symmetry, self.blank):
                    if fixed.setdefault(image, stands) is not stands:
                        raise PuzzleError(
                            f"the bar between {bar.first} and {bar.second} cannot have its mirror image"
                        )
        return fixed

    @cached_property
    def orbits(self) -> tuple[frozenset[Bar], ...]:
        grid = self.blank
        ends = ((at, at.step(way)) for way in Direction for at in grid.open_positions())
        orbits = dict.fromkeys(
            bar_orbit(Bar(*pair), self.symmetry, grid)
            for pair in ends
            if pair[1] in grid and grid[pair[1]].is_open and Bar(*pair) not in self.fixed
        )
        return tuple(orbits)

    def is_legal(self, grid: Grid) -> bool:
        within = (
            low <= number <= high for number, (low, high) in zip(LayoutFigures.of(grid), self.limits, strict=True)
        )
        return all(within) and not judge(grid, self.profile)


class _BarredLine(NamedTuple):
    """What a line costs, and its entries, those of three squares among them."""

    cost: float
    broken: int
    words: int
    threes: int


class _BarPlace(NamedTuple):
    """Where a bar stands: its line, the bit of the square before it, and the lines across on both sides."""

    line: int
    bit: int
    before: int
    after: int
    across: int
    """The bit that its line has in those."""


class _BarredLines:
    """Bars as they change, line by line: the rows first, then the columns."""

    def __init__(self, kind: BarredKind, line_of: Callable[[int, int, int, int], _BarredLine]) -> None:
        grid = kind.blank
        self._line_of = line_of
        self.sides = [grid.width] * grid.height + [grid.height] * grid.width
        self._closed = [0] * len(self.sides)
        self._cuts = [1 << (side - 1) for side in self.sides]
        self._unches = [0] * len(self.sides)
        for at in grid.positions():
            if not grid[at].is_open:
                for line, bit in ((at.row, at.column), (grid.height + at.column, at.row)):
                    self._closed[line] |= 1 << bit
                    self._cuts[line] |= (1 << bit) | (1 << bit >> 1)
        for bar, stands in kind.fixed.items():
            if stands:
                self._cut(place_of(bar, grid))
        for line, side in enumerate(self.sides):
            for bit in range(side):
                if self._is_alone(line, bit):
                    is_row = line < grid.height
                    crossing, across = (grid.height + bit, line) if is_row else (bit, line - grid.height)
                    self._unches[crossing] |= 1 << across
        self._lines = [self._looked_up(line) for line in range(len(self.sides))]

    def _cut(self, place: _BarPlace) -> None:
        self._cuts[place.line] ^= 1 << place.bit

    def _is_alone(self, line: int, bit: int) -> bool:
        cuts = self._cuts[line]
        return bool(cuts >> bit & 1 and (bit == 0 or cuts >> (bit - 1) & 1))

    def _looked_up(self, line: int) -> _BarredLine:
        return self._line_of(self.sides[line], self._cuts[line], self._unches[line], self._closed[line])

    def totals(self) -> _BarredLine:
        return _BarredLine(*(sum(column) for column in zip(*self._lines, strict=True)))

    def flip(self, places: tuple[_BarPlace, ...], lines: tuple[int, ...], totals: _BarredLine) -> _BarredLine:
        """Let bars come or go that change some lines; returns the totals then."""
        for place in places:
            self._cut(place)
            for bit, crossing in ((place.bit, place.before), (place.bit + 1, place.after)):
                if self._is_alone(place.line, bit):
                    self._unches[crossing] |= 1 << place.across
                else:
                    self._unches[crossing] &= ~(1 << place.across)
        cost, broken, words, threes = totals
        for line in lines:
            old, new = self._lines[line], self._looked_up(line)
            self._lines[line] = new
            cost += new.cost - old.cost
            broken += new.broken - old.broken
            words += new.words - old.words
            threes += new.threes - old.threes
        return _BarredLine(cost, broken, words, threes)


def place_of(bar: Bar, grid: Grid) -> _BarPlace:
    """Where a bar stands among the lines of a grid."""
    (row, column), (below, _) = bar
    if row == below:
        return _BarPlace(row, column, grid.height + column, grid.height + column + 1, row)
    return _BarPlace(grid.height + column, row, row, row + 1, column)


class BarAnnealer:
    """Draws barred layouts of one kind; raises PuzzleError where what is told of them cannot be symmetric."""

    def __init__(self, kind: BarredKind) -> None:
        self._kind = kind
        self._flips: list[tuple[tuple[_BarPlace, ...], tuple[int, ...]]] = []
        for orbit in kind.orbits:
            places = tuple(place_of(bar, kind.blank) for bar in sorted(orbit))
            lines = {line for place in places for line in (place.line, place.before, place.after)}
            self._flips.append((places, tuple(sorted(lines))))
        self._line = lru_cache(_MOST_KNOWN)(self._counted)
        self._run = cache(self._priced)
        """What an entry costs beside what it breaks, and how much that is."""

    def draw(self, seed: int) -> Grid | None:
        """A layout, or None where this seed finds none; the same for the same seed."""
        random, flips = Random(seed), self._flips
        layout = _BarredLines(self._kind, self._line)
        limits = self._aim(random)
        totals = layout.totals()
        cost = totals.cost + _outside(totals, limits)
        best, kept = (math.inf if totals.broken else cost), frozenset[int]()
        standing: set[int] = set()
        steps = _STEPS_A_BAR * sum(len(places) for places, _ in flips)
        cooling = (_COLD / _HOT) ** (1.0 / max(steps, 1))
        heat = _HOT
        for _ in range(steps):
            heat *= cooling
            number = random.randrange(len(flips))
            changed = layout.flip(*flips[number], totals)
            price = changed.cost + _outside(changed, limits)
            if price <= cost or random.random() < math.exp((cost - price) / heat):
                totals, cost = changed, price
                standing ^= {number}
                if cost < best - 1e-9 and not totals.broken:
                    best, kept = cost, frozenset(standing)
            else:
                layout.flip(*flips[number], changed)
        bars = {bar for number in kept for bar in self._kind.orbits[number]}
        bars |= {bar for bar, stands in self._kind.fixed.items() if stands}
        grid = self._kind.blank.with_bars(bars)
        return grid if not math.isinf(best) and self._kind.is_legal(grid) else None

    def _aim(self, random: Random) -> tuple[tuple[int, int], tuple[int, int]]:
        """The fewest and most entries of the next layout, and those of three squares."""
        squares = sum(1 for _ in self._kind.blank.open_positions())
        fewest, most = (round(share * squares) for share in _WORD_SHARES)
        low, high = map(int, self._kind.limits[WORDS])
        wanted = min(max(random.randint(fewest, most), low), high)
        least, limit = map(int, self._kind.limits[THREES])
        return (max(wanted - 1, low), min(wanted + 1, high)), (least, limit)

    def _counted(self, side: int, cuts: int, unches: int, closed: int) -> _BarredLine:
        cost, broken, words, threes = 0.0, 0, 0, 0
        start = 0
        for bit in range(side):
            if not cuts >> bit & 1:
                continue
            length = bit + 1 - start
            if length == 1:
                broken += bool(unches >> bit & 1 and not closed >> bit & 1)  # in no entry at all
            else:
                price, missed = self._run(length, unches >> start & ((1 << length) - 1))
                cost, broken = cost + price, broken + missed
                words, threes = words + 1, threes + (length == 3)
            start = bit + 1
        return _BarredLine(cost + _BROKEN * broken, broken, words, threes)

    def _priced(self, length: int, unches: int) -> tuple[float, int]:
        profile, lengths = self._kind.profile, self._kind.lengths
        if length not in lengths:
            return 0.0, max(lengths.start - length, length + 1 - lengths.stop, 1)
        in_a_row = [len(run) for run in f"{unches:0{length}b}"[::-1].split("0")]
        spare = length - unches.bit_count() - profile.fewest_checked(length)
        at_start = profile.most_unchecked_at_start
        broken = (
            max(0, -spare)
            + max(0, max(in_a_row) - profile.most_unchecked_in_a_row)
            + (0 if at_start is None else max(0, in_a_row[0] - at_start))
        )
        cost = _THREE_COST * (length == 3) + _LONG_COST * max(0, length - _LONG) + _CHECKED_COST * max(0, spare)
        return cost, broken


def _outside(totals: _BarredLine, limits: tuple[tuple[int, int], tuple[int, int]]) -> float:
    """What it costs to have too many entries, or too few."""
    counts = zip((totals.words, totals.threes), limits, strict=True)
    return _OUTSIDE * sum(max(0, low - number, number - high) for number, (low, high) in counts)


def barred_layouts(kind: BarredKind, seed: int, is_over: Callable[[], bool]) -> Iterator[Grid]:
    """Legal layouts, each unlike those before it; ends where it finds no more. The same for the same seed.

    `is_over` is asked before each is drawn. Raises PuzzleError where what is told cannot be symmetric.
    """
    annealer, random = BarAnnealer(kind), Random(seed)
    known: set[object] = set()
    failed = 0
    while failed < _BARRED_ATTEMPTS and not is_over():
        failed += 1
        grid = annealer.draw(random.getrandbits(64))
        if grid is not None and (key := pattern_key(grid)) not in known:
            known.add(key)
            failed = 0
            yield grid
