"""The editor: the grid with all that stands around it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Footer

from xwtui.engine.events.event import Outcome
from xwtui.session import messages
from xwtui.session.messages import Severity
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.tui import describe
from xwtui.tui.bindings import screen_bindings
from xwtui.tui.entry_rows import Order
from xwtui.tui.fragments import Fragment, TwoEnds
from xwtui.tui.heat import legend
from xwtui.tui.messages import Reported
from xwtui.tui.palette import Palette
from xwtui.tui.picture import Picture
from xwtui.tui.screens.commands import Commands
from xwtui.tui.screens.grid_actions import GridActions
from xwtui.tui.search_view import SearchView, is_going, stopped_squares
from xwtui.tui.widgets.completions import CompletionList
from xwtui.tui.widgets.desk import Desk
from xwtui.tui.widgets.line import Line
from xwtui.tui.widgets.painted import give_paint
from xwtui.tui.widgets.prompt import Prompt

_LINES_AROUND = 6
"""Lines that are not the desk's: title, entry, estimate, run, message, footer."""

_TICK = 0.1
"""Seconds between two pictures of the spinner."""


class Editor(GridActions, Commands):
    """Shows the session's puzzle, and turns keys and clicks into its edits and verbs."""

    DEFAULT_CSS = """
    Editor { layers: base overlay; layout: vertical; background: $background; overflow: hidden; }
    Editor #message { display: block; }
    Editor Footer { padding-left: 1; }
    Editor.-asking #message { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*screen_bindings()]

    def __init__(self, session: Session, palette: Palette) -> None:
        super().__init__(session, palette)
        self.order = Order(session.settings.entry_order)
        self._search = SearchView()
        self._run_view: RunView | None = None
        self._tick = 0

    # Layout

    def compose(self) -> ComposeResult:
        """Title, entry, desk, estimate, run, message or prompt, keys."""
        yield Line(id="title")
        yield Line(id="entry")
        yield Desk(id="desk")
        yield Line(id="estimate")
        yield Line(id="run")
        yield Line(id="message")
        yield Prompt(self.suggestion, id="prompt")
        yield CompletionList(id="completions")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Give out the paints, and show the puzzle."""
        self._clock = self.set_interval(_TICK, self._spin)
        self.query_one(CompletionList).can_focus = False
        self._give_palette()
        self.show_puzzle()
        self.set_focus(self.desk.grid)

    def watch_paint(self) -> None:
        """Draw everything in other colours."""
        if self.is_mounted:
            self._give_palette()
            self.show_lines()

    def _give_palette(self) -> None:
        give_paint(self, self.paint)

    def on_resize(self, event: events.Resize) -> None:
        """Share the cells out anew."""
        self._share_out()

    def _share_out(self) -> None:
        if self.is_mounted:
            self.desk.share_out(self.size.width, self.size.height - _LINES_AROUND)

    # Showing

    def show_puzzle(self) -> None:
        """Show the puzzle as it is now, after any change."""
        self.insight.puzzle_changed(self.session.puzzle.grid.slots)
        self._run_view = self.session.jobs.fill.view
        if not is_going(self._run_view):
            self._search.forget()
            self.desk.show_live({}, self.order)
        size = self._shape
        self.show_picture()
        if size != self._shape:
            self._share_out()
        self.desk.show_entries(self.session, self.insight, self.order)
        self.show_lines()
        self.ask_candidates()

    @property
    def _shape(self) -> tuple[int, int] | None:
        picture = self.desk.grid.picture
        return (picture.grid.height, picture.grid.width) if picture else None

    def show_picture(self) -> None:
        """Draw the grid with the cursor and the search."""
        position, direction = self.session.cursor.place
        grid = self.session.puzzle.grid
        search = self._search
        self.desk.show_picture(
            Picture(
                grid,
                position,
                direction,
                search.squares,
                search.undone,
                search.is_on,
                selection=self.session.selection.squares,
                stopped=stopped_squares(grid, self._run_view),
                better=search.better,
                ruled=frozenset(self.session.puzzle.rules.squares),
                heat=self.heat,
                forced=self.insight.letters.forced if self.insight.letters is not None else {},
            )
        )

    def show_lines(self) -> None:
        """Write the lines around the desk."""
        self._write("title", describe.title_line(self.session, self.paint))
        self._write("entry", describe.entry_line(self.session, self.insight, self.paint))
        self._write_letters()
        self._show_state()

    def _show_state(self) -> None:
        insight, paint = self.insight, self.paint
        stale = insight.is_stale(self.session.revision)
        reason, rest = describe.reason_broken(insight.reason, self.size.width)
        estimate = describe.estimate_line(insight.estimate, reason, stale=stale, paint=paint)
        waits = self.session.jobs.fill.is_running and self.session.jobs.fill.view is None
        engine = describe.engine_line(insight.engine, insight.words, self._tick, paint, waits=waits)
        right = self._right_of_estimate(engine)
        spare = engine if insight.reason and right is engine else ()
        self._write("estimate", TwoEnds(estimate.left, right, spare))
        self._write("run", self._below_estimate(rest, waits=waits))

    def _below_estimate(self, reason: str, *, waits: bool) -> TwoEnds:
        """The search; in its place the rest of a long reason why there is no fill, while nothing is searched."""
        run = self._run_view
        if reason and not waits and (run is None or run.outcome is Outcome.IMPOSSIBLE):
            return TwoEnds([(f" {reason}", self.paint.text)])
        return describe.run_line(run, self._tick, self.paint, waits=waits)

    def _right_of_estimate(self, engine: Sequence[Fragment]) -> Sequence[Fragment]:
        """How far the engine and the words are, or once they are there the legend of the heat map."""
        if not self.is_heated or self.insight.is_loading:
            return engine
        return legend(self.paint, describe.spinner(self._tick) if self.is_heat_stale else "")

    def heat_changed(self) -> None:
        """Draw the grid and its legend."""
        self.show_picture()
        self._show_state()

    def _write_letters(self) -> None:
        self._write("letters", describe.letters_line(self.session, self.insight, self.paint))

    def _write(self, name: str, ends: TwoEnds) -> None:
        line = self.query_one(f"#{name}", Line)
        line.left, line.right, line.spare = ends

    def action_order(self) -> None:
        """List the entries in the other order."""
        self.order = self.order.other
        self.desk.show_entries(self.session, self.insight, self.order)
        self.attempt(lambda: self.host.keep(replace(self.session.settings, entry_order=self.order.value)))

    def _spin(self) -> None:
        if self.insight.is_loading or self.session.jobs.fill.is_running or self.is_heat_stale:
            self._tick += 1
            self._show_state()

    # What the session tells

    @on(Reported)
    def _reported(self, event: Reported) -> None:
        event.stop()
        self.take(event.report)

    def take(self, report: messages.Message) -> None:
        """Show what the session tells; what comes too late is dropped."""
        if not self.hears_of_question(report):
            self._show_report(report)

    def _show_report(self, report: messages.Message) -> None:
        match report:
            case messages.PuzzleChanged():
                self.show_puzzle()
                self.follow_change()
            case messages.CursorMoved() | messages.SelectionChanged():
                self._cursor_moved()
            case messages.FillProgress(run=run):
                if run is self.session.jobs.fill.view and is_going(run):  # a newer view is on its way otherwise
                    self._follow(run)
            case messages.FillEnded(run=run):
                self._follow(run)
                self.hear_end(run)
                self.renew_heat()
            case messages.LexiconFailed(message=text) | messages.JobFailed(message=text):
                self.say(text, Severity.ERROR)
            case messages.Notice(text=text, severity=severity):
                self.say(text, severity)
            case messages.Saved(path=path):
                self.say(f"saved {path.name}")
                self.show_lines()
            case _ if self.insight.take(report, self.session.revision):
                self._learned(report)

    def _cursor_moved(self) -> None:
        self.show_picture()
        self.desk.follow_cursor(self.session.cursor.slot)
        self._write_letters()
        self._write("entry", describe.entry_line(self.session, self.insight, self.paint))
        self.ask_candidates()

    def _follow(self, run: RunView) -> None:
        self._run_view = run
        shown = self._search.squares
        if is_going(run):
            self._search.follow(run, self.session.puzzle.grid)
        else:
            self._search.forget()
        self.desk.show_live(run.domain_sizes if self._search.is_on else {}, self.order)
        self.show_picture()
        if run.quality is not None and shown is not self._search.squares:
            self.desk.show_entries(self.session, self.insight, self.order)
            self._write("entry", describe.entry_line(self.session, self.insight, self.paint))
        self._show_state()

    def _learned(self, report: messages.Message) -> None:
        match report:
            case messages.CandidatesReady() | messages.EstimatesChanged():
                self.show_candidates(report)
                return
            case messages.LettersReady():
                self.show_picture()
                self._write_letters()
                return
            case messages.OptionsReady():
                self.desk.show_entries(self.session, self.insight, self.order)
                self._write("entry", describe.entry_line(self.session, self.insight, self.paint))
            case messages.LexiconReady(notices=notices):
                self.show_puzzle()
                if notices:
                    more = f" and {len(notices) - 1} more" if len(notices) > 1 else ""
                    self.say(f"{notices[0]}{more}", Severity.WARNING)
        self._show_state()
