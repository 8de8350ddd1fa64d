"""A line of text, and the heading of a panel: one line high, never wrapped, never moved."""

from collections.abc import Sequence

from textual.reactive import reactive
from textual.strip import Strip

from xwtui.tui.fragments import Fragment, TwoEnds, line_strip
from xwtui.tui.widgets.painted import Painted


class Line(Painted):
    """One line of fragments, some at its left and some at its right end."""

    DEFAULT_CSS = "Line { height: 1; }"

    left: reactive[Sequence[Fragment]] = reactive(())
    right: reactive[Sequence[Fragment]] = reactive(())
    spare: reactive[Sequence[Fragment]] = reactive(())

    def render_line(self, y: int) -> Strip:
        """The line."""
        left, right, _ = TwoEnds(self.left, self.right, self.spare).within(self.size.width)
        return line_strip(left, self.size.width, self.base, right)

    @property
    def plain(self) -> str:
        """The text without its styles."""
        return "".join(text for text, _ in (*self.left, *self.right))


class Heading(Painted):
    """A panel's name with a remark, and a rule to the end of the line."""

    DEFAULT_CSS = "Heading { height: 1; }"

    remark: reactive[str] = reactive("")

    def __init__(self, name: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._heading = name

    def render_line(self, y: int) -> Strip:
        """The heading."""
        said = f" {self._heading} "
        remark = f"{self.remark} " if self.remark else ""
        rule = "─" * max(self.size.width - len(said) - len(remark), 0)
        fragments = [(said, self.paint.heading), (remark, self.paint.muted), (rule, self.paint.line)]
        return line_strip(fragments, self.size.width, self.base)
