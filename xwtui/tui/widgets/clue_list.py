"""The entries with their answers and clues."""

from collections.abc import Sequence

from xwtui.text import printable
from xwtui.tui.entry_rows import EntryRow
from xwtui.tui.fragments import Fragment
from xwtui.tui.widgets.row_list import RowList

_NAME_WIDTH = 6
_SCORE_WIDTH = 5


class ClueList(RowList[EntryRow]):
    """One row an entry: name, answer so far, clue."""

    @property
    def clue_column(self) -> int:
        """The cell where clues begin."""
        return _NAME_WIDTH + self._answer_width

    @property
    def _answer_width(self) -> int:
        longest = max((len(row.pattern) for row in self.rows), default=0) + 1
        return max(min(longest, (self.size.width - _NAME_WIDTH) // 3), 6)

    def fragments(self, row: EntryRow, width: int, *, is_current: bool) -> Sequence[Fragment]:
        """What a row shows."""
        paint = self.paint
        wide = self._answer_width
        room = max(width - _NAME_WIDTH - wide - 1, 1)
        style = paint.text if row.is_filled else paint.muted
        clue = (printable(row.clue, room), paint.text) if row.clue else ("—", paint.muted)
        name = (f" {row.name:<{_NAME_WIDTH - 1}}", paint.accent if is_current else paint.muted)
        return [name, (printable(row.pattern, wide - 1).ljust(wide), style), clue]

    def empty_text(self) -> str:
        """What stands where there are no entries."""
        return "no entries yet"
