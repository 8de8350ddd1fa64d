"""One fill among several: its scores, and its grid in small."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip

from xwtui.model import Grid, Position
from xwtui.model.edits import write_fill
from xwtui.model.puzzle import Puzzle
from xwtui.session.jobs.fills.kept_fills import KeptFill, scores_text
from xwtui.tui.drawings import Close
from xwtui.tui.fragments import line_strip
from xwtui.tui.picture import Picture
from xwtui.tui.widgets.line import Line
from xwtui.tui.widgets.painted import Painted

_NOWHERE = Position(-1, -1)
SMALL, LARGE = Close(2), Close(3)
"""Two cells a square where grids are to stand side by side, three where there is room for one alone."""


class SmallGrid(Painted):
    """A grid with a fill; the squares that it has otherwise than the first fill stand out."""

    picture: reactive[Picture | None] = reactive(None)
    drawing: reactive[Close] = reactive(SMALL)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The cells of a line."""
        return self.drawing.size(self.picture.grid).width if self.picture is not None else 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines."""
        return self.picture.grid.height if self.picture is not None else 0

    def render_line(self, y: int) -> Strip:
        """A row of the grid."""
        if self.picture is None or y >= self.picture.grid.height:
            return Strip.blank(self.size.width, self.base)
        return line_strip(self.drawing.line(self.picture, y, self.paint), self.size.width, self.base)


class FillPane(Vertical):
    """A fill with a line above it."""

    DEFAULT_CSS = """
    FillPane { width: auto; height: auto; margin-left: 2; }
    FillPane Line { width: 100%; }
    FillPane SmallGrid { width: auto; height: auto; }
    """

    def compose(self) -> ComposeResult:
        """The line and the grid."""
        yield Line()
        yield SmallGrid()

    def show(
        self, puzzle: Puzzle, number: int, fill: KeptFill, first: KeptFill, drawing: Close, *, is_current: bool
    ) -> None:
        """Show a fill of a puzzle, the current one of the list or one beside it."""
        small, line = self.query_one(SmallGrid), self.query_one(Line)
        unlike = frozenset(at for at, content in fill.squares.items() if first.squares.get(at) != content)
        grid: Grid = write_fill(puzzle, fill.squares).grid
        small.drawing = drawing
        small.picture = Picture(grid, _NOWHERE, better=unlike)
        small.refresh(layout=True)
        style = line.paint.accent if is_current else line.paint.muted
        line.left = [(f"{number}  {scores_text(fill)}", style)]
        line.styles.width = max(drawing.size(grid).width, len(line.plain))
