"""A question with a few answers, over the middle of the screen."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from xwtui.text import printable


class Choice(NamedTuple):
    """An answer: the letter that picks it, what it says, and a name for the program."""

    key: str
    text: str
    name: str


class ChoiceScreen(ModalScreen[str | None]):
    """Asks; ends with the name of the answer, or None where Esc left the question open."""

    DEFAULT_CSS = """
    ChoiceScreen { align: center middle; }
    ChoiceScreen > Vertical {
        width: 64; max-width: 90%; height: auto; padding: 1 2;
        background: $surface; border: round $primary 60%;
    }
    ChoiceScreen Static { margin-bottom: 1; }
    ChoiceScreen OptionList { height: auto; background: $surface; border: none; padding: 0; }
    ChoiceScreen OptionList:focus { border: none; background-tint: $foreground 0%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "not now")]

    def __init__(self, question: str, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._question = question
        self._choices = choices

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical():
            yield Static(Content(printable(self._question, 300)))
            yield OptionList(
                *(Option(Content(f" {choice.key.upper()}  {choice.text}")) for choice in self._choices)
            )

    def on_mount(self) -> None:
        """Each answer has a letter."""
        for choice in self._choices:
            self._bindings.bind(choice.key, f"screen.pick('{choice.name}')", choice.text)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._choices[event.option_index].name)

    def action_pick(self, name: str) -> None:
        """Answer."""
        self.dismiss(name)

    def action_leave(self) -> None:
        """Leave the question open."""
        self.dismiss(None)
