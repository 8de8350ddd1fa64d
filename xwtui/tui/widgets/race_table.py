"""The table of a race: rows in the colour of their state, columns as wide as what is in them."""

from collections.abc import Mapping, Sequence

from rich.style import Style
from rich.text import Text
from textual.widgets import DataTable

from xwtui.racing.report import Column, Row
from xwtui.racing.standing import RunState
from xwtui.tui.palette import Palette

_LONGEST_NAME = 22
_PLAIN = Style()


class RaceTable(DataTable[Text]):
    """Shows rows under columns; each entrant has the letter of its line in the plot before its name."""

    DEFAULT_CSS = """
    RaceTable { height: auto; background: $background; scrollbar-size: 1 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, cursor_type="row", cell_padding=0)

    def show(
        self, columns: Sequence[Column], rows: Sequence[Row], marks: Mapping[str, str], paint: Palette, room: int
    ) -> None:
        """Write the table anew for so many cells of room; the row that is pointed at stays."""
        headings = tuple(column.heading for column in columns)
        named = [(f"{marks.get(row.cells[0], ' ')} {_shortened(row.cells[0])}", *row.cells[1:]) for row in rows]
        widths = [max(map(len, cells)) for cells in zip(headings, *named, strict=True)]
        gap = 2 if sum(widths) + 2 * len(widths) <= room else 1
        pointed = self.cursor_row
        self.clear(columns=True)
        for column, width in zip(columns, widths, strict=True):
            self.add_column(_cell(column, column.heading, width), width=width + gap)
        for row, cells in zip(rows, named, strict=True):
            style = _style(row.state, paint)
            pairs = zip(columns, cells, widths, strict=True)
            self.add_row(*(_cell(column, cell, width, style) for column, cell, width in pairs))
        self.move_cursor(row=min(pointed, len(rows) - 1))


def _cell(column: Column, text: str, width: int, style: Style = _PLAIN) -> Text:
    return Text(text.rjust(width) if column.is_number else text, style)


def _style(state: RunState | None, paint: Palette) -> Style:
    """The style of a row; the word for the state stands there in any case."""
    if state is None or state is RunState.RUNNING:
        return paint.text
    if state.is_settled:
        return paint.good
    return paint.bad if state in (RunState.CRASHED, RunState.FOUL) else paint.muted


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
