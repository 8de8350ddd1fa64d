"""The other words that a search would try at a place, to choose one of them."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from xwtui.engine.events.event import LikelyWord
from xwtui.session.wording import likely_figures
from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.palette import Palette
from xwtui.tui.widgets.painted import give_paint
from xwtui.tui.widgets.row_list import RowList

_MOST_ROWS = 14


class OtherList(RowList[LikelyWord]):
    """One row a word, with its figures."""

    def fragments(self, row: LikelyWord, width: int, *, is_current: bool) -> Sequence[Fragment]:
        """What a row shows."""
        return [(f" {row.word}", self.paint.text), (f"  {likely_figures(row)}", self.paint.muted)]


class OthersScreen(ModalScreen[str | None]):
    """Lists the words, the next one first; ends with the one chosen, or None where Esc left it."""

    DEFAULT_CSS = """
    OthersScreen { align: center middle; }
    OthersScreen > Vertical {
        width: 48; max-width: 90%; height: auto; padding: 1 2;
        background: $surface; border: round $primary 60%;
    }
    OthersScreen Static { margin-bottom: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "leave it")]

    def __init__(self, place: str, tried: str, others: Sequence[LikelyWord], palette: Palette) -> None:
        super().__init__()
        self._question = f"{place} = {tried}. Which word instead? Enter chooses, Esc leaves it."
        self._others = others
        self._palette = palette

    def compose(self) -> ComposeResult:
        """The question and the words."""
        with Vertical():
            yield Static(printable(self._question, 200), markup=False)
            yield OtherList(id="others")

    def on_mount(self) -> None:
        """List the words."""
        give_paint(self, self._palette)
        rows = self.query_one("#others", OtherList)
        rows.styles.height = min(len(self._others), _MOST_ROWS)
        rows.show(self._others)
        rows.focus()

    @on(RowList.Chosen, "#others")
    def _chosen(self, event: OtherList.Chosen) -> None:
        self.dismiss(self._others[event.index].word)

    def action_leave(self) -> None:
        """Leave it as it is."""
        self.dismiss(None)
