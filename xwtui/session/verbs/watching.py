"""The verbs that watch a search, move back and forth in it, argue with it, and race several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from click.shell_completion import CompletionItem

from xwtui.batch.races import DEFAULT_SECONDS, DEFAULT_SEEDS, MOST_SEEDS
from xwtui.engine.budget import threads_of
from xwtui.errors import VerbError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Position, Slot
from xwtui.parameters import CORES, HIGHEST_SEED, SECONDS, SEED
from xwtui.session.answers import FilesWritten, VerbAnswer
from xwtui.session.verbs import kinds
from xwtui.session.verbs.fill import strategy_names
from xwtui.session.verbs.verb import STARTED, Answer, FromShell, Group, Writes, argument, option, verbs_of
from xwtui.text import counted, in_quotes, printable

with lazy_imports():
    from xwtui.batch.races.export import check_target, race_as_json, status, write_race
    from xwtui.batch.races.report import report_lines
    from xwtui.batch.races.task import RaceOrder, RaceView, read_entrants
    from xwtui.engine.events.event import EventKind, Outcome
    from xwtui.session.document import full_path
    from xwtui.session.goals import ArgumentKind, SearchArgument
    from xwtui.session.jobs import race_job
    from xwtui.session.open_puzzles import front_of
    from xwtui.session.recording import NumberedEvent, read_recording, write_recording
    from xwtui.session.search_text import numbered_event, watch_lines
    from xwtui.session.session import Session
    from xwtui.session.verbs.files import begin

verb = verbs_of(Group.FILL)

_MOST = 1_000_000_000
_LOG_LINES = 40
_MOST_LINES = 10_000
DEFAULT_SPEED = 5
FASTEST = 100_000
"""Events per second."""


def save_log(
    session: Session,
    file: Path,
    found: Sequence[NumberedEvent],
    *,
    text: str = "",
    kind: EventKind | None = None,
    place: str = "",
    force: bool = False,
) -> None:
    """Write events to a file as `events` lists them; `text`, `kind` and `place` are the filters that chose them.

    Raises ExistsAlreadyError as an export does, and VerbError if the file cannot be written.
    """
    chosen = (("--match", text), ("--kind", kind.value if kind is not None else ""), ("--at", place))
    options = "".join(f" {name} {in_quotes(value)}" for name, value in chosen if value)
    lines = [f"{numbered_event(one.number, one.event)}\n" for one in found]
    failing = failing_as(VerbError, f"{file.name} cannot be written")
    with _writing(session, file, options, force=force), failing:
        file.write_text("".join(lines), encoding="utf-8")


def _writing(session: Session, file: Path, options: str = "", *, force: bool) -> AbstractContextManager[object]:
    """A context in which `events save` with these options writes a file; entering raises ExistsAlreadyError."""
    guard = session.document.exported.guard("events save --force", file, options, force=force)
    return guard(full_path(file))


PHRASE = kinds.ParameterKind("text", lambda text, session: text)


@verb("back", "back 100")
def back(
    session: Session, events: int = argument("number of events", kinds.number_kind(1, _MOST), default="1")
) -> Answer:
    """Go back one event in the recorded search.

    `step`, `until` and `watch` replay the recorded events from there, then continue the search.
    """
    session.jobs.fill.back(events)
    return STARTED


@verb("event 1", "event 5000")
def event(
    session: Session, number: int = argument("the event's number, starting at 1", kinds.number_kind(1, _MOST))
) -> Answer:
    """Go to an event of the search by its number."""
    session.jobs.fill.go_to_event(number)
    return STARTED


@verb("watch", "watch --speed 50", "watch hard.trace")
def watch(
    session: Session,
    file: Path | None = argument("a trace file to watch again", kinds.file_kind(".trace", ".jsonl")),
    speed: int = option("events per second", kinds.number_kind(1, FASTEST), default=str(DEFAULT_SPEED)),
) -> Answer:
    """Run the search slowly, event by event, starting one if there is none; `pause` stops it.

    With a trace file that `events save` wrote, open its grid and walk through that search from its first event.
    """
    if file is None:
        session.jobs.fill.watch(speed)
        return STARTED
    puzzle, recording, last = read_recording(full_path(file))
    begin(session, puzzle, "watch", replayed=file.name)
    front_of(session).jobs.fill.replay(recording, last)
    return STARTED


@verb("explain")
def explain(session: Session) -> Answer:
    """Explain the current point of the search: what was pruned, how it leaves a dead end, what comes next."""
    run = session.jobs.fill.view
    if run is None or run.event is None or not run.paused:
        raise VerbError("no search is paused; use `step`, `pause` or `back`")
    return watch_lines(run)


@verb("pause")
def pause(session: Session) -> Answer:
    """Pause the search; `continue` resumes it and `back` goes back."""
    session.jobs.fill.pause()
    return STARTED


@kinds.parameter_kind("kind", kinds.among(lambda: [kind.value for kind in EventKind.__members__.values()]))
def EVENT_KIND(text: str, session: Session) -> EventKind:
    """A kind of event, by its name."""
    for kind in EventKind.__members__.values():
        if kind.value == text.strip().lower():
            return kind
    raise VerbError(f"the kinds of events are {', '.join(kind.value for kind in EventKind.__members__.values())}")


_kind = option("only events of this kind, such as backtrack", EVENT_KIND)
_match = option("only events that contain this text", PHRASE, name="--match")
_about = option("only events about this entry or square", kinds.place_kind(), name="--at")


@verb("events", "events --last 100", "events --kind backtrack", "events --at 17A")
def events(
    session: Session,
    text: str | None = _match,
    kind: EventKind | None = _kind,
    place: kinds.Place | None = _about,
    most: int = option(
        "number of lines", kinds.number_kind(1, _MOST_LINES), name="--last", default=str(_LOG_LINES)
    ),
) -> Answer:
    """List the events of the search up to its current point, the latest last."""
    found = session.jobs.fill.recorded().log(text or "", most, kind=kind, entry=_named(session, place))
    if not found and (kind is not None or place is not None):
        return "there is no such event"
    if not found:
        return f"no event has {printable(text or '', 40)!r} in it"
    return [numbered_event(one.number, one.event) for one in found]


@verb("events save hard.trace")
def events_save(
    session: Session,
    file: Path = argument(
        "a .trace file (JSON lines), or .txt for the list", kinds.file_kind(".trace", ".jsonl", ".txt")
    ),
    text: str | None = _match,
    kind: EventKind | None = _kind,
    place: kinds.Place | None = _about,
    force: bool = option("overwrite a file that this session did not write"),
) -> Answer:
    """Write the recorded search to a trace file that `xwtui watch FILE` shows.

    A file ending in .txt gets the list that `events` prints, filtered by these options.
    """
    recorded, name = session.jobs.fill.recorded(), _named(session, place)
    if file.suffix.lower() == ".txt":
        found = recorded.log(text or "", _MOST, kind=kind, entry=name)
        save_log(session, file, found, text=text or "", kind=kind, place=name, force=force)
        return f"{counted(len(found), 'event')} in {file.name}"
    if text or kind is not None or place is not None:
        raise VerbError("a trace is complete; --match, --kind and --at work only with a .txt file")
    with _writing(session, file, force=force):
        return f"{counted(write_recording(recorded, file), 'event')} in {file.name}"


_LAST = "last"
"""The word for the entry or square that the search decided last."""

_place = argument("entry or square (default: the last one decided)", kinds.place_kind(_LAST), default=_LAST)


def _other_word_offers(session: Session, beginning: str) -> list[kinds.Item]:
    report = session.jobs.fill.view.decision_report if session.jobs.fill.view is not None else None
    return kinds.offered([one.word for one in report.others] if report is not None else [], beginning)


OTHER_WORD = kinds.ParameterKind("word", lambda text, session: text, _other_word_offers)
"""A word for an entry, or content for a square."""


@verb("argue choose ARENA", "argue choose 17A ARENA", name="argue choose")
def choose(
    session: Session,
    place: kinds.Place = _place,
    word: str = argument("the word, or the content of a square", OTHER_WORD),
) -> Answer:
    """Replace the word that a paused search tried with another.

    Later decisions are undone. If there is no fill with your word, the search tries all others.
    """
    session.argue(SearchArgument(ArgumentKind.CHOOSE, _named(session, place), _read(session, place, word)))
    return STARTED


@verb("argue forbid", "argue forbid 17A OREAD", name="argue forbid")
def forbid(
    session: Session,
    place: kinds.Place = _place,
    word: str = argument("the word (default: the current one)", OTHER_WORD, default=""),
) -> Answer:
    """Forbid a word in an entry for the rest of this search.

    `rule 17A --bar OREAD` also keeps it out of later fills.
    """
    session.argue(SearchArgument(ArgumentKind.FORBID, _named(session, place), _read(session, place, word)))
    return STARTED


@verb("argue lock", name="argue lock")
def lock_decisions(session: Session) -> Answer:
    """Lock what the search has decided: it keeps these decisions, and they are locked in the grid."""
    session.argue(SearchArgument(ArgumentKind.LOCK))
    return STARTED


@verb("argue skip", "argue skip 17A", name="argue skip")
def skip(session: Session, place: kinds.Place = _place) -> Answer:
    """Postpone an entry: the search undoes its decision there and first decides the one that ranks next."""
    session.argue(SearchArgument(ArgumentKind.SKIP, _named(session, place)))
    return STARTED


@verb("argue back", name="argue back")
def take_back(session: Session) -> Answer:
    """Undo the last argument: the search continues from where it was before."""
    session.argue(SearchArgument(ArgumentKind.BACK))
    return STARTED


def _named(session: Session, place: kinds.Place | None) -> str:
    if isinstance(place, Slot):
        return session.puzzle.grid.entry_of(place).name
    return "" if place in (None, _LAST) else str(place)


def _read(session: Session, place: kinds.Place, word: str) -> str:
    """Return a word or content in the search's spelling; raises XwtuiError if it is invalid."""
    if not word:
        return ""
    if isinstance(place, Position) or "[" in word or "/" in word:
        return str(kinds.content_of(word, session))
    return kinds.spelled(word, session)


_REPORT_WIDTH = 76
_WIDEST_REPORT = 100
_SUFFIXES = (".json", ".csv", ".svg")


def _entrants_offers(session: Session, beginning: str) -> list[kinds.Item]:
    head, comma, last = beginning.rpartition(",")
    offers = kinds.offered(strategy_names(), last)
    return [CompletionItem(f"{head}{comma}{one.value}", help=one.help) for one in offers]


@kinds.parameter_kind("strategies", _entrants_offers)
def ENTRANTS(text: str, session: Session) -> str:
    """Strategies with their options, separated by commas."""
    read_entrants([text])
    return text


def _check_file(path: Path) -> None:
    check_target(path)


class RaceAnswer(VerbAnswer):
    """A race that has ended or was stopped."""

    view: RaceView
    work = "race"
    stopped = "this is the race so far"

    @property
    def verdict(self) -> Outcome:
        return Outcome(status(self.view))

    @property
    def seconds(self) -> float:
        return self.view.seconds

    @property
    def lines(self) -> Sequence[str]:
        return self.report("", _REPORT_WIDTH)

    @property
    def as_json(self) -> dict[str, Any]:
        return race_as_json(self.view)

    def report(self, times: str, columns: int, *, is_saved: bool = True) -> Sequence[str]:
        return report_lines(self.view, min(columns, _WIDEST_REPORT))

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        write_race(path, self.view)
        return FilesWritten((path,))


@verb(
    "race",
    "race xwtui xwtui:order=score top-ten",
    "race --seeds 5 --time 2",
    asks=True,
    from_shell=FromShell(writes=Writes.OWN, check_file=_check_file),
)
def race(
    session: Session,
    strategies: tuple[str, ...] = argument("the strategies to race (default: all but sat)", ENTRANTS),
    named: tuple[str, ...] = option("the strategies to race, as an option", ENTRANTS, name="--strategies"),
    seeds: int = option("number of runs for each", kinds.number_kind(1, MOST_SEEDS), default=str(DEFAULT_SEEDS)),
    seed: int = kinds.asked(SEED.with_help("the first seed"), default="0"),
    seconds: float = kinds.asked(
        SECONDS.with_help("time limit for each run, in seconds"), default=f"{DEFAULT_SECONDS:g}"
    ),
    threads: int = kinds.asked(CORES, default="0"),
) -> Answer:
    """Race search strategies on the grid, with the same words, rules and seeds for each.

    Each run has its own processor time. `stop` ends the race with the results so far, `race show` shows them
    again, and `race save FILE` writes them.
    """
    if seconds == math.inf:
        raise VerbError("a race needs a time limit: --time SECONDS")
    if seed + seeds - 1 > HIGHEST_SEED:
        raise VerbError(f"race: the last seed would exceed {HIGHEST_SEED:,}; use a smaller --seed")
    entrants, runs = read_entrants((*strategies, *named)), tuple(range(seed, seed + seeds))
    order = RaceOrder(entrants, runs, seconds, threads_of(threads))
    session.jobs.race.start(order)
    return lambda: RaceAnswer(_race(session))


def _race(session: Session) -> RaceView:
    if session.jobs.race.view is None:
        raise VerbError(race_job.NO_RACE)
    return session.jobs.race.view


@verb("race show")
def race_show(session: Session) -> Answer:
    """Show the results of the last race, or of the current one so far."""
    return RaceAnswer(_race(session))


@verb("race save race.csv", "race save race.svg")
def race_save(
    session: Session,
    file: Path = argument("a .json, .csv or .svg file", kinds.file_kind(*_SUFFIXES)),
    force: bool = option("overwrite a file that this session did not write"),
) -> Answer:
    """Write the results of the last race as JSON, CSV or a plot."""
    view, path = _race(session), full_path(file)
    check_target(path)
    with session.document.exported.guard("race save --force", file, force=force)(path):
        write_race(path, view)
    return f"the race is in {file}"
