"""What our line-drawing widgets share: the palette they draw with."""

from rich.style import Style
from textual.reactive import reactive
from textual.widget import Widget

from xwtui.tui.palette import PLAIN, Palette


class Painted(Widget):
    """A widget that draws with the palette; a new palette draws it anew."""

    paint: reactive[Palette] = reactive(PLAIN)
    """The styles to draw with."""

    @property
    def base(self) -> Style:
        """The style of plain text, on the widget's own background."""
        return self.rich_style + self.paint.text


def give_paint(screen: Widget, paint: Palette) -> None:
    """Let everything on a screen draw with a palette."""
    for widget in screen.walk_children(Painted):
        widget.paint = paint
