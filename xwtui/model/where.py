"""Positions and directions on a grid, their written form, and the symmetries of the block pattern."""

import enum
import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern

_POSITION = lazy_pattern(r"r(\d{1,2})c(\d{1,2})", re.IGNORECASE)


class Direction(enum.Enum):
    """The direction of an entry. The value is its letter in entry names such as `17A`."""

    ACROSS = "A"
    DOWN = "D"

    @property
    def other(self) -> "Direction":
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS

    @property
    def word(self) -> str:
        return self.name.lower()


class Position(NamedTuple):
    """A square's position. Rows and columns count from 0 here, and from 1 in the text form `r3c12`."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"r{self.row + 1}c{self.column + 1}"

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Parse `r3c12`; raises PuzzleError for any other form."""
        match = _POSITION.fullmatch(text.strip())
        if match is None or 0 in (int(match[1]), int(match[2])):
            raise PuzzleError(f"{text[:40]!r} is not a square; squares look like r3c12, counted from 1")
        return cls(int(match[1]) - 1, int(match[2]) - 1)

    def along(self, direction: Direction) -> "Position":
        """Return the number of its line (a row for ACROSS) and its place there; the other way around, too."""
        return self if direction is Direction.ACROSS else Position(self.column, self.row)

    def step(self, direction: Direction, squares: int = 1) -> "Position":
        """Return the position that many squares ahead (behind if negative), which may be off the grid."""
        if direction is Direction.ACROSS:
            return Position(self.row, self.column + squares)
        return Position(self.row + squares, self.column)

    @property
    def neighbours(self) -> tuple["Position", ...]:
        """The positions to the right, to the left, below and above, which may be off the grid."""
        return tuple(self.step(direction, squares) for direction in Direction for squares in (1, -1))


@lru_cache(maxsize=64)
def all_positions(height: int, width: int) -> tuple[Position, ...]:
    """Return the positions of all squares of a grid, row by row."""
    return tuple(Position(row, column) for row in range(height) for column in range(width))


class Symmetry(enum.Enum):
    """A symmetry of the block pattern. The value is its name in files and verbs."""

    NONE = "none"
    ROTATION_180 = "rot180"
    ROTATION_90 = "rot90"
    LEFT_RIGHT = "left-right"
    UP_DOWN = "up-down"
    DIAGONAL = "diagonal"
    ANTIDIAGONAL = "antidiagonal"

    @classmethod
    def parse(cls, text: str) -> "Symmetry":
        """Parse a symmetry's name, or `off` for none; raises PuzzleError for any other word."""
        try:
            return cls.NONE if (name := text.strip().lower()) == "off" else cls(name)
        except ValueError:
            names = ", ".join(symmetry.value for symmetry in cls)
            raise PuzzleError(f"unknown symmetry {text[:40]!r}; choose one of {names}") from None

    @property
    def words(self) -> str:
        """`rot180 symmetry`, or `no symmetry`."""
        return self.brief if self is Symmetry.NONE else f"{self.value} symmetry"

    @property
    def brief(self) -> str:
        """`rot180`, or `no symmetry`."""
        return "no symmetry" if self is Symmetry.NONE else self.value

    @property
    def needs_square_grid(self) -> bool:
        """Whether the symmetry requires equal height and width."""
        return self in (Symmetry.ROTATION_90, Symmetry.DIAGONAL, Symmetry.ANTIDIAGONAL)

    def check_fits(self, height: int, width: int) -> None:
        """Raise PuzzleError if a grid of this size cannot have the symmetry."""
        if self.needs_square_grid and height != width:
            raise PuzzleError(f"{self.value} symmetry needs a square grid; this one has {height} rows of {width}")

    def orbit(self, position: Position, height: int, width: int) -> frozenset[Position]:
        """Return the position and all its images, one to four squares; raises PuzzleError as `check_fits` does."""
        self.check_fits(height, width)
        images = {position}
        image = self.image(position, height, width)
        while image not in images:
            images.add(image)
            image = self.image(image, height, width)
        return frozenset(images)

    def image(self, position: Position, height: int, width: int) -> Position:
        """Return the position's image under the generator of the symmetry group."""
        return _GENERATORS[self](position, height - 1, width - 1)


_GENERATORS: dict[Symmetry, Callable[[Position, int, int], Position]] = {
    Symmetry.NONE: lambda at, last_row, last_column: at,
    Symmetry.ROTATION_180: lambda at, last_row, last_column: Position(last_row - at.row, last_column - at.column),
    Symmetry.ROTATION_90: lambda at, last_row, last_column: Position(at.column, last_row - at.row),
    Symmetry.LEFT_RIGHT: lambda at, last_row, last_column: Position(at.row, last_column - at.column),
    Symmetry.UP_DOWN: lambda at, last_row, last_column: Position(last_row - at.row, at.column),
    Symmetry.DIAGONAL: lambda at, last_row, last_column: Position(at.column, at.row),
    Symmetry.ANTIDIAGONAL: lambda at, last_row, last_column: Position(last_column - at.column, last_row - at.row),
}
