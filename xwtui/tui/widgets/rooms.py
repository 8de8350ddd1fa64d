"""What screens share: a list that typing narrows, a room that takes all typing, a list with its detail."""

from collections.abc import Collection, Hashable
from typing import ClassVar, Generic, TypeVar

from rich.text import Text
from textual import events, getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from xwtui.model import Position
from xwtui.text import printable, typed
from xwtui.tui.picture import Picture
from xwtui.tui.typeahead import PASSED_ON, leaves_for, letters_ahead
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, InPalette, KeyLine
from xwtui.tui.widgets.row_list import RowList

RowT = TypeVar("RowT")
ResultT = TypeVar("ResultT")


class NarrowedRows(RowList[RowT], Generic[RowT]):
    """A list that letters typed in it narrow."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "widen", "take a letter back", show=False),
        Binding("ctrl+u", "forget", "take all letters back", show=False),
    ]

    typed: reactive[str] = reactive("")

    class Narrowed(Message):
        """Other rows are shown."""

    class Typed(Message):
        """A letter was typed, or taken back."""

    def narrow(self, here: Hashable = None) -> None:
        """Show the rows that have what is typed, with that of `here` current, or the first."""
        raise NotImplementedError

    def takes(self, character: str) -> bool:
        return character.isalnum() and character.isascii()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and self.takes(character)

    def on_key(self, event: events.Key) -> None:
        if event.character is not None and self.takes(event.character):
            event.stop()
            self._type(self.typed + event.character.upper())

    def retype(self, text: str, here: Hashable = None) -> None:
        """Have this typed instead of all that was."""
        self.typed = text
        self.narrow(here)

    def _type(self, text: str) -> None:
        self.post_message(self.Typed())
        self.retype(text)

    def action_widen(self) -> None:
        self._type(self.typed[:-1])

    def action_forget(self) -> None:
        self._type("")


class TypedRows(RowList[RowT], Generic[RowT]):
    """A list of the room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "screen.widen", "take a letter back", show=False),
        Binding("ctrl+u", "screen.forget", "clear", show=False),
    ]

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isprintable()


class TypingRoom(InPalette, ModalScreen[ResultT], Generic[ResultT]):
    """Keeps what is typed; each kind of room says in `take_typed` what comes of it, and lets it be shown."""

    LONGEST: ClassVar[int] = 300
    leaving: ClassVar[Collection[str]] = PASSED_ON
    """Keys that leave the room for the grid, but for that of help, which opens over it."""
    between = " "

    def __init__(self, query: str = "") -> None:
        super().__init__()
        self._typed = query

    def take_typed(self) -> None:
        raise NotImplementedError

    def typed_so_far(self, sign: Fragment, hint: str) -> list[Fragment]:
        """What is typed, behind a sign; the hint while that is nothing."""
        so_far = [sign, (printable(self._typed, self.LONGEST), self._palette.text), ("▏", self._palette.accent)]
        return so_far if self._typed else [*so_far, (hint, self._palette.muted)]

    def type(self, text: str) -> None:
        """Have this typed instead of all that was."""
        self._typed = text[: self.LONGEST]
        self.take_typed()

    def on_key(self, event: events.Key) -> None:
        if (
            not leaves_for(self, event, self.leaving)
            and event.character is not None
            and event.character.isprintable()
        ):
            event.stop()
            self.type(self._typed + event.character + letters_ahead(self.app, self.leaving))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.type(self._typed + self.between.join(filter(None, map(typed, event.text.splitlines()))))

    def action_widen(self) -> None:
        self.type(self._typed[:-1])

    def action_forget(self) -> None:
        self.type("")


LINES_AROUND = 4
"""Lines that are not the list's: heading, the pointed row in full, keys."""
_MOST_LINES = 4
_PANEL_WIDTH = 32
"""Cells beside the grid, before that takes any more."""


class ListAndDetail(Vertical):
    """Fills a screen; what stands `beside` one another is a list, and perhaps the grid that this is about."""

    DEFAULT_CSS = """
    ListAndDetail { width: 100%; height: 100%; background: $background; }
    ListAndDetail > Horizontal { height: 1fr; }
    ListAndDetail > Static { height: 2; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "app.help", show=False),
        Binding("colon", "app.command_line", show=False),
    ]

    grid = getters.query_one(GridView)

    def __init__(self, name: str, *beside: Widget) -> None:
        super().__init__()
        self.heading, self._keys, self._detail = Heading(name), KeyLine(gap=1), Static(markup=False)
        self._beside = beside
        self._told: tuple[Fragment, ...] = ()
        self._lines = 2

    def compose(self) -> ComposeResult:
        yield self.heading
        yield Horizontal(*self._beside)
        yield self._detail
        yield self._keys

    def on_mount(self) -> None:
        for grid in self.query(GridView):
            grid.can_focus = False

    def show_keys(self, *keys: tuple[str, str]) -> None:
        """Show keys with what they do, those that matter most first."""
        self._keys.keys = keys

    def tell(self, *fragments: Fragment) -> None:
        """Show the pointed row in full, or as much of it as has room."""
        self._told, width = fragments, max(self.screen.size.width - 2, 1)
        lines = Text.assemble(*fragments).wrap(self.app.console, width)[: self._lines + 1]
        if len(lines) > self._lines:
            lines[-2].truncate(width - 1)
            lines[-2].append("…")
        self._detail.update(Text("\n").join(lines[: self._lines]), layout=False)

    def draw(self, picture: Picture, marked: Collection[Position]) -> None:
        """Draw the grid, with what is marked there in view."""
        before, self.grid.picture = self.grid.picture, picture
        if before is None or (before.grid.height, before.grid.width) != (picture.grid.height, picture.grid.width):
            self.fit()
        self.grid.reveal(marked)

    def fit(self) -> Size:
        """Let the grid take what the list can spare, and the pointed row what is left below; returns its cells."""
        size = self.screen.size
        taken = self.grid.fit(size.width - _PANEL_WIDTH - 1, size.height - LINES_AROUND)
        self._detail.styles.height = self._lines = max(2, min(size.height - taken.height - 2, _MOST_LINES))
        self.tell(*self._told)
        return taken
