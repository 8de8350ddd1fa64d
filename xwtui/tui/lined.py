"""The roomy way to draw a grid: squares between lines, numbers in the line above them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.style import Style
from textual.geometry import Region, Size

from xwtui.model import Bar, Direction, Grid, Kind, Position
from xwtui.tui.boxes import BOXES, Arms, Weight
from xwtui.tui.faces import ground, square_face
from xwtui.tui.fragments import Fragment
from xwtui.tui.palette import Palette
from xwtui.tui.picture import Picture

_QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""Which quarters are full: upper left 1, upper right 2, lower left 4, lower right 8."""

_ALL_QUARTERS = 15


@dataclass(frozen=True)
class Lined:
    """Squares of three cells between lines; a block fills its square up to the middle of the lines around it."""

    square_width: int = 3
    frame: int = 0

    @property
    def _pitch(self) -> int:
        return self.square_width + 1

    def size(self, grid: Grid) -> Size:
        """The cells that a grid takes."""
        return Size(grid.width * self._pitch + 1, grid.height * 2 + 1)

    def region(self, position: Position) -> Region:
        """The cells of a square, with the lines around it."""
        return Region(position.column * self._pitch, position.row * 2, self._pitch + 1, 3)

    def position_at(self, grid: Grid, x: int, y: int) -> Position | None:
        """The square at a cell (a line belongs to the square below it, or at its right)."""
        position = Position(y // 2, x // self._pitch)
        return position if position in grid else None

    def line(self, picture: Picture, y: int, palette: Palette) -> list[Fragment]:
        """One line of cells: squares, or the line above them."""
        row = y // 2
        return list(self._squares(picture, row, palette) if y % 2 else self._rule(picture, row, palette))

    def _squares(self, picture: Picture, row: int, palette: Palette) -> Iterator[Fragment]:
        for column in range(picture.grid.width + 1):
            here = Position(row, column)
            left = here.step(Direction.ACROSS, -1)
            weight = _weight(picture.grid, left, here)
            yield _joint(picture, (left, here, left, here), Arms(up=weight, down=weight), palette)
            if column < picture.grid.width:
                yield from square_face(picture, here, palette, self.square_width)

    def _rule(self, picture: Picture, row: int, palette: Palette) -> Iterator[Fragment]:
        grid = picture.grid
        for column in range(grid.width + 1):
            here = Position(row, column)
            above, left = here.step(Direction.DOWN, -1), here.step(Direction.ACROSS, -1)
            above_left = left.step(Direction.DOWN, -1)
            up, right = _weight(grid, above_left, above), _weight(grid, above, here)
            down, back = _weight(grid, left, here), _weight(grid, above_left, left)
            yield _joint(picture, (above_left, above, left, here), Arms(up, right, down, back), palette)
            if column < grid.width:
                number = str(grid.numbers.get(here, ""))
                yield number, palette.open + palette.number
                edge, style = _joint(picture, (above, above, here, here), Arms(right=right, left=right), palette)
                yield edge * (self.square_width - len(number)), style


def _joint(picture: Picture, around: Sequence[Position], arms: Arms, palette: Palette) -> Fragment:
    """One cell of a line, between four squares (upper left, upper right, lower left, lower right).

    Where blocks meet open squares the block's quarters draw the line; between open squares it lies
    on the ground that they share.
    """
    grid = picture.grid
    kinds = [_kind(grid, position) for position in around]
    if Kind.BLOCK in kinds and Weight.HEAVY not in arms:
        full = sum(1 << corner for corner, kind in enumerate(kinds) if kind is Kind.BLOCK)
        if full == _ALL_QUARTERS:
            return " ", palette.block
        at_rim = any(position not in grid for position in around)
        beside = palette.open if at_rim or Kind.OPEN in kinds else palette.void
        return _QUARTERS[full], Style(color=palette.block.bgcolor, bgcolor=beside.bgcolor)
    if Kind.OPEN not in kinds:
        return BOXES[arms], palette.void + palette.line
    inner = [position for position, kind in zip(around, kinds, strict=True) if kind is Kind.OPEN]
    grounds = {ground(picture, position, palette) for position in inner} if len(inner) == len(around) else set()
    shared = grounds.pop() if len(grounds) == 1 else palette.open
    return BOXES[arms], shared + (palette.bar if Weight.HEAVY in arms else palette.line)


def _kind(grid: Grid, position: Position) -> Kind:
    return grid[position].kind if position in grid else Kind.VOID


def _weight(grid: Grid, first: Position, second: Position) -> Weight:
    """The line between two neighbours: none inside blocks and voids, heavy where a bar stands."""
    kinds = {_kind(grid, first), _kind(grid, second)}
    if len(kinds) == 1 and Kind.OPEN not in kinds:
        return Weight.NONE
    return Weight.HEAVY if Bar(first, second) in grid.bars else Weight.LIGHT
