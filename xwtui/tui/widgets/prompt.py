"""The prompt at the bottom of the screen, and its list of completions."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, getters, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input
from textual.widgets.input import Selection

from xwtui.dataclasses import dataclass
from xwtui.named_tuples import NamedTuple
from xwtui.text import clauses_within, printable
from xwtui.tui.widgets.painted import Fragment, Line
from xwtui.tui.widgets.row_list import RowList

_MOST_SHOWN = 8
_LONGEST_WORD, _LONGEST_DESCRIPTION = 24, 120


class Offer(NamedTuple):
    """A completion: the whole line, the inserted word, and its description."""

    line: str
    word: str
    description: str


class CompletionList(RowList[Offer]):
    """Completions of the current line; `walk` steps through them."""

    DEFAULT_CSS = """
    CompletionList {
        layer: overlay; dock: bottom; display: none;
        margin: 0 0 2 0; width: 100%; height: auto;
        background: $surface; border-top: solid $primary 60%;
    }
    CompletionList.-open { display: block; }
    """

    _word_width = 0

    def offer(self, offers: Sequence[Offer]) -> None:
        self._word_width = min(max((len(offer.word) for offer in offers), default=0), _LONGEST_WORD)
        self.show(offers, -1 if offers else 0)
        self.set_class(bool(offers), "-open")
        self.styles.height = min(len(offers), _MOST_SHOWN) + 1
        self.top = 0

    def walk(self, step: int) -> Offer | None:
        if not self.rows:
            return None
        self.current = (
            (self.current + step) % len(self.rows) if self.current >= 0 or step > 0 else len(self.rows) - 1
        )
        self.reveal()
        return self.pointed

    def fragments(self, row: Offer, width: int, *, is_current: bool) -> Sequence[Fragment]:
        style, room = self.paint.accent if is_current else self.paint.text, self._word_width
        description = printable(clauses_within(row.description, width - room - 3), _LONGEST_DESCRIPTION)
        return [(f" {printable(row.word, room):<{room}}  ", style), (description, self.paint.muted)]


Suggest = Callable[[str], str | None]
"""Completes a whole line, or returns None."""


class _Suggester(Suggester):
    def __init__(self, suggest: Suggest) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._suggest = suggest

    async def get_suggestion(self, value: str) -> str | None:
        return self._suggest(value)


class LineField(Input):
    """A field in which Ctrl+U deletes everything typed after `stays`, then that as well."""

    stays = ""

    def action_delete_left_all(self) -> None:
        is_longer = self.value.startswith(self.stays) and len(self.value) > len(self.stays)
        self.value = self.stays if is_longer else ""
        self.cursor_position = len(self.value)


class PromptInput(LineField):
    """The prompt's field; its keys for history and completion go to the prompt."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "do it", key_display="Enter"),
        Binding("escape,ctrl+c", "press('cancel')", "cancel", key_display="Esc"),
        Binding("ctrl+e", "end_of_typed", show=False),
        Binding("up", "press('earlier')", "earlier line", show=False),
        Binding("down", "press('later')", "later line", show=False),
        Binding("tab", "press('complete')", "complete", key_display="Tab"),
        Binding("shift+tab", "press('uncomplete')", "previous completion", show=False),
    ]

    @dataclass
    class Pressed(Message):
        """One of the keys above was pressed."""

        what: str

    def action_press(self, what: str) -> None:
        self.post_message(self.Pressed(what))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable completion only for lines of verbs, not for a rebus or a name."""
        return self.suggester is not None or parameters not in (("complete",), ("uncomplete",))

    def on_key(self, event: events.Key) -> None:
        if event.key in ("tab", "shift+tab") and self.suggester is None:
            event.stop()  # a key without a completion has no other meaning here

    def action_end_of_typed(self) -> None:
        """Go to the end; if typing would replace a selection, the key keeps its other meaning."""
        if not self.selection.is_empty:
            raise SkipAction
        self.action_end()

    def on_hide(self, event: events.Hide) -> None:
        """Keep the focus if the prompt was reopened before it was drawn closed."""
        if self.has_focus:
            event.prevent_default()


class Prompt(Horizontal):
    """Asks for one line of text; `mode` is its purpose."""

    DEFAULT_CSS = """
    Prompt { height: 1; display: none; background: $surface; }
    Prompt.-open { display: block; }
    Prompt Line { width: auto; background: $surface; }
    Prompt Input { width: 1fr; height: 1; border: none; padding: 0; background: $surface; }
    Prompt Input:focus { border: none; background-tint: $foreground 0%; }
    """

    @dataclass
    class OfLine(Message):
        """Base class of messages about the line."""

        mode: str
        text: str

    class Changed(OfLine):
        """The text changed."""

    class Done(OfLine):
        """A line was entered."""

    class Cancelled(OfLine):
        """The prompt was canceled, with the typed text if any."""

    @dataclass
    class CompletionRequested(Message):
        """Tab (1) or Shift+Tab (-1) was pressed."""

        mode: str
        step: int

    field = getters.query_one(PromptInput)

    def __init__(self, suggest: Suggest, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.mode = ""
        """The purpose of the prompt; empty while it is closed."""
        self._suggester = _Suggester(suggest)
        self._history: list[str] = []
        self._recalled = 0
        self._proposed = ""
        """The prompt's initial text."""
        self._last = ""
        self._before: list[str] = []
        """Earlier versions of the line, for undo; the latest is last."""

    def compose(self) -> ComposeResult:
        yield Line(id="prompt-label")
        yield PromptInput(select_on_focus=False, id="prompt-input")

    def ask(self, mode: str, label: str, text: str = "", *, suggests: bool = False, replaceable: str = "") -> None:
        """Open the prompt with an initial text; typing replaces the `replaceable` part at its end."""
        self.mode = mode
        self._proposed = self._last = text
        self._before.clear()
        self.field.stays = text.removesuffix(replaceable)
        line = self.query_one("#prompt-label", Line)
        line.left = [(label, line.paint.accent)]
        line.styles.width = len(label)
        self.field.suggester = self._suggester if suggests else None
        self._recalled = len(self._history)
        self.add_class("-open")
        self.field.value = text
        self.field.selection = Selection(len(text) - len(replaceable), len(text))
        self.field.refresh_bindings()
        self.screen.set_focus(self.field)  # at once, as the next keys may already be waiting

    @property
    def unentered(self) -> str:
        text = self.field.value.strip()
        return text if self.mode and text != self._proposed.strip() else ""

    def close(self) -> None:
        self.mode = ""
        self.remove_class("-open")
        self.field.value = ""

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.mode:
            if self.field.value != self._last:
                self._before.append(self._last)
                self._last = self.field.value
            self.post_message(self.Changed(self.mode, self.field.value))

    def undo(self) -> None:
        """Undo the last change of the line."""
        if self._before:
            self._last = self._before.pop()
            self.put(self._last)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        mode, text = self.mode, event.value.strip()
        self._remember(mode, text)
        self.close()
        self.post_message(self.Done(mode, text))

    @on(PromptInput.Pressed)
    def _pressed(self, event: PromptInput.Pressed) -> None:
        event.stop()
        match event.what:
            case "cancel":
                mode, typed = self.mode, self.unentered
                self._remember(mode, typed)
                self.close()
                self.post_message(self.Cancelled(mode, typed))
            case "complete" | "uncomplete":
                self.post_message(self.CompletionRequested(self.mode, 1 if event.what == "complete" else -1))
            case _:
                self._recall(-1 if event.what == "earlier" else 1)

    def _remember(self, mode: str, text: str) -> None:
        """Add a line to the history, even one that was not entered, so that it can be continued."""
        if mode == "verb" and text and self._history[-1:] != [text]:
            self._history.append(text)

    def _recall(self, lines: int) -> None:
        if self.mode != "verb" or not self._history:
            return
        self._recalled = min(max(self._recalled + lines, 0), len(self._history))
        self.put(self._history[self._recalled] if self._recalled < len(self._history) else "")

    def put(self, text: str) -> None:
        self.field.value = text
        self.field.cursor_position = len(text)
