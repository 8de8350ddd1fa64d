"""What could come next on the command line, in a list above it."""

from collections.abc import Sequence
from typing import NamedTuple

from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.widgets.row_list import RowList

_MOST_SHOWN = 8


class Offer(NamedTuple):
    """A line completed: as a whole, with the word that was put in and what it is."""

    line: str
    word: str
    description: str


class CompletionList(RowList[Offer]):
    """Offers for the line so far; `walk` goes through them."""

    DEFAULT_CSS = """
    CompletionList {
        layer: overlay; dock: bottom; display: none;
        margin: 0 0 2 0; width: 100%; height: auto;
        background: $surface; border-top: solid $primary 60%;
    }
    CompletionList.-open { display: block; }
    """

    def offer(self, offers: Sequence[Offer]) -> None:
        """Show other offers, none of them taken yet."""
        self.show(offers, -1 if offers else 0)
        self.set_class(bool(offers), "-open")
        self.styles.height = min(len(offers), _MOST_SHOWN) + 1
        self.top = 0

    @property
    def taken(self) -> Offer | None:
        """The offer that was walked to last."""
        return self.rows[self.current] if 0 <= self.current < len(self.rows) else None

    def walk(self, step: int) -> Offer | None:
        """The next offer, or the one before, around."""
        if not self.rows:
            return None
        self.current = (
            (self.current + step) % len(self.rows) if self.current >= 0 or step > 0 else len(self.rows) - 1
        )
        self.reveal()
        return self.rows[self.current]

    def fragments(self, row: Offer, width: int, *, is_current: bool) -> Sequence[Fragment]:
        """What a row shows."""
        style = self.paint.accent if is_current else self.paint.text
        return [(f" {printable(row.word, 24):<25}", style), (printable(row.description, 120), self.paint.muted)]
