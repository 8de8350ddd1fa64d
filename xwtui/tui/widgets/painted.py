"""Lines of styled fragments, and widgets that draw them with the palette: line, heading, panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, cast

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.events import Key
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from xwtui.errors import XwtuiError
from xwtui.text import printable
from xwtui.tui.keys import no_key_words
from xwtui.tui.themes import PLAIN, ColourTheme, Palette

Fragment = tuple[str, Style]
"""A piece of text with its style; text from users and files must already be `printable`."""

_CUT = "…"


class TwoEnds(NamedTuple):
    """The fragments at the left and right ends of a line."""

    left: Sequence[Fragment] = ()
    right: Sequence[Fragment] = ()
    spare: Sequence[Fragment] = ()
    """The fragments of both that a narrow line drops whole, first one first. They are compared by value, since a
    widget keeps an equal earlier one."""

    @property
    def width(self) -> int:
        return sum(cell_len(text) for text, _ in (*self.left, *self.right))

    def within(self, width: int) -> TwoEnds:
        """Return the line without as many spare fragments as needed to fit a width."""
        left, right = list(self.left), list(self.right)
        for piece in self.spare:
            if sum(cell_len(text) for text, _ in (*left, *right)) <= width:
                break
            left = [fragment for fragment in left if fragment != piece]
            right = [fragment for fragment in right if fragment != piece]
        return TwoEnds(left, right)


def line_strip(fragments: Iterable[Fragment], width: int, base: Style, right: Iterable[Fragment] = ()) -> Strip:
    """Lay out fragments as one line of `width` cells, with those of `right` at its right end.

    Each style is laid over `base`. If there is no room for both with a gap between them, the left ones are cut.
    """
    tail = [Segment(text, base + style) for text, style in right]
    tail_width = sum(cell_len(segment.text) for segment in tail)
    if tail_width > width:
        return Strip(tail, tail_width).crop(0, width)
    head = list(fragments)
    room = width - tail_width
    head_text, tail_text = "".join(text for text, _ in head), "".join(segment.text for segment in tail)
    is_full = cell_len(head_text) == room and " " not in head_text[-1:] + tail_text[:1]
    if tail and room > 0 and (is_full or cell_len(head_text) > room):
        tail.insert(0, Segment(" ", base))
        room -= 1
    return Strip([*_fitted(head, room, base), *tail], width)


def _fitted(fragments: Iterable[Fragment], room: int, base: Style) -> list[Segment]:
    """Return the fragments in exactly `room` cells, cut with an ellipsis or padded."""
    segments: list[Segment] = []
    for text, style in fragments:
        cells = cell_len(text)
        if cells > room:
            if room > 0:
                segments.append(Segment(set_cell_size(text, room - 1) + _CUT, base + style))
            return segments
        room -= cells
        segments.append(Segment(text, base + style))
    segments.append(Segment(" " * room, base))
    return segments


def key_hints(keys: Iterable[tuple[str, str]], paint: Palette, *, gap: int = 1, lead: str = " ") -> list[Fragment]:
    """Return keys with their descriptions, two fragments per key, and `gap` cells after each one."""
    return [
        fragment
        for number, (key, description) in enumerate(keys)
        for fragment in (
            (f"{' ' if number else lead}{key}", paint.accent),
            (f" {description}{' ' * gap}", paint.muted),
        )
    ]


_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


def spinner(tick: int) -> str:
    """Return the spinner's character at a tick."""
    return _SPINNER[tick % len(_SPINNER)]


_LEVELS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[int], width: int) -> str:
    """Return the last `width` values as bars, scaled to the highest of them; shorter if there are fewer."""
    shown = values[-width:] if width > 0 else ()
    highest = max(shown, default=0)
    if highest <= 0:
        return _LEVELS[0] * len(shown)
    return "".join(_LEVELS[max(value, 0) * (len(_LEVELS) - 1) // highest] for value in shown)


def palette_of(widget: Widget) -> Palette:
    """Return the styles of the app's theme, or plain ones in other apps."""
    theme: ColourTheme | None = getattr(widget.app, "colour_theme", None)
    return PLAIN if theme is None else theme.palette


class Painted(Widget):
    """A widget that draws with the palette, and redraws when the palette changes."""

    paint: reactive[Palette] = reactive(PLAIN)

    @property
    def base(self) -> Style:
        """The style of plain text on the widget's own background, which Textual caches."""
        return self.visual_style.rich_style + self.paint.text

    def on_mount(self) -> None:
        self.paint = palette_of(self)


class Line(Painted):
    """One line of fragments, at its left and right ends."""

    DEFAULT_CSS = "Line { height: 1; }"

    left: reactive[Sequence[Fragment]] = reactive(())
    right: reactive[Sequence[Fragment]] = reactive(())
    spare: reactive[Sequence[Fragment]] = reactive(())

    def render_line(self, y: int) -> Strip:
        left, right, _ = TwoEnds(self.left, self.right, self.spare).within(self.size.width)
        return line_strip(left, self.size.width, self.base, right)

    @property
    def plain(self) -> str:
        return "".join(text for text, _ in (*self.left, *self.right))


class Heading(Painted):
    """A panel's name with a remark, and a rule to the end of the line."""

    DEFAULT_CSS = "Heading { height: 1; }"

    heading: reactive[str] = reactive("")
    remark: reactive[str] = reactive("")
    columns: reactive[str] = reactive("")
    """Column headings, right-aligned; omitted if there is no room."""
    brief: reactive[str] = reactive("")
    """A shorter remark, used if it makes room for the column headings."""

    def __init__(self, name: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.heading = name

    @property
    def room(self) -> int:
        return max(self.size.width - len(f" {self.heading} ") - 1, 1)

    def render_line(self, y: int) -> Strip:
        heading = f" {self.heading} "
        room = self.room - len(self.columns)
        columns = self.columns if len(self.brief or self.remark) <= room else ""
        remark = self.remark if len(self.remark) <= room or not columns else self.brief
        remark = f"{printable(remark, self.room)} " if remark else ""
        rule = "─" * max(self.size.width - len(heading) - len(remark) - len(columns), 0)
        fragments = [(heading, self.paint.heading), (remark, self.paint.muted), (rule, self.paint.line)]
        return line_strip([*fragments, (columns, self.paint.muted)], self.size.width, self.base)


class KeyLine(Painted):
    """Keys with their descriptions, as many as fit."""

    DEFAULT_CSS = "KeyLine { height: 1; }"

    keys: reactive[Sequence[tuple[str, str]]] = reactive(())
    """Each key and its description, most important first."""

    def __init__(self, *, id: str | None = None, gap: int = 1) -> None:
        """`gap` is the number of cells after each description."""
        super().__init__(id=id)
        self._gap = gap

    def render_line(self, y: int) -> Strip:
        width, shown = self.size.width, tuple(self.keys)
        while shown and sum(cell_len(text) for text, _ in self._hints(shown)) > width:
            shown = shown[:-1]
        return line_strip(self._hints(shown), width, self.base)

    def _hints(self, keys: Sequence[tuple[str, str]]) -> list[Fragment]:
        return key_hints(keys, self.paint, gap=self._gap)


class TextPanel(Painted):
    """Draws lines of fragments from the top."""

    lines: reactive[Sequence[Sequence[Fragment]]] = reactive(())

    def render_line(self, y: int) -> Strip:
        fragments = self.lines[y] if y < len(self.lines) else ()
        return line_strip(fragments, self.size.width, self.base)

    @property
    def plain(self) -> str:
        return "\n".join("".join(text for text, _ in line) for line in self.lines)


class InPalette:
    """Mixin for screens that use the app's palette, and show messages in their line `message-line`."""

    _of_key = ""
    """The last message about a key that does nothing."""

    def _attempt(self, action: Callable[[], object]) -> bool:
        """Run an action that may be refused; on an error, show it and return False."""
        try:
            action()
        except XwtuiError as error:
            self._show_message(str(error))
            return False
        return True

    @property
    def _palette(self) -> Palette:
        return palette_of(cast(Widget, self))

    def _show_message(self, text: str) -> None:
        self._message_line.left = [(f" {printable(text, 200)}", self._palette.warning)]

    @property
    def _message_line(self) -> Line:
        return cast(Widget, self).query_one("#message-line", Line)

    def _explain_key(self, event: Key) -> None:
        """Say that a key does nothing here, until the next key."""
        event.stop()
        self._show_message(no_key_words(event, "Esc goes back to the grid"))
        self._of_key = self._message_line.plain

    def _forget_key(self) -> None:
        """Clear the message about a key that does nothing, if it is still shown."""
        if self._of_key and self._message_line.plain == self._of_key:
            self._message_line.left = ()
        self._of_key = ""
