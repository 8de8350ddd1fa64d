"""Barred layouts by simulated annealing: bars come and go with their mirror images, and what breaks costs most.

What a layout costs is the sum of what its lines cost. A line is two bit masks, its cuts and its unches: a cut
parts a square from the next one, an unch is a square with cuts, or the rim, on both sides in the other direction.
Most lines are met often, and looked up. A bar changes its own line and the two that cross that beside it, so a
step takes some microseconds without any compiled code (Kirkpatrick, Gelatt, Vecchi, "Optimization by simulated
annealing", Science 1983).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.kernels.layouts import THREES, WORDS
from xwtui.errors import PuzzleError
from xwtui.grids.judging import judge
from xwtui.grids.library import pattern_key
from xwtui.grids.profiles import Profile
from xwtui.model import Bar, Direction, Grid, Symmetry
from xwtui.model.edits import bar_orbit
from xwtui.model.statistics import LayoutFigures

_ATTEMPTS = 20
"""Layouts in a row that may fail, or be known already, before there are said to be no more."""
_STEPS_A_BAR = 100
_HOT, _COLD = 2.0, 0.15
_BROKEN = 4.0
"""What each thing costs that the profile does not allow."""
_OUTSIDE = 1.5
"""What each entry costs that is too many or too few."""
_WORD_SHARES = (0.24, 0.29)
"""Of the squares; a layout aims at so many entries if nothing else is asked."""
_THREE_COST = 0.35
_LONG, _LONG_COST = 8, 0.15
"""Entries longer than so many squares cost so much for each square more: they are hard to fill."""
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
        """The bars that come and go together."""
        grid = self.blank
        ends = ((at, at.step(way)) for way in Direction for at in grid.open_positions())
        orbits = dict.fromkeys(
            bar_orbit(Bar(*pair), self.symmetry, grid)
            for pair in ends
            if pair[1] in grid and grid[pair[1]].is_open and Bar(*pair) not in self.fixed
        )
        return tuple(orbits)

    def is_legal(self, grid: Grid) -> bool:
        """Whether a layout is all that is wanted."""
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
                crossing, across = self._crossing(line, bit, grid)
                if self._is_alone(line, bit):
                    self._unches[crossing] |= 1 << across
        self._lines = [self._looked_up(line) for line in range(len(self.sides))]

    def _crossing(self, line: int, bit: int, grid: Grid) -> tuple[int, int]:
        return (grid.height + bit, line) if line < grid.height else (bit, line - grid.height)

    def _cut(self, place: _BarPlace) -> None:
        self._cuts[place.line] ^= 1 << place.bit

    def _is_alone(self, line: int, bit: int) -> bool:
        cuts = self._cuts[line]
        return bool(cuts >> bit & 1 and (bit == 0 or cuts >> (bit - 1) & 1))

    def _looked_up(self, line: int) -> _BarredLine:
        return self._line_of(self.sides[line], self._cuts[line], self._unches[line], self._closed[line])

    def totals(self) -> _BarredLine:
        """All lines together."""
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
        self._known: dict[tuple[int, int, int, int], _BarredLine] = {}
        self._runs: dict[tuple[int, int], tuple[float, int]] = {}

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

    def _line(self, side: int, cuts: int, unches: int, closed: int) -> _BarredLine:
        key = side, cuts, unches, closed
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = self._counted(*key)
        return known

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

    def _run(self, length: int, unches: int) -> tuple[float, int]:
        """What an entry costs beside what it breaks, and how much that is."""
        key = length, unches
        if key not in self._runs:
            self._runs[key] = self._priced(length, unches)
        return self._runs[key]

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
    while failed < _ATTEMPTS and not is_over():
        failed += 1
        grid = annealer.draw(random.getrandbits(64))
        if grid is not None and (key := pattern_key(grid)) not in known:
            known.add(key)
            failed = 0
            yield grid
