"""Small grids: a preview of one, and several fills or designs next to each other to choose from."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.color import Color
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Grid as Panes
from textual.containers import Vertical
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip

from xwtui.model import Bar, Direction, Grid, Kind, Position
from xwtui.tui.drawings import CompactDrawing, Drawing, Lattice, drawings_for, lattice_of
from xwtui.tui.picture import Picture
from xwtui.tui.square_style import Brush
from xwtui.tui.widgets.painted import Fragment, Line, Painted, line_strip

_NO_BARS = "bars not shown"
"""Shown below half-cell drawings that omit bars."""
_LARGE_LINES = 2
"""Lines of a square that show its rebus in full; taller squares would show fewer grids and no more of each."""
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


class GridPreview(Painted):
    """Draws a grid, or nothing, with two cells or half a cell per square; the half-cell drawing omits bars.

    Given squares are highlighted. A grid with bars has lines between its squares if there is room.
    """

    DEFAULT_CSS = "GridPreview { height: 1fr; width: 1fr; }"

    grid_shown: reactive[Grid | None] = reactive(None)
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
        """Return a row of one-cell squares, or the line above it."""
        if self._reckoned is None or self._reckoned[0] is not grid:
            self._reckoned = grid, lattice_of(grid, 1, is_numbered=False)
        lattice, (row, is_inside) = self._reckoned[1], divmod(y, 2)
        background = self.paint.open
        line: list[Fragment] = []
        if not is_inside:
            for corner, _, edge in lattice.rules[row]:
                line += [(joint.text, background + joint.style(self.paint)) for joint in (corner, edge) if joint]
            return line
        for joint, at in lattice.squares[row]:
            line.append((joint.text, background + joint.style(self.paint)))
            if at is not None:
                content = grid[at].content
                style = (
                    self.paint.block
                    if not grid[at].is_open
                    else self.paint.accent + Style(bgcolor=background.bgcolor)
                )
                line.append((" " if content is None else content.across[:1], style))
        return line

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
        """The colors of open squares and of blocks; None if the terminal's own colors are used."""
        light, dark = self.paint.open.bgcolor, self.paint.block.bgcolor
        is_plain = light is None or dark is None or light.is_default or dark.is_default
        return (None, None) if is_plain else (light, dark)


class SmallGrid(Painted):
    """A filled grid among several; squares that differ from the first fill are highlighted."""

    picture: Picture | None = None
    _drawing: Drawing = CompactDrawing(2)
    _brush: Brush | None = None

    def show(self, picture: Picture, drawing: Drawing) -> None:
        if self.picture != picture or self._drawing != drawing:
            self.picture, self._drawing, self._brush = picture, drawing, None
            self.refresh(layout=True)

    def watch_paint(self) -> None:
        self._brush = None

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self._drawing.size(self.picture.grid).width if self.picture is not None else 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._drawing.size(self.picture.grid).height if self.picture is not None else 0

    def render_line(self, y: int) -> Strip:
        if self.picture is None or y >= self._drawing.size(self.picture.grid).height:
            return Strip.blank(self.size.width, self.base)
        if self._brush is None:
            self._brush = Brush(self.picture, self.paint, self.base)
        return Strip(self._drawing.line(self._brush, y)).adjust_cell_length(self.size.width, self.base)


class Pane(NamedTuple):
    """A picture, and the figures in the line above it."""

    picture: Picture
    caption: str


class GridPane(Vertical):
    """A grid with a line above it."""

    DEFAULT_CSS = """
    GridPane { width: auto; height: auto; padding-left: 2; }
    GridPane Line { width: 100%; }
    GridPane SmallGrid { width: auto; height: auto; }
    """

    def compose(self) -> ComposeResult:
        yield Line()
        yield SmallGrid()

    def show(self, pane: Pane, drawing: Drawing, *, is_current: bool) -> None:
        line = self.query_one(Line)
        self.query_one(SmallGrid).show(pane.picture, drawing)
        line.left = [(pane.caption, line.paint.accent if is_current else line.paint.muted)]
        line.styles.width = max(drawing.size(pane.picture.grid).width, len(pane.caption))


class GridPanes(Panes):
    """Grids of one size, as many next to each other as fit: the current one and those after it."""

    DEFAULT_CSS = "GridPanes { width: 1fr; height: 100%; grid-rows: auto; grid-columns: auto; overflow: hidden; }"

    _GAP = 2

    def __init__(self, most: int, *, is_large: bool = False) -> None:
        """With `is_large`, grids are drawn as large as possible, even if fewer are visible."""
        super().__init__()
        self._most = most
        self._is_large = is_large

    def compose(self) -> ComposeResult:
        for _ in range(self._most):
            yield GridPane()

    @classmethod
    def fits(cls, grid: Grid, room: Size, screen: Size) -> bool:
        """Whether there is room for a grid in any of the drawings."""
        sizes = (drawing.size(grid) for drawing in drawings_for(screen))
        return any(one.width + cls._GAP <= room.width and one.height < room.height for one in sizes)

    def show(self, grids: int, current: int, pane_of: Callable[[int], Pane], room: Size) -> None:
        """Show the grids that fit in `room`, starting with the current one, or the last ones."""
        most = min(self._most, grids)
        drawing, columns, rows = (
            self._arranged(pane_of(0).picture.grid, most, room) if grids else (CompactDrawing(2), 1, 1)
        )
        self.styles.grid_size_columns = columns
        shown = min(columns * rows, most)
        start = max(min(current, grids - shown), 0)
        for place, pane in enumerate(self.query(GridPane)):
            pane.display = place < shown
            if place < shown:
                pane.show(pane_of(start + place), drawing, is_current=start + place == current)

    def _arranged(self, grid: Grid, most: int, room: Size) -> tuple[Drawing, int, int]:
        """Return the largest drawing that shows as many grids as possible, and how many per row and rows."""
        arranged = [
            (drawing, room.width // (size.width + self._GAP), room.height // (size.height + 1))
            for drawing in drawings_for(self.screen.size)
            for size in (drawing.size(grid),)
        ]
        if self._is_large:
            arranged, most = [one for one in arranged if one[0].square_height <= _LARGE_LINES], 1
        else:
            most = min(max(columns * rows for _, columns, rows in arranged), most)
        return next((one for one in arranged if one[1] * one[2] >= max(most, 1)), (arranged[-1][0], 1, 1))
