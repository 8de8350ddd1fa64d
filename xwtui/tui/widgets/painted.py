"""What our line-drawing widgets share: the palette they draw with."""

from rich.style import Style
from textual.reactive import reactive
from textual.widget import Widget

from xwtui.tui.palette import PLAIN, Palette


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
        """Find the base style anew."""
        self._base = None

    def notify_style_update(self) -> None:
        """Find the base style anew, for the background may be another."""
        super().notify_style_update()
        self._base = None


def give_paint(screen: Widget, paint: Palette) -> None:
    """Let everything on a screen draw with a palette."""
    for widget in screen.walk_children(Painted):
        widget.paint = paint
