"""The verbs that change who may rewrite a square: the filler, the constructor, or nobody."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from xwtui.errors import PuzzleError
from xwtui.model import Ink, Position, Slot, edits
from xwtui.workbench.verbs.types import HERE, Place, PlaceType
from xwtui.workbench.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.workbench.workbench import Workbench

_WHAT = PlaceType("all")


@verb(Group.GRID, key="ctrl+l", examples=("lock 17A", "lock r3c5", "lock all"))
@click.argument("what", type=_WHAT, default=HERE, help="entry, square or `all`; without it, the current entry")
def lock(workbench: Workbench, what: Place) -> Answer:
    """Guard an entry, a square or all that is written against edits and fills."""
    positions = _positions(workbench, what)
    _check_written(workbench, positions, what)
    workbench.edit(f"lock {_name(what)}", lambda puzzle: edits.set_ink(puzzle, positions, Ink.LOCKED))
    return f"locked: {_name(what)}"


@verb(Group.GRID, key="ctrl+u", examples=("unlock 17A", "unlock all"))
@click.argument("what", type=_WHAT, default=HERE, help="entry, square or `all`; without it, the current entry")
def unlock(workbench: Workbench, what: Place) -> Answer:
    """Let an entry, a square or all that is locked be edited again; fills still keep it."""
    grid = workbench.puzzle.grid
    locked = [at for at in _positions(workbench, what) if grid[at].ink is Ink.LOCKED]
    if not locked:
        return f"nothing is locked in {_name(what)}"
    workbench.edit(f"unlock {_name(what)}", lambda puzzle: edits.set_ink(puzzle, locked, Ink.PEN))
    return f"unlocked: {_name(what)}"


def _positions(workbench: Workbench, what: Place) -> Collection[Position]:
    if isinstance(what, Slot):
        return what.positions
    if isinstance(what, Position):
        return (what,)
    return tuple(workbench.puzzle.grid.open_positions())


def _check_written(workbench: Workbench, positions: Collection[Position], what: Place) -> None:
    grid = workbench.puzzle.grid
    if all(grid[at].content is None for at in positions):
        raise PuzzleError(f"{_name(what)} is empty: there is nothing to lock")


def _name(what: Place) -> str:
    return what.name if isinstance(what, Slot) else str(what)
