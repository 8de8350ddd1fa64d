"""The clue table: every entry with its answer and clue, edited in place."""

from typing import ClassVar, TypeAlias

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.screen import Screen
from textual.widgets import Input

from xwtui.errors import XwtuiError
from xwtui.model import Slot
from xwtui.session.keys.names import key_cap
from xwtui.session.session import Session
from xwtui.text import printable, typed
from xwtui.tui.entry_rows import EntryOrder, EntryRow, clues_remark, entry_rows
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.entry_list import ClueList
from xwtui.tui.widgets.key_footer import KeyFooter
from xwtui.tui.widgets.painted import Heading, Line, give_paint

_LONGEST_CLUE = 2_000

ClueDrafts: TypeAlias = dict[str, str]
"""What was typed for an entry and left with Esc, by the entry's name."""


class ClueRows(ClueList):
    """The rows of the table, whose Enter stands in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", "edit the clue", key_display="Enter")]


class ClueField(Input):
    """The field over a clue, whose Enter stands in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "keep, next clue", key_display="Enter")]


class ClueTable(Screen[None]):
    """Enter edits the clue of the row, Enter again keeps it and goes on to the next, Esc leaves.

    A letter begins to edit too. Whoever goes to another row keeps the clue that is being edited; Esc leaves it
    as it was, and what was typed waits in `drafts` until that entry's clue is edited again.
    """

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
        Binding("escape", "leave", "back", key_display="Esc"),
        Binding("f2", "close", "back", show=False),
        Binding("up,shift+tab", "go(-1)", "row up", show=False),
        Binding("down,tab", "go(1)", "row down", show=False),
        Binding("exclamation_mark", "missing", "next without a clue"),
        Binding("ctrl+z", "undo", "undo", key_display="^Z"),
        Binding("ctrl+y", "redo", "redo", key_display="^Y"),
    ]

    def __init__(self, session: Session, palette: Palette, drafts: ClueDrafts) -> None:
        super().__init__()
        self._session = session
        self._palette = palette
        self._drafts = drafts
        self._edited = ""
        """The entry whose clue is edited; empty while none is."""

    def compose(self) -> ComposeResult:
        """The table, with a field that stands over the clue being edited."""
        yield Heading("CLUES", id="table-heading")
        yield ClueRows(id="table")
        yield ClueField(id="clue", select_on_focus=False, max_length=_LONGEST_CLUE)
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
    def _edit(self) -> None:
        """Edit the clue of the current row."""
        self.keep_typed()
        row = self._row
        if row is None:
            return
        left = self._drafts.get(row.name)
        self._open_field(row.name, row.draft if left is None else left)
        if left is not None:
            self._say(f"left here before: Enter makes it the clue of {row.name}, Ctrl+U clears the line")
        elif not row.clue and row.draft:
            whose = "offered" if row.offered else f"clue of {row.stale.answer}" if row.stale is not None else ""
            self._say(f"{whose}: Enter makes it the clue of {row.name}, Ctrl+U clears the line, Esc leaves it")

    def on_key(self, event: events.Key) -> None:
        """Begin to edit with a letter that is typed, at the end of the clue that stands there."""
        row = self._row
        if event.key in self.active_bindings or (self._edited and event.is_printable):
            return
        event.stop()
        if row is None or not event.is_printable:
            self._say(f"{key_cap(event.key)} does nothing here; Esc leads back to the grid")
            return
        self._open_field(row.name, self._drafts.get(row.name, row.clue) + (event.character or "").lstrip())

    def _open_field(self, entry: str, text: str) -> None:
        self.table.reveal()
        self._place_field()
        self._edited = ""
        self.field.add_class("-open")
        self.field.value = text
        self.field.cursor_position = len(text)
        self._edited = entry
        self.field.focus()

    def _place_field(self) -> None:
        table = self.table
        row = table.current - table.top
        self.field.styles.offset = Offset(table.clue_column, table.region.y + row)
        self.field.styles.width = max(table.size.width - table.clue_column, 10)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._keep()
        self.table.action_point(1)

    @on(ClueList.Pointed, "#table")
    def keep_typed(self) -> None:
        """Keep the clue that is being edited, as far as anything was typed: the constructor has gone elsewhere."""
        if self._is_changed:
            self._keep()
        elif self._edited:
            self._close_field()

    @property
    def _is_changed(self) -> bool:
        row = next((row for row in self.table.rows if row.name == self._edited), None)
        return row is not None and self.field.value != row.draft

    def _keep(self) -> None:
        """Make what was typed the clue."""
        entry, text = self._edited, typed(self.field.value)
        self._drafts.pop(entry, None)
        self._close_field()
        slot = self._session.puzzle.grid.slots_by_name.get(entry)
        if slot is not None:
            self._attempt(slot, text)

    def _attempt(self, slot: Slot, text: str) -> None:
        try:
            self._session.edit(f"clue {slot.name}", lambda puzzle: puzzle.with_clue(slot, text))
        except XwtuiError as error:
            self._say(str(error))
        self.show()

    def _say(self, text: str) -> None:
        self.query_one("#said", Line).left = [(f" {printable(text, 200)}", self._palette.warning)]

    def _close_field(self) -> None:
        self._edited = ""
        self.query_one("#said", Line).left = []
        self.field.remove_class("-open")
        self.table.focus()

    def action_go(self, rows: int) -> None:
        """Go to another row; a clue that is being edited is kept."""
        self.table.action_point(rows)

    def action_leave(self) -> None:
        """Leave the field, or the table."""
        if not self._edited:
            self._leave_table()
            return
        entry, is_changed = self._edited, self._is_changed
        if is_changed:
            self._drafts[entry] = self.field.value
        self._close_field()
        if is_changed:
            self._say(f"{entry}: the clue is as it was; Enter brings back what you have typed")

    def action_close(self) -> None:
        """Leave the table; a clue that is being edited is kept."""
        self.keep_typed()
        self._leave_table()

    def _leave_table(self) -> None:
        """Go back to the grid, whose cursor follows to the current row."""
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
