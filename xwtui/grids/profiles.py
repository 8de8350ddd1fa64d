"""Profiles: what an outlet demands of a grid, one TOML file each, ours and the user's.

A profile says which sizes and symmetries a grid may have, how short an entry may be, how much of each must be
checked, and how many entries, blocks, entries of three squares and cheaters there may be at most. `judge` holds a
grid against one; what draws layouts keeps to one.
"""

from __future__ import annotations

import enum
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_config_path

from xwtui.errors import PuzzleError
from xwtui.model import Direction, Grid, Position, Slot, Symmetry
from xwtui.model.grid import LARGEST_SIDE, SMALLEST_SIDE
from xwtui.model.review import regions, unmirrored_squares
from xwtui.model.statistics import LayoutFigures
from xwtui.resources import profiles_folder
from xwtui.text import listed, printable

_SIZE = re.compile(r"(\d{1,2})x(\d{1,2})")


@dataclass(frozen=True)
class Profile:
    """What is demanded; a limit that is None demands nothing. All fields but the name are those of its file."""

    name: str
    about: str = ""
    sizes: tuple[tuple[int, int], ...] = ()
    """Heights and widths; empty where `sides` say it."""
    sides: tuple[int, int] = (SMALLEST_SIDE, LARGEST_SIDE)
    """The shortest and the longest side."""
    symmetries: tuple[Symmetry, ...] = tuple(Symmetry)
    """The usual one first."""
    shortest_entry: int = 3
    connected: bool = True
    most_unchecked_in_a_row: int = 0
    """Squares of an entry that no other crosses, side by side."""
    least_checked: float = 1.0
    """The share of an entry's squares that others cross."""
    most_words: int | None = None
    most_blocks: int | None = None
    most_threes: int | None = None
    """Entries of three squares."""
    most_cheaters: int | None = None
    most_open_area: int | None = None
    """Squares of the largest rectangle without a block."""
    lattice: bool = False
    """Whether every second square of every second line is a block."""
    bars: bool = False
    """Whether bars part the entries, in place of blocks."""

    def takes_size(self, height: int, width: int) -> bool:
        """Whether a grid may have these sides."""
        if self.sizes:
            return (height, width) in self.sizes
        return self.sides[0] <= min(height, width) and max(height, width) <= self.sides[1]

    @property
    def checks_all(self) -> bool:
        """Whether every square must stand in two entries."""
        return self.most_unchecked_in_a_row == 0


class Demand(enum.Enum):
    """What a grid may miss; the value is its name in JSON."""

    SIZE = "size"
    SYMMETRY = "symmetry"
    SHORT_ENTRY = "short entry"
    UNCHECKED = "unchecked"
    DISCONNECTED = "disconnected"
    WORDS = "words"
    BLOCKS = "blocks"
    THREES = "three-letter entries"
    CHEATERS = "cheaters"
    OPEN_AREA = "open area"
    BARS = "bars"


class Shortfall(NamedTuple):
    """One demand of a profile that a grid misses: how much it has, how much it may have, and where."""

    demand: Demand
    number: float = 0
    limit: float = 0
    where: tuple[Position, ...] = ()

    def describe(self) -> str:
        """`80 entries; 78 at most`."""
        at = f" at {listed([str(one) for one in self.where[:3]], 'and')}" if self.where else ""
        match self.demand:
            case Demand.SIZE:
                return "its size is none that the profile takes"
            case Demand.SYMMETRY:
                return "the blocks have none of the symmetries that the profile takes"
            case Demand.SHORT_ENTRY:
                return f"an entry{at} has {self.number:g} squares; {self.limit:g} at least"
            case Demand.UNCHECKED:
                return f"too little of an entry{at} is checked"
            case Demand.DISCONNECTED:
                return f"a part{at} is cut off"
            case Demand.BARS:
                return "it has bars, which the profile does not take"
            case Demand.OPEN_AREA:
                return f"{self.number:g} squares{at} without a block; {self.limit:g} at most"
            case _:
                noun = "entries" if self.demand is Demand.WORDS else self.demand.value
                return f"{self.number:g} {noun}; {self.limit:g} at most"


def judge(grid: Grid, profile: Profile) -> tuple[Shortfall, ...]:
    """All that a grid misses of a profile, in the order of `Demand`; nothing where it is legal."""
    return tuple(sorted(_shortfalls(grid, profile), key=lambda one: list(Demand).index(one.demand)))


def _shortfalls(grid: Grid, profile: Profile) -> Iterator[Shortfall]:
    if not profile.takes_size(grid.height, grid.width):
        yield Shortfall(Demand.SIZE)
    if not any(has_symmetry(grid, symmetry) for symmetry in profile.symmetries):
        yield Shortfall(Demand.SYMMETRY)
    if grid.bars and not profile.bars:
        yield Shortfall(Demand.BARS)
    yield from _badly_checked(grid, profile)
    if profile.connected:
        _, *islands = regions(grid) or [set()]
        for island in islands:
            yield Shortfall(Demand.DISCONNECTED, where=tuple(sorted(island)))
    yield from _too_many(grid, profile)
    yield from _too_open(grid, profile)


def _badly_checked(grid: Grid, profile: Profile) -> Iterator[Shortfall]:
    for slot in grid.slots:
        if len(slot) < profile.shortest_entry:
            yield Shortfall(Demand.SHORT_ENTRY, len(slot), profile.shortest_entry, slot.positions)
        if not _is_checked(grid, slot, profile):
            yield Shortfall(Demand.UNCHECKED, where=slot.positions)
    if profile.checks_all:
        loose = [at for at in grid.open_positions() if all(grid.slot_at(at, way) is None for way in Direction)]
        if loose:
            yield Shortfall(Demand.UNCHECKED, where=tuple(loose))


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


def judge_drawn(grid: Grid, profile: Profile) -> bool:
    """Whether a layout is legal as the annealing draws it, which sees to all but open areas and checking."""
    if not profile.checks_all:
        return not judge(grid, profile)
    return not any(_too_open(grid, profile))


def has_symmetry(grid: Grid, symmetry: Symmetry) -> bool:
    """Whether the blocks of a grid have a symmetry."""
    if symmetry.needs_square_grid and grid.height != grid.width:
        return False
    return not unmirrored_squares(grid, symmetry)


def _is_checked(grid: Grid, slot: Slot, profile: Profile) -> bool:
    checked = [grid.slot_at(at, slot.direction.other) is not None for at in slot.positions]
    longest = max(map(len, "".join("c" if one else "u" for one in checked).split("c")))
    return longest <= profile.most_unchecked_in_a_row and sum(checked) >= profile.least_checked * len(slot)


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


def user_profiles_folder() -> Path:
    """Where the user's own profiles are."""
    return user_config_path("xwtui", appauthor=False) / "profiles"


@cache
def _shipped() -> Mapping[str, Profile]:
    return {path.stem: read_profile(path) for path in sorted(profiles_folder().glob("*.toml"))}


def profiles() -> Mapping[str, Profile]:
    """All profiles by name; the user's come before ours of the same name. Raises PuzzleError for a bad file."""
    own = {path.stem: read_profile(path) for path in sorted(user_profiles_folder().glob("*.toml"))}
    return {**_shipped(), **own}


def find_profile(name: str) -> Profile:
    """The profile of a name; raises PuzzleError where there is none."""
    known = profiles()
    if name not in known:
        raise PuzzleError(f"there is no profile {printable(name, 40)!r}; there are {listed(known, 'and')}")
    return known[name]


def usual_profile(height: int, width: int) -> Profile:
    """The profile for a grid of which nothing but its sides is known."""
    order = ("american-15", "american-21", "mini", "midi")
    known = profiles()
    return next((known[name] for name in order if known[name].takes_size(height, width)), known["free"])


_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "about": str,
    "shortest_entry": int,
    "connected": bool,
    "most_unchecked_in_a_row": int,
    "least_checked": (int, float),
    "most_words": int,
    "most_blocks": int,
    "most_threes": int,
    "most_cheaters": int,
    "most_open_area": int,
    "lattice": bool,
    "bars": bool,
}


@dataclass
class _ProfileReading:
    path: Path
    values: dict[str, Any] = field(default_factory=dict)

    def fail(self, key: str, wanted: str) -> PuzzleError:
        return PuzzleError(f"{printable(str(self.path), 200)}: {key} is to be {wanted}")


def read_profile(path: Path) -> Profile:
    """Read a profile's file; raises PuzzleError where it is damaged, or says what no profile says."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PuzzleError(f"{printable(str(path), 200)}: {printable(str(error), 200)}") from None
    known = {one.name.replace("_", "-") for one in fields(Profile)} - {"name"}
    if strange := sorted(set(told) - known):
        raise PuzzleError(f"{printable(str(path), 200)}: a profile has no {printable(strange[0], 40)!r}")
    reading = _ProfileReading(path)
    for key, value in told.items():
        name = key.replace("-", "_")
        if name in _KINDS:
            kind = _KINDS[name]
            if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                raise reading.fail(key, "another kind of value")
            reading.values[name] = value
    reading.values.update(_lists(told, reading))
    return Profile(path.stem, **reading.values)


def _lists(told: Mapping[str, Any], reading: _ProfileReading) -> Iterator[tuple[str, Any]]:
    if "sizes" in told:
        found = [_SIZE.fullmatch(str(size)) for size in _list(told["sizes"])]
        if not found or None in found:
            raise reading.fail("sizes", 'a list of sizes such as "15x15"')
        yield "sizes", tuple((int(size[1]), int(size[2])) for size in found if size is not None)
    if "sides" in told:
        sides = _list(told["sides"])
        if len(sides) != 2 or not all(type(side) is int for side in sides) or sides[0] > sides[1]:
            raise reading.fail("sides", "the shortest and the longest side, such as [9, 13]")
        yield "sides", (sides[0], sides[1])
    if "symmetries" in told:
        names = _list(told["symmetries"])
        if not names:
            raise reading.fail("symmetries", "a list of symmetries")
        yield "symmetries", tuple(Symmetry.parse(str(name)) for name in names)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
