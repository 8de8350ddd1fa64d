"""The editor: the grid and everything around it."""

from collections.abc import Callable, Mapping
from functools import partial

from textual import events, on
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen

from xwtui.dataclasses import dataclass, replace
from xwtui.model import Direction, Position
from xwtui.session import messages
from xwtui.session.keys.actions import KeyPlace
from xwtui.session.messages import Severity
from xwtui.session.run_view import RunView
from xwtui.session.session import Session
from xwtui.session.verbs.registry import VERBS
from xwtui.tui.editing.command_line import CommandLine, CompletionList
from xwtui.tui.editing.context import EditorContext
from xwtui.tui.editing.display import EditorLines
from xwtui.tui.editing.grid_keys import CandidatesPanel, GridKeys
from xwtui.tui.editing.verb_keys import VerbKeys
from xwtui.tui.keys import KeyFooter, bindings, no_key_words, rebind
from xwtui.tui.picture import Picture, SearchView, Tint, is_going, stopped_squares, tints
from xwtui.tui.screens.findings import Questions
from xwtui.tui.screens.menu import Menus
from xwtui.tui.square_style import has_colours
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.candidate_list import CandidateList
from xwtui.tui.widgets.desk import Desk
from xwtui.tui.widgets.entry_list import ClueList, EntryList, EntryOrder, EntryRow
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Line, Painted, TextPanel
from xwtui.tui.widgets.row_list import RowList

_DIRECTIONS = {"left": ("A", -1), "right": ("A", 1), "up": ("D", -1), "down": ("D", 1)}


_LINES_ABOVE, _LINES_BELOW = 2, 4
"""Lines other than the desk: title and entry; estimate, run, message, footer."""

_TICK = 0.1
"""Seconds per frame of the spinner."""


@dataclass
class Reported(Message):
    """A message from a session, possibly sent by a worker thread."""

    report: messages.Message
    session: Session | None = None
    """None for the session in front."""


class Editor(Screen[None]):
    """Shows the session's puzzle; keys, clicks and messages are dispatched to the parts that handle them."""

    DEFAULT_CSS = """
    Editor { layers: base overlay; layout: vertical; background: $background; overflow: hidden; }
    Editor #message-whole { layer: overlay; position: absolute; width: 100%; background: $surface; display: none; }
    Editor #message-whole.-shown { display: block; } Editor #message-whole.-quiet { background: $background; }
    Editor.-asking #message, Editor.-asking #message-whole { display: none; }
    Editor.-headed-beside #title, Editor.-headed-beside #entry { layer: overlay; position: absolute; }
    Editor.-headed-beside #side { padding-top: 2; } Editor.-refused #message-whole.-shown { display: block; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        session.can_ask_user = True
        self.context = EditorContext(self, session)
        self.insight = self.context.insight
        self.grid_keys = GridKeys(self.context)
        self.candidates = CandidatesPanel(self.context)
        self.questions = Questions(self.context, self.show_grid)
        self.line = CommandLine(self.context, lambda line: self.verbs.run(line))  # noqa: PLW0108  (made below)
        self.menus = Menus(self.context)
        self.verbs = VerbKeys(self.context, self.line, self.questions)
        self._calls = self._calls_of_actions()
        self._search = SearchView()
        self._lines = EditorLines(self.context, self.questions)
        self._run_view: RunView | None = None
        self._laid_out: tuple[Size, tuple[int, int] | None] | None = None
        """The app's size and the grid's height and width at the last layout."""
        self._tick = 0

    # Keys

    def _calls_of_actions(self) -> Mapping[str, Callable[[], object]]:
        grid = self.grid_keys
        editor, action = grid.grid_editor, grid.grid_action
        travel: dict[str, Callable[[], object]] = {}
        for name, (direction, step) in _DIRECTIONS.items():
            travel[name] = partial(grid.arrow, direction, step)
            travel[f"skip {name}"] = action(editor.skip, Direction(direction), step)
            travel[f"select {name}"] = partial(grid.extend, direction, step)

        def cancel_or_rebus() -> None:
            if not grid.cancel():
                self.line.ask_rebus()

        return {
            **travel,
            "turn": action(editor.turn),
            "next entry": partial(grid.entry_on, 1),
            "previous entry": partial(grid.entry_on, -1),
            "entry start": action(editor.entry_end, -1),
            "entry end": action(editor.entry_end, 1),
            "column top": action(editor.grid_end, Direction.DOWN, -1),
            "column foot": action(editor.grid_end, Direction.DOWN, 1),
            "row start": action(editor.grid_end, Direction.ACROSS, -1),
            "row end": action(editor.grid_end, Direction.ACROSS, 1),
            "mark": grid.mark,
            "select entry": grid.select_entry,
            "accept and next": self.verbs.accept_on,
            "erase back": action(editor.erase_back),
            "erase": grid.erase,
            "cancel": grid.cancel,
            "cancel or rebus": cancel_or_rebus,
            "candidate list": self.candidates.enter,
            "sort candidates": self.candidates.sort,
            "write its fill": self.candidates.write_fill,
            "hardest": grid.hardest,
            "fill around": self.verbs.fill_around,
            "clue table": self.verbs.show_clues,
            "order": self._change_order,
            "next backtrack": partial(self.verbs.run, "until backtrack"),
            "watch screen": self.verbs.watch_search,
            "command line": self.line.ask,
            "palette": self.verbs.show_palette,
            "menu": self.menus.show_all,
            "entry menu": self.menus.show_entry,
            "what was said": self.context.message_line.show_all,
            "next colours": self.verbs.change_theme,
        }

    def action_act(self, target: str) -> None:
        self.context.message_line.forget_key()
        if self.line.handles_key(target):
            return
        if target in self._calls:
            self._calls[target]()
        elif target in VERBS:
            self.verbs.press(target)
        else:
            self.verbs.run(target)

    def action_focus_grid(self) -> None:
        self.context.focus_grid()

    def action_ask(self, line: str) -> None:
        self.line.ask(line)

    def action_write(self, character: str) -> None:
        self.context.attempt(lambda: self.grid_keys.grid_editor.type_letter(character))

    def take_keys(self) -> None:
        keys = self.context.keys
        rebind(self, bindings(keys, KeyPlace.SCREEN))
        rebind(self.desk.grid, bindings(keys, KeyPlace.GRID))
        rebind(self.desk.candidates, bindings(keys, KeyPlace.CANDIDATES))
        self.refresh_bindings()

    def on_key(self, event: events.Key) -> None:
        if event.key not in self.active_bindings:
            text = no_key_words(event, f"{self.context.keys.cap_of('help')} lists the keys")
            self.context.message_line.explain_key(text)

    def show_message(self, text: str, severity: Severity = Severity.INFORMATION) -> None:
        """Show a message in the message line, until the next key."""
        self.context.show_message(text, severity)

    @property
    def desk(self) -> Desk:
        return self.context.desk

    # Messages from widgets

    @on(GridView.SquareClicked)
    def _square_clicked(self, event: GridView.SquareClicked) -> None:
        self.grid_keys.click(event.position)

    @on(GridView.SquareMenuRequested)
    def _square_menu_wanted(self, event: GridView.SquareMenuRequested) -> None:
        self.menus.show_square(event.position, event.at)

    @on(RowList.MenuRequested, "#entries, #clues, #candidates")
    def _entry_menu_wanted(self, event: RowList.MenuRequested) -> None:
        self._entry_clicked(event)
        self.menus.show_entry(event.at)

    @on(CompletionList.Pointed, "#completions")
    def _completion_clicked(self, event: CompletionList.Pointed) -> None:
        self.line.put_completion(event.index)

    def on_click(self, event: events.Click) -> None:
        if event.widget is not None and event.widget.id == "title":
            self.menus.show_all()

    @on(GridView.Dragged)
    def _dragged(self, event: GridView.Dragged) -> None:
        self.grid_keys.drag(event.first, event.last)

    @on(GridView.Pasted)
    def _pasted(self, event: GridView.Pasted) -> None:
        self.grid_keys.paste(event.text)

    @on(EntryList.Pointed, "#entries")
    @on(ClueList.Pointed, "#clues")
    def _entry_clicked(self, event: RowList.OfRow) -> None:
        row = event.rows.rows[event.index]
        if isinstance(row, EntryRow):
            self.grid_keys.go_to(row.name)

    @on(CandidateList.Chosen, "#candidates")
    def _candidate_chosen(self) -> None:
        self.candidates.place()

    @on(CandidateList.Typed)
    def _candidates_typed(self) -> None:
        self.show_message("")

    @on(CandidateList.InView)
    def _in_view(self, event: CandidateList.InView) -> None:
        self.session.jobs.candidates.set_visible(event.words)

    # Layout

    def compose(self) -> ComposeResult:
        yield Line(id="title")
        yield Line(id="entry")
        yield Desk(self.session, self.insight)
        yield Line(id="estimate")
        yield Line(id="run")
        yield Line(id="message")
        yield self.line
        yield CompletionList(id="completions")
        yield KeyFooter()
        yield TextPanel(id="message-whole")

    def on_mount(self) -> None:
        self._clock = self.set_interval(_TICK, self._spin)
        self.query_one(CompletionList).can_focus = False
        self.take_keys()
        self.show_puzzle()
        self.set_focus(self.desk.grid)

    def apply_palette(self, palette: Palette) -> None:
        """Redraw everything with another palette."""
        if self.is_mounted:
            for widget in self.walk_children(Painted):
                widget.paint = palette
            self.show_lines()

    def on_screen_resume(self) -> None:
        """Start counting, which waits while the start screen or layout room covers a grid not chosen yet."""
        if self.is_active and self.session.jobs.is_inactive:
            self.session.jobs.activate()

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out()
        self.context.message_line.fit()

    def _lay_out(self) -> None:
        """Lay out the screen unless nothing changed; title and entry go next to a grid with large squares.

        The app's size is used because it is known before the screen's own, so that the first layout is final.
        """
        if self._laid_out == (self.app.size, self._shape):
            return
        self._laid_out = (self.app.size, self._shape)
        width, height = self.app.size.width, self.app.size.height - _LINES_BELOW
        is_beside = self.desk.gets_large_squares(width, height - _LINES_ABOVE, _LINES_ABOVE)
        self.set_class(is_beside, "-headed-beside")
        self.desk.lay_out(width, height if is_beside else height - _LINES_ABOVE)
        left = self.desk.grid_width + 1 if is_beside else 0
        self._lines.head_width = width - left
        for line, name in enumerate(("title", "entry")):
            head = self.query_one(f"#{name}", Line)
            head.styles.width = width - left
            head.styles.offset = (left, line if is_beside else 0)
        if self._shape is not None:
            self.show_grid()
            self.show_title()

    # Drawing

    def show_puzzle(self) -> None:
        self.insight.puzzle_changed(self.session.puzzle.grid, self.session.revision)
        self._run_view = self.session.jobs.fill.view
        if not is_going(self._run_view):
            self._search.forget()
            self.desk.show_live({})
        self.show_picture()
        self.desk.show_entries()
        self.show_lines()
        self.candidates.ask()

    @property
    def _shape(self) -> tuple[int, int] | None:
        picture = self.desk.grid.picture
        return (picture.grid.height, picture.grid.width) if picture else None

    def show_picture(self) -> None:
        """Draw the grid with everything known about it; lay out again if its shape has changed."""
        session, search, insight, heat = self.session, self._search, self.insight, self.questions.heat
        grid = session.puzzle.grid
        live = insight.live if session.jobs.live_fill.is_on else None
        self.desk.grid.picture = Picture(
            grid,
            *session.cursor.place,
            search.squares,
            search.undone,
            search.is_on,
            selection=session.selection.squares,
            stopped=stopped_squares(grid, self._run_view),
            better=search.better,
            faults=frozenset() if search.is_on else insight.faulty_squares(session),
            ruled=frozenset(session.puzzle.rules.squares),
            heat=heat,
            forced=insight.letters.letters.forced if insight.letters is not None else {},
            live=live.squares if live is not None else {},
            hinted=self._hinted,
            tints={} if heat else self._tints,
        )
        self._lay_out()

    @property
    def _hinted(self) -> frozenset[Position]:
        """The blocks of the shown hint, unless the grid has changed since."""
        ready = self.insight.hints
        if ready is None or not ready.hints or ready.revision != self.session.revision or self._search.is_on:
            return frozenset()
        return ready.hints[ready.shown].change.added

    @property
    def _tints(self) -> Mapping[Position, Tint]:
        words, is_wanted = self.session.jobs.words, self.session.settings.tint and not self._search.is_on
        can_tint = has_colours(self.context.paint) and self.desk.grid.is_large
        if not is_wanted or not can_tint or words.lexicon is None:
            return {}
        return tints(self.session.puzzle, words.score)

    def show_lines(self) -> None:
        self.show_title()
        self._lines.show_entry()
        self._show_state()

    def _show_state(self) -> None:
        self._lines.show_state(self._run_view, self._tick)
        self.desk.candidates.most = self.insight.most_fills(self.session.revision)

    def show_grid(self) -> None:
        self.show_picture()
        self._show_state()

    def come_forward(self) -> None:
        """Show this editor again after another puzzle's, with the present settings."""
        self.take_keys()
        self._lay_out()
        self.show_puzzle()

    def show_title(self) -> None:
        self._lines.show_title()

    def _change_order(self) -> None:
        """List the entries in the next order, scrolled to its start."""
        order = EntryOrder(self.session.settings.entry_order).following
        settings = replace(self.session.settings, entry_order=order.value)
        self.context.attempt(lambda: self.context.host.apply_settings(settings))
        self.desk.show_entries()
        self.desk.entries.top = 0

    def _spin(self) -> None:
        if not self.is_active:
            return
        is_counting = self.session.jobs.count.is_busy or self._lines.shows_count
        is_at_work = self.insight.is_loading or self.session.jobs.fill.is_running or is_counting
        if is_at_work or self.questions.is_heat_stale:
            self._tick += 1
            self._show_state()

    # Messages from the session

    def show_report(self, report: messages.Message) -> None:
        """Show a message from the session; stale ones are dropped."""
        if self.questions.receive(report) or self.verbs.receive(report):
            return
        match report:
            case messages.PuzzleChanged():
                self.show_puzzle()
                self.questions.follow_change()
            case messages.CursorMoved() | messages.SelectionChanged():
                self.show_picture()
                self.desk.follow_cursor()
                self._lines.show_entry()
                self.candidates.ask()
            case messages.FillProgress(run=run) if run is self.session.jobs.fill.view and is_going(run):
                self._follow(run)  # otherwise a newer view is coming
            case messages.FillEnded(run=run):
                self._follow(run)
                self.verbs.show_end(run)
                self.questions.renew_heat()
            case messages.LexiconFailed(message=text) | messages.JobFailed(message=text):
                self.show_message(text, Severity.ERROR)
            case messages.Notice(text=text, severity=severity):
                self.show_message(text, severity)
            case messages.Saved() as saved:
                self.show_message(saved.words)
                self.show_lines()
            case _ if self.insight.receive(report, self.session.revision):
                self._learned(report)

    def _follow(self, run: RunView) -> None:
        self._run_view = run
        shown = self._search.squares
        self._search.follow(run, self.session.puzzle.grid)
        self.desk.show_live(run.domain_sizes if self._search.is_on else {})
        self.show_picture()
        if run.quality is not None and shown is not self._search.squares:
            self.desk.show_entries()
            self.show_title()
            self._lines.show_entry()
        self._show_state()

    def _learned(self, report: messages.Message) -> None:
        match report:
            case messages.CandidatesReady() | messages.EstimatesChanged():
                self.candidates.show(report)
                return
            case messages.LettersReady():
                self.show_picture()
                self._lines.show_entry()
                return
            case messages.LiveFillReady() | messages.LayoutHintsReady():
                self.show_picture()
            case messages.CountEnded(estimate=estimate):
                self.show_message(f"counted: {estimate.describe()}")
            case messages.OptionsReady():
                self.show_picture()
                self.desk.renew_candidates()
                self.desk.show_entries()
                self._lines.show_entry()
                self.grid_keys.take_counts()
            case messages.LexiconReady(notices=notices, lists=lists, state=state):
                self.show_puzzle()
                self.context.warn(notices, lists, state)
        self._show_state()
