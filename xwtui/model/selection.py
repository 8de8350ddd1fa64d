"""Parts of a grid: rectangles, entries, and an entry with all that crosses it."""

import re

from xwtui.errors import PuzzleError
from xwtui.model.grid import Grid
from xwtui.model.slots import Slot
from xwtui.model.where import Position
from xwtui.text import printable

_ENTRY = re.compile(r"\d+[AaDd]")


def rectangle(grid: Grid, one: Position, other: Position) -> frozenset[Position]:
    """The open squares of the rectangle that has these corners."""
    rows = range(min(one.row, other.row), max(one.row, other.row) + 1)
    columns = range(min(one.column, other.column), max(one.column, other.column) + 1)
    corners = (Position(row, column) for row in rows for column in columns)
    return frozenset(at for at in corners if grid[at].is_open)


def around(grid: Grid, slot: Slot) -> frozenset[Position]:
    """The squares of an entry and of all entries that cross it."""
    found = set(slot.positions)
    for at in slot.positions:
        crossing = grid.slot_at(at, slot.direction.other)
        found.update(crossing.positions if crossing is not None else ())
    return frozenset(found)


def squares_named(grid: Grid, text: str) -> frozenset[Position]:
    """Read a part of a grid: rectangles `r1c1:r5c5`, entries `17A` and squares `r3c4`, with commas between them.

    Raises PuzzleError for what the grid does not have, and where no open square is meant.
    """
    found: set[Position] = set()
    for part in text.split(","):
        found |= _part(grid, part.strip())
    if not found:
        raise PuzzleError(f"{printable(text, 40)} has no open square")
    return frozenset(found)


def _part(grid: Grid, text: str) -> frozenset[Position]:
    if _ENTRY.fullmatch(text):
        return frozenset(grid.slot(text).positions)
    first, colon, last = text.partition(":")
    if not first.lower().startswith("r") or (colon and not last.strip().lower().startswith("r")):
        raise PuzzleError(f"{printable(text, 40)!r} is no rectangle such as r1c1:r5c5 and no entry such as 17A")
    one = Position.parse(first)
    other = Position.parse(last) if colon else one
    for corner in (one, other):
        _ = grid[corner]
    return rectangle(grid, one, other)
