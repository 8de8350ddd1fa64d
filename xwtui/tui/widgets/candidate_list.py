"""The words that fit the current entry, best first."""

from collections.abc import Sequence
from typing import ClassVar, Protocol

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.widgets.row_list import RowList

_WIDEST_WORD = 24


class CandidateWord(Protocol):
    """A word that fits an entry; it is alive if its crossings leave room for it."""

    @property
    def word(self) -> str:
        """The word."""
        ...

    @property
    def score(self) -> int | None:
        """Its score, 0 to 100; None where no list has it."""
        ...

    @property
    def alive(self) -> bool:
        """Whether it survives propagation."""
        ...

    @property
    def killed_by(self) -> str | None:
        """The entry that a dead one leaves without a word, where that is known."""
        ...

    @property
    def log10(self) -> float | None:
        """About how many fills have it, as a power of ten, where that is known."""
        ...


class CandidateList(RowList[CandidateWord]):
    """One row a word; letters that are typed here narrow the list to words that begin with them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "place the word", key_display="Enter"),
        Binding("escape", "leave", "back to the grid", key_display="Esc"),
        Binding("backspace", "widen", "take a letter back", show=False),
    ]

    typed: reactive[str] = reactive("")
    """The letters that narrow the list."""

    remark: reactive[str] = reactive("")
    """What stands where there are no words."""

    class Left(Message):
        """The constructor is done with the list."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: Sequence[CandidateWord] = ()

    def offer(self, words: Sequence[CandidateWord], *, keep_place: bool) -> None:
        """Offer other words, from the top or from the word that was current."""
        here = self.rows[self.current].word if keep_place and self.current < len(self.rows) else None
        self._all = words
        if not keep_place:
            self.typed = ""
        self._narrow(here)

    @property
    def chosen_word(self) -> str | None:
        """The word of the current row."""
        return self.rows[self.current].word if self.current < len(self.rows) else None

    def _narrow(self, here: str | None = None) -> None:
        rows = [row for row in self._all if row.word.startswith(self.typed)]
        place = next((index for index, row in enumerate(rows) if row.word == here), 0) if here else 0
        self.show(rows, place)
        self.reveal()

    def fragments(self, row: CandidateWord, width: int, *, is_current: bool) -> Sequence[Fragment]:
        """What a row shows."""
        paint = self.paint
        room = min(width - 14, _WIDEST_WORD)
        word = printable(row.word, room).ljust(room)
        score = f"{'–' if row.score is None else row.score:>4}"
        if not row.alive:
            return [
                (f" {word}", paint.muted),
                (score, paint.muted),
                (f"  dead {row.killed_by or ''}", paint.muted),
            ]
        room_left = "" if row.log10 is None else f" 10^{row.log10:.1f}".rjust(9)
        return [
            (f" {word}", paint.accent if is_current else paint.text),
            (score, paint.good),
            (room_left, paint.text),
        ]

    def empty_text(self) -> str:
        """What stands where there are no words."""
        return f"none begins with {self.typed}" if self.typed and self._all else self.remark

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Whether a key narrows the list and so is not a key of the screen."""
        return character is not None and character.isalnum()

    def on_key(self, event: events.Key) -> None:
        """Narrow the list by a letter."""
        if event.character is not None and event.character.isalnum() and event.character.isascii():
            event.stop()
            self.typed += event.character.upper()
            self._narrow()

    def action_widen(self) -> None:
        """Take back the last letter that narrowed the list."""
        self.typed = self.typed[:-1]
        self._narrow()

    def action_leave(self) -> None:
        """Go back to the grid."""
        self.post_message(self.Left())
