"""What is compared: fills to choose from, side by side, and how two states of a puzzle differ."""

from collections.abc import Sequence
from typing import ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.reactive import reactive
from textual.screen import ModalScreen

from xwtui.model import Ink, Position
from xwtui.model.edits import write_fill
from xwtui.model.puzzle import Puzzle
from xwtui.session.jobs.fills.kept_fills import (
    Allows,
    scores_text,
    standing_squares,
    unwelcome_answers,
    unwelcome_words,
)
from xwtui.session.run_view import FoundFill
from xwtui.session.snapshot_answers import ComparisonAnswer, DifferenceLine
from xwtui.session.wording import counted
from xwtui.text import printable
from xwtui.tui.editing.context import Host
from xwtui.tui.picture import NOWHERE, Picture
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.list_and_detail import LINES_AROUND, ListAndDetail
from xwtui.tui.widgets.painted import Fragment, Heading, InPalette
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.small_grids import GridPanes, Pane

_LONGEST_TEXT = 200
_MOST_PANES = 6
_LIST_WIDTH = 26
_COLUMNS = " #   mean  low  unlike 1"


class FillList(RowList[int]):
    """One row a fill: number, mean, lowest, and how far it is from the first."""

    fills: Sequence[FoundFill] = ()
    standing: int = -1
    """The one that stands on the grid, or -1."""
    unwelcome: Sequence[str] = ()
    """What is to be said against each; empty where that is nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "point(-1)", "previous", show=False),
        Binding("right", "point(1)", "next", show=False),
    ]

    def fragments(self, row: int, width: int, *, is_current: bool) -> Sequence[Fragment]:
        fill, paint = self.fills[row], self.paint
        share = f"{fill.share_unlike(self.fills[0]):5.0%}" if row else "     "
        mark = "●" if row == self.standing else " "
        return [
            (f"{row + 1:3} ", paint.accent if is_current else paint.muted),
            (f"{fill.mean_score:6.1f}", paint.text),
            (f"{fill.lowest_score:5}", paint.text),
            (share, paint.muted),
            (f" {mark}", paint.good),
            ("!" if self.unwelcome[row] else " ", paint.warning),
        ]


class FillsScreen(InPalette, ModalScreen[int | None]):
    """Shows the fills; ends with the number of the one to take, 0 to explain what clashes, or None for neither.

    Of a single one, what it would change of the grid is marked.
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
        """`allows` tells of a word whether it may be used."""
        super().__init__()
        self._puzzle = puzzle
        self._fills = fills
        self._rows = rows = FillList()
        rows.fills = fills
        rows.unwelcome = [unwelcome_words(unwelcome_answers(fill, puzzle, allows)) for fill in fills]
        rows.standing = next((n for n, fill in enumerate(fills) if fill.stands_on(puzzle.grid)), -1)
        self._panes = GridPanes(min(_MOST_PANES, len(fills)))
        self._shown = ListAndDetail("FILLS", Vertical(Heading(_COLUMNS), rows, id="fills-side"), self._panes)

    def compose(self) -> ComposeResult:
        yield self._shown

    def on_mount(self) -> None:
        why = cast(Host, self.app).keys.cap_of("why")
        last = ("↑ ↓", "move") if len(self._fills) > 1 else (why, "why")
        self._shown.show_keys(("Enter", "take it"), ("Esc", "leave the grid unchanged"), last)
        remark = f"{len(self._fills)} to choose from, best first"
        replaced = len(standing_squares(self._puzzle.grid).items() - self._fills[0].squares.items())
        if len(self._fills) == 1 and replaced:
            pencil = sum(one.content is not None and one.ink is Ink.PENCIL for one in self._puzzle.grid.squares)
            remark = f"not written: it would replace {counted(replaced, 'square')} of {pencil:,} in pencil, marked"
        self._shown.heading.remark = remark
        self._rows.show(range(len(self._fills)), max(self._rows.standing, 0))
        self._rows.focus()
        self._show_panes()

    def on_resize(self) -> None:
        self._show_panes()

    def _show_panes(self) -> None:
        current = self._rows.current
        room = self.size - Size(_LIST_WIDTH, LINES_AROUND)
        self._panes.show(len(self._fills), current, self._pane, room)
        said = self._rows.unwelcome[current]
        self._shown.tell((f"{current + 1} {said}" if said else "", self._palette.warning))

    def _pane(self, index: int) -> Pane:
        fill, first = self._fills[index], self._fills[0].squares
        if len(self._fills) == 1:
            first = standing_squares(self._puzzle.grid)
        unlike = frozenset(at for at, content in fill.squares.items() if first.get(at) != content)
        picture = Picture(write_fill(self._puzzle, fill.squares).grid, NOWHERE, better=unlike)
        return Pane(picture, f"{index + 1}  {scores_text(fill)}")

    @on(RowList.Pointed)
    def _pointed(self) -> None:
        self._show_panes()

    @on(RowList.Chosen)
    def _chosen(self, event: FillList.Chosen) -> None:
        self.dismiss(event.index + 1)


class DifferenceList(RowList[DifferenceLine]):
    """One row a difference."""

    remark: reactive[str] = reactive("no difference")

    def fragments(self, row: DifferenceLine, width: int, *, is_current: bool) -> Sequence[Fragment]:
        text = printable(row.text, max(width - 3, 1))
        return [(" ▸ " if is_current else "   ", self.paint.accent), (text, self.paint.text)]


class DifferencesScreen(InPalette, ModalScreen[tuple[Position, ...] | None]):
    """Shows how two states of a puzzle differ; ends with the squares to go to, or None to stay."""

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
        """Show one of the states, with all that differs and the pointed difference marked."""
        answer, row = self._answer, self._rows.pointed
        grid = (answer.then if self._is_then else answer.now).grid
        changed = frozenset(one.at for one in answer.differences.squares if one.at in grid)
        pointed = frozenset(at for at in (row.positions if row is not None else ()) if at in grid)
        self._shown.draw(Picture(grid, NOWHERE, changed=changed, selection=pointed), pointed)
        self._shown.tell((printable(row.text, _LONGEST_TEXT) if row else "", self._palette.text))
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
