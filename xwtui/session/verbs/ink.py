"""The verbs that change who may rewrite a square: the filler, the constructor, or nobody."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from xwtui.errors import PuzzleError
from xwtui.model import Ink, Position, Slot, edits
from xwtui.session.verbs.fill_types import SELECTION, selected
from xwtui.session.verbs.types import HERE, Place, PlaceType
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session

_WHAT = PlaceType("all", SELECTION)


@verb(Group.GRID, key="ctrl+l", examples=("lock 17A", "lock r3c5", "lock all"))
@click.argument("what", type=_WHAT, default=HERE, help="entry, square, `selection`, `all`; else the current entry")
def lock(session: Session, what: Place) -> Answer:
    """Guard an entry, a square or all that is written against edits and fills."""
    grid = session.puzzle.grid
    written = [at for at in _positions(session, what) if grid[at].content is not None]
    if not written:
        raise PuzzleError(f"{_name(what)} is empty: there is nothing to lock")
    session.edit(f"lock {_name(what)}", lambda puzzle: edits.set_ink(puzzle, written, Ink.LOCKED))
    return f"locked: {_name(what)}, {_squares(len(written))}"


@verb(Group.GRID, key="ctrl+u", examples=("unlock 17A", "unlock all"))
@click.argument("what", type=_WHAT, default=HERE, help="entry, square, `selection`, `all`; else the current entry")
def unlock(session: Session, what: Place) -> Answer:
    """Let an entry, a square or all that is locked be edited again; fills still keep it."""
    grid = session.puzzle.grid
    locked = [at for at in _positions(session, what) if grid[at].ink is Ink.LOCKED]
    if not locked:
        return f"nothing is locked in {_name(what)}"
    session.edit(f"unlock {_name(what)}", lambda puzzle: edits.set_ink(puzzle, locked, Ink.PEN))
    return f"unlocked: {_name(what)}, {_squares(len(locked))}"


@verb(Group.GRID, examples=("pencil 17A", "pencil selection", "pencil all"))
@click.argument("what", type=_WHAT, default=HERE, help="entry, square, `selection`, `all`; else the current entry")
def pencil(session: Session, what: Place) -> Answer:
    """Let fills replace what is in pen: the opposite of `accept`; what is locked stays."""
    grid = session.puzzle.grid
    written = [at for at in _positions(session, what) if grid[at].content and grid[at].ink is Ink.PEN]
    if not written:
        return f"nothing is in pen in {_name(what)}"
    session.edit(f"pencil {_name(what)}", lambda puzzle: edits.set_ink(puzzle, written, Ink.PENCIL))
    return f"in pencil now: {_name(what)}, {_squares(len(written))}"


def _positions(session: Session, what: Place) -> Collection[Position]:
    if isinstance(what, Slot):
        return what.positions
    if isinstance(what, Position):
        return (what,)
    if what == SELECTION:
        return selected(session)
    return tuple(session.puzzle.grid.open_positions())


def _squares(count: int) -> str:
    return "1 square" if count == 1 else f"{count} squares"


def _name(what: Place) -> str:
    return what.name if isinstance(what, Slot) else str(what)
