"""Test-solving: the empty grid, the clues, a clock; letters can be checked and revealed, and notes written."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from rich.text import Text
from textual import events, getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Input, Static

from xwtui.errors import LockedError, XwtuiError
from xwtui.model import Direction, Position, Slot
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.session.session import Session
from xwtui.session.solving import Solving, checked_words, clock_words, revealed_words
from xwtui.session.verbs.solving import progress_lines
from xwtui.text import printable, typed
from xwtui.tui.grid_editor import GridEditor
from xwtui.tui.picture import Picture
from xwtui.tui.screens.overlays import ChoiceScreen, ReplyScreen, ShortAnswer, unless_left
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, InPalette, KeyLine, Line
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.typing_lists import LineField

NOTE_SIGN = "✎"
"""Marks a clue with a note."""
_NAME_WIDTH = 5


class SolverClue(NamedTuple):
    """A clue in the list."""

    slot: Slot
    clue: str
    is_filled: bool
    has_note: bool


class SolverClueList(RowList[SolverClue]):
    """One row per clue; those of the current entry and of the one that crosses it are marked."""

    remark: reactive[str] = reactive("no entries")

    is_current_way = False
    """Whether the current entry is in this list."""

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


_PANEL_WIDTH = 32
"""Width reserved for the clues, before the grid gets more."""
_SIDE_BY_SIDE = 76
"""Width next to the grid above which across and down clues are side by side."""
_LINES_AROUND = 6
"""Lines other than the grid: title, clue, message, keys."""
_LONGEST_CLUE = 600
_SECOND = 1.0
_LETTER, _WORD, _ALL = "letter", "word", "all"

_HELP = (
    "letters and digits write; Backspace and Delete erase",
    "arrows move, and turn first; Space turns; Tab, Enter and Shift+Tab go to the next and previous entry",
    "Insert or Ctrl+R writes a rebus square: HEART, or X/TIMES",
    "F5 checks a letter, a word or all; F7 reveals; correct letters are then kept",
    "F6 pauses the clock; Esc pauses it and leaves; what you entered stays until the puzzle is closed",
    "F8 writes a note about the clue: `clues`, `check` and the clue table show it, and the file keeps it",
)


class SolveScreen(InPalette, Screen[None]):
    """Keys write into the solver's grid; Esc leaves, and the entered letters stay with the document."""

    DEFAULT_CSS = """
    SolveScreen { layout: vertical; background: $background; overflow: hidden; }
    SolveScreen #solve-clue { height: 2; padding: 0 1; }
    SolveScreen Horizontal { height: 1fr; }
    SolveScreen #solve-side { width: 1fr; height: 100%; margin-left: 1; }
    SolveScreen #solve-side Vertical { height: 1fr; }
    SolveScreen.-wide #solve-side { layout: horizontal; }
    SolveScreen.-wide #solve-side Vertical { width: 1fr; height: 100%; }
    SolveScreen SolverClueList { height: 1fr; }
    SolveScreen Input { display: none; height: 1; border: none; padding: 0 1; background: $panel; }
    SolveScreen Input:focus { border: none; background-tint: $foreground 0%; }
    SolveScreen.-asking Input { display: block; }
    SolveScreen.-asking #message-line { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "leave"),
        Binding("left", "arrow('A', -1)", show=False),
        Binding("right", "arrow('A', 1)", show=False),
        Binding("up", "arrow('D', -1)", show=False),
        Binding("down", "arrow('D', 1)", show=False),
        Binding("space", "grid_editor('turn')", show=False),
        Binding("tab,enter", "grid_editor('entry_on', 1)", show=False),
        Binding("shift+tab", "grid_editor('entry_on', -1)", show=False),
        Binding("home", "grid_editor('entry_end', -1)", show=False),
        Binding("end", "grid_editor('entry_end', 1)", show=False),
        Binding("backspace", "grid_editor('erase_back')", show=False),
        Binding("delete", "grid_editor('erase')", show=False),
        Binding("insert,ctrl+r", "ask_rebus", show=False),
        Binding("f5", "ask_check", "check"),
        Binding("f6", "pause", "pause"),
        Binding("f7", "ask_reveal", "reveal"),
        Binding("f8", "ask_note", "note"),
        Binding("f1,question_mark", "help", "help"),
        Binding("colon", "app.command_line", show=False),
    ]

    _grid = getters.query_one("#solve-grid", GridView)

    def __init__(self, session: Session, message: str = "") -> None:
        """`message` is the initial message."""
        super().__init__()
        self._session = session
        self._message = message
        self._asks: Callable[[str], None] | None = None
        """Called with the text entered in the field, while it is open."""
        self._proposed = ""
        """The field's initial text."""
        self._solving: Solving = session.document.solving
        self._grid_editor = GridEditor(self._solving)

    def compose(self) -> ComposeResult:
        yield Line(id="solve-title")
        yield Static(id="solve-clue", markup=False)
        with Horizontal():
            yield GridView(id="solve-grid")
            with Vertical(id="solve-side"):
                for direction in Direction:
                    with Vertical():
                        yield Heading(direction.word.upper(), id=f"solve-{direction.word}-heading")
                        yield SolverClueList(id=f"solve-{direction.word}")
        yield Line(id="message-line")
        yield LineField(id="solve-field", select_on_focus=False, max_length=LONGEST_TEXT)
        yield KeyLine(id="solve-keys")

    def on_mount(self) -> None:
        self._solving.begin()
        for rows in self.query(SolverClueList):
            rows.can_focus = False
        self.set_interval(_SECOND, self._show_title)
        keys = (("F5", "check"), ("F7", "reveal"), ("F8", "note"), ("F6", "pause"), ("Ins", "rebus"))
        self.query_one("#solve-keys", KeyLine).keys = (*keys, ("?", "help"), ("Esc", "leave"))
        self._show()
        self._show_message(
            self._message or ("" if self._solving.is_begun else "letters write, Tab goes to the next entry")
        )
        self._grid.focus()

    def on_resize(self, event: events.Resize) -> None:
        taken = self._grid.fit(self.size.width - _PANEL_WIDTH - 1, self.size.height - _LINES_AROUND)
        self.set_class(self.size.width - taken.width > _SIDE_BY_SIDE, "-wide")

    # Drawing

    def _show(self) -> None:
        solving = self._solving
        attempt, cursor = solving.attempt, solving.cursor
        self._grid.picture = Picture(
            attempt.grid, *cursor.place, faults=attempt.wrong, better=attempt.revealed, is_numbered=True
        )
        self._show_clues()
        self._show_title()

    def _show_title(self) -> None:
        paint, solving = self._palette, self._solving
        rests = "" if solving.clock.is_going or solving.is_solved else "  paused"
        squares = list(solving.answers.open_positions())
        filled = sum(solving.attempt.grid[at].content is not None for at in squares)
        line = self.query_one("#solve-title", Line)
        line.left = [
            (f" {printable(self._session.puzzle.title, 60) or 'untitled'}", paint.heading),
            ("  test-solving", paint.muted),
        ]
        line.right = [
            (f"{filled}/{len(squares)}  ", paint.muted),
            (f"{clock_words(solving.clock.seconds)}{rests} ", paint.accent),
        ]

    def _show_clues(self) -> None:
        puzzle, slot, grid = self._session.puzzle, self._solving.cursor.slot, self._solving.attempt.grid
        crossing = grid.slot_at(self._solving.cursor.position, slot.direction.other) if slot is not None else None
        here = {one.key for one in (slot, crossing) if one is not None}
        for direction in Direction:
            rows = self.query_one(f"#solve-{direction.word}", SolverClueList)
            clues = [
                SolverClue(
                    one,
                    puzzle.solver_clue(one),
                    grid.answer(one) is not None,
                    bool(puzzle.solver_note(one)),
                )
                for one in puzzle.grid.clue_slots_of(direction)
            ]
            rows.is_current_way = slot is not None and slot.direction is direction
            at = next((index for index, row in enumerate(clues) if row.slot.key in here), None)
            rows.show(clues, -1 if at is None else at, follow=at is not None)
        text = Text()
        if slot is not None:
            entry = puzzle.grid.entry_of(slot)
            meant = puzzle.entered_answer(entry) if self._solving.is_solved else None
            text.append(f"{entry.label}  {meant}  " if meant else f"{entry.label}  ", self._palette.accent)
            clue = puzzle.solver_clue(entry)
            text.append(printable(clue, _LONGEST_CLUE) or "no clue yet", self._palette.text)
            note = puzzle.solver_note(slot)
            text.append(f"  {NOTE_SIGN} {printable(note, _LONGEST_CLUE)}" if note else "", self._palette.accent)
        self.query_one("#solve-clue", Static).update(text, layout=False)

    # Writing and moving

    def on_key(self, event: events.Key) -> None:
        if event.key not in self.active_bindings:
            self._explain_key(event)

    def _run_key(self, action: Callable[[], object]) -> bool:
        """Run a key's action, and show the result; an error is shown as a message."""
        self._show_message("")
        try:
            action()
        except LockedError:
            self._show_message("this square is known to be right, so it cannot be changed")
            return False
        except XwtuiError as error:
            self._show_message(str(error))
            return False
        finally:
            self._show()
        return True

    def _write(self, action: Callable[[], object]) -> None:
        """Like `_run_key`, for actions that write: starts the clock, and reports when the grid is full."""
        was_solved = self._solving.is_solved
        if not was_solved:
            self._solving.clock.go()
        if self._run_key(action) and not was_solved and self._solving.is_full:
            self._show_message(*progress_lines(self._solving))

    def action_write(self, character: str) -> None:
        self._write(lambda: self._grid_editor.type_letter(character))

    def action_arrow(self, direction: str, squares: int) -> None:
        self._run_key(lambda: self._grid_editor.arrow(Direction(direction), squares))

    def action_grid_editor(self, name: str, *arguments: int) -> None:
        """Call a method of the grid editor by name."""
        self._run_key(partial(getattr(self._grid_editor, name), *arguments))

    @on(GridView.SquareClicked)
    def _square_clicked(self, event: GridView.SquareClicked) -> None:
        self._run_key(lambda: self._grid_editor.go(event.position))

    @on(GridView.Pasted)
    def _pasted(self, event: GridView.Pasted) -> None:
        self._write(lambda: self._grid_editor.paste(event.text))

    @on(RowList.Pointed)
    def _clue_clicked(self, event: RowList.Pointed) -> None:
        row = event.rows.rows[event.index]
        if isinstance(row, SolverClue):
            self._run_key(lambda: self._grid_editor.go_to_entry(row.slot.name))

    # The field: a rebus, a note

    def _ask(self, placeholder: str, text: str, take: Callable[[str], None]) -> None:
        field = self.query_one(Input)
        self._asks, self._proposed = take, text
        self.add_class("-asking")
        field.placeholder, field.value = placeholder, text
        field.cursor_position = len(text)
        field.focus()

    @property
    def unentered(self) -> str:
        """The text typed in the field but not entered."""
        text = self.query_one(Input).value.strip()
        return text if self._asks is not None and text != self._proposed.strip() else ""

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        take, self._asks = self._asks, None
        self._close_field()
        if take is not None:
            take(typed(event.value))

    def _close_field(self) -> None:
        self._asks = None
        self.remove_class("-asking")
        self._grid.focus()

    def action_ask_rebus(self) -> None:
        self._ask("rebus square: HEART, or X/TIMES", "", self._take_rebus)

    def _take_rebus(self, text: str) -> None:
        if text:
            self._write(lambda: self._grid_editor.write(self._grid_editor.spelled(text)))

    def action_ask_note(self) -> None:
        slot = self._solving.cursor.entry
        if slot is not None:
            note = self._session.puzzle.solver_note(slot)
            label = f"note {slot.name}"

            def take(text: str) -> None:
                self._run_key(
                    lambda: self._session.edit(label, lambda puzzle: puzzle.with_solver_note(slot, text))
                )

            self._ask(f"note on the clue of {slot.name}", note, take)

    # Check, reveal, pause

    def action_ask_check(self) -> None:
        choices = [ShortAnswer("this word", _WORD), ShortAnswer("this letter", _LETTER), ShortAnswer("all", _ALL)]
        self._ask_squares("Check", choices, self._check)

    def action_ask_reveal(self) -> None:
        choices = [ShortAnswer("this letter", _LETTER), ShortAnswer("this word", _WORD), ShortAnswer("all", _ALL)]
        self._ask_squares("Reveal", choices, self._reveal)

    def _ask_squares(
        self, question: str, choices: Sequence[ShortAnswer], take: Callable[[Collection[Position]], None]
    ) -> None:
        def chosen(name: str) -> None:
            here, slot = self._solving.cursor.position, self._solving.cursor.entry
            if name == _WORD and slot is not None:
                take(slot.positions)
            else:
                take(tuple(self._solving.answers.open_positions()) if name == _ALL else (here,))

        self.app.push_screen(ChoiceScreen(question, choices), unless_left(chosen))

    def _check(self, squares: Collection[Position]) -> None:
        found = self._solving.check(squares)
        self._show()
        self._show_message(checked_words(found))

    def _reveal(self, squares: Collection[Position]) -> None:
        revealed = self._solving.reveal(squares)
        self._show()
        solved = f"; {progress_lines(self._solving)[0]}" if self._solving.is_solved else ""
        self._show_message(f"{revealed_words(revealed)}{solved}")

    def action_pause(self) -> None:
        clock = self._solving.clock
        if clock.is_going:
            clock.rest()
            self._show_message("the clock is paused until you type or press F6")
        elif not self._solving.is_solved:
            clock.go()
            self._show_message("")
        self._show_title()

    def action_help(self) -> None:
        self.app.push_screen(ReplyScreen("solve", _HELP))

    async def action_dismiss(self, result: None = None) -> None:
        if self._asks is not None:
            self._close_field()
            return
        self._solving.leave()
        self.dismiss(None)
