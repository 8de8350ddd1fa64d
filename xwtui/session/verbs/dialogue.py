"""The verbs of those who work line by line: how the grid is drawn, and the transcript of what was typed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from xwtui.errors import VerbError
from xwtui.model import Puzzle
from xwtui.session.settings import GRID_SIZES
from xwtui.session.verbs.types import FileType, VerbType
from xwtui.session.verbs.verb import Answer, Group, Reply, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session

OFF = "off"


class DrawingSizeType(VerbType[str]):
    """How large the grid is drawn."""

    name = "size"

    def read(self, text: str, session: Session) -> str:
        """The size; raises VerbError, naming all of them, where there is none."""
        if text.lower() not in GRID_SIZES:
            raise VerbError(f"{text!r} is no size; there are {', '.join(GRID_SIZES)}")
        return text.lower()

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """All sizes."""
        return [CompletionItem(size) for size in GRID_SIZES if size.startswith(beginning.lower())]


@verb(Group.SESSION, examples=("show", "show --size large", "show --size auto"))
@click.option("--size", type=DrawingSizeType(), help="auto, small, medium or large, from now on")
def show(session: Session, size: str | None) -> Answer:
    """Draw the grid in the REPL, small or large.

    With `auto` the width of the terminal decides: medium from 120 columns on, large from 180, as long as the grid
    has room.
    """
    if size is not None:
        session.settings = replace(session.settings, grid_size=size)
    return Reply(shows_grid=True)


class ChangeType(VerbType[dict[str, Any]]):
    """A change of the puzzle as the journal writes it."""

    name = "change"
    takes_rest = True

    def read(self, text: str, session: Session) -> dict[str, Any]:
        """The object; raises VerbError for text that is none."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise VerbError("this is no change that a transcript has")
        return found


@verb(Group.SESSION, examples=('change {"squares": [], "clues": [], "texts": {"title": "Hearts"}}',))
@click.argument("what", type=ChangeType(), help="as a transcript has it")
def change(session: Session, what: dict[str, Any]) -> Answer:
    """Repeat a change from a transcript, such as a fill, without doing its work again."""
    from xwtui.session.journal import changed

    def made(puzzle: Puzzle) -> Puzzle:
        try:
            return changed(puzzle, what)
        except (LookupError, ValueError, TypeError, OverflowError) as error:
            raise VerbError("change: this is no change of this puzzle") from error

    session.edit("change", made)
    return None


@verb(Group.SESSION, examples=("transcript monday.xwt", "transcript off"))
@click.argument("file", type=FileType((".xwt",)), help="a file for the lines, or `off`")
@click.option("--force", is_flag=True, help="write over a transcript that is there")
def transcript(session: Session, file: Path, force: bool) -> Answer:
    """Keep the lines that are typed in the REPL from now on in a file, which `xwtui run FILE` runs again.

    It ends in the same puzzle: what fills and other long work came to is written down as it was found, below the
    line that asked for it. The puzzle that it begins with is a file beside it, `monday-1.ipuz`, and so are others
    that it opens on the way; where the puzzle's word lists lie beside the puzzle, these lie there too. File names
    in it start from its own folder: so it runs from anywhere, and after the folder was moved or sent.
    """
    if str(file).lower() == OFF:
        return Reply(ends_transcript=True)
    return Reply(transcript=file.expanduser(), overwrites=force)
