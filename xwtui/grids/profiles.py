"""Profiles: an outlet's requirements for grids, in one TOML file each, and checks of grids against them.

A profile specifies sizes, symmetries, entry lengths, how much of an entry must be checked, and the maximum numbers
of entries, blocks, three-square entries and cheaters. `judge` checks a grid, and layout generators obey the
profile. A puzzle names its own. A square is checked if two entries cross there. British setters call an unchecked
square an unch, and two adjacent ones in an entry a double unch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_type_hints

from msgspec import Meta, ValidationError, convert

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError, failing_as
from xwtui.model import Grid, Position, Puzzle, Slot, Symmetry
from xwtui.model.grid import LARGEST_SIDE, SMALLEST_SIDE
from xwtui.model.review import (
    Check,
    Finding,
    asymmetric_squares,
    disconnected,
    has_symmetry,
    named_squares,
    review,
    unchecked,
    worst_first,
)
from xwtui.model.square import BLOCK
from xwtui.model.statistics import LayoutFigures, Light
from xwtui.resources import profiles_folder, user_profiles_folder
from xwtui.text import counted, listed, printable
from xwtui.user_files import UserFileError, read_toml, sender

_USUAL_SIDE = 15
SUBMITTED = ("title", "author", "address", "copyright", "notes")
"""Items that an outlet may require with a puzzle; the address comes from the settings."""

_MOST = LARGEST_SIDE * LARGEST_SIDE
_Count: TypeAlias = Annotated[int, Meta(ge=0, le=_MOST)]
_Size: TypeAlias = tuple[_Count, _Count]
_ONE = Meta(min_length=1)


@dataclass(frozen=True)
class Profile:
    """Requirements; a limit of None means no limit. All fields except the name are those of the file."""

    name: str
    about: str = ""
    sizes: Annotated[tuple[_Size, ...], _ONE] = ()
    """Allowed (height, width) pairs; empty if `sides` defines the sizes."""
    sides: _Size = (SMALLEST_SIDE, LARGEST_SIDE)
    """Minimum and maximum side length."""
    usual_side: _Count | None = None
    """Default side of new puzzles if `sides` defines the sizes. None means 15, or the nearest allowed side."""
    symmetries: Annotated[tuple[Symmetry, ...], _ONE] = tuple(Symmetry)
    """The default comes first."""
    shortest_entry: _Count = 3
    longest_entry: _Count | None = None
    connected: bool = True
    most_unchecked_in_a_row: _Count = 0
    """Maximum number of consecutive unchecked squares in an entry; two allows double unches."""
    most_unchecked_at_start: _Count | None = None
    """Maximum number of unchecked squares at the start of an entry, if it differs."""
    least_checked: Annotated[float, Meta(ge=0, le=1)] = 1.0
    """Minimum share of an entry's squares that must be checked."""
    most_words: _Count | None = None
    most_blocks: _Count | None = None
    most_threes: _Count | None = None
    """Maximum number of three-square entries."""
    most_cheaters: _Count | None = None
    most_open_area: _Count | None = None
    """Maximum number of squares in a rectangle without blocks."""
    lattice: bool = False
    """Whether every second square of every second line is a block."""
    bars: bool = False
    """Whether bars separate entries instead of blocks."""
    enumerations: bool = False
    """Whether each clue must end in an enumeration such as `(5,4)`."""
    rebus: bool = True
    """Whether squares may hold more than one letter."""
    submission: Annotated[tuple[str, ...], _ONE] = ()
    """Items from `SUBMITTED` that must accompany a submitted puzzle."""

    def takes_size(self, height: int, width: int) -> bool:
        if self.sizes:
            return (height, width) in self.sizes
        return self.sides[0] <= min(height, width) and max(height, width) <= self.sides[1]

    @property
    def usual_size(self) -> tuple[int, int]:
        """The first of its sizes, or a square grid of its default side."""
        side = min(max(self.usual_side or _USUAL_SIDE, self.sides[0]), self.sides[1])
        return self.sizes[0] if self.sizes else (side, side)

    @property
    def size_words(self) -> tuple[str, ...]:
        if self.sizes:
            return tuple(f"{height}x{width}" for height, width in self.sizes)
        return (f"sides of {self.sides[0]} to {self.sides[1]}",)

    def usual_symmetry(self, height: int, width: int) -> Symmetry:
        """Return the first symmetry that a grid of this size may have; NONE if there is none."""
        fitting = (one for one in self.symmetries if height == width or not one.needs_square_grid)
        return next(fitting, Symmetry.NONE)

    def fewest_checked(self, length: int) -> int:
        """Return the minimum number of checked squares in an entry of this length."""
        return math.ceil(round(self.least_checked * length, 6))

    @property
    def checks_all(self) -> bool:
        return self.most_unchecked_in_a_row == 0


def lattice_blocks(height: int, width: int, row: int = 1, column: int = 1) -> Iterator[Position]:
    """Return the blocks of a lattice of this size that begins at a square."""
    return (Position(*at) for at in product(range(row, height, 2), range(column, width, 2)))


def blank_puzzle(profile: Profile, height: int, width: int, symmetry: Symmetry | None = None) -> Puzzle:
    """Return a new puzzle of open squares, with the blocks of a lattice if the profile requires one.

    Raises PuzzleError for a size or symmetry that the profile does not allow.
    """
    if not profile.takes_size(height, width):
        raise PuzzleError(
            f"the profile {profile.name} allows {listed(profile.size_words, 'or')}, not {height}x{width}"
        )
    if symmetry is not None and symmetry not in profile.symmetries:
        raise PuzzleError(f"the profile {profile.name} does not allow the symmetry {symmetry.value}")
    blank = Puzzle.blank(height, width, symmetry or profile.usual_symmetry(height, width))
    blocks = dict.fromkeys(lattice_blocks(height, width), BLOCK) if profile.lattice else {}
    return replace(blank, grid=blank.grid.with_squares(blocks), profile=profile.name)


@cache
def _shipped() -> Mapping[str, Path]:
    return {path.stem: path for path in sorted(profiles_folder().glob("*.toml"))}


def profile_files() -> Mapping[str, Path]:
    """Return the profiles' files by name, shipped ones first; a user's file overrides a shipped one."""
    return {**_shipped(), **{path.stem: path for path in sorted(user_profiles_folder().glob("*.toml"))}}


def find_profile(name: str) -> Profile:
    """Return the profile with a name; raises PuzzleError if it is missing or damaged."""
    known = profile_files()
    if name not in known:
        names = listed([printable(one, 40) for one in known], "and")
        raise PuzzleError(f"there is no profile {printable(name, 40)!r}; there are {names}")
    path = known[name]
    return _shipped_profile(name) if path == _shipped().get(name) else read_profile(path)


@cache
def _shipped_profile(name: str) -> Profile:
    return read_profile(_shipped()[name])


def _known_profile(name: str) -> Profile | None:
    """Return the named profile; None without a name, or if it is unknown or damaged."""
    with suppress(PuzzleError):
        return find_profile(name) if name else None
    return None


def wants_enumerations(name: str) -> bool:
    """Whether the named profile, if any, requires an enumeration in each clue."""
    profile = _known_profile(name)
    return profile is not None and profile.enumerations


def counts_cheaters(name: str) -> bool:
    """Whether cheaters mean anything under a profile, if any; in a lattice, many blocks separate no entries."""
    profile = _known_profile(name)
    return profile is None or profile.checks_all or profile.most_cheaters is not None


def allows_blocks(name: str) -> bool:
    """Whether the named profile, if any, allows blocks, rather than only bars."""
    profile = _known_profile(name)
    return profile is None or profile.most_blocks != 0


def usual_profile(height: int, width: int) -> Profile:
    """Return the default profile for a grid size; raises PuzzleError for a damaged file."""
    usual = map(find_profile, ("american-15", "american-21", "mini", "midi"))
    return next((profile for profile in usual if profile.takes_size(height, width)), find_profile("free"))


def profile_of(puzzle: Puzzle) -> Profile:
    """Return a puzzle's profile, or the default for its size; raises PuzzleError if the profile is unknown."""
    return find_profile(puzzle.profile) if puzzle.profile else usual_profile(puzzle.grid.height, puzzle.grid.width)


_WANTED: Mapping[str, str] = {
    "sizes": 'a list of sizes such as "15x15"',
    "sides": "the shortest and the longest side, such as [9, 13]",
    "symmetries": "a list of symmetries",
    "submission": f"a list of {listed(SUBMITTED, 'and')}",
    "least-checked": "a number from 0 to 1",
}
"""What some fields of a file hold, for messages; the others are texts, truth values and counts."""


def read_profile(path: Path) -> Profile:
    """Read a profile's file; raises PuzzleError if it is damaged or has unknown or invalid fields."""
    name = printable(str(path), 200)
    with failing_as(PuzzleError, of=UserFileError):
        told = read_toml(path)
    kinds = {key.replace("_", "-"): kind for key, kind in get_type_hints(Profile, include_extras=True).items()}
    if strange := sorted(told.keys() - (kinds.keys() - {"name"})):
        raise PuzzleError(f"{name}: a profile has no {printable(strange[0], 40)!r}")
    values: dict[str, Any] = {}
    for key, value in told.items():
        kind = kinds[key]
        try:
            values[key.replace("-", "_")] = _read(key, value, kind)
        except ValidationError:
            plain = {bool: "true or false", str: "a text"}.get(kind, f"a number from 0 to {_MOST}")
            raise PuzzleError(f"{name}: {key} must be {_WANTED.get(key, plain)}") from None
        except PuzzleError as error:
            raise PuzzleError(f"{name}: {error}") from None
    return Profile(path.stem, **values)


def _read(key: str, value: Any, kind: Any) -> Any:
    match key, value:
        case "sizes", [*sizes]:
            value = [str(size).split("x") for size in sizes]
        case "symmetries", [*names]:
            value = [Symmetry.parse(str(name)).value for name in names]
    found = convert(value, kind, strict=key != "sizes")  # the sides of a size are still text
    if (key == "sides" and found[0] > found[1]) or (key == "submission" and not set(found) <= set(SUBMITTED)):
        raise ValidationError
    return found


_REPLACED = (Check.UNCHECKED, Check.TWO_LETTERS, Check.DISCONNECTED, Check.SYMMETRY)
"""The general checks of a grid, in place of which a profile's own are made."""
_COUNTED = (
    (Check.WORDS, "entry", "entries"),
    (Check.BLOCKS, "block", "blocks"),
    (Check.THREES, "entry of three squares", "entries of three squares"),
    (Check.CHEATERS, "cheater", "cheaters"),
)
"""The figures that a profile limits, in the order of `LayoutFigures`, with their nouns."""


def judge(grid: Grid, profile: Profile) -> tuple[Finding, ...]:
    """Return all violations of a profile, worst first; empty if the grid is legal."""
    return worst_first(_violations(grid, profile))


def judge_drawn(grid: Grid, profile: Profile) -> bool:
    """Whether a layout is legal; the annealing of blocks where all are checked leaves only open areas to judge."""
    if profile.bars or not profile.checks_all:
        return not judge(grid, profile)
    return not any(_too_open(grid, profile))


def review_under(puzzle: Puzzle, profile: Profile) -> tuple[Finding, ...]:
    """Return the review of a puzzle with its grid judged by a profile, which replaces the general checks."""
    found = review(puzzle, wants_enumerations=profile.enumerations)
    others = (finding for finding in found if finding.rule not in _REPLACED)
    return worst_first([*others, *judge(puzzle.grid, profile), *_not_to_be_sent(puzzle, profile)])


_LACKS = {
    "title": "a title",
    "author": "a byline (`author NAME`)",
    "address": "your name and address (`address` in the settings)",
    "copyright": "a copyright line",
    "notes": "notes",
}


def _not_to_be_sent(puzzle: Puzzle, profile: Profile) -> Iterator[Finding]:
    """Report missing items that the outlet requires with a puzzle, and rebus squares that it does not print."""
    for name in profile.submission:
        if not (sender() if name == "address" else getattr(puzzle, name)).strip():
            yield Finding(Check.SUBMISSION, f"the profile {profile.name} requires {_LACKS[name]}", ())
    rebus = [at for at, content in puzzle.grid.contents.items() if puzzle.alphabet.is_rebus(content)]
    if rebus and not profile.rebus:
        message = f"the profile {profile.name} allows one letter per square: {named_squares(rebus)}"
        yield Finding(Check.REBUS, message, tuple(rebus))


def _violations(grid: Grid, profile: Profile) -> Iterator[Finding]:
    if not profile.takes_size(grid.height, grid.width):
        yield Finding(Check.SIZE, f"the profile does not allow this size: {listed(profile.size_words, 'or')}", ())
    if not any(has_symmetry(grid, symmetry) for symmetry in profile.symmetries):
        nearest = min((asymmetric_squares(grid, symmetry) for symmetry in profile.symmetries), key=len)
        allowed = listed([one.value for one in profile.symmetries], "or")
        message = f"the blocks have none of the profile's symmetries ({allowed}): {named_squares(nearest)}"
        yield Finding(Check.SYMMETRY, message, nearest)
    if grid.bars and not profile.bars:
        yield Finding(Check.BARS, "the grid has bars, which the profile does not allow", ())
    for slot in grid.slots:
        yield from _of_entry(grid, slot, profile)
    yield from unchecked(grid) if profile.checks_all else ()
    yield from disconnected(grid) if profile.connected else ()
    limits = (profile.most_words, profile.most_blocks, profile.most_threes, profile.most_cheaters)
    for (check, *nouns), number, most in zip(_COUNTED, LayoutFigures.of(grid), limits, strict=True):
        if most is not None and number > most:
            yield Finding(check, f"{counted(number, *nouns)}; the limit is {most}", ())
    yield from _too_open(grid, profile)
    if profile.lattice and (missed := _open_in_lattice(grid)):
        message = f"{counted(len(missed), 'square')} open where a lattice has a block: {named_squares(missed)}"
        yield Finding(Check.LATTICE, message, missed)


def _open_in_lattice(grid: Grid) -> tuple[Position, ...]:
    """Return the missing blocks of the nearest lattice, whichever line it begins on."""
    starts = [(row, column) for row in (1, 0) for column in (1, 0)]
    lattices = [lattice_blocks(grid.height, grid.width, *start) for start in starts]
    return min((tuple(at for at in one if grid[at].is_open) for one in lattices), key=len)


def _of_entry(grid: Grid, slot: Slot, profile: Profile) -> Iterator[Finding]:
    """Report one entry's violations, except for single unchecked squares where all must be checked."""
    length = len(slot)
    least = [(Check.SHORT_ENTRY, length, "square", profile.shortest_entry)]
    most = [(Check.LONG_ENTRY, length, "square{}", profile.longest_entry)]
    if not profile.checks_all:
        light, run, start = Light.of(grid, slot), "unchecked square{} in a row", "unchecked square{} at its start"
        least.append((Check.UNCHECKED, light.checked, "checked square", profile.fewest_checked(length)))
        most.append((Check.UNCHECKED_RUN, light.longest_unches, run, profile.most_unchecked_in_a_row))
        most.append((Check.UNCHECKED_RUN, light.first_unches, start, profile.most_unchecked_at_start))
    for check, number, noun, limit in least:
        if number < limit:
            message = f"{slot.name} has {counted(number, noun)}; at least {limit}"
            yield Finding(check, message, slot.positions)
    for check, number, noun, bound in most:
        if bound is not None and number > bound:
            message = f"{slot.name} has {number} {noun.format('' if number == 1 else 's')}; at most {bound}"
            yield Finding(check, message, slot.positions)


def _too_open(grid: Grid, profile: Profile) -> Iterator[Finding]:
    if profile.most_open_area is not None:
        area, corner = largest_open_area(grid)
        if area > profile.most_open_area:
            message = f"{area:,} squares without a block at {corner}; the limit is {profile.most_open_area}"
            yield Finding(Check.OPEN_AREA, message, (corner,))


def largest_open_area(grid: Grid) -> tuple[int, Position]:
    """Return the size of the largest rectangle without blocks, and its top left corner."""
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
