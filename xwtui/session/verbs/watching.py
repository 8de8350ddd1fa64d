"""The verbs that watch a search, move back and forth in it, and argue with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from xwtui.errors import VerbError, failing_as
from xwtui.lazy import lazy_imports
from xwtui.model import Position, Slot
from xwtui.session.verbs import kinds
from xwtui.session.verbs.verb import STARTED, Answer, Group, argument, option, verbs_of
from xwtui.text import counted, in_quotes, printable

with lazy_imports():
    from xwtui.engine.events.event import EventKind
    from xwtui.session.document import full_path
    from xwtui.session.goals import ArgumentKind, SearchArgument
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
"""Text, in quotes if it has spaces."""


@verb(examples=("back", "back 100"))
def back(
    session: Session, events: int = argument("number of events", kinds.number_kind(1, _MOST), default="1")
) -> Answer:
    """Go back one event in the recorded search.

    `step`, `until` and `watch` replay the recorded events from there, then continue the search.
    """
    session.jobs.fill.back(events)
    return STARTED


@verb(examples=("event 1", "event 5000"))
def event(
    session: Session, number: int = argument("the event's number, starting at 1", kinds.number_kind(1, _MOST))
) -> Answer:
    """Go to an event of the search by its number."""
    session.jobs.fill.go_to_event(number)
    return STARTED


@verb(examples=("watch", "watch --speed 50", "watch hard.trace"))
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


@verb(examples=("explain",))
def explain(session: Session) -> Answer:
    """Explain the current point of the search: what was pruned, how it leaves a dead end, what comes next."""
    run = session.jobs.fill.view
    if run is None or run.event is None or not run.paused:
        raise VerbError("no search is paused; use `step`, `pause` or `back`")
    return watch_lines(run)


@verb(examples=("pause",))
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


@verb(examples=("events", "events --last 100", "events --kind backtrack", "events --at 17A"))
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


@verb(examples=("events save hard.trace",))
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


@verb(name="argue choose", examples=("argue choose ARENA", "argue choose 17A ARENA"))
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


@verb(name="argue forbid", examples=("argue forbid", "argue forbid 17A OREAD"))
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


@verb(name="argue lock", examples=("argue lock",))
def lock_decisions(session: Session) -> Answer:
    """Lock what the search has decided: it keeps these decisions, and they are locked in the grid."""
    session.argue(SearchArgument(ArgumentKind.LOCK))
    return STARTED


@verb(name="argue skip", examples=("argue skip", "argue skip 17A"))
def skip(session: Session, place: kinds.Place = _place) -> Answer:
    """Postpone an entry: the search undoes its decision there and first decides the one that ranks next."""
    session.argue(SearchArgument(ArgumentKind.SKIP, _named(session, place)))
    return STARTED


@verb(name="argue back", examples=("argue back",))
def take_back(session: Session) -> Answer:
    """Undo the last argument: the search continues from where it was before."""
    session.argue(SearchArgument(ArgumentKind.BACK))
    return STARTED


def _named(session: Session, place: kinds.Place | None) -> str:
    """Return the name of a place; empty for the last decision's, and for None."""
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
