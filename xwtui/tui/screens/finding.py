"""Words found as one types what they are like; Enter writes one into the current entry."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from xwtui.errors import PuzzleError, XwtuiError
from xwtui.model import Slot
from xwtui.model.answers import contents_for
from xwtui.session.session import Session
from xwtui.session.verbs.finding import FindAnswer, FoundRow
from xwtui.session.verbs.parsing import words_of
from xwtui.session.verbs.registry import run_line
from xwtui.text import printable
from xwtui.tui.widgets.painted import Fragment, Heading, KeyLine, Line
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.typing_room import TypedRows, TypingRoom

FITS_SIGN, OTHER_SIGN = "●", " "
_LISTED = 500
_LIMIT, _FOLDER = "--limit", "--in"
_ANSWER_WIDTH = 26
_HINT = "C?T*   --ends ING   --contains CAT --squares 11   --anagram RETAINS   --between HEART"


class FindChoice(NamedTuple):
    """What the list was left with: an answer to write, or a line to run, one of them empty."""

    answer: str = ""
    line: str = ""


def fits_entry(session: Session, slot: Slot | None, answer: str) -> bool:
    """Whether an answer can be written into an entry without touching a letter in pen or locked."""
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


class FoundList(TypedRows[FoundRow]):
    """One row an answer; what is typed here says what answers are like."""

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


class FindScreen(TypingRoom[FindChoice | None]):
    """Lists what `find` brings for what is typed; ends with the answer that is to be written."""

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

    def __init__(self, session: Session, *, query: str = "", answer: FindAnswer | None = None) -> None:
        """Begin with a query, and if its answer is known with that."""
        super().__init__(query)
        self._session = session
        self._answer = answer

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Heading("FIND WORDS", id="find-heading")
            yield Line(id="find-typed")
            yield FoundList(id="found")
            yield Line(id="said")
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

    @property
    def _list(self) -> FoundList:
        return self.query_one(FoundList)

    # What is typed

    def take_typed(self) -> None:
        self._answer = None
        self._show_typed()
        self._find()

    def _show_typed(self) -> None:
        self.query_one("#find-typed", Line).left = self.typed_so_far((" ", self._palette.text), _HINT)

    @property
    def _reads_folder(self) -> bool:
        """Whether a folder is to be looked through, which is done only when asked for with Enter."""
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
        self._say("")

    # The one that is pointed at

    @on(RowList.Pointed, "#found")
    def _pointed(self) -> None:
        self._say("")

    @on(RowList.Chosen, "#found")
    def _chosen(self) -> None:
        row, slot = self._list.rows[self._list.current], self._session.cursor.entry
        if slot is None:
            self._say("the cursor is not in an entry")
        elif row.answer not in self._list.fitting:
            pattern = self._session.puzzle.grid.pattern(slot, given_only=True)
            self._say(f"{row.answer} does not fit {slot.name}, which reads {pattern}")
        else:
            self.dismiss(FindChoice(answer=row.answer))

    def key_enter(self) -> None:
        """Look through the folder that is typed; with a list, Enter is the list's."""
        if self._reads_folder and self._answer is None:
            self.dismiss(FindChoice(line=f"find {self._typed}"))
