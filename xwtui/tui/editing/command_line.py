"""The line that the constructor types: verbs after a colon, with completions, a rebus, or a file's name."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import events, getters, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.suggester import Suggester
from textual.widgets import Input
from textual.widgets.input import Selection

from xwtui.errors import VerbError
from xwtui.model.square import Content
from xwtui.session.messages import Severity
from xwtui.session.recent import VerbUses
from xwtui.session.verbs.completion import Completion, complete
from xwtui.session.verbs.kinds import file_kind
from xwtui.session.verbs.parsing import find_verb_of
from xwtui.session.verbs.registry import VERBS
from xwtui.text import clauses_within, printable
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.widgets.painted import Fragment, Line
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.typing_lists import LineField

_WHILE_TYPING = ("help", "stop", "what was said")
"""Keys that work while a line is typed, as they do not change the grid."""
_VERB, _REBUS, _NAME = "verb", "rebus", "name"
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


class _Suggester(Suggester):
    def __init__(self, suggest: Callable[[str], str | None]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._suggest = suggest

    async def get_suggestion(self, value: str) -> str | None:
        return self._suggest(value)


class CommandField(LineField):
    """The command line's field; the keys of the line itself are those of `CommandLine`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "do it", key_display="Enter"),
        Binding("ctrl+c", "leave_to_line", show=False),
        Binding("ctrl+e", "end_of_typed", show=False),
    ]

    def action_leave_to_line(self) -> None:
        """Leave a key to the line, rather than to Textual's field."""
        raise SkipAction

    def action_end_of_typed(self) -> None:
        """Go to the end; if typing would replace a selection, the key keeps its other meaning."""
        if not self.selection.is_empty:
            raise SkipAction
        self.action_end()

    def on_hide(self, event: events.Hide) -> None:
        """Keep the focus if the line was reopened before it was drawn closed."""
        if self.has_focus:
            event.prevent_default()


class NameQuestion(NamedTuple):
    """A question for the name of a file."""

    label: str
    take: Callable[[Path], object]
    """Called with the path; raises XwtuiError for an unsuitable name, and the question is asked again."""
    then: Callable[[], object]
    """Called once a name was accepted."""
    left: Callable[[], object]
    """Called if no name is given."""


class CommandLine(Horizontal):
    """Asks for one line of text at the bottom of the screen, and passes lines of verbs to `run`."""

    DEFAULT_CSS = """
    CommandLine { height: 1; display: none; background: $surface; }
    CommandLine.-open { display: block; }
    CommandLine Line { width: auto; background: $surface; }
    CommandLine Input { width: 1fr; height: 1; border: none; padding: 0; background: $surface; }
    CommandLine Input:focus { border: none; background-tint: $foreground 0%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "cancel", "cancel", key_display="Esc"),
        Binding("up", "recall(-1)", "earlier line", show=False),
        Binding("down", "recall(1)", "later line", show=False),
        Binding("tab", "complete(1)", "complete", key_display="Tab"),
        Binding("shift+tab", "complete(-1)", "previous completion", show=False),
    ]

    field = getters.query_one(CommandField)

    def __init__(self, context: EditorContext, run: Callable[[str], bool]) -> None:
        """`run` returns False if a line was refused."""
        super().__init__()
        self._editor = context
        self._session = context.session
        self._run_line = run
        self._uses = VerbUses()
        self._suggester = _Suggester(self._suggestion)
        self.mode = ""
        """The purpose of the line; empty while it is closed."""
        self._last_asked = "", ""
        """The mode and label of the last line."""
        self._history: list[str] = []
        self._recalled = 0
        self._proposed = ""
        """The line's initial text."""
        self._last = ""
        self._before: list[str] = []
        """Earlier versions of the line, for undo; the latest is last."""
        self._refused = ""
        """The refused line that is being corrected, below its error message."""
        self._listed = ""
        """The last line that was opened with alternatives listed."""
        self._naming: NameQuestion | None = None
        self._back: Callable[[], object] | None = None
        """Called once the next line is done or abandoned, to return to where it started."""
        self._offered: tuple[str, list[Offer]] | None = None
        """The completions of the current line, shared by the list and the inline suggestion."""

    def compose(self) -> ComposeResult:
        yield Line()
        yield CommandField(select_on_focus=False)

    @property
    def _completions(self) -> CompletionList:
        return self._editor.screen.query_one("#completions", CompletionList)

    @property
    def unentered(self) -> str:
        """The text typed but not entered."""
        text = self.field.value.strip()
        return text if self.mode and text != self._proposed.strip() else ""

    # Opening

    def ask(self, line: str = "", *, proposal: str = "") -> None:
        """Open the line with some words, and a proposal that typing replaces; alternatives are listed."""
        self._editor.show_message("")
        self._listed = line + proposal
        self._open(_VERB, " :", line, proposal)
        self._completions.offer(self._offers(line))

    def ask_name(self, question: NameQuestion, proposal: str) -> None:
        """Ask for the name of a file; typing replaces the proposal."""
        self._editor.show_message("")
        self._naming = question
        self._open(_NAME, f" {question.label}: ", "", proposal)

    def ask_rebus(self) -> None:
        """Ask for the content of the current square; typing replaces its present content."""
        at = self._session.cursor.position
        square = self._session.puzzle.grid[at]
        if not square.is_open:
            self._editor.show_message(
                f"{at} is a {square.kind.value}; only open squares hold a rebus", Severity.WARNING
            )
            return
        self._editor.show_message("")
        self._open(_REBUS, f" rebus at {at}: ", "", square.content.text if square.content is not None else "")

    def _open(self, mode: str, label: str, text: str, proposal: str) -> None:
        self._last_asked = mode, label
        self._editor.screen.add_class("-asking")
        self.mode = mode
        self._proposed = self._last = text + proposal
        self._before.clear()
        self._recalled = len(self._history)
        shown = self.query_one(Line)
        shown.left = [(label, shown.paint.accent)]
        shown.styles.width = len(label)
        self.add_class("-open")
        field = self.field
        field.stays, field.suggester = text, self._suggester if mode == _VERB else None
        field.value = text + proposal
        field.selection = Selection(len(text), len(field.value))
        self.refresh_bindings()
        self.screen.set_focus(field)  # at once, as the next keys may already be waiting

    def _ask_again(self, line: str) -> None:
        """Reopen the line with refused text, below its error: typing replaces it, arrow keys edit it."""
        self._refused = line
        self._editor.screen.add_class("-refused")
        self._open(*self._last_asked, "", line)
        self._editor.message_line.fit()

    def come_back(self, back: Callable[[], object]) -> None:
        """Set what the next line returns to."""
        self._back = back

    # Closing

    def _close(self) -> str:
        """Close the line, and return to the grid; returns the line's purpose."""
        mode, self.mode = self.mode, ""
        self.remove_class("-open")
        self.field.value = ""
        self._editor.screen.remove_class("-asking")
        self._forget_refusal()
        self._offered = None
        self._completions.offer(())
        self._editor.focus_grid()
        return mode

    def _go_back(self) -> None:
        back, self._back = self._back, None
        if back is not None:
            back()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        self._remember(text)
        mode = self._close()
        if mode == _REBUS:
            self._take_rebus(text)
        elif mode == _NAME:
            self._take_name(text)
        elif line := text.lstrip(": "):  # without a colon that was typed ahead over a refused line
            with suppress(VerbError):
                self._uses.note(find_verb_of(line.split()).name)
            if not self._run_line(line):
                self._ask_again(f"{line} " if line in VERBS else line)  # its first argument comes next
                return
        self._go_back()

    def _take_rebus(self, text: str) -> None:
        if not text:
            empties = self._editor.keys.cap_of("erase")
            self._editor.show_message(
                f"nothing typed: {self._session.cursor.position} is unchanged; {empties} clears it"
            )
        elif self._editor.attempt(lambda: Content.parse(text)):
            self._editor.attempt(lambda: self._editor.grid_editor.write(text))
        else:
            self._ask_again(text)

    def _take_name(self, text: str) -> None:
        naming = self._naming
        if naming is None:
            return
        if not text:
            naming.left()
        elif self._editor.attempt(lambda: naming.take(file_kind().read(text, self._session))):
            naming.then()
        else:
            self._ask_again(text)

    def action_cancel(self) -> None:
        """Return to the grid, and say what happens to the typed text."""
        text = self.unentered
        self._remember(text)
        mode = self._close()
        if mode == _NAME and self._naming is not None:
            self._naming.left()
        elif text and mode == _VERB:
            self._editor.show_message("not run; press : and then the up arrow to bring the line back")
        elif text:
            self._editor.show_message(f"{text} was not written")
        self._go_back()

    # Typing

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        text = self.field.value
        if self.mode and text != self._last:
            self._before.append(self._last)
            self._last = text
        if not self.mode or text in (self._refused, self._listed):
            return
        self._forget_refusal()
        walked = self._completions.pointed
        if self.mode == _VERB and (walked is None or walked.line != text):
            self._completions.offer(self._offers(text))

    def handles_key(self, target: str) -> bool:
        """Handle a key while a line is typed, unless it works as usual; returns whether it was handled."""
        if not self.mode or target in _WHILE_TYPING:
            return False
        if target == "undo":
            if self._before:
                self._last = self._before.pop()
                self.put(self._last)
            return True
        if target == "export" and self.mode == _VERB and not self.unentered:
            self._close()  # it opens a line of its own
            return False
        self._editor.show_message("Esc leaves this line first", Severity.WARNING)
        self._refused = self.field.value
        self._editor.screen.add_class("-refused")
        self._editor.message_line.fit()
        return True

    def _forget_refusal(self) -> None:
        if self._editor.screen.has_class("-refused"):
            self._refused = ""
            self._editor.screen.remove_class("-refused")
            self._editor.message_line.fit()

    def _remember(self, text: str) -> None:
        """Add a line to the history, even one that was not entered, so that it can be continued."""
        if self.mode == _VERB and text and self._history[-1:] != [text]:
            self._history.append(text)

    def action_recall(self, lines: int) -> None:
        if self.mode != _VERB or not self._history:
            return
        self._recalled = min(max(self._recalled + lines, 0), len(self._history))
        self.put(self._history[self._recalled] if self._recalled < len(self._history) else "")

    def put(self, text: str) -> None:
        self.field.value = text
        self.field.cursor_position = len(text)

    # Completion

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable completion only for lines of verbs, not for a rebus or a name."""
        return action != "complete" or self.mode == _VERB

    def on_key(self, event: events.Key) -> None:
        if event.key in ("tab", "shift+tab") and self.mode != _VERB:
            event.stop()  # a key without a completion has no other meaning here

    def action_complete(self, step: int) -> None:
        if not self._completions.rows:  # none are listed below the message about a refused line
            self._completions.offer(self._offers(self.field.value))
        if (offer := self._completions.walk(step)) is not None:
            self.put(offer.line)

    def put_completion(self, index: int) -> None:
        """Put a clicked completion on the line."""
        if self.mode == _VERB:
            self.put(self._completions.rows[index].line)
            self.screen.set_focus(self.field)

    def _suggestion(self, line: str) -> str | None:
        """Return the line completed by the first offer, for the inline suggestion, once a last word is started."""
        if not line.strip() or line[-1].isspace():
            return None
        first = next(iter(self._offers(line)), None)
        return first.line if first is not None and first.line.startswith(line) else None

    def _offers(self, line: str) -> list[Offer]:
        """Return the possible completions, cached per keystroke since folders may be large."""
        if self._offered is None or self._offered[0] != line:
            found: Sequence[Completion] = complete(self._session, line)
            if not line.strip():  # most used first
                found = sorted(found, key=lambda one: -self._uses.of(one.text))
            offers = [Offer(line[: one.start] + one.text, one.text, one.description) for one in found]
            self._offered = line, offers
        return self._offered[1]
