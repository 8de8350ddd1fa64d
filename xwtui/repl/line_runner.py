"""Runs one line of verbs: calls the verb, waits for its job, and prints the outcome and all messages."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from msgspec import Struct

from xwtui.batch.races.report import progress_line, report_lines
from xwtui.dataclasses import dataclass, field
from xwtui.engine.events.event import Outcome
from xwtui.errors import VerbError, XwtuiError
from xwtui.interrupts import preserving_termination
from xwtui.lazy import lazy_pattern
from xwtui.printing import Line, Span, StatusLine, Style
from xwtui.repl.output import Output
from xwtui.repl.transcript import Transcript
from xwtui.session import messages, wording
from xwtui.session.fill_options import Mode
from xwtui.session.jobs.fills.kept_fills import describe_fills
from xwtui.session.open_puzzles import OpenPuzzles
from xwtui.session.recent import unreported_notices
from xwtui.session.run_view import RunView
from xwtui.session.search_text import place_words
from xwtui.session.session import Session
from xwtui.session.verbs.parsing import find_verb_of
from xwtui.session.verbs.registry import run_line
from xwtui.session.verbs.verb import Group, Reply
from xwtui.text import counted, printable, printable_lines, printable_text

_SHORT = frozenset(("check", "reveal", "erase", "note", "clues", "pause", "leave"))
"""Second words of two-word verbs that may be typed alone while solving."""
_ENTRY = lazy_pattern(r"\d{1,3}[AaDd]")


def meant_line(session: Session, line: str) -> str:
    """Return the line to run: while solving, shorthand for the solver's verbs is expanded."""
    words = line.split()
    if not words or not session.document.is_solving:
        return line
    if words[0].lower() in _SHORT:
        return f"solve {line.strip()}"
    if _ENTRY.fullmatch(words[0]):
        return f"solve write {line.strip()}" if len(words) > 1 else f"solve clues {words[0]}"
    return line


_DEEPEST_INDENT = 8

_STYLES = {
    Outcome.FILLED: Style.GOOD,
    Outcome.IMPOSSIBLE: Style.ERROR,
    Outcome.UNKNOWN: Style.WARNING,
    Outcome.CANCELLED: Style.WARNING,
}


def describe_events(run: RunView, last_seen: int) -> Iterator[Line]:
    """Yield the events of a paused search after the last one seen, indented by depth; none if time ran out."""
    if not run.paused or run.outcome is Outcome.UNKNOWN:
        return
    new = run.event_number - last_seen
    for event in run.recent[-new:] if new > 0 else run.recent:
        yield (Span("  " * min(event.depth, _DEEPEST_INDENT) + event.describe(), Style.LABEL),)


def describe_run(run: RunView) -> Line:
    """Summarize a search's state or outcome in a line."""
    if run.mode is not Mode.FILL:
        is_without = run.outcome is Outcome.IMPOSSIBLE and not run.squares
        style = Style.WARNING if run.stopped else Style.ERROR if is_without else Style.GOOD
        return (Span(wording.ending_words(run), style),)
    nodes, backtracks = counted(run.nodes, "node"), counted(run.backtracks, "backtrack")
    figures = f"{nodes}, {backtracks}, {run.seconds:.2f} s"
    match run.outcome:
        case Outcome.FILLED:
            text = "; ".join([f"{wording.filled_words(run)}: {figures}", *wording.remarks(run)])
        case Outcome.IMPOSSIBLE:
            reason = run.reason or "there is no fill with these words"
            squares = f", of the {counted(run.confined_to, 'square')} alone" if run.confined_to else ""
            text = f"impossible{squares}: {reason}; {wording.PARTIAL_HINT}"
        case Outcome.UNKNOWN:
            goes_on = "`continue` goes on, " if run.paused else ""
            text = f"not finished: {figures}; {goes_on}{wording.PARTIAL_HINT}"
        case Outcome.CANCELLED:
            text = f"stopped; the grid is unchanged: {figures}"
        case _:
            where = f"{place_words(run)}: " if run.is_past else ""
            next_verbs = "step, back, continue, until, accept or stop"
            text = f"{where}the search is paused at depth {run.depth}: {figures}; {next_verbs}"
    if run.outcome is not Outcome.RUNNING and (proof := wording.proof_words(run)):
        text = f"{text}; {proof}"
    return (Span(text, _STYLES.get(run.outcome, Style.PLAIN)),)


def describe_progress(inbox: Inbox) -> str:
    """Return the running job's progress for the status line."""
    news = inbox.latest
    if news.run is not None:
        run = news.run
        doing = f"{run.doing}: " if run.is_mending or run.mode is not Mode.FILL else ""
        return f"{doing}{wording.standing_words(run)}"
    if moved := news.last(messages.RaceMoved):
        return progress_line(moved.view)
    if found := news.last(messages.FindingsReady):
        return wording.progress_words(found.findings)
    if answered := news.last(messages.AnswerReady):
        return answered.answer.headline
    if estimated := news.last(messages.EstimateReady):
        return estimated.estimate.describe()
    return "preparing the grid" if inbox.is_engine_ready else inbox.engine


_TICK_SECONDS = 0.1
_MOST_FILLS = 20
_REPORT_WIDTH = 78
_LIGHT_GROUPS = (Group.FILE, Group.GRID, Group.CLUES, Group.SOLVE, Group.SESSION)
"""Groups of verbs that need neither words nor the engine."""


class Ended(Struct, frozen=True):
    """A finished line: the verb's reply, and the state or outcome of the search that it started."""

    reply: Reply
    run: RunView | None = None


class LineRunner:
    """Runs lines on the current puzzle and waits for the jobs that they start; Ctrl+C stops only the job.

    For non-interactive input, `is_patient` makes verbs wait until the words and the engine that they need are
    loaded.
    """

    def __init__(self, puzzles: OpenPuzzles, inbox: Inbox, output: Output, *, is_patient: bool) -> None:
        self._puzzles = puzzles
        self._inbox = inbox
        self._output = output
        self._is_patient = is_patient
        self._last_event = -1
        self._transcript: Transcript | None = None

    @property
    def _session(self) -> Session:
        return self._puzzles.current

    def run(self, line: str, *, grid_after_edits: bool) -> Ended:
        """Run a line and print the outcome, with the grid if it changed.

        Raises XwtuiError if the line is wrong or its job failed, and KeyboardInterrupt if Ctrl+C stopped the job,
        after printing what it had reached.
        """
        meant = meant_line(self._session, line)
        if self._is_patient and _needs_words(meant):
            status = StatusLine(sys.stderr)
            with status, self._inbox.refreshing(lambda: status.show(describe_progress(self._inbox))):
                self._session.wait_until_ready()
        grid = self._session.puzzle.grid
        with preserving_termination():
            reply = run_line(self._session, meant)
        self._output.print_lines(*reply.lines)
        is_stopped = reply.started and self._wait()
        news = self._inbox.take()
        self._print_news(news)
        is_changed = self._session.puzzle.grid != grid
        is_wanted = reply.shows_grid or (is_changed and (grid_after_edits or reply.started))
        if is_wanted or (news.run is not None and news.run.paused):
            self._output.print_grid(self._session)
        self._record(meant, reply)
        if is_stopped:
            raise KeyboardInterrupt
        if reply.started and news.failures:
            raise XwtuiError("; ".join(news.failures))
        self._output.print_errors(*news.failures)
        return Ended(reply, (news.ended or news.run) if reply.started else None)

    def _record(self, line: str, reply: Reply) -> None:
        """Add a line to the transcript, or start or end one."""
        if reply.transcript is not None:
            self._transcript = Transcript(reply.transcript, self._session, overwrites=reply.overwrites)
            self._output.print_lines(self._transcript.begun_words)
        elif reply.ends_transcript:
            kept, self._transcript = self._transcript, None
            if kept is None:
                raise VerbError("no transcript is being recorded; `transcript FILE` starts one")
            self._output.print_lines(f"kept in {kept.path}; `xwtui run {kept.path}` replays it")
        elif self._transcript is not None:
            try:
                self._transcript.note(line, self._session)
            except XwtuiError as error:  # only the transcript ends if it can no longer be written
                self._transcript = None
                self._output.print_errors(f"the transcript stopped: {error}")

    def _wait(self) -> bool:
        """Wait for the jobs to end; returns whether Ctrl+C stopped them. A watched search is paused instead."""
        is_stopped = False
        with StatusLine(sys.stderr) as status:
            while True:
                try:
                    if self._session.wait(_TICK_SECONDS):
                        return is_stopped
                    status.show(describe_progress(self._inbox))
                except KeyboardInterrupt:
                    if self._session.jobs.fill.is_watched:
                        with suppress(VerbError):  # it has just ended
                            self._session.jobs.fill.pause()
                        continue
                    is_stopped = True
                    self._session.stop()

    def _print_news(self, news: News) -> None:
        self._output.print_notices(news.notes)
        run = news.ended or news.run
        if run is not None:
            self._output.show(describe_events(run, self._last_event))
            self._output.show([describe_run(run)])
            self._last_event = run.event_number
            if run.stopped:
                self._output.print_lines(*(f"  {line}" for line in wording.stopped_lines(run)))
            self._print_fills(run)
        if count := news.last(messages.CountEnded):
            self._output.print_lines(count.estimate.describe())
            if count.look_ahead is not None:
                self._output.print_lines(count.look_ahead.describe())
        if answered := news.last(messages.AnswerReady):
            self._output.print_lines(*printable_lines(answered.answer.lines))
        if raced := news.last(messages.RaceEnded):
            self._output.print_lines(*report_lines(raced.view, _REPORT_WIDTH))
        if found := news.last(messages.FindingsReady):
            self._output.print_lines(*wording.finding_lines(found.findings, self._session.puzzle.grid))
            if found.findings.proposals:
                self._output.print_lines("`follow 1` makes the first change")

    def _print_fills(self, run: RunView) -> None:
        fills = self._session.fills.kept
        if not fills or run.paused or run.mode in (Mode.FILL, Mode.PARTIAL):
            return
        if run.mode.leaves_a_choice:
            allows = self._session.jobs.words.allows
            self._output.print_lines(*describe_fills(fills, self._session.puzzle, allows, _MOST_FILLS))
            self._output.print_lines("`take 1` writes the first one, `take 2` the second")
        elif len(fills) > 1:
            self._output.print_lines(f"{len(fills)} fills kept along the way: `fills` lists them")


def _needs_words(line: str) -> bool:
    words = line.split()
    try:
        return bool(words) and find_verb_of(words).group not in _LIGHT_GROUPS
    except VerbError:
        return False


_LONGEST_LINE = 400


MessageT = TypeVar("MessageT", bound=messages.Message)


@dataclass
class News:
    """The messages received since the news were last taken."""

    notes: list[messages.Notice] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """Jobs that stopped on an error, and words that could not be loaded."""
    run: RunView | None = None
    """The latest view of a search that is running or paused."""
    ended: RunView | None = None
    others: dict[type, messages.Message] = field(default_factory=dict)
    """The latest message of each other kind: counts, findings, answers, races."""

    def last(self, kind: type[MessageT]) -> MessageT | None:
        """Return the latest message of a kind, or None."""
        message = self.others.get(kind)
        return message if isinstance(message, kind) else None


class Inbox:
    """A listener of sessions; `refresh` is called after each message, on the sender's thread."""

    def __init__(self) -> None:
        self.refresh: Callable[[], None] = lambda: None
        self.engine = "engine starting"
        self.is_engine_ready = False
        """Whether the engine is loaded and compiles nothing."""
        self.is_interactive = False
        """Whether a user can be asked about untrusted lists, and has seen the warnings of earlier starts."""
        self._news = News()
        self._lock = threading.Lock()

    def receive(self, message: messages.Message) -> None:
        """Receive a message; thread-safe."""
        with self._lock:
            self._note(message)
        self.refresh()

    def _note(self, message: messages.Message) -> None:
        news = self._news
        match message:
            case messages.EngineState(text=text, phase=phase, step=step):
                self.engine = text
                self.is_engine_ready = phase is messages.EnginePhase.READY and step is None
            case messages.FillProgress(run):
                news.run = run
            case messages.FillEnded(run):
                news.run, news.ended = (run, None) if run.paused else (None, run)
            case messages.Notice(text, severity):
                news.notes.append(messages.Notice(printable(text, _LONGEST_LINE), severity))
            case messages.LexiconReady(notices=notices, lists=lists, state=state):
                new = unreported_notices(notices, lists if self.is_interactive else "", state)
                news.notes += [
                    messages.Notice(printable(text, _LONGEST_LINE), messages.Severity.WARNING) for text in new
                ]
            case messages.LexiconFailed(needs_confirmation=True) if self.is_interactive:
                pass
            case messages.JobFailed(text) | messages.LexiconFailed(text):
                news.failures.append(printable_text(text, _LONGEST_LINE))
            case _:
                news.others[type(message)] = message

    @contextmanager
    def refreshing(self, refresh: Callable[[], None]) -> Iterator[None]:
        """Call another function after each message, within the context."""
        before, self.refresh = self.refresh, refresh
        try:
            yield
        finally:
            self.refresh = before

    @property
    def latest(self) -> News:
        """The news so far, which may still grow."""
        return self._news

    def take(self) -> News:
        with self._lock:
            news, self._news = self._news, News()
        return news
