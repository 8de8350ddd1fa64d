"""Typing among lists: what is typed narrows one, or a room takes it, whose lists leave all typing to the room."""

from collections.abc import Collection, Hashable
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.screen import ModalScreen

from xwtui.text import printable, typed
from xwtui.tui.typeahead import PASSED_ON, leaves_for, letters_ahead
from xwtui.tui.widgets.painted import Fragment, InPalette
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

    passed_on: ClassVar[Collection[str]] = ()
    """Printable keys that are keys of the screen all the same."""

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isprintable() and key not in self.passed_on


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
