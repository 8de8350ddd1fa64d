"""The verbs for watching a search: back and on in it, slowly, and what it has done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from xwtui.errors import VerbError
from xwtui.text import printable
from xwtui.workbench.run_words import counted, numbered_event
from xwtui.workbench.verbs.types import FileType, NumberType, VerbType
from xwtui.workbench.verbs.verb import Answer, Group, Reply, verb
from xwtui.workbench.watch_words import watch_lines

if TYPE_CHECKING:
    from xwtui.workbench.workbench import Workbench

_STARTED = Reply(started=True)
_MOST = 1_000_000_000
_LOG_LINES = 40
_MOST_LINES = 10_000
DEFAULT_SPEED = 5
FASTEST = 100_000
"""Events a second."""


class PhraseType(VerbType[str]):
    """Some text, in quotes if it has spaces."""

    name = "text"

    def read(self, text: str, workbench: Workbench) -> str:
        """The text."""
        return text


@verb(Group.FILL, key="left_square_bracket", examples=("back", "back 100"))
@click.argument("events", type=NumberType(1, _MOST), default="1", help="how many events")
def back(workbench: Workbench, events: int) -> Answer:
    """Go back in the search, that goes on or the last one, by an event; nothing is run again.

    `step`, `until` and `watch` go on from there among what is recorded, and then with the search itself.
    """
    workbench.back(events)
    return _STARTED


@verb(Group.FILL, examples=("event 1", "event 5000"))
@click.argument("number", type=NumberType(1, _MOST), help="the event's number, from 1 at the start")
def event(workbench: Workbench, number: int) -> Answer:
    """Go to an event of the search by its number."""
    workbench.go_to_event(number)
    return _STARTED


@verb(Group.FILL, examples=("watch", "watch --speed 50"))
@click.option("--speed", type=NumberType(1, FASTEST), default=str(DEFAULT_SPEED), help="events a second")
def watch(workbench: Workbench, speed: int) -> Answer:
    """Let the search go on slowly, event by event, beginning one if there is none; `pause` holds it."""
    workbench.watch(speed)
    return _STARTED


@verb(Group.FILL, examples=("explain",))
def explain(workbench: Workbench) -> Answer:
    """Tell why the search stands where it does: what was pruned, the way out of a dead end, what comes next."""
    run = workbench.run
    if run is None or run.event is None or not run.paused:
        raise VerbError("no search stands still; `step`, `pause` or `back` makes it do so")
    return watch_lines(run)


@verb(Group.FILL, examples=("pause",))
def pause(workbench: Workbench) -> Answer:
    """Let the search stand still where it is; `continue` goes on, `back` goes back."""
    workbench.pause()
    return _STARTED


@verb(Group.FILL, examples=("events", "events --last 100", "events --match 17A"))
@click.option("--match", "text", type=PhraseType(), help="only those that have this text in them")
@click.option("--last", "most", type=NumberType(1, _MOST_LINES), default=str(_LOG_LINES), help="how many lines")
def events(workbench: Workbench, text: str | None, most: int) -> Answer:
    """List what the search has done, up to where it stands, the latest event last."""
    found = workbench.tape.log(text or "", most)
    if not found:
        return f"no event has {printable(text or '', 40)!r} in it"
    return [numbered_event(one.number, one.event) for one in found]


@verb(Group.FILL, name="events save", examples=("events save hard.trace",))
@click.argument("file", type=FileType((".trace", ".jsonl")), help="the file, JSON lines")
def events_save(workbench: Workbench, file: Path) -> Answer:
    """Write what is recorded of the search to a trace file, which `xwtui watch FILE` shows."""
    return f"{counted(workbench.save_events(file), 'event')} in {file.name}"
