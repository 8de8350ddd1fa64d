"""What differs from a snapshot: marked in the grid, and a list to walk through."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.model import Position
from xwtui.session.snapshot_answers import ComparisonAnswer, DifferenceLine
from xwtui.text import printable
from xwtui.tui.picture import NOWHERE, Picture
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, KeyLine, give_paint
from xwtui.tui.widgets.row_list import RowList

_LINES_AROUND = 4
"""Lines that are not the grid's: heading, the pointed difference in full, keys."""
_PANEL_WIDTH = 32
"""Cells for the list, before the grid takes any more."""
_LONGEST_TEXT = 200


class DifferenceList(RowList[DifferenceLine]):
    """One row a difference."""

    remark: reactive[str] = reactive("no difference")

    def fragments(self, row: DifferenceLine, width: int, *, is_current: bool) -> Sequence[Fragment]:
        text = printable(row.text, max(width - 3, 1))
        return [(" ▸ " if is_current else "   ", self.paint.accent), (text, self.paint.text)]


class DifferencesScreen(ModalScreen[tuple[Position, ...] | None]):
    """Shows how two states of a puzzle differ; ends with the squares to go to, or None to stay."""

    DEFAULT_CSS = """
    DifferencesScreen { background: $background; layout: vertical; }
    DifferencesScreen Horizontal { height: 1fr; }
    DifferencesScreen #differences { width: 1fr; height: 100%; margin-left: 1; }
    DifferencesScreen Static { height: 2; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "leave"),
        Binding("tab,space", "turn", "then and now"),
        Binding("question_mark", "app.help", show=False),
        Binding("colon", "app.command_line", show=False),
    ]

    def __init__(self, answer: ComparisonAnswer, palette: Palette) -> None:
        super().__init__()
        self._answer = answer
        self._palette = palette
        self._is_then = False

    def compose(self) -> ComposeResult:
        yield Heading(
            printable(f"{self._answer.name} → {self._answer.other}", 90).upper(), id="differences-heading"
        )
        with Horizontal():
            yield GridView(id="differences-grid")
            yield DifferenceList(id="differences")
        yield Static(id="differences-detail", markup=False)
        yield KeyLine(id="differences-keys", gap=2)

    def on_mount(self) -> None:
        give_paint(self, self._palette)
        self._grid.can_focus = False
        rows = self.query_one("#differences", DifferenceList)
        rows.show(self._answer.rows, 0)
        rows.focus()
        keys = [("↑ ↓", "move"), ("Tab", "then and now"), ("Enter", "go there"), ("Esc", "leave")]
        self.query_one("#differences-keys", KeyLine).keys = keys
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        self._fit()

    @property
    def _grid(self) -> GridView:
        return self.query_one("#differences-grid", GridView)

    def _fit(self) -> None:
        self._grid.fit(self.size.width - _PANEL_WIDTH - 1, self.size.height - _LINES_AROUND)

    def _show(self) -> None:
        """Show one of the states, with all that differs and the pointed difference marked."""
        answer, row = self._answer, self.query_one(DifferenceList).pointed
        grid = (answer.then if self._is_then else answer.now).grid
        changed = frozenset(one.at for one in answer.differences.squares if one.at in grid)
        pointed = frozenset(at for at in (row.positions if row is not None else ()) if at in grid)
        before = self._grid.picture
        self._grid.picture = Picture(grid, NOWHERE, changed=changed, selection=pointed)
        if before is None or (before.grid.height, before.grid.width) != (grid.height, grid.width):
            self._fit()
        self._grid.reveal(pointed)
        self.query_one("#differences-detail", Static).update(printable(row.text, _LONGEST_TEXT) if row else "")
        state = answer.name if self._is_then else answer.other
        self.query_one("#differences-heading", Heading).remark = f"the grid shows {printable(state)}"

    @on(RowList.Pointed, "#differences")
    def _pointed(self) -> None:
        self._show()

    @on(RowList.Chosen, "#differences")
    def _chosen(self) -> None:
        row = self.query_one(DifferenceList).pointed
        self.dismiss(row.positions if row is not None and row.positions else None)

    def action_turn(self) -> None:
        self._is_then = not self._is_then
        self._show()
