"""The symmetries that constructors keep, and the squares that each one ties together."""

import enum
from collections.abc import Callable

from xwtui.errors import PuzzleError
from xwtui.model.where import Position


class Symmetry(enum.Enum):
    """A symmetry of the block pattern; the value is its name in files and verbs."""

    NONE = "none"
    ROTATION_180 = "rot180"
    ROTATION_90 = "rot90"
    LEFT_RIGHT = "left-right"
    UP_DOWN = "up-down"
    DIAGONAL = "diagonal"
    ANTIDIAGONAL = "antidiagonal"

    @classmethod
    def parse(cls, text: str) -> "Symmetry":
        """Read a symmetry's name; raises PuzzleError for another word."""
        try:
            return cls(text.strip().lower())
        except ValueError:
            names = ", ".join(symmetry.value for symmetry in cls)
            raise PuzzleError(f"{text[:40]!r} is no symmetry; there are {names}") from None

    @property
    def needs_square_grid(self) -> bool:
        """Whether only grids as high as wide can have it."""
        return self in (Symmetry.ROTATION_90, Symmetry.DIAGONAL, Symmetry.ANTIDIAGONAL)

    def check_fits(self, height: int, width: int) -> None:
        """Raise PuzzleError where a grid of these sides cannot have the symmetry."""
        if self.needs_square_grid and height != width:
            raise PuzzleError(f"{self.value} symmetry needs a square grid; this one has {height} rows of {width}")

    def orbit(self, position: Position, height: int, width: int) -> frozenset[Position]:
        """The position with all its images, one to four squares; raises PuzzleError as `check_fits` does."""
        self.check_fits(height, width)
        images = {position}
        image = self.image(position, height, width)
        while image not in images:
            images.add(image)
            image = self.image(image, height, width)
        return frozenset(images)

    def image(self, position: Position, height: int, width: int) -> Position:
        """Where the symmetry's one generator takes a position."""
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
