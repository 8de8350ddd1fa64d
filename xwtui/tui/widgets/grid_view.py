"""The grid: one widget that redraws only changed rows."""

from collections.abc import Collection

from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from xwtui.dataclasses import dataclass
from xwtui.model import Position
from xwtui.tui.drawings import CompactDrawing, Drawing, largest_drawing
from xwtui.tui.picture import Picture
from xwtui.tui.square_style import Brush
from xwtui.tui.widgets.painted import Painted
from xwtui.tui.widgets.row_list import RIGHT_BUTTON

_SMALL, _LARGE = CompactDrawing(2), CompactDrawing(3)


class GridView(ScrollView, Painted, can_focus=True, inherit_bindings=False):
    """Draws a `Picture`, keeps the cursor in view, and reports clicks on squares."""

    DEFAULT_CSS = """
    GridView {
        border: round $panel;
        overflow: auto auto;
        scrollbar-size: 1 1;
    }
    GridView:focus { border: round $primary 60%; }
    GridView.-frameless, GridView.-frameless:focus { border: none; }
    """

    picture: reactive[Picture | None] = reactive(None, repaint=False)

    ALLOW_SELECT = False

    @dataclass
    class SquareClicked(Message):
        """A square was clicked with the mouse."""

        position: Position

    @dataclass
    class Dragged(Message):
        """The mouse was dragged from one square to another."""

        first: Position
        last: Position

    @dataclass
    class SquareMenuRequested(Message):
        """A square was right-clicked, at a screen offset."""

        position: Position
        at: Offset

    @dataclass
    class Pasted(Message):
        """Text was pasted."""

        text: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._drag_first: Position | None = None
        self._drag_last: Position | None = None
        self._drawing: Drawing = _LARGE
        self._brush: Brush | None = None
        self._drawn: dict[int, Strip] = {}
        self.lines_drawn = 0
        """Total number of lines drawn; tests use it to check that only changes are redrawn."""

    def fit(self, width: int, height: int, *, is_framed: bool = True) -> Size:
        """Use the largest drawing that fits, or the most compact one with scrolling; returns its size."""
        if self.picture is None:
            return Size(0, 0)
        grid = self.picture.grid
        drawing = largest_drawing(grid, width, height, self.app.size, is_framed=is_framed)
        if drawing is None:  # it scrolls; three cells per square if the width allows it
            drawing = _LARGE if grid.width * 3 + _LARGE.frame + 1 <= width else _SMALL
        self._drawing = drawing
        size, frame = self._drawing.size(grid), self._drawing.frame if is_framed else 0
        self.set_class(frame == 0, "-frameless")
        self.virtual_size = size
        bar_right = int(size.height + frame > height)
        bar_below = int(size.width + frame + bar_right > width)
        taken = Size(min(size.width + frame + bar_right, width), min(size.height + frame + bar_below, height))
        self.styles.width, self.styles.height = taken
        self._redraw()
        self.call_after_refresh(self._follow_cursor)
        return taken

    @property
    def is_large(self) -> bool:
        """Whether squares have room for more than their letters."""
        return self._drawing.square_height > 1

    def watch_picture(self, before: Picture | None, picture: Picture | None) -> None:
        if picture is None:
            return
        changed = None if before is None else picture.changed_squares(before)
        if changed is None or self._brush is None:
            self._redraw()
        else:
            self._brush.update(picture, changed)
            for row in {position.row for position in changed}:
                region = self._drawing.region(Position(row, 0))
                for y in range(region.y, region.bottom):
                    self._drawn.pop(y, None)
                self.refresh_lines(region.y, region.height)
        if before is None or before.cursor != picture.cursor:
            self._follow_cursor()

    def watch_paint(self) -> None:
        self._redraw()

    def _redraw(self) -> None:
        self._drawn.clear()
        self._brush = None
        self.refresh()

    def _follow_cursor(self) -> None:
        if self.picture is not None and self.picture.cursor in self.picture.grid:
            self.reveal([self.picture.cursor])

    def reveal(self, squares: Collection[Position]) -> None:
        """Scroll these squares into view, as far as there is room."""
        if squares:
            region = Region.from_union([self._drawing.region(at) for at in squares])
            self.scroll_to_region(region, animate=False, immediate=True, origin_visible=False)

    def cursor_region(self) -> Region:
        """Return the screen region of the current square."""
        if self.picture is None:
            return Region()
        inside = self._drawing.region(self.picture.cursor)
        return inside.translate(self.content_region.offset - self.scroll_offset)

    def render_line(self, y: int) -> Strip:
        scroll_x, scroll_y = self.scroll_offset
        line = y + scroll_y
        if line not in self._drawn:
            self._drawn[line] = self._draw(line)
        return self._drawn[line].crop_extend(scroll_x, scroll_x + self.size.width, self.paint.void)

    def _draw(self, line: int) -> Strip:
        self.lines_drawn += 1
        if self.picture is None or line >= self.virtual_size.height:
            return Strip.blank(self.virtual_size.width, self.paint.void)
        if self._brush is None:
            self._brush = Brush(self.picture, self.paint, self.paint.open)
        return Strip(self._drawing.line(self._brush, line), self.virtual_size.width)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isalnum()

    async def on_key(self, event: events.Key) -> None:
        """Handle a key before other parts see it."""
        if event.character is not None and event.character.isalnum():
            is_done = await self.app.run_action(f"screen.write({event.character!r})")
        elif (active := self.screen.active_bindings.get(event.key)) is not None and active.enabled:
            is_done = await self.app.run_action(active.binding.action, active.node)
        else:
            return
        if is_done:
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.post_message(self.Pasted(event.text))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._drag_first, self._drag_last = self._square_at(event), None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        here = self._square_at(event)
        if event.button != 1 or self._drag_first is None or here is None:
            return
        if here != (self._drag_last or self._drag_first):
            self.capture_mouse()
            self._drag_last = here
            self.post_message(self.Dragged(self._drag_first, here))

    def on_mouse_up(self) -> None:
        self._drag_first = None
        self.release_mouse()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        position = self._square_at(event)
        if position is not None and event.button == RIGHT_BUTTON:
            self.post_message(self.SquareMenuRequested(position, event.screen_offset))
        elif position is not None and self._drag_last is None:
            self.post_message(self.SquareClicked(position))
        self._drag_last = None

    def _square_at(self, event: events.MouseEvent) -> Position | None:
        offset = event.get_content_offset(self)
        if offset is None or self.picture is None:
            return None
        x, y = offset + self.scroll_offset
        return self._drawing.position_at(self.picture.grid, x, y)
