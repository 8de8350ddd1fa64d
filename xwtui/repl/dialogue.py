"""The REPL on any stdin and stdout: read a line, run it, print the answer, until it quits."""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from xwtui.errors import UnsavedError, XwtuiError
from xwtui.formats.intake import DEFAULT_READ_OPTIONS, ReadOptions
from xwtui.interrupts import Exit, Terminated, interrupt_flag
from xwtui.lazy import lazy_imports
from xwtui.memory import Garbage, limit_unused_memory, note_loaded, trim
from xwtui.model import Grid
from xwtui.printing import Style, wants_colours, warn
from xwtui.repl.line_runner import Inbox, LineRunner
from xwtui.repl.lines import Lines, PipedLines, PromptLines, VerbCompleter, open_history, without_echo
from xwtui.repl.output import Output
from xwtui.session.document import Document, full_path
from xwtui.session.jobs.scheduler import SECONDS_A_TURN
from xwtui.session.messages import Message
from xwtui.session.open_puzzles import OpenPuzzles, SessionMaker, give_up, leave_for_later
from xwtui.session.recent import RecentPuzzles
from xwtui.session.recovery import BRINGS_BACK, Recovery
from xwtui.session.session import Session
from xwtui.session.settings import load_settings
from xwtui.session.verbs.layouts import hints_line
from xwtui.session.verbs.word_choice import TrustAnswer, TrustQuestion, answer_trust, trust_question
from xwtui.text import clauses_within, printable, writable

with lazy_imports():
    from xwtui.engine.candidates.options import SlotOptions

_LONGEST_NAME = 40
_ROOM_FOR_OTHERS, _LEAST_ROOM = 6, 40
"""Columns reserved around the estimate in the toolbar, and minimum columns for it."""
_YES, _LATER, _DISCARD, _EACH = "yes", "later", "discard", "each"
_QUESTION = f"recover it? {_YES}, {_LATER}, or {_DISCARD} ({BRINGS_BACK}):"
_ANSWERS = (_YES, _LATER, _DISCARD)
_QUESTION_FOR_ALL = f"recover all {{}}? {_YES}, {_LATER}, {_DISCARD} ({BRINGS_BACK}), or {_EACH} by itself:"
_SAVE, _CANCEL = "save", "cancel"
_QUESTION_AT_END = (
    f"quit? {_SAVE} (all, and quit), {_CANCEL}, {_LATER} (the next start offers it again), "
    f"or {_DISCARD} ({BRINGS_BACK}):"
)
_COPY, _QUIT = "copy", "quit"
_HELD_QUESTION = f"open it anyway? {_YES}, {_QUIT}, or {_COPY} (without a file):"
_HELD_ANSWERS = (_YES, _QUIT, _COPY)
_TRUST_WORDS = {
    TrustAnswer.LEAVE: "no (there are no words for now)",
    TrustAnswer.READ: "yes (for other puzzles too)",
    TrustAnswer.DROP: "without (leave it out of the puzzle)",
}


class Dialogue:
    """A dialogue about open puzzles, whose messages arrive in `inbox`."""

    def __init__(
        self,
        puzzles: OpenPuzzles,
        inbox: Inbox,
        lines: Lines,
        output: Output,
        recent: RecentPuzzles | None = None,
        free_memory: Callable[[], object] = lambda: None,
    ) -> None:
        """`recent` records opened files, if given; `free_memory` is called before each line."""
        self._puzzles = puzzles
        self._inbox = inbox
        self._lines = lines
        self._output = output
        inbox.is_interactive = lines.is_interactive
        self._runner = LineRunner(puzzles, inbox, output, is_patient=not lines.is_interactive)
        self._recent = recent
        self._free_memory = free_memory
        self._answered_question: tuple[Document, TrustQuestion] | None = None
        """The puzzle and the list question that was answered last."""
        self._quit_refused = False
        """Whether the last line tried to quit, and was refused for unsaved changes."""
        self._has_quit = False
        """Whether the dialogue ended with `quit`, after which unsaved changes are either none or discarded."""

    @property
    def _session(self) -> Session:
        return self._puzzles.current

    def run(self, puzzle: Path | None, options: ReadOptions = DEFAULT_READ_OPTIONS) -> Exit:
        """Open a puzzle, offer unsaved work, and run lines until the end; raises PuzzleFormatError.

        Returns BAD_INPUT, with a message on stderr, if piped lines end with unsaved changes. If the last line was
        a refused `quit`, the changes are discarded, with a copy kept.
        """
        if puzzle is not None:
            self._session.open(puzzle, options=options)
            if not self._should_continue():
                return Exit.OK
        self._offer_recoveries(puzzle)
        self._session.start()
        if puzzle is not None or self._lines.is_interactive:
            self._output.print_grid(self._session)
        if self._lines.is_interactive:
            self._output.print_lines("help lists the verbs, Tab completes, Enter draws the grid, Ctrl+D quits")
        while self._take_line():
            pass
        self._print_news()
        unsaved = self._puzzles.unsaved
        if self._lines.is_interactive or not unsaved or self._has_quit:
            return Exit.OK
        for session in unsaved:
            name = printable(session.document.name, _LONGEST_NAME)
            kept = "they are kept, and offered when you open it on a terminal"
            warn(f"{name} has changes that were not saved: {give_up(session) if self._quit_refused else kept}")
        return Exit.BAD_INPUT

    def _should_continue(self) -> bool:
        """Report that another process has the puzzle open, and ask what to do; returns False to leave it alone."""
        held = self._session.document.in_use_words
        if not held:
            return True
        if not self._lines.is_interactive:
            warn(held)
            return True
        self._output.print_lines(held, style=Style.WARNING)
        answer = self._answer(_HELD_QUESTION, _HELD_ANSWERS)
        if answer == _COPY:
            self._session.new(self._session.puzzle)
            self._output.print_lines("this is a copy without a file: `save NAME` gives it one")
        return answer != _QUIT

    def _take_line(self) -> bool:
        self._ask_for_lists()
        self._print_news()
        self._free_memory()
        if self._recent is not None and self._lines.is_interactive:
            self._recent.note(self._session.document.path)
        if self._lines.is_interactive:
            self._session.jobs.words.prepare_completion()
        try:
            line = self._lines.next_line(self._prompt())
        except KeyboardInterrupt:
            self._output.print_lines("Ctrl+D quits")
            return True
        except EOFError:
            return self._handle_end_of_input()
        self._quit_refused = False
        return self._run_line(line)

    def _ask_for_lists(self) -> None:
        """Ask, once per puzzle and its lists, whether to read word lists that it names elsewhere."""
        question = trust_question(self._session) if self._lines.is_interactive else None
        if question is None or (self._session.document, question) == self._answered_question:
            return
        self._answered_question = (self._session.document, question)
        self._output.print_lines(question.words, style=Style.WARNING)
        words = [_TRUST_WORDS[one] for one in question.answers]
        names = (TrustAnswer.READ.value, *(one.value for one in question.answers if one is not TrustAnswer.READ))
        answer = self._answer(f"{', '.join(words)}:", names)
        with self._printing_errors():
            answer_trust(self._session, question, TrustAnswer(answer))

    def _run_line(self, line: str) -> bool:
        if not line.strip():
            if self._lines.is_interactive:
                self._output.print_grid(self._session)
            return True
        try:
            self._has_quit = self._quits_by(line)
            return not self._has_quit
        except XwtuiError as error:
            self._output.print_errors(str(error))
            self._quit_refused = not self._lines.is_interactive and isinstance(error, UnsavedError)
        except KeyboardInterrupt:
            self._session.stop()
        return True

    def _quits_by(self, line: str) -> bool:
        """Run a line; returns whether it ends the dialogue. If unsaved work prevents that, ask about it."""
        try:
            return self._runner.run(line, grid_after_edits=True).reply.quit
        except UnsavedError as error:
            if not self._lines.is_interactive:
                raise
            self._output.print_lines(error.unsaved, style=Style.WARNING)
        answer = self._answer(_QUESTION_AT_END, (_SAVE, _CANCEL, _LATER, _DISCARD))
        if answer == _CANCEL:
            return False
        if answer == _LATER:
            self._output.print_lines(*[leave_for_later(session) for session in self._puzzles.unsaved])
            return True
        if answer == _DISCARD:
            return self._quits_by("quit --force")
        for session in self._puzzles.unsaved:
            self._puzzles.bring_to_front(session)
            self._runner.run("save", grid_after_edits=False)
        return self._quits_by("quit")

    def _handle_end_of_input(self) -> bool:
        """Handle Ctrl+D: quit if all is saved or input is not interactive; otherwise warn once first."""
        if not self._lines.is_interactive or not self._puzzles.unsaved or self._quit_refused:
            return False
        self._quit_refused = True
        self._output.print_lines(
            "there are unsaved changes: `save` saves them; Ctrl+D again quits, and the next start offers them",
            style=Style.WARNING,
        )
        return True

    def _print_news(self) -> None:
        """Print messages that arrived while no job was waited for."""
        news = self._inbox.take()
        self._output.print_notices(news.notes)
        self._output.print_errors(*news.failures)

    def _prompt(self) -> str:
        document = self._session.document
        mark = "*" if document.is_modified else ""
        tabs = self._puzzles.tabs
        number = next(f"{tab.number}/{len(tabs)} " for tab in tabs if tab.is_current) if len(tabs) > 1 else ""
        solving = " solving" if document.is_solving else ""
        return f"{number}{printable(document.name, _LONGEST_NAME)}{mark}{solving}> "

    def _offer_recoveries(self, puzzle: Path | None) -> None:
        """Offer unsaved work, newest first, which ends up in front; each further puzzle gets its own tab."""
        recoveries = self._session.recoveries([full_path(puzzle)] if puzzle is not None else [])
        offers = "" if self._lines.is_interactive else "; on a terminal xwtui offers it back"
        for recovery in recoveries:
            self._output.print_lines(f"{printable(recovery.describe(), 200)}{offers}", style=Style.WARNING)
        if self._lines.is_interactive:
            self._recover(recoveries)

    def _recover(self, recoveries: Sequence[Recovery]) -> None:
        """Ask about all unsaved work at once or each item in turn, and recover what is wanted."""
        are_several, for_all = len(recoveries) > 1, _EACH
        if are_several:
            for_all = self._answer(_QUESTION_FOR_ALL.format(len(recoveries)), (*_ANSWERS, _EACH))
        taken: list[Recovery] = []
        for recovery in recoveries:
            name = f"{printable(recovery.row_name, _LONGEST_NAME)}: " if are_several else ""
            answer = self._answer(f"{name}{_QUESTION}", _ANSWERS) if for_all == _EACH else for_all
            taken += [recovery] if answer == _YES else []
            if answer == _DISCARD:
                with self._printing_errors():
                    self._output.print_lines(f"discarded; {BRINGS_BACK}: {recovery.discard()}")
        for recovery in reversed(taken):
            with self._printing_errors():
                self._puzzles.recover(recovery)

    @contextmanager
    def _printing_errors(self) -> Iterator[None]:
        try:
            yield
        except XwtuiError as error:
            self._output.print_errors(str(error))

    def _answer(self, question: str, answers: tuple[str, ...]) -> str:
        """Ask until one of the answers is given; Ctrl+C and the end of input count as the second answer."""
        while True:
            try:
                wrapped_question = "\n".join(self._output.fitted(question))
                answer = self._lines.answer(f"{wrapped_question} ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                return answers[1]
            if answer in (*answers, "y"):
                return answers[0] if answer == "y" else answer
            if answer:
                self._output.print_errors(f"{printable(answer, 40)} was not run: answer this question first")


def toolbar_text(session: Session, inbox: Inbox, columns: int) -> str:
    """Return the known parts in a fixed order; on a narrow terminal, the least informative are left out."""
    grid = session.puzzle.grid
    filled = sum(grid.answer(slot) is not None for slot in grid.entries)
    parts, emptiest = [f"{filled}/{len(grid.entries)} entries"], ""
    latest = session.jobs.live_counts.view
    if session.jobs.has_proved_no_fill and not latest.entries.reason:
        parts.append("no fill (proved)")
    elif latest.entries.reason:
        parts.append(f"no fill: {latest.entries.reason}")
    else:
        emptiest = _emptiest(grid, latest.entries.options)
        parts.append(emptiest)
        if latest.estimate is not None:
            stale = " (before the last change)" if latest.stale else ""
            room = max(columns - len(parts[0]) - _ROOM_FOR_OTHERS - len(stale), _LEAST_ROOM)
            parts.append(clauses_within(latest.estimate.describe(), room) + stale)
    parts.append(_live(session))
    shown = [part for part in [*parts, inbox.engine] if part]
    spare = [part for part in (emptiest, inbox.engine) if part]
    while len(text := " " + "  ·  ".join(shown)) > columns and spare:
        shown.remove(spare.pop())
    return text


def _live(session: Session) -> str:
    if session.jobs.layout_hints.is_on:
        return hints_line(session.jobs.layout_hints.view)
    if not session.jobs.live_fill.is_on:
        return ""
    live = session.jobs.live_fill.view
    if live is None or live.is_searching:
        return "live fill …"
    return f"live fill: {live.reason or '`fill` writes the preview'}"


def _emptiest(grid: Grid, options: Mapping[str, "SlotOptions"]) -> str:
    open_slots = [slot.name for slot in grid.entries if slot.name in options and grid.answer(slot) is None]
    if not open_slots:
        return ""
    name = min(open_slots, key=lambda name: options[name].after_propagation)
    return f"emptiest {name}: {options[name].after_propagation:,}"


def start_repl(puzzle: Path | None, options: ReadOptions = DEFAULT_READ_OPTIONS) -> Exit:
    """Hold a dialogue until the constructor quits; returns the exit status. Raises PuzzleFormatError."""
    note_loaded()
    sys.setswitchinterval(SECONDS_A_TURN)
    limit_unused_memory()
    inbox = Inbox()
    settings = load_settings()
    puzzles = puzzles_reporting_to(inbox, lambda listener: Session(listener, settings=settings))
    garbage = Garbage(puzzles.has_closed)

    def free_memory() -> None:
        garbage.collect()
        trim()

    with closing_safely(puzzles), ExitStack() as terminal:
        lines: Lines
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            lines = PipedLines()
        else:
            lines = prompt = PromptLines(
                VerbCompleter(lambda: puzzles.current),
                open_history(),
                lambda: writable(
                    toolbar_text(puzzles.current, inbox, shutil.get_terminal_size().columns), sys.stdout.encoding
                ),
                colours=wants_colours(sys.stdout),
            )
            inbox.refresh = prompt.refresh
            terminal.enter_context(without_echo())
        return Dialogue(puzzles, inbox, lines, Output(), RecentPuzzles(), free_memory).run(puzzle, options)


def puzzles_reporting_to(inbox: Inbox, make: SessionMaker) -> OpenPuzzles:
    """Return open puzzles whose current session sends its messages to an inbox; each loads when in front."""

    def receive(session: Session, message: Message) -> None:
        if session is puzzles.current:
            inbox.receive(message)

    puzzles = OpenPuzzles(make, receive)
    puzzles.on_change(Session.start)
    return puzzles


@contextmanager
def closing_safely(puzzles: OpenPuzzles) -> Iterator[None]:
    """Close all sessions at the end; on SIGTERM or SIGHUP, a running search's result becomes unsaved work."""
    try:
        yield
    except Terminated:
        with interrupt_flag():
            for session in puzzles.sessions:
                session.stop()
        raise
    finally:
        puzzles.end()
