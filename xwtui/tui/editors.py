"""The editors of the open puzzles, one of them shown; messages for the others wait until they are shown."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Protocol, runtime_checkable

from textual.app import App

from xwtui.engine.events.event import Outcome
from xwtui.lazy import lazy_imports
from xwtui.session import messages
from xwtui.session.fill_options import Mode
from xwtui.session.messages import Severity
from xwtui.session.open_puzzles import OpenPuzzles, Tab
from xwtui.session.session import Session
from xwtui.session.verbs.word_choice import TrustAnswer, answer_trust, trust_question
from xwtui.session.wording import ending_words, no_fill_words
from xwtui.tui.screens.editor import Editor
from xwtui.tui.screens.overlays import ChoiceScreen, ShortAnswer, unless_left
from xwtui.tui.themes import Palette

with lazy_imports():
    from textual._styles_cache import StylesCache

_ADDING = (messages.Notice, messages.JobFailed, messages.LexiconFailed, messages.Saved)
"""Messages to keep one by one; of every other kind, only the latest matters."""
_MOST_KEPT = 50

_TRUST_ANSWERS = {
    TrustAnswer.LEAVE: "do not read it; there will be no words for now",
    TrustAnswer.READ: "read it, now and for other puzzles",
    TrustAnswer.DROP: "remove it from the puzzle, which keeps its other lists",
}


def clear_styles_cache() -> None:
    """Clear a Textual method's cache, which holds the last 1,024 widgets with all their lines.

    See https://github.com/Textualize/textual/issues/6665. Does nothing for a Textual without that cache.
    """
    with contextlib.suppress(ImportError, AttributeError):
        StylesCache.get_inner_outer.cache_clear()


@runtime_checkable
class ReportListener(Protocol):
    """A screen above the editor that shows messages from the session."""

    def receive(self, report: messages.Message) -> None: ...


class Editors:
    """One editor per open puzzle, with the one in front on the screen."""

    def __init__(self, app: App[int], puzzles: OpenPuzzles) -> None:
        self._app = app
        self._puzzles = puzzles
        self._editors: dict[Session, Editor] = {}
        self._undelivered: dict[Session, list[messages.Message]] = {}
        self._pending_messages: dict[Session, tuple[str, Severity]] = {}
        self._tabs: tuple[Tab, ...] = ()
        self._number = 0
        self._is_shown = False
        self._context = Context()
        """The context variables from before any editor was shown."""

    @property
    def front(self) -> Editor:
        session = self._puzzles.current
        if session not in self._editors:
            self._number += 1
            editor = self._editors[session] = Editor(session)
            self._app.install_screen(editor, f"puzzle-{self._number}")  # an installed screen survives being hidden
        return self._editors[session]

    def show(self) -> None:
        """Show the editor in front, for the first time."""
        self._is_shown = True
        self._context = copy_context()
        self._app.push_screen(self.front)

    def follow(self, _: Session) -> None:
        """Show the editor of the session now in front, and drop those of closed sessions."""
        if not self._is_shown:
            return
        front = self.front
        self.back()
        # a task keeps alive the editor whose context it starts in
        self._context.copy().run(self._app.switch_screen, front)
        for session in self._editors.keys() - set(self._puzzles.sessions):
            self._app.uninstall_screen(self._editors.pop(session))
            self._undelivered.pop(session, None)
        if front.is_mounted:
            self.catch_up()
            front.come_forward()
        else:
            self._app.call_after_refresh(self.begin)

    def back(self) -> None:
        while not isinstance(self._app.screen, Editor):
            self._app.pop_screen()

    def begin(self) -> None:
        """Start loading for the puzzle in front, and deliver earlier messages to its editor."""
        self._puzzles.current.start()
        self.catch_up()

    def when_shown(self, action: Callable[[], object]) -> None:
        """Run an action with the editor in front, once it is mounted, before any key that was typed ahead."""
        if self.front.is_mounted:
            action()
        else:
            self.front.call_later(action)

    def catch_up(self) -> None:
        """Deliver the messages that arrived while the editor in front was hidden."""
        session, front = self._puzzles.current, self.front
        if not front.is_mounted:
            return
        front.context.is_late = True
        for report in self._undelivered.pop(session, []):
            self._deliver(front, report)
        front.context.is_late = False
        if session in self._pending_messages:
            front.show_message(*self._pending_messages.pop(session))

    def show_message(self, text: str, severity: Severity = Severity.INFORMATION) -> None:
        """Show a message in the message line of the editor in front, as soon as it is mounted."""
        if self.front.is_mounted:
            self.front.show_message(text, severity)
        else:
            self._pending_messages[self._puzzles.current] = text, severity

    def receive(self, session: Session, report: messages.Message) -> None:
        """Show a session's message; for one that is not in front, keep it, and show only that a job has ended."""
        if session not in self._puzzles.sessions:
            return
        if session is self._puzzles.current and self.front.is_mounted:
            self.catch_up()
            self._deliver(self.front, report)
            return
        kept = self._undelivered.setdefault(session, [])
        if not isinstance(report, _ADDING):
            kept[:] = [one for one in kept if type(one) is not type(report)]
        kept.append(report)
        del kept[:-_MOST_KEPT]
        if self.front.is_mounted:
            if (tabs := self._puzzles.tabs) != self._tabs:  # what the title shows about the other puzzles
                self._tabs = tabs
                self.front.show_title()
            if ended := ending_of(report):
                self.front.show_message(f"{session.document.name}: {ended}")

    def _deliver(self, front: Editor, report: messages.Message) -> None:
        front.show_report(report)
        if isinstance(report, messages.LexiconFailed) and report.needs_confirmation:
            self._ask_for_lists(front)
        for screen in self._app.screen_stack:  # including covered ones, which will be seen again
            if isinstance(screen, ReportListener):
                screen.receive(report)

    def _ask_for_lists(self, front: Editor) -> None:
        """Ask whether to read lists that the puzzle names elsewhere, if that is why it has no words."""
        session, question = front.session, trust_question(front.session)
        if question is None:
            return

        def chosen(name: str) -> None:
            front.context.attempt(lambda: answer_trust(session, question, TrustAnswer(name)))

        answers = [ShortAnswer(_TRUST_ANSWERS[one], one.value) for one in question.answers]
        self._app.push_screen(ChoiceScreen(question.words, answers), unless_left(chosen))

    def apply_palette(self, palette: Palette) -> None:
        for editor in self._editors.values():
            editor.apply_palette(palette)


def ending_of(report: messages.Message) -> str:
    """Return what to show when a job of a hidden puzzle has ended; empty for other messages."""
    match report:
        case messages.FillEnded(run=run) if run.mode is not Mode.FILL:
            return ending_words(run)
        case messages.FillEnded(run=run):
            return {
                Outcome.FILLED: "filled" if run.offered is None else "a fill to accept or reject",
                Outcome.IMPOSSIBLE: no_fill_words(run),
                Outcome.UNKNOWN: "the time ran out before a fill was found",
            }.get(run.outcome, "the fill was stopped")
        case messages.CountEnded(estimate=estimate, look_ahead=ahead):
            return "; ".join([estimate.describe(), *([ahead.describe()] if ahead is not None else [])])
        case messages.AnswerReady(answer=answer, is_last=True):
            return answer.headline
        case messages.FindingsReady(findings=findings, is_last=True):
            return findings.answer
        case messages.RaceEnded():
            return "the race is over"
        case messages.LexiconFailed(message=text) | messages.JobFailed(message=text):
            return text
    return ""
