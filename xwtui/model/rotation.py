"""A quarter turn of a grid: where squares, entries, bars and links come to lie, and what places are called then.

Letters stay in their squares. Entries of one direction become those of the other: turned clockwise, an across
entry reads the same downward, and a down entry lies from right to left, so that it reads backward.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from xwtui.model.grid import Bar, Grid
from xwtui.model.selection import SHAPES, area_named
from xwtui.model.slots import SlotKey
from xwtui.model.square import Content, Square
from xwtui.model.where import Direction, Position, Symmetry

_SYMMETRIES = {
    Symmetry.LEFT_RIGHT: Symmetry.UP_DOWN,
    Symmetry.UP_DOWN: Symmetry.LEFT_RIGHT,
    Symmetry.DIAGONAL: Symmetry.ANTIDIAGONAL,
    Symmetry.ANTIDIAGONAL: Symmetry.DIAGONAL,
}


class Turn:
    """One quarter turn of one grid."""

    def __init__(self, grid: Grid, *, clockwise: bool) -> None:
        self.before = grid
        self.clockwise = clockwise
        self.reversed_direction = Direction.DOWN if clockwise else Direction.ACROSS
        """The direction whose entries read backward afterward."""
        squares: dict[Position, Square] = {}
        for at in grid.positions():
            content = grid[at].content
            squares[self.position(at)] = (
                grid[at] if content is None else replace(grid[at], content=self.content(content))
            )
        rows = [[squares[Position(row, column)] for column in range(grid.height)] for row in range(grid.width)]
        bars = [Bar.between(self.position(bar.first), self.position(bar.second)) for bar in grid.bars]
        links = [tuple(map(self.key, link)) for link in grid.links]
        self.after = Grid.from_rows(rows, bars).with_links(links)
        """The grid as it lies then."""

    def position(self, at: Position) -> Position:
        if self.clockwise:
            return Position(at.column, self.before.height - 1 - at.row)
        return Position(self.before.width - 1 - at.column, at.row)

    def positions(self, squares: Iterable[Position]) -> tuple[Position, ...]:
        return tuple(map(self.position, squares))

    def key(self, key: SlotKey) -> SlotKey:
        """What a slot goes by then; of one that begins nowhere at the moment its square stays the first."""
        start, direction = key
        slot = self.before.slot_of(key) if start in self.before else None
        ends = self.positions((slot.positions[0], slot.positions[-1]) if slot is not None else (start,))
        return min(ends), direction.other

    def content(self, content: Content) -> Content:
        """What a square holds: what was read across is read down."""
        return Content(content.down, content.across)

    def contents(self, contents: Iterable[Content]) -> tuple[Content, ...]:
        return tuple(map(self.content, contents))

    def symmetry(self, symmetry: Symmetry) -> Symmetry:
        return _SYMMETRIES.get(symmetry, symmetry)

    def place(self, name: str) -> str:
        """What a place is called then, its squares in the same order; raises PuzzleError where there is none."""
        squares = self.positions(area_named(self.before, name).squares)
        if name.lower() == "perimeter":
            return name  # one goes around it from any square on
        first, last = squares[0], squares[-1]
        shapes = [shape for shape in SHAPES if shape != "perimeter" and self.after.height == self.after.width]
        known = [f"row {first.row + 1}", f"column {first.column + 1}", *shapes, f"{first}:{last}"]
        listed = ",".join(map(str, squares))
        return next((each for each in known if area_named(self.after, each).squares == squares), listed)
