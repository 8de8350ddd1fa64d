"""Lines of text in a panel: those that find no room are left out, and nothing moves."""

from collections.abc import Sequence

from textual.reactive import reactive
from textual.strip import Strip

from xwtui.tui.fragments import Fragment, line_strip
from xwtui.tui.widgets.painted import Painted


class TextPanel(Painted):
    """Draws lines of fragments from the top."""

    lines: reactive[Sequence[Sequence[Fragment]]] = reactive(())

    def render_line(self, y: int) -> Strip:
        """One of the lines."""
        fragments = self.lines[y] if y < len(self.lines) else ()
        return line_strip(fragments, self.size.width, self.base)

    @property
    def plain(self) -> str:
        """The text without its styles."""
        return "\n".join("".join(text for text, _ in line) for line in self.lines)
