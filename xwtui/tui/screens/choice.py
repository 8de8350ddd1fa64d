"""A question with a few answers, over the middle of the screen."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.palette import Palette
from xwtui.tui.widgets.painted import give_paint
from xwtui.tui.widgets.row_list import RowList

_LONGEST_QUESTION = 300


class Choice(NamedTuple):
    """An answer: the letter that picks it, what it says, and a name for the program."""

    key: str
    text: str
    name: str


class ChoiceList(RowList[Choice]):
    """One row an answer, with its letter."""

    def fragments(self, row: Choice, width: int, *, is_current: bool) -> Sequence[Fragment]:
        """What a row shows."""
        return [(f" {row.key.upper()}  ", self.paint.accent), (row.text, self.paint.text)]


class ChoiceScreen(ModalScreen[str | None]):
    """Asks; ends with the name of the answer, or None where Esc left the question open."""

    DEFAULT_CSS = """
    ChoiceScreen { align: center middle; }
    ChoiceScreen > Vertical {
        width: 64; max-width: 90%; height: auto; padding: 1 2;
        background: $surface; border: round $primary 60%;
    }
    ChoiceScreen Static { margin-bottom: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "not now")]

    def __init__(self, question: str, choices: Sequence[Choice], palette: Palette) -> None:
        super().__init__()
        self._question = question
        self._choices = choices
        self._palette = palette

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical():
            yield Static(Content(printable(self._question, _LONGEST_QUESTION)))
            yield ChoiceList(id="choices")

    def on_mount(self) -> None:
        """List the answers; each has a letter."""
        give_paint(self, self._palette)
        rows = self.query_one("#choices", ChoiceList)
        rows.styles.height = len(self._choices)
        rows.show(self._choices)
        rows.focus()
        for choice in self._choices:
            self._bindings.bind(choice.key, f"screen.pick('{choice.name}')", choice.text)

    @on(RowList.Chosen, "#choices")
    def _chosen(self, event: ChoiceList.Chosen) -> None:
        self.dismiss(self._choices[event.index].name)

    def action_pick(self, name: str) -> None:
        """Answer."""
        self.dismiss(name)

    def action_leave(self) -> None:
        """Leave the question open."""
        self.dismiss(None)
