"""A program that works on a puzzle until it is killed: `python -m tests.session.victim HOW FOLDER`.

It prints a line for each action after the action is complete.
"""

import itertools
import resource
import sys
import time
from dataclasses import replace
from pathlib import Path

from tests.session.saying import PATIENCE_SECONDS
from xwtui.errors import XwtuiError
from xwtui.model import Content, Position, Puzzle, edits
from xwtui.session.fill_options import FillOptions
from xwtui.session.messages import FillEnded, FillProgress, JobFailed, Message, Notice
from xwtui.session.session import Session


def say(text: str) -> None:
    print(text, flush=True)


def write(bench: Session, number: int) -> None:
    """Write the number as the title, so that every edit is distinguishable."""
    bench.edit(f"edit {number}", lambda puzzle: replace(puzzle, title=f"edit {number}"))
    say(f"edited {number}")


def edit_only(bench: Session) -> None:
    for number in range(30):
        write(bench, number)
    say("waiting")
    time.sleep(PATIENCE_SECONDS)


def edit_on(bench: Session) -> None:
    for number in itertools.count():
        write(bench, number)


def save_on(bench: Session) -> None:
    for number in itertools.count():
        write(bench, number)
        bench.save()
        say(f"saved {number}")


def fill(bench: Session) -> None:
    write(bench, 1)
    bench.edit("place", lambda puzzle: edits.set_square(puzzle, Position(0, 0), Content.of("S")))
    bench.jobs.fill.start(FillOptions())
    bench.wait(PATIENCE_SECONDS)


def on_a_full_disk(bench: Session) -> None:
    """Limit file size to a few bytes, so that writes fail as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    write(bench, 1)
    write(bench, 2)
    try:
        bench.save()
    except XwtuiError as error:
        say(f"not saved: {error}")
    say(f"modified: {bench.document.is_modified}, title: {bench.puzzle.title}")


def hear(message: Message) -> None:
    if isinstance(message, FillProgress) and message.run.nodes:
        say("filling")
    elif isinstance(message, FillEnded | JobFailed):
        say(str(message))
    elif isinstance(message, Notice):
        say(f"notice: {message.text}")


WAYS = {
    "edit": edit_only,
    "edit-on": edit_on,
    "save-on": save_on,
    "fill": fill,
    "full-disk": on_a_full_disk,
}


def main(how: str, folder: Path) -> None:
    bench = Session(hear, journal_folder=folder / "journals")
    bench.new(Puzzle.blank(9, 9))
    bench.save(folder / "heart.ipuz")
    WAYS[how](bench)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
