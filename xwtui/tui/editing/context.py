"""State shared by all parts of the editor: session, screen, figures, and the message line."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any, Protocol, cast

from rich.cells import cell_len
from textual.screen import Screen

from xwtui.errors import LockedError, XwtuiError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.messages import Severity
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.settings import Settings
from xwtui.text import printable, printable_text
from xwtui.tui.grid_editor import GridEditor, SelectionEditor
from xwtui.tui.insight import Insight
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.themes import ColourTheme, Palette
from xwtui.tui.typeahead import TypeAhead
from xwtui.tui.widgets.desk import Desk
from xwtui.tui.widgets.painted import Fragment, Line, TextPanel, TwoEnds, palette_of
from xwtui.words.normalise import folds_words, recording_folds

with lazy_imports():
    from xwtui.session.keys.key_map import KeyMap
    from xwtui.session.recent import unreported_notices
    from xwtui.session.theme_list import ThemeList

_LONGEST_MESSAGE = 1_000
_LONGEST_HISTORY = 50
_FOOTER = 1
"""Lines below the message."""
_LINES = ("title", "entry", "letters", "estimate", "run")


class MessageLine:
    """The message line: one message at a time, until the next key; a long one covers the lines above it.

    While there is no message, an overlong line above continues here.
    """

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._text = ""
        self._answer = ""
        """The message without texts added to it."""
        self._above = TwoEnds()
        self._history: deque[str] = deque(maxlen=_LONGEST_HISTORY)
        self._waiting = ""
        """An unsolicited warning, to show once the line is empty."""
        self._progress = ""
        """The last progress message kept for the present run."""
        self._of_key = ""
        """The last message about a key that does nothing."""

    def show(self, text: str, severity: Severity, whole: str = "") -> None:
        """Show a message; an empty one clears the line, and then shows a waiting warning.

        If the message is part of a longer `whole`, the whole is kept in the history.
        """
        if not text and self._waiting:
            self._warn()
            return
        self._show(text, severity)
        self.record(whole or self._text)

    def show_progress(self, text: str) -> None:
        """Show a run's progress; only the last progress message is kept."""
        self.replace_progress()
        self._show(text, Severity.INFORMATION)
        self.record(self._text)
        self._progress = self._text

    def replace_progress(self) -> None:
        """Drop the kept progress message, as another takes its place."""
        if self._progress in self._history:
            self._history.remove(self._progress)
        self._progress = ""

    def begin_progress(self) -> None:
        """Note that another run begins: the previous run's last progress message stays in the history."""
        self._progress = ""

    def explain_key(self, text: str) -> None:
        """Show what is said about a key that does nothing, until the next key."""
        self.show(text, Severity.INFORMATION)
        self._of_key = self._text

    def forget_key(self) -> None:
        """Clear the message about a key that does nothing, if it is still shown."""
        if self._of_key and self._text == self._of_key:
            self.show("", Severity.INFORMATION)
        self._of_key = ""

    def add(self, text: str) -> None:
        """Append an unsolicited text to the present message."""
        answer = self._answer
        self._show(f"{answer}; {text}" if answer else text, Severity.INFORMATION)
        self._answer = answer
        self.record(text)

    def warn(self, texts: Sequence[str], key: str) -> None:
        """Show the first of several unsolicited warnings once there is no other message; the `key` shows all."""
        rest = len(texts) - 1
        self._waiting = f"{texts[0]} and {rest} more; {key} shows all" if rest else texts[0]
        for text in reversed(texts):
            self.record(text)
        if not self._answer:
            self._warn()

    def _warn(self) -> None:
        """Show the waiting warning, which is already kept and does not count as an answer."""
        self._show(self._waiting, Severity.WARNING)
        self._waiting = self._answer = ""

    def record(self, text: str) -> None:
        if text and (not self._history or self._history[-1] != text):
            self._history.append(printable_text(text, _LONGEST_MESSAGE))

    def _show(self, text: str, severity: Severity) -> None:
        paint = palette_of(self._screen)
        styles = {Severity.WARNING: paint.warning, Severity.ERROR: paint.bad}
        self._text = self._answer = printable(text, _LONGEST_MESSAGE)
        self._line.left = [(f" {self._text}", styles.get(severity, paint.text))]
        self.fit()

    @property
    def _line(self) -> Line:
        return self._screen.query_one("#message", Line)

    def set_line_above(self, ends: TwoEnds) -> None:
        """Take the line above, which continues in the message line if it is too long."""
        if ends != self._above:
            self._above = ends
            self.fit()

    def fit(self) -> None:
        """Show the whole message, and the rest of an overlong line above, in as many lines as needed.

        If a refused line is being edited, it takes the message's place, and the message moves above it.
        """
        panel, (width, height) = self._screen.query_one("#message-whole", TextPanel), self._screen.size
        above, is_long = self._lines_above(width), cell_len(self._text) + 1 > width > 2
        is_above = self._screen.has_class("-refused")
        is_shown = is_long or is_above or bool(above)
        panel.set_class(is_shown, "-shown")
        if is_shown:
            message = [[(f" {line}", self._line.left[0][1])] for line in wrap(self._text, width - 2)]
            lines = [*above, *message]
            lines += [[]] * (1 + bool(above) - len(lines))  # cover the line above, which would repeat the text
            del lines[max(height // 2, 1) :]
            panel.set_class(not message, "-quiet")
            panel.lines = lines
            panel.styles.height = len(lines)
            panel.styles.offset = (0, height - _FOOTER - is_above - len(lines))

    def _lines_above(self, width: int) -> list[list[Fragment]]:
        """Return the line above as at most two lines; none if it fits."""
        left, right, _ = ends = self._above.within(width)
        if not left or ends.width + bool(right) <= width or width <= 2:
            return []
        text = "".join(part for part, _ in left).strip()
        return [[(f" {line}", left[0][1])] for line in wrap(text, width - 2, max_lines=2, placeholder=" …")]

    def show_all(self) -> None:
        """Show the lines around the grid uncut, and earlier messages, latest first."""
        drawn = [self._screen.query_one(f"#{name}", Line) for name in _LINES]
        ends = [
            ["".join(text for text, _ in end).strip(" ≡") for end in (line.left, line.right)] for line in drawn
        ]
        lines = ["   ".join(filter(None, pair)) for pair in ends]
        before = [f"  {line}" for text in reversed(self._history) for line in text.splitlines()] or [
            "  nothing yet"
        ]
        self._screen.app.push_screen(ReplyScreen("what was said", [*filter(None, lines), "", "said:", *before]))


class Host(Protocol):
    """The interface of the app that the editor uses."""

    colour_theme: ColourTheme
    keys: KeyMap
    theme_list: ThemeList | None
    """The theme last typed where grids are laid out."""
    typeahead: TypeAhead

    @property
    def session(self) -> Session:
        """The session of the puzzle in front."""

    def push_screen(self, screen: Any, callback: Any = None) -> Any: ...

    def exit(self, result: int, *, message: str | None = None) -> None:
        """End the program, and leave a message on the terminal."""

    def ask_to_quit(self) -> None:
        """Quit, after asking about unsaved work if there is any."""

    def ask_to_close(self) -> None:
        """Close the puzzle in front, after asking about its unsaved work if there is any."""

    def show_message(self, text: str) -> None:
        """Show a message in the editor in front, which may have changed meanwhile."""

    def offer_recovery(self) -> None:
        """Offer unsaved work that was left on the file in front, which was just opened."""

    def begin(self, puzzle: Puzzle) -> None:
        """Start a document without a file, in its own tab if another puzzle is in front."""

    def show_replay(self) -> None:
        """Show the watch screen once the editor is mounted, if the search in front is a replay."""

    def next_theme(self) -> str:
        """Switch to the next theme; returns its name."""

    def apply_settings(self, settings: Settings) -> None:
        """Apply settings and save them."""

    def add_problem(self, text: str) -> None:
        """Have the editor show a message once it is mounted."""

    def show_editor(self, is_begun: bool) -> None:
        """Show the editor; if work `is_begun`, the start screen is skipped."""


class EditorContext:
    """Created by the editor's screen, and passed to each of its parts."""

    def __init__(self, screen: Screen[None], session: Session) -> None:
        self.screen = screen
        self.session = session
        self.grid_editor = GridEditor(session)
        self.selection_editor = SelectionEditor(session)
        self.insight = Insight()
        self.message_line = MessageLine(screen)
        self.past_run: RunView | None = None
        """A finished run that was followed by other verbs, so that its line is no longer shown."""
        self.is_late = False
        """Whether the present messages arrived while another puzzle was in front: then no screen opens by itself.
        """

    @property
    def paint(self) -> Palette:
        return palette_of(self.screen)

    @property
    def host(self) -> Host:
        return cast(Host, self.screen.app)

    @property
    def keys(self) -> KeyMap:
        return self.host.keys

    @property
    def desk(self) -> Desk:
        return self.screen.query_one("#desk", Desk)

    def focus_grid(self) -> None:
        """Focus the grid, and end the narrowing of the candidates."""
        self.desk.candidates.widen_all()
        self.screen.set_focus(self.desk.grid)

    def show_message(self, text: str, severity: Severity = Severity.INFORMATION) -> None:
        """Show a message until the next key; of several lines only the first, with the key that shows all."""
        first, *others = text.splitlines() or [""]
        shown = f"{first} ({self.keys.named('what was said')} shows the details)" if others else text
        self.message_line.show(shown, severity, text if others else "")

    def warn(self, notices: Sequence[str], lists: str, state: str) -> None:
        """Show unsolicited warnings; those about lists that the last start gave only go to the history."""
        new = unreported_notices(notices, lists, state)
        for text in reversed([each for each in notices if each not in new]):
            self.message_line.record(text)
        if new:
            self.message_line.warn(new, self.keys.named("what was said"))

    def refuse(self, error: XwtuiError) -> None:
        """Show an error; for a locked square, also the key that unlocks it."""
        unlocks = f" ({self.keys.named('unlock')})" if isinstance(error, LockedError) else ""
        self.show_message(f"{error}{unlocks}", Severity.ERROR)

    def attempt(self, action: Callable[[], object]) -> bool:
        """Run an action that may be refused; an error is shown and nothing is changed."""
        self.show_message("")
        try:
            with recording_folds() as folds:
                action()
        except XwtuiError as error:
            self.refuse(error)
            return False
        if folds:
            self.show_message(folds_words(folds, self.session.puzzle.alphabet), Severity.WARNING)
        return True
