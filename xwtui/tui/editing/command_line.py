"""The line that the constructor types: verbs after a colon with what could come next, a rebus, a file's name."""

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
"""What keys do while a line is typed as well: nothing of it changes the grid."""
_VERB, _REBUS, _NAME = "verb", "rebus", "name"


class NameQuestion(NamedTuple):
    """What the name of a file is asked for."""

    label: str
    take: Callable[[Path], object]
    """Raises XwtuiError for a name that will not do; another one is asked for then."""
    then: Callable[[], object]
    """Goes on, once a name is taken."""
    left: Callable[[], object]
    """Goes on where none is given."""


class CommandLine:
    """Asks for lines, and gives those of verbs to `run`."""

    def __init__(self, context: EditorContext, run: Callable[[str], bool]) -> None:
        """`run` returns whether a line was not refused."""
        self._context = context
        self._session = context.session
        self._hand = context.hand
        self._run = run
        self._uses = VerbUses()
        self._asked = "", ""
        """What the prompt was opened for last, and its label."""
        self._refused = ""
        """The line on the prompt that was refused as it stands; what was said of it stands above."""
        self._proposed = ""
        """The line that was proposed last, beside which other ones are listed."""
        self._naming: NameQuestion | None = None
        self._back: Callable[[], object] | None = None
        """What the next line leads back to, once it is done or left."""
        self._offered: tuple[str, list[Offer]] | None = None
        """The offers for the line as it stands, which both the list and the dim end of the line show."""

    @property
    def _prompt(self) -> Prompt:
        return self._context.screen.query_one("#prompt", Prompt)

    @property
    def _completions(self) -> CompletionList:
        return self._context.screen.query_one("#completions", CompletionList)

    def ask(self, line: str = "", *, proposal: str = "") -> None:
        """Open the command line with some words on it, and a last one that typing replaces.

        What else could stand there is listed.
        """
        self._context.say("")
        self._proposed = line + proposal
        self._open(_VERB, " :", line, proposal)
        self._completions.offer(self._offers(line))

    def _open(self, mode: str, label: str, text: str, proposal: str) -> None:
        self._asked = mode, label
        self._context.screen.add_class("-asking")
        self._prompt.ask(mode, label, text + proposal, suggests=mode == _VERB, replaceable=proposal)

    def _ask_again(self, line: str) -> None:
        """Open the prompt with what was refused, below what was said of it: typing replaces it, arrows mend it."""
        self._refused = line
        self._context.screen.add_class("-refused")
        self._open(*self._asked, "", line)
        self._context.sayings.fit()

    def come_back(self, back: Callable[[], object]) -> None:
        """Let the next line lead back to where it was begun."""
        self._back = back

    def _go_back(self) -> None:
        back, self._back = self._back, None
        if back is not None:
            back()

    def ask_name(self, question: NameQuestion, proposal: str) -> None:
        """Ask for the name of a file; typing replaces the proposal."""
        self._context.say("")
        self._naming = question
        self._open(_NAME, f" {question.label}: ", "", proposal)

    def ask_rebus(self) -> None:
        """Ask for the content of the current square; typing replaces what stands there."""
        at = self._session.cursor.position
        square = self._session.puzzle.grid[at]
        if not square.is_open:
            self._context.say(f"{at} is a {square.kind.value}; only open squares hold a rebus", Severity.WARNING)
            return
        self._context.say("")
        self._open(_REBUS, f" rebus at {at}: ", "", square.content.text if square.content is not None else "")

    def take(self, event: Prompt.Done) -> None:
        self.close()
        if event.mode == _REBUS:
            self._take_rebus(event.text)
        elif event.mode == _NAME:
            self._take_name(event.text)
        elif line := event.text.lstrip(": "):  # a colon that was typed ahead over a line that was refused
            with suppress(VerbError):
                self._uses.note(find_verb_of(line.split()).name)
            if not self._run(line):
                self._ask_again(f"{line} " if line in VERBS else line)  # its first argument is what comes next
                return
        self._go_back()

    def _take_rebus(self, text: str) -> None:
        if not text:
            empties = self._context.keys.cap_of("erase")
            self._context.say(f"nothing typed: {self._session.cursor.position} is unchanged; {empties} clears it")
        elif self._context.attempt(lambda: Content.parse(text)):
            self._context.attempt(lambda: self._hand.write(text))
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
        """Go back to the grid, and say what becomes of what was typed."""
        self.close()
        if event.mode == _NAME and self._naming is not None:
            self._naming.left()
        elif event.text and event.mode == _VERB:
            self._context.say("not run; press : and then the up arrow to bring the line back")
        elif event.text:
            self._context.say(f"{event.text} was not written")
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

    def hears_key(self, target: str) -> bool:
        """Take what a key of the screen does while a line is typed: nothing but to stop, or to undo typing.

        Returns False where none is typed.
        """
        if not self._prompt.mode or target in _WHILE_TYPING:
            return False
        if target == "undo":
            self._prompt.undo()
            return True
        if target == "export" and self._prompt.mode == _VERB and not self._prompt.unentered:
            self.close()  # it asks for a line of its own
            return False
        self._context.say("Esc leaves this line first", Severity.WARNING)
        self._refused = self._prompt.field.value
        self._context.screen.add_class("-refused")
        self._context.sayings.fit()
        return True

    def _forget_refusal(self) -> None:
        if self._context.screen.has_class("-refused"):
            self._refused = ""
            self._context.screen.remove_class("-refused")
            self._context.sayings.fit()

    def complete(self, event: Prompt.CompletionWanted) -> None:
        if event.mode == _VERB:
            if not self._completions.rows:  # none are listed below what is said of a line that was refused
                self._completions.offer(self._offers(self._prompt.field.value))
            if (offer := self._completions.walk(event.step)) is not None:
                self._prompt.put(offer.line)

    def put(self, index: int) -> None:
        """Put an offer on the line, as the mouse chose it."""
        offer = self._completions.rows[index]
        if self._prompt.mode == _VERB:
            self._prompt.put(offer.line)
            self._context.focus(self._prompt.field)

    def suggestion(self, line: str) -> str | None:
        """The line completed by the first offer, shown dim behind the cursor, once its last word is begun."""
        if not line.strip() or line[-1].isspace():
            return None
        first = next(iter(self._offers(line)), None)
        return first.line if first is not None and first.line.startswith(line) else None

    def _offers(self, line: str) -> list[Offer]:
        """What could come next; looked up once for a keystroke, since folders may be large."""
        if self._offered is None or self._offered[0] != line:
            found: Sequence[Completion] = complete(self._session, line)
            if not line.strip():  # those that were used most come first
                found = sorted(found, key=lambda one: -self._uses.of(one.text))
            offers = [Offer(line[: one.start] + one.text, one.text, one.description) for one in found]
            self._offered = line, offers
        return self._offered[1]
