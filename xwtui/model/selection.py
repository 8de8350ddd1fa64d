"""Parts of a grid: how places are written, rectangles, entries, and an entry with all that crosses it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from xwtui.errors import PuzzleError
from xwtui.model.grid import Grid
from xwtui.model.slots import Slot
from xwtui.model.where import Position
from xwtui.text import printable

PERIMETER = "perimeter"
"""The word for the outermost squares."""

_ENTRY = re.compile(r"\d+[AD]", re.IGNORECASE)
_ITEM = r"(?:\d+[AD]|r\d+c\d+)"
_SEVERAL = re.compile(rf"{_ITEM}(?:(?:[,;:/+&-]|\.\.)(?:{_ITEM})?)+", re.IGNORECASE)
_SQUARE = re.compile(r"r\d+c\d+", re.IGNORECASE)
_LINE = re.compile(r"(row|column|col)\s*(\d+)", re.IGNORECASE)
_BEGUN = re.compile(r"\d+[A-Z]?|r\d+(c\d*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Area:
    """Several squares that were named together, blocks among them too."""

    name: str
    squares: frozenset[Position]


def looks_like_place(text: str) -> bool:
    """Whether a word is meant as a place, right or wrong, where one may stand: `17A`, `r3c5`, `1A,5D`, `row 7`."""
    return _BEGUN.fullmatch(text) is not None or looks_like_area(text)


def looks_like_area(text: str) -> bool:
    """Whether a word is meant as several squares, right or wrong: `r1c1:r3c3`, `1A,5D`, `row 7`, `perimeter`."""
    return text.lower() == PERIMETER or any(form.fullmatch(text) for form in (_SEVERAL, _LINE))


def is_never_letters(text: str) -> bool:
    """Whether a text is so plainly a place that nobody means its letters: `r3c5`, `r1c1:r3c3`, `1A/5A`."""
    return any(form.fullmatch(text) for form in (_SEVERAL, _SQUARE))


def begins_line(text: str) -> bool:
    """Whether a word names a row or column together with the number after it."""
    return text.lower() in ("row", "column", "col")


def rectangle(grid: Grid, one: Position, other: Position) -> frozenset[Position]:
    """The open squares of the rectangle that has these corners."""
    return _open(grid, _between(one, other))


def _between(one: Position, other: Position) -> frozenset[Position]:
    rows = range(min(one.row, other.row), max(one.row, other.row) + 1)
    columns = range(min(one.column, other.column), max(one.column, other.column) + 1)
    return frozenset(Position(row, column) for row in rows for column in columns)


def _open(grid: Grid, squares: Iterable[Position]) -> frozenset[Position]:
    return frozenset(at for at in squares if grid[at].is_open)


def around(grid: Grid, slot: Slot) -> frozenset[Position]:
    """The squares of an entry and of all entries that cross it."""
    found = set(slot.positions)
    for at in slot.positions:
        crossing = grid.slot_at(at, slot.direction.other)
        found.update(crossing.positions if crossing is not None else ())
    return frozenset(found)


def area_named(grid: Grid, text: str) -> Area:
    """Read a part of a grid, with commas between its parts.

    They are rectangles `r1c1:r5c5`, entries `17A`, squares `r3c4`, `row 7`, `column 3` and `perimeter`. Raises
    PuzzleError for what the grid does not have.
    """
    found: set[Position] = set()
    for part in text.split(","):
        found |= _part(grid, part.strip())
    return Area(text.strip(), frozenset(found))


def squares_named(grid: Grid, text: str) -> frozenset[Position]:
    """The open squares of such a part; raises PuzzleError where it has none, too."""
    found = _open(grid, area_named(grid, text).squares)
    if not found:
        raise PuzzleError(f"{printable(text, 40)} has no open square")
    return found


def _part(grid: Grid, text: str) -> frozenset[Position]:
    if _ENTRY.fullmatch(text):
        return frozenset(grid.slot(text).positions)
    last_row, last_column = grid.height - 1, grid.width - 1
    if text.lower() == PERIMETER:
        return frozenset(at for at in grid.positions() if at.row in (0, last_row) or at.column in (0, last_column))
    if line := _LINE.fullmatch(text):
        return _line(grid, line[1].lower(), int(line[2]))
    first, colon, last = text.partition(":")
    if not first.lower().startswith("r") or (colon and not last.strip().lower().startswith("r")):
        raise PuzzleError(f"{printable(text, 40)!r} is no rectangle such as r1c1:r5c5 and no entry such as 17A")
    one = Position.parse(first)
    other = Position.parse(last) if colon else one
    for corner in (one, other):
        _ = grid[corner]
    return _between(one, other)


def _line(grid: Grid, kind: str, number: int) -> frozenset[Position]:
    is_row = kind == "row"
    most = grid.height if is_row else grid.width
    if not 1 <= number <= most:
        raise PuzzleError(f"this grid has {'rows' if is_row else 'columns'} 1 to {most}")
    return frozenset(at for at in grid.positions() if (at.row if is_row else at.column) == number - 1)
