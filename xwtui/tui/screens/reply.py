"""A reply of several lines, at the foot of the screen until a key is pressed."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.text import printable

_LONGEST_LINE = 400


class ReplyScreen(ModalScreen[str | None]):
    """Shows what a verb answered; ends with `:` where the constructor wants the next verb at once."""

    DEFAULT_CSS = """
    ReplyScreen { align: left bottom; background: $background 35%; }
    ReplyScreen > VerticalScroll {
        height: auto; max-height: 75%; width: 100%;
        background: $surface; border-top: solid $primary 60%; padding: 0 1;
        border-title-color: $accent; border-subtitle-color: $foreground 60%;
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
            box.border_title = Text(f": {printable(self._line, 60)}")
            box.border_subtitle = " Esc closes "
            yield Static(Text("\n".join(printable(line, _LONGEST_LINE) for line in self._lines)), markup=False)

    def action_close(self) -> None:
        """Back to the grid."""
        self.dismiss(None)

    def action_verb(self) -> None:
        """To the next verb."""
        self.dismiss(":")
