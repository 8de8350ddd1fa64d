"""The verbs for marks in squares, and for linking entries, which then take one answer."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import click

from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Position, Slot, edits
from xwtui.model.answers import names_along_lines, square_count, squares_in_words
from xwtui.model.edits import with_rules
from xwtui.model.review import waiting_link_words
from xwtui.model.rules.nina import Nina, is_kept_place, with_nina
from xwtui.model.selection import area_named, check_message
from xwtui.session.answers import ImmediateAnswer, JsonShape
from xwtui.session.verbs import kinds
from xwtui.session.verbs.grid import named_squares
from xwtui.session.verbs.verb import EDITS_PUZZLE, MAKES_PUZZLE, Answer, Group, argument, option, verbs_of
from xwtui.text import counted, printable
from xwtui.words.normalise import normalise

with lazy_imports():
    from xwtui.session.session import Session

verb = verbs_of(Group.GRID)


@verb("link 1A 5D", "link 1A 17A 3D", "link", from_shell=MAKES_PUZZLE)
def link(
    session: Session,
    lights: tuple[kinds.Place, ...] = argument(
        "entries in the order the answer reads; lists the links if left out",
        kinds.place_kind(squares=False, lights=True),
    ),
) -> Answer:
    """Link several entries into one answer.

    The answer reads through the entries in order. It is filled, counted and checked as one word, and clued at
    the first entry; the others say `See 1`. The first entry's clue and rules apply to the whole answer; those of
    the others come back with `unlink`.
    """
    slots = [light for light in lights if isinstance(light, Slot)]
    if slots:
        names = " ".join(slot.name for slot in slots)
        session.edit(f"link {names}", lambda puzzle: edits.link(puzzle, slots))
    return _listed(session)


@verb("unlink 1A", "unlink r3c5", from_shell=EDITS_PUZZLE)
def unlink(
    session: Session,
    light: kinds.Place = argument("one of the entries, or its first square", kinds.place_kind(lights=True)),
) -> Answer:
    """Undo a link, so that each of its entries has its own answer again."""
    start = light.start if isinstance(light, Slot) else light
    way = light.direction if isinstance(light, Slot) else None
    keys = [key for one in session.puzzle.grid.links for key in one if key[0] == start and way in (None, key[1])]
    if not keys:
        raise PuzzleError(f"{kinds.place_name(light)} is not linked; `link` lists the links")
    session.edit(f"unlink {keys[0][0]}", lambda puzzle: edits.unlink(puzzle, keys[0]))
    return _listed(session)


def _listed(session: Session) -> Answer:
    """Return lines for the linked entries, such as `1A,5D MARY??????? 11 squares`, and for incomplete links."""
    puzzle, grid = session.puzzle, session.puzzle.grid
    linked = [entry for entry in grid.entries if entry.lights]
    lines = [f"{entry.label}  {grid.pattern(entry)}  {counted(len(entry), 'square')}" for entry in linked]
    lines += waiting_link_words(puzzle).values()

    def link(entry: Slot) -> dict[str, Any]:
        clue = puzzle.solver_clue(entry) or None
        return {"pattern": grid.pattern(entry), "answer": grid.answer(entry), "squares": len(entry), "clue": clue}

    waiting = [[f"{start}{way.value}" for start, way in one] for one in grid.waiting_links]
    return ImmediateAnswer(
        lines or ["nothing is linked; `link 1A 5D` links two entries"],
        {"links": JsonShape("entry=name lights", link).convert(linked), "waiting": waiting},
        made=puzzle,
    )


_FIND = "find"
_MOST_PLACES = 20
_FIRST = "first"
"""The value for a message that starts at the first square."""


_SQUARES = kinds.squares_kind()
CIRCLED = replace(
    _SQUARES,
    read=lambda text, session: text,
    offers=lambda session, beginning: [*kinds.offered([_FIND], beginning), *_SQUARES.offers(session, beginning)],
)
"""Squares to circle, or `find` and names; `circle` itself tells them apart."""


@verb("circle r3c5", "circle r3c5 r4c6", "circle find SAM", "circle find SAM --take 1")
def circle(
    session: Session,
    squares: tuple[str, ...] = argument(
        "squares, such as 17A or diagonal (default: the current square), or `find` and a word", CIRCLED
    ),
    take: int | None = option("circle the place with this number", kinds.number_kind(1, _MOST_PLACES)),
) -> Answer:
    """Circle squares or remove their circles, or find rows and columns that contain a word's letters in order.

    `circle find SAM` lists the rows and columns with S, A and M in this order, the closest together first;
    --take circles one of them.
    """
    if squares[:1] == (_FIND,) and len(squares) > 1:
        return _circled_names(session, squares[1:], take)
    if take is not None:
        raise PuzzleError("circle: --take needs `find` and a name")
    named = tuple(_SQUARES.read(text, session) for text in squares)
    return _mark(session, "circle", named)


def _circled_names(session: Session, names: tuple[str, ...], take: int | None) -> Answer:
    """Find the lines with the letters of a name; raises PuzzleError if there are none or `take` is too high."""
    name = normalise(" ".join(names))
    places = names_along_lines(session.puzzle.grid, name)[:_MOST_PLACES]
    if not places:
        raise PuzzleError(f"no row or column has the letters of {printable(name, 30)} in this order")
    if take is None:
        return [f"{number:3}  {' '.join(map(str, place))}" for number, place in enumerate(places, start=1)]
    if take > len(places):
        raise PuzzleError(f"there are places 1 to {len(places)}")
    place = places[take - 1]
    free = [at for at in place if not session.puzzle.grid[at].circle]
    session.edit(f"circle {name}", lambda puzzle: functools.reduce(edits.toggle_circle, free, puzzle))
    return f"{name} is circled: {' '.join(map(str, place))}"


@verb("shade r3c5", "shade diagonal")
def shade(
    session: Session,
    squares: tuple[kinds.Place, ...] = argument(
        "squares, such as 17A or diagonal (default: the current square)", _SQUARES
    ),
) -> Answer:
    """Shade squares, or remove their shading."""
    return _mark(session, "shade", squares)


def _mark(session: Session, mark: str, squares: tuple[kinds.Place, ...]) -> Answer:
    """Circle or shade the unmarked ones of some squares; if all are marked, unmark them; as one edit."""
    toggle, done = _MARKS[mark]
    chosen, grid = named_squares(session, squares, only_open=True), session.puzzle.grid
    plain = [at for at in chosen if not getattr(grid[at], mark)]
    session.edit(f"{mark} {chosen[0]}", lambda puzzle: functools.reduce(toggle, plain or chosen, puzzle))
    if len(chosen) == 1:
        return None
    return f"{counted(len(plain or chosen), 'square')} {'' if plain else 'no longer '}{done}"


_MARKS = {"circle": (edits.toggle_circle, "circled"), "shade": (edits.toggle_shade, "shaded")}


@verb(
    "spell diagonal MY HIDDEN MESSAGE",
    "spell r1c1:r1c4 NINA",
    "spell perimeter MERRY CHRISTMAS --start any --backward",
)
def spell(
    session: Session,
    squares: kinds.Place = argument(
        "squares in the order of the letters", kinds.squares_kind(), default=kinds.HERE
    ),
    message: tuple[str, ...] = argument("letters; put a rebus square in brackets", kinds.MESSAGE, required=True),
    start: str = option("where the message begins", click.Choice((_FIRST, "any")), default=_FIRST),
    backward: bool = option("with --start any: it may also run backward"),
) -> Answer:
    """Write a message along squares: around the perimeter, down a diagonal, through a row.

    It fills the open squares from first to last, in pen, so that every fill keeps it. It replaces pencil; if
    other letters there are in pen or locked, nothing is written.

    With --start any it becomes a rule: the fill finds where along the squares the message goes, also around the
    corners of the perimeter. `nina` lists and removes these rules.
    """
    along, name = kinds.squares_of(session, squares), kinds.place_name(squares)
    check_message(message)
    letters = "".join(message)
    if start != _FIRST:
        nina = Nina(letters, _kept_name(session.puzzle.grid, name, along), backward=backward)
        nina.check()
        if square_count(nina.text) > len(along):
            raise PuzzleError(f"the message takes {squares_in_words([nina.text])}, and {name} has {len(along)}")
        session.edit(f"spell {name}", lambda puzzle: with_rules(puzzle, with_nina(puzzle.rules, nina)))
        return f"{nina.text} {nina.where}; {name} has {len(along)} squares"
    if backward:
        raise PuzzleError("spell: --backward needs --start any; otherwise name the squares in order")
    session.edit(f"spell {name}", lambda puzzle: edits.spell(puzzle, along, letters))
    return f"{name}: {letters}, from {along[0]} to {along[-1]}"


def _kept_name(grid: Grid, name: str, squares: tuple[Position, ...]) -> str:
    """Name squares as a rule stores them: entries, whose numbers may change, and selections by their squares."""
    if is_kept_place(name):
        return name.lower()
    rectangle = f"{squares[0]}:{squares[-1]}"
    return rectangle if area_named(grid, rectangle).squares == squares else ",".join(map(str, squares))
