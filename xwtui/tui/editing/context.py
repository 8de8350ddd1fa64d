"""What all parts of the editor share: session, screen, what is known of the puzzle, the line that tells things."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from xwtui.engine.events.event import Outcome
from xwtui.errors import XwtuiError
from xwtui.session.fill_options import Mode
from xwtui.session.messages import Severity
from xwtui.tui.editing.sayings import Sayings
from xwtui.tui.hand import Hand, Marking
from xwtui.tui.insight import Insight
from xwtui.tui.picture import is_going
from xwtui.tui.widgets.desk import Desk
from xwtui.words.normalise import folds_words, noting_folds

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

    from xwtui.model import Puzzle
    from xwtui.session.keys.key_map import KeyMap
    from xwtui.session.run_view import RunView
    from xwtui.session.session import Session
    from xwtui.session.settings import Settings
    from xwtui.session.theme_list import ThemeList
    from xwtui.tui.themes import ColourTheme, Palette


class Host(Protocol):
    """What the editor asks of the program around it."""

    look: ColourTheme
    keys: KeyMap
    theme_list: ThemeList | None
    """The theme that was typed last in the design room."""

    def push_screen(self, screen: Any, callback: Any = None) -> Any: ...

    def hold_keys(self, is_worked_on: Callable[[], bool]) -> None:
        """Let what is typed ahead wait for an answer, a moment at least and as long as it `is_worked_on`."""

    def release_keys(self) -> None: ...

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

    def next_theme(self) -> str:
        """Change to the next theme; returns its name."""

    def keep(self, settings: Settings) -> None:
        """Keep settings, now and for the next start."""


class EditorContext:
    """Made by the editor's screen, and given to each of its parts."""

    def __init__(self, screen: Screen[None], session: Session, paint: Palette) -> None:
        self.screen = screen
        self.session = session
        self.paint = paint
        """The styles of all that is drawn here."""
        self.hand = Hand(session)
        self.marking = Marking(session)
        self.insight = Insight()
        self.sayings = Sayings(screen)
        self.past_run: RunView | None = None
        """How a run ended after which other verbs were done: its line has given way."""
        self.is_late = False
        """Whether what is told now was told while another puzzle was in front: no screen opens by itself then."""

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
        """Say one thing in the message line, until the next key."""
        self.sayings.say(text, severity, self.paint)

    def warn(self, notices: Sequence[str]) -> None:
        """Say in the message line what nobody asked for, behind what was said just now."""
        if notices:
            self.sayings.add(notices, Severity.WARNING, self.paint, self.keys.cap_of("what was said"))

    def add(self, text: str) -> None:
        """Say one thing in the message line, behind what was said just now."""
        self.sayings.add([text], Severity.INFORMATION, self.paint, "")

    def pass_run(self) -> bool:
        """Let the line of the run that has ended give way; returns whether there was one that does.

        That there is no fill stays, for it is so as long as the grid stands.
        """
        run, before = self.session.jobs.fill.view, self.past_run
        if run is None or is_going(run) or (run.mode is Mode.FILL and run.outcome is Outcome.IMPOSSIBLE):
            return False
        self.past_run = run
        return run is not before

    def attempt(self, action: Callable[[], object]) -> bool:
        """Do something that may be refused; a refusal is said, and nothing has changed then."""
        self.say("")
        try:
            with noting_folds() as folds:
                action()
        except XwtuiError as error:
            self.say(str(error), Severity.ERROR)
            return False
        if folds:
            self.say(folds_words(folds, self.session.puzzle.alphabet), Severity.WARNING)
        return True
