"""The watch screen: a search event by event, with its causes and next steps, to argue with; and its log."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import ClassVar, cast

from rich.style import Style
from rich.text import Text
from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Key
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from xwtui.engine.events.event import EventKind
from xwtui.lazy import lazy_imports
from xwtui.model import Direction, Grid, Ink, Position
from xwtui.session import messages
from xwtui.session.fill_options import Mode
from xwtui.session.goals import ArgumentKind, SearchArgument
from xwtui.session.run_view import RunView
from xwtui.session.search_text import (
    context_lines,
    decision_lines,
    decision_report_lines,
    likely_figures,
    numbered_event,
    place_words,
)
from xwtui.session.session import Session
from xwtui.session.verbs.watching import DEFAULT_SPEED, FASTEST, save_log
from xwtui.session.wording import standing_words
from xwtui.text import counted, printable
from xwtui.tui.editing.context import Host
from xwtui.tui.picture import NOWHERE, Picture, SearchView
from xwtui.tui.screens.overlays import ChoiceScreen, ReplyScreen, ShortAnswer, unless_left
from xwtui.tui.square_style import has_colours, unfilled_heat
from xwtui.tui.themes import Palette
from xwtui.tui.widgets.grid_view import GridView
from xwtui.tui.widgets.painted import Fragment, Heading, InPalette, KeyLine, Line, TextPanel, TwoEnds, sparkline
from xwtui.tui.widgets.row_list import RowList
from xwtui.tui.widgets.typing_lists import TypingList, TypingScreen

with lazy_imports():
    from xwtui.session.recording import NumberedEvent

ARGUE_HELP = (
    "w          choose another word here, from those that the search would try next",
    "x          forbid the word here, for the rest of this search",
    "k          lock the decisions: the search keeps them all, in locked ink",
    "d          skip this entry for now: the entry that ranks next is decided first",
    "u          undo your last argument",
    "           at an earlier event, an argument applies from there on; the search can still find all other fills",
)

_LONGEST = 160
_LEAST_STORY = 6
"""Lines reserved for the event and its context."""
_MARK, _TRACK = "●", "─"


class Colouring(enum.Enum):
    """What the squares' background colors show; the value is the name in the legend."""

    NONE = "none"
    DEPTH = "depth"
    AGE = "age"
    BLAME = "blame"

    @property
    def next(self) -> Colouring:
        every = list(Colouring)
        return every[(every.index(self) + 1) % len(every)]


_ENDS = {
    Colouring.DEPTH: ("first", "last"),
    Colouring.AGE: ("old", "new"),
    Colouring.BLAME: ("never", "most"),
}


def legend(colouring: Colouring, palette: Palette) -> list[Fragment]:
    """Return the legend of the background colors."""
    if colouring is Colouring.NONE:
        return [(" c: color by depth, age, blame   b r s n: to backtrack, restart, end, entry", palette.muted)]
    low, high = _ENDS[colouring]
    name = {Colouring.BLAME: "blamed for dead ends"}.get(colouring, f"decided, by {colouring.value}")
    if not has_colours(palette):
        return [(f" {name}: 0 {low} … 9 {high}", palette.muted)]
    steps = [("  ", style) for style in palette.heats]
    return [(f" {name}: {low} ", palette.muted), *steps, (f" {high}", palette.muted)]


def shares(run: RunView, blame: Mapping[Position, float], colouring: Colouring) -> Mapping[Position, float]:
    """Return each square's value on the scale of a coloring, from 0 to 1."""
    if colouring is Colouring.BLAME:
        return blame
    if run.moment is None or colouring is Colouring.NONE:
        return {}
    if colouring is Colouring.DEPTH:
        deepest = max(len(run.moment.decisions), 1)
        return {at: depth / deepest for at, depth in run.moment.decision_depth.items()}
    ages = run.moment.decision_age
    oldest = max(ages.values(), default=0) or 1
    return {at: 1 - age / oldest for at, age in ages.items()}


def watched_picture(
    grid: Grid, run: RunView | None, search: SearchView, heat: Mapping[Position, float]
) -> Picture:
    """Return the grid at the current event, with the cursor on the event's entry or square."""
    if run is None:
        return Picture(grid, NOWHERE)
    cursor, direction = NOWHERE, Direction.ACROSS
    if run.event is not None:
        slot = grid.slots_by_name.get(run.event.slot or "")
        if slot is not None:
            cursor, direction = slot.positions[0], slot.direction
        elif run.event.crossing is not None and run.event.crossing in grid:
            cursor = run.event.crossing
    return Picture(
        grid,
        cursor,
        direction,
        search.squares,
        search.undone,
        searching=search.is_on,
        heat=unfilled_heat(heat, grid),
    )


def panel_lines(run: RunView | None, size: Size, palette: Palette) -> list[list[Fragment]]:
    """Return the event in words, its context, and the next steps with their reasons."""
    if run is None or run.event is None:
        return _wrapped("→ begins a search, Space lets it run", size.width, palette.muted)
    lines = _wrapped(run.event.describe(), size.width, palette.accent)
    report = decision_report_lines(run.decision_report)
    room = max(size.height - len(report) - 1, _LEAST_STORY)
    for line in context_lines(run):
        lines += _wrapped(line, size.width, palette.text)
    del lines[room:]
    lines.append([])
    for one in report:
        style = palette.heading if one.is_heading else palette.text
        lines.append([(f" {printable(one.text, _LONGEST)}", style)])
    return lines


def decided_lines(run: RunView | None, palette: Palette) -> list[list[Fragment]]:
    """Return the decisions in force."""
    if run is None or run.event is None or run.moment is None or not run.moment.decisions:
        return []
    lines = decision_lines(run.moment.decisions)
    heading = [(" decided, the latest first", palette.heading)]
    return [heading, *([(f" {printable(line, _LONGEST)}", palette.muted)] for line in lines)]


def _wrapped(text: str, width: int, style: Style) -> list[list[Fragment]]:
    pieces = wrap(printable(text, _LONGEST), max(width - 2, 10), subsequent_indent="  ")
    return [[(f" {piece}", style)] for piece in pieces]


def scrubber_room(run: RunView | None, width: int) -> int:
    """Return the width of the timeline, next to the text about the current position."""
    return max(width - (len(place_words(run)) + 1 if run is not None else 0) - 2, 4)


def scrubber(run: RunView | None, width: int, palette: Palette) -> list[Fragment]:
    """Return the timeline, with a mark at the current position among the recorded events."""
    where = f" {place_words(run)}" if run is not None else ""
    room = scrubber_room(run, width)
    if run is None or run.last_event <= run.first_event:
        return [(f" {_TRACK * room}", palette.line), (where, palette.text)]
    place = (run.event_number - run.first_event) * (room - 1) // (run.last_event - run.first_event)
    return [
        (f" {_TRACK * place}", palette.line),
        (_MARK, palette.accent),
        (_TRACK * (room - 1 - place), palette.line),
        (where, palette.text),
    ]


def figures(run: RunView | None, speed: int, palette: Palette, *, is_running: bool) -> TwoEnds:
    """Return how much the search has done, and how fast."""
    pace = (f"  {speed:,} events/s", palette.muted)
    if run is None:
        return TwoEnds([pace])
    if run.mode is not Mode.FILL:  # such a run has no events
        state = run.doing if is_running else run.outcome.value
        return TwoEnds([(f" {state}", palette.search), (f"  {standing_words(run)}", palette.muted)])
    has_rate = run.nodes >= _FEWEST_FOR_A_RATE and run.seconds > 0
    rate = f"{run.nodes / run.seconds:,.0f} nodes/s" if has_rate else ""
    parts = (
        f"depth {run.depth}",
        counted(run.nodes, "node"),
        counted(run.backtracks, "backtrack"),
        counted(run.restarts, "restart"),
        rate,
    )
    pieces = [(f"  {one}", palette.muted) for one in parts if one]
    is_running = is_running and not run.paused
    state = "going on" if is_running else "in the past" if run.is_past else "paused"
    if not is_running and not run.paused:
        state = run.outcome.value
    return TwoEnds([(f" {state}", palette.search), *pieces, pace], spare=pieces[:1:-1])


_FEWEST_FOR_A_RATE = 100
"""Nodes from which the rate per second is shown."""
_PANEL_WIDTH = 32
_LEAST_WIDTH = 8
"""Minimum width of the grid."""
_TWO_PANELS = 72
"""Width next to the grid from which there are two columns."""
_LINES_AROUND = 7
"""Lines other than the grid: heading, legend, depths, timeline, figures, message, keys."""
_PAGE = 100
_ARGUE_KEYS = ("w/x/k/d/u", "argue")
_KEYS = (
    ("←→", "event"),
    ("Space", "run"),
    ("+-", "speed"),
    ("b/r/s/n", "jump"),
    ("c", "color"),
    ("l", "log"),
    _ARGUE_KEYS,
    ("?", "help"),
)

_HELP = (
    "← → F10    back and forward by one event; at the end → advances the search",
    f"PgUp PgDn  the same by {_PAGE} events",
    "Home End   the first and the last event kept",
    "Space      run at the chosen speed, or pause",
    "+ -        twice as fast, half as fast",
    "b r s      go on to the next backtrack, the next restart, the end",
    "           (Ctrl+B, F11 and F12 do what they do in the grid: back, to the end, to the backtrack)",
    "n          go on to the next event at this entry",
    "c          color the squares by depth, by age, by blame for dead ends, or not",
    "l          list the events up to this one, latest first: filter, copy, save, go there",
)
_LEAVING_HELP = (
    "F6         stop the search",
    "Esc        back to the grid; the search stays as it is, paused or running",
    "there `:accept` writes the preview into the grid, and `:events save FILE` saves the search",
)


class WatchScreen(InPalette, Screen[bool | None]):
    """Steps, scrubs and runs the session's search; Esc leaves it as it is."""

    DEFAULT_CSS = """
    WatchScreen { layout: vertical; background: $background; overflow: hidden; }
    WatchScreen #watched { height: 1fr; }
    WatchScreen TextPanel { width: 1fr; height: 1fr; margin-left: 1; }
    WatchScreen #watch-decided { display: none; }
    WatchScreen.-wide #watch-decided { display: block; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,ctrl+b", "back(1)"),
        Binding("right,f10", "on(1)"),
        Binding("pageup", f"back({_PAGE})"),
        Binding("pagedown", f"on({_PAGE})"),
        Binding("home", "end_of_line(-1)"),
        Binding("end", "end_of_line(1)"),
        Binding("space", "play"),
        Binding("plus,equals_sign", "faster(1)"),
        Binding("minus", "faster(-1)"),
        Binding("b,f12", "until('backtrack')"),
        Binding("r", "until('restart')"),
        Binding("s,f11", "until('solved')"),
        Binding("n", "until_entry"),
        Binding("c", "colour"),
        Binding("l", "log"),
        Binding("ctrl+z", "show_undo_hint"),
        Binding("f6", "stop"),
        Binding("question_mark,f1", "help"),
        Binding("colon", "command_line", show=False),
        Binding("escape,q", "dismiss"),
        Binding("w", "choose_other"),
        Binding("x", "argue('forbid')"),
        Binding("k", "argue('lock')"),
        Binding("d", "argue('skip')"),
        Binding("u", "argue('back')"),
    ]

    _grid = getters.query_one("#watch-grid", GridView)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._search = SearchView()
        self._run_view: RunView | None = None
        self._blame: Mapping[Position, float] = {}
        self.colouring = Colouring.NONE
        self.speed = DEFAULT_SPEED

    def compose(self) -> ComposeResult:
        yield Heading("WATCH", id="watch-heading")
        with Horizontal(id="watched"):
            grid = GridView(id="watch-grid")
            grid.can_focus = False
            yield grid
            yield TextPanel(id="watch-panel")
            yield TextPanel(id="watch-decided")
        for name in ("legend", "depths", "scrubber", "figures", "message-line"):
            yield Line(id=name)
        yield KeyLine(id="watch-keys", gap=0)

    def on_mount(self) -> None:
        self.follow(self._session.jobs.fill.view)
        self._attempt(self._session.jobs.fill.make_watchable)

    def on_resize(self) -> None:
        self._lay_out()
        self.call_after_refresh(self._show)

    def _lay_out(self) -> None:
        """Give the grid what the panel can spare; if wide enough, the decisions get their own column."""
        width = max(self.size.width - _PANEL_WIDTH, _LEAST_WIDTH)
        taken = self._grid.fit(width, max(self.size.height - _LINES_AROUND, 1), is_framed=False)
        self.set_class(self.size.width - taken.width >= _TWO_PANELS, "-wide")

    def _line(self, name: str) -> Line:
        return self.query_one(f"#{name}", Line)

    # Messages from the session

    def receive(self, report: messages.Message) -> None:
        """Show messages about the search; those before mounting are covered by `on_mount`."""
        if not self.is_mounted:
            return
        match report:
            case messages.FillProgress(run=run) if run is self._session.jobs.fill.view:
                self.follow(run)
                cast(Host, self.app).typeahead.release()
            case messages.FillEnded(run=run):
                if not run.paused:  # a message about what cannot be done during the run
                    self._line("message-line").left = ()
                self.follow(run)
            case messages.JobFailed(headline=text):
                self._show_message(text)

    def follow(self, run: RunView | None) -> None:
        self._run_view = run
        if run is not None:
            self._search.follow(run, self._session.puzzle.grid)
            if run.decision_report is not None:
                self._blame = run.decision_report.blame
        self._show()

    # Drawing

    def _show(self) -> None:
        run, paint, grid = self._run_view, self._palette, self._session.puzzle.grid
        heat = shares(run, self._blame, self.colouring) if run is not None else {}
        before = self._grid.picture
        self._grid.picture = watched_picture(grid, run, self._search, heat)
        if before is None or (before.grid.width, before.grid.height) != (grid.width, grid.height):
            self._lay_out()
        panel, decided = (self.query_one(f"#watch-{name}", TextPanel) for name in ("panel", "decided"))
        taken = decided_lines(run, paint)
        lines = panel_lines(run, panel.size, paint)
        panel.lines, decided.lines = (lines, taken) if self.has_class("-wide") else ([*lines, *taken], ())
        can_argue = self._session.jobs.fill.can_be_argued_with
        self.query_one("#watch-keys", KeyLine).keys = [one for one in _KEYS if can_argue or one != _ARGUE_KEYS]
        self.query_one(Heading).remark = f"seed {run.seed}" if run is not None else ""
        width = self.size.width
        self._line("legend").left = legend(self.colouring, paint)
        recording, room = self._session.jobs.fill.recording, scrubber_room(run, width)
        depths = recording.depths(room) if recording is not None else []
        if depths:  # stretch to the length of the timeline below, even with few events
            depths = [depths[cell * (len(depths) - 1) // (room - 1)] for cell in range(room)]
        self._line("depths").left = [(f" {sparkline(depths, room)}", paint.search)]
        self._line("scrubber").left = scrubber(run, width, paint)
        ends = figures(run, self.speed, paint, is_running=self._session.jobs.fill.is_running)
        self._line("figures").left, self._line("figures").spare = ends.left, ends.spare

    def _attempt(self, action: Callable[[], object]) -> bool:
        self._line("message-line").left = ()
        return super()._attempt(action)

    # Keys

    def action_back(self, events: int) -> None:
        self._attempt(lambda: self._session.jobs.fill.back(events))

    def action_on(self, events: int) -> None:
        self._attempt(lambda: self._session.jobs.fill.step(events))

    def action_end_of_line(self, end: int) -> None:
        self._attempt(lambda: self._session.jobs.fill.go_to_end(first=end < 0))

    def action_play(self) -> None:
        if self._session.jobs.fill.is_running:
            self._attempt(self._session.jobs.fill.pause)
        else:
            self._attempt(lambda: self._session.jobs.fill.watch(self.speed))

    def action_faster(self, step: int) -> None:
        self.speed = min(self.speed * 2, FASTEST) if step > 0 else max(self.speed // 2, 1)
        if self._session.jobs.fill.is_running:
            self._attempt(lambda: self._session.jobs.fill.watch(self.speed))
        self._show()

    def action_until(self, target: str) -> None:
        self._attempt(lambda: self._session.jobs.fill.until(target))

    def action_until_entry(self) -> None:
        """Run to the next event at this event's entry."""
        run = self._run_view
        if run is None or run.event is None or run.event.slot is None:
            self._show_message("this event is not about an entry")
        else:
            self.action_until(run.event.slot)

    def action_argue(self, kind: str) -> None:
        self._attempt(lambda: self._session.argue(SearchArgument(ArgumentKind(kind))))

    def action_choose_other(self) -> None:
        """List the other words for the last decision's entry or square, and choose one."""
        run = self._run_view
        report = run.decision_report if run is not None else None
        if not self._session.jobs.fill.can_be_argued_with:
            self._attempt(self._session.jobs.fill.paused_view)
        elif run is not None and run.is_past:
            self._show_message("the other words are unknown at an earlier event; End goes to the latest")
        elif run is None or not run.paused:
            self._show_message("the search is running; Space pauses it")
        elif report is None or not report.tried:
            self._show_message(self._why_none_is_chosen(run))
        elif not report.others:
            self._show_message(f"{report.tried}: there is no other word left to try")
        else:
            place = report.tried
            others = [ShortAnswer(f"{one.word}  {likely_figures(one)}", one.word) for one in report.others]
            question = ChoiceScreen(f"{place} = {report.chosen}. Which word instead?", others)

            def choose(word: str) -> None:
                self._attempt(lambda: self._session.argue(SearchArgument(ArgumentKind.CHOOSE, place, word)))

            self.app.push_screen(question, unless_left(choose))

    def _why_none_is_chosen(self, run: RunView) -> str:
        last = run.moment.decisions[-1] if run.moment is not None and run.moment.decisions else None
        grid = self._session.puzzle.grid
        if last is not None and last.squares and all(grid[at].ink is Ink.LOCKED for at, _ in last.squares):
            return f"{last.subject} is locked, so no other word can take its place"
        return "no word was chosen here to replace"

    def action_command_line(self) -> None:
        """Leave for the command line, to return once its line is done, if the search is still paused."""
        cast(Host, self.app).typeahead.again(Key("colon", ":"))
        self.dismiss(True)

    def action_colour(self) -> None:
        self.colouring = self.colouring.next
        self._show()

    def action_log(self) -> None:
        """List the events up to this one, and go to the chosen one."""

        def show() -> None:
            _ = self._session.jobs.fill.recorded()
            event = self._run_view.event if self._run_view is not None else None
            here = event.slot or str(event.crossing or "") if event is not None else ""
            self.app.push_screen(EventLogScreen(self._session, here), unless_left(go_to))

        def go_to(number: int) -> None:
            self._attempt(lambda: self._session.jobs.fill.go_to_event(number))

        self._attempt(show)

    def action_show_undo_hint(self) -> None:
        self._show_message("Ctrl+Z undoes edits, in the grid (Esc); here u undoes your last argument")

    def action_stop(self) -> None:
        self._attempt(self._session.stop)

    def action_help(self) -> None:
        can_argue = self._session.jobs.fill.can_be_argued_with
        lines = (*_HELP, *(ARGUE_HELP if can_argue else ()), *_LEAVING_HELP)
        self.app.push_screen(ReplyScreen("the keys of the watch screen", lines))


_MOST = 10_000
"""Most events listed, counted from the latest."""
_LONGEST_EVENT = 300
_KINDS: tuple[EventKind | None, ...] = (None, *EventKind)
_LOG_KEYS = (
    ("letters", "narrow"),
    ("Tab", "kind"),
    ("F2", "this entry"),
    ("Enter", "go there"),
    ("^Y", "copy"),
    ("^S", "save"),
    ("Esc", "back"),
)


class EventList(TypingList["NumberedEvent"]):
    """One row per event."""

    def fragments(self, row: NumberedEvent, width: int, *, is_current: bool) -> Sequence[Fragment]:
        return [(f" {printable(numbered_event(row.number, row.event), _LONGEST_EVENT)}", self.paint.text)]


class EventLogScreen(TypingScreen[int | None]):
    """Lists the events up to the current one, latest first; returns the number of an event to go to."""

    DEFAULT_CSS = """
    EventLogScreen { align: left bottom; background: $background 35%; }
    EventLogScreen > Vertical { height: 80%; width: 100%; background: $surface; border-top: solid $primary 60%; }
    EventLogScreen EventList { height: 1fr; }
    EventLogScreen Static { height: auto; min-height: 1; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        Binding("tab", "kind(1)", "kind"),
        Binding("shift+tab", "kind(-1)", "kind"),
        Binding("f2", "entry", "this entry"),
        Binding("ctrl+y", "copy", "copy"),
        Binding("ctrl+s", "save", "save"),
    ]
    between = ""
    leaving: ClassVar[Collection[str]] = ()

    def __init__(self, session: Session, entry: str) -> None:
        """`entry` is the current event's entry or square, or an empty string."""
        super().__init__()
        self._session = session
        self._here = entry
        self._entry = ""
        self._kind: EventKind | None = None

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Line(id="log-filter")
            yield EventList(id="log-events")
            yield Static(id="log-message", markup=False)
            yield KeyLine(id="log-keys", gap=0)

    def on_mount(self) -> None:
        self.query_one("#log-keys", KeyLine).keys = _LOG_KEYS
        self.query_one(EventList).focus()
        self._show()

    def take_typed(self) -> None:
        self._show()

    def _show(self) -> None:
        recording = self._session.jobs.fill.recorded()
        found = recording.log(self._typed, _MOST, kind=self._kind, entry=self._entry)[::-1]
        self.query_one(EventList).show(found, 0)
        paint = self._palette
        parts = [f"kind {self._kind.value}"] if self._kind is not None else []
        parts += [f"at {self._entry}"] * bool(self._entry) + [f"with {self._typed!r}"] * bool(self._typed)
        narrowed = f" {', '.join(parts)}" if parts else ""
        self.query_one("#log-filter", Line).left = [
            (f" {counted(len(found), 'event')}", paint.heading),
            (printable(narrowed, 100), paint.accent),
        ]
        self._show_message("")

    def _show_message(self, text: str) -> None:
        message = Text(printable(text, _LONGEST_EVENT), self._palette.warning)
        self.query_one("#log-message", Static).update(message)

    @on(RowList.Chosen, "#log-events")
    def _chosen(self, event: EventList.Chosen) -> None:
        self.dismiss(self.query_one(EventList).rows[event.index].number + 1)

    def action_kind(self, step: int) -> None:
        """Switch to the next or previous kind of event, wrapping around, with all kinds first."""
        self._kind = _KINDS[(_KINDS.index(self._kind) + step) % len(_KINDS)]
        self._show()

    def action_entry(self) -> None:
        """Show only events at the current entry, or all again."""
        self._entry = "" if self._entry else self._here
        self._show()
        if not self._here:
            self._show_message("this event is not about an entry")

    def action_copy(self) -> None:
        """Copy the list to the clipboard in chronological order, if the terminal supports it (OSC 52)."""
        lines = [numbered_event(one.number, one.event) for one in reversed(self.query_one(EventList).rows)]
        self.app.copy_to_clipboard("\n".join(lines))
        self._show_message(f"{counted(len(lines), 'event')} copied")

    def action_save(self) -> None:
        source = self._session.document.path
        folder, name = (source.parent, source.stem) if source is not None else (Path(), "search")
        path, rows = folder / f"{name}-events.txt", self.query_one(EventList).rows[::-1]
        if self._attempt(
            lambda: save_log(self._session, path, rows, text=self._typed, kind=self._kind, place=self._entry)
        ):
            self._show_message(
                f"saved in {path}; `events save FILE.trace` saves a recording that you can watch again"
            )
