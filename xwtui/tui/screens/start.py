"""What one can begin with, each with a picture: samples, blank grids, templates, a file."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, NamedTuple

from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.screen import ModalScreen

from xwtui.errors import XwtuiError
from xwtui.formats.registry import read_puzzle
from xwtui.model import Grid, Kind, Position, Puzzle
from xwtui.model.statistics import grid_statistics
from xwtui.resources import puzzles_folder
from xwtui.text import printable
from xwtui.tui.fragments import Fragment
from xwtui.tui.themes import Palette
from xwtui.tui.typeahead import pass_on
from xwtui.tui.widgets.painted import Heading, Line, give_paint
from xwtui.tui.widgets.row_list import RowList

_BLANK_SIDES = (15, 21, 13, 5)
_PASSED_ON = frozenset({"colon", "question_mark", "f1", "ctrl+p"})
"""Keys that are never meant for the list: they leave it, and do on the grid what they always do."""


class Beginning(NamedTuple):
    """Something to begin with: its kind, its name, and how to come by the puzzle."""

    kind: str
    name: str
    load: Callable[[], Puzzle]

    def describe(self) -> str:
        """Its figures in a line; raises XwtuiError where it cannot be read."""
        figures = grid_statistics(self.load().grid, lambda word: None)
        return f"{figures.height}×{figures.width}, {figures.entries} words, {figures.blocks} blocks"


def beginnings(folder: Path | None = None) -> list[Beginning]:
    """All of them: samples first, then blank grids, then templates."""
    where = folder or puzzles_folder()
    blanks = [Beginning("blank", f"{side}×{side}", partial(Puzzle.blank, side, side)) for side in _BLANK_SIDES]
    return [*_files(where, "sample", "*.ipuz"), *blanks, *_files(where / "templates", "template", "*.txt")]


def _files(folder: Path, kind: str, pattern: str) -> Iterator[Beginning]:
    for path in sorted(folder.glob(pattern)):
        yield Beginning(kind, path.stem.replace("-", " "), partial(read_puzzle, path))


_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def preview(grid: Grid) -> list[str]:
    """The open squares of a grid as half blocks, a character a column and a line for two rows."""
    return [
        "".join(
            _HALVES[_is_open(grid, row, column), _is_open(grid, row + 1, column)] for column in range(grid.width)
        )
        for row in range(0, grid.height, 2)
    ]


def _is_open(grid: Grid, row: int, column: int) -> bool:
    position = Position(row, column)
    return position in grid and grid[position].kind is Kind.OPEN


class StartChoice(NamedTuple):
    """What was chosen: a puzzle to begin with, or (None) a file that is yet to be named."""

    puzzle: Puzzle | None


class BeginningList(RowList[Beginning]):
    """One row a beginning."""

    def fragments(self, row: Beginning, width: int, *, is_current: bool) -> Sequence[Fragment]:
        """What a row shows."""
        style = self.paint.accent if is_current else self.paint.text
        return [(f" {row.kind:<9}", self.paint.muted), (printable(row.name, 40), style)]


class Preview(RowList[str]):
    """A grid in small."""

    def fragments(self, row: str, width: int, *, is_current: bool) -> Sequence[Fragment]:
        """What a row shows."""
        return [(row, _small(self.paint))]


def _small(paint: Palette) -> Style:
    """Open squares light and blocks dark, as in the large; in the terminal's own colours, plain."""
    light, dark = paint.open.bgcolor, paint.block.bgcolor
    if light is None or light.is_default:
        return paint.text
    return Style(color=light, bgcolor=dark)


class StartScreen(ModalScreen[StartChoice | None]):
    """Offers samples, blank grids and templates, each with a picture; Esc takes a blank 15×15."""

    DEFAULT_CSS = """
    StartScreen { align: center middle; }
    StartScreen > Vertical {
        width: 68; max-width: 96%; height: 21; max-height: 92%; padding: 1 2 0 2;
        background: $surface; border: round $primary 60%;
    }
    StartScreen Horizontal { height: 1fr; margin-top: 1; }
    StartScreen BeginningList { width: 34; height: 1fr; }
    StartScreen #picture { width: 1fr; height: 1fr; padding-left: 2; }
    StartScreen Preview { height: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "back"),
        Binding("o", "open", "open a file"),
        Binding("q,ctrl+q", "app.quit", "quit"),
    ]

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette

    def compose(self) -> ComposeResult:
        """The list with a picture beside it."""
        with Vertical():
            yield Line(id="welcome")
            with Horizontal():
                yield BeginningList(id="beginnings")
                with Vertical(id="picture"):
                    yield Line(id="figures")
                    yield Preview(id="preview")
            yield Heading("", id="rule")
            yield Line(id="keys")

    def on_mount(self) -> None:
        """Fill the list."""
        give_paint(self, self._palette)
        paint = self._palette
        self.query_one("#welcome", Line).left = [
            ("xwtui", paint.accent),
            ("  a workbench for crosswords. Begin with …", paint.text),
        ]
        self.query_one("#keys", Line).left = [
            ("Enter", paint.accent),
            (" begin   ", paint.muted),
            ("O", paint.accent),
            (" open a file   ", paint.muted),
            ("Esc", paint.accent),
            (" the grid as it is   ", paint.muted),
            ("Q", paint.accent),
            (" quit", paint.muted),
        ]
        self._list.show(beginnings())
        self.query_one(Preview).can_focus = False
        self._list.focus()
        self._picture(0)

    @property
    def _list(self) -> BeginningList:
        return self.query_one(BeginningList)

    @on(RowList.Pointed, "#beginnings")
    def _pointed(self, event: BeginningList.Pointed) -> None:
        if self.is_current:
            self._picture(event.index)

    def _picture(self, index: int) -> None:
        figures, rows = self.query_one("#figures", Line), self.query_one(Preview)
        try:
            beginning = self._list.rows[index]
            figures.left = [(beginning.describe(), self._palette.muted)]
            rows.show(preview(beginning.load().grid), -1)
        except XwtuiError as error:
            figures.left = [(printable(str(error), 60), self._palette.bad)]
            rows.show(())

    @on(RowList.Chosen, "#beginnings")
    def _chosen(self, event: BeginningList.Chosen) -> None:
        try:
            self.dismiss(StartChoice(self._list.rows[event.index].load()))
        except XwtuiError as error:
            self.query_one("#figures", Line).left = [(printable(str(error), 60), self._palette.bad)]

    def on_key(self, event: Key) -> None:
        """Leave the list where a verb or help is asked for."""
        if event.key in _PASSED_ON:
            event.stop()
            pass_on(self.app, event)
            self.dismiss(None)

    def action_open(self) -> None:
        """Name a file."""
        self.dismiss(StartChoice(None))

    def action_leave(self) -> None:
        """Take the grid as it is."""
        self.dismiss(None)
