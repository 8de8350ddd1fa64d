"""The verb that writes a message along squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from xwtui.model import edits
from xwtui.session.verbs.types import HERE, AnswerType, Place, SquaresType, place_name, squares_of
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


@verb(
    Group.GRID,
    examples=("spell diagonal MY HIDDEN MESSAGE", "spell r1c1:r1c4 NINA"),
    keywords=("nina", "hidden message", "perimeter"),
)
@click.argument("squares", type=SquaresType(), default=HERE, help="squares in the order of the letters")
@click.argument("message", type=AnswerType(), help="as many letters and digits; a rebus square in brackets")
def spell(session: Session, squares: Place, message: str) -> Answer:
    """Write a message along squares: around the perimeter, down a diagonal, through a row.

    It fills all that are open, from the first to the last, and is in pen then, so that every fill keeps it. What
    is in pencil gives way; where other letters are in pen or locked, nothing is written.
    """
    along, name = squares_of(session, squares), place_name(squares)
    letters = message.replace(" ", "")
    session.edit(f"spell {name}", lambda puzzle: edits.spell(puzzle, along, letters))
    return f"{name}: {letters}, from {along[0]} to {along[-1]}"
