"""The verb for answers of which something else is entered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from xwtui.errors import VerbError
from xwtui.model import Puzzle, Slot, edits
from xwtui.model.entering import EnteredAnswer
from xwtui.model.rules.speech import is_off
from xwtui.session.verbs.letters import spelled
from xwtui.session.verbs.types import HERE, Place, PlaceType, RestOfLine
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Writes, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session

_TOLD = re.compile(r"(?:answer\s+(?P<answer>.+?))?\s*(?:\benters\s+(?P<entered>.+))?", re.IGNORECASE)


@verb(
    Group.GRID,
    name="entry",
    examples=(
        "entry 17A answer SHIRTS enters SHITS",
        "entry 17A answer SHIRTS",
        "entry 17A enters SHITS",
        "entry 17A off",
        "entry 17A",
    ),
    from_shell=FromShell(writes=Writes.PUZZLE, needs=Needs.NOTHING, is_lost_unwritten=True),
    keywords=("latent", "treatment", "thematic", "enter otherwise", "mutilated", "letters latent"),
)
@click.argument("entry", type=PlaceType(squares=False), default=HERE, help="entry; without it, the current one")
@click.argument(
    "told",
    type=RestOfLine(),
    required=False,
    help="`answer SHIRTS`, `enters SHITS`, both, or `off`; without them, they are shown",
)
def entry_(session: Session, entry: Place, told: str | None) -> Answer:
    """Say that an entry's answer and what is entered are two things, or show them.

    What is entered stands in the grid, and need be no word. Scores, duplicates, rules, clue and enumeration are
    the answer's. It counts as long as that text stands; `off` makes what stands the answer again.
    """
    assert isinstance(entry, Slot)
    if told:
        session.edit(f"entry {entry.name}", lambda puzzle: _told(session, puzzle, entry, told), along=entry)
    return f"{entry.name}: {session.puzzle.told_pattern(entry)}"


def _told(session: Session, puzzle: Puzzle, entry: Slot, told: str) -> Puzzle:
    """The puzzle with what a line says of an entry; raises VerbError for another line."""
    key = (entry.start, entry.direction)
    if is_off(told.strip()):
        return puzzle.with_entered({key: None})
    found = _TOLD.fullmatch(told.strip())
    if found is None or not (found["answer"] or found["entered"]):
        raise VerbError("say `answer SHIRTS enters SHITS`, one of the two, or `off`")
    answer = spelled(found["answer"], session) if found["answer"] else puzzle.answer(entry)
    if found["entered"]:
        puzzle = edits.place_answer(puzzle, entry, found["entered"].replace(" ", ""))
    entered = puzzle.grid.answer(entry)
    if answer is None or entered is None:
        raise VerbError(f"{entry.name} is not complete; say its answer and what it enters")
    return puzzle.with_entered({key: None if answer == entered else EnteredAnswer(answer, entered)})
