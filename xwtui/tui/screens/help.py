"""The help screen."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.tui.help_text import help_text
from xwtui.tui.palette import Palette


class HelpScreen(ModalScreen[None]):
    """All keys and verbs, to scroll through."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > VerticalScroll {
        width: 84; max-width: 98%; height: 94%; padding: 1 2;
        background: $surface; border: round $primary 60%; scrollbar-size: 1 1;
        border-title-color: $accent; border-subtitle-color: $foreground 60%;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "close", "close")]

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette

    def compose(self) -> ComposeResult:
        """The text, which scrolls."""
        with VerticalScroll() as box:
            box.border_title = Content(" help ")
            box.border_subtitle = Content(" arrows and pages scroll, Esc closes ")
            yield Static(help_text(self._palette), markup=False)

    def action_close(self) -> None:
        """Back to the grid."""
        self.dismiss(None)
