"""Where the squares of a line spell a name, with any gaps: what circles are drawn around.

Source: Bob Copeland, "On board the rebus": "I decided having any old separation between circles was fine as long
as the components were all on the same line".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xwtui.model.grid import Grid
from xwtui.model.where import Direction, Position


def names_along_lines(grid: Grid, name: str) -> list[tuple[Position, ...]]:
    """The narrowest place of a name in each row and column that has its letters in order, the narrowest first.

    What stands on a square must be the next letter of the name, or, on a rebus square, the next few.
    """
    found = [place for line, direction in _lines(grid) if (place := _narrowest(grid, line, direction, name))]
    return sorted(found, key=lambda place: (_span(place), place))


def _lines(grid: Grid) -> Iterator[tuple[list[Position], Direction]]:
    for row in range(grid.height):
        yield [Position(row, column) for column in range(grid.width)], Direction.ACROSS
    for column in range(grid.width):
        yield [Position(row, column) for row in range(grid.height)], Direction.DOWN


def _narrowest(grid: Grid, line: Sequence[Position], direction: Direction, name: str) -> tuple[Position, ...]:
    places = [_from(grid, line[start:], direction, name) for start in range(len(line))]
    return min((place for place in places if place), key=lambda place: (_span(place), place), default=())


def _from(grid: Grid, line: Sequence[Position], direction: Direction, name: str) -> tuple[Position, ...]:
    """The nearest squares that spell a name from the first of a line on; none where that has not its beginning."""
    place, left = [], name
    for at in line:
        content = grid[at].content
        reading = content.reading(direction) if content is not None else ""
        if reading and left.startswith(reading):
            place.append(at)
            left = left[len(reading) :]
        elif not place:
            return ()
        if not left:
            return tuple(place)
    return ()


def _span(place: Sequence[Position]) -> int:
    return place[-1].row - place[0].row + place[-1].column - place[0].column
