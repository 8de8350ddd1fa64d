"""The constructor's edits, including those of rules: each takes a puzzle and returns another.

An edit either succeeds or changes nothing. It raises LockedError if a locked square would change, and PuzzleError
for a place off the grid or an impossible rule.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from xwtui.errors import LockedError, PuzzleError
from xwtui.model.alphabet import Alphabet
from xwtui.model.answers import beside, contents_for, pieces, squares_in_words
from xwtui.model.clues import EntryClues
from xwtui.model.grid import MOST_LINKED, Bar, Grid
from xwtui.model.grid_move import GridMove
from xwtui.model.markup import moved
from xwtui.model.puzzle import Puzzle, with_item
from xwtui.model.rules.collection import NO_ENTRY_RULES, EntryRules, Rules
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.square import BLOCK, OPEN, VOID, Content, Ink, Kind, Square
from xwtui.model.where import Position, Symmetry
from xwtui.text import first_named

_PLAIN = {Kind.OPEN: OPEN, Kind.BLOCK: BLOCK, Kind.VOID: VOID}


def set_square(puzzle: Puzzle, position: Position, content: Content | None, ink: Ink = Ink.PEN) -> Puzzle:
    """Write or empty one open square."""
    return _rewrite(puzzle, {position: content}, ink)


def place_answer(puzzle: Puzzle, slot: Slot, text: str, ink: Ink = Ink.PEN) -> Puzzle:
    """Write an answer along a slot; `answers.contents_for` describes the treatment of rebus squares."""
    if all(puzzle.grid[position].ink is Ink.LOCKED for position in slot.positions):
        raise LockedError(f"{slot.name} is locked; unlock it first")
    contents = contents_for(puzzle.grid, slot, text)
    laid = dict(zip(slot.reading, contents, strict=True))
    return _rewrite(puzzle, {**laid, **_beside_crossings(puzzle, slot, laid)}, ink)


def _beside_crossings(puzzle: Puzzle, slot: Slot, laid: Mapping[Position, Content]) -> dict[Position, Content]:
    """Return two-reading squares of the answer that must keep the letter of a complete crossing answer."""
    grid, kept = puzzle.grid, dict[Position, Content]()
    told = (each for each in puzzle.rules.two_readings if each.is_each)
    split = {at for each in told for at in each.places(grid, puzzle.rules.squares)}
    for at, way in zip(slot.reading, slot.directions, strict=True):
        crossing, old, new = grid.slot_at(at, way.other), grid[at].content, laid[at]
        if at not in split or crossing is None or grid.answer(crossing) is None:
            continue
        if old is not None and not new.is_schroedinger:
            kept[at] = beside(new, old, way)
    return kept


def spell(puzzle: Puzzle, squares: Sequence[Position], text: str) -> Puzzle:
    """Write a message along squares in their order, in PEN; a square that already reads so in one direction stays.

    Pencil is overwritten. Raises PuzzleError if the message takes more or fewer squares, or if a square in PEN has
    other content; LockedError if a locked square does.
    """
    contents = pieces(text)
    if len(contents) != len(squares):
        raise PuzzleError(f"the message takes {squares_in_words([text])}, not {len(squares)}")
    standing = {at: puzzle.grid[at] for at in squares}
    laid: dict[Position, Content] = {}
    for (at, square), wanted in zip(standing.items(), contents, strict=True):
        old = square.content
        reads_so = old is not None and wanted in (old, Content.of(old.across), Content.of(old.down))
        laid[at] = old if old is not None and reads_so else wanted
    other = [at for at, square in standing.items() if square.ink is Ink.PEN and laid[at] != square.content]
    if other:
        told = first_named([f"{at} has {standing[at].content}, not {laid[at]}" for at in other])
        raise PuzzleError(f"other letters there are in pen: {told}; `clear` removes them")
    return _rewrite(puzzle, laid, Ink.PEN)


def write_fill(puzzle: Puzzle, fill: Mapping[Position, Content]) -> Puzzle:
    """Write the filler's squares in pencil; squares in PEN and LOCKED stay as they are."""
    grid = puzzle.grid
    pencilled = {
        position: replace(grid[position], content=content, ink=Ink.PENCIL)
        for position, content in fill.items()
        if not grid[position].is_given
    }
    return puzzle.with_grid(grid.with_squares(pencilled))


def clear_squares(puzzle: Puzzle, positions: Iterable[Position]) -> Puzzle:
    """Empty the given squares."""
    return _rewrite(puzzle, dict.fromkeys(positions), Ink.PENCIL)


def clear_entry(puzzle: Puzzle, slot: Slot) -> Puzzle:
    """Empty a slot, except for locked squares and those that a complete crossing entry needs."""
    grid = puzzle.grid
    own: list[Position] = []
    free: list[Position] = []
    for at, way in zip(slot.reading, slot.directions, strict=True):
        if grid[at].ink is not Ink.LOCKED:
            own.append(at)
            crossing = grid.slot_at(at, way.other)
            if crossing is None or crossing in slot.lights or grid.answer(crossing) is None:
                free.append(at)
    return clear_squares(puzzle, free or own)


def clear_pencil(puzzle: Puzzle, positions: Collection[Position] | None = None) -> Puzzle:
    """Empty the PENCIL squares of the whole grid or of the given positions."""
    grid = puzzle.grid
    chosen = grid.open_positions() if positions is None else positions
    return clear_squares(puzzle, [at for at in chosen if grid[at].ink is Ink.PENCIL])


def set_ink(puzzle: Puzzle, positions: Iterable[Position], ink: Ink) -> Puzzle:
    """Change the ink of squares that have content: lock them, unlock them, or accept the filler's.

    Accepting pencilled rebus squares counts toward the new rebus squares that the rules request.
    """
    grid = puzzle.grid
    changes = {at: replace(grid[at], ink=ink) for at in positions if grid[at].content is not None}
    taken = [grid[at] for at in changes if ink is not Ink.PENCIL and not grid[at].is_given]
    found = Counter(square.content for square in taken if square.content is not None)
    left = filter(None, [rule.after_finding(found) for rule in puzzle.rules.grid])
    return replace(puzzle, grid=grid.with_squares(changes), rules=replace(puzzle.rules, grid=tuple(left)))


def set_kind(puzzle: Puzzle, position: Position, kind: Kind) -> Puzzle:
    """Make a square and its images under the puzzle's symmetry a block, a void or open."""
    grid = puzzle.grid
    _ = grid[position]
    changes: dict[Position, Square] = {}
    for image in puzzle.symmetry.orbit(position, grid.height, grid.width):
        if grid[image].kind is not kind:
            _check_unlocked(grid, image)
            changes[image] = _PLAIN[kind]
    return puzzle.with_grid(grid.with_squares(changes))


def toggle_bars(puzzle: Puzzle, bars: Iterable[Bar]) -> Puzzle:
    """Add bars and their images under the puzzle's symmetry, or remove them if all the given bars exist."""
    grid, chosen = puzzle.grid, frozenset(bars)
    images = frozenset(image for bar in chosen for image in bar_orbit(bar, puzzle.symmetry, grid))
    return puzzle.with_grid(grid.with_bars(grid.bars - images if chosen <= grid.bars else grid.bars | images))


def bar_orbit(bar: Bar, symmetry: Symmetry, grid: Grid) -> frozenset[Bar]:
    """Return a bar with its images under a symmetry."""
    symmetry.check_fits(grid.height, grid.width)
    orbit = {bar}
    while True:
        bar = Bar.between(*(symmetry.image(end, grid.height, grid.width) for end in bar))
        if bar in orbit:
            return frozenset(orbit)
        orbit.add(bar)


def link(puzzle: Puzzle, lights: Sequence[Slot]) -> Puzzle:
    """Link several lights, in their order, into one answer; their previous links are removed.

    Raises PuzzleError for fewer than two lights, a repeated light, or more squares than an answer may have.
    """
    grid = puzzle.grid
    whole, keys = Slot.joined(lights), tuple(light.key for light in lights)
    if len(set(keys)) < max(len(keys), 2):
        raise PuzzleError("link two or more entries, each named once, as in `link 1A 5D`")
    if len(whole) > MOST_LINKED:
        raise PuzzleError(f"{whole.label} would have {len(whole)} squares; the limit is {MOST_LINKED}")
    others = (one for one in grid.links if set(keys).isdisjoint(one))
    return puzzle.with_grid(grid.with_links((*others, keys)))


def unlink(puzzle: Puzzle, light: SlotKey) -> Puzzle:
    """Remove a light's link; raises PuzzleError if it has none."""
    others = tuple(one for one in puzzle.grid.links if light not in one)
    if len(others) == len(puzzle.grid.links):
        raise PuzzleError(f"nothing is linked at {light[0]} {light[1].word}")
    return puzzle.with_grid(puzzle.grid.with_links(others))


def toggle_circle(puzzle: Puzzle, position: Position) -> Puzzle:
    """Add a circle to an open square, or remove it."""
    square = _open_square(puzzle.grid, position)
    return puzzle.with_grid(puzzle.grid.with_squares({position: replace(square, circle=not square.circle)}))


def toggle_shade(puzzle: Puzzle, position: Position) -> Puzzle:
    """Shade an open square, or remove its shade."""
    square = _open_square(puzzle.grid, position)
    return puzzle.with_grid(puzzle.grid.with_squares({position: replace(square, shade=not square.shade)}))


def set_symmetry(puzzle: Puzzle, symmetry: Symmetry) -> Puzzle:
    """Set the symmetry that later block edits keep; existing blocks stay."""
    symmetry.check_fits(puzzle.grid.height, puzzle.grid.width)
    return replace(puzzle, symmetry=symmetry)


def rotate(puzzle: Puzzle, *, clockwise: bool = True) -> Puzzle:
    """Turn the puzzle's grid by a quarter, with everything that belongs to its squares and entries.

    A clue stays with its answer: if an entry now reads backward, its clue belongs to an earlier answer.
    """
    return _moved(puzzle, GridMove.turn(puzzle.grid, clockwise=clockwise))


def resize(puzzle: Puzzle, height: int, width: int, anchor: str = "top-left") -> Puzzle:
    """Change the size of the puzzle's grid, placed at one of ANCHORS; new squares are open and empty.

    Everything that belongs to squares and entries moves with them, and is removed if none of their squares remain.
    Clues and rules of an entry that becomes longer or shorter pass to the entry that then covers its squares.
    Raises PuzzleError if the puzzle's symmetry needs a square grid.
    """
    puzzle.symmetry.check_fits(height, width)
    return _moved(puzzle, GridMove.resize(puzzle.grid, height, width, anchor))


def _moved(puzzle: Puzzle, move: GridMove) -> Puzzle:
    """Return the puzzle after a move; clues of an entry that is gone join those of one that begins there."""
    clues: dict[SlotKey, EntryClues] = {}
    for key, there in move.keys(puzzle.clues):
        before = clues[there].clues if there in clues else ()
        own = (clue._replace(text=moved(clue.text, move.key)) for clue in puzzle.clues[key].clues)
        clues[there] = EntryClues((*before, *own))
    return replace(
        puzzle,
        grid=move.after,
        clues=clues,
        symmetry=move.symmetry(puzzle.symmetry),
        rules=puzzle.rules.moved(move),
        solver_notes={there: puzzle.solver_notes[key] for key, there in move.keys(puzzle.solver_notes)},
        entered={there: puzzle.entered[key] for key, there in move.keys(puzzle.entered)},
    )


def set_alphabet(puzzle: Puzzle, alphabet: Alphabet) -> Puzzle:
    """Set the alphabet in which words are read and typed; existing content stays."""
    return replace(puzzle, words=replace(puzzle.words, alphabet=alphabet))


def _rewrite(puzzle: Puzzle, contents: Mapping[Position, Content | None], ink: Ink) -> Puzzle:
    grid = puzzle.grid
    changes: dict[Position, Square] = {}
    for position, content in contents.items():
        square = _open_square(grid, position)
        if square.ink is Ink.LOCKED and content != square.content:
            _check_unlocked(grid, position)
        new_ink = Ink.PENCIL if content is None else max(ink, square.ink if content == square.content else ink)
        changes[position] = replace(square, content=content, ink=new_ink)
    return puzzle.with_grid(grid.with_squares(changes))


def _open_square(grid: Grid, position: Position) -> Square:
    square = grid[position]
    if not square.is_open:
        raise PuzzleError(f"{position} is a {square.kind.value}; only open squares hold letters and marks")
    return square


def _check_unlocked(grid: Grid, position: Position) -> None:
    square = grid[position]
    if square.content is not None and square.ink is Ink.LOCKED:
        raise LockedError(f"{position} is locked with {square.content}; unlock it first")


def with_rules(puzzle: Puzzle, rules: Rules) -> Puzzle:
    """Return the puzzle with other rules."""
    rules.check()
    return replace(puzzle, rules=rules)


def entry_rules(puzzle: Puzzle, slot: Slot) -> EntryRules:
    """Return an entry's rules, which are empty if it has none."""
    return puzzle.rules.entries.get(slot.key, NO_ENTRY_RULES)


def with_entry_rules(puzzle: Puzzle, slot: Slot, rules: EntryRules) -> Puzzle:
    """Return the puzzle with an entry's rules replaced, or removed if they are empty."""
    rules.check()
    entries = with_item(puzzle.rules.entries, slot.key, None if rules.is_empty else rules)
    return with_rules(puzzle, replace(puzzle.rules, entries=entries))


def idle_entry_rules(puzzle: Puzzle) -> tuple[SlotKey, ...]:
    """Return the slot keys whose rules are inactive because no entry, or only a later linked light, begins there.

    Inactive rules are kept and have no effect.
    """
    slots = {slot.key for slot in puzzle.grid.entries}
    return tuple(sorted(puzzle.rules.entries.keys() - slots, key=lambda key: (key[0], key[1].value)))


def with_allowed_contents(puzzle: Puzzle, squares: Iterable[Position], contents: Collection[Content]) -> Puzzle:
    """Return the puzzle with the contents allowed in some open squares; an empty collection allows all."""
    allowed = tuple(dict.fromkeys(contents))
    rules: Mapping[Position, tuple[Content, ...]] = puzzle.rules.squares
    for square in squares:
        if not puzzle.grid[square].is_open:
            raise PuzzleError(f"{square} is a {puzzle.grid[square].kind.value}; only open squares take letters")
        rules = with_item(rules, square, allowed or None)
    return with_rules(puzzle, replace(puzzle.rules, squares=rules))
