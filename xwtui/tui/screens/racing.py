"""The race screen: each entrant's state, and a plot of settled runs over time."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import Screen
from textual.widgets import DataTable

from xwtui.batch.races.plots import PLOT_TITLE, SurvivalPlot, plot_rows
from xwtui.batch.races.report import (
    LIVE_COLUMNS,
    SUMMARY_COLUMNS,
    Column,
    Row,
    live_rows,
    plan_line,
    progress_line,
    reason_lines,
    summary_rows,
)
from xwtui.batch.races.task import RaceView, RunState
from xwtui.session import messages
from xwtui.session.session import Session
from xwtui.text import printable
from xwtui.tui.screens.overlays import ReplyScreen
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.painted import Heading, InPalette, KeyLine, Line, TextPanel

_LONGEST_NAME = 22
_PLAIN = Style()


class RaceTable(DataTable[Text]):
    """A table of entrants; before each name is the letter of its line in the plot."""

    DEFAULT_CSS = """
    RaceTable { height: auto; background: $background; scrollbar-size: 1 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, cursor_type="row", cell_padding=0)
        self._names: list[str] = []

    def show(
        self, columns: Sequence[Column], rows: Sequence[Row], marks: Mapping[str, str], paint: Palette, room: int
    ) -> None:
        """Rewrite the table to fit `room` cells; the selected entrant stays selected if it moves."""
        headings = tuple(column.heading for column in columns)
        names = [f"{marks.get(row.cells[0], ' ')} {printable(row.cells[0], _LONGEST_NAME)}" for row in rows]
        named = [(name, *row.cells[1:]) for name, row in zip(names, rows, strict=True)]
        widths = [max(map(len, cells)) for cells in zip(headings, *named, strict=True)]
        gap = 2 if sum(widths) + 2 * len(widths) <= room else 1
        before, self._names = self._names, [row.cells[0] for row in rows]
        pointed = self.cursor_row
        if pointed < len(before) and before[pointed] in self._names:
            pointed = self._names.index(before[pointed])
        self.clear(columns=True)
        for column, width in zip(columns, widths, strict=True):
            self.add_column(_cell(column, column.heading, width), width=width + gap)
        for row, cells in zip(rows, named, strict=True):
            style = _style(row.state, paint)
            pairs = zip(columns, cells, widths, strict=True)
            self.add_row(*(_cell(column, cell, width, style) for column, cell, width in pairs))
        self.move_cursor(row=min(pointed, len(rows) - 1))


def _cell(column: Column, text: str, width: int, style: Style = _PLAIN) -> Text:
    return Text(text.rjust(width) if column.is_number else text, style)


def _style(state: RunState | None, paint: Palette) -> Style:
    """Return the style of a row, which also shows its state in words."""
    if state is None or state is RunState.RUNNING:
        return paint.text
    if state.is_settled:
        return paint.good
    return paint.bad if state in (RunState.CRASHED, RunState.FOUL) else paint.muted


_LEAST_PLOT = 5
_LINES_AROUND = 3
"""The heading, the message and the keys."""
_LOW = 16
"""Height below which the plot is not shown."""
_GOING_KEYS = (("Esc", "stop"), ("t", "table"), ("↑↓", "move"), ("?", "help"))
_OVER_KEYS = (("Esc", "back"), ("t", "table"), ("s", "save"), ("r", "reasons"), ("↑↓", "move"), ("?", "help"))
_NO_REASONS = "no run failed with an error"
_HELP = (
    "Esc        stop the race and keep its results; once it is over, go back to the grid",
    "t          each entrant's result by seed, or the summary over all seeds",
    "s          save the race, as .json, .csv or .svg",
    "r          why runs failed",
    "↑ ↓        move through the table",
    "seconds    processor time of the run itself; loading words and the engine are not counted",
    "settled    runs with a legal fill, or with a proof that there is none",
    "PAR2       the mean time in seconds, each failure counted as twice the budget",
)


class RaceScreen(InPalette, Screen[str | None]):
    """Shows the session's race; returns a line for the prompt if the user wants to save it."""

    DEFAULT_CSS = """
    RaceScreen { layout: vertical; background: $background; overflow: hidden; }
    RaceScreen TextPanel { height: 1fr; min-height: 3; }
    RaceScreen.-low TextPanel, RaceScreen.-low #race-plot-heading { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "stop_or_leave"),
        Binding("f6,ctrl+c", "stop"),
        Binding("t", "turn"),
        Binding("s", "save"),
        Binding("r", "reasons"),
        Binding("question_mark,f1", "help"),
    ]

    _table = getters.query_one(RaceTable)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.shows_summary = False
        """Whether the table shows the summary over all seeds."""
        self._is_laid_out = False

    def compose(self) -> ComposeResult:
        yield Heading("RACE", id="race-heading")
        yield RaceTable(id="race-table")
        yield Heading(PLOT_TITLE.upper(), id="race-plot-heading")
        yield TextPanel(id="race-plot")
        yield Line(id="message-line")
        yield KeyLine(id="race-keys")

    def on_mount(self) -> None:
        self._is_laid_out = True
        self._table.focus()
        self._show()

    def on_resize(self) -> None:
        self.set_class(self.size.height < _LOW, "-low")
        self.call_after_refresh(self._show)

    @property
    def _view(self) -> RaceView | None:
        return self._session.jobs.race.view

    # Messages from the session

    def receive(self, report: messages.Message) -> None:
        match report:
            case messages.RaceMoved():
                self._show()
            case messages.RaceEnded(view=view):
                self.shows_summary = True
                self._show_message(
                    "stopped: these are the results so far" if view.is_stopped else "the race is over"
                )
                self._show()
            case messages.RaceFailed(headline=text):
                self._show_message(text)

    # Drawing

    def _show(self) -> None:
        view = self._view
        if view is None or not self._is_laid_out:
            return
        plot = SurvivalPlot.of(view)
        marks = {line.entrant: line.mark for line in plot.lines}
        columns: tuple[Column, ...] = SUMMARY_COLUMNS if self.shows_summary else LIVE_COLUMNS
        rows = summary_rows(view) if self.shows_summary else live_rows(view)
        self._table.show(columns, rows, marks, self._palette, self.size.width)
        others = _LINES_AROUND + (0 if self.has_class("-low") else _LEAST_PLOT + 1)
        self._table.styles.max_height = max(self.size.height - others, 3)
        self._draw(plot)
        remark = f"{progress_line(view).removeprefix('race: ')}, {view.seconds:.0f} s"
        self.query_one("#race-heading", Heading).remark = remark
        if not view.is_over:
            self.query_one("#message-line", Line).left = [(f" {plan_line(view)}", self._palette.muted)]
        self.query_one("#race-keys", KeyLine).keys = _OVER_KEYS if view.is_over else _GOING_KEYS

    def _draw(self, plot: SurvivalPlot) -> None:
        panel, paint = self.query_one(TextPanel), self._palette
        rows = plot_rows(plot, panel.size.width, panel.size.height)
        hues = (paint.accent, paint.good, paint.warning, paint.bad, paint.heading)
        styles = {line.mark: hues[index % len(hues)] for index, line in enumerate(plot.lines)}
        panel.lines = [[(mark, styles.get(mark, paint.text)) for mark in row] for row in rows]

    def _show_message(self, text: str) -> None:
        if self._is_laid_out:
            super()._show_message(text)

    # Keys

    def on_key(self, event: Key) -> None:
        self._forget_key()
        if event.key not in self.active_bindings:
            self._explain_key(event)

    def action_stop_or_leave(self) -> None:
        """Stop the race with the results so far; if it is over, go back to the grid."""
        if not self._session.jobs.race.stop():
            self.dismiss(None)

    def action_stop(self) -> None:
        self._session.jobs.race.stop()

    def action_turn(self) -> None:
        self.shows_summary = not self.shows_summary
        self._show()

    def action_save(self) -> None:
        if self._session.jobs.race.is_running:
            self._show_message("the race is still running; Esc stops it")
        else:
            self.dismiss("race save ")

    def action_reasons(self) -> None:
        lines = reason_lines(self._view) if self._view is not None else []
        self.app.push_screen(ReplyScreen("why runs failed", lines or (_NO_REASONS,)))

    def action_help(self) -> None:
        self.app.push_screen(ReplyScreen("the race", _HELP))
