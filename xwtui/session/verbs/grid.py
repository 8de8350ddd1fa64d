"""The verbs that write into the grid and shape it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from xwtui.errors import PuzzleError
from xwtui.model import Content, Kind, Position, Puzzle, Slot, Symmetry, edits
from xwtui.session.verbs.fill_types import SELECTION, selected
from xwtui.session.verbs.types import HERE, AnswerType, Place, PlaceType, SymmetryType
from xwtui.session.verbs.verb import Answer, Group, verb

if TYPE_CHECKING:
    from xwtui.session.session import Session

_SQUARE = PlaceType(entries=False)


@verb(
    Group.GRID,
    name="set",
    examples=("set 17A SWEET[HEART]", "set r3c5 HEART", "set r3c5 X/TIMES", "set crème brûlée"),
)
@click.argument("place", type=PlaceType(), default=HERE, help="entry or square; without it, the current entry")
@click.argument("answer", type=AnswerType(), help="letters and digits; a rebus square in brackets")
def set_(session: Session, place: Place, answer: str) -> Answer:
    """Write an answer into an entry, or letters into a square.

    A square may hold several letters (a rebus), or read differently across and down: X/TIMES.
    """
    if isinstance(place, Slot):
        session.edit(f"set {place.name}", lambda puzzle: edits.place_answer(puzzle, place, answer))
        return f"{place.name}: {session.puzzle.grid.pattern(place)}"
    return _write(session, place, answer, "set")


@verb(Group.GRID, key="ctrl+r", examples=("rebus r3c5 HEART", "rebus r3c5 X/TIMES"), asks=True)
@click.argument("square", type=_SQUARE, default=HERE, help="square; without it, the current one")
@click.argument("content", type=AnswerType(), help="2 to 12 letters or digits, or ACROSS/DOWN")
def rebus(session: Session, square: Place, content: str) -> Answer:
    """Write several letters into one square."""
    return _write(session, square, content, "rebus")


def _write(session: Session, square: Place, text: str, label: str) -> str:
    assert isinstance(square, Position)
    content = Content.parse(text)
    session.edit(f"{label} {square}", lambda puzzle: edits.set_square(puzzle, square, content))
    return f"{square}: {content}"


@verb(Group.GRID, examples=("clear 17A", "clear r3c5", "clear pencil", "clear all"))
@click.argument(
    "what",
    type=PlaceType("pencil", SELECTION, "all"),
    default=HERE,
    help="entry, square, `selection`, `pencil` or `all`; else the current entry",
)
def clear(session: Session, what: Place) -> Answer:
    """Empty an entry, a square, what the filler wrote, or the whole grid.

    An entry keeps the squares that a finished crossing entry needs. `all` keeps what is locked.
    """
    if isinstance(what, Slot):
        session.edit(f"clear {what.name}", lambda puzzle: edits.clear_entry(puzzle, what))
    elif isinstance(what, Position):
        session.edit(f"clear {what}", lambda puzzle: edits.clear_squares(puzzle, [what]))
    elif what == SELECTION:
        squares = selected(session)
        session.edit("clear selection", lambda puzzle: edits.clear_squares(puzzle, squares))
    elif what == "pencil":
        session.edit("clear pencil", edits.clear_pencil)
    else:
        session.edit("clear all", edits.clear_unlocked)
    return None


@verb(Group.GRID, key="full_stop", examples=("block r1c5", "block"))
@click.argument("square", type=_SQUARE, default=HERE, help="square; without it, the current one")
def block(session: Session, square: Place) -> Answer:
    """Turn a square into a block or back, with its mirror images."""
    assert isinstance(square, Position)
    session.edit(f"block {square}", lambda puzzle: edits.toggle_block(puzzle, square))
    return None


@verb(Group.GRID, examples=("void r1c1",))
@click.argument("square", type=_SQUARE, default=HERE, help="square; without it, the current one")
def void(session: Session, square: Place) -> Answer:
    """Cut a square out of the grid or put it back, with its mirror images."""
    assert isinstance(square, Position)
    kind = Kind.OPEN if session.puzzle.grid[square].kind is Kind.VOID else Kind.VOID
    session.edit(f"void {square}", lambda puzzle: edits.set_kind(puzzle, square, kind))
    return None


@verb(Group.GRID, examples=("bar r3c4 right", "bar r3c4 below", "bar r3c4 r3c5"))
@click.argument("square", type=_SQUARE, default=HERE, help="square; without it, the current one")
@click.argument(
    "side", type=PlaceType("right", "below", "left", "above", entries=False), help="side, or the neighbour"
)
def bar(session: Session, square: Place, side: Place) -> Answer:
    """Put a bar between two squares or take it away, with its mirror images."""
    assert isinstance(square, Position)
    row, column = square
    neighbours = {
        "right": Position(row, column + 1),
        "below": Position(row + 1, column),
        "left": Position(row, column - 1),
        "above": Position(row - 1, column),
    }
    neighbour = side if isinstance(side, Position) else neighbours[str(side)]
    if neighbour not in session.puzzle.grid:
        raise PuzzleError(f"{square} has no neighbour {'there' if isinstance(side, Position) else side}")
    session.edit(f"bar {square}", lambda puzzle: edits.toggle_bar(puzzle, square, neighbour))
    return None


@verb(Group.GRID, key="grave_accent", examples=("circle r3c5", "circle r3c5 r4c6"))
@click.argument("squares", type=_SQUARE, nargs=-1, help="squares; without any, the current one")
def circle(session: Session, squares: tuple[Position, ...]) -> Answer:
    """Circle a square, or take its circle away."""
    _mark(session, "circle", squares, edits.toggle_circle)
    return None


@verb(Group.GRID, examples=("shade r3c5",))
@click.argument("squares", type=_SQUARE, nargs=-1, help="squares; without any, the current one")
def shade(session: Session, squares: tuple[Position, ...]) -> Answer:
    """Shade a square, or take its shade away."""
    _mark(session, "shade", squares, edits.toggle_shade)
    return None


def _mark(
    session: Session, label: str, squares: tuple[Position, ...], toggle: Callable[[Puzzle, Position], Puzzle]
) -> None:
    """Toggle a mark on some squares, or on the current one, as one edit."""
    chosen = tuple(dict.fromkeys(squares)) or (session.cursor.position,)
    session.edit(f"{label} {chosen[0]}", lambda puzzle: functools.reduce(toggle, chosen, puzzle))


@verb(Group.GRID, examples=("symmetry rot180", "symmetry none", "symmetry"))
@click.argument(
    "name", type=SymmetryType(), required=False, help="rot180, rot90, left-right, up-down, diagonal, …"
)
def symmetry(session: Session, name: Symmetry | None) -> Answer:
    """Choose the symmetry that later blocks keep, or show it."""
    if name is not None:
        session.edit(f"symmetry {name.value}", lambda puzzle: edits.set_symmetry(puzzle, name))
    return f"symmetry: {session.puzzle.symmetry.value}"


@verb(Group.GRID, key="ctrl+z", examples=("undo",))
def undo(session: Session) -> Answer:
    """Take the last edit back."""
    label = session.undo()
    return "nothing to undo" if label is None else f"undone: {label}"


@verb(Group.GRID, key="ctrl+y", examples=("redo",))
def redo(session: Session) -> Answer:
    """Make the last undone edit again."""
    label = session.redo()
    return "nothing to redo" if label is None else f"redone: {label}"


@verb(Group.GRID, examples=("goto 17A", "goto r3c5"))
@click.argument("place", type=PlaceType(), help="entry or square")
def goto(session: Session, place: Place) -> Answer:
    """Put the cursor on an entry or a square."""
    if isinstance(place, Slot):
        session.cursor.move_to(place.start, place.direction)
    elif isinstance(place, Position):
        session.cursor.move_to(place)
    return None
