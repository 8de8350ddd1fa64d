"""The review: what an editor would object to in a puzzle."""

import enum
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from xwtui.errors import PuzzleError
from xwtui.model.clue_review import ClueFault, clue_remarks
from xwtui.model.edits import bar_orbit
from xwtui.model.grid import Bar, Grid
from xwtui.model.puzzle import Puzzle
from xwtui.model.rules.review import breaches, idle_rules, waiting_link_words
from xwtui.model.slots import Slot
from xwtui.model.where import Direction, Position, Symmetry
from xwtui.text import first_named

_MOST_NAMED = 8


class Check(enum.Enum):
    """What a finding is about, the worst first; the value is its name in `check --json`.

    Some are found under a profile alone.
    """

    DUPLICATE = "duplicate answer"
    BANNED = "banned answer"
    UNLISTED = "unlisted answer"
    BROKEN_RULE = "broken rule"
    EMPTY = "empty square"
    NEAR_DUPLICATE = "near-duplicate answers"
    UNKNOWN_PROFILE = "unknown profile"
    SIZE = "size"
    DISCONNECTED = "disconnected grid"
    SYMMETRY = "broken symmetry"
    UNCHECKED = "unchecked square"
    UNCHECKED_RUN = "unchecked squares in a row"
    TWO_LETTERS = "slot of two letters"
    SHORT_ENTRY = "short entry"
    LONG_ENTRY = "long entry"
    BARS = "bars"
    WORDS = "number of entries"
    BLOCKS = "number of blocks"
    THREES = "three-letter entries"
    CHEATERS = "cheaters"
    OPEN_AREA = "open area"
    TELLING_CLUE = "telling clue"
    REPEATED_CLUE = "repeated clue"
    STALE_CLUE = "stale clue"
    LOST_REFERENCE = "reference to no entry"
    LONG_CLUE = "long clue"
    ENUMERATION = "enumeration"
    REBUS = "rebus square"
    SUBMISSION = "submission"
    MISSING_CLUE = "missing clue"
    SOLVER_NOTE = "note from solving"
    IDLE_RULE = "idle rule"
    IDLE_LINK = "idle link"
    ODD_RULE = "odd rule"


class Finding(NamedTuple):
    """One thing to look at: the rule, a sentence, and the squares it is about."""

    rule: Check
    message: str
    where: tuple[Position, ...]


def review(puzzle: Puzzle, *, wants_enumerations: bool = False) -> tuple[Finding, ...]:
    """All findings, the rules in the order of `Check`; nothing where the puzzle is ready to send.

    Where the outlet `wants_enumerations`, each clue is to end in one, as in `(5,4)`.
    """
    about_clues = partial(_clue_faults, wants_enumerations=wants_enumerations)
    checks = (about_clues if check is _clue_faults else check for check in _CHECKS)
    return worst_first(finding for check in checks for finding in check(puzzle))


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of `Check`, those of a kind as they come."""
    order = {check: place for place, check in enumerate(Check)}
    return tuple(sorted(findings, key=lambda finding: order[finding.rule]))


def regions(grid: Grid) -> list[set[Position]]:
    """The sets of open squares that can be walked without crossing a block, void or bar, largest first."""
    unseen = set(grid.open_positions())
    found: list[set[Position]] = []
    while unseen:
        region: set[Position] = set()
        frontier = [unseen.pop()]
        while frontier:
            here = frontier.pop()
            region.add(here)
            neighbours = [here.step(direction, squares) for direction in Direction for squares in (1, -1)]
            joined = [near for near in neighbours if near in unseen and grid.is_joined(here, near)]
            unseen.difference_update(joined)
            frontier.extend(joined)
        found.append(region)
    return sorted(found, key=lambda region: (-len(region), min(region)))


def unmirrored_squares(grid: Grid, symmetry: Symmetry) -> list[Position]:
    """The squares whose image is of another kind: none where the blocks have the symmetry."""
    return [
        position
        for position in grid.positions()
        if grid[position].kind is not grid[symmetry.image(position, grid.height, grid.width)].kind
    ]


def has_symmetry(grid: Grid, symmetry: Symmetry) -> bool:
    """Whether the blocks and bars of a grid have a symmetry."""
    if symmetry.needs_square_grid and grid.height != grid.width:
        return False
    return not asymmetric_squares(grid, symmetry)


def asymmetric_squares(grid: Grid, symmetry: Symmetry) -> tuple[Position, ...]:
    """The squares that have no mirror image, and those beside bars that have none."""
    if symmetry.needs_square_grid and grid.height != grid.width:
        return tuple(grid.positions())
    beside = {at for bar in _unmirrored_bars(grid, symmetry) for at in bar}
    return tuple(sorted({*unmirrored_squares(grid, symmetry), *beside}))


def _unmirrored_bars(grid: Grid, symmetry: Symmetry) -> list[Bar]:
    return [bar for bar in sorted(grid.bars) if not bar_orbit(bar, symmetry, grid) <= grid.bars]


def _duplicates(puzzle: Puzzle) -> Iterator[Finding]:
    grid = puzzle.grid
    by_answer = defaultdict(list)
    for slot in grid.entries:
        answer = puzzle.answer(slot)
        if answer is not None:
            by_answer[answer].append(slot)
    for answer, slots in by_answer.items():
        if len(slots) > 1:
            names = " and ".join(slot.name for slot in slots)
            both = "both" if len(slots) == 2 else "all"
            squares = tuple(position for slot in slots for position in slot.positions)
            yield Finding(Check.DUPLICATE, f"{names} are {both} {answer}", squares)


def _banned(puzzle: Puzzle) -> Iterator[Finding]:
    never, banned = puzzle.words.never, puzzle.words.banned
    for slot in puzzle.grid.entries if never else ():
        answer = puzzle.answer(slot)
        if answer in never:
            said = "is banned" if answer in banned else "has the score 0"
            yield Finding(Check.BANNED, f"{slot.name} {answer} {said} in this puzzle", slot.positions)


def _unchecked(puzzle: Puzzle) -> Iterator[Finding]:
    grid = puzzle.grid
    found = [
        position
        for position in grid.open_positions()
        if any(grid.slot_at(position, direction) is None for direction in Direction)
    ]
    if found:
        yield Finding(Check.UNCHECKED, f"{_count(found, 'unchecked square')}: {_named(found)}", tuple(found))


def _two_letters(puzzle: Puzzle) -> Iterator[Finding]:
    for slot in puzzle.grid.slots:
        if len(slot) == 2:
            yield Finding(Check.TWO_LETTERS, f"{slot.name} has only two squares", slot.positions)


def _disconnected(puzzle: Puzzle) -> Iterator[Finding]:
    _, *islands = regions(puzzle.grid) or [set()]
    for island in islands:
        squares = tuple(sorted(island))
        yield Finding(Check.DISCONNECTED, f"{_count(squares, 'square')} cut off at {_named(squares)}", squares)


def _symmetry(puzzle: Puzzle) -> Iterator[Finding]:
    grid, symmetry = puzzle.grid, puzzle.symmetry
    try:
        symmetry.check_fits(grid.height, grid.width)
    except PuzzleError as error:
        yield Finding(Check.SYMMETRY, str(error), ())
        return
    broken = unmirrored_squares(grid, symmetry)
    if broken:
        message = f"{_count(broken, 'square')} without a mirror image under {symmetry.value}: {_named(broken)}"
        yield Finding(Check.SYMMETRY, message, tuple(broken))
    for bar in _unmirrored_bars(grid, symmetry):
        yield Finding(Check.SYMMETRY, f"the bar between {bar.first} and {bar.second} has no mirror", tuple(bar))


def _missing_clues(puzzle: Puzzle) -> Iterator[Finding]:
    stale = {each.slot for each in puzzle.stale_clues}
    missing = [slot for slot in puzzle.grid.entries if slot not in stale and not puzzle.clue(slot)]
    if missing:
        names = first_named([slot.name for slot in missing], _MOST_NAMED)
        noun = "entry has" if len(missing) == 1 else "entries have"
        yield Finding(Check.MISSING_CLUE, f"{len(missing)} {noun} no clue: {names}", ())


def _stale_clues(puzzle: Puzzle) -> Iterator[Finding]:
    """Each where an answer has the clue of another one; entries that have no answer yet are told together."""
    for stale in puzzle.stale_clues:
        if stale.answer is not None:
            yield Finding(Check.STALE_CLUE, stale.words, stale.slot.positions)
    waiting = [stale for stale in puzzle.stale_clues if stale.answer is None]
    if len(waiting) == 1:
        yield Finding(Check.STALE_CLUE, waiting[0].words, waiting[0].slot.positions)
    elif waiting:
        names = first_named([f"{stale.slot.name} {stale.clue.answer}" for stale in waiting], _MOST_NAMED)
        message = f"{len(waiting)} entries that are not complete have clues of earlier answers: {names}"
        yield Finding(Check.STALE_CLUE, message, ())
    if homeless := puzzle.homeless_clues:
        names = first_named([clue.words for clue in homeless], _MOST_NAMED)
        message = f"clues are kept for entries that no longer exist: {names}"
        yield Finding(Check.STALE_CLUE, message, tuple(clue.start for clue in homeless))


def _clue_faults(puzzle: Puzzle, *, wants_enumerations: bool = False) -> Iterator[Finding]:
    """What is wrong with the clues themselves; what is about several entries is told with the first of them."""
    told: set[Slot] = set()
    faults = [fault for fault in ClueFault if fault not in (ClueFault.MISSING, ClueFault.STALE)]
    remarks = clue_remarks(puzzle, wants_enumerations=wants_enumerations)
    for remark in sorted(remarks, key=lambda each: list(ClueFault).index(each.fault)):
        if remark.fault in faults and not (remark.others and remark.slot in told):
            told.update(remark.others)
            squares = tuple(at for slot in (remark.slot, *remark.others) for at in slot.positions)
            yield Finding(Check(remark.fault.value), remark.message, squares)


def _empty(puzzle: Puzzle) -> Iterator[Finding]:
    empty = [position for position in puzzle.grid.open_positions() if puzzle.grid[position].content is None]
    if empty:
        yield Finding(Check.EMPTY, f"{_count(empty, 'empty square')}: {_named(empty)}", tuple(empty))


def _broken_rules(puzzle: Puzzle) -> Iterator[Finding]:
    for message, where in breaches(puzzle):
        yield Finding(Check.BROKEN_RULE, message, where)


def _idle_rules(puzzle: Puzzle) -> Iterator[Finding]:
    for message, where in idle_rules(puzzle):
        yield Finding(Check.IDLE_RULE, message, where)


def _idle_links(puzzle: Puzzle) -> Iterator[Finding]:
    for link, words in waiting_link_words(puzzle).items():
        there = (slot for light in link if (slot := puzzle.grid.slot_of(light)) is not None)
        squares = tuple(at for slot in there for at in slot.positions)
        yield Finding(Check.IDLE_LINK, words, squares)


_CHECKS: tuple[Callable[[Puzzle], Iterator[Finding]], ...] = (
    _duplicates,
    _banned,
    _unchecked,
    _two_letters,
    _disconnected,
    _symmetry,
    _missing_clues,
    _stale_clues,
    _clue_faults,
    _empty,
    _broken_rules,
    _idle_rules,
    _idle_links,
)


def _count(things: list[Position] | tuple[Position, ...], noun: str) -> str:
    return f"{len(things)} {noun}" + ("" if len(things) == 1 else "s")


def _named(positions: list[Position] | tuple[Position, ...]) -> str:
    return first_named([str(position) for position in positions], _MOST_NAMED)
