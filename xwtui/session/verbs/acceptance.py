"""The verbs that take or reject what the filler wrote, entry by entry, and that choose among several fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from xwtui.errors import VerbError
from xwtui.model import Slot
from xwtui.session.jobs.fills.kept_fills import describe_fills, scores_text
from xwtui.session.verbs.types import HERE, SELECTION, NumberType, Place, PlaceType, selected
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


@verb(Group.FILL, key="f8", examples=("accept", "accept 17A", "accept selection"))
@click.argument(
    "what",
    type=PlaceType("all", SELECTION, squares=False),
    default="all",
    help="entry or `selection`; without it, everything",
)
def accept(session: Session, what: Place) -> Answer:
    """Make the filler's pencil the constructor's pen, so that later fills keep it.

    A search that stands still is taken as it stands.
    """
    name = what.name if isinstance(what, Slot) else str(what)
    squares = what.positions if isinstance(what, Slot) else selected(session) if what == SELECTION else None
    if not session.accept(squares, name):
        raise VerbError("there is nothing in pencil to accept" + (f" in {name}" if squares is not None else ""))
    return f"accepted: {name}"


@verb(Group.FILL, key="minus", examples=("reject 17A", "reject"))
@click.argument("entry", type=PlaceType(squares=False), default=HERE, help="entry; without it, the current one")
def reject(session: Session, entry: Place) -> Answer:
    """Rub the filler's pencil out of an entry; fills of this session put that word there no more.

    `ban` keeps a word out of the whole puzzle.
    """
    assert isinstance(entry, Slot)
    word = session.fills.reject(entry)
    return f"rejected: {entry.name}" + (f" {word}; `ban {word}` would keep it out everywhere" if word else "")


@verb(Group.FILL, key="ctrl+f", examples=("fills", "fills --limit 100"))
@click.option("--limit", type=NumberType(1, 10_000), default="20", help="how many to list, 20 if not given")
def fills(session: Session, limit: int) -> Answer:
    """Show the fills that there are to choose from, the best first."""
    if not session.fills.kept:
        raise VerbError("there are no fills to choose from yet")
    told = describe_fills(session.fills.kept, session.puzzle, session.jobs.words.allows, limit)
    return [*told, "`take 2` writes the second one"]


@verb(Group.FILL, examples=("take 2",))
@click.argument("number", type=NumberType(1, 1_000_000), help="the number of a fill in `fills`")
def take(session: Session, number: int) -> Answer:
    """Write one of the fills to choose from, in pencil."""
    return f"fill {number}: {scores_text(session.fills.take(number))}"
