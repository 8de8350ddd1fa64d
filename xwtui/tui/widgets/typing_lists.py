"""Parts shared by screens: a field, lists and screens that take typing, and a list with details."""

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
from textual.widgets import Input, Static

from xwtui.model import Position
from xwtui.text import printable, typed
from xwtui.tui.picture import Picture
from xwtui.tui.typeahead import PASSED_ON, leaves_for, letters_ahead
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, InPalette, KeyLine
from xwtui.tui.widgets.row_list import RowList

RowT = TypeVar("RowT")
ResultT = TypeVar("ResultT")


class LineField(Input):
    """A field in which Ctrl+U deletes everything typed after `stays`, then that as well."""

    stays = ""

    def action_delete_left_all(self) -> None:
        is_longer = self.value.startswith(self.stays) and len(self.value) > len(self.stays)
        self.value = self.stays if is_longer else ""
        self.cursor_position = len(self.value)


class NarrowedRows(RowList[RowT], Generic[RowT]):
    """A list narrowed by letters typed in it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "widen", "take a letter back", show=False),
        Binding("ctrl+u", "forget", "take all letters back", show=False),
    ]

    typed: reactive[str] = reactive("")

    class Narrowed(Message):
        """The list was narrowed or widened."""

    class Typed(Message):
        """A letter was typed or deleted."""

    def narrow(self, here: Hashable = None) -> None:
        """Show the rows that match the typed letters, with the row `here` current, or else the first."""
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
        """Replace the typed letters."""
        self.typed = text
        self.narrow(here)

    def _type(self, text: str) -> None:
        self.post_message(self.Typed())
        self.retype(text)

    def action_widen(self) -> None:
        self._type(self.typed[:-1])

    def action_forget(self) -> None:
        self._type("")


class TypingList(RowList[RowT], Generic[RowT]):
    """The list of a `TypingScreen`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "screen.widen", "take a letter back", show=False),
        Binding("ctrl+u", "screen.forget", "clear", show=False),
    ]

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isprintable()


class TypingScreen(InPalette, ModalScreen[ResultT], Generic[ResultT]):
    """A screen that collects typed text; subclasses react to it in `take_typed` and show it."""

    LONGEST: ClassVar[int] = 300
    leaving: ClassVar[Collection[str]] = PASSED_ON
    """Keys that close the screen and go on to the grid; the help key opens help on top instead."""
    between = " "

    def __init__(self, query: str = "") -> None:
        super().__init__()
        self._typed = query

    def take_typed(self) -> None:
        raise NotImplementedError

    def typed_so_far(self, sign: Fragment, hint: str) -> list[Fragment]:
        """Return the typed text after a prompt sign, or the hint if it is empty."""
        so_far = [sign, (printable(self._typed, self.LONGEST), self._palette.text), ("▏", self._palette.accent)]
        return so_far if self._typed else [*so_far, (hint, self._palette.muted)]

    def type(self, text: str) -> None:
        """Replace the typed text."""
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
"""Lines around the list: the heading, the current row in full, the keys."""
_MOST_LINES = 4
_PANEL_WIDTH = 32
"""Cells reserved next to the grid, before it gets more."""


class ListAndDetail(Vertical):
    """A full-screen layout; the widgets `beside` each other are a list and possibly the grid that it is about."""

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
        self._fragments: tuple[Fragment, ...] = ()
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
        """Show keys with their descriptions, most important first."""
        self._keys.keys = keys

    def show_detail(self, *fragments: Fragment) -> None:
        """Show the current row in full, or as much of it as fits."""
        self._fragments, width = fragments, max(self.screen.size.width - 2, 1)
        lines = Text.assemble(*fragments).wrap(self.app.console, width)[: self._lines + 1]
        if len(lines) > self._lines:
            lines[-2].truncate(width - 1)
            lines[-2].append("…")
        self._detail.update(Text("\n").join(lines[: self._lines]), layout=False)

    def draw(self, picture: Picture, marked: Collection[Position]) -> None:
        """Draw the grid, with the marked squares in view."""
        before, self.grid.picture = self.grid.picture, picture
        if before is None or (before.grid.height, before.grid.width) != (picture.grid.height, picture.grid.width):
            self.fit()
        self.grid.reveal(marked)

    def fit(self) -> Size:
        """Give the grid what the list can spare, and the current row what is left below; return the grid size."""
        size = self.screen.size
        taken = self.grid.fit(size.width - _PANEL_WIDTH - 1, size.height - LINES_AROUND)
        self._detail.styles.height = self._lines = max(2, min(size.height - taken.height - 2, _MOST_LINES))
        self.show_detail(*self._fragments)
        return taken
