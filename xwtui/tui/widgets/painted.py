"""Widgets that draw lines of text with the palette: one line, a heading, a panel."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from xwtui.text import printable
from xwtui.tui.fragments import Fragment, TwoEnds, key_hints, line_strip
from xwtui.tui.themes import PLAIN, Palette


class Painted(Widget):
    """A widget that draws with the palette; a new palette draws it anew."""

    paint: reactive[Palette] = reactive(PLAIN)
    """The styles to draw with."""

    _base: Style | None = None

    @property
    def base(self) -> Style:
        """The style of plain text, on the widget's own background; kept, since finding it takes long."""
        if self._base is None:
            self._base = self.rich_style + self.paint.text
        return self._base

    def watch_paint(self) -> None:
        self._base = None

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._base = None


def give_paint(screen: Widget, paint: Palette) -> None:
    """Let everything on a screen draw with a palette."""
    for widget in screen.walk_children(Painted):
        widget.paint = paint


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

    remark: reactive[str] = reactive("")
    sign: reactive[str] = reactive(" ")
    """One cell before the name, such as the one that says where the keyboard is."""

    def __init__(self, name: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._heading = name

    def render_line(self, y: int) -> Strip:
        said = f"{self.sign}{self._heading} "
        remark = f"{printable(self.remark, max(self.size.width - len(said) - 1, 1))} " if self.remark else ""
        rule = "─" * max(self.size.width - len(said) - len(remark), 0)
        fragments = [(said, self.paint.heading), (remark, self.paint.muted), (rule, self.paint.line)]
        return line_strip(fragments, self.size.width, self.base)


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
