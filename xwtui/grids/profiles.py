"""Profiles: what an outlet demands of a grid, one TOML file each, ours and the user's.

A profile says which sizes and symmetries a grid may have, how short an entry may be, how much of each must be
checked, and how many entries, blocks, entries of three squares and cheaters there may be at most.
`judging.judge` holds a grid against one; what draws layouts keeps to one. A puzzle names the one that it is made
under.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from xwtui.dataclasses import dataclass, field, fields, replace
from xwtui.errors import PuzzleError
from xwtui.model import Position, Puzzle, Symmetry
from xwtui.model.grid import LARGEST_SIDE, SMALLEST_SIDE
from xwtui.model.square import BLOCK
from xwtui.own_files import OwnFileError, read_toml
from xwtui.resources import profiles_folder
from xwtui.text import listed, printable

_USUAL_SIDE = 15
SUBMITTED = ("title", "author", "address", "copyright", "notes")
"""What an outlet may ask to come with a puzzle; the address is that of the settings."""

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
    usual_side: int | None = None
    """What a puzzle begins with where `sides` say the sizes; 15, or as near as they allow, where it is None."""
    symmetries: tuple[Symmetry, ...] = tuple(Symmetry)
    """The usual one first."""
    shortest_entry: int = 3
    longest_entry: int | None = None
    connected: bool = True
    most_unchecked_in_a_row: int = 0
    """Squares of an entry that no other crosses, side by side: two where double unches are allowed."""
    most_unchecked_at_start: int | None = None
    """The same at the start of an entry, where there is to be another limit."""
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
    enumerations: bool = False
    """Whether each clue is to end in the letters of its answer's words: `(5,4)`."""
    rebus: bool = True
    """Whether squares may hold more than a letter."""
    submission: tuple[str, ...] = ()
    """What must come with a puzzle that is sent: of `SUBMITTED`."""

    def takes_size(self, height: int, width: int) -> bool:
        """Whether a grid may have these sides."""
        if self.sizes:
            return (height, width) in self.sizes
        return self.sides[0] <= min(height, width) and max(height, width) <= self.sides[1]

    @property
    def usual_size(self) -> tuple[int, int]:
        """The first of its sizes, or a square of its usual side."""
        side = min(max(self.usual_side or _USUAL_SIDE, self.sides[0]), self.sides[1])
        return self.sizes[0] if self.sizes else (side, side)

    @property
    def size_words(self) -> tuple[str, ...]:
        """The sizes that it takes, in words."""
        if self.sizes:
            return tuple(f"{height}x{width}" for height, width in self.sizes)
        return (f"sides of {self.sides[0]} to {self.sides[1]}",)

    def usual_symmetry(self, height: int, width: int) -> Symmetry:
        """The first of its symmetries that a grid of these sides may have; NONE where none of them fits."""
        fitting = (one for one in self.symmetries if height == width or not one.needs_square_grid)
        return next(fitting, Symmetry.NONE)

    def fewest_checked(self, length: int) -> int:
        """How many squares of an entry of so many others have to cross."""
        return math.ceil(round(self.least_checked * length, 6))

    @property
    def checks_all(self) -> bool:
        """Whether every square must stand in two entries."""
        return self.most_unchecked_in_a_row == 0


def lattice_blocks(height: int, width: int) -> Iterator[Position]:
    """The blocks that every lattice of these sides has."""
    return (Position(row, column) for row in range(1, height, 2) for column in range(1, width, 2))


def blank_puzzle(profile: Profile, height: int, width: int, symmetry: Symmetry | None = None) -> Puzzle:
    """A puzzle to begin with: open squares, and the blocks of a lattice where the profile wants one.

    Raises PuzzleError for sides or a symmetry that the profile does not take.
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


def user_profiles_folder() -> Path:
    """Where the user's own profiles are."""
    return user_config_path("xwtui", appauthor=False) / "profiles"


@cache
def _shipped() -> Mapping[str, Path]:
    return {path.stem: path for path in sorted(profiles_folder().glob("*.toml"))}


def profile_files() -> Mapping[str, Path]:
    """The files of all profiles by name, ours first; the user's come before ours of the same name."""
    return {**_shipped(), **{path.stem: path for path in sorted(user_profiles_folder().glob("*.toml"))}}


def find_profile(name: str) -> Profile:
    """The profile of a name; raises PuzzleError where there is none, or where its file is damaged."""
    known = profile_files()
    if name not in known:
        names = listed([printable(one, 40) for one in known], "and")
        raise PuzzleError(f"there is no profile {printable(name, 40)!r}; there are {names}")
    path = known[name]
    return _shipped_profile(name) if path == _shipped().get(name) else read_profile(path)


@cache
def _shipped_profile(name: str) -> Profile:
    return read_profile(_shipped()[name])


def wants_enumerations(name: str) -> bool:
    """Whether the profile of a name, if there is one, wants an enumeration in each clue."""
    if not name:
        return False
    with suppress(PuzzleError):
        return find_profile(name).enumerations
    return False


def counts_cheaters(name: str) -> bool:
    """Whether cheaters mean anything under the profile of a name, if there is one.

    Where squares need not be checked, as in a lattice, many blocks part no entries from each other.
    """
    if not name:
        return True
    with suppress(PuzzleError):
        profile = find_profile(name)
        return profile.checks_all or profile.most_cheaters is not None
    return True


def usual_profile(height: int, width: int) -> Profile:
    """The profile for a grid of which nothing but its sides is known; raises PuzzleError for a damaged file."""
    usual = map(find_profile, ("american-15", "american-21", "mini", "midi"))
    return next((profile for profile in usual if profile.takes_size(height, width)), find_profile("free"))


def profile_of(puzzle: Puzzle) -> Profile:
    """The profile of a puzzle, or the usual one of its size; raises PuzzleError where it is not known here."""
    return find_profile(puzzle.profile) if puzzle.profile else usual_profile(puzzle.grid.height, puzzle.grid.width)


_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "about": str,
    "usual_side": int,
    "shortest_entry": int,
    "longest_entry": int,
    "connected": bool,
    "most_unchecked_in_a_row": int,
    "most_unchecked_at_start": int,
    "least_checked": (int, float),
    "most_words": int,
    "most_blocks": int,
    "most_threes": int,
    "most_cheaters": int,
    "most_open_area": int,
    "lattice": bool,
    "bars": bool,
    "enumerations": bool,
    "rebus": bool,
}


_LARGEST_NUMBER = LARGEST_SIDE * LARGEST_SIDE
_MOST = {"least_checked": 1}


@dataclass
class _ProfileReading:
    path: Path
    values: dict[str, Any] = field(default_factory=dict)

    def fail(self, key: str, wanted: str) -> PuzzleError:
        return PuzzleError(f"{printable(str(self.path), 200)}: {key} must be {wanted}")


def read_profile(path: Path) -> Profile:
    """Read a profile's file; raises PuzzleError where it is damaged, or says what no profile says."""
    try:
        told = read_toml(path)
    except OwnFileError as error:
        raise PuzzleError(str(error)) from None
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
            if isinstance(value, int | float) and not 0 <= value <= _MOST.get(name, _LARGEST_NUMBER):
                raise reading.fail(key, f"a number from 0 to {_MOST.get(name, _LARGEST_NUMBER)}")
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
    if "submission" in told:
        asked = _list(told["submission"])
        if not asked or not set(map(str, asked)) <= set(SUBMITTED):
            raise reading.fail("submission", f"a list of {listed(SUBMITTED, 'and')}")
        yield "submission", tuple(asked)
    if "symmetries" in told:
        names = _list(told["symmetries"])
        if not names:
            raise reading.fail("symmetries", "a list of symmetries")
        yield "symmetries", tuple(_symmetry(name, reading) for name in names)


def _symmetry(name: object, reading: _ProfileReading) -> Symmetry:
    try:
        return Symmetry.parse(str(name))
    except PuzzleError as error:
        raise PuzzleError(f"{printable(str(reading.path), 200)}: {error}") from None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
