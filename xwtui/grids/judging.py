"""Judging a grid by a profile: what it misses, as values, and which of that is an objection of the review.

A square is checked where two entries cross; British setters call one that is not an unch, and two of them side by
side in an entry a double unch.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import NamedTuple

from xwtui.grids.profiles import Profile
from xwtui.model import Direction, Grid, Position, Puzzle, Slot
from xwtui.model.review import Check, Finding, asymmetric_squares, has_symmetry, regions, review, worst_first
from xwtui.model.statistics import LayoutFigures, Light
from xwtui.own_files import sender
from xwtui.text import first_named, listed

_MOST_NAMED = 8


class Demand(enum.Enum):
    """What a grid may miss; the value is that of the review's `Check` for it."""

    SIZE = "size"
    SYMMETRY = "broken symmetry"
    BARS = "bars"
    SHORT_ENTRY = "short entry"
    LONG_ENTRY = "long entry"
    UNCHECKED = "unchecked square"
    UNCHECKED_RUN = "unchecked squares in a row"
    DISCONNECTED = "disconnected grid"
    WORDS = "number of entries"
    BLOCKS = "number of blocks"
    THREES = "three-letter entries"
    CHEATERS = "cheaters"
    OPEN_AREA = "open area"


_ORDER = {demand: place for place, demand in enumerate(Demand)}
_NOUNS = {
    Demand.WORDS: ("entry", "entries"),
    Demand.BLOCKS: ("block", "blocks"),
    Demand.THREES: ("entry of three squares", "entries of three squares"),
    Demand.CHEATERS: ("cheater", "cheaters"),
}


def _counted(number: float, noun: str, plural: str = "") -> str:
    return f"{number:g} {noun if number == 1 else plural or noun + 's'}"


class Shortfall(NamedTuple):
    """One demand of a profile that a grid misses: how much it has, how much it may have, and where."""

    demand: Demand
    number: float = 0
    limit: float = 0
    where: tuple[Position, ...] = ()
    entry: str = ""
    """The entry that it is about, if it is about one."""
    allowed: tuple[str, ...] = ()
    """What the profile takes, or in what place, where that is no number."""

    def describe(self) -> str:
        """`80 entries; 78 at most`."""
        if self.entry:
            return self._of_entry()
        at = first_named([str(one) for one in self.where], _MOST_NAMED)
        allowed = listed(self.allowed, "or") if self.allowed else ""
        match self.demand:
            case Demand.SIZE:
                return f"the profile does not allow this size: {allowed}"
            case Demand.SYMMETRY:
                return f"the blocks have none of the profile's symmetries ({allowed}): {at}"
            case Demand.BARS:
                return "the grid has bars, which the profile does not allow"
            case Demand.UNCHECKED:
                return f"{_counted(self.number, 'unchecked square')}: {at}"
            case Demand.DISCONNECTED:
                return f"{_counted(self.number, 'square')} cut off at {at}"
            case Demand.OPEN_AREA:
                return f"{self.number:g} squares without a block at {at}; the limit is {self.limit:g}"
        return f"{_counted(self.number, *_NOUNS[self.demand])}; the limit is {self.limit:g}"

    def _of_entry(self) -> str:
        is_least = self.demand in (Demand.SHORT_ENTRY, Demand.UNCHECKED)
        limit = f"at {'least' if is_least else 'most'} {self.limit:g}"
        kind = {Demand.UNCHECKED: "checked square", Demand.UNCHECKED_RUN: "unchecked square"}
        place = f" {self.allowed[0]}" if self.allowed else ""
        return f"{self.entry} has {_counted(self.number, kind.get(self.demand, 'square'))}{place}; {limit}"


def judge(grid: Grid, profile: Profile) -> tuple[Shortfall, ...]:
    """All that a grid misses of a profile, in the order of `Demand`; nothing where it is legal."""
    return tuple(sorted(_shortfalls(grid, profile), key=lambda one: _ORDER[one.demand]))


def judge_drawn(grid: Grid, profile: Profile) -> bool:
    """Whether a layout is legal as the annealing draws it, which sees to all but open areas and checking."""
    if not profile.checks_all:
        return not judge(grid, profile)
    return not any(_too_open(grid, profile))


def review_under(puzzle: Puzzle, profile: Profile) -> tuple[Finding, ...]:
    """The review of a puzzle whose grid is judged by a profile: what that allows is no finding."""
    about_grid = {Check(demand.value) for demand in Demand} | {Check.TWO_LETTERS}
    others = [
        finding
        for finding in review(puzzle, wants_enumerations=profile.enumerations)
        if finding.rule not in about_grid
    ]
    missed = [Finding(Check(one.demand.value), one.describe(), one.where) for one in judge(puzzle.grid, profile)]
    return worst_first([*others, *missed, *_not_to_be_sent(puzzle, profile)])


_LACKS = {
    "title": "a title",
    "author": "a byline (`author NAME`)",
    "address": "your name and address (`address` in the settings)",
    "copyright": "a copyright line",
    "notes": "notes",
}


def _not_to_be_sent(puzzle: Puzzle, profile: Profile) -> Iterator[Finding]:
    """What the outlet asks to come with a puzzle and is not there, and squares that it does not print."""
    for name in profile.submission:
        if not (sender() if name == "address" else getattr(puzzle, name)).strip():
            yield Finding(Check.SUBMISSION, f"the profile {profile.name} requires {_LACKS[name]}", ())
    found = [(at, puzzle.grid[at].content) for at in puzzle.grid.open_positions()]
    rebus = [at for at, content in found if content is not None and content.is_rebus]
    if rebus and not profile.rebus:
        named = first_named([str(at) for at in rebus], _MOST_NAMED)
        message = f"the profile {profile.name} allows one letter per square: {named}"
        yield Finding(Check.REBUS, message, tuple(rebus))


def _shortfalls(grid: Grid, profile: Profile) -> Iterator[Shortfall]:
    if not profile.takes_size(grid.height, grid.width):
        yield Shortfall(Demand.SIZE, allowed=profile.size_words)
    if not any(has_symmetry(grid, symmetry) for symmetry in profile.symmetries):
        nearest = min((asymmetric_squares(grid, symmetry) for symmetry in profile.symmetries), key=len)
        yield Shortfall(Demand.SYMMETRY, where=nearest, allowed=tuple(one.value for one in profile.symmetries))
    if grid.bars and not profile.bars:
        yield Shortfall(Demand.BARS)
    for slot in grid.slots:
        yield from _of_entry(grid, slot, profile)
    if profile.checks_all:
        loose = [at for at in grid.open_positions() if any(grid.slot_at(at, way) is None for way in Direction)]
        if loose:
            yield Shortfall(Demand.UNCHECKED, len(loose), where=tuple(loose))
    if profile.connected:
        _, *islands = regions(grid) or [set()]
        for island in islands:
            yield Shortfall(Demand.DISCONNECTED, len(island), where=tuple(sorted(island)))
    yield from _too_many(grid, profile)
    yield from _too_open(grid, profile)


def _of_entry(grid: Grid, slot: Slot, profile: Profile) -> Iterator[Shortfall]:
    """What one entry misses; squares that are unchecked where all are to be checked are told together."""
    name, squares, length = slot.name, slot.positions, len(slot)
    if length < profile.shortest_entry:
        yield Shortfall(Demand.SHORT_ENTRY, length, profile.shortest_entry, squares, name)
    if profile.longest_entry is not None and length > profile.longest_entry:
        yield Shortfall(Demand.LONG_ENTRY, length, profile.longest_entry, squares, name)
    if profile.checks_all:
        return
    light = Light.of(grid, slot)
    least = profile.fewest_checked(length)
    if light.checked < least:
        yield Shortfall(Demand.UNCHECKED, light.checked, least, squares, name)
    runs = (
        (light.longest_unches, profile.most_unchecked_in_a_row, "in a row"),
        (light.first_unches, profile.most_unchecked_at_start, "at its start"),
    )
    for number, most, where in runs:
        if most is not None and number > most:
            yield Shortfall(Demand.UNCHECKED_RUN, number, most, squares, name, (where,))


def _too_many(grid: Grid, profile: Profile) -> Iterator[Shortfall]:
    figures = LayoutFigures.of(grid)
    counts = {
        Demand.WORDS: (figures.words, profile.most_words),
        Demand.BLOCKS: (figures.blocks, profile.most_blocks),
        Demand.THREES: (figures.threes, profile.most_threes),
        Demand.CHEATERS: (figures.cheaters, profile.most_cheaters),
    }
    for demand, (number, limit) in counts.items():
        if limit is not None and number > limit:
            yield Shortfall(demand, number, limit)


def _too_open(grid: Grid, profile: Profile) -> Iterator[Shortfall]:
    if profile.most_open_area is not None:
        area, corner = largest_open_area(grid)
        if area > profile.most_open_area:
            yield Shortfall(Demand.OPEN_AREA, area, profile.most_open_area, (corner,))


def largest_open_area(grid: Grid) -> tuple[int, Position]:
    """The squares of the largest rectangle without a block, and its upper left corner."""
    heights = [0] * grid.width
    best, corner = 0, Position(0, 0)
    for row, squares in enumerate(grid.rows()):
        heights = [height + 1 if square.is_open else 0 for height, square in zip(heights, squares, strict=True)]
        for first in range(grid.width):
            lowest = heights[first]
            for last in range(first, grid.width):
                lowest = min(lowest, heights[last])
                area = lowest * (last - first + 1)
                if area > best:
                    best, corner = area, Position(row - lowest + 1, first)
    return best, corner
