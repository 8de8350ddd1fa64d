"""The editor: the grid with all that stands around it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen

from xwtui.engine.events.event import Outcome
from xwtui.model import Content, Position
from xwtui.session import messages
from xwtui.session.messages import Severity
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.tui import describe
from xwtui.tui.editing.candidates import CandidatesPanel
from xwtui.tui.editing.command_line import CommandLine
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.editing.grid_keys import GridKeys
from xwtui.tui.editing.questions import Questions
from xwtui.tui.editing.verb_keys import VerbKeys
from xwtui.tui.entry_rows import EntryOrder, EntryRow
from xwtui.tui.faces import heat_legend
from xwtui.tui.fragments import Fragment, TwoEnds
from xwtui.tui.keys import NextSteps, screen_bindings
from xwtui.tui.picture import Picture, SearchView, is_going, stopped_squares
from xwtui.tui.themes import PLAIN, Palette
from xwtui.tui.widgets.candidate_list import CandidateList
from xwtui.tui.widgets.desk import Desk
from xwtui.tui.widgets.entry_list import ClueList, EntryList
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.key_footer import KeyFooter
from xwtui.tui.widgets.painted import Line, give_paint
from xwtui.tui.widgets.prompt import CompletionList, Prompt

_LINES_AROUND = 6
"""Lines that are not the desk's: title, entry, estimate, run, message, footer."""

_TICK = 0.1
"""Seconds between two pictures of the spinner."""


@dataclass
class Reported(Message):
    """The session told something, perhaps from a worker thread."""

    report: messages.Message
    session: Session | None = None
    """None for the one in front."""


class Editor(Screen[None]):
    """Shows the session's puzzle; what keys, clicks and the session tell goes to the part whose job it is."""

    DEFAULT_CSS = """
    Editor { layers: base overlay; layout: vertical; background: $background; overflow: hidden; }
    Editor #message { display: block; }
    Editor.-asking #message { display: none; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [*screen_bindings()]

    paint: reactive[Palette] = reactive(PLAIN)
    """The styles of all that is drawn here."""

    def __init__(self, session: Session, palette: Palette) -> None:
        super().__init__()
        self.set_reactive(Editor.paint, palette)
        self.session = session
        self.context = EditorContext(self, session, palette)
        self.insight = self.context.insight
        self.grid_keys = GridKeys(self.context)
        self.candidates = CandidatesPanel(self.context)
        self.questions = Questions(self.context, self._show_heat)
        self.line = CommandLine(self.context, self._run_line)
        self.verbs = VerbKeys(self.context, self.line, self.questions)
        self.order = EntryOrder(session.settings.entry_order)
        self._actions = self._all_actions()
        self._search = SearchView()
        self._run_view: RunView | None = None
        self._tick = 0

    def _run_line(self, line: str) -> None:
        self.verbs.run(line)

    # What keys do

    def _all_actions(self) -> Mapping[str, Callable[..., None]]:
        """What does each action that a key is declared with, by the name in `xwtui.tui.keys`."""
        grid, verbs = self.grid_keys, self.verbs
        return {
            "verb": verbs.press,
            "command": self.line.ask,
            "ask": lambda name: self.line.ask(f"{name} "),
            "palette": verbs.show_palette,
            "cancel": grid.cancel,
            "candidates": self.candidates.enter,
            "order": self._change_order,
            "arrow": grid.arrow,
            "turn": grid.turn,
            "entry_on": grid.entry_on,
            "entry_end": grid.entry_end,
            "grid_end": grid.grid_end,
            "leap": grid.leap,
            "extend": grid.extend,
            "mark": grid.mark,
            "select_entry": grid.select_entry,
            "write": grid.write,
            "erase": grid.erase,
            "erase_back": grid.erase_back,
            "hardest": grid.hardest,
            "accept_on": verbs.accept_on,
            "fill_around": verbs.fill_around,
            "until_backtrack": verbs.until_backtrack,
            "watch_search": verbs.watch_search,
            "clues": verbs.show_clues,
            "theme": verbs.change_theme,
        }

    def action_do(self, name: str, arguments: tuple[Any, ...] = ()) -> None:
        """Do what a key is declared with."""
        self._actions[name](*arguments)

    def say(self, text: str, severity: Severity = Severity.INFORMATION) -> None:
        """Say one thing in the message line, until the next key."""
        self.context.say(text, severity)

    @property
    def desk(self) -> Desk:
        """The grid and its panels."""
        return self.context.desk

    # What the widgets tell

    @on(GridView.SquareClicked)
    def _square_clicked(self, event: GridView.SquareClicked) -> None:
        self.grid_keys.click(event.position)

    @on(GridView.Dragged)
    def _dragged(self, event: GridView.Dragged) -> None:
        self.grid_keys.drag(event.first, event.last)

    @on(GridView.Pasted)
    def _pasted(self, event: GridView.Pasted) -> None:
        self.grid_keys.paste(event.text)

    @on(EntryList.Pointed, "#entries")
    @on(ClueList.Pointed, "#clues")
    def _entry_clicked(self, event: EntryList.Pointed) -> None:
        row = event.rows.rows[event.index]
        if isinstance(row, EntryRow):
            self.grid_keys.go_to(row.name)

    @on(CandidateList.Chosen, "#candidates")
    def _candidate_chosen(self) -> None:
        self.candidates.place()

    @on(CandidateList.FillWanted)
    def _fill_wanted(self) -> None:
        self.candidates.write_fill()

    @on(CandidateList.SortWanted)
    def _sort_wanted(self) -> None:
        self.candidates.sort()

    @on(CandidateList.InView)
    def _in_view(self, event: CandidateList.InView) -> None:
        self.candidates.look(event.words)

    @on(CandidateList.Left)
    def _candidates_left(self) -> None:
        self.context.focus_grid()

    @on(Prompt.Done)
    def _prompt_done(self, event: Prompt.Done) -> None:
        self.line.take(event)

    @on(Prompt.Cancelled)
    def _prompt_cancelled(self) -> None:
        self.line.close()

    @on(Prompt.Changed)
    def _prompt_changed(self, event: Prompt.Changed) -> None:
        self.line.offer(event)

    @on(Prompt.CompletionWanted)
    def _completion_wanted(self, event: Prompt.CompletionWanted) -> None:
        self.line.complete(event)

    # Layout

    def compose(self) -> ComposeResult:
        """Title, entry, desk, estimate, run, message or prompt, keys."""
        yield Line(id="title")
        yield Line(id="entry")
        yield Desk(id="desk")
        yield Line(id="estimate")
        yield Line(id="run")
        yield Line(id="message")
        yield Prompt(self.line.suggestion, id="prompt")
        yield CompletionList(id="completions")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Give out the paints, and show the puzzle."""
        self._clock = self.set_interval(_TICK, self._spin)
        self.query_one(CompletionList).can_focus = False
        self._give_palette()
        self.show_puzzle()
        self.set_focus(self.desk.grid)

    def watch_paint(self) -> None:
        """Draw everything in other colours."""
        self.context.paint = self.paint
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
        self.candidates.ask()

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
                faults=self._faulty_squares(),
                ruled=frozenset(self.session.puzzle.rules.squares),
                heat=self.questions.heat,
                forced=self.insight.letters.forced if self.insight.letters is not None else {},
                live=self._live_squares,
            )
        )

    def _faulty_squares(self) -> frozenset[Position]:
        """The squares of the entries that stop every fill or have become no words, while no search is shown."""
        if self._search.is_on:
            return frozenset()
        by_name = self.session.puzzle.grid.slots_by_name
        dead = (by_name.get(name) for name in self.insight.culprits)
        found = [
            *(slot for slot in dead if slot is not None),
            *(one.slot for one in self.session.nonsense_entries),
        ]
        return frozenset(at for slot in found for at in slot.positions)

    @property
    def _live_squares(self) -> Mapping[Position, Content]:
        live = self.insight.live
        return live.squares if live is not None and self.session.settings.live_fill else {}

    def show_lines(self) -> None:
        """Write the lines around the desk."""
        self.show_title()
        self._write("entry", describe.entry_line(self.session, self.insight, self.paint))
        self._write_letters()
        self._show_state()

    def _show_state(self) -> None:
        insight, paint = self.insight, self.paint
        stale = insight.is_stale(self.session.revision)
        reason, rest = describe.reason_broken(insight.reason, self.size.width)
        run = self._run_view
        is_refuted = run is not None and run.proves_no_fill
        estimate = describe.estimate_line(
            insight.estimate, reason, stale=stale, paint=paint, is_refuted=is_refuted
        )
        waits = self.session.jobs.fill.is_running and self.session.jobs.fill.view is None
        engine = describe.engine_line(insight.engine, insight.words, self._tick, paint, waits=waits)
        right = self._right_of_estimate(engine)
        spare = engine if insight.reason and right is engine else ()
        self._write("estimate", TwoEnds(estimate.left, right, spare))
        self._write("run", self._below_estimate(rest, waits=waits))
        self.query_one(KeyFooter).steps = self._next_steps().value

    def _next_steps(self) -> NextSteps:
        """What is likely to come next."""
        run, grid = self._run_view, self.session.puzzle.grid
        if self.session.jobs.fill.is_running:
            return NextSteps.RUNNING
        if self.insight.reason or (run is not None and run.proves_no_fill):
            return NextSteps.DEAD
        return NextSteps.FILLED if grid.slots and grid.is_filled else NextSteps.BUILDING

    def _below_estimate(self, reason: str, *, waits: bool) -> TwoEnds:
        """The search; in its place the rest of a long reason why there is no fill, while nothing is searched."""
        run = self._run_view
        if reason and not waits and (run is None or run.outcome is Outcome.IMPOSSIBLE):
            return TwoEnds([(f" {reason}", self.paint.text)])
        if run is None and not waits and self.session.settings.live_fill:
            return describe.live_line(self.insight.live, self.session.revision, self.paint)
        return describe.run_line(run, self._tick, self.paint, waits=waits)

    def _right_of_estimate(self, engine: Sequence[Fragment]) -> Sequence[Fragment]:
        """How far the engine and the words are, or once they are there the legend of the heat map."""
        if not self.questions.is_heated or self.insight.is_loading:
            return engine
        return heat_legend(self.paint, describe.spinner(self._tick) if self.questions.is_heat_stale else "")

    def _show_heat(self) -> None:
        """Draw the grid and its legend."""
        self.show_picture()
        self._show_state()

    def come_forward(self) -> None:
        """Be shown again, after another puzzle was."""
        self._share_out()
        self.show_puzzle()

    def show_title(self) -> None:
        """Write the title, and with several puzzles what becomes of the others."""
        self._write("title", describe.title_line(self.session, self.paint))

    def _write_letters(self) -> None:
        self._write("letters", describe.letters_line(self.session, self.insight, self.paint))

    def _write(self, name: str, ends: TwoEnds) -> None:
        line = self.query_one(f"#{name}", Line)
        line.left, line.right, line.spare = ends

    def _change_order(self) -> None:
        """List the entries in the other order."""
        self.order = self.order.other
        self.desk.show_entries(self.session, self.insight, self.order)
        settings = replace(self.session.settings, entry_order=self.order.value)
        self.context.attempt(lambda: self.context.host.keep(settings))

    def _spin(self) -> None:
        if not self.is_current:
            return
        if self.insight.is_loading or self.session.jobs.fill.is_running or self.questions.is_heat_stale:
            self._tick += 1
            self._show_state()

    # What the session tells

    def take(self, report: messages.Message) -> None:
        """Show what the session tells; what comes too late is dropped."""
        if not (self.questions.hears(report) or self.verbs.hears(report)):
            self._show_report(report)

    def _show_report(self, report: messages.Message) -> None:
        match report:
            case messages.PuzzleChanged():
                self.show_puzzle()
                self.questions.follow_change()
            case messages.CursorMoved() | messages.SelectionChanged():
                self._cursor_moved()
            case messages.FillProgress(run=run):
                if run is self.session.jobs.fill.view and is_going(run):  # a newer view is on its way otherwise
                    self._follow(run)
            case messages.FillEnded(run=run):
                self._follow(run)
                self.verbs.hear_end(run)
                self.questions.renew_heat()
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
        self.candidates.ask()

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
                self.candidates.show(report)
                return
            case messages.LettersReady():
                self.show_picture()
                self._write_letters()
                return
            case messages.LiveFillReady():
                self.show_picture()
            case messages.OptionsReady():
                self.show_picture()
                self.desk.renew_candidates(self.session, self.insight, self.candidates.order)
                self.desk.show_entries(self.session, self.insight, self.order)
                self._write("entry", describe.entry_line(self.session, self.insight, self.paint))
            case messages.LexiconReady(notices=notices):
                self.show_puzzle()
                if notices:
                    more = f" and {len(notices) - 1} more" if len(notices) > 1 else ""
                    self.say(f"{notices[0]}{more}", Severity.WARNING)
        self._show_state()
