"""What all parts of the editor share: session, screen, what is known of the puzzle, and what the editor says."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Any, Protocol, cast

from rich.cells import cell_len
from textual.screen import Screen
from textual.widget import Widget

from xwtui.errors import LockedError, XwtuiError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.messages import Severity
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.settings import Settings
from xwtui.text import printable, printable_text
from xwtui.tui.hand import Hand, Marking
from xwtui.tui.insight import Insight
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.themes import ColourTheme, Palette
from xwtui.tui.typeahead import TypeAhead
from xwtui.tui.widgets.desk import Desk
from xwtui.tui.widgets.painted import Fragment, Line, TextPanel, TwoEnds, palette_of
from xwtui.words.normalise import folds_words, noting_folds

with lazy_imports():
    from xwtui.session.keys.key_map import KeyMap
    from xwtui.session.recent import not_yet_told
    from xwtui.session.theme_list import ThemeList

_LONGEST_SAYING = 1_000
_MOST_KEPT = 50
_FOOTER = 1
"""Lines below the message."""
_LINES = ("title", "entry", "letters", "estimate", "run")


class Sayings:
    """One thing is said at a time, until the next key. What does not fit the line is laid over those above it.

    What the line above tells goes on in this one, where it is too long and nothing is said.
    """

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen
        self._text = ""
        self._answer = ""
        """That, without what was added to it."""
        self._standing = TwoEnds()
        self._kept: deque[str] = deque(maxlen=_MOST_KEPT)
        self._waiting = ""
        """The warning that nobody asked for, and is said once the line is empty."""
        self._progress = ""
        """What was kept last of a run that goes on."""

    def say(self, text: str, severity: Severity, whole: str = "") -> None:
        """Say one thing; an empty text takes away what was said, and then says what waits for that.

        Where it is a part of a `whole` of several lines, that is kept.
        """
        if not text and self._waiting:
            self._warn()
            return
        self._say(text, severity)
        self.keep(whole or self._text)

    def say_progress(self, text: str) -> None:
        """Say how far a run has come; only the last of it is kept."""
        self.replace_progress()
        self._say(text, Severity.INFORMATION)
        self.keep(self._text)
        self._progress = self._text

    def replace_progress(self) -> None:
        """Drop what was kept of the run that goes on: what comes next is said in its place."""
        if self._progress in self._kept:
            self._kept.remove(self._progress)
        self._progress = ""

    def begin_progress(self) -> None:
        """Another run begins, and what was said last of the one before it stays."""
        self._progress = ""

    def add(self, text: str) -> None:
        """Say what nobody asked for behind what was said just now."""
        answer = self._answer
        self._say(f"{answer}; {text}" if answer else text, Severity.INFORMATION)
        self._answer = answer
        self.keep(text)

    def warn(self, texts: Sequence[str], key: str) -> None:
        """Say what nobody asked for, of several things the first, by itself: once nothing else is said.

        All are kept, and the `key` that shows them is named.
        """
        rest = len(texts) - 1
        self._waiting = f"{texts[0]} and {rest} more; {key} shows all" if rest else texts[0]
        for text in reversed(texts):
            self.keep(text)
        if not self._answer:
            self._warn()

    def _warn(self) -> None:
        """Say the warning that waits: it is kept already, and is no answer."""
        self._say(self._waiting, Severity.WARNING)
        self._waiting = self._answer = ""

    def keep(self, text: str) -> None:
        if text and (not self._kept or self._kept[-1] != text):
            self._kept.append(printable_text(text, _LONGEST_SAYING))

    def _say(self, text: str, severity: Severity) -> None:
        paint = palette_of(self._screen)
        styles = {Severity.WARNING: paint.warning, Severity.ERROR: paint.bad}
        self._text = self._answer = printable(text, _LONGEST_SAYING)
        self._line.left = [(f" {self._text}", styles.get(severity, paint.text))]
        self.fit()

    @property
    def _line(self) -> Line:
        return self._screen.query_one("#message", Line)

    def stand(self, ends: TwoEnds) -> None:
        """Take what the line above tells, which goes on below where it is too long for that line."""
        if ends != self._standing:
            self._standing = ends
            self.fit()

    def fit(self) -> None:
        """Show the whole of what is said, and of what the line above tells, in as many lines as that takes.

        Where a line was refused that can be mended, it takes the place of the message, which stands above it.
        """
        panel, (width, height) = self._screen.query_one("#message-whole", TextPanel), self._screen.size
        standing, is_long = self._standing_lines(width), cell_len(self._text) + 1 > width > 2
        is_above = self._screen.has_class("-refused")
        is_shown = is_long or is_above or bool(standing)
        panel.set_class(is_shown, "-shown")
        if is_shown:
            said = [[(f" {line}", self._line.left[0][1])] for line in wrap(self._text, width - 2)]
            lines = [*standing, *said]
            lines += [[]] * (1 + bool(standing) - len(lines))  # over the line above, which would tell it twice
            del lines[max(height // 2, 1) :]
            panel.set_class(not said, "-quiet")
            panel.lines = lines
            panel.styles.height = len(lines)
            panel.styles.offset = (0, height - _FOOTER - is_above - len(lines))

    def _standing_lines(self, width: int) -> list[list[Fragment]]:
        """What the line above tells, in two lines at most; none where it fits its own."""
        left, right, _ = ends = self._standing.within(width)
        if not left or ends.width + bool(right) <= width or width <= 2:
            return []
        told = "".join(text for text, _ in left).strip()
        return [[(f" {line}", left[0][1])] for line in wrap(told, width - 2, max_lines=2, placeholder=" …")]

    def show_all(self) -> None:
        """Show what the lines around the grid tell, none of it cut, and what was said before, the last first."""
        drawn = [self._screen.query_one(f"#{name}", Line) for name in _LINES]
        ends = [
            ["".join(text for text, _ in end).strip(" ≡") for end in (line.left, line.right)] for line in drawn
        ]
        lines = ["   ".join(filter(None, pair)) for pair in ends]
        before = [f"  {line}" for text in reversed(self._kept) for line in text.splitlines()] or ["  nothing yet"]
        self._screen.app.push_screen(ReplyScreen("what was said", [*filter(None, lines), "", "said:", *before]))


class Host(Protocol):
    """What the editor asks of the program around it."""

    look: ColourTheme
    keys: KeyMap
    theme_list: ThemeList | None
    """The theme that was typed last where grids are laid out."""
    typeahead: TypeAhead

    @property
    def session(self) -> Session:
        """That of the puzzle in front."""

    def push_screen(self, screen: Any, callback: Any = None) -> Any: ...

    def exit(self, result: int, *, message: str | None = None) -> None:
        """End the program, and leave a message on the terminal."""

    def ask_to_quit(self) -> None:
        """Quit, or ask what becomes of unsaved work."""

    def ask_to_close(self) -> None:
        """Close the puzzle in front, or ask what becomes of its unsaved work."""

    def say(self, text: str) -> None:
        """Say one thing to whoever sees the puzzle in front, which may be another by now."""

    def offer_left(self) -> None:
        """Offer the work that was left unsaved on the file in front, which was opened just now."""

    def begin(self, puzzle: Puzzle) -> None:
        """Begin a document without a file, in a tab of its own where there is a puzzle in front."""

    def show_replay(self) -> None:
        """Show the watch screen where the search in front is the record of another, once its editor is there."""

    def next_theme(self) -> str:
        """Change to the next theme; returns its name."""

    def keep(self, settings: Settings) -> None:
        """Keep settings, now and for the next start."""

    def note(self, text: str) -> None:
        """Have the editor say something once it is there."""

    def show_editor(self, is_begun: bool) -> None:
        """Show the editor; where the work `is_begun`, nothing is offered to begin with."""


class EditorContext:
    """Made by the editor's screen, and given to each of its parts."""

    def __init__(self, screen: Screen[None], session: Session) -> None:
        self.screen = screen
        self.session = session
        self.hand = Hand(session)
        self.marking = Marking(session)
        self.insight = Insight()
        self.sayings = Sayings(screen)
        self.past_run: RunView | None = None
        """How a run ended after which other verbs were done: its line has given way."""
        self.is_late = False
        """Whether what is told now was told while another puzzle was in front: no screen opens by itself then."""

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

    def focus(self, widget: Widget) -> None:
        self.screen.set_focus(widget)

    def focus_grid(self) -> None:
        """Give the keyboard back to the grid; what has narrowed the candidates ends with that."""
        self.desk.candidates.widen_all()
        self.focus(self.desk.grid)

    def say(self, text: str, severity: Severity = Severity.INFORMATION) -> None:
        """Say a thing in the message line until the next key: of several lines the first, and the key for all."""
        first, *others = text.splitlines() or [""]
        said = f"{first} ({self.keys.named('what was said')} shows the details)" if others else text
        self.sayings.say(said, severity, text if others else "")

    def warn(self, notices: Sequence[str], lists: str, state: str) -> None:
        """Say in the message line what nobody asked for, once nothing else is said there.

        What was told of word lists in this state at the last start is kept with all that was said.
        """
        new = not_yet_told(notices, lists, state)
        for text in reversed([each for each in notices if each not in new]):
            self.sayings.keep(text)
        if new:
            self.sayings.warn(new, self.keys.named("what was said"))

    def refuse(self, error: XwtuiError) -> None:
        """Say what is wrong; of what is locked also which key unlocks it."""
        unlocks = f" ({self.keys.named('unlock')})" if isinstance(error, LockedError) else ""
        self.say(f"{error}{unlocks}", Severity.ERROR)

    def attempt(self, action: Callable[[], object]) -> bool:
        """Do something that may be refused; a refusal is said, and nothing has changed then."""
        self.say("")
        try:
            with noting_folds() as folds:
                action()
        except XwtuiError as error:
            self.refuse(error)
            return False
        if folds:
            self.say(folds_words(folds, self.session.puzzle.alphabet), Severity.WARNING)
        return True
