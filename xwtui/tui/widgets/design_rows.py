"""What the design room lists and draws: the answers of a theme, the designs around it, and a picture of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.reactive import reactive

from xwtui.grids.designs import Design
from xwtui.session.theme_list import ThemeRow
from xwtui.text import printable
from xwtui.tui.drawings import Drawing
from xwtui.tui.fragments import Fragment
from xwtui.tui.picture import NOWHERE, Picture
from xwtui.tui.widgets.grid_view import SmallGrid
from xwtui.tui.widgets.painted import Line
from xwtui.tui.widgets.row_list import RowList


class TypedList(RowList[ThemeRow | Design]):
    """A list of the room: what is typed is the room's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.enter", "add or open", show=False),
        Binding("tab,shift+tab", "screen.turn", "the other list", show=False),
        Binding("backspace", "screen.narrow", "take a letter back", show=False),
        Binding("ctrl+u", "screen.forget", "type anew", show=False),
        Binding("delete", "screen.drop", "drop the answer", show=False),
    ]

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and character.isprintable()


class ThemeRows(TypedList):
    """One row an answer: its squares, its place, and which it pairs with."""

    def fragments(self, row: ThemeRow | Design, width: int, *, is_current: bool) -> Sequence[Fragment]:
        if not isinstance(row, ThemeRow):
            return ()
        paint = self.paint
        squares = "file" if row.squares is None else str(row.squares)
        marks = [row.place, "last" if row.is_last else "", "" if row.partner is None else f"↔{row.partner}"]
        told = " ".join(filter(None, marks))
        number = 1 + next(index for index, one in enumerate(self.rows) if one is row)
        room = max(width - len(told) - 9, 1)
        return [
            (f"{number:2} ", paint.muted),
            (f"{printable(row.answer, room):<{room}}", paint.accent if is_current else paint.text),
            (f" {squares:>4} ", paint.muted),
            (told, paint.good),
        ]

    def empty_text(self) -> str:
        return "no answers yet"


class DesignRows(TypedList):
    """One row a design: its number, mean and lowest score, entries and blocks."""

    remark: reactive[str] = reactive("none yet")
    """What stands where there are none: also what they wait for."""

    def fragments(self, row: ThemeRow | Design, width: int, *, is_current: bool) -> Sequence[Fragment]:
        if not isinstance(row, Design):
            return ()
        paint, figures = self.paint, row.figures
        number = 1 + next(index for index, one in enumerate(self.rows) if one is row)
        return [
            (f"{number:3}", paint.accent if is_current else paint.muted),
            (f"{row.mean_score:7.1f}{row.lowest_score:5}", paint.text),
            (f"{figures.words:5}{figures.blocks:5}", paint.muted),
        ]

    def empty_text(self) -> str:
        return self.remark


class DesignPane(Vertical):
    """A design with a line above it."""

    DEFAULT_CSS = """
    DesignPane { width: auto; height: auto; padding-left: 2; }
    DesignPane Line { width: 100%; }
    DesignPane SmallGrid { width: auto; height: auto; }
    """

    _shown: tuple[Design, Drawing] | None = None

    def compose(self) -> ComposeResult:
        yield Line()
        yield SmallGrid()

    def show(self, number: int, design: Design, drawing: Drawing, *, is_current: bool) -> None:
        """Show a design: its theme answers, and its fill as ghosts."""
        small, line = self.query_one(SmallGrid), self.query_one(Line)
        if self._shown is None or self._shown[0] is not design or self._shown[1] is not drawing:
            self._shown = design, drawing
            small.drawing = drawing
            small.picture = Picture(design.grid, NOWHERE, live=design.fill)
            small.refresh(layout=True)
        figures = design.figures
        told = f"{number}  {design.mean_score:.1f} low {design.lowest_score}  {figures.words}w {figures.blocks}b"
        line.left = [(told, line.paint.accent if is_current else line.paint.muted)]
        line.styles.width = max(drawing.size(design.grid).width, len(told))
