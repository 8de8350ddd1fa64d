"""What lies over a screen for a moment: a question with a few answers, a reply of several lines."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.text import printable, wrapped
from xwtui.tui.fragments import Fragment
from xwtui.tui.themes import Palette
from xwtui.tui.typeahead import pass_on
from xwtui.tui.widgets.painted import give_paint
from xwtui.tui.widgets.row_list import RowList

_LONGEST_QUESTION = 300


class ShortAnswer(NamedTuple):
    """An answer: what it says, and a name for the program."""

    text: str
    name: str


class ChoiceList(RowList[ShortAnswer]):
    """One row an answer."""

    def fragments(self, row: ShortAnswer, width: int, *, is_current: bool) -> Sequence[Fragment]:
        return [(" ▸ " if is_current else "   ", self.paint.accent), (row.text, self.paint.text)]


class ChoiceScreen(ModalScreen[str | None]):
    """Asks; ends with the name of the answer, or None where Esc left the question open.

    Arrows and Enter answer, and no letter does: what was typed ahead must not decide. The first answer
    is one that loses nothing.
    """

    DEFAULT_CSS = """
    ChoiceScreen { align: center middle; }
    ChoiceScreen > Vertical {
        width: 64; max-width: 90%; height: auto; padding: 1 2;
        background: $surface; border: round $primary 60%;
    }
    ChoiceScreen Static { margin-bottom: 1; }
    ChoiceScreen #keys { margin: 1 0 0 0; color: $foreground 60%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "not now")]

    def __init__(self, question: str, choices: Sequence[ShortAnswer], palette: Palette) -> None:
        super().__init__()
        self._question = question
        self._choices = choices
        self._palette = palette

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content(printable(self._question, _LONGEST_QUESTION)))
            yield ChoiceList(id="choices")
            yield Static(Content("↑ ↓ Enter   Esc: not now"), id="keys")

    def on_mount(self) -> None:
        give_paint(self, self._palette)
        rows = self.query_one("#choices", ChoiceList)
        rows.styles.height = len(self._choices)
        rows.show(self._choices)
        rows.focus()

    @on(RowList.Chosen, "#choices")
    def _chosen(self, event: ChoiceList.Chosen) -> None:
        self.dismiss(self._choices[event.index].name)

    def action_leave(self) -> None:
        self.dismiss(None)


_LONGEST_LINE = 1_000
_FRAME = 3
"""Columns beside the lines: the padding of their box and its scrollbar."""
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
        with VerticalScroll() as box:
            box.border_title = Text.assemble(f": {printable(self._line, 60)} ", ("  Esc closes", "dim"))
            yield Static(self._text(), markup=False)

    def _text(self) -> Text:
        """The lines, cut between words where they are too long."""
        width = self.app.size.width - _FRAME
        return Text(
            "\n".join(piece for line in self._lines for piece in wrapped(printable(line, _LONGEST_LINE), width))
        )

    def on_resize(self) -> None:
        self.query_one(Static).update(self._text())

    def on_key(self, event: Key) -> None:
        if event.key not in _KEPT and event.key not in ("escape", "enter"):
            event.stop()
            pass_on(self.app, event)
            self.dismiss(None)

    def action_close(self) -> None:
        self.dismiss(None)
