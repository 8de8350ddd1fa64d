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

_LONGEST_LINE = 400
_KEPT = frozenset(("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "tab", "shift+tab"))
"""Keys that stay here: they scroll, or look as if they did."""


class ReplyScreen(ModalScreen[str | None]):
    """Shows what a verb answered; ends with `:` where the constructor wants the next verb at once.

    Keys that scroll stay here. Any other closes it; one that writes nothing is the result, for the
    editor to act on.
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
        Binding("escape,enter,q,space", "close", "close"),
        Binding("colon", "verb", "next verb"),
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
        """A key that means nothing here goes on to the grid: nothing is lost by reading a reply."""
        if event.key not in _KEPT and event.key not in self._bindings.key_to_bindings:
            event.stop()
            self.dismiss(None if event.is_printable else event.key)

    def action_close(self) -> None:
        """Back to the grid."""
        self.dismiss(None)

    def action_verb(self) -> None:
        """To the next verb."""
        self.dismiss(":")
