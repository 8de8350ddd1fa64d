"""A grid in small: two rows of squares in a line of text."""

from xwtui.model import Grid, Kind, Position

_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def preview(grid: Grid) -> list[str]:
    """The open squares of a grid as half blocks, a character a column and a line for two rows."""
    return [
        "".join(
            _HALVES[_is_open(grid, row, column), _is_open(grid, row + 1, column)] for column in range(grid.width)
        )
        for row in range(0, grid.height, 2)
    ]


def _is_open(grid: Grid, row: int, column: int) -> bool:
    position = Position(row, column)
    return position in grid and grid[position].kind is Kind.OPEN
