"""A reply of several lines, at the foot of the screen until a key is pressed."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.text import printable
from xwtui.tui.typeahead import pass_on

_LONGEST_LINE = 400
_KEPT = frozenset(("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "tab", "shift+tab"))
"""Keys that stay here: they scroll, or look as if they did."""


class ReplyScreen(ModalScreen[None]):
    """Shows what a verb answered.

    Keys that scroll stay here. Any other closes it and does what it does on the screen below: one
    goes on typing while one reads, and no key is lost.
    """

    DEFAULT_CSS = """
    ReplyScreen { align: left bottom; background: $background 35%; }
    ReplyScreen > VerticalScroll {
        height: auto; max-height: 75%; width: 100%;
        background: $surface; border-top: solid $primary 60%; padding: 0 1;
        border-title-color: $accent;
        scrollbar-size: 1 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "close", "close"),
    ]

    def __init__(self, line: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._line = line
        self._lines = lines

    def compose(self) -> ComposeResult:
        """The lines, which scroll."""
        with VerticalScroll() as box:
            box.border_title = Text.assemble(f": {printable(self._line, 60)} ", ("  Esc closes", "dim"))
            yield Static(Text("\n".join(printable(line, _LONGEST_LINE) for line in self._lines)), markup=False)

    def on_key(self, event: Key) -> None:
        """Pass a key that means nothing here on to the screen below."""
        if event.key not in _KEPT and event.key not in ("escape", "enter"):
            event.stop()
            pass_on(self.app, event)
            self.dismiss(None)

    def action_close(self) -> None:
        """Back to the grid."""
        self.dismiss(None)
