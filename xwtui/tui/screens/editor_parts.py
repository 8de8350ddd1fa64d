"""What all parts of the editor share."""

from collections.abc import Callable
from typing import Any, Protocol, cast

from textual.reactive import reactive
from textual.screen import Screen

from xwtui.errors import XwtuiError
from xwtui.session.messages import Severity
from xwtui.session.session import Session
from xwtui.session.settings import Settings
from xwtui.text import printable
from xwtui.tui.hand import Hand
from xwtui.tui.insight import Insight
from xwtui.tui.marking import Marking
from xwtui.tui.palette import PLAIN, Palette
from xwtui.tui.themes import Look
from xwtui.tui.widgets.desk import Desk
from xwtui.tui.widgets.line import Line

_LONGEST_SAYING = 400


class Host(Protocol):
    """What the editor asks of the program around it."""

    look: Look

    def push_screen(self, screen: Any, callback: Any = None) -> Any:
        """Lay another screen over this one."""
        ...

    def exit(self, result: int) -> None:
        """End the program."""
        ...

    def ask_to_quit(self) -> None:
        """Quit, or ask what becomes of unsaved work."""
        ...

    def offer_start(self) -> None:
        """Offer what one may begin with."""
        ...

    def next_theme(self) -> str:
        """Change to the next theme; returns its name."""
        ...

    def keep(self, settings: Settings) -> None:
        """Keep settings, now and for the next start."""
        ...


class EditorParts(Screen[None]):
    """The session, the hand in its grid, what is known of it, and the line that tells things."""

    paint: reactive[Palette] = reactive(PLAIN)
    """The styles of all that is drawn here."""

    def __init__(self, session: Session, palette: Palette) -> None:
        super().__init__()
        self.session = session
        self.hand = Hand(session)
        self.marking = Marking(session)
        self.insight = Insight()
        self.set_reactive(EditorParts.paint, palette)

    @property
    def host(self) -> Host:
        """The program."""
        return cast(Host, self.app)

    @property
    def desk(self) -> Desk:
        """The grid and its panels."""
        return self.query_one("#desk", Desk)

    def say(self, text: str, severity: Severity = Severity.INFORMATION) -> None:
        """Say one thing in the message line, until the next key."""
        styles = {Severity.WARNING: self.paint.warning, Severity.ERROR: self.paint.bad}
        style = styles.get(severity, self.paint.text)
        self.query_one("#message", Line).left = [(f" {printable(text, _LONGEST_SAYING)}", style)]

    def attempt(self, action: Callable[[], object]) -> bool:
        """Do something that may be refused; a refusal is said, and nothing has changed then."""
        self.say("")
        try:
            action()
        except XwtuiError as error:
            self.say(str(error), Severity.ERROR)
            return False
        return True
