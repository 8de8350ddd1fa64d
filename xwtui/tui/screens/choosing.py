"""Screens for choosing from a list: a fill, a difference between two puzzles, a word that was found."""

from collections.abc import Collection, Sequence
from typing import ClassVar, cast

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.reactive import reactive
from textual.screen import ModalScreen

from xwtui.errors import PuzzleError, XwtuiError
from xwtui.model import Position, Slot
from xwtui.model.answers import contents_for
from xwtui.model.edits import write_fill
from xwtui.model.puzzle import Puzzle
from xwtui.model.statistics import pencil_squares
from xwtui.session.jobs.fills.kept_fills import (
    Allows,
    current_contents,
    disallowed_answers,
    disallowed_words,
    fill_words,
    scores_text,
)
from xwtui.session.run_view import FoundFill
from xwtui.session.session import Session
from xwtui.session.verbs.finding import FindAnswer, FoundRow
from xwtui.session.verbs.parsing import words_of
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.snapshots import ComparisonAnswer, DifferenceLine
from xwtui.text import counted, printable
from xwtui.tui.editing.context import Host
from xwtui.tui.picture import NOWHERE, Picture
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, InPalette, KeyLine, Line
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.small_grids import GridPanes, Pane
from xwtui.tui.widgets.typing_lists import LINES_AROUND, ListAndDetail, TypingList, TypingScreen

_LONGEST_TEXT = 200
_MOST_PANES = 6
_LIST_WIDTH = 26
_COLUMNS = " #   mean  low  differs"


class FillList(RowList[int]):
    """One row per fill: number, mean, lowest score, and how much differs from the first."""

    fills: Sequence[FoundFill] = ()
    current_fill: int = -1
    """The index of the fill now in the grid, or -1."""
    unwelcome: Sequence[str] = ()
    """The objection to each fill; empty if there is none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "point(-1)", "previous", show=False),
        Binding("right", "point(1)", "next", show=False),
    ]

    def fragments(self, row: int, width: int, *, is_current: bool) -> Sequence[Fragment]:
        fill, paint = self.fills[row], self.paint
        share = f"{fill.share_unlike(self.fills[0]):5.0%}" if row else "     "
        mark = "●" if row == self.current_fill else " "
        return [
            (f"{row + 1:3} ", paint.accent if is_current else paint.muted),
            (f"{fill.mean_score:6.1f}", paint.text),
            (f"{fill.lowest_score:5}", paint.text),
            (share, paint.muted),
            (f" {mark}", paint.good),
            ("!" if self.unwelcome[row] else " ", paint.warning),
        ]


class FillsScreen(InPalette, ModalScreen[int | None]):
    """Shows the fills; returns the number of the one to take, 0 to explain a conflict, or None.

    For a single fill, the squares that it would change are marked.
    """

    DEFAULT_CSS = """
    FillsScreen #fills-side { width: 26; height: 100%; }
    FillsScreen FillList { height: 1fr; }
    FillsScreen GridPanes { overflow: hidden auto; scrollbar-size: 1 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "back"),
        Binding("ctrl+w,semicolon", "dismiss(0)", show=False),
    ]

    def __init__(self, puzzle: Puzzle, fills: Sequence[FoundFill], allows: Allows) -> None:
        """`allows` returns whether a word may be used."""
        super().__init__()
        self._puzzle = puzzle
        self._fills = fills
        self._rows = rows = FillList()
        rows.fills = fills
        rows.unwelcome = [disallowed_words(disallowed_answers(fill, puzzle, allows)) for fill in fills]
        rows.current_fill = next((n for n, fill in enumerate(fills) if fill.is_in(puzzle.grid)), -1)
        self._panes = GridPanes(min(_MOST_PANES, len(fills)))
        self._shown = ListAndDetail("FILLS", Vertical(Heading(_COLUMNS), rows, id="fills-side"), self._panes)

    def compose(self) -> ComposeResult:
        yield self._shown

    def on_mount(self) -> None:
        why = cast(Host, self.app).keys.cap_of("why")
        last = [("↑ ↓", "move")] if len(self._fills) > 1 else [] if self._fills[0].note else [(why, "why")]
        self._shown.show_keys(("Enter", "take it"), ("Esc", "leave the grid unchanged"), *last)
        remark = f"{len(self._fills)} to choose from, best first"
        replaced = len(current_contents(self._puzzle.grid).items() - self._fills[0].squares.items())
        if len(self._fills) == 1 and replaced:
            pencil = pencil_squares(self._puzzle.grid)
            remark = f"not written: it would replace {counted(replaced, 'square')} of {pencil:,} in pencil, marked"
        self._shown.heading.remark = remark
        self._rows.show(range(len(self._fills)), max(self._rows.current_fill, 0))
        self._rows.focus()
        self._show_panes()

    def on_resize(self) -> None:
        self._show_panes()

    def _show_panes(self) -> None:
        current = self._rows.current
        room = self.size - Size(_LIST_WIDTH, LINES_AROUND)
        self._panes.show(len(self._fills), current, self._pane, room)
        objection = self._rows.unwelcome[current]
        self._shown.show_detail((f"{current + 1} {objection}" if objection else "", self._palette.warning))

    def _pane(self, index: int) -> Pane:
        fill, first, caption = self._fills[index], self._fills[0].squares, scores_text
        if len(self._fills) == 1:
            first, caption = current_contents(self._puzzle.grid), fill_words
        unlike = frozenset(at for at, content in fill.squares.items() if first.get(at) != content)
        picture = Picture(write_fill(self._puzzle, fill.squares).grid, NOWHERE, better=unlike)
        return Pane(picture, f"{index + 1}  {caption(fill)}")

    @on(RowList.Pointed)
    def _pointed(self) -> None:
        self._show_panes()

    @on(RowList.Chosen)
    def _chosen(self, event: FillList.Chosen) -> None:
        self.dismiss(event.index + 1)


class DifferenceList(RowList[DifferenceLine]):
    """One row per difference."""

    remark: reactive[str] = reactive("no difference")

    def fragments(self, row: DifferenceLine, width: int, *, is_current: bool) -> Sequence[Fragment]:
        text = printable(row.text, max(width - 3, 1))
        return [(" ▸ " if is_current else "   ", self.paint.accent), (text, self.paint.text)]


class DifferencesScreen(InPalette, ModalScreen[tuple[Position, ...] | None]):
    """Shows how two states of a puzzle differ; returns the squares to go to, or None to stay."""

    DEFAULT_CSS = "DifferencesScreen DifferenceList { width: 1fr; height: 100%; margin-left: 1; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "leave"),
        Binding("tab,space", "turn", "then and now"),
    ]

    def __init__(self, answer: ComparisonAnswer) -> None:
        super().__init__()
        self._answer = answer
        self._is_then = False
        self._rows = DifferenceList()
        self._shown = ListAndDetail(
            printable(f"{answer.name} → {answer.other}", 90).upper(), GridView(), self._rows
        )

    def compose(self) -> ComposeResult:
        yield self._shown

    def on_mount(self) -> None:
        self._rows.show(self._answer.rows, 0)
        self._rows.focus()
        self._shown.show_keys(("↑ ↓", "move"), ("Tab", "then and now"), ("Enter", "go there"), ("Esc", "leave"))
        self._show()

    def on_resize(self) -> None:
        self._shown.fit()

    def _show(self) -> None:
        """Show one of the states, with all differences marked, and the current one selected."""
        answer, row = self._answer, self._rows.pointed
        grid = (answer.then if self._is_then else answer.now).grid
        changed = frozenset(one.at for one in answer.differences.squares if one.at in grid)
        pointed = frozenset(at for at in (row.positions if row is not None else ()) if at in grid)
        self._shown.draw(Picture(grid, NOWHERE, changed=changed, selection=pointed), pointed)
        self._shown.show_detail((printable(row.text, _LONGEST_TEXT) if row else "", self._palette.text))
        state = answer.name if self._is_then else answer.other
        self._shown.heading.remark = f"the grid shows {printable(state)}"

    @on(RowList.Pointed)
    def _pointed(self) -> None:
        self._show()

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        row = self._rows.pointed
        self.dismiss(row.positions if row is not None and row.positions else None)

    def action_turn(self) -> None:
        self._is_then = not self._is_then
        self._show()


FITS_SIGN, OTHER_SIGN = "●", " "
_LISTED = 500
_LIMIT, _FOLDER = "--limit", "--in"
_ANSWER_WIDTH = 26
_HINT = "C?T*   --ends ING   --contains CAT --squares 11   --anagram RETAINS   --between HEART"


def fits_entry(session: Session, slot: Slot | None, answer: str) -> bool:
    """Whether an answer can be written into an entry without changing a letter in pen or locked."""
    if slot is None:
        return False
    grid = session.puzzle.grid
    try:
        contents = contents_for(grid, slot, answer, given_only=True)
    except PuzzleError:
        return False
    squares = [grid[at] for at in slot.reading]
    return all(
        not square.is_given or square.content == content for square, content in zip(squares, contents, strict=True)
    )


class FoundList(TypingList[FoundRow]):
    """One row per answer; typing here edits the query."""

    fitting: frozenset[str] = frozenset()
    """The answers that fit the current entry."""

    def fragments(self, row: FoundRow, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint, fits = self.paint, row.answer in self.fitting
        score = "" if row.score is None else str(row.score)
        answer = printable(row.answer, max(width - 10, 1))
        return [
            (f" {FITS_SIGN if fits else OTHER_SIGN} ", paint.good),
            (f"{score:>3}  ", paint.muted),
            (answer.ljust(_ANSWER_WIDTH), paint.accent if is_current else paint.text),
            (f"  {printable(row.remark, width)}" if row.remark else "", paint.muted),
        ]


class FindScreen(TypingScreen[str | None]):
    """Lists what `find` returns for the typed query; returns a line to run: to write an answer or search on."""

    DEFAULT_CSS = """
    FindScreen { align: center middle; }
    FindScreen > Vertical {
        width: 100%; max-width: 110; height: 100%; max-height: 44; padding: 0 1;
        background: $surface; border: round $primary 60%;
    }
    FindScreen FoundList { height: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "back")]
    between = ""
    leaving: ClassVar[Collection[str]] = ("ctrl+p",)

    _list = getters.query_one(FoundList)

    def __init__(self, session: Session, *, query: str = "", answer: FindAnswer | None = None) -> None:
        """Start with a query, and with its answer if known."""
        super().__init__(query)
        self._session = session
        self._answer = answer

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Heading("FIND WORDS", id="find-heading")
            yield Line(id="find-typed")
            yield FoundList(id="found")
            yield Line(id="message-line")
            yield KeyLine(id="find-keys", gap=2)

    def on_mount(self) -> None:
        slot = self._session.cursor.entry
        keys = [("Enter", f"into {slot.name}" if slot is not None else "chooses"), ("↑ ↓", "look")]
        self.query_one("#find-keys", KeyLine).keys = [*keys, ("Ctrl+U", "clear"), ("Esc", "back")]
        self._list.focus()
        self._show_typed()
        if self._answer is not None:
            self._show(self._answer)
        else:
            self._find()

    # Typing

    def take_typed(self) -> None:
        self._answer = None
        self._show_typed()
        self._find()

    def _show_typed(self) -> None:
        self.query_one("#find-typed", Line).left = self.typed_so_far((" ", self._palette.text), _HINT)

    @property
    def _reads_folder(self) -> bool:
        """Whether the query searches a folder, which is done only on Enter."""
        return any(word.text.partition("=")[0] == _FOLDER for word in words_of(self._typed))

    def _find(self) -> None:
        if not self._typed.strip():
            self._show(None, "words that match appear here, best scores first")
        elif self._reads_folder:
            self._show(None, "Enter searches the folder")
        else:
            limit = "" if _LIMIT in self._typed else f" {_LIMIT} {_LISTED}"
            try:
                reply = run_line(self._session, f"find {self._typed}{limit}")
            except XwtuiError as error:
                self._show(None, printable(str(error), 150))
                return
            answer = reply.answer() if reply.answer is not None else None
            assert isinstance(answer, FindAnswer)
            self._show(answer)

    def _show(self, answer: FindAnswer | None, empty: str = "") -> None:
        rows = self._list
        found = () if answer is None else answer.rows
        slot = self._session.cursor.entry
        rows.fitting = frozenset(row.answer for row in found if fits_entry(self._session, slot, row.answer))
        rows.remark = empty if answer is None else answer.headline
        rows.show(found, 0)
        rows.top = 0
        remark = "" if answer is None else answer.headline
        if rows.fitting and slot is not None:
            remark += f"   {FITS_SIGN} {len(rows.fitting)} fit {slot.name}"
        self.query_one("#find-heading", Heading).remark = remark
        self._show_message("")

    # The current row

    @on(RowList.Pointed, "#found")
    def _pointed(self) -> None:
        self._show_message("")

    @on(RowList.Chosen, "#found")
    def _chosen(self) -> None:
        row, slot = self._list.rows[self._list.current], self._session.cursor.entry
        if slot is None:
            self._show_message("the cursor is not in an entry")
        elif row.answer not in self._list.fitting:
            pattern = self._session.puzzle.grid.pattern(slot, given_only=True)
            self._show_message(f"{row.answer} does not fit {slot.name}, which reads {pattern}")
        else:
            self.dismiss(f"set {slot.name} {row.answer}")

    def key_enter(self) -> None:
        """Search the folder in the query; if there is a list, Enter belongs to the list."""
        if self._reads_folder and self._answer is None:
            self.dismiss(f"find {self._typed}")
