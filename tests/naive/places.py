"""Places, told square by square: a walk on the grid for each word."""

from collections.abc import Callable

from xwtui.model import Grid, Position


def naive_squares(grid: Grid, part: str) -> list[Position]:
    """The squares of one place that the grid has, in their order."""
    word = part.lower()
    if word == "perimeter":
        return _walk_around(grid)
    if word in ("diagonal", "antidiagonal"):
        return _ordered(
            grid,
            lambda at: at.row == at.column if word == "diagonal" else at.row + at.column == grid.width - 1,
            lambda at: at.column,
        )
    if word.startswith("row"):
        return _ordered(grid, lambda at: at.row + 1 == int(word[3:]), lambda at: at.column)
    if word.startswith("col"):
        number = int(word.removeprefix("column").removeprefix("col"))
        return _ordered(grid, lambda at: at.column + 1 == number, lambda at: at.row)
    if word.startswith("r"):
        first, _, last = word.partition(":")
        one, other = Position.parse(first), Position.parse(last or first)
        return _ordered(
            grid,
            lambda at: all(map(_is_between, one, at, other)),
            lambda at: (abs(at.row - one.row), abs(at.column - one.column)),
        )
    return next([*slot.positions] for slot in grid.slots if slot.name.lower() == word)


def _is_between(one: int, number: int, other: int) -> bool:
    return one <= number <= other or other <= number <= one


def _ordered(
    grid: Grid, has: Callable[[Position], bool], key: Callable[[Position], int | tuple[int, int]]
) -> list[Position]:
    return sorted(filter(has, grid.positions()), key=key)


def _walk_around(grid: Grid) -> list[Position]:
    """Ahead to the wall, then a turn to the right, until back in the corner."""
    at, found = Position(0, 0), []
    turns = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    while at not in found:
        found.append(at)
        ahead = Position(at.row + turns[0][0], at.column + turns[0][1])
        if ahead not in grid:
            turns.append(turns.pop(0))
            ahead = Position(at.row + turns[0][0], at.column + turns[0][1])
        at = ahead
    return found
