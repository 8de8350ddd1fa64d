"""What the commands print when it is not JSON.

For people the grid is drawn, with the figures below. For another program stdout carries the grid
as text that xwtui reads again, and the figures go to stderr, so that commands can be piped together.
"""

import sys
from collections.abc import Iterable

from xwtui.formats.grid_text import grid_to_text
from xwtui.model import Grid
from xwtui.printing import draw_grid, paint, wants_colours


def print_grid(grid: Grid, *, is_piped: bool) -> None:
    """Print a grid, drawn or as text."""
    if is_piped:
        print(grid_to_text(grid))
        return
    colours = wants_colours(sys.stdout)
    for line in draw_grid(grid):
        print(paint(line, colours=colours, tells_pencil=False))


def print_figures(lines: Iterable[str], *, is_piped: bool) -> None:
    """Print what goes with a grid."""
    print("\n".join(lines), file=sys.stderr if is_piped else sys.stdout)


def grid_rows(grid: Grid) -> list[str]:
    """The grid as in grid text, a string a row; a rebus square is `[HEART]`."""
    return grid_to_text(grid).splitlines()
