"""Named parts of a grid: how areas are written, parsed and recognized, and an entry with all its crossings."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.grid import Grid
from xwtui.model.slots import Slot
from xwtui.model.where import Position
from xwtui.text import printable


def perimeter(grid: Grid) -> tuple[Position, ...]:
    """Return the outermost squares, clockwise from the top left corner."""
    last_row, last_column = grid.height - 1, grid.width - 1
    return (
        *(Position(0, column) for column in range(last_column)),
        *(Position(row, last_column) for row in range(last_row)),
        *(Position(last_row, column) for column in range(last_column, 0, -1)),
        *(Position(row, 0) for row in range(last_row, 0, -1)),
    )


def diagonal(grid: Grid) -> tuple[Position, ...]:
    """Return the squares from top left to bottom right; raises PuzzleError if the grid is not square."""
    return tuple(Position(at.column, at.column) for at in antidiagonal(grid))


def antidiagonal(grid: Grid) -> tuple[Position, ...]:
    """Return the squares from bottom left to top right; raises PuzzleError if the grid is not square."""
    if grid.height != grid.width:
        raise PuzzleError(f"diagonals need a square grid; this one has {grid.height} rows of {grid.width}")
    return tuple(Position(grid.height - 1 - number, number) for number in range(grid.width))


SHAPES: Mapping[str, Callable[[Grid], tuple[Position, ...]]] = MappingProxyType(
    {"perimeter": perimeter, "diagonal": diagonal, "antidiagonal": antidiagonal}
)
"""Names of areas that depend only on the grid's size, with functions that return their squares in order."""

LINE_WORDS = ("row", "column", "col")
"""Words that, followed by a number, name a line."""

_ENTRY = lazy_pattern(r"\d+[AD]", re.IGNORECASE)
_ITEM = r"(?:\d+[AD]|r\d+c\d+)"
_SEVERAL = lazy_pattern(rf"{_ITEM}(?:(?:[,;:/+&-]|\.\.)(?:{_ITEM})?)+", re.IGNORECASE)
_PLAIN = lazy_pattern(rf"{_ITEM}(:{_ITEM})?", re.IGNORECASE)
_SQUARE = lazy_pattern(r"r\d+c\d+", re.IGNORECASE)
_LINE = lazy_pattern(rf"({'|'.join(LINE_WORDS)})\s*(\d+)", re.IGNORECASE)
_BEGUN = lazy_pattern(r"\d+[A-Z]?|r\d+(c\d*)?", re.IGNORECASE)


@dataclass(frozen=True)
class Area:
    """A named set of squares, including blocks, each once and in the order that the name implies.

    An entry runs from its first square to its last, and a line from left to right or top to bottom. A rectangle
    runs row by row from the corner that is named first. The perimeter runs clockwise from the top left corner, the
    diagonal from the top left corner, and the antidiagonal from the bottom left one.
    """

    name: str
    squares: tuple[Position, ...]

    def open_squares(self, grid: Grid) -> tuple[Position, ...]:
        """Return the open squares; raises PuzzleError if there are none."""
        found = tuple(at for at in self.squares if grid[at].is_open)
        if not found:
            raise PuzzleError(f"{printable(self.name, 40)} has no open square")
        return found


def looks_like_place(text: str) -> bool:
    """Whether a word is meant as a place, valid or not: `17A`, `r3c5`, `1A,5D`, `row 7`."""
    return _BEGUN.fullmatch(text) is not None or looks_like_area(text)


def looks_like_area(text: str) -> bool:
    """Whether a word is meant as several squares, valid or not: `r1c1:r3c3`, `1A,5D`, `row 7`, `perimeter`."""
    if _SEVERAL.fullmatch(text) or _is_shape(text):
        return True
    parts = [part.strip() for part in text.split(",")]
    return len(parts) > 1 and any(parts) and all(_is_shape(one) or _PLAIN.fullmatch(one) for one in parts if one)


def _is_shape(text: str) -> bool:
    return text.lower() in SHAPES or _LINE.fullmatch(text) is not None


def is_never_letters(text: str) -> bool:
    """Whether a text is unambiguously a place and not letters: `r3c5`, `r1c1:r3c3`, `1A/5A`."""
    return any(form.fullmatch(text) for form in (_SEVERAL, _SQUARE))


def check_message(words: Sequence[str]) -> None:
    """Raise PuzzleError where a word of a message is a place, or two together: `17A`, `row 3`, `perimeter`."""
    for text in (*words, *map(" ".join, pairwise(words))):
        if looks_like_area(text) or _ENTRY.fullmatch(text):
            told, rest = printable(text[:1], 1), printable(text[1:], 30)
            raise PuzzleError(f"{told + rest!r} is a place; `[{told}]{rest}` hides these letters")


def begins_line(text: str) -> bool:
    """Whether a text ends in a line word that a number must follow: `row`, `1A,row`."""
    return text.lower().rpartition(",")[2] in LINE_WORDS


def ends_line(text: str) -> bool:
    """Whether a text begins with the number of a row or column: `7`, `7,1A`."""
    return text.partition(",")[0].isdecimal()


def rectangle(grid: Grid, one: Position, other: Position) -> frozenset[Position]:
    """Return the open squares of the rectangle with these opposite corners."""
    return frozenset(at for at in _between(one, other) if grid[at].is_open)


def _between(one: Position, other: Position) -> tuple[Position, ...]:
    """Return the squares of a rectangle, row by row from the first corner toward the other."""
    rows, columns = steps(one.row, other.row), steps(one.column, other.column)
    return tuple(Position(row, column) for row in rows for column in columns)


def steps(first: int, last: int) -> range:
    """Return the numbers from first to last, both included, ascending or descending."""
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def around(grid: Grid, slot: Slot) -> frozenset[Position]:
    """Return the squares of an entry and of all entries that cross it."""
    found = set(slot.positions)
    for at, way in zip(slot.reading, slot.directions, strict=True):
        crossing = grid.slot_at(at, way.other)
        found.update(crossing.positions if crossing is not None else ())
    return frozenset(found)


def area_named(grid: Grid, text: str) -> Area:
    """Parse an area, whose parts are separated by commas.

    Parts are rectangles `r1c1:r5c5`, entries `17A`, squares `r3c4`, `row 7`, `column 3` and SHAPES. Raises
    PuzzleError for places that the grid does not have.
    """
    found = (at for part in text.split(",") for at in _part(grid, part.strip()))
    return Area(text.strip(), tuple(dict.fromkeys(found)))


def _part(grid: Grid, text: str) -> Iterable[Position]:
    if _ENTRY.fullmatch(text):
        return grid.slot(text).positions
    if shape := SHAPES.get(text.lower()):
        return shape(grid)
    if line := _LINE.fullmatch(text):
        is_row, number = line[1].lower() == "row", int(line[2])
        most = grid.height if is_row else grid.width
        if not 1 <= number <= most:
            raise PuzzleError(f"this grid has {'rows' if is_row else 'columns'} 1 to {most}")
        return (at for at in grid.positions() if (at.row if is_row else at.column) == number - 1)
    if not text:
        raise PuzzleError("put commas between places, such as 17A,5D")
    first, colon, last = text.partition(":")
    if not first.lower().startswith("r") or (colon and not last.strip().lower().startswith("r")):
        raise PuzzleError(
            f"{printable(text, 40)!r} is not a rectangle such as r1c1:r5c5, an entry such as 17A, "
            f"or one of row 7, column 3, {', '.join(SHAPES)}"
        )
    one = Position.parse(first)
    other = Position.parse(last) if colon else one
    for corner in (one, other):
        _ = grid[corner]
    return _between(one, other)
