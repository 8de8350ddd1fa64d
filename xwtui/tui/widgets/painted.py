"""Lines of styled pieces of text, and widgets that draw them with the palette: one line, a heading, a panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, cast

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from xwtui.errors import XwtuiError
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable
from xwtui.tui.themes import PLAIN, ColourTheme, Palette

Fragment = tuple[str, Style]
"""A piece of text with its style; text of users and files is made `printable` before it gets here."""

_CUT = "…"


class TwoEnds(NamedTuple):
    """What stands at the left and at the right end of a line."""

    left: Sequence[Fragment] = ()
    right: Sequence[Fragment] = ()
    spare: Sequence[Fragment] = ()
    """Those of both that a narrow line leaves out whole, the first one first; told by what they are, for a widget
    keeps an equal one that it had before."""

    @property
    def width(self) -> int:
        return sum(cell_len(text) for text, _ in (*self.left, *self.right))

    def within(self, width: int) -> TwoEnds:
        """The same without as many of the spare ones as it takes to fit into so many cells."""
        left, right = list(self.left), list(self.right)
        for piece in self.spare:
            if sum(cell_len(text) for text, _ in (*left, *right)) <= width:
                break
            left = [fragment for fragment in left if fragment != piece]
            right = [fragment for fragment in right if fragment != piece]
        return TwoEnds(left, right)


def line_strip(fragments: Iterable[Fragment], width: int, base: Style, right: Iterable[Fragment] = ()) -> Strip:
    """Lay fragments out as one line of `width` cells, with those of `right` at its right end.

    Each style is laid over `base`. Where there is no room for both and a gap between them, the left ones are cut.
    """
    tail = [Segment(text, base + style) for text, style in right]
    tail_width = sum(cell_len(segment.text) for segment in tail)
    if tail_width > width:
        return Strip(tail, tail_width).crop(0, width)
    head = list(fragments)
    room = width - tail_width
    said, told = "".join(text for text, _ in head), "".join(segment.text for segment in tail)
    is_full = cell_len(said) == room and " " not in said[-1:] + told[:1]
    if tail and room > 0 and (is_full or cell_len(said) > room):
        tail.insert(0, Segment(" ", base))
        room -= 1
    return Strip([*_fitted(head, room, base), *tail], width)


def _fitted(fragments: Iterable[Fragment], room: int, base: Style) -> list[Segment]:
    """The fragments in exactly `room` cells: cut with an ellipsis, or filled up."""
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
    """Keys, each with what it does and so many cells after it, two fragments a key; the first one after `lead`."""
    return [
        fragment
        for number, (key, said) in enumerate(keys)
        for fragment in ((f"{' ' if number else lead}{key}", paint.accent), (f" {said}{' ' * gap}", paint.muted))
    ]


_LEVELS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[int], width: int) -> str:
    """The last `width` values as bars, scaled to the highest of them; shorter where there are fewer."""
    shown = values[-width:] if width > 0 else ()
    highest = max(shown, default=0)
    if highest <= 0:
        return _LEVELS[0] * len(shown)
    return "".join(_LEVELS[max(value, 0) * (len(_LEVELS) - 1) // highest] for value in shown)


class _Dressed(Protocol):
    """The program, which wears a theme."""

    look: ColourTheme


def palette_of(widget: Widget) -> Palette:
    """The styles of the theme that the program wears; plain ones in any other."""
    return cast(_Dressed, widget.app).look.palette if hasattr(widget.app, "look") else PLAIN


class Painted(Widget):
    """A widget that draws with the palette; a new palette draws it anew."""

    paint: reactive[Palette] = reactive(PLAIN)

    _base: Style | None = None

    @property
    def base(self) -> Style:
        """The style of plain text, on the widget's own background; kept, since finding it takes long."""
        if self._base is None:
            self._base = self.rich_style + self.paint.text
        return self._base

    def on_mount(self) -> None:
        self.paint = palette_of(self)

    def watch_paint(self) -> None:
        self._base = None

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._base = None


class Line(Painted):
    """One line of fragments, some at its left and some at its right end."""

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
    """The names of columns below, which end where the line does; left out where there is no room for them."""
    brief: reactive[str] = reactive("")
    """The remark in fewer cells, where that makes room for the names of columns."""

    def __init__(self, name: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.heading = name

    @property
    def room(self) -> int:
        return max(self.size.width - len(f" {self.heading} ") - 1, 1)

    def render_line(self, y: int) -> Strip:
        said = f" {self.heading} "
        room = self.room - len(self.columns)
        columns = self.columns if len(self.brief or self.remark) <= room else ""
        remark = self.remark if len(self.remark) <= room or not columns else self.brief
        remark = f"{printable(remark, self.room)} " if remark else ""
        rule = "─" * max(self.size.width - len(said) - len(remark) - len(columns), 0)
        fragments = [(said, self.paint.heading), (remark, self.paint.muted), (rule, self.paint.line)]
        return line_strip([*fragments, (columns, self.paint.muted)], self.size.width, self.base)


class KeyLine(Painted):
    """Keys with what they do: as many as there is room for, each whole."""

    DEFAULT_CSS = "KeyLine { height: 1; }"

    keys: reactive[Sequence[tuple[str, str]]] = reactive(())
    """Each key and what it does, those that matter most first."""

    def __init__(self, *, id: str | None = None, gap: int = 1) -> None:
        """So many cells are between what a key does and the next one."""
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
    """A screen that writes in the program's palette, and says one thing at a time in its line `said`."""

    def _attempt(self, action: Callable[[], object]) -> bool:
        """Do something that may be refused; a refusal is said, and False returned."""
        try:
            action()
        except XwtuiError as error:
            self._say(str(error))
            return False
        return True

    @property
    def _palette(self) -> Palette:
        return palette_of(cast(Widget, self))

    def _say(self, text: str) -> None:
        cast(Widget, self).query_one("#said", Line).left = [(f" {printable(text, 200)}", self._palette.warning)]
