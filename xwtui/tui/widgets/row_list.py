"""A list of rows of any length: it draws the rows in view, and keeps its place when rows change.

It scrolls by itself: Textual's scrolling would lay out the whole screen again whenever the number of rows changes,
which for candidates is at every step of the cursor.
"""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from xwtui.dataclasses import dataclass
from xwtui.tui.themes import legible
from xwtui.tui.widgets.painted import Fragment, Painted, line_strip

RowT = TypeVar("RowT")

_WHEEL_ROWS = 3
RIGHT_BUTTON = 3
"""The right mouse button in Textual's numbering."""


class RowList(Painted, Generic[RowT], can_focus=True):
    """Rows of one line each, one of them current."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "point(-1)", "row up", show=False),
        Binding("down", "point(1)", "row down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "edge(-1)", "first row", show=False),
        Binding("end", "edge(1)", "last row", show=False),
        Binding("enter", "choose", "choose", show=False),
    ]

    ALLOW_SELECT = False

    current: reactive[int] = reactive(0)
    """The index of the current row; -1 for none."""

    top: reactive[int] = reactive(0)
    """The index of the row in the first line."""

    pinned: reactive[int] = reactive(0)
    """How many rows at the start stay in place while the rest scroll."""

    remark: reactive[str] = reactive("")
    """Shown if there are no rows."""

    @dataclass
    class OfRow(Message):
        """Base class of messages about a row, which is now the current one."""

        rows: "RowList[object]"
        index: int

        @property
        def control(self) -> "RowList[object]":
            return self.rows

    class Pointed(OfRow):
        """The current row was changed with a key or a click."""

    class Chosen(OfRow):
        """A row was chosen, with Enter or a double click."""

    @dataclass
    class MenuRequested(OfRow):
        """A row was right-clicked, at a screen offset."""

        at: Offset

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: Sequence[RowT] = ()

    @property
    def rows(self) -> Sequence[RowT]:
        return self._rows

    @property
    def pointed(self) -> RowT | None:
        """The current row, or None."""
        return self._rows[self.current] if 0 <= self.current < len(self._rows) else None

    def show(self, rows: Sequence[RowT], current: int | None = None, *, follow: bool = True) -> None:
        """Show new rows, without scrolling; with `follow`, a new current row is scrolled into view."""
        self._rows = rows
        moved = current is not None and current != self.current
        self.current = min(self.current if current is None else current, max(len(rows) - 1, 0))
        self.top = self.top
        if moved and follow:
            self.reveal()
        self.refresh()

    def fragments(self, row: RowT, width: int, *, is_current: bool) -> Sequence[Fragment]:
        raise NotImplementedError

    def empty_text(self) -> str:
        return self.remark

    # Scrolling

    def validate_top(self, top: int) -> int:
        """Limit scrolling so that lines stay filled as long as there are rows."""
        return max(0, min(top, len(self._rows) - self.size.height))

    def reveal(self) -> None:
        """Scroll just far enough to show the current row."""
        if self.current >= self._held:
            last_top = self.current - max(self.size.height, 1) + 1
            self.top = max(min(self.top, self.current - self._held), last_top)

    @property
    def _held(self) -> int:
        """The number of pinned rows, limited to leave room for others."""
        return min(self.pinned, self.size.height // 2)

    def _index_at(self, y: int) -> int:
        """Return the index of the row in a line, possibly past the last row."""
        return y if y < self._held else y + self.top

    def on_resize(self) -> None:
        self.reveal()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.top += _WHEEL_ROWS

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.top -= _WHEEL_ROWS

    # Drawing

    def render_line(self, y: int) -> Strip:
        width = self.size.width - 1
        bar = (self._bar(y),) if width > 0 else ()
        index = self._index_at(y)
        if index >= len(self._rows):
            text = self.empty_text() if not self._rows and index == 0 else ""
            return line_strip([(f" {text}", self.paint.muted)], width + 1, self.base, bar)
        is_current = index == self.current
        fragments = self.fragments(self._rows[index], width, is_current=is_current)
        if not is_current:
            return line_strip(fragments, width + 1, self.base, bar)
        style = self.paint.selected if self.has_focus else self.paint.current
        background = self.base + style
        if self.has_focus or style.reverse:
            fragments = [(text, Style()) for text, _ in fragments]
        else:
            fragments = [(text, legible(background, style)) for text, style in fragments]
        return line_strip(fragments, width + 1, background, bar)

    def _bar(self, y: int) -> Fragment:
        """Return the scroll bar in a line; its thumb shows the share of the rows in view."""
        rows, height = len(self._rows), self.size.height
        if rows <= height:
            return " ", Style()
        thumb = max(height * height // rows, 1)
        start = self.top * (height - thumb) // max(rows - height, 1)
        return "▐" if start <= y < start + thumb else " ", self.paint.line

    # Choosing

    def action_point(self, rows: int) -> None:
        self._point_at(self.current + rows)

    def action_page(self, pages: int) -> None:
        self._point_at(self.current + pages * max(self.size.height - 1, 1))

    def action_edge(self, end: int) -> None:
        self._point_at(0 if end < 0 else len(self._rows) - 1)

    def action_choose(self) -> None:
        if self._rows:
            self.post_message(self.Chosen(self, self.current))  # type: ignore[arg-type]

    def _point_at(self, index: int) -> None:
        if self._rows:
            self.current = min(max(index, 0), len(self._rows) - 1)
            self.reveal()
            self.post_message(self.Pointed(self, self.current))  # type: ignore[arg-type]

    def on_click(self, event: events.Click) -> None:
        event.stop()
        offset = event.get_content_offset(self)
        if offset is None or not self._index_at(offset.y) < len(self._rows):
            return
        self._point_at(self._index_at(offset.y))
        if event.button == RIGHT_BUTTON:
            self.post_message(self.MenuRequested(self, self.current, event.screen_offset))  # type: ignore[arg-type]
        elif event.chain == 2:
            self.action_choose()
