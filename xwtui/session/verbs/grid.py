"""The verbs that write squares, change the grid, select squares, and set their ink."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

import click

from xwtui.errors import LockedError, PuzzleError, VerbError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model import Bar, Content, Direction, Grid, Ink, Kind, Position, Puzzle, Slot, Symmetry, edits
from xwtui.model.answers import slot_taking
from xwtui.model.entering import EnteredAnswer
from xwtui.model.grid_move import ANCHORS, GridMove
from xwtui.model.rules.base import GridRule
from xwtui.model.rules.grammar import is_off
from xwtui.model.selection import Area, around, looks_like_place
from xwtui.session.verbs import kinds
from xwtui.session.verbs.verb import EDITS_PUZZLE, Answer, Group, argument, option, verbs_of
from xwtui.text import counted, first_named, listed, printable

with lazy_imports():
    from xwtui.model.review import waiting_link_words
    from xwtui.session.cursor import MovedSquares
    from xwtui.session.session import Session

verb = verbs_of(Group.GRID)

_ENTERED_FORM = lazy_pattern(r"(?:answer\s+(?P<answer>.+?))?\s*(?:\benters\s+(?P<entered>.+))?", re.IGNORECASE)


@verb(
    "entry 17A answer PLANTS enters PANTS",
    "entry 17A answer PLANTS",
    "entry 17A enters PANTS",
    "entry 17A off",
    "entry 17A",
    from_shell=EDITS_PUZZLE,
)
def entry_(
    session: Session,
    entry: Slot = kinds.entry_argument,
    told: str | None = argument(
        "`answer PLANTS`, `enters PANTS`, both, or `off`; shows them if left out", kinds.REST_OF_LINE
    ),
) -> Answer:
    """Enter letters in the grid that differ from the entry's answer.

    The entered letters go in the grid and need not be a word. Scores, duplicates, rules, clue and enumeration
    are those of the answer. This lasts as long as the entered letters stay in the grid; `off` makes them the
    answer again.
    """
    if told:
        session.edit(
            f"entry {entry.name}", lambda puzzle: _with_entered(session, puzzle, entry, told), along=entry
        )
    return f"{entry.name}: {session.puzzle.shown_pattern(entry)}"


def _with_entered(session: Session, puzzle: Puzzle, entry: Slot, text: str) -> Puzzle:
    """Apply a line about an entry to the puzzle; raises VerbError if the line is invalid."""
    key = (entry.start, entry.direction)
    if is_off(text.strip()):
        return puzzle.with_entered({key: None})
    found = _ENTERED_FORM.fullmatch(text.strip())
    if found is None or not (found["answer"] or found["entered"]):
        raise VerbError("use `answer PLANTS enters PANTS`, one of the two, or `off`")
    answer = kinds.spelled(found["answer"], session) if found["answer"] else puzzle.answer(entry)
    if found["entered"]:
        puzzle = edits.place_answer(puzzle, entry, found["entered"].replace(" ", ""))
    entered = puzzle.grid.answer(entry)
    if answer is None or entered is None:
        raise VerbError(f"{entry.name} is not complete; give its answer and the letters entered")
    return puzzle.with_entered({key: None if answer == entered else EnteredAnswer(answer, entered)})


_SQUARE = kinds.place_kind(entries=False)
_SQUARES = kinds.squares_kind()


@verb("set 17A SWEET[HEART]", "set r3c5 HEART", "set r3c5 X/TIMES", "set crème brûlée")
def set_(
    session: Session,
    place: kinds.Place = argument(
        "entry or square (default: the current entry)", kinds.place_kind(), default=kinds.HERE
    ),
    answer: str = argument("letters and digits; a rebus square in brackets", kinds.ANSWER),
) -> Answer:
    """Write an answer into an entry, or letters into a square.

    A square can hold several letters (a rebus), or read differently across and down: X/TIMES. Linked entries
    take their whole answer, or one of them its own part.
    """
    if isinstance(place, Slot):
        letters = answer.replace(" ", "")
        slot = slot_taking(session.puzzle.grid, place, letters)
        session.edit(f"set {slot.name}", lambda puzzle: edits.place_answer(puzzle, slot, letters), along=slot)
        return [f"{slot.label}: {session.puzzle.grid.pattern(slot)}", *_nonsense_lines(session, slot.positions)]
    return _write(session, place, answer, "set")


@verb("rebus r3c5 HEART", "rebus r3c5 X/TIMES", asks=True)
def rebus(
    session: Session,
    square: kinds.Place = argument("the square (default: the current one)", _SQUARE, default=kinds.HERE),
    content: str = argument("2 to 12 letters or digits, or ACROSS/DOWN", kinds.ANSWER),
) -> Answer:
    """Write several letters into one square.

    On the screen its key asks for the letters: Enter writes them, Esc cancels. X/TIMES reads X across and TIMES
    down.
    """
    return _write(session, square, content, "rebus")


def _nonsense_lines(session: Session, squares: Collection[Position]) -> list[str]:
    found = [entry for entry in session.unlisted_crossings if not set(squares).isdisjoint(entry.slot.positions)]
    names = first_named([f"{entry.slot.name} {entry.answer}" for entry in found])
    return [f"now in no list: {names}"] if found else []


def _write(session: Session, square: kinds.Place, text: str, label: str) -> list[str]:
    assert isinstance(square, Position)
    if " " in text:
        raise PuzzleError(f"a square holds letters or digits without spaces, unlike {printable(text, 40)}")
    has_digraphs = bool(session.puzzle.alphabet.digraphs)
    content = Content.parse(text.replace("[", "").replace("]", "") if has_digraphs else text)
    session.edit(f"{label} {square}", lambda puzzle: edits.set_square(puzzle, square, content))
    return [f"{square}: {content}", *_nonsense_lines(session, [square])]


@verb("clear 17A", "clear r3c5", "clear pencil", "clear all")
def clear(
    session: Session,
    what: kinds.Place = argument(
        "entry, squares, `selection`, `pencil` or `all` (default: the current entry)",
        kinds.squares_kind("pencil", "all"),
        default=kinds.HERE,
    ),
) -> Answer:
    """Clear an entry, a square, the filler's pencil, or the whole grid.

    Letters of finished crossing entries stay, and so does everything locked.
    """
    grid = session.puzzle.grid
    if what == "pencil":
        pencil = sum(grid[at].content is not None and not grid[at].is_given for at in grid.open_positions())
        session.edit("clear pencil", edits.clear_pencil)
        return f"cleared: {counted(pencil, 'square')} in pencil" if pencil else "nothing is in pencil"
    squares = kinds.squares_of(session, what)
    locked = frozenset(at for at in squares if grid[at].ink is Ink.LOCKED)
    lost: list[str] = []
    if isinstance(what, Position):
        session.edit(f"clear {what}", lambda puzzle: edits.clear_squares(puzzle, squares))
        return None
    if locked and not any(grid[at].content for at in squares if at not in locked):
        part = "everything written" if what == "all" else f"everything written in {kinds.place_name(what)}"
        name = kinds.place_name(what) if len(locked) == len(squares) and what != "all" else part
        raise LockedError(f"{name} is locked; unlock it first")
    if isinstance(what, Slot):
        session.edit(f"clear {what.name}", lambda puzzle: edits.clear_entry(puzzle, what))
        lost = _crossings_cut(grid, session.puzzle.grid, what)
    else:
        free = [at for at in squares if at not in locked]
        session.edit(f"clear {kinds.place_name(what)}", lambda puzzle: edits.clear_squares(puzzle, free))
    stay = counted(len(locked), "locked square stays", "locked squares stay")
    notes = [f"including letters in pen from {first_named(lost)}"] if lost else []
    notes += [stay] if locked else []
    return "; ".join([f"cleared: {kinds.place_name(what)}", *notes]) if notes else None


def _crossings_cut(before: Grid, after: Grid, cleared: Slot) -> list[str]:
    """Return the entries crossing a cleared one that lost a letter in pen and still have others."""
    gone = [
        at for at in cleared.positions if before[at].ink is Ink.PEN and before[at].content != after[at].content
    ]
    own = {cleared.name, *(light.name for light in cleared.lights)}
    crossings = [slot for at in gone for slot in before.slots if at in slot.positions and slot.name not in own]
    return [slot.name for slot in crossings if any(after[at].content is not None for at in slot.positions)]


_KINDS_HELP = "squares, such as r1c1:r3c3 or perimeter (default: the current square)"


@verb("block r1c5", "block r1c5 r2c5 r3c5", "block r1c1:r3c1", "block")
def block(session: Session, squares: tuple[kinds.Place, ...] = argument(_KINDS_HELP, _SQUARES)) -> Answer:
    """Turn squares and their mirror images into blocks, or back if all of them are blocks."""
    return _turn(session, "block", squares, Kind.BLOCK)


@verb("void r1c1", "void r1c1:r2c2")
def void(session: Session, squares: tuple[kinds.Place, ...] = argument(_KINDS_HELP, _SQUARES)) -> Answer:
    """Cut squares and their mirror images out of the grid, or put them back if all of them are cut out."""
    return _turn(session, "void", squares, Kind.VOID)


def _turn(session: Session, label: str, places: tuple[kinds.Place, ...], kind: Kind) -> Answer:
    """Give squares (by default the current one) a kind, or open them if all have it already, as one edit."""
    chosen = named_squares(session, places)
    grid = session.puzzle.grid
    wanted = Kind.OPEN if all(grid[at].kind is kind for at in chosen) else kind
    return _edit_layout(
        session,
        f"{label} {_several(chosen)}",
        lambda puzzle: functools.reduce(lambda made, at: edits.set_kind(made, at, wanted), chosen, puzzle),
    )


def _edit_layout(
    session: Session, label: str, change: Callable[[Puzzle], Puzzle], moved: MovedSquares | None = None
) -> list[str]:
    """Make an edit of blocks, voids, bars or sides; returns notes on linked entries that now lack a start."""
    before = session.puzzle.grid.waiting_links
    session.edit(label, change, moved=moved)
    waiting = waiting_link_words(session.puzzle) if session.puzzle.grid.links else {}
    return [words for link, words in waiting.items() if link not in before]


def named_squares(
    session: Session, places: tuple[kinds.Place, ...], *, only_open: bool = False
) -> tuple[Position, ...]:
    """Return the squares of some places, each once; the current square if there are no places."""
    found: list[Position] = []
    for place in places:
        match place:
            case Area() if not only_open:
                found += place.squares
            case Position():
                found.append(place)
            case _:
                found += kinds.squares_of(session, place)
    return tuple(dict.fromkeys(found)) or (session.cursor.position,)


def _several(squares: tuple[Position, ...]) -> str:
    rest = len(squares) - 1
    return f"{squares[0]} and {rest} more" if rest else str(squares[0])


_SIDES = ("right", "below", "left", "above", _AHEAD := "ahead")


@verb("bar r3c4 right", "bar r3c4 r5c6 below", "bar r1c4:r3c4 right", "bar r3c4 r3c5", "bar")
def bar(
    session: Session,
    squares: tuple[kinds.Place, ...] = argument(_KINDS_HELP, _SQUARES),
    side: kinds.Place = argument(
        "a side, `ahead` in the typing direction, or a neighboring square (default: ahead)",
        kinds.squares_kind(*_SIDES),
        default=_AHEAD,
    ),
) -> Answer:
    """Put bars beside squares and their mirror images, or remove them if all of them have one.

    A bar separates entries as a block does. Squares at the edge of the grid get no bar there.
    """
    if side not in _SIDES and not (squares and isinstance(side, Position)):
        squares, side = (*squares, side), _AHEAD  # without a side, it is the last of the squares
    chosen = named_squares(session, squares)
    ahead = session.cursor.place[1]
    steps = {"right": (Direction.ACROSS, 1), "left": (Direction.ACROSS, -1), _AHEAD: (ahead, 1)}
    steps |= {"below": (Direction.DOWN, 1), "above": (Direction.DOWN, -1)}
    neighbors = [(at, side if isinstance(side, Position) else at.step(*steps[str(side)])) for at in chosen]
    bars = [Bar.between(square, other) for square, other in neighbors if other in session.puzzle.grid]
    if not bars:
        where = "there" if isinstance(side, Position) else side
        raise PuzzleError(f"{chosen[0]} has no neighbor {where}")
    return _edit_layout(session, f"bar {_several(chosen)}", lambda puzzle: edits.toggle_bars(puzzle, bars))


@verb("symmetry rot180", "symmetry none", "symmetry")
def symmetry(
    session: Session,
    name: Symmetry | None = argument("rot180, rot90, left-right, up-down, diagonal, …", kinds.SYMMETRY),
) -> Answer:
    """Choose or show the symmetry of new blocks."""
    if name is not None:
        session.edit(f"symmetry {name.value}", lambda puzzle: edits.set_symmetry(puzzle, name))
    return f"symmetry: {session.puzzle.symmetry.value}"


_QUARTERS = {"right": 1, "left": 3, "90": 1, "180": 2, "270": 3, "-90": 3}
_TURNS = {1: "right", 2: "180 degrees", 3: "left"}


@verb("rotate", "rotate left", "rotate 180")
def rotate(
    session: Session,
    direction: str = argument(
        "`right`, clockwise, or `left`, or the degrees clockwise (default: right)",
        click.Choice(tuple(_QUARTERS)),
        default="right",
    ),
) -> Answer:
    """Rotate the grid by a quarter or half turn, with its letters, clues, rules and marks.

    A quarter turn makes across entries down entries and the reverse. After a turn to the right, down entries read
    backward; to the left, across entries; after a half turn, all. Clues stay with their answers.
    """
    before, quarters = session.puzzle, _QUARTERS[direction]
    is_clockwise, turns, notes = quarters < 3, range(1 if quarters != 2 else 2), list[str]()
    turned, places = before, {at: at for at in before.grid.positions()}
    for _ in turns:
        turn = GridMove.turn(turned.grid, clockwise=is_clockwise)
        notes += [note for rule in turned.rules.grid for note in rule.move_notes(turn)]
        turned = edits.rotate(turned, clockwise=is_clockwise)
        places = {first: turn.places[at] for first, at in places.items()}
    moved = MovedSquares(places, are_turned=quarters != 2)

    def rotated(puzzle: Puzzle) -> Puzzle:
        return functools.reduce(lambda each, _: edits.rotate(each, clockwise=is_clockwise), turns, puzzle)

    if not session.edit(f"rotate {_TURNS[quarters]}", rotated, moved=moved):
        return f"rotated {_TURNS[quarters]}: the puzzle is unchanged"
    grid = session.puzzle.grid
    backward = {Direction.ACROSS if is_clockwise else Direction.DOWN} if quarters != 2 else set(Direction)
    lines = [f"rotated {_TURNS[quarters]}: {grid.height} rows of {grid.width}"]
    changed = []
    for slot in grid.slots:
        readings = [one.reading(slot.direction) for at in slot.positions if (one := grid[at].content)]
        answer, before_turn = "".join(readings), "".join(reversed(readings))
        if slot.direction in backward and len(readings) == len(slot.positions) and answer != before_turn:
            changed.append(f"{slot.name} {answer}")
    if changed:
        lines.append(f"now read backward: {first_named(changed)}")
    return [*lines, *dict.fromkeys(notes)]


@verb("resize 16x15", "resize 16 15", "resize 17 --at center", "resize 13x13 --force")
def resize(
    session: Session,
    size: tuple[int, int] = argument("rows and columns, such as 16x15; 16 for a square", kinds.GRID_SIZE),
    columns: int | None = argument("number of columns, unless SIZE has it", kinds.SIDE),
    at: str = option(
        "where the present grid lies in the new one (default: top-left)",
        click.Choice(tuple(ANCHORS)),
        default="top-left",
    ),
    force: bool = option("drop what does not fit a smaller grid; `undo` brings it back"),
) -> Answer:
    """Make the grid larger or smaller, with its letters, clues, rules and marks.

    Rows and columns are added or removed at the bottom and right, with `--at center` on all sides. New squares are
    open and empty. An entry that became longer or shorter keeps its clue with its old answer, as after any change.
    """
    (height, width), before = size, session.puzzle
    if columns is not None and height != width:
        raise VerbError(f"resize: {height}x{width} or {height} {columns}, not both")
    width = columns or width
    dimensions = f"{height} rows of {width}"
    if (height, width) == (before.grid.height, before.grid.width):
        return f"the grid already has {dimensions}"
    move = GridMove.resize(before.grid, height, width, at)
    lost = _lost(before, edits.resize(before, height, width, at), move)
    if lost and not force:
        raise VerbError(f"resize {height}x{width} would drop {lost}; `--force` does it")
    moved = MovedSquares(move.places, are_turned=False)
    waiting = _edit_layout(
        session, f"resize {height}x{width}", lambda puzzle: edits.resize(puzzle, height, width, at), moved
    )
    notes = [note for rule in before.rules.grid for note in rule.move_notes(move)]
    stale = _newly_stale(before, session.puzzle, move)
    return [f"resized: {dimensions}" + (f"; dropped: {lost}" if lost else ""), *stale, *waiting, *notes]


def _newly_stale(before: Puzzle, after: Puzzle, move: GridMove) -> list[str]:
    """Return a note on the entries that a move left with clues of earlier answers, or clues without an entry."""
    was_so = {move.key(one.slot.key) for one in before.stale_clues}
    was_so |= {move.key((one.start, one.direction)) for one in before.orphaned_clues}
    stale = [f"{one.slot.name} {one.clue.answer}" for one in after.stale_clues if one.slot.key not in was_so]
    stale += [one.words for one in after.orphaned_clues if (one.start, one.direction) not in was_so]
    return [f"now with clues of earlier answers: {first_named(stale)}"] if stale else []


_RULE = ("rule", "rules")


def _lost(before: Puzzle, after: Puzzle, move: GridMove) -> str:
    """Return what of the constructor's work is lost in a smaller grid: `12 letters in pen and 9 clues`."""

    def made(puzzle: Puzzle) -> Mapping[tuple[str, str], int]:
        squares, rules, is_rebus = puzzle.grid.squares, puzzle.rules, puzzle.alphabet.is_rebus
        given = [(is_rebus(one.content), one.ink) for one in squares if one.content is not None and one.is_given]
        return {
            ("letter in pen", "letters in pen"): given.count((False, Ink.PEN)),
            ("locked letter", "locked letters"): given.count((False, Ink.LOCKED)),
            ("rebus square", "rebus squares"): sum(several for several, _ in given),
            ("circle", "circles"): sum(one.circle for one in squares),
            ("shade", "shades"): sum(one.shade for one in squares),
            ("clue", "clues"): sum(len(each.clues) for each in puzzle.clues.values()),
            ("linked entry", "linked entries"): sum(map(len, puzzle.grid.links)),
            ("altered answer", "altered answers"): len(puzzle.entered),
            ("note on a clue", "notes on clues"): len(puzzle.solver_notes),
            _RULE: len(rules.squares) + sum(len(each.rules) for each in rules.entries.values()),
        }

    def names_less(rule: GridRule) -> bool:
        moved = rule.moved(move)
        return moved is None or moved.named(after.grid) < rule.named(before.grid)

    left = made(after)
    counts = {noun: number - left[noun] for noun, number in made(before).items()}
    counts[_RULE] += sum(map(names_less, before.rules.grid))
    found = [counted(number, *noun) for noun, number in counts.items() if number]
    return listed(found, "and") if found else ""


@verb("undo")
def undo(session: Session) -> Answer:
    """Undo the last edit."""
    label = session.undo()
    return "nothing to undo" if label is None else f"undone: {label}"


@verb("redo")
def redo(session: Session) -> Answer:
    """Redo the last undone edit."""
    label = session.redo()
    return "nothing to redo" if label is None else f"redone: {label}"


_ANYWHERE = kinds.place_kind()
_MOST_NAMED = 6


def _where(text: str, session: Session) -> kinds.Place:
    """A slot or a position; otherwise the entry with that answer, or with an answer that starts like it."""
    try:
        return _ANYWHERE.read(text, session)
    except PuzzleError:
        if looks_like_place(text):
            raise
        word = kinds.spelled(text, session)
    answers = {slot: answer for slot in session.puzzle.grid.entries if (answer := session.puzzle.answer(slot))}
    matching = [slot for slot, answer in answers.items() if answer.startswith(word)]
    found = [slot for slot in matching if answers[slot] == word] or matching
    if len(found) > 1 and answers[found[0]] != word:
        named = first_named([f"{slot.name} {answers[slot]}" for slot in found], _MOST_NAMED)
        raise PuzzleError(f"several answers begin with {printable(word, 30)}: {named}")
    if found:
        return found[0]
    assert _ANYWHERE.place is not None
    raise PuzzleError(f"{printable(text, 30)!r} is not {_ANYWHERE.place.expected} or an answer in the grid")


def _wheres(session: Session, beginning: str) -> list[kinds.Item]:
    """Complete places, and answers in the grid."""
    puzzle = session.puzzle
    answers = {answer: slot.name for slot in puzzle.grid.entries if (answer := puzzle.answer(slot)) is not None}
    return [*_ANYWHERE.offers(session, beginning), *(kinds.offered(answers, beginning) if beginning else [])]


_WHERE = replace(_ANYWHERE, read=_where, offers=_wheres)
"""An entry, a square, or a word in the grid, which stands for its entry."""


@verb("goto 17A", "goto r3c5", "goto OREO")
def goto(
    session: Session, place: kinds.Place = argument("an entry, a square, or a word in the grid", _WHERE)
) -> Answer:
    """Move the cursor to an entry, a square, or a word in the grid."""
    if isinstance(place, Slot):
        session.cursor.move_to(place.start, place.direction)
    elif isinstance(place, Position):
        session.cursor.move_to(place)
    return None


_ALL = "all"
_ink_place = argument(
    f"entry, square, `selection` or `{_ALL}` (default: the current entry)",
    kinds.squares_kind(_ALL),
    default=kinds.HERE,
)


def _or_grid(what: kinds.Place) -> str:
    """Return the name of a place in a sentence."""
    return "the grid" if (name := kinds.place_name(what)) == _ALL else name


@verb("lock 17A", "lock r3c5", "lock all")
def lock(session: Session, what: kinds.Place = _ink_place) -> Answer:
    """Lock an entry, a square or everything written, against edits and fills."""
    grid = session.puzzle.grid
    written = [at for at in kinds.squares_of(session, what) if grid[at].content is not None]
    if not written:
        raise PuzzleError(f"{_or_grid(what)} is empty, so there is nothing to lock")
    return _inked(
        session, f"lock {kinds.place_name(what)}", written, Ink.LOCKED, f"locked: {kinds.place_name(what)}"
    )


@verb("unlock 17A", "unlock all")
def unlock(session: Session, what: kinds.Place = _ink_place) -> Answer:
    """Unlock an entry, a square or everything locked for editing; fills still keep it."""
    grid = session.puzzle.grid
    locked = [at for at in kinds.squares_of(session, what) if grid[at].ink is Ink.LOCKED]
    if not locked:
        return f"nothing is locked in {_or_grid(what)}"
    return _inked(
        session, f"unlock {kinds.place_name(what)}", locked, Ink.PEN, f"unlocked: {kinds.place_name(what)}"
    )


@verb("pencil 17A", "pencil selection", "pencil all")
def pencil(session: Session, what: kinds.Place = _ink_place) -> Answer:
    """Turn pen into pencil so that fills may replace it; the opposite of `accept`."""
    grid = session.puzzle.grid
    written = [at for at in kinds.squares_of(session, what) if grid[at].content and grid[at].ink is Ink.PEN]
    if not written:
        return f"nothing is in pen in {_or_grid(what)}"
    return _inked(
        session,
        f"pencil {kinds.place_name(what)}",
        written,
        Ink.PENCIL,
        f"in pencil now: {kinds.place_name(what)}",
    )


def _inked(session: Session, label: str, squares: list[Position], ink: Ink, message: str) -> str:
    """Set the ink of squares, as one edit; returns a message with their number."""
    session.edit(label, lambda puzzle: edits.set_ink(puzzle, squares, ink))
    return f"{message}, {counted(len(squares), 'square')}"


_NONE = "none"


@verb("select r1c1:r5c5", "select 17A 3D", "select row 7", "select --around 17A", "select none", "select")
def select(
    session: Session,
    what: tuple[kinds.Place, ...] = argument(
        "r1c1:r5c5, row 7, entries, squares, `all`, `none`", kinds.squares_kind("all", _NONE)
    ),
    entry: Slot | None = option("an entry and everything that crosses it", kinds.ENTRY, name="--around"),
) -> Answer:
    """Select squares for verbs such as `fill --only selection`."""
    grid = session.puzzle.grid
    if what or entry is not None:
        near = around(grid, entry) if entry is not None else frozenset()
        session.selection.select(
            near.union(*(kinds.squares_of(session, place) for place in what if place != _NONE))
        )
    return describe_selection(session)


def describe_selection(session: Session) -> str:
    """Return a line about the selection."""
    chosen, grid = session.selection.squares, session.puzzle.grid
    if not chosen:
        return "nothing is selected"
    whole = [slot.name for slot in grid.slots if chosen.issuperset(slot.positions)]
    squares = f"{counted(len(chosen), 'square')} selected"
    return f"{squares}; whole entries: {', '.join(whole)}" if whole else squares
