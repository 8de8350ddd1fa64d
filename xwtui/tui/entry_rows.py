"""What the list of entries shows, reckoned from a puzzle and the counts of its slots."""

import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from xwtui.model import Grid, Ink, Puzzle, Slot
from xwtui.model.clues import Clue, WholeClue
from xwtui.model.markup import numbered

RULE_SIGN = "§"
"""What tells that an entry has a rule of its own."""
_UNKNOWN_COUNT = 1 << 30


class Counts(Protocol):
    """How many words a slot may take."""

    @property
    def pattern_matches(self) -> int: ...

    @property
    def after_propagation(self) -> int: ...


class EntryOrder(enum.Enum):
    """The order of the list; the value is its name in the settings."""

    EMPTIEST = "emptiest"
    WORST = "worst"
    CLUE = "clue"

    @property
    def following(self) -> "EntryOrder":
        orders = list(EntryOrder)
        return orders[(orders.index(self) + 1) % len(orders)]

    @property
    def remark(self) -> str:
        """The order in words, with a sign that there are others."""
        words = {
            EntryOrder.EMPTIEST: "emptiest first",
            EntryOrder.WORST: "worst first",
            EntryOrder.CLUE: "in clue order",
        }
        return f"{words[self]} ▾"


class EntryRow(NamedTuple):
    """One entry: its pattern, both counts (None while unknown), and for a finished one its score."""

    name: str
    pattern: str
    matches: int | None
    options: int | None
    is_filled: bool
    is_locked: bool
    score: int | None
    clue: str
    has_rule: bool = False
    """Whether the entry has a rule of its own."""
    stale: Clue | None = None
    """The clue of an answer that stood here before, where the present one has none."""
    offered: str = ""
    """A clue that the puzzle has elsewhere for the answer, where it has none here."""
    typed: str = ""
    enumeration: str = ""
    """The enumeration as it stands behind the clue, `(3,5)`; empty where none is told, or the clue has it."""

    label: str = ""
    """The name, with those of linked lights."""
    clued_at: str = ""
    """The entry where the clue stands, if this is another light that is linked with it."""
    is_dead: bool = False
    """Whether it is what stops every fill."""
    is_banned: bool = False
    """Whether its answer is a word that no fill may use."""
    is_unlisted: bool = False
    """Whether its answer is in no list, once the lists are known."""
    is_repeat: bool = False
    """Whether its answer shares a stem with another one."""

    @property
    def is_faulty(self) -> bool:
        """Whether something is to be done here before the grid is finished; what is locked is as it shall be."""
        is_doubtful = self.is_banned or self.is_unlisted or self.is_repeat
        return self.is_dead or (not self.is_filled and self.options == 0) or (is_doubtful and not self.is_locked)

    @property
    def draft(self) -> str:
        """What one begins with who edits the clue: it, or what is offered, or that of the answer before."""
        return self.whole(self.typed or self.offered or (self.stale.text if self.stale is not None else ""))

    def whole(self, text: str) -> str:
        """A text as the clue, with the enumeration behind it."""
        return f"{text} {self.enumeration}".strip() if self.enumeration else text

    def end_of_clue(self, text: str) -> int:
        """Where one writes on in a text that has the enumeration behind it, or has it not."""
        has_it = self.enumeration and text.endswith(self.enumeration)
        return max(len(text) - len(self.enumeration) - 1, 0) if has_it else len(text)

    def with_letter(self, letter: str, left: str | None) -> str:
        """What was left for the clue, or else the clue, with a letter more at its end."""
        text = self.whole(self.typed) if left is None else left
        at = self.end_of_clue(text)
        gap = " " if not at and text else ""
        return f"{text[:at]}{letter}{gap}{text[at:]}".lstrip()

    @property
    def other_clue(self) -> str:
        """What there is where the answer has no clue: one that is offered, or that of the answer before."""
        if self.clue:
            return ""
        if self.offered:
            return f"offered: {self.offered}"
        return f"clue of {self.stale.answer}: {self.stale.text}" if self.stale is not None else ""


class ClueFilter(enum.Enum):
    """Which entries are listed; the value is how that is said."""

    ALL = "all"
    UNCLUED = "without a clue"
    STALE = "with an earlier answer's clue"
    REMARKED = "with a remark"

    def following(self, rows: Sequence[EntryRow], remarked: Collection[str]) -> "ClueFilter":
        """The one that comes after this one; those that take none of the rows are passed over."""
        later = list(ClueFilter)[list(ClueFilter).index(self) + 1 :]
        return next((one for one in later if any(one.takes(row, remarked) for row in rows)), ClueFilter.ALL)

    def remark(self, listed: int, entries: int) -> str:
        """What is told of the list of so many; nothing where all are listed."""
        return "" if self is ClueFilter.ALL else f"{listed} of {entries} listed: {self.value}"

    def takes(self, row: EntryRow, remarked: Collection[str]) -> bool:
        return {
            ClueFilter.ALL: True,
            ClueFilter.UNCLUED: not row.clue,
            ClueFilter.STALE: row.stale is not None,
            ClueFilter.REMARKED: row.name in remarked,
        }[self]


def entry_rows(
    puzzle: Puzzle,
    options: Mapping[str, Counts],
    score_of: Callable[[str], int | None],
    order: EntryOrder,
    culprits: Collection[str] = (),
    *,
    is_dead: bool = False,
    banned: Collection[str] = (),
) -> Sequence[EntryRow]:
    """The rows of all entries in an order.

    Emptiest first are those with the fewest options, finished ones last; worst first the finished ones with a
    word that is `banned`, then those with the lowest score, such as no list has before them, then unfinished
    ones by their options, locked ones last. Linked lights have a row with the whole answer at the first, and
    each of the others one with its part. Where the grid `is_dead`, propagation has left no entry a word; the
    `culprits` say why and come first, and of the others only the patterns tell anything.
    """
    rows = [
        _row(puzzle, slot, options.get(name), score_of, name in culprits, is_grid_dead=is_dead, banned=banned)
        for slot in puzzle.grid.clue_slots
        for name in [puzzle.grid.entry_of(slot).name]
    ]
    by = {EntryOrder.EMPTIEST: _emptiness, EntryOrder.WORST: _badness}.get(order)
    return rows if by is None else sorted(rows, key=by)


def faulty_first(
    rows: Sequence[EntryRow], repeats: Collection[str], *, are_words_known: bool
) -> tuple[Sequence[EntryRow], int]:
    """The rows behind those with which something must be done, whatever their order, and how many these are.

    `repeats` are the entries whose answers share a stem; while words load, no answer is unlisted.
    """
    marked = [
        row._replace(
            is_repeat=row.name in repeats, is_unlisted=are_words_known and row.is_filled and row.score is None
        )
        for row in rows
    ]
    return sorted(marked, key=lambda row: not row.is_faulty), sum(row.is_faulty for row in marked)


def _row(
    puzzle: Puzzle,
    slot: Slot,
    counts: Counts | None,
    score_of: Callable[[str], int | None],
    is_dead: bool,
    *,
    is_grid_dead: bool,
    banned: Collection[str],
) -> EntryRow:
    grid = puzzle.grid
    options = None if counts is None or is_grid_dead else counts.after_propagation
    entry = grid.entry_of(slot)
    answer = puzzle.answer(entry)
    clue, stale = puzzle.printed_clue(slot), puzzle.stale_clue(slot)
    offered = puzzle.offered_clues(slot) if not clue else ()
    return EntryRow(
        name=slot.name,
        pattern=puzzle.told_pattern(slot),
        matches=counts.pattern_matches if counts else None,
        options=0 if is_dead else options,
        is_filled=answer is not None,
        is_locked=is_locked(grid, entry),
        score=score_of(answer) if answer is not None else None,
        clue=clue,
        has_rule=entry.key in puzzle.rules.entries,
        stale=stale.clue._replace(text=numbered(stale.clue.text, grid)) if stale is not None else None,
        offered=numbered(offered[0], grid) if offered else "",
        typed=puzzle.typed_clue(slot),
        enumeration=WholeClue(clue, puzzle.enumeration(slot)).ending,
        label=slot.label,
        clued_at=entry.name if grid.is_later_light(slot) else "",
        is_dead=is_dead,
        is_banned=answer in banned,
    )


def row_from(every: Sequence[EntryRow], rows: Sequence[EntryRow], name: str) -> int | None:
    """The row of an entry, or of the first one after it that is listed; None where there is no such entry."""
    order = {row.name: place for place, row in enumerate(every)}
    if name not in order:
        return None
    later = (index for index, row in enumerate(rows) if order[row.name] >= order[name])
    return next(later, max(len(rows) - 1, 0))


def clues_remark(rows: Sequence[EntryRow], remarked: int = 0) -> str:
    """How many clues are to be written, how many entries have that of another answer, and how many a remark."""
    missing, stale = sum(not row.clue for row in rows), sum(row.stale is not None for row in rows)
    told = [f"{missing} to write" if missing else "all written", f"{stale} for other answers" if stale else ""]
    return ", ".join(filter(None, [*told, f"{remarked} with a remark" if remarked else ""]))


def _emptiness(row: EntryRow) -> tuple[bool, bool, int]:
    known = row.matches if row.options is None else row.options
    return not row.is_dead, row.is_filled, 0 if row.is_filled else _UNKNOWN_COUNT if known is None else known


def _badness(row: EntryRow) -> tuple[bool, int, int]:
    if row.is_banned:
        return not row.is_dead, 0, -2
    if row.is_filled and not row.is_locked:
        return not row.is_dead, 0, -1 if row.score is None else row.score
    return not row.is_dead, 1 + row.is_locked, _emptiness(row)[-1]


def is_locked(grid: Grid, slot: Slot) -> bool:
    """Whether every square of a slot is locked."""
    return all(grid[position].ink is Ink.LOCKED for position in slot.positions)


def hardest(
    puzzle: Puzzle, options: Mapping[str, Counts], culprits: Collection[str] = (), *, is_dead: bool = False
) -> str | None:
    """The entry that stops every fill, or the unfinished one with the fewest options; None if all are finished."""
    rows = entry_rows(puzzle, options, lambda word: None, EntryOrder.EMPTIEST, culprits, is_dead=is_dead)
    return next((row.name for row in rows if row.is_dead or not row.is_filled), None)
