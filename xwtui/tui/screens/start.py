"""The start screen: a grid to lay out, recent puzzles, samples, each with a picture."""

import enum
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.screen import ModalScreen

from xwtui.errors import XwtuiError
from xwtui.formats.registry import read_puzzle
from xwtui.model import Puzzle
from xwtui.model.statistics import grid_statistics
from xwtui.resources import puzzles_folder
from xwtui.text import printable
from xwtui.tui.typeahead import leaves_for, pass_on
from xwtui.tui.widgets.painted import Fragment, Heading, InPalette, Line, key_hints
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.small_grids import GridPreview

_BLANK_SIDES = (15, 21, 13, 5)
_MOST_RECENT = 8
_FRAME_ROWS = 7
"""Rows of the box around the list."""
_LAY_OUT, _RECENT = "lay out", "recent"
_LAY_OUT_NOTE = "templates and designs"


class StartOption(NamedTuple):
    """A way to start: its kind, its name, and how to load the puzzle.

    `path` is its file, if the puzzle keeps that file. Without `load`, there is more to choose first.
    """

    kind: str
    name: str
    load: Callable[[], Puzzle] | None = None
    path: Path | None = None


def start_options(recent: Sequence[Path]) -> list[StartOption]:
    """Return all ways to start: laying out a grid, then recent puzzles, then samples."""
    samples = sorted(puzzles_folder().glob("*.ipuz"))
    blanks = [StartOption("blank", f"{side}×{side}", partial(Puzzle.blank, side, side)) for side in _BLANK_SIDES]
    return [
        StartOption(_LAY_OUT, "a template, or a theme …"),
        *blanks,
        *(StartOption(_RECENT, path.name, partial(read_puzzle, path), path) for path in recent[:_MOST_RECENT]),
        *(StartOption("sample", path.stem.replace("-", " "), partial(read_puzzle, path)) for path in samples),
    ]


class NextChoice(enum.Enum):
    """What is to be chosen next, if it is not a puzzle yet."""

    GRID = "a grid to find or design"
    FILE = "a file to open"


class StartOptionList(RowList[StartOption]):
    """One row per way to start."""

    def fragments(self, row: StartOption, width: int, *, is_current: bool) -> Sequence[Fragment]:
        style = self.paint.accent if is_current else self.paint.text
        return [(f" {row.kind:<9}", self.paint.muted), (printable(row.name, 40), style)]


class StartScreen(InPalette, ModalScreen[Puzzle | Path | NextChoice | None]):
    """Offers ways to lay out a grid, recent puzzles (returned as files) and samples; Esc keeps the grid."""

    DEFAULT_CSS = """
    StartScreen { align: center middle; }
    StartScreen > Vertical {
        width: 60%; min-width: 92; max-width: 96%; height: 21; padding: 1 2 0 2;
        background: $surface; border: round $primary 60%;
    }
    StartScreen Horizontal { height: 1fr; margin-top: 1; }
    StartScreen StartOptionList { width: 1fr; height: 1fr; }
    StartScreen #picture { width: 38%; min-width: 29; height: 1fr; padding-left: 2; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "back"),
        Binding("r,R", "last", "the last puzzle"),
        Binding("o,O", "open", "open a file"),
        Binding("q,Q,ctrl+q", "app.quit", "quit"),
    ]

    _list = getters.query_one(StartOptionList)

    def __init__(self, recent: Sequence[Path]) -> None:
        super().__init__()
        self._recent = recent

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Line(id="welcome")
            with Horizontal():
                yield StartOptionList(id="start-options")
                with Vertical(id="picture"):
                    yield Line(id="figures")
                    yield Line(id="where")
                    yield GridPreview()
            yield Heading("", id="rule")
            yield Line(id="keys")

    def on_mount(self) -> None:
        paint = self._palette
        self.query_one("#welcome", Line).left = [
            ("xwtui", paint.accent),
            ("  lay out, fill, clue and send a crossword. Begin with …", paint.text),
        ]
        last = [("R", "last puzzle")] if self._recent else []
        keys = [("Enter", "begin"), *last, ("O", "open a file"), ("Esc", "this grid"), ("Q", "quit")]
        self.query_one("#keys", Line).left = key_hints(keys, paint, gap=2, lead="")
        self._list.show(start_options(self._recent))
        self._list.focus()
        self._picture(0)

    def on_resize(self) -> None:
        self.query_one(Vertical).styles.height = min(len(self._list.rows) + _FRAME_ROWS, self.size.height - 1)
        self.call_after_refresh(self._show_head)

    def _show_head(self) -> None:
        """Scroll only as far as the cursor requires, once the list's height is known."""
        self._list.top = 0
        self._list.reveal()

    @on(RowList.Pointed, "#start-options")
    def _pointed(self, event: StartOptionList.Pointed) -> None:
        if self.is_active:
            self._picture(event.index)

    def _picture(self, index: int) -> None:
        option, paint = self._list.rows[index], self._palette
        figures, where, preview = (
            self.query_one("#figures", Line),
            self.query_one("#where", Line),
            self.query_one(GridPreview),
        )
        preview.grid_shown = None
        where.left = [(printable(str(option.path.parent), 60), paint.muted)] if option.path else ()
        if option.load is None:
            figures.left = [(_LAY_OUT_NOTE, paint.muted)]
            return
        try:
            puzzle = option.load()
        except XwtuiError as error:
            figures.left = [(printable(str(error), 60), paint.bad)]
        else:
            statistics = grid_statistics(puzzle.grid, lambda word: None)
            size = (
                f"{statistics.height}×{statistics.width}, {statistics.entries} words, {statistics.blocks} blocks"
            )
            figures.left = [(size, paint.muted)]
            preview.grid_shown = puzzle.grid

    @on(RowList.Chosen, "#start-options")
    def _chosen(self, event: StartOptionList.Chosen) -> None:
        self._begin(self._list.rows[event.index])

    def action_last(self) -> None:
        if (last := next((row for row in self._list.rows if row.kind == _RECENT), None)) is not None:
            self._begin(last)

    def _begin(self, option: StartOption) -> None:
        if option.load is None:
            self.dismiss(NextChoice.GRID)
            return
        try:
            puzzle = option.load()
        except XwtuiError as error:
            self.query_one("#figures", Line).left = [(printable(str(error), 60), self._palette.bad)]
        else:
            self.dismiss(option.path or puzzle)

    def on_key(self, event: Key) -> None:
        if not leaves_for(self, event) and event.is_printable and event.key not in self.active_bindings:
            event.stop()
            pass_on(self.app, event)
            self.action_open()

    def action_open(self) -> None:
        self.dismiss(NextChoice.FILE)
