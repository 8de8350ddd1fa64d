"""Where the constructor stands in the grid, and the squares that are selected."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from xwtui.model import Direction, Grid, Position, Slot
from xwtui.named_tuples import NamedTuple
from xwtui.session.messages import CursorMoved, Message, SelectionChanged


class MovedSquares(NamedTuple):
    """Where the squares of a grid come to lie by an edit, with the cursor and the selection."""

    places: Mapping[Position, Position]
    are_turned: bool
    """Whether what was across is down then."""

    def back(self) -> MovedSquares:
        return MovedSquares({after: before for before, after in self.places.items()}, self.are_turned)


class Cursor:
    """A square of the grid, and the direction in which letters are typed."""

    def __init__(self, grid: Callable[[], Grid], post: Callable[[Message], None]) -> None:
        """`grid` is the grid as it is; `post` is told of each move."""
        self._grid = grid
        self._post = post
        self.position: Position = Position(0, 0)
        self.direction: Direction = Direction.ACROSS
        self.moves = 0
        """How often it was sent somewhere, if only to where it stood."""
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
        """What takes the answer that the slot has a part in: the slot itself, if it is not linked."""
        return None if self.slot is None else self._grid().entry_of(self.slot)

    def move_to(self, position: Position, direction: Direction | None = None) -> None:
        """Stand on a square, and turn if a direction is given; raises PuzzleError off the grid."""
        _ = self._grid()[position]
        before = self.position, self.direction
        self.moves += 1
        self.position = position
        self.direction = direction if direction is not None else self.direction
        if before != (self.position, self.direction):
            self._post(CursorMoved())

    def reset(self) -> None:
        """Stand at the start of the first slot, or in the corner of a grid without slots."""
        slots = self._grid().slots
        self.moves += 1
        self.position = slots[0].start if slots else Position(0, 0)
        self.direction = slots[0].direction if slots else Direction.ACROSS

    def keep_on_grid(self) -> None:
        """Come back onto the grid where an edit has made it smaller."""
        grid, here = self._grid(), self.position
        self.position = Position(min(here.row, grid.height - 1), min(here.column, grid.width - 1))


class Selection:
    """The squares that `fill --only selection` fills."""

    def __init__(self, grid: Callable[[], Grid], post: Callable[[Message], None]) -> None:
        """`grid` is the grid as it is; `post` is told of each change."""
        self._grid = grid
        self._post = post
        self.squares: frozenset[Position] = frozenset()
        """Empty for none."""

    def select(self, squares: Collection[Position]) -> None:
        """Select these open squares and no others; raises PuzzleError off the grid."""
        grid = self._grid()
        chosen = frozenset(at for at in squares if grid[at].is_open)
        if chosen != self.squares:
            self.squares = chosen
            self._post(SelectionChanged())

    def clear(self) -> None:
        self.squares = frozenset()

    def keep_on_grid(self) -> None:
        """Let go of squares that are off the grid, or not open any more."""
        grid = self._grid()
        self.squares = frozenset(at for at in self.squares if at in grid and grid[at].is_open)
