"""The ways to draw a grid, and the close one: a line a row."""

from dataclasses import dataclass
from typing import Protocol

from rich.style import Style
from textual.geometry import Region, Size

from xwtui.model import Bar, Direction, Grid, Position
from xwtui.tui.faces import square_face
from xwtui.tui.fragments import Fragment
from xwtui.tui.palette import Palette
from xwtui.tui.picture import Picture

_BAR_BELOW = Style(underline=True)


class Drawing(Protocol):
    """A way to draw a grid in cells of a terminal."""

    @property
    def frame(self) -> int:
        """How many columns, and lines, a frame around the drawing takes."""
        ...

    def size(self, grid: Grid) -> Size:
        """The cells that a grid takes."""
        ...

    def region(self, position: Position) -> Region:
        """The cells of a square, with the lines around it."""
        ...

    def position_at(self, grid: Grid, x: int, y: int) -> Position | None:
        """The square at a cell, or None beside the grid."""
        ...

    def line(self, picture: Picture, y: int, palette: Palette) -> list[Fragment]:
        """One line of cells."""
        ...


@dataclass(frozen=True)
class Close:
    """Squares of two or three cells side by side, told apart by their grounds; bars stand in the cells."""

    square_width: int = 3
    frame: int = 2

    def size(self, grid: Grid) -> Size:
        """The cells that a grid takes."""
        return Size(grid.width * self.square_width, grid.height)

    def region(self, position: Position) -> Region:
        """The cells of a square."""
        return Region(position.column * self.square_width, position.row, self.square_width, 1)

    def position_at(self, grid: Grid, x: int, y: int) -> Position | None:
        """The square at a cell, or None beside the grid."""
        position = Position(y, x // self.square_width)
        return position if position in grid else None

    def line(self, picture: Picture, y: int, palette: Palette) -> list[Fragment]:
        """One row of the grid."""
        positions = (Position(y, column) for column in range(picture.grid.width))
        return [fragment for position in positions for fragment in self._square(picture, position, palette)]

    def _square(self, picture: Picture, position: Position, palette: Palette) -> list[Fragment]:
        bars = picture.grid.bars
        if not bars:
            return square_face(picture, position, palette, self.square_width)
        has_bar = Bar(position, position.step(Direction.ACROSS)) in bars
        face = square_face(picture, position, palette, self.square_width - has_bar)
        if has_bar:
            face.append(("┃", face[-1][1] + palette.bar))
        if Bar(position, position.step(Direction.DOWN)) in bars:
            return [(text, style + _BAR_BELOW) for text, style in face]
        return face
