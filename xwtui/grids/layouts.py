"""Random legal layouts in any symmetry, distinct up to reflection and rotation.

Blocks are annealed (`engine.kernels.layouts`) under the profile's limits and further wishes: a range of entries, a
maximum length, few threes. `judge` checks what the kernel cannot.

Bars are annealed, too. They are flipped together with their mirror images, and violations cost most. A layout's
cost is the sum of the costs of its lines. A line is two bit masks, its cuts and its unches: a cut separates a
square from the next one, and an unch is a square with cuts or the border on both sides in the other direction.
Line costs are cached, because most lines recur. A bar changes its own line and the two crossing lines next to it,
so a step takes some microseconds without compiled code (Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated
annealing", Science 1983).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import islice
from random import Random
from typing import NamedTuple

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

_ATTEMPTS = 100
"""Number of consecutive failures or repeats after which there are assumed to be no more layouts."""
_BLOCK_SHARES = (0.04, 0.24)
"""Default range of the share of free squares that become blocks; each layout aims at one share in it."""
_THREE_COST = 0.35
_LONG, _LONG_COST = 8, 0.15
"""Each square of an entry beyond this length costs this much, because long entries are hard to fill."""


@dataclass(frozen=True)
class LayoutWanted:
    """Requirements for layouts; None means no requirement."""

    height: int
    width: int
    profile: Profile
    symmetry: Symmetry = Symmetry.ROTATION_180
    fewest_words: int | None = None
    most_words: int | None = None
    fewest_blocks: int | None = None
    most_blocks: int | None = None
    most_threes: int | Fraction | None = None
    """Maximum number of three-square entries, or their maximum share of all entries."""
    longest_entry: int | None = None
    """Maximum length of an entry in squares."""
    given: Grid | None = None
    """A grid whose blocks, voids, bars, and squares with content, circle or shade are kept."""

    def __post_init__(self) -> None:
        if not self.profile.takes_size(self.height, self.width):
            raise PuzzleError(f"the profile {self.profile.name} does not allow a {self.height}x{self.width} grid")
        if self.symmetry not in self.profile.symmetries:
            raise PuzzleError(f"the profile {self.profile.name} does not allow the symmetry {self.symmetry.value}")
        self.symmetry.check_fits(self.height, self.width)
        if self.given is not None and self.given.bars and not self.profile.bars:
            raise PuzzleError(f"the grid has bars, and the profile {self.profile.name} allows none")

    def check_blocks(self) -> None:
        """Raise PuzzleError if the profile uses bars, for callers that support only blocks."""
        if self.profile.bars:
            raise PuzzleError(f"the profile {self.profile.name} has bars; only `layouts` draws those")

    @property
    def entry_lengths(self) -> range:
        demanded = (self.longest_entry, self.profile.longest_entry, max(self.height, self.width))
        return range(self.profile.shortest_entry, min(one for one in demanded if one is not None) + 1)

    def takes(self, drawn: Grid) -> bool:
        """Whether a drawn layout, already within the limits, is legal and has an allowed share of threes."""
        return judge_drawn(drawn, self.profile) and self.takes_threes(drawn)

    def takes_threes(self, layout: Grid) -> bool:
        """Whether the share of three-square entries is within the limit."""
        if not isinstance(self.most_threes, Fraction):
            return True
        figures = LayoutFigures.of(layout)
        return figures.threes <= self.most_threes * figures.words

    @property
    def limits(self) -> NDArray[np.int64]:
        """Minimum and maximum of words, blocks, three-square entries and cheaters, shape (4, 2).

        A maximum share of threes is converted with the maximum number of words; `takes` checks it exactly.
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
    """Return the grid of a layout."""
    return Grid(height, width, tuple(BLOCK if wall else OPEN for wall in walls))


def with_given(layout: Grid, wanted: LayoutWanted) -> Grid:
    """Return a layout with the content of the given grid, if there is one."""
    given = wanted.given
    if given is None:
        return layout
    return layout.with_squares({at: given[at] for at in given.positions() if given[at] != OPEN})


def layouts(wanted: LayoutWanted, seed: int = 0, is_over: Callable[[], bool] = never) -> Iterator[Grid]:
    """Yield distinct legal layouts, the same for a seed, until no more are found; polls `is_over` before each."""
    has_bars = wanted.profile.bars
    draw, attempts = (BarAnnealer(wanted).draw, _BARRED_ATTEMPTS) if has_bars else (_blocks(wanted), _ATTEMPTS)
    random, known = Random(seed), set[object]()
    failed = refused = 0
    while failed < attempts and refused < _ATTEMPTS and not is_over():
        failed += 1
        drawn = draw(random)
        if drawn is not None and drawn.key not in known:
            known.add(drawn.key)
            if judge_drawn(drawn.grid, wanted.profile):
                failed, refused = 0, refused + 1
                if wanted.takes_threes(drawn.grid):
                    refused = 0
                    yield with_given(drawn.grid, wanted)


class _Drawn(NamedTuple):
    """A layout, and a key that is the same for its rotations and reflections."""

    key: object
    grid: Grid


def _blocks(wanted: LayoutWanted) -> Callable[[Random], _Drawn | None]:
    """Return a function that draws a layout of blocks; it returns None after a failed attempt."""
    warm_up(counting=False, drawing=True)
    annealer, height, width = annealer_for(wanted), wanted.height, wanted.width

    def draw(random: Random) -> _Drawn | None:
        walls = annealer.for_block_count(some_blocks(annealer, random)).draw(random.getrandbits(64))
        if walls is None:
            return None
        return _Drawn(layout_key(walls, height, width), layout_grid(walls, height, width))

    return draw


def some_blocks(annealer: Annealer, random: Random) -> int:
    """Return a random target for the number of blocks within the usual and requested ranges."""
    standing = int(annealer.walls.sum())
    free = int((annealer.orbits.orbit_of >= 0).sum())
    fewest, most = (standing + round(share * free) for share in _BLOCK_SHARES)
    least, limit = map(int, annealer.limits[BLOCKS])
    fewest = max(fewest, least)
    return random.randint(fewest, max(fewest, min(most, limit)))


def annealer_for(wanted: LayoutWanted) -> Annealer:
    """Return the annealer for layouts with blocks; raises PuzzleError for a profile with bars."""
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
    """Return the costs of runs; in a lattice, runs with too few checked squares are forbidden."""

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
    """Return the fixed squares and images, and whether each is a block; raises PuzzleError for a contradiction."""
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
"""Number of completions that are ranked."""
_SEARCHED = 3
"""Number of the best ones for which a fill is searched."""


def completions(
    task: Task,
    wanted: LayoutWanted,
    budget: Budget = NO_LIMIT,
    *,
    found: Callable[[Ranking[BlockChange]], None] | None = None,
) -> Ranking[BlockChange]:
    """Rank ways to complete a grid's blocks under a profile by whether, and how easily, they can be filled.

    The grid's content is kept. If the grid is already legal, adding no blocks is one of the ways. `found` is
    called with the ranking so far. Raises PuzzleError if the existing content cannot be symmetric.
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
"""The limit of failures for barred layouts, which take longer."""
_STEPS_A_BAR = 100
_HOT, _COLD = 2.0, 0.15
_BROKEN = 4.0
"""Cost of each violation of the profile."""
_OUTSIDE = 1.5
"""Cost of each entry above or below the target range."""
_WORD_SHARES = (0.24, 0.29)
"""Default range of the number of entries as a share of the squares; each layout aims at one value in it."""
_CHECKED_COST = 0.3
"""Cost of each square checked beyond the requirement, because checking makes filling harder."""
_MOST_KNOWN = 200_000
"""Size of the cache of line costs."""


class _BarredLine(NamedTuple):
    """The cost of a line, its violations, and its number of entries and of three-square entries."""

    cost: float
    broken: int
    words: int
    threes: int


class _BarPlace(NamedTuple):
    """A bar's place: its line, the bit of the square before it, and the crossing lines on both sides."""

    line: int
    bit: int
    before: int
    after: int
    across: int
    """The bit of its line in the crossing lines."""


class _BarredLines:
    """The mutable state of bars, by line: rows first, then columns."""

    def __init__(
        self, grid: Grid, bars: Iterable[Bar], line_of: Callable[[int, int, int, int], _BarredLine]
    ) -> None:
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
        for bar in bars:
            self._cut(_place_of(bar, grid))
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
        """Flip bars that affect the given lines; returns the new totals."""
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


def _place_of(bar: Bar, grid: Grid) -> _BarPlace:
    (row, column), (below, _) = bar
    if row == below:
        return _BarPlace(row, column, grid.height + column, grid.height + column + 1, row)
    return _BarPlace(grid.height + column, row, row, row + 1, column)


class BarAnnealer:
    """Draws barred layouts; raises PuzzleError if the fixed bars cannot be symmetric."""

    def __init__(self, wanted: LayoutWanted) -> None:
        self._wanted, self._limits = wanted, wanted.limits
        blocks = dict.fromkeys((at for at, is_block in fixed_squares(wanted).items() if is_block), BLOCK)
        self._blank = blank = Grid.blank(wanted.height, wanted.width).with_squares(blocks)
        fixed = _fixed_bars(wanted, blank)
        self._bars = [bar for bar, stands in fixed.items() if stands]
        ends = ((at, at.step(way)) for way in Direction for at in blank.open_positions())
        free = (Bar(*pair) for pair in ends if blank.is_joined(*pair) and Bar(*pair) not in fixed)
        self._orbits = tuple(dict.fromkeys(bar_orbit(bar, wanted.symmetry, blank) for bar in free))
        self._flips: list[tuple[tuple[_BarPlace, ...], tuple[int, ...]]] = []
        for orbit in self._orbits:
            places = tuple(_place_of(bar, blank) for bar in sorted(orbit))
            lines = {line for place in places for line in (place.line, place.before, place.after)}
            self._flips.append((places, tuple(sorted(lines))))
        self._line = lru_cache(_MOST_KNOWN)(self._counted)
        self._run = cache(self._priced)
        """Cached: the cost of an entry apart from violations, and its number of violations."""

    def draw(self, random: Random) -> _Drawn | None:
        """Return a layout, or None if none is found this time."""
        random, flips = Random(random.getrandbits(64)), self._flips
        layout = _BarredLines(self._blank, self._bars, self._line)
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
        grid = self._blank.with_bars([*self._bars, *(bar for number in kept for bar in self._orbits[number])])
        figures = zip(LayoutFigures.of(grid), self._limits, strict=True)
        is_within = not math.isinf(best) and all(low <= number <= high for number, (low, high) in figures)
        return _Drawn(pattern_key(grid), grid) if is_within else None

    def _aim(self, random: Random) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the target ranges of entries and of three-square entries for the next layout."""
        squares = sum(1 for _ in self._blank.open_positions())
        fewest, most = (round(share * squares) for share in _WORD_SHARES)
        low, high = map(int, self._limits[WORDS])
        wanted = min(max(random.randint(fewest, most), low), high)
        least, limit = map(int, self._limits[THREES])
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
        profile, lengths = self._wanted.profile, self._wanted.entry_lengths
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
    counts = zip((totals.words, totals.threes), limits, strict=True)
    return _OUTSIDE * sum(max(0, low - number, number - high) for number, (low, high) in counts)


def _fixed_bars(wanted: LayoutWanted, blank: Grid) -> dict[Bar, bool]:
    """Return whether each fixed place has a bar: the given grid's bars stay, and none may part its letters.

    Raises PuzzleError if these cannot be symmetric.
    """
    given = blank if wanted.given is None else wanted.given
    bars = {bar for bar in given.bars if blank.is_joined(*bar)}
    written = given.contents
    joined = {bar for at in written for way in Direction if (bar := Bar(at, at.step(way))).second in written}
    fixed: dict[Bar, bool] = {}
    for stands, some in ((True, bars), (False, joined - bars)):
        for bar in some:
            for image in bar_orbit(bar, wanted.symmetry, blank):
                if fixed.setdefault(image, stands) is not stands:
                    raise PuzzleError(f"the bar between {bar.first} and {bar.second} cannot have its mirror image")
    return fixed
