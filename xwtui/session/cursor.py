"""The constructor's position in the grid, and the selected squares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from xwtui.model import Direction, Grid, Position, Slot
from xwtui.session.messages import CursorMoved, Message, SelectionChanged


class MovedSquares(NamedTuple):
    """Where an edit moves the squares of a grid, together with the cursor and the selection."""

    places: Mapping[Position, Position]
    are_turned: bool
    """Whether across becomes down."""

    def back(self) -> MovedSquares:
        return MovedSquares({after: before for before, after in self.places.items()}, self.are_turned)


class WrittenFrom(NamedTuple):
    """Where the cursor was when letters were written, which is where undo returns it."""

    position: Position
    direction: Direction


class Cursor:
    """A square of the grid, and the direction of typing."""

    def __init__(self, grid: Callable[[], Grid], post: Callable[[Message], None]) -> None:
        """`grid` returns the current grid; `post` receives a message for each move."""
        self._grid = grid
        self._post = post
        self.position: Position = Position(0, 0)
        self.direction: Direction = Direction.ACROSS
        self.moves = 0
        """Number of times that the cursor was sent to a square, even to its own."""
        self.reset()

    @property
    def place(self) -> tuple[Position, Direction]:
        return self.position, self.direction

    @property
    def slot(self) -> Slot | None:
        grid = self._grid()
        along = grid.slot_at(self.position, self.direction)
        return along if along is not None else grid.slot_at(self.position, self.direction.other)

    @property
    def entry(self) -> Slot | None:
        """The entry that the slot is part of; the slot itself if it is not linked."""
        return None if self.slot is None else self._grid().entry_of(self.slot)

    def move_to(self, position: Position, direction: Direction | None = None) -> None:
        """Move to a square, and change direction if one is given; raises PuzzleError if it is off the grid."""
        _ = self._grid()[position]
        before = self.position, self.direction
        self.moves += 1
        self.position = position
        self.direction = direction if direction is not None else self.direction
        if before != (self.position, self.direction):
            self._post(CursorMoved())

    def reset(self) -> None:
        """Move to the start of the first slot, or to the top left corner of a grid without slots."""
        slots = self._grid().slots
        self.moves += 1
        self.position = slots[0].start if slots else Position(0, 0)
        self.direction = slots[0].direction if slots else Direction.ACROSS

    def keep_on_grid(self) -> None:
        """Move back onto the grid if an edit has made it smaller."""
        grid, here = self._grid(), self.position
        self.position = Position(min(here.row, grid.height - 1), min(here.column, grid.width - 1))


class Selection:
    """The squares that `fill --only selection` fills."""

    def __init__(self, grid: Callable[[], Grid], post: Callable[[Message], None]) -> None:
        """`grid` returns the current grid; `post` receives a message for each change."""
        self._grid = grid
        self._post = post
        self.squares: frozenset[Position] = frozenset()
        """Empty if nothing is selected."""

    def select(self, squares: Collection[Position]) -> None:
        """Select exactly the open squares among these; raises PuzzleError if one is off the grid."""
        grid = self._grid()
        chosen = frozenset(at for at in squares if grid[at].is_open)
        if chosen != self.squares:
            self.squares = chosen
            self._post(SelectionChanged())

    def clear(self) -> None:
        self.squares = frozenset()

    def keep_on_grid(self) -> None:
        """Drop squares that are off the grid or no longer open."""
        grid = self._grid()
        self.squares = frozenset(at for at in self.squares if at in grid and grid[at].is_open)
