"""The verbs that take what the filler wrote, entry by entry, and that choose among several fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from xwtui.errors import VerbError
from xwtui.session.verbs.types import SELECTION, NumberType, Place, PlaceType, place_name, squares_of
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


@verb(Group.FILL, key="f8", examples=("accept", "accept 17A", "accept selection"))
@click.argument(
    "what",
    type=PlaceType("all", SELECTION, areas=True),
    default="all",
    help="entry, squares or `selection`; without it, everything",
)
def accept(session: Session, what: Place) -> Answer:
    """Make the filler's pencil the constructor's pen, so that later fills keep it.

    A search that stands still is taken as it stands.
    """
    name = place_name(what)
    squares = None if what == "all" else squares_of(session, what)
    if not session.accept(squares, name):
        raise VerbError("there is nothing in pencil to accept" + (f" in {name}" if squares is not None else ""))
    return f"accepted: {name}"


@verb(Group.FILL, key="ctrl+f", examples=("fills", "fills --limit 100"))
@click.option("--limit", type=NumberType(1, 10_000), default="20", help="how many to list, 20 if not given")
def fills(session: Session, limit: int) -> Answer:
    """Show the fills that there are to choose from, the best first."""
    from xwtui.session.jobs.fills.kept_fills import describe_fills

    if not session.fills.kept:
        raise VerbError("there are no fills to choose from yet")
    told = describe_fills(session.fills.kept, session.puzzle, session.jobs.words.allows, limit)
    return [*told, "`take 2` writes the second one"]


@verb(Group.FILL, examples=("take 2",))
@click.argument("number", type=NumberType(1, 1_000_000), help="the number of a fill in `fills`")
def take(session: Session, number: int) -> Answer:
    """Write one of the fills to choose from, in pencil."""
    from xwtui.session.jobs.fills.kept_fills import scores_text

    return f"fill {number}: {scores_text(session.fills.take(number))}"
