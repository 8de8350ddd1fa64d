"""The race screen: how every entrant stands, and how many of its runs are settled by when."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from xwtui.racing.plots import PLOT_TITLE, SurvivalPlot, plot_rows
from xwtui.racing.report import LIVE_COLUMNS, SUMMARY_COLUMNS, live_rows, progress_line, reason_lines, summary_rows
from xwtui.racing.standing import RaceView
from xwtui.session import messages
from xwtui.session.session import Session
from xwtui.text import printable
from xwtui.tui.palette import Palette
from xwtui.tui.screens.reply import ReplyScreen
from xwtui.tui.widgets.line import Heading, Line
from xwtui.tui.widgets.painted import give_paint
from xwtui.tui.widgets.race_table import RaceTable
from xwtui.tui.widgets.text_panel import TextPanel

_LEAST_PLOT = 5
_LINES_AROUND = 3
"""The heading, the message and the keys."""
_LOW = 16
"""Rows below which there is no room for the plot."""
_GOING_KEYS = (("Esc", "stops"), ("t", "table"), ("↑↓", "walk"), ("?", "help"))
_OVER_KEYS = (("Esc", "back"), ("t", "table"), ("s", "save"), ("r", "reasons"), ("↑↓", "walk"), ("?", "help"))
_NO_REASONS = "no run has failed for a reason of its own"
_HELP = (
    "Esc        stop the race with what there is; back to the grid once it is over",
    "t          how each entrant stands, or the summary over the seeds",
    "s          save the race, as .json, .csv or .svg",
    "r          why runs failed",
    "↑ ↓        walk the table",
    "seconds    processor time of the run itself; loading words and the engine are not counted",
    "settled    runs with a legal fill, or with a proof that there is none",
    "PAR2       the mean of the seconds, each failure taken for twice the budget",
)


class RaceScreen(Screen[str | None]):
    """Shows the session's race; ends with a line for the prompt where the constructor wants to save it."""

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

    def __init__(self, session: Session, palette: Palette) -> None:
        super().__init__()
        self._session = session
        self._palette = palette
        self.shows_summary = False
        """Whether the table is the summary over the seeds."""
        self._is_laid_out = False

    def compose(self) -> ComposeResult:
        """The table, the plot, a message, the keys."""
        yield Heading("RACE", id="race-heading")
        yield RaceTable(id="race-table")
        yield Heading(PLOT_TITLE.upper(), id="race-plot-heading")
        yield TextPanel(id="race-plot")
        yield Line(id="race-said")
        yield Line(id="race-keys")

    def on_mount(self) -> None:
        """Show the race as it stands."""
        self._is_laid_out = True
        give_paint(self, self._palette)
        self._table.focus()
        self._show()

    def on_resize(self) -> None:
        """Draw anew in another size; where it is too low for both, the table is all."""
        self.set_class(self.size.height < _LOW, "-low")
        self.call_after_refresh(self._show)

    @property
    def _table(self) -> RaceTable:
        return self.query_one(RaceTable)

    @property
    def _view(self) -> RaceView | None:
        return self._session.jobs.race.view

    # What the session tells

    def take(self, report: messages.Message) -> None:
        """Show what the session tells of the race."""
        match report:
            case messages.RaceMoved():
                self._show()
            case messages.RaceEnded(view=view):
                self.shows_summary = True
                self._say("stopped: this is the race so far" if view.is_stopped else "the race is over")
                self._show()
            case messages.RaceFailed(message=text):
                self._say(text)

    # Showing

    def _show(self) -> None:
        view = self._view
        if view is None or not self._is_laid_out:
            return
        plot = SurvivalPlot.of(view)
        marks = {line.entrant: line.mark for line in plot.lines}
        self._fill_table(view, marks)
        self._draw(plot)
        self.query_one("#race-heading", Heading).remark = f"{progress_line(view)[6:]}, {view.seconds:.0f} s"
        keys, paint = (_OVER_KEYS if view.is_over else _GOING_KEYS), self._palette
        self.query_one("#race-keys", Line).left = [
            piece for key, said in keys for piece in ((f" {key}", paint.accent), (f" {said} ", paint.muted))
        ]

    def _fill_table(self, view: RaceView, marks: dict[str, str]) -> None:
        columns, rows = (
            (SUMMARY_COLUMNS, summary_rows(view)) if self.shows_summary else (LIVE_COLUMNS, live_rows(view))
        )
        self._table.show(columns, rows, marks, self._palette, self.size.width)
        others = _LINES_AROUND + (0 if self.has_class("-low") else _LEAST_PLOT + 1)
        self._table.styles.max_height = max(self.size.height - others, 3)

    def _draw(self, plot: SurvivalPlot) -> None:
        panel, paint = self.query_one(TextPanel), self._palette
        rows = plot_rows(plot, panel.size.width, panel.size.height)
        panel.lines = [[(row, paint.text)] for row in rows]

    def _say(self, text: str) -> None:
        if not self._is_laid_out:
            return
        self.query_one("#race-said", Line).left = [(f" {printable(text, 200)}", self._palette.warning)]

    # Keys

    def action_stop_or_leave(self) -> None:
        """End the race with what there is; back to the grid once it is over."""
        if not self._session.jobs.race.stop():
            self.dismiss(None)

    def action_stop(self) -> None:
        """End the race with what there is."""
        self._session.jobs.race.stop()

    def action_turn(self) -> None:
        """Show the other table."""
        self.shows_summary = not self.shows_summary
        self._show()

    def action_save(self) -> None:
        """Ask for a file, once the race is over."""
        if self._session.jobs.race.is_running:
            self._say("the race goes on; Esc stops it")
        else:
            self.dismiss("race save ")

    def action_reasons(self) -> None:
        """Tell why runs failed."""
        lines = reason_lines(self._view) if self._view is not None else []
        self.app.push_screen(ReplyScreen("why runs failed", lines or (_NO_REASONS,)))

    def action_help(self) -> None:
        """Tell what the keys do, and the figures mean."""
        self.app.push_screen(ReplyScreen("the race", _HELP))
