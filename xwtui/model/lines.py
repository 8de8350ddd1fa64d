"""Where a message can stand in a grid: along a place that is named, or along any straight line of some kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from xwtui.errors import PuzzleError
from xwtui.model.grid import Grid
from xwtui.model.selection import area_named
from xwtui.model.where import Position

CLOSED = "perimeter"
"""The place whose last square is followed by its first."""

Way = tuple[Position, ...]
"""The squares that a message takes, in the order in which it is read."""


def ways_along(grid: Grid, place: str, length: int) -> Iterator[Way]:
    """The ways of so many squares along a place's open squares, from each square on; none where it has too few."""
    try:
        squares = tuple(at for at in area_named(grid, place).squares if grid[at].is_open)
    except PuzzleError:  # the grid has become smaller
        return
    if place.lower() != CLOSED:
        yield from _windows(squares, length)
    elif length <= len(squares):
        for start in range(len(squares)):
            yield (squares[start:] + squares[:start])[:length]


def straight_ways(grid: Grid, kinds: Iterable[str], length: int, *, over_blocks: bool) -> Iterator[Way]:
    """The ways of so many open squares along rows, columns and diagonals, all from left to right or downwards.

    Blocks and voids part a line, unless it goes on over them.
    """
    for kind in kinds:
        for line in _LINES[kind](grid):
            if over_blocks:
                runs = [tuple(at for at in line if grid[at].is_open)]
            else:
                runs = [tuple(run) for is_open, run in groupby(line, lambda at: grid[at].is_open) if is_open]
            for run in runs:
                yield from _windows(run, length)


def _windows(squares: Way, length: int) -> Iterator[Way]:
    return (squares[start : start + length] for start in range(len(squares) - length + 1))


def _rows(grid: Grid) -> list[list[Position]]:
    return [[Position(row, column) for column in range(grid.width)] for row in range(grid.height)]


def _columns(grid: Grid) -> list[list[Position]]:
    return [[Position(row, column) for row in range(grid.height)] for column in range(grid.width)]


def _diagonals(grid: Grid) -> list[list[Position]]:
    """The squares of each diagonal from left to right: those that go down, then those that go up."""
    falling: dict[int, list[Position]] = {}
    rising: dict[int, list[Position]] = {}
    for column in range(grid.width):
        for row in range(grid.height):
            falling.setdefault(row - column, []).append(Position(row, column))
            rising.setdefault(row + column, []).append(Position(row, column))
    return [*falling.values(), *rising.values()]


_LINES = {"row": _rows, "column": _columns, "diagonal": _diagonals}
