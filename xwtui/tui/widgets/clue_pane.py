"""The pane next to the list of clues: the grid, the current entry, and suggestions for its clue."""

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from rich.text import Text
from textual import getters, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Static

from xwtui.clues.suggestions import Suggestion, SuggestionKind, suggestions
from xwtui.errors import XwtuiError
from xwtui.grids.profiles import wants_enumerations
from xwtui.model import Puzzle, Slot
from xwtui.model.clues import WholeClue
from xwtui.model.markup import parse, plain_text, printed_runs
from xwtui.model.review import LONGEST_CLUE, Check, ClueRemark, entry_remarks, remarks_by_entry
from xwtui.text import ELLIPSIS, printable, split_at_width
from xwtui.tui.picture import Picture
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, line_strip
from xwtui.tui.widgets.row_list import RowList

_LONGEST_SHOWN = 2_000
_COUNTED_FROM = 150
"""Length in characters from which a clue's length is shown, and remarks precede it: a small pane cuts its end."""


def _text_of(puzzle: Puzzle, slot: Slot, score: str, remarks: Sequence[ClueRemark], paint: Palette) -> Text:
    """Return the text about an entry: name, answer in spaced letters, length, score, printed clue, remarks."""
    answer, entered = puzzle.answer(slot), puzzle.entered_answer(slot)
    squares, letters = len(slot), len(answer or "")
    length = f"{squares} squares, {letters} letters" if answer is not None and letters != squares else f"{squares}"
    text = Text.assemble(
        (f"{slot.label} {slot.direction.word}  ", paint.accent),
        (square_text(puzzle.grid.pattern(slot)) if entered is None else str(entered), paint.heading),
        (f"  ({length}){score}", paint.muted),
    )
    warnings = "".join(f"\n! {printable(remark.message, _LONGEST_SHOWN)}" for remark in remarks)
    clue = puzzle.printed_clue(slot)
    is_long = len(clue) >= _COUNTED_FROM
    if is_long:
        text.append(f"  {len(clue)} of {LONGEST_CLUE}", paint.warning if len(clue) > LONGEST_CLUE else paint.muted)
        text.append(warnings, paint.warning)
    text.append("\n")
    source = puzzle.clue(slot)
    for run in printed_runs(source, puzzle.grid):
        style = paint.text
        style += type(style)(italic=run.italic or None, bold=run.bold or None)
        text.append(printable(run.text, _LONGEST_SHOWN), style)
    if not source:
        text.append("no clue yet", paint.muted)
    behind = WholeClue(clue, puzzle.enumeration(slot)).ending
    text.append(f" {behind}" if behind else "", paint.muted)
    if not is_long:
        text.append(warnings, paint.warning)
    return text


def square_text(pattern: str) -> str:
    """Return a pattern with a blank between its squares: `S W E E T [HEART]`."""
    squares: list[str] = []
    inside = ""
    for character in pattern:
        inside += character
        if not inside.startswith("[") or character == "]":
            squares.append(inside)
            inside = ""
    return " ".join(squares)


_SIGNS = {SuggestionKind.OWN: "yours", SuggestionKind.IMPORTED: "book", SuggestionKind.GLOSS: "means"}
_SIGN_WIDTH = 7
_LONGEST_ORIGIN = 40


def _is_shown(remark: ClueRemark) -> bool:
    """Whether a remark is shown: a missing clue is obvious."""
    return remark.fault is not Check.MISSING_CLUE


def remarked_entries(puzzle: Puzzle) -> frozenset[str]:
    """Return the entries whose clues have remarks."""
    found = remarks_by_entry(puzzle, wants_enumerations=wants_enumerations(puzzle.profile))
    return frozenset(name for name, remarks in found.items() if any(map(_is_shown, remarks)))


class SuggestionList(RowList[Suggestion]):
    """One row per suggestion: kind, clue, source; the current one continues below the list."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", "start with it", key_display="Enter")]

    def fragments(self, row: Suggestion, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint = self.paint
        origin = printable(row.origin, _LONGEST_ORIGIN)
        text, rest = self._broken(row, width)
        shows_origin = not rest and len(text) + len(origin) + 2 <= width - _SIGN_WIDTH
        sign = (f" {_SIGNS[row.kind]:<{_SIGN_WIDTH - 1}}", paint.accent if is_current else paint.muted)
        clue = (text, paint.warning if row.gives_away else paint.text)
        return [sign, clue, (f"  {origin}" if shows_origin else "", paint.muted)]

    def render_line(self, y: int) -> Strip:
        below, width = y + self.top - len(self.rows), self.size.width - 1
        if not self.rows or below < 0:
            return super().render_line(y)
        _, rest = self._broken(self.rows[self.current], width)
        line = rest[below] if below < len(rest) else ""
        return line_strip([(f"{'':{_SIGN_WIDTH}}{line}", self.paint.text)], width + 1, self.base)

    @staticmethod
    def _broken(row: Suggestion, width: int) -> tuple[str, list[str]]:
        """Split a suggestion into the part that fits a row, and the lines that continue it."""
        text, room = plain_text(parse(row.text)), max(width - _SIGN_WIDTH, 1)
        shown = printable(text, len(text))
        if len(shown) <= room:
            return shown, []
        first, rest = split_at_width(shown, room - 2)
        return f"{first} {ELLIPSIS}", wrap(rest, room)


_REST_SECONDS = 0.15
"""How long an entry must be current before suggestions are looked up, so that passing by causes no work."""

_SEARCHING = "looking for suggestions …"
_NO_BOOK = "no suggestions; `book import FOLDER` adds clues to the clue book"
_NO_ANSWER = "suggestions appear once the answer is complete"

_NARROWEST = 44
_LINES_BELOW_GRID = 12
"""Lines reserved for the current entry and its suggestions, before the grid gets more."""


class ClueSide(Vertical):
    """The grid, the current entry and its suggestions, which are looked up in a worker thread."""

    DEFAULT_CSS = """
    ClueSide { height: 9; }
    ClueSide GridView { display: none; }
    ClueSide #clue-pane { height: auto; max-height: 6; padding: 0 1; }
    ClueSide SuggestionList { height: 1fr; }
    ClueSide.-wide { width: 48; height: 100%; margin-left: 1; }
    ClueSide.-wide GridView { display: block; }
    ClueSide.-wide #clue-pane { max-height: 60%; margin-bottom: 1; }
    """

    grid = getters.query_one(GridView)
    pane = getters.query_one("#clue-pane", Static)
    suggested = getters.query_one(SuggestionList)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._answer: str | None = None
        """The answer of the current entry, if it is complete."""
        self._searched_answer: str | None = None
        """The answer that the shown suggestions are for."""
        self._rest: Timer | None = None

    def compose(self) -> ComposeResult:
        yield GridView(id="clue-grid")
        yield Static(id="clue-pane", markup=False)
        yield Heading("SUGGESTIONS")
        yield SuggestionList(id="suggestions")

    def on_mount(self) -> None:
        self.grid.can_focus = False

    def lay_out(self, room: Size, *, is_wide: bool) -> None:
        """Use at most `room` cells next to the list or, if not `is_wide`, stay below it without the grid."""
        self.set_class(is_wide, "-wide")
        taken = self.grid.fit(room.width, room.height - _LINES_BELOW_GRID) if is_wide else None
        self.styles.width = None if taken is None else max(taken.width, _NARROWEST, room.width * 3 // 5)

    def show(self, puzzle: Puzzle, slot: Slot | None, score: str) -> None:
        """Show an entry; suggestions are looked up after a moment."""
        self._answer = puzzle.answer(slot) if slot is not None else None
        if slot is None:
            self.pane.update(Text())
        else:
            remarks = entry_remarks(puzzle, slot, wants_enumerations=wants_enumerations(puzzle.profile))
            shown = [remark for remark in remarks if _is_shown(remark)]
            self.pane.update(_text_of(puzzle, slot, score, shown, self.suggested.paint))
            self.grid.picture = Picture(puzzle.grid, slot.start, slot.direction)
        if self._searched_answer != self._answer:
            self._offer(None, _SEARCHING if self._answer is not None else ())
            if self._rest is not None:
                self._rest.stop()
            self._rest = self.set_timer(_REST_SECONDS, self._search)

    @property
    def is_searching(self) -> bool:
        """Whether suggestions for the current entry are still to come."""
        return self._answer is not None and self._answer != self._searched_answer

    def has_suggestions_now(self) -> bool:
        """Whether there are suggestions for the current entry, looking them up now if needed."""
        if self._answer is not None and self.is_searching:
            self._offer(self._answer, _suggestions(self._answer))
        elif self._answer is None:
            self._offer(None, _NO_ANSWER)
        return bool(self.suggested.rows)

    @work(thread=True, exclusive=True)
    def _search(self) -> None:
        answer = self._answer
        if answer is not None and self.is_searching:
            self.app.call_from_thread(self._take, answer, _suggestions(answer))

    def _take(self, answer: str, found: tuple[Suggestion, ...] | str) -> None:
        if self.is_mounted and answer == self._answer:
            self._offer(answer, found)

    def _offer(self, answer: str | None, found: tuple[Suggestion, ...] | str) -> None:
        self._searched_answer = answer
        rows, remark = ((), found) if isinstance(found, str) else (found, _NO_BOOK if answer is not None else "")
        self.suggested.remark = remark
        self.suggested.show(rows, 0)


def _suggestions(answer: str) -> tuple[Suggestion, ...] | str:
    """Return suggestions for an answer, or an error message."""
    try:
        return suggestions(answer)
    except XwtuiError as error:
        return str(error)
