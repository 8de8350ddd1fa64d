"""The verb that selects squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from xwtui.model import Position, Slot
from xwtui.model.selection import around
from xwtui.session.verbs.fill_types import SquaresType
from xwtui.session.verbs.types import Place, PlaceType
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session


class PartType(SquaresType):
    """A part of the grid, or `all`, or `none`."""

    def read(self, text: str, session: Session) -> frozenset[Position]:
        """The squares that are meant; none for `none`."""
        word = text.strip().lower()
        if word == "none":
            return frozenset()
        if word == "all":
            return frozenset(session.puzzle.grid.open_positions())
        return super().read(text, session)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The words, then the entries."""
        words = [CompletionItem(word) for word in ("all", "none") if word.startswith(beginning.lower())]
        return [*words, *super().offers(session, beginning)]


@verb(
    Group.GRID,
    examples=("select r1c1:r5c5", "select 17A 3D", "select --around 17A", "select none", "select"),
)
@click.argument("what", type=PartType(), nargs=-1, help="corners as r1c1:r5c5, entries, squares, `all`, `none`")
@click.option("--around", "entry", type=PlaceType(squares=False), help="an entry with all that crosses it")
def select(session: Session, what: tuple[frozenset[Position], ...], entry: Place | None) -> Answer:
    """Select squares, for `fill --only selection` and others, or show which are selected."""
    grid = session.puzzle.grid
    if what or entry is not None:
        near = around(grid, entry) if isinstance(entry, Slot) else frozenset()
        session.selection.select(near.union(*what))
    return describe_selection(session)


def describe_selection(session: Session) -> str:
    """What is selected, in a line."""
    chosen, grid = session.selection.squares, session.puzzle.grid
    if not chosen:
        return "nothing is selected"
    whole = [slot.name for slot in grid.slots if chosen.issuperset(slot.positions)]
    squares = f"{len(chosen)} {'square' if len(chosen) == 1 else 'squares'} selected"
    return f"{squares}; whole entries: {', '.join(whole)}" if whole else squares
