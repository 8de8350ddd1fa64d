"""Where a grid's squares, entries, bars and links end up after a quarter turn or a resize.

Letters stay in their squares. A quarter turn swaps the directions of entries. After a clockwise turn, an across
entry reads the same downward, but a down entry runs from right to left, so that it reads backward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from xwtui.model.grid import Bar, Grid
from xwtui.model.selection import SHAPES, area_named
from xwtui.model.slots import SlotKey
from xwtui.model.square import Content
from xwtui.model.where import Direction, Position, Symmetry

_SYMMETRIES = {
    Symmetry.LEFT_RIGHT: Symmetry.UP_DOWN,
    Symmetry.UP_DOWN: Symmetry.LEFT_RIGHT,
    Symmetry.DIAGONAL: Symmetry.ANTIDIAGONAL,
    Symmetry.ANTIDIAGONAL: Symmetry.DIAGONAL,
}

_LINES = ("top-left", "top", "top-right"), ("left", "center", "right"), ("bottom-left", "bottom", "bottom-right")
ANCHORS = {name: (row, column) for row, names in enumerate(_LINES) for column, name in enumerate(names)}
"""Offsets by anchor: how many halves of the size difference are added above the rows and left of the columns."""


class GridMove:
    """A mapping of one grid to another in which its squares have new positions, or none."""

    def __init__(
        self, before: Grid, height: int, width: int, place: Callable[[Position], Position], *, is_turned: bool
    ) -> None:
        self.before = before
        self.is_turned = is_turned
        """Whether across and down are swapped."""
        self._place = place
        self.after = Grid.blank(height, width)
        """The resulting grid."""
        self.places = {at: there for at in before.positions() if (there := self.position(at)) is not None}
        squares = {}
        for at, there in self.places.items():
            content = before[at].content
            squares[there] = before[at] if content is None else replace(before[at], content=self.content(content))
        ends = (self.positions(bar) for bar in before.bars)
        self.after = self.after.with_squares(squares).with_bars(Bar.between(*two) for two in ends if len(two) == 2)
        lights = {there: light for light, there in self.keys(light for link in before.links for light in link)}
        # if two lights become one, the one that begins now wins
        places = {light: there for there, light in lights.items()}
        links = (tuple(places[light] for light in link if light in places) for link in before.links)
        self.after = self.after.with_links(link for link in links if len(link) > 1)

    @classmethod
    def turn(cls, grid: Grid, *, clockwise: bool) -> GridMove:
        def place(at: Position) -> Position:
            if clockwise:
                return Position(at.column, grid.height - 1 - at.row)
            return Position(grid.width - 1 - at.column, at.row)

        return cls(grid, grid.width, grid.height, place, is_turned=True)

    @classmethod
    def resize(cls, grid: Grid, height: int, width: int, anchor: str) -> GridMove:
        """Move the grid to one of ANCHORS in a grid of the given size; new squares are open and empty."""
        halves = ANCHORS[anchor]
        rows, columns = int((height - grid.height) * halves[0] / 2), int((width - grid.width) * halves[1] / 2)
        return cls(grid, height, width, lambda at: Position(at.row + rows, at.column + columns), is_turned=False)

    def position(self, at: Position) -> Position | None:
        there = self._place(at)
        return there if there in self.after else None

    def positions(self, squares: Iterable[Position]) -> tuple[Position, ...]:
        return tuple(there for at in squares if (there := self.position(at)) is not None)

    def direction(self, direction: Direction) -> Direction:
        return direction.other if self.is_turned else direction

    def key(self, key: SlotKey) -> SlotKey | None:
        """Return a slot's new key, or None if none of its squares remain.

        This is the key of the slot that covers its remaining squares, which may begin before them. If no slot
        begins at the old key, its moved square stays the first.
        """
        start, direction = key[0], self.direction(key[1])
        slot = self.before.slot_of(key)
        left = self.positions((start,) if slot is None else slot.positions)
        if not left:
            return None
        there = None if slot is None else self.after.slot_at(min(left), direction)
        return min(left) if there is None else there.start, direction

    def keys(self, keys: Iterable[SlotKey]) -> Iterator[tuple[SlotKey, SlotKey]]:
        """Yield old and new keys of the slots that remain, first those at which no slot begins now."""
        ordered = sorted(keys, key=lambda each: self.before.slot_of(each) is not None)
        return ((key, there) for key in ordered if (there := self.key(key)) is not None)

    def content(self, content: Content) -> Content:
        """Return a square's content after the move; a quarter turn swaps the across and down readings."""
        return Content(content.down, content.across) if self.is_turned else content

    def contents(self, contents: Iterable[Content]) -> tuple[Content, ...]:
        return tuple(map(self.content, contents))

    def symmetry(self, symmetry: Symmetry) -> Symmetry:
        return _SYMMETRIES.get(symmetry, symmetry) if self.is_turned else symmetry

    def place(self, name: str) -> str:
        """Return the new name of an area, covering its remaining squares in the same order; empty if none remain.

        Raises PuzzleError if there is no such area.
        """
        squares = self.positions(area_named(self.before, name).squares)
        if name.lower() == "perimeter":
            return name  # the perimeter of the new grid: a round trip can begin at any square
        if not squares:
            return ""
        first, last = squares[0], squares[-1]
        shapes = [shape for shape in SHAPES if shape != "perimeter" and self.after.height == self.after.width]
        known = [f"row {first.row + 1}", f"column {first.column + 1}", *shapes, f"{first}:{last}"]
        listed = ",".join(map(str, squares))
        return next((each for each in known if area_named(self.after, each).squares == squares), listed)
