"""The fills to choose from, side by side."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.screen import ModalScreen

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
from xwtui.tui.picture import NOWHERE, Picture
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.painted import Fragment, Heading, KeyLine, Line, give_paint
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.small_grids import GridPanes, Pane

_MOST_PANES = 6
_LIST_WIDTH = 26
_LINES_AROUND = 4
"""Lines that are not the grids': heading, columns, what is said, keys."""
_ON_GRID = "on the grid"


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


class FillsScreen(ModalScreen[int | None]):
    """Shows the fills; ends with the number of the one to take, 0 to explain what clashes, or None for neither.

    Of a single one, what it would change of the grid is marked.
    """

    DEFAULT_CSS = """
    FillsScreen { background: $background; }
    FillsScreen > Vertical { width: 100%; height: 100%; }
    FillsScreen Horizontal { height: 1fr; }
    FillsScreen FillList { width: 26; height: 100%; }
    FillsScreen GridPanes { overflow: hidden auto; scrollbar-size: 1 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "back"),
        Binding("ctrl+w", "dismiss(0)", show=False),
        Binding("question_mark", "app.help", show=False),
        Binding("colon", "app.command_line", show=False),
    ]

    def __init__(self, puzzle: Puzzle, fills: Sequence[FoundFill], allows: Allows, palette: Palette) -> None:
        """`allows` tells of a word whether it may be used."""
        super().__init__()
        self._unwelcome = [unwelcome_words(unwelcome_answers(fill, puzzle, allows)) for fill in fills]
        self._puzzle = puzzle
        self._fills = fills
        self._palette = palette

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Heading("FILLS", id="fills-heading")
            yield Line(id="fills-columns")
            with Horizontal():
                yield FillList(id="fills")
                yield GridPanes(min(_MOST_PANES, len(self._fills)))
            yield Line(id="fills-said")
            yield KeyLine(id="fills-keys", gap=2)

    def on_mount(self) -> None:
        give_paint(self, self._palette)
        paint = self._palette
        self.query_one("#fills-heading", Heading).remark = f"{len(self._fills)} to choose from, best first"
        self.query_one("#fills-columns", Line).left = [
            ("  #   mean  low  unlike the first", paint.muted),
        ]
        keys = [("Enter", "take it"), ("Esc", "leave the grid unchanged"), ("↑ ↓", "move")]
        if len(self._fills) == 1:
            keys[-1] = ("Ctrl+W", "why")
        self.query_one("#fills-keys", KeyLine).keys = keys
        rows = self.query_one("#fills", FillList)
        rows.fills, rows.unwelcome = self._fills, self._unwelcome
        rows.standing = next((n for n, fill in enumerate(self._fills) if fill.stands_on(self._puzzle.grid)), -1)
        rows.show(range(len(self._fills)), max(rows.standing, 0))
        rows.focus()
        self._show_panes()

    def on_resize(self) -> None:
        self._show_panes()

    def _show_panes(self) -> None:
        current = self.query_one("#fills", FillList).current
        room = self.size - Size(_LIST_WIDTH, _LINES_AROUND)
        self.query_one(GridPanes).show(len(self._fills), current, self._pane, room)
        said = f" {current + 1} {self._unwelcome[current]}" if self._unwelcome[current] else ""
        self.query_one("#fills-said", Line).left = [(said, self._palette.warning)]

    def _pane(self, index: int) -> Pane:
        fill, first = self._fills[index], self._fills[0].squares
        if len(self._fills) == 1:
            first = standing_squares(self._puzzle.grid)
        unlike = frozenset(at for at, content in fill.squares.items() if first.get(at) != content)
        picture = Picture(write_fill(self._puzzle, fill.squares).grid, NOWHERE, better=unlike)
        return Pane(picture, f"{index + 1}  {scores_text(fill)}")

    @on(RowList.Pointed, "#fills")
    def _pointed(self) -> None:
        self._show_panes()

    @on(RowList.Chosen, "#fills")
    def _chosen(self, event: FillList.Chosen) -> None:
        self.dismiss(event.index + 1)
