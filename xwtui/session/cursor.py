"""Where the constructor stands in the grid."""

from typing import NamedTuple

from xwtui.model import Direction, Grid, Position, Slot


class Cursor(NamedTuple):
    """A square, and the direction in which letters are typed."""

    position: Position
    direction: Direction = Direction.ACROSS

    def slot(self, grid: Grid) -> Slot | None:
        """The slot through the square: of the cursor's direction, else of the other, else None."""
        along = grid.slot_at(self.position, self.direction)
        return along if along is not None else grid.slot_at(self.position, self.direction.other)

    def kept_on(self, grid: Grid) -> "Cursor":
        """The same cursor, moved onto the grid where an edit has made the grid smaller."""
        row = min(self.position.row, grid.height - 1)
        column = min(self.position.column, grid.width - 1)
        return self._replace(position=Position(row, column))


def first_cursor(grid: Grid) -> Cursor:
    """The start of the first slot, or the corner of a grid without slots."""
    if not grid.slots:
        return Cursor(Position(0, 0))
    return Cursor(grid.slots[0].start, grid.slots[0].direction)
