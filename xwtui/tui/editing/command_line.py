"""The line that the constructor types: verbs after a colon, with completions, a rebus, or a file's name."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from xwtui.errors import VerbError
from xwtui.model.square import Content
from xwtui.named_tuples import NamedTuple
from xwtui.session.messages import Severity
from xwtui.session.recent import VerbUses
from xwtui.session.verbs.completion import Completion, complete
from xwtui.session.verbs.kinds import file_kind
from xwtui.session.verbs.parsing import find_verb_of
from xwtui.session.verbs.registry import VERBS
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.widgets.prompt import CompletionList, Offer, Prompt

_WHILE_TYPING = ("help", "stop", "what was said")
"""Keys that work while a line is typed, as they do not change the grid."""
_VERB, _REBUS, _NAME = "verb", "rebus", "name"


class NameQuestion(NamedTuple):
    """A question for the name of a file."""

    label: str
    take: Callable[[Path], object]
    """Called with the path; raises XwtuiError for an unsuitable name, and the question is asked again."""
    then: Callable[[], object]
    """Called once a name was accepted."""
    left: Callable[[], object]
    """Called if no name is given."""


class CommandLine:
    """Asks for lines, and passes those of verbs to `run`."""

    def __init__(self, context: EditorContext, run: Callable[[str], bool]) -> None:
        """`run` returns False if a line was refused."""
        self._context = context
        self._session = context.session
        self._grid_editor = context.grid_editor
        self._run = run
        self._uses = VerbUses()
        self._last_prompt = "", ""
        """The mode and label of the last prompt."""
        self._refused = ""
        """The refused line in the prompt, below its error message."""
        self._proposed = ""
        """The last proposed line, with alternatives listed."""
        self._naming: NameQuestion | None = None
        self._back: Callable[[], object] | None = None
        """Called once the next line is done or abandoned, to return to where it started."""
        self._offered: tuple[str, list[Offer]] | None = None
        """The completions of the current line, shared by the list and the inline suggestion."""

    @property
    def _prompt(self) -> Prompt:
        return self._context.screen.query_one("#prompt", Prompt)

    @property
    def _completions(self) -> CompletionList:
        return self._context.screen.query_one("#completions", CompletionList)

    def ask(self, line: str = "", *, proposal: str = "") -> None:
        """Open the command line with some words in it, and a proposal that typing replaces.

        Alternatives are listed.
        """
        self._context.show_message("")
        self._proposed = line + proposal
        self._open(_VERB, " :", line, proposal)
        self._completions.offer(self._offers(line))

    def _open(self, mode: str, label: str, text: str, proposal: str) -> None:
        self._last_prompt = mode, label
        self._context.screen.add_class("-asking")
        self._prompt.ask(mode, label, text + proposal, suggests=mode == _VERB, replaceable=proposal)

    def _ask_again(self, line: str) -> None:
        """Reopen the prompt with a refused line, below its error: typing replaces it, arrow keys edit it."""
        self._refused = line
        self._context.screen.add_class("-refused")
        self._open(*self._last_prompt, "", line)
        self._context.message_line.fit()

    def come_back(self, back: Callable[[], object]) -> None:
        """Set what the next line returns to."""
        self._back = back

    def _go_back(self) -> None:
        back, self._back = self._back, None
        if back is not None:
            back()

    def ask_name(self, question: NameQuestion, proposal: str) -> None:
        """Ask for the name of a file; typing replaces the proposal."""
        self._context.show_message("")
        self._naming = question
        self._open(_NAME, f" {question.label}: ", "", proposal)

    def ask_rebus(self) -> None:
        """Ask for the content of the current square; typing replaces its present content."""
        at = self._session.cursor.position
        square = self._session.puzzle.grid[at]
        if not square.is_open:
            self._context.show_message(
                f"{at} is a {square.kind.value}; only open squares hold a rebus", Severity.WARNING
            )
            return
        self._context.show_message("")
        self._open(_REBUS, f" rebus at {at}: ", "", square.content.text if square.content is not None else "")

    def take(self, event: Prompt.Done) -> None:
        self.close()
        if event.mode == _REBUS:
            self._take_rebus(event.text)
        elif event.mode == _NAME:
            self._take_name(event.text)
        elif line := event.text.lstrip(": "):  # without a colon that was typed ahead over a refused line
            with suppress(VerbError):
                self._uses.note(find_verb_of(line.split()).name)
            if not self._run(line):
                self._ask_again(f"{line} " if line in VERBS else line)  # its first argument comes next
                return
        self._go_back()

    def _take_rebus(self, text: str) -> None:
        if not text:
            empties = self._context.keys.cap_of("erase")
            self._context.show_message(
                f"nothing typed: {self._session.cursor.position} is unchanged; {empties} clears it"
            )
        elif self._context.attempt(lambda: Content.parse(text)):
            self._context.attempt(lambda: self._grid_editor.write(text))
        else:
            self._ask_again(text)

    def _take_name(self, text: str) -> None:
        naming = self._naming
        if naming is None:
            return
        if not text:
            naming.left()
        elif self._context.attempt(lambda: naming.take(file_kind().read(text, self._session))):
            naming.then()
        else:
            self._ask_again(text)

    def leave(self, event: Prompt.Cancelled) -> None:
        """Return to the grid, and say what happens to the typed text."""
        self.close()
        if event.mode == _NAME and self._naming is not None:
            self._naming.left()
        elif event.text and event.mode == _VERB:
            self._context.show_message("not run; press : and then the up arrow to bring the line back")
        elif event.text:
            self._context.show_message(f"{event.text} was not written")
        self._go_back()

    def close(self) -> None:
        self._context.screen.remove_class("-asking")
        self._forget_refusal()
        self._offered = None
        self._completions.offer(())
        self._context.focus_grid()

    def offer(self, event: Prompt.Changed) -> None:
        if event.text in (self._refused, self._proposed):
            return
        self._forget_refusal()
        walked = self._completions.pointed
        if event.mode == _VERB and (walked is None or walked.line != event.text):
            self._completions.offer(self._offers(event.text))

    def handles_key(self, target: str) -> bool:
        """Handle a key of the screen while a line is typed: only stopping and undoing typing are allowed.

        Returns False if the key should work as usual.
        """
        if not self._prompt.mode or target in _WHILE_TYPING:
            return False
        if target == "undo":
            self._prompt.undo()
            return True
        if target == "export" and self._prompt.mode == _VERB and not self._prompt.unentered:
            self.close()  # it opens a line of its own
            return False
        self._context.show_message("Esc leaves this line first", Severity.WARNING)
        self._refused = self._prompt.field.value
        self._context.screen.add_class("-refused")
        self._context.message_line.fit()
        return True

    def _forget_refusal(self) -> None:
        if self._context.screen.has_class("-refused"):
            self._refused = ""
            self._context.screen.remove_class("-refused")
            self._context.message_line.fit()

    def complete(self, event: Prompt.CompletionRequested) -> None:
        if event.mode == _VERB:
            if not self._completions.rows:  # none are listed below the message about a refused line
                self._completions.offer(self._offers(self._prompt.field.value))
            if (offer := self._completions.walk(event.step)) is not None:
                self._prompt.put(offer.line)

    def put(self, index: int) -> None:
        """Put a clicked completion on the line."""
        offer = self._completions.rows[index]
        if self._prompt.mode == _VERB:
            self._prompt.put(offer.line)
            self._context.focus(self._prompt.field)

    def suggestion(self, line: str) -> str | None:
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
