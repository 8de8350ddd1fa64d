"""What `--json` says of a grid: its rows, and its bars."""

from typing import Any

from xwtui.formats.grid_text import grid_to_text
from xwtui.model import Grid


def grid_rows(grid: Grid) -> list[str]:
    """The grid as in grid text, a string a row; a rebus square is `[HEART]`."""
    return grid_to_text(grid).splitlines()


def bars_as_json(grid: Grid) -> dict[str, Any]:
    """The two squares of each bar as `bars`; nothing where there are none."""
    bars = [[str(bar.first), str(bar.second)] for bar in sorted(grid.bars)]
    return {"bars": bars} if bars else {}


def grid_as_json(grid: Grid) -> dict[str, Any]:
    """The rows as `grid`, and the bars."""
    return {"grid": grid_rows(grid), **bars_as_json(grid)}
