"""Places on a grid: positions and directions, and how constructors write them."""

import enum
import re
from typing import NamedTuple

from xwtui.errors import PuzzleError

_POSITION = re.compile(r"r(\d{1,2})c(\d{1,2})", re.IGNORECASE)


class Direction(enum.Enum):
    """The direction of an entry; the value is its letter in entry names such as `17A`."""

    ACROSS = "A"
    DOWN = "D"

    @property
    def other(self) -> "Direction":
        """The direction that crosses this one."""
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS

    @property
    def word(self) -> str:
        """`across` or `down`."""
        return self.name.lower()


class Position(NamedTuple):
    """A square's place; rows and columns count from 0 here and from 1 in the text form `r3c12`."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"r{self.row + 1}c{self.column + 1}"

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read `r3c12`; raises PuzzleError where the text has another form."""
        match = _POSITION.fullmatch(text.strip())
        if match is None or 0 in (int(match[1]), int(match[2])):
            raise PuzzleError(f"{text[:40]!r} is no square; squares are written r3c12, counted from 1")
        return cls(int(match[1]) - 1, int(match[2]) - 1)

    def step(self, direction: Direction, squares: int = 1) -> "Position":
        """The position so many squares on (or back, if negative) in a direction; it may lie off the grid."""
        if direction is Direction.ACROSS:
            return Position(self.row, self.column + squares)
        return Position(self.row + squares, self.column)
