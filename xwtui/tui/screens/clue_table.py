"""The clue screen: every entry with its answer and clue, edited in place, and details of the current entry."""

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.geometry import Offset, Size
from textual.screen import Screen
from textual.widgets import Input
from textual.widgets.input import Selection

from xwtui.model import Puzzle, Slot
from xwtui.session.messages import Message, PuzzleChanged
from xwtui.session.session import Session
from xwtui.session.verbs.registry import run_line
from xwtui.text import counted, typed
from xwtui.tui.keys import KeyFooter
from xwtui.tui.screens.overlays import ChoiceScreen, ShortAnswer, unless_left
from xwtui.tui.typeahead import pass_on
from xwtui.tui.widgets.clue_pane import ClueSide, SuggestionList, remarked_entries
from xwtui.tui.widgets.entry_list import (
    ClueField,
    ClueFilter,
    ClueList,
    ClueRows,
    EntryOrder,
    EntryRow,
    clues_remark,
    entry_rows,
    row_from,
)
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Heading, InPalette, Line

_LONGEST_CLUE = 2_000
_WIDE = 104
"""Width from which the grid and the current entry are next to the list."""
_NARROWEST_LIST = 56
_EACH = "each"
_LINES_AROUND = 3
"""Lines above and below the list and the pane next to it."""
ClueDrafts: TypeAlias = dict[str, str]
"""What was typed for an entry and left with Esc, by entry name."""


class ClueTable(InPalette, Screen[None]):
    """Enter edits the row's clue, Enter again keeps it and goes to the next row, Esc leaves.

    Typing a letter starts editing too. Moving to another row keeps the clue being edited. Esc leaves it unchanged,
    and the typed text waits in `drafts` until that entry's clue is edited again. Tab goes to the suggestions and
    back; Enter there starts the clue from one of them. Text being typed is journaled.
    """

    DEFAULT_CSS = """
    ClueTable { layers: base edit; layout: vertical; background: $background; }
    ClueTable #clue-body { layout: vertical; height: 1fr; }
    ClueTable #table { height: 1fr; }
    ClueTable.-wide #clue-body { layout: horizontal; }
    ClueTable.-wide #table { width: 1fr; height: 100%; }
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
        Binding("up", "go(-1)", "row up", show=False),
        Binding("down", "go(1)", "row down", show=False),
        Binding("tab,shift+tab", "change_pane", "suggestions", key_display="Tab"),
        Binding("exclamation_mark", "missing", "unclued"),
        Binding("f3", "filter", "filter", key_display="F3"),
        Binding("ctrl+s", "save", "save", key_display="^S"),
        Binding("ctrl+z", "travel('undo')", "undo", key_display="^Z"),
        Binding("ctrl+y", "travel('redo')", "redo", key_display="^Y", show=False),
        Binding("colon", "pass_on('colon', ':')", "verb", key_display=":"),
        Binding("ctrl+p", "pass_on('ctrl+p')", "everything", show=False),
    ]

    table = getters.query_one("#table", ClueList)
    field = getters.query_one("#clue", ClueField)
    side = getters.query_one("#clue-side", ClueSide)
    """Details of the current entry, with the grid and suggestions."""

    def __init__(self, session: Session, drafts: ClueDrafts) -> None:
        super().__init__()
        self._session = session
        self._drafts = drafts
        self._edited = ""
        """The entry whose clue is being edited, or an empty string."""
        self._answer: str | None = None
        """The answer whose clue is being edited: the entry's answer when the field was opened."""
        self._draft = ""
        """The field's initial text for this entry, without typing."""
        self._filter = ClueFilter.ALL
        self._rows: Sequence[EntryRow] = ()
        self._listed: Puzzle | None = None
        """The puzzle whose entries are in `_rows`."""

    def compose(self) -> ComposeResult:
        yield Heading("CLUES", id="table-heading")
        with Container(id="clue-body"):
            yield ClueRows(id="table")
            yield ClueSide(id="clue-side")
        yield ClueField(id="clue", select_on_focus=False, max_length=_LONGEST_CLUE)
        yield Line(id="message-line")
        yield KeyFooter()

    def on_mount(self) -> None:
        here = self._session.cursor.slot
        self.show(here.name if here is not None else "")
        self.table.focus()
        self.call_after_refresh(self.table.reveal)

    def show(self, name: str = "") -> None:
        """List the current clues, and go to the named entry, or to the next one listed."""
        self._listed = puzzle = self._session.puzzle
        self._rows = entry_rows(puzzle, {}, self._session.jobs.words.score, EntryOrder.CLUE)
        remarked = remarked_entries(puzzle)
        rows = [row for row in self._rows if self._filter.takes(row, remarked)]
        self.table.remarked = remarked
        self.table.show(rows, row_from(self._rows, rows, name))
        remark = self._filter.remark(len(rows), len(self._rows)) or clues_remark(self._rows, len(remarked))
        self.query_one("#table-heading", Heading).remark = remark
        self._show_current()

    def receive(self, report: Message) -> None:
        """Update the list after outside changes, such as a fill; a clue being edited stays open."""
        if isinstance(report, PuzzleChanged) and self._session.puzzle is not self._listed:
            self.show(self._entry)
            self._place_field()

    @property
    def _entry(self) -> str:
        """The entry of the current row; empty if there is none."""
        return self.table.pointed.name if self.table.pointed is not None else ""

    def _slot(self) -> Slot | None:
        return self._session.puzzle.grid.entries_by_name.get(self._entry)

    def _show_current(self) -> None:
        """Show the details of the current entry, with its typed text."""
        slot, puzzle = self._slot(), self._as_typed()
        answer, words = puzzle.answer(slot) if slot is not None else None, self._session.jobs.words
        score = words.score(answer) if answer is not None else None
        is_known = answer is not None and words.view is not None
        note = f"  score {score}" if score is not None else "  not listed" if is_known else ""
        self.side.show(puzzle, slot, note)

    def _as_typed(self) -> Puzzle:
        """Return the puzzle as it would be with the typed text kept."""
        puzzle = self._session.puzzle
        slot = puzzle.grid.entries_by_name.get(self._edited)
        if slot is None or not self._is_changed:
            return puzzle
        return puzzle.with_whole_clue(slot, typed(self.field.value), self._answer)

    # Editing

    @on(ClueList.Chosen, "#table")
    def _edit(self) -> None:
        self.keep_typed()
        if (row := self.table.pointed) is None:
            return
        left = self._drafts.get(row.name)
        self._open_field(row, row.draft if left is None else left)
        if left is not None:
            self._show_message(f"typed here before: Enter makes it the clue of {row.name}, Ctrl+U clears the line")
        elif row.other_clue:
            whose = "offered" if row.offered else f"clue of {row.stale.answer}" if row.stale is not None else ""
            self._show_message(
                f"{whose}: Enter makes it the clue of {row.name}, Ctrl+U clears the line, Esc leaves it"
            )

    def on_key(self, event: events.Key) -> None:
        row = self.table.pointed
        self._forget_key()
        if event.key in self.active_bindings or (self._edited and event.is_printable):
            return
        if row is None or not event.is_printable:
            self._explain_key(event)
            return
        event.stop()
        self._open_field(row, row.with_letter(event.character or "", self._drafts.get(row.name)))

    def on_paste(self, event: events.Paste) -> None:
        """Treat pasted text as typed; for several lines, ask whether each is a clue."""
        lines = [line for line in map(typed, event.text.splitlines()) if line]
        if self.table.pointed is None or not lines:
            return

        def chosen(name: str) -> None:
            if name == _EACH:
                self._paste_clues(lines)
            else:
                self._paste(" ".join(lines))

        if len(lines) == 1:
            self._paste(lines[0])
        else:
            answers = [
                ShortAnswer("all in one clue", "one"),
                ShortAnswer("one clue per line, from here down", _EACH),
            ]
            self.app.push_screen(ChoiceScreen(f"{len(lines)} lines were pasted.", answers), unless_left(chosen))

    def _paste(self, text: str) -> None:
        if self._edited:
            self.field.insert_text_at_cursor(text)
        elif (row := self.table.pointed) is not None:
            self._open_field(row, row.with_letter(text, self._drafts.get(row.name)))

    def _paste_clues(self, lines: Sequence[str]) -> None:
        """Make each line the clue of an entry, starting at the current one, as one edit."""
        self.keep_typed()
        rows = [row for row in self.table.rows[self.table.current :] if not row.clued_at][: len(lines)]

        def written(puzzle: Puzzle) -> Puzzle:
            for row, line in zip(rows, lines, strict=False):
                slot = puzzle.grid.entry(row.name)
                puzzle = puzzle.with_whole_clue(slot, line, puzzle.answer(slot))
            return puzzle

        if self._attempt(lambda: self._session.edit(f"paste {counted(len(rows), 'clue')}", written)):
            self.show(self._entry)
            over = len(lines) - len(rows)
            left = f", {counted(over, 'line')} had no entry" if over else ""
            self._show_message(f"{counted(len(rows), 'clue')} pasted{left}; Ctrl+Z undoes that")

    def _open_field(self, row: EntryRow, text: str) -> None:
        if row.clued_at:
            self._go_to(row.clued_at)
            self._show_message(f"{row.name} is part of {row.clued_at}, which has the clue")
            return
        self.table.reveal()
        self._place_field()
        self._edited = ""
        self.field.add_class("-open")
        self.field.value = text
        self.field.cursor_position = row.end_of_clue(text)
        self._edited = row.name
        self._answer = self._session.puzzle.answer(self._session.puzzle.grid.entry(row.name))
        self._draft = row.draft
        self.field.focus()
        self._note_typed()

    def _place_field(self) -> None:
        table = self.table
        row = table.current - table.top
        self.field.styles.offset = Offset(table.clue_column, table.region.y + row)
        self.field.styles.width = max(table.size.width - table.clue_column, 10)

    @on(Input.Changed)
    def _note_typed(self) -> None:
        """Show the typed text as it will be printed, and journal it."""
        if self._edited:
            self._session.journal_pending(self._as_typed(), f"clue {self._edited}")
            self._show_current()
        if self._is_changed and self.field.hint:
            self._show_message(self.field.hint)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        rows = self.table.rows
        following = rows[min(self.table.current + 1, len(rows) - 1)].name if rows else ""
        self._keep()
        self._go_to(following)

    def _go_to(self, name: str) -> None:
        """Make an entry's row current, even if rows have left the list meanwhile."""
        at = next((index for index, row in enumerate(self.table.rows) if row.name == name), None)
        if at is not None:
            self.table.action_point(at - self.table.current)

    @on(ClueList.Pointed, "#table")
    def keep_typed(self) -> None:
        """Keep the clue being edited, if anything was typed, as the user has gone elsewhere."""
        if self._is_changed:
            entry = self._entry
            self._keep()
            self._go_to(entry)
        elif self._edited:
            self._close_field()
        self._show_current()

    @property
    def _is_changed(self) -> bool:
        return bool(self._edited) and self.field.value != self._draft

    def _keep(self) -> None:
        entry, text = self._edited, typed(self.field.value)
        self._drafts.pop(entry, None)
        self._close_field()
        slot = self._session.puzzle.grid.entries_by_name.get(entry)
        if slot is None:
            return
        answer = self._answer
        if self._attempt(
            lambda: self._session.edit(f"clue {entry}", lambda puzzle: puzzle.with_whole_clue(slot, text, answer))
        ):
            if self._answer not in (None, now := self._session.puzzle.answer(slot)):
                self._show_message(f"{entry} is now {now or 'empty'}; the clue is kept for {self._answer}")
            elif text.startswith(":"):
                self._show_message(f"{text} is now the clue of {entry}, not a command; Ctrl+Z undoes it")
        self.show(self._entry)

    def _close_field(self) -> None:
        self._edited = ""
        self.query_one("#message-line", Line).left = []
        self.field.remove_class("-open")
        self.table.focus()
        self._session.journal_pending(self._session.puzzle, "clue left")

    # Navigation

    def action_go(self, rows: int) -> None:
        """Go to another row; a clue being edited is kept."""
        self.table.action_point(rows)

    def action_change_pane(self) -> None:
        """Go to the suggestions, or back from them; a clue being edited is kept."""
        self.keep_typed()
        if self.side.suggested.has_focus:
            self.table.focus()
        elif self.side.has_suggestions_now():
            self.side.suggested.focus()
            self._show_message("Enter starts the clue with a suggestion, Esc goes back")
        else:
            self._show_message(self.side.suggested.remark)

    @on(SuggestionList.Chosen, "#suggestions")
    def _take_suggestion(self) -> None:
        row, chosen = self.table.pointed, self.side.suggested.pointed
        if row is not None and chosen is not None:
            self._open_field(row, row.whole(chosen.text))
            self.field.selection = Selection(0, row.end_of_clue(self.field.value))
            self._show_message(
                f"Enter takes this for {row.name}; type to replace it, End to add to it, Esc to cancel"
            )

    @on(GridView.SquareClicked)
    def _square_clicked(self, event: GridView.SquareClicked) -> None:
        """Go to the entry of a clicked square; for a square of the current entry, to the one that crosses it."""
        slot, grid = self._slot(), self._session.puzzle.grid
        if slot is None:
            return
        way = slot.direction.other if event.position in slot.positions else slot.direction
        found = grid.slot_at(event.position, way) or grid.slot_at(event.position, way.other)
        if found is not None:
            self.keep_typed()
            self._go_to(found.name)

    def action_leave(self) -> None:
        if self.side.suggested.has_focus:
            self._close_field()
            return
        if not self._edited:
            self._leave_table()
            return
        entry, is_changed = self._edited, self._is_changed
        if is_changed:
            self._drafts[entry] = self.field.value
        self._close_field()
        self._show_current()
        if is_changed:
            self._show_message(f"{entry}: the clue is unchanged; Enter brings back what you typed")

    def action_close(self) -> None:
        self.keep_typed()
        self._leave_table()

    def _leave_table(self) -> None:
        """Go back to the grid, with its cursor on the current row's entry."""
        slot = self._session.puzzle.grid.slots_by_name.get(self._entry)
        if slot is not None and slot != self._session.cursor.slot:
            self._session.cursor.move_to(slot.start, slot.direction)
        self.dismiss(None)

    def action_pass_on(self, key: str, character: str | None = None) -> None:
        """Leave the table, and handle a key in the grid; a clue being edited is kept."""
        self.action_close()
        pass_on(self.app, events.Key(key, character))

    def action_missing(self) -> None:
        rows, here = self.table.rows, self.table.current
        order = [*range(here + 1, len(rows)), *range(here + 1)] if rows else []
        empty = next((index for index in order if not rows[index].clue), None)
        if empty is None:
            self._show_message("every entry has a clue" if self._filter is ClueFilter.ALL else "none in this list")
        else:
            self.table.action_point(empty - here)

    def action_filter(self) -> None:
        """Switch to the next filter that matches any entries; after the last, list all."""
        self.keep_typed()
        name = self._entry or (self._rows[0].name if self._rows else "")
        self._filter = self._filter.following(self._rows, frozenset(self.table.remarked))
        self.show(name)
        self._show_message(
            f"listed: {'entries ' if self._filter is not ClueFilter.ALL else ''}{self._filter.value}"
        )

    def action_save(self) -> None:
        self.keep_typed()
        if self._session.document.needs_name:
            self.action_pass_on("ctrl+s")
            return
        self._attempt(lambda: self._show_message("; ".join(run_line(self._session, "save").lines)))

    def action_travel(self, way: str) -> None:
        def travel() -> None:
            before = self._session.puzzle
            said = "; ".join(run_line(self._session, way).lines)
            puzzle = self._session.puzzle
            clues = (((slot.start, slot.direction), slot.name) for slot in puzzle.grid.slots)
            changed = (name for at, name in clues if before.clues.get(at) != puzzle.clues.get(at))
            self.show(next(changed, self._entry))
            self._show_message(said)

        self._attempt(travel)

    # Layout

    def on_resize(self, event: events.Resize) -> None:
        is_wide = event.size.width >= _WIDE
        self.set_class(is_wide, "-wide")
        self.side.lay_out(event.size - Size(_NARROWEST_LIST + 1, _LINES_AROUND), is_wide=is_wide)
        if self.is_mounted and self.field.has_class("-open"):
            self.call_after_refresh(self._place_field)
