"""The clues as a solver has them beside the grid."""

from collections.abc import Sequence
from typing import NamedTuple

from xwtui.model import Slot
from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.widgets.row_list import RowList

NOTE_SIGN = "✎"
"""What tells that something was noted on a clue."""
_NAME_WIDTH = 5


class SolverClue(NamedTuple):
    """A clue in the list."""

    slot: Slot
    clue: str
    is_filled: bool
    has_note: bool


class SolverClueList(RowList[SolverClue]):
    """One row a clue; the current entry's is marked, and the one that crosses it."""

    is_current_way = False
    """Whether the current entry is one of these."""

    def fragments(self, row: SolverClue, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint = self.paint
        is_here = is_current and self.is_current_way
        sign = f" {NOTE_SIGN}" if row.has_note else ""
        name = f"{row.slot.label:<{_NAME_WIDTH - 2}} "
        text = printable(row.clue or "—", max(width - len(name) - 1 - len(sign), 1))
        return [
            (
                f"{'▸' if is_here else ' '}{name}",
                paint.accent if is_current else paint.muted,
            ),
            (text, paint.muted if row.is_filled else paint.text),
            (sign, paint.accent),
        ]

    def empty_text(self) -> str:
        return "no entries"
