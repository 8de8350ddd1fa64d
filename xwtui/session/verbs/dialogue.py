"""The verbs of those who work line by line: how the grid is drawn, and the transcript of what was typed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from xwtui.errors import VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.settings import GRID_SIZES
from xwtui.session.verbs.kinds import among, file_kind, parameter_kind
from xwtui.session.verbs.verb import Answer, Group, Reply, argument, option, verbs_of

with lazy_imports():
    from xwtui.session.journal import changed
    from xwtui.session.session import Session

verb = verbs_of(Group.SESSION)

OFF = "off"


@parameter_kind("size", among(GRID_SIZES))
def DRAWING_SIZE(text: str, session: Session) -> str:
    """How large the grid is drawn."""
    if text.lower() not in GRID_SIZES:
        raise VerbError(f"{text!r} is not a size; use {', '.join(GRID_SIZES)}")
    return text.lower()


@verb(examples=("show", "show --size large", "show --size auto"))
def show(
    session: Session, size: str | None = option("auto, small, medium or large, from now on", DRAWING_SIZE)
) -> Answer:
    """Draw the grid in the REPL, small or large.

    `auto` goes by the terminal's width: medium from 120 columns, large from 180, if the grid fits.
    """
    if size is not None:
        session.settings = replace(session.settings, grid_size=size)
    return Reply(shows_grid=True)


@parameter_kind("change", takes_rest=True)
def CHANGE(text: str, session: Session) -> dict[str, Any]:
    """A change of the puzzle as the journal writes it."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise VerbError("this is not a change from a transcript")
    return found


@verb(examples=('change {"squares": [], "clues": [], "texts": {"title": "Hearts"}}',))
def change(
    session: Session, what: dict[str, Any] = argument("the change as written in a transcript", CHANGE)
) -> Answer:
    """Replay a change from a transcript, such as a fill, without redoing the work."""

    def made(puzzle: Puzzle) -> Puzzle:
        try:
            return changed(puzzle, what)
        except (LookupError, ValueError, TypeError, OverflowError) as error:
            raise VerbError("change: this change does not apply to this puzzle") from error

    session.edit("change", made)
    return None


@verb(examples=("transcript monday.xwt", "transcript off"))
def transcript(
    session: Session,
    file: Path = argument("a file for the lines, or `off`", file_kind(".xwt")),
    force: bool = option("overwrite an existing transcript"),
) -> Answer:
    """Record the lines you type in the REPL to a file that `xwtui run FILE` can replay.

    Replaying it gives the same puzzle: the results of fills and other long work are recorded below the line that
    started them. The starting puzzle is saved next to the transcript (`monday-1.ipuz`), along with any puzzle
    opened later and word lists that are next to a puzzle. File names are relative to the transcript's folder, so
    you can move or send the folder.
    """
    if str(file).lower() == OFF:
        return Reply(ends_transcript=True)
    return Reply(transcript=file.expanduser(), overwrites=force)
