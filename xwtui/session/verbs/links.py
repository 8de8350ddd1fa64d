"""The verbs that link lights, which take one answer then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from xwtui.errors import PuzzleError
from xwtui.model import Slot, edits
from xwtui.session.verbs.types import Place, PlaceType, place_name
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Writes, answered, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session

_LISTED = FromShell(writes=Writes.PUZZLE, needs=Needs.NOTHING)
_KEPT = replace(_LISTED, is_lost_unwritten=True)


@verb(
    Group.GRID,
    examples=("link 1A 5D", "link 1A 17A 3D", "link"),
    from_shell=_LISTED,
    keywords=("linked lights", "linked clues", "split answer", "see 1"),
)
@click.argument(
    "lights",
    type=PlaceType(squares=False, lights=True),
    nargs=-1,
    help="entries in the order of the answer's parts; without any, the links are listed",
)
def link(session: Session, lights: tuple[Place, ...]) -> Answer:
    """Make one answer of several entries, or list such answers.

    The answer is what they read one after the other. It is filled, counted and checked as one word, and clued at
    the first of them; the others say `See 1`. The clue and the rules of the first are those of the whole answer;
    what the others have comes back with `unlink`.
    """
    slots = [light for light in lights if isinstance(light, Slot)]
    if slots:
        names = " ".join(slot.name for slot in slots)
        session.edit(f"link {names}", lambda puzzle: edits.link(puzzle, slots))
    return _listed(session)


@verb(Group.GRID, examples=("unlink 1A", "unlink r3c5"), from_shell=_KEPT, keywords=("linked lights",))
@click.argument("light", type=PlaceType(lights=True), help="one of the entries, or the square where one begins")
def unlink(session: Session, light: Place) -> Answer:
    """Take a link of entries away: each is an answer by itself again."""
    start = light.start if isinstance(light, Slot) else light
    way = light.direction if isinstance(light, Slot) else None
    keys = [key for one in session.puzzle.grid.links for key in one if key[0] == start and way in (None, key[1])]
    if not keys:
        raise PuzzleError(f"{place_name(light)} is not linked; `link` lists what is")
    session.edit(f"unlink {keys[0][0]}", lambda puzzle: edits.unlink(puzzle, keys[0]))
    return _listed(session)


def _listed(session: Session) -> Answer:
    from xwtui.session.links_answer import LinksAnswer

    return answered(LinksAnswer(session.puzzle))
