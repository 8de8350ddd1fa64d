"""The event log of a search: narrowed by what is typed, by kind and by entry; copied, or saved."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from xwtui.engine.events.event import EventKind
from xwtui.errors import XwtuiError
from xwtui.lazy import lazy_imports
from xwtui.session.story import numbered_event
from xwtui.session.verbs.watching import save_log
from xwtui.session.wording import counted
from xwtui.text import printable
from xwtui.tui.widgets.painted import Fragment, KeyLine, Line
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.typing_room import TypedRows, TypingRoom

with lazy_imports():
    from xwtui.session.recording import NumberedEvent
    from xwtui.session.session import Session

_MOST = 10_000
"""Events that are listed, the latest ones."""
_LONGEST = 300
_KINDS: tuple[EventKind | None, ...] = (None, *EventKind)
_KEYS = (
    ("letters", "narrow"),
    ("Tab", "kind"),
    ("F2", "this entry"),
    ("Enter", "go there"),
    ("^Y", "copy"),
    ("^S", "save"),
    ("Esc", "back"),
)


class EventList(TypedRows["NumberedEvent"]):
    """One row an event."""

    def fragments(self, row: NumberedEvent, width: int, *, is_current: bool) -> Sequence[Fragment]:
        return [(f" {printable(numbered_event(row.number, row.event), _LONGEST)}", self.paint.text)]


class EventLogScreen(TypingRoom[int | None]):
    """Lists what was done up to where one stands, the latest first; ends with the number of an event to go to."""

    DEFAULT_CSS = """
    EventLogScreen { align: left bottom; background: $background 35%; }
    EventLogScreen > Vertical { height: 80%; width: 100%; background: $surface; border-top: solid $primary 60%; }
    EventLogScreen EventList { height: 1fr; }
    EventLogScreen Static { height: auto; min-height: 1; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        Binding("tab", "kind(1)", "kind"),
        Binding("shift+tab", "kind(-1)", "kind"),
        Binding("f2", "entry", "this entry"),
        Binding("ctrl+y", "copy", "copy"),
        Binding("ctrl+s", "save", "save"),
    ]
    between = ""
    leaving: ClassVar[Collection[str]] = ()

    def __init__(self, session: Session, entry: str) -> None:
        """`entry` is the entry or square that one stands at; empty for none."""
        super().__init__()
        self._session = session
        self._here = entry
        self._entry = ""
        self._kind: EventKind | None = None

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Line(id="log-filter")
            yield EventList(id="log-events")
            yield Static(id="log-said", markup=False)
            yield KeyLine(id="log-keys", gap=0)

    def on_mount(self) -> None:
        self.query_one("#log-keys", KeyLine).keys = _KEYS
        self.query_one(EventList).focus()
        self._show()

    def take_typed(self) -> None:
        self._show()

    def _show(self) -> None:
        recording = self._session.jobs.fill.recorded()
        found = recording.log(self._typed, _MOST, kind=self._kind, entry=self._entry)[::-1]
        self.query_one(EventList).show(found, 0)
        paint = self._palette
        parts = [f"kind {self._kind.value}"] if self._kind is not None else []
        parts += [f"at {self._entry}"] * bool(self._entry) + [f"with {self._typed!r}"] * bool(self._typed)
        narrowed = f" {', '.join(parts)}" if parts else ""
        self.query_one("#log-filter", Line).left = [
            (f" {counted(len(found), 'event')}", paint.heading),
            (printable(narrowed, 100), paint.accent),
        ]
        self._say("")

    def _say(self, text: str) -> None:
        said = Text(printable(text, _LONGEST), self._palette.warning)
        self.query_one("#log-said", Static).update(said)

    def _lines(self) -> list[str]:
        """The list in the order in which it happened."""
        rows: Sequence[NumberedEvent] = self.query_one(EventList).rows
        return [numbered_event(one.number, one.event) for one in reversed(rows)]

    @on(RowList.Chosen, "#log-events")
    def _chosen(self, event: EventList.Chosen) -> None:
        self.dismiss(self.query_one(EventList).rows[event.index].number + 1)

    def action_kind(self, step: int) -> None:
        """The next kind of event, around; all first."""
        self._kind = _KINDS[(_KINDS.index(self._kind) + step) % len(_KINDS)]
        self._show()

    def action_entry(self) -> None:
        """Only what is about the entry that one stands at, or all again."""
        self._entry = "" if self._entry else self._here
        self._show()
        if not self._here:
            self._say("this event is not about an entry")

    def action_copy(self) -> None:
        """Put the list on the clipboard, as far as the terminal takes it (OSC 52)."""
        lines = self._lines()
        self.app.copy_to_clipboard("\n".join(lines))
        self._say(f"{counted(len(lines), 'event')} copied")

    def action_save(self) -> None:
        source = self._session.document.path
        path = (
            source.parent if source is not None else Path()
        ) / f"{source.stem if source else 'search'}-events.txt"
        rows = self.query_one(EventList).rows[::-1]
        try:
            save_log(self._session, path, rows, text=self._typed, kind=self._kind, place=self._entry)
        except XwtuiError as error:
            self._say(str(error))
        else:
            self._say(f"saved in {path}; `events save FILE.trace` saves a recording that you can watch again")
