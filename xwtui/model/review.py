"""The review: what an editor would object to in a puzzle and its clues; also the puzzle's rules in words."""

import enum
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.clues import enumeration_in_text
from xwtui.model.edits import bar_orbit, idle_entry_rules
from xwtui.model.grid import Bar, Grid
from xwtui.model.letters import KNOWN
from xwtui.model.markup import references
from xwtui.model.puzzle import Puzzle
from xwtui.model.rules.base import Breach
from xwtui.model.rules.entry_rules import allowed_breaches, allowed_lines, idle_squares
from xwtui.model.slots import LinkedLights, Slot, SlotKey
from xwtui.model.where import Position, Symmetry
from xwtui.text import counted, first_named, listed, without_accents

LONGEST_CLUE = 505
"""Maximum clue length, in characters, that Across Lite can handle."""

_MOST_NAMED = 8
_SHORTEST_TOLD = 3
"""Minimum length of an answer that is reported if it appears in its own clue; shorter ones appear by chance."""

_SHORTEST_PART, _SHORTEST_REST = 4, 3
"""Minimum letters of a clue word that begins or ends the answer, and of the rest of the answer, to be reported."""

_WORD = lazy_pattern(rf"[{KNOWN}]+")
_POINTER = lazy_pattern(r"(?:see|with) (?:note|title|\d+)\b.*", re.IGNORECASE)
"""A clue that only points to another clue. Several entries may share one."""

_NAMED = lazy_pattern(
    r"\b(\d{1,3}(?:-?(?:, ?(?:and |or )?| and | or | ?& ?)\d{1,3})*)(?:-(?i:(across|down))| (Across|Down))\b"
)
"""Matches entries named in plain text: `17-Across`, `5-, 12- and 30-Down`, `See 9 Down`."""

_BARE_POINTER = lazy_pattern(r"see (\d{1,3})\.?", re.IGNORECASE)


class Check(enum.Enum):
    """The subject of a finding, worst first; some need a profile. The value is its name in `check --json`."""

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
    LATTICE = "lattice"
    TELLING_CLUE = "telling clue"
    REPEATED_CLUE = "repeated clue"
    STALE_CLUE = "stale clue"
    LOST_REFERENCE = "reference to no entry"
    LONG_CLUE = "long clue"
    ENUMERATION = "enumeration"
    REBUS = "rebus square"
    SUBMISSION = "submission"
    POSSIBLE_REPEAT = "possible repeat"
    MISSING_CLUE = "missing clue"
    SOLVER_NOTE = "note from solving"
    IDLE_RULE = "idle rule"
    IDLE_LINK = "idle link"
    ODD_RULE = "odd rule"


class ClueRemark(NamedTuple):
    """A finding about one entry's clue; the message names the entry."""

    fault: Check
    slot: Slot
    message: str
    others: tuple[Slot, ...] = ()
    """Any other entries involved."""


def clue_remarks(puzzle: Puzzle, *, wants_enumerations: bool = False) -> tuple[ClueRemark, ...]:
    """Return all findings about clues by entry; `wants_enumerations` requires each to end in one, `(5,4)`."""
    by_text = _by_text(puzzle)
    slots = puzzle.grid.entries
    return tuple(one for slot in slots for one in _of_entry(puzzle, slot, by_text, wants_enumerations))


def entry_remarks(puzzle: Puzzle, slot: Slot, *, wants_enumerations: bool = False) -> tuple[ClueRemark, ...]:
    """Return the findings about one entry's clue."""
    return tuple(_of_entry(puzzle, puzzle.grid.entry_of(slot), _by_text(puzzle), wants_enumerations))


def _of_entry(
    puzzle: Puzzle, slot: Slot, by_text: Mapping[str, Sequence[Slot]], wants_enumerations: bool
) -> Iterator[ClueRemark]:
    source, stale = puzzle.clue(slot), puzzle.stale_clue(slot)
    if note := puzzle.solver_note(slot):
        yield ClueRemark(Check.SOLVER_NOTE, slot, f"{slot.name}, noted while solving: {note}")
    yield from _enumeration_remarks(puzzle, slot)
    if stale is not None:
        yield ClueRemark(Check.STALE_CLUE, slot, stale.words)
    elif not source:
        yield ClueRemark(Check.MISSING_CLUE, slot, f"{slot.name} has no clue")
    else:
        text = puzzle.printed_clue(slot)
        yield from _text_remarks(slot, text, puzzle.answer(slot))
        yield from _reference_remarks(puzzle, slot, source)
        if wants_enumerations and puzzle.enumeration(slot) is None:
            yield from _told_remarks(puzzle, slot, text)
        if others := tuple(other for other in by_text.get(_folded(text), ()) if other != slot):
            message = f"{slot.name} has the same clue as {listed([other.name for other in others], 'and')}"
            yield ClueRemark(Check.REPEATED_CLUE, slot, message, others)


def remarks_by_entry(puzzle: Puzzle, *, wants_enumerations: bool = False) -> dict[str, tuple[ClueRemark, ...]]:
    """Return all findings about clues, by entry name; entries without findings are omitted."""
    by_entry: dict[str, tuple[ClueRemark, ...]] = {}
    for remark in clue_remarks(puzzle, wants_enumerations=wants_enumerations):
        by_entry[remark.slot.name] = (*by_entry.get(remark.slot.name, ()), remark)
    return by_entry


def _text_remarks(slot: Slot, text: str, answer: str | None) -> Iterator[ClueRemark]:
    if answer is not None and len(answer) >= _SHORTEST_TOLD:
        words, bare = _WORD.findall(without_accents(text).upper()), without_accents(answer)
        ends = range(1, len(words) + 1)
        parts = (word for word in words if _SHORTEST_PART <= len(word) <= len(bare) - _SHORTEST_REST)
        if any(bare == "".join(words[first:end]) for end in ends for first in range(max(end - len(bare), 0), end)):
            message = f"the clue of {slot.name} contains its answer, {answer}"
            yield ClueRemark(Check.TELLING_CLUE, slot, message)
        elif part := next((word for word in parts if bare.startswith(word) or bare.endswith(word)), None):
            message = f"the clue of {slot.name} contains {part} from its answer, {answer}"
            yield ClueRemark(Check.TELLING_CLUE, slot, message)
    if len(text) > LONGEST_CLUE:
        message = f"the clue of {slot.name} has {len(text)} characters; Across Lite allows {LONGEST_CLUE}"
        yield ClueRemark(Check.LONG_CLUE, slot, message)


def _reference_remarks(puzzle: Puzzle, slot: Slot, source: str) -> Iterator[ClueRemark]:
    """Report references to entries that do not exist, in markup or plain text, as the clue names them."""
    lost = [each.source for each in references(source) if each.slot(puzzle.grid) is None]
    entries, text = puzzle.grid.slots_by_name, puzzle.printed_clue(slot)
    for found in _NAMED.finditer(text):
        way, numbers = (found[2] or found[3]).title(), re.findall(r"\d+", found[1])
        lost += [f"{number}-{way}" for number in numbers if f"{int(number)}{way[0]}" not in entries]
    pointer = _BARE_POINTER.fullmatch(text)
    if pointer is not None and not {f"{int(pointer[1])}{way}" for way in "AD"} & entries.keys():
        lost.append(pointer[1])
    if lost:
        message = f"the clue of {slot.name} refers to {first_named(lost, _MOST_NAMED)}, which does not exist"
        yield ClueRemark(Check.LOST_REFERENCE, slot, message)


def _enumeration_remarks(puzzle: Puzzle, slot: Slot) -> Iterator[ClueRemark]:
    """Report an enumeration with fewer letters than its entry, or with more than its complete answer."""
    told, answer = puzzle.enumeration(slot), puzzle.answer(slot)
    if told is None:
        return
    says = f"the enumeration of {slot.name} is {told.printed}, of {told.letters} letters"
    letters = puzzle.letter_count(slot)
    if answer is not None and told.letters != letters:
        yield ClueRemark(Check.ENUMERATION, slot, f"{says}, but {answer} has {letters}")
    elif answer is None and told.letters < letters:
        yield ClueRemark(Check.ENUMERATION, slot, f"{says}, but it has {letters} squares")


def _told_remarks(puzzle: Puzzle, slot: Slot, text: str) -> Iterator[ClueRemark]:
    """Report a clue, stored without an enumeration, whose text ends in none or in one of the wrong length."""
    answer, letters, told = puzzle.answer(slot), puzzle.letter_count(slot), enumeration_in_text(text)
    if told is None:
        message = f"the clue of {slot.name} does not end in an enumeration such as ({letters})"
        yield ClueRemark(Check.ENUMERATION, slot, message)
    elif answer is not None and sum(map(int, re.findall("[0-9]+", told))) != letters:
        message = f"the clue of {slot.name} says {told}, but {answer} has {letters} letters"
        yield ClueRemark(Check.ENUMERATION, slot, message)


def _by_text(puzzle: Puzzle) -> dict[str, list[Slot]]:
    """Return the entries by clue text, leaving out clues that several entries may share."""
    by_text: dict[str, list[Slot]] = defaultdict(list)
    for slot in puzzle.grid.entries:
        text = _folded(puzzle.printed_clue(slot))
        if text and not _POINTER.fullmatch(text):
            by_text[text].append(slot)
    return by_text


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


class Finding(NamedTuple):
    """A finding of the review: its subject, a sentence, and the squares involved."""

    rule: Check
    message: str
    where: tuple[Position, ...]


def review(puzzle: Puzzle, *, wants_enumerations: bool = False) -> tuple[Finding, ...]:
    """Return all findings in the order of `Check`; empty if the puzzle is ready to send.

    With `wants_enumerations`, each clue must end in an enumeration such as `(5,4)`.
    """
    grid = puzzle.grid
    return worst_first(
        chain(
            _duplicates(puzzle),
            _banned(puzzle),
            unchecked(grid),
            _two_letters(grid),
            disconnected(grid),
            _symmetry(puzzle),
            _missing_clues(puzzle),
            _stale_clues(puzzle),
            _clue_faults(puzzle, wants_enumerations),
            _empty(grid),
            _rules(puzzle),
            _idle_links(puzzle),
        )
    )


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in the order of `Check`, with those of one kind in their original order."""
    order = {check: place for place, check in enumerate(Check)}
    return tuple(sorted(findings, key=lambda finding: order[finding.rule]))


def regions(grid: Grid) -> list[set[Position]]:
    """Return the connected regions of open squares, separated by blocks, voids and bars, largest first."""
    unseen = set(grid.open_positions())
    found: list[set[Position]] = []
    while unseen:
        region: set[Position] = set()
        frontier = [unseen.pop()]
        while frontier:
            here = frontier.pop()
            region.add(here)
            joined = [near for near in here.neighbours if near in unseen and grid.is_joined(here, near)]
            unseen.difference_update(joined)
            frontier.extend(joined)
        found.append(region)
    return sorted(found, key=lambda region: (-len(region), min(region)))


def unmirrored_squares(grid: Grid, symmetry: Symmetry) -> list[Position]:
    """Return the squares whose image has another kind; empty if the blocks have the symmetry."""
    return [
        position
        for position in grid.positions()
        if grid[position].kind is not grid[symmetry.image(position, grid.height, grid.width)].kind
    ]


def has_symmetry(grid: Grid, symmetry: Symmetry) -> bool:
    """Whether the blocks and bars of a grid have a symmetry."""
    return not asymmetric_squares(grid, symmetry)


def asymmetric_squares(grid: Grid, symmetry: Symmetry) -> tuple[Position, ...]:
    """Return the squares without a mirror image, and those next to bars without one."""
    if symmetry.needs_square_grid and grid.height != grid.width:
        return tuple(grid.positions())
    beside = {at for bar in _unmirrored_bars(grid, symmetry) for at in bar}
    return tuple(sorted({*unmirrored_squares(grid, symmetry), *beside}))


def _unmirrored_bars(grid: Grid, symmetry: Symmetry) -> list[Bar]:
    return [bar for bar in sorted(grid.bars) if not bar_orbit(bar, symmetry, grid) <= grid.bars]


def _duplicates(puzzle: Puzzle) -> Iterator[Finding]:
    by_answer = defaultdict(list)
    for slot, answer in written_answers(puzzle).items():
        by_answer[answer].append(slot)
    for answer, slots in by_answer.items():
        if len(slots) > 1:
            names = " and ".join(slot.name for slot in slots)
            both = "both" if len(slots) == 2 else "all"
            squares = tuple(position for slot in slots for position in slot.positions)
            yield Finding(Check.DUPLICATE, f"{names} are {both} {answer}", squares)


def _banned(puzzle: Puzzle) -> Iterator[Finding]:
    never, banned = puzzle.words.never, puzzle.words.banned
    for slot, answer in written_answers(puzzle).items():
        if answer in never:
            said = "is banned" if answer in banned else "has the score 0"
            yield Finding(Check.BANNED, f"{slot.name} {answer} {said} in this puzzle", slot.positions)


def unchecked(grid: Grid) -> Iterator[Finding]:
    """Report the squares that are not in two entries."""
    found = tuple(at for at in grid.open_positions() if at not in grid.checked)
    if found:
        message = f"{counted(len(found), 'unchecked square')}: {named_squares(found)}"
        yield Finding(Check.UNCHECKED, message, found)


def _two_letters(grid: Grid) -> Iterator[Finding]:
    for slot in grid.slots:
        if len(slot) == 2:
            yield Finding(Check.TWO_LETTERS, f"{slot.name} has only two squares", slot.positions)


def disconnected(grid: Grid) -> Iterator[Finding]:
    """Report each region of the grid but the largest."""
    _, *islands = regions(grid) or [set()]
    for island in islands:
        squares = tuple(sorted(island))
        message = f"{counted(len(squares), 'square')} cut off at {named_squares(squares)}"
        yield Finding(Check.DISCONNECTED, message, squares)


def _symmetry(puzzle: Puzzle) -> Iterator[Finding]:
    grid, symmetry = puzzle.grid, puzzle.symmetry
    try:
        symmetry.check_fits(grid.height, grid.width)
    except PuzzleError as error:
        yield Finding(Check.SYMMETRY, str(error), ())
        return
    broken = unmirrored_squares(grid, symmetry)
    if broken:
        without = f"{counted(len(broken), 'square')} without a mirror image under {symmetry.value}"
        yield Finding(Check.SYMMETRY, f"{without}: {named_squares(broken)}", tuple(broken))
    for bar in _unmirrored_bars(grid, symmetry):
        yield Finding(Check.SYMMETRY, f"the bar between {bar.first} and {bar.second} has no mirror", tuple(bar))


def _missing_clues(puzzle: Puzzle) -> Iterator[Finding]:
    stale = {each.slot for each in puzzle.stale_clues}
    missing = [slot for slot in puzzle.grid.entries if slot not in stale and not puzzle.clue(slot)]
    if missing:
        names = first_named([slot.name for slot in missing], _MOST_NAMED)
        have = counted(len(missing), "entry has", "entries have")
        yield Finding(Check.MISSING_CLUE, f"{have} no clue: {names}", ())


def _stale_clues(puzzle: Puzzle) -> Iterator[Finding]:
    """Report each stale clue of a complete answer, and those of incomplete entries together."""
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
    if homeless := puzzle.orphaned_clues:
        names = first_named([clue.words for clue in homeless], _MOST_NAMED)
        message = f"clues are kept for entries that no longer exist: {names}"
        yield Finding(Check.STALE_CLUE, message, tuple(clue.start for clue in homeless))


def _clue_faults(puzzle: Puzzle, wants_enumerations: bool) -> Iterator[Finding]:
    """Report faults of the clues themselves, one about several entries once, with the first of them."""
    told: set[Slot] = set()
    for remark in clue_remarks(puzzle, wants_enumerations=wants_enumerations):
        is_told = remark.fault in (Check.MISSING_CLUE, Check.STALE_CLUE)
        if not (is_told or (remark.others and remark.slot in told)):
            told.update(remark.others)
            squares = tuple(at for slot in (remark.slot, *remark.others) for at in slot.positions)
            yield Finding(remark.fault, remark.message, squares)


def _empty(grid: Grid) -> Iterator[Finding]:
    empty = tuple(at for at in grid.open_positions() if grid[at].content is None)
    if empty:
        yield Finding(Check.EMPTY, f"{counted(len(empty), 'empty square')}: {named_squares(empty)}", empty)


def _rules(puzzle: Puzzle) -> Iterator[Finding]:
    """Report broken rules, and rules that are inactive until an entry exists or a square is open."""
    yield from (Finding(Check.BROKEN_RULE, *broken) for broken in breaches(puzzle))
    for key in idle_entry_rules(puzzle):
        message = f"{key_words(puzzle, key)} has a waiting rule: {puzzle.rules.entries[key].words}"
        yield Finding(Check.IDLE_RULE, message, ())
    yield from (Finding(Check.IDLE_RULE, *idle) for idle in idle_squares(puzzle.grid, puzzle.rules.squares))


def _idle_links(puzzle: Puzzle) -> Iterator[Finding]:
    for link, words in waiting_link_words(puzzle).items():
        there = (slot for light in link if (slot := puzzle.grid.slot_of(light)) is not None)
        squares = tuple(at for slot in there for at in slot.positions)
        yield Finding(Check.IDLE_LINK, words, squares)


def named_squares(squares: Sequence[Position]) -> str:
    """Return the first few of some squares by name: `r1c1, r1c2 and 3 more`."""
    return first_named([str(at) for at in squares], _MOST_NAMED)


def breaches(puzzle: Puzzle) -> Iterator[Breach]:
    """Yield all broken rules. Rules that wait for a full grid are judged only once all entries are complete."""
    answers = written_answers(puzzle)
    for slot, answer in answers.items():
        if broken := puzzle.rules.asked(slot.key).broken(answer):
            yield Breach(f"{slot.name} {answer} {' and '.join(broken)}", slot.positions)
    yield from allowed_breaches(puzzle.grid, puzzle.rules.squares)
    is_done = len(answers) == len(puzzle.grid.entries)
    for waits in (False, True) if is_done else (False,):
        for rule in puzzle.rules.grid:
            if rule.waits_for_full_grid is waits:
                yield from rule.breaches(puzzle, answers)


def written_answers(puzzle: Puzzle) -> dict[Slot, str]:
    """Return the answers of complete entries."""
    found = {slot: puzzle.answer(slot) for slot in puzzle.grid.entries}
    return {slot: answer for slot, answer in found.items() if answer is not None}


def rule_lines(puzzle: Puzzle) -> list[str]:
    """Return all rules of a puzzle in words, entries first; empty if there are none."""
    rules = puzzle.rules
    entries = sorted(rules.entries.items(), key=lambda entry: (entry[0][0], entry[0][1].value))
    own = [f"{key_words(puzzle, key)}: {asked.words}" for key, asked in entries]
    every = [] if rules.every.is_empty else [f"every answer: {rules.every.words}"]
    whole = [line for rule in rules.grid for line in rule.lines()]
    return [*own, *every, *allowed_lines(rules.squares), *whole]


def key_words(puzzle: Puzzle, key: SlotKey) -> str:
    """Return an entry's name, or its first square and direction if no entry begins there now."""
    if (slot := puzzle.grid.slot_of(key)) is not None:
        return slot.name
    return f"{key[0]} {key[1].word} (no entry now)"


def link_words(puzzle: Puzzle) -> list[str]:
    """Return each group of linked lights as text: `1A and 5D`."""
    return [listed([key_words(puzzle, light) for light in link], "and") for link in puzzle.grid.links]


def waiting_link_words(puzzle: Puzzle) -> dict[LinkedLights, str]:
    """Return the review's text for each inactive link, one of whose lights does not currently exist."""
    waiting = puzzle.grid.waiting_links
    named = zip(puzzle.grid.links, link_words(puzzle), strict=True)
    return {
        link: f"{names}: the link waits until all of them exist again" for link, names in named if link in waiting
    }
