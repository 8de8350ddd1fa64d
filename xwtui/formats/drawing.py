"""A grid as shapes, for what draws it: SVG, PNG and PDF.

Lengths are in squares, from the top left of the grid to the right and down. Shapes come in the order in which they
are drawn.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from xwtui.model import Grid, Kind, Position

BLACK, WHITE, GREY = 0.0, 1.0, 0.86
"""How light something is drawn."""

THIN, THICK = 0.03, 0.1
NUMBER_SIZE = 0.3
LETTER_SIZE = 0.6
_CAPITAL = 0.72
"""How high a capital stands, for its size."""


@dataclass(frozen=True)
class Box:
    """A filled rectangle."""

    left: float
    top: float
    width: float
    height: float
    grey: float


@dataclass(frozen=True)
class Stroke:
    """A black line."""

    left: float
    top: float
    right: float
    bottom: float
    thickness: float


@dataclass(frozen=True)
class Ring:
    """A circle's outline."""

    across: float
    down: float
    radius: float
    thickness: float = THIN


@dataclass(frozen=True)
class Label:
    """Text on a baseline, from its left or around its middle; `width` is the most that it may take."""

    text: str
    across: float
    baseline: float
    size: float
    centred: bool
    width: float = 1.0


Shape = Box | Stroke | Ring | Label


def shapes(grid: Grid, *, solved: bool) -> Iterator[Shape]:
    """The grid with its numbers, and with its letters if it is to be shown `solved`."""
    for at in grid.positions():
        square = grid[at]
        if square.kind is not Kind.VOID:
            grey = BLACK if square.kind is Kind.BLOCK else GREY if square.shade else WHITE
            yield Box(at.column, at.row, 1, 1, grey)
    for at in grid.positions():
        if grid[at].kind is not Kind.VOID:
            yield from _outline(grid, at)
    for bar in sorted(grid.bars):
        row, column = bar.second
        if bar.first.row == row:
            yield Stroke(column, row, column, row + 1, THICK)
        else:
            yield Stroke(column, row, column + 1, row, THICK)
    for at in grid.open_positions():
        yield from _inside(grid, at, solved=solved)


def _outline(grid: Grid, at: Position) -> Iterator[Stroke]:
    """The sides of a square that are its own, and those that a void leaves to it."""
    row, column = at
    yield Stroke(column, row, column + 1, row, THIN)
    yield Stroke(column, row, column, row + 1, THIN)
    below, beside = Position(row + 1, column), Position(row, column + 1)
    if below not in grid or grid[below].kind is Kind.VOID:
        yield Stroke(column, row + 1, column + 1, row + 1, THIN)
    if beside not in grid or grid[beside].kind is Kind.VOID:
        yield Stroke(column + 1, row, column + 1, row + 1, THIN)


def _inside(grid: Grid, at: Position, *, solved: bool) -> Iterator[Shape]:
    square = grid[at]
    row, column = at
    if square.circle:
        yield Ring(column + 0.5, row + 0.5, 0.47)
    if number := grid.numbers.get(at):
        yield Label(str(number), column + 0.06, row + 0.06 + NUMBER_SIZE * _CAPITAL, NUMBER_SIZE, centred=False)
    if solved and square.content is not None:
        text = square.content.text
        size = LETTER_SIZE if len(text) == 1 else min(0.4, 1.35 / len(text))
        yield Label(text, column + 0.5, row + 0.6 + size * _CAPITAL / 2, size, centred=True, width=0.9)
