"""What is chosen from a list: the list beside what it is about, the pointed row in full below, and the keys."""

from collections.abc import Collection
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from xwtui.model import Position
from xwtui.tui.picture import Picture
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, KeyLine

LINES_AROUND = 4
"""Lines that are not the list's: heading, the pointed row in full, keys."""
_MOST_LINES = 4
_PANEL_WIDTH = 32
"""Cells beside the grid, before that takes any more."""


class ListAndDetail(Vertical):
    """Fills a screen; what stands `beside` one another is a list, and perhaps the grid that this is about."""

    DEFAULT_CSS = """
    ListAndDetail { width: 100%; height: 100%; background: $background; }
    ListAndDetail > Horizontal { height: 1fr; }
    ListAndDetail > Static { height: 2; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "app.help", show=False),
        Binding("colon", "app.command_line", show=False),
    ]

    def __init__(self, name: str, *beside: Widget) -> None:
        super().__init__()
        self.heading, self._keys, self._detail = Heading(name), KeyLine(gap=1), Static(markup=False)
        self._beside = beside
        self._told: tuple[Fragment, ...] = ()
        self._lines = 2

    def compose(self) -> ComposeResult:
        yield self.heading
        yield Horizontal(*self._beside)
        yield self._detail
        yield self._keys

    def on_mount(self) -> None:
        for grid in self.query(GridView):
            grid.can_focus = False

    def show_keys(self, *keys: tuple[str, str]) -> None:
        """Show keys with what they do, those that matter most first."""
        self._keys.keys = keys

    def tell(self, *fragments: Fragment) -> None:
        """Show the pointed row in full, or as much of it as has room."""
        self._told, width = fragments, max(self.screen.size.width - 2, 1)
        lines = Text.assemble(*fragments).wrap(self.app.console, width)[: self._lines + 1]
        if len(lines) > self._lines:
            lines[-2].truncate(width - 1)
            lines[-2].append("…")
        self._detail.update(Text("\n").join(lines[: self._lines]), layout=False)

    @property
    def grid(self) -> GridView:
        return self.query_one(GridView)

    def draw(self, picture: Picture, marked: Collection[Position]) -> None:
        """Draw the grid, with what is marked there in view."""
        before, self.grid.picture = self.grid.picture, picture
        if before is None or (before.grid.height, before.grid.width) != (picture.grid.height, picture.grid.width):
            self.fit()
        self.grid.reveal(marked)

    def fit(self) -> Size:
        """Let the grid take what the list can spare, and the pointed row what is left below; returns its cells."""
        size = self.screen.size
        taken = self.grid.fit(size.width - _PANEL_WIDTH - 1, size.height - LINES_AROUND)
        self._detail.styles.height = self._lines = max(2, min(size.height - taken.height - 2, _MOST_LINES))
        self.tell(*self._told)
        return taken
