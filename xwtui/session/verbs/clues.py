"""The verbs for clues and the title page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from xwtui.errors import VerbError
from xwtui.model import Slot
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.session.verbs.types import HERE, Place, PlaceType, RestOfLine
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session

_TEXT = RestOfLine()


@verb(Group.CLUES, examples=("clue 17A It can't be bought", "clue 17A", "clue --clear 17A"))
@click.argument("entry", type=PlaceType(squares=False), default=HERE, help="entry; without it, the current one")
@click.argument(
    "text", type=_TEXT, required=False, help="the clue, as it is to be printed; without it, it is shown"
)
@click.option("--clear", is_flag=True, help="remove the clue")
def clue(session: Session, entry: Place, text: str | None, clear: bool) -> Answer:
    """Write an entry's clue, or show it."""
    assert isinstance(entry, Slot)
    if clear or text:
        _check_length(text or "")
        session.edit(f"clue {entry.name}", lambda puzzle: puzzle.with_clue(entry, "" if clear else text or ""))
    return f"{entry.name}: {session.puzzle.clue(entry) or 'no clue'}"


def _title_page(session: Session, field: str, text: str | None, clear: bool) -> str:
    """Write a field of the title page, or show it."""
    if clear or text:
        _check_length(text or "")
        change: dict[str, Any] = {field: "" if clear else text}
        session.edit(field, lambda puzzle: replace(puzzle, **change))
    return f"{field}: {getattr(session.puzzle, field) or 'none'}"


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise VerbError(f"this text has {len(text):,} characters; {LONGEST_TEXT:,} are the most")


_text_argument = click.argument(
    "text", type=_TEXT, required=False, help="as it is to be printed; without it, it is shown"
)
_clear_option = click.option("--clear", is_flag=True, help="remove it")


@verb(Group.CLUES, examples=("title Heart to Heart", "title"))
@_text_argument
@_clear_option
def title(session: Session, text: str | None, clear: bool) -> Answer:
    """Give the puzzle its title, or show it."""
    return _title_page(session, "title", text, clear)


@verb(Group.CLUES, examples=("author A. Constructor",))
@_text_argument
@_clear_option
def author(session: Session, text: str | None, clear: bool) -> Answer:
    """Say who made the puzzle, or show it."""
    return _title_page(session, "author", text, clear)


@verb(Group.CLUES, name="copyright", examples=("copyright © 2026 A. Constructor",))
@_text_argument
@_clear_option
def copyright_(session: Session, text: str | None, clear: bool) -> Answer:
    """Write the copyright line, or show it."""
    return _title_page(session, "copyright", text, clear)


@verb(Group.CLUES, examples=("notes Shaded squares spell a name",))
@_text_argument
@_clear_option
def notes(session: Session, text: str | None, clear: bool) -> Answer:
    """Write the note to solvers and editors, or show it."""
    return _title_page(session, "notes", text, clear)
