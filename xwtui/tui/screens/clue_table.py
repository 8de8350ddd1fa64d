"""The clue table: every entry with its answer and clue, edited in place."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import Screen
from textual.widgets import Input

from xwtui.errors import XwtuiError
from xwtui.model import Slot
from xwtui.session.session import Session
from xwtui.text import printable, typed
from xwtui.tui.entry_rows import EntryOrder, EntryRow, clues_remark, entry_rows
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.entry_list import ClueList
from xwtui.tui.widgets.key_footer import KeyFooter
from xwtui.tui.widgets.painted import Heading, Line, give_paint

_LONGEST_CLUE = 2_000


class ClueTable(Screen[None]):
    """Enter edits the clue of the row, Enter again keeps it and goes on to the next, Esc leaves."""

    DEFAULT_CSS = """
    ClueTable { layers: base edit; layout: vertical; background: $background; }
    ClueTable ClueList { height: 1fr; }
    ClueTable Input {
        layer: edit; display: none; position: absolute; width: 20; height: 1;
        border: none; padding: 0; background: $panel;
    }
    ClueTable Input:focus { border: none; background-tint: $foreground 0%; }
    ClueTable Input.-open { display: block; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "edit", "edit the clue", key_display="Enter"),
        Binding("escape,f2", "leave", "back", key_display="Esc"),
        Binding("exclamation_mark", "missing", "next without a clue"),
        Binding("ctrl+z", "undo", "undo", key_display="^Z"),
        Binding("ctrl+y", "redo", "redo", key_display="^Y"),
    ]

    def __init__(self, session: Session, palette: Palette) -> None:
        super().__init__()
        self._session = session
        self._palette = palette

    def compose(self) -> ComposeResult:
        """The table, with a field that stands over the clue being edited."""
        yield Heading("CLUES", id="table-heading")
        yield ClueList(id="table")
        yield Input(id="clue", select_on_focus=False, max_length=_LONGEST_CLUE)
        yield Line(id="said")
        yield KeyFooter()

    def on_mount(self) -> None:
        """List the clues, from the current entry."""
        give_paint(self, self._palette)
        here = self._session.cursor.slot
        self.show(here.name if here is not None else "")
        self.table.focus()
        self.call_after_refresh(self.table.reveal)

    @property
    def table(self) -> ClueList:
        """The table."""
        return self.query_one("#table", ClueList)

    @property
    def field(self) -> Input:
        """The field that stands over a clue."""
        return self.query_one("#clue", Input)

    def show(self, name: str = "") -> None:
        """List the clues as they are now; an entry's name makes its row the current one."""
        rows = entry_rows(self._session.puzzle, {}, self._session.jobs.words.score, EntryOrder.CLUE)
        at = next((index for index, row in enumerate(rows) if row.name == name), None)
        self.table.show(rows, at)
        self.query_one("#table-heading", Heading).remark = clues_remark(rows)

    @property
    def _row(self) -> EntryRow | None:
        rows = self.table.rows
        return rows[self.table.current] if rows else None

    def _slot(self) -> Slot | None:
        row = self._row
        return self._session.puzzle.grid.slot(row.name) if row is not None else None

    @on(ClueList.Chosen, "#table")
    def action_edit(self) -> None:
        """Edit the clue of the current row."""
        row = self._row
        if row is None:
            return
        self.table.reveal()
        self._place_field()
        self.field.add_class("-open")
        self.field.value = row.draft
        if not row.clue and row.draft:
            whose = "offered" if row.offered else f"clue of {row.stale.answer}" if row.stale is not None else ""
            self._say(f"{whose}: Enter makes it the clue of {row.name}, Ctrl+U clears the line, Esc leaves it")
        self.field.cursor_position = len(self.field.value)
        self.field.focus()

    def _place_field(self) -> None:
        table = self.table
        row = table.current - table.top
        self.field.styles.offset = Offset(table.clue_column, table.region.y + row)
        self.field.styles.width = max(table.size.width - table.clue_column, 10)

    @on(Input.Submitted)
    def _keep(self, event: Input.Submitted) -> None:
        slot = self._slot()
        text = typed(event.value)
        self._close_field()
        if slot is not None:
            self._attempt(slot, text)
        self.table.action_point(1)

    def _attempt(self, slot: Slot, text: str) -> None:
        try:
            self._session.edit(f"clue {slot.name}", lambda puzzle: puzzle.with_clue(slot, text))
        except XwtuiError as error:
            self._say(str(error))
        self.show()

    def _say(self, text: str) -> None:
        self.query_one("#said", Line).left = [(f" {printable(text, 200)}", self._palette.warning)]

    def _close_field(self) -> None:
        self.query_one("#said", Line).left = []
        self.field.remove_class("-open")
        self.table.focus()

    def action_leave(self) -> None:
        """Leave the field, or the table; the grid's cursor follows to the current row."""
        if self.field.has_focus:
            self._close_field()
            return
        slot = self._slot()
        if slot is not None and slot != self._session.cursor.slot:
            self._session.cursor.move_to(slot.start, slot.direction)
        self.dismiss(None)

    def action_missing(self) -> None:
        """Go to the next entry without a clue."""
        rows, here = self.table.rows, self.table.current
        order = [*range(here + 1, len(rows)), *range(here + 1)] if rows else []
        empty = next((index for index in order if not rows[index].clue), None)
        if empty is None:
            self._say("every entry has a clue")
        else:
            self.table.action_point(empty - here)

    def action_undo(self) -> None:
        """Take the last edit back."""
        label = self._session.undo()
        self._say(f"undone: {label}" if label else "nothing to undo")
        self.show()

    def action_redo(self) -> None:
        """Make the last undone edit again."""
        label = self._session.redo()
        self._say(f"done again: {label}" if label else "nothing to redo")
        self.show()

    def on_resize(self, event: events.Resize) -> None:
        """Keep the field over its clue."""
        if self.is_mounted and self.field.has_class("-open"):
            self.call_after_refresh(self._place_field)
