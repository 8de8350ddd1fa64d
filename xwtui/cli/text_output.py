"""What the commands print when it is not JSON.

On a terminal the grid is drawn, with the figures below. Elsewhere stdout carries the grid as text
that xwtui reads again, and the figures go to stderr, so that commands can be piped together.
"""

import sys

from xwtui.formats.grid_text import grid_to_text
from xwtui.model import Grid
from xwtui.printing.drawing import draw_grid
from xwtui.printing.paint import paint, wants_colours


def print_grid(grid: Grid) -> None:
    """Print a grid, drawn or as text."""
    if not sys.stdout.isatty():
        print(grid_to_text(grid))
        return
    colours = wants_colours(sys.stdout)
    for line in draw_grid(grid):
        print(paint(line, colours=colours))


def print_figures(text: str) -> None:
    """Print what goes with a grid."""
    print(text, file=sys.stdout if sys.stdout.isatty() else sys.stderr)


def grid_rows(grid: Grid) -> list[str]:
    """The grid as in grid text, a string a row; a rebus square is `[HEART]`."""
    return grid_to_text(grid).splitlines()
