"""The changes that a question proposes, the best first."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from xwtui.session.jobs.question import Proposal
from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.widgets.row_list import RowList

FILLED_SIGN, DEAD_SIGN, OPEN_SIGN = "●", "×", "○"
_NUMBER_WIDTH = 4
_LONGEST_TEXT = 200


class ProposalList(RowList[Proposal]):
    """One row a proposal; what is typed here narrows the list to those whose words have it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "widen", "take a letter back", show=False),
    ]

    typed: reactive[str] = reactive("")
    """What narrows the list."""

    remark: reactive[str] = reactive("")
    """What stands where nothing is proposed."""

    class Narrowed(Message):
        """Other rows are shown, because of what was typed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: Sequence[Proposal] = ()
        self._numbers: dict[str, int] = {}

    def offer(self, proposals: Sequence[Proposal]) -> None:
        """Offer better ones: the list stays on its proposal, but for the first row, which is the best one's."""
        pointed = self.pointed.text if self.pointed is not None and self.current > 0 else None
        self._all = proposals
        self._numbers = {proposal.text: number for number, proposal in enumerate(proposals, 1)}
        self._narrow(pointed)

    @property
    def pointed(self) -> Proposal | None:
        """The proposal of the current row."""
        return self.rows[self.current] if 0 <= self.current < len(self.rows) else None

    def _narrow(self, pointed: str | None = None) -> None:
        rows = [one for one in self._all if self.typed in one.text.upper()]
        place = next((index for index, one in enumerate(rows) if one.text == pointed), 0)
        self.show(rows, place)
        self.reveal()

    def fragments(self, row: Proposal, width: int, *, is_current: bool) -> Sequence[Fragment]:
        """What a row shows."""
        paint = self.paint
        sign, style = (OPEN_SIGN, paint.muted)
        if row.is_dead:
            sign, style = DEAD_SIGN, paint.bad
        elif row.fill:
            sign, style = FILLED_SIGN, paint.good
        figure = f" {row.figure} " if row.figure else ""
        room = max(width - _NUMBER_WIDTH - 2 - len(figure), 1)
        text = printable(row.text if len(row.text) <= room or not row.brief else row.brief, _LONGEST_TEXT)
        text = text if len(text) <= room else text[: room - 1] + "…"
        number = f"{self._numbers.get(row.text, 0):{_NUMBER_WIDTH - 1}} "
        return [
            (number, paint.accent if is_current else paint.muted),
            (f"{sign} ", style),
            (text.ljust(room), paint.muted if row.is_dead else paint.text),
            (figure, paint.muted),
        ]

    def empty_text(self) -> str:
        """What stands where there are no rows."""
        return f"none has {self.typed}" if self.typed and self._all else self.remark

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Whether a key narrows the list and so is not a key of the screen."""
        return character is not None and (character.isalnum() or character == " ")

    def on_key(self, event: events.Key) -> None:
        """Narrow the list by a character."""
        if event.character is not None and self.check_consume_key(event.key, event.character):
            event.stop()
            self._type(self.typed + event.character.upper())

    def action_widen(self) -> None:
        """Take back the last character that narrowed the list."""
        self._type(self.typed[:-1])

    def _type(self, typed: str) -> None:
        self.typed = typed
        self._narrow()
        self.post_message(self.Narrowed())
