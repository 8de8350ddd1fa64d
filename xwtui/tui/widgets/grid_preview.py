"""A grid in small: two cells a square, or half a cell, where bars are left out; given squares stand out.

One with bars has lines between its squares where there is room for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.color import Color
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip

from xwtui.model import Bar, Direction, Grid, Kind, Position
from xwtui.tui.drawings import Lattice, lattice_of
from xwtui.tui.widgets.painted import Fragment, Painted, line_strip

_NO_BARS = "bars not shown"
"""What stands below half cells where they leave bars out."""
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


class GridPreview(Painted):
    """Draws a grid, or nothing; it takes no keys."""

    DEFAULT_CSS = "GridPreview { height: 1fr; width: 1fr; }"

    grid_shown: reactive[Grid | None] = reactive(None)
    """The grid; None for none."""
    _reckoned: tuple[Grid, Lattice] | None = None

    def render_line(self, y: int) -> Strip:
        grid = self.grid_shown
        return line_strip(() if grid is None else self.fragments(grid, y), self.size.width, self.base)

    def fragments(self, grid: Grid, y: int) -> Sequence[Fragment]:
        if grid.bars and 2 * grid.width < self.size.width and 2 * grid.height < self.size.height:
            return self._lined(grid, y) if y <= 2 * grid.height else ()
        is_wide = 2 * grid.width <= self.size.width and grid.height <= self.size.height
        if not is_wide and grid.bars and y == (grid.height + 1) // 2:
            return [(_NO_BARS, self.paint.text)]
        if y * (1 if is_wide else 2) >= grid.height:
            return ()
        if is_wide:
            return [self._wide(grid, Position(y, column)) for column in range(grid.width)]
        return [self._halves(grid, column, 2 * y, 2 * y + 1) for column in range(grid.width)]

    def _lined(self, grid: Grid, y: int) -> list[Fragment]:
        """A row of squares of one cell, or the line above it."""
        lattice, (row, is_inside) = self._lattice(grid), divmod(y, 2)
        ground = self.paint.open
        line: list[Fragment] = []
        if not is_inside:
            for corner, _, edge in lattice.rules[row]:
                line += [(joint.text, ground + joint.style(self.paint)) for joint in (corner, edge) if joint]
            return line
        for joint, at in lattice.squares[row]:
            line.append((joint.text, ground + joint.style(self.paint)))
            if at is not None:
                content = grid[at].content
                style = (
                    self.paint.block if not grid[at].is_open else self.paint.accent + Style(bgcolor=ground.bgcolor)
                )
                line.append((" " if content is None else content.across[:1], style))
        return line

    def _lattice(self, grid: Grid) -> Lattice:
        if self._reckoned is None or self._reckoned[0] is not grid:
            self._reckoned = grid, lattice_of(grid, 1, is_numbered=False)
        return self._reckoned[1]

    def _wide(self, grid: Grid, at: Position) -> Fragment:
        square = grid[at]
        light, dark = self._colours
        if square.kind is not Kind.OPEN:
            return ("██", self.paint.text) if dark is None else ("  ", Style(bgcolor=dark))
        letter = "" if square.content is None else square.content.across[:2]
        has_bar, has_bar_below = (Bar(at, at.step(way)) in grid.bars for way in (Direction.ACROSS, Direction.DOWN))
        text = f"{letter or ('·' if light is None else ''):<2}"
        text = f"{text[0]}┃" if has_bar else text
        below = Style(underline=True) if has_bar_below else Style()
        if light is None:
            return text, self.paint.text + below
        style = self.paint.accent if square.content is not None else self.paint.open
        return text, style + Style(bgcolor=light) + below

    def _halves(self, grid: Grid, column: int, upper: int, lower: int) -> Fragment:
        light, dark = self._colours
        squares = [Position(row, column) for row in (upper, lower)]
        if light is None or dark is None:
            are_open = [at in grid and grid[at].is_open for at in squares]
            return _HALVES[are_open[0], are_open[1]], self.paint.text
        above, below = (self._colour(grid, at, light, dark) for at in squares)
        return "▀", Style(color=above, bgcolor=below)

    def _colour(self, grid: Grid, at: Position, light: Color, dark: Color) -> Color | None:
        if at not in grid:
            return self.base.bgcolor
        if not grid[at].is_open:
            return dark
        return self.paint.accent.color if grid[at].content is not None else light

    @property
    def _colours(self) -> tuple[Color | None, Color | None]:
        """Those of open squares and of blocks; None where a terminal has its own alone."""
        light, dark = self.paint.open.bgcolor, self.paint.block.bgcolor
        is_plain = light is None or dark is None or light.is_default or dark.is_default
        return (None, None) if is_plain else (light, dark)
