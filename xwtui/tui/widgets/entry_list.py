"""The entries as rows, reckoned from a puzzle and the counts of its slots, and the lists that show them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from math import log2
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.widgets import Input

from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model import Grid, Ink, Puzzle, Slot
from xwtui.model.clues import Clue, WholeClue
from xwtui.model.markup import numbered
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable
from xwtui.tui.widgets.candidate_list import REPEAT_SIGN
from xwtui.tui.widgets.painted import Fragment
from xwtui.tui.widgets.row_list import RowList

with lazy_imports():
    from xwtui.engine.candidates.options import SlotOptions

RULE_SIGN = "§"
"""What tells that an entry has a rule of its own."""
_UNKNOWN_COUNT = 1 << 30


class EntryOrder(enum.Enum):
    """The order of the list; the value is its name in the settings."""

    EMPTIEST = "emptiest"
    WORST = "worst"
    CLUE = "clue"

    @property
    def following(self) -> EntryOrder:
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
    def fault(self) -> str:
        """What is wrong with its answer; empty where nothing is."""
        is_repeat = "a repeat" if self.is_repeat else ""
        return "banned" if self.is_banned else "not listed" if self.is_unlisted else is_repeat

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

    def following(self, rows: Sequence[EntryRow], remarked: Collection[str]) -> ClueFilter:
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
    options: Mapping[str, SlotOptions],
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
    grid, rows = puzzle.grid, list[EntryRow]()
    for slot in grid.clue_slots:
        entry = grid.entry_of(slot)
        counts, is_culprit, answer = options.get(entry.name), entry.name in culprits, puzzle.answer(entry)
        left = None if counts is None or is_dead else counts.after_propagation
        clue, stale = puzzle.printed_clue(slot), puzzle.stale_clue(slot)
        offered = puzzle.offered_clues(slot) if not clue else ()
        rows.append(
            EntryRow(
                name=slot.name,
                pattern=puzzle.told_pattern(slot),
                matches=counts.pattern_matches if counts else None,
                options=0 if is_culprit else left,
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
                is_dead=is_culprit,
                is_banned=answer in banned,
            )
        )
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


def hardest(rows: Sequence[EntryRow], here: str = "") -> EntryRow | None:
    """The entry that stops every fill, or the unfinished one with the fewest options.

    If all are finished, the next one after `here` with which something must be done; None if all is well. The
    rows are to be marked, and the emptiest first.
    """
    open_row = next((row for row in rows if row.is_dead or not row.is_filled), None)
    faulty = [row for row in rows if row.is_faulty]
    place = next((place for place, row in enumerate(faulty, 1) if row.name == here), 0)
    return open_row or (faulty[place % len(faulty)] if faulty else None)


_REBUS = lazy_pattern(r"\[(.)[^\]]*\]")

_GAUGE = "▏▎▍▌▋▊▉█"
_FULL_GAUGE = 4096
"""Options that fill the gauge; it grows with their logarithm."""

_HARD, _EASY = 10, 100
"""Options below which an entry is marked, and from which on its gauge draws no attention."""

_COUNTS_WIDTH = 15
COUNT_COLUMNS = f"{'match':>6}{'fit':>7}   "
"""What the counts are, above them and the scroll bar."""
_NAME_WIDTH = 6
_CLUES_FROM = 52
"""Cells beside the scrollbar's from which on the clue stands beside the pattern."""
_LINKED_SIGN = "+"
"""Behind the first of several linked lights, where there is no room for the names of all."""

_PATTERN_WIDTH = 20
_WIDEST_COUNT = 99_999


def _name_width(rows: Sequence[EntryRow]) -> int:
    """Cells for the names of entries: more where some are of linked lights, `12A,15D`."""
    return max([_NAME_WIDTH, *(len(row.label) + 3 for row in rows if row.label != row.name)])


class EntryList(RowList[EntryRow]):
    """One row an entry: name, pattern, words that match, words that survive propagation, a gauge."""

    remark: reactive[str] = reactive("no entries: the grid has no two open squares in a row")

    live: reactive[Mapping[str, int]] = reactive(dict)
    """While a search goes on: the words that it has left for each entry."""

    def fragments(self, row: EntryRow, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint = self.paint
        with_clue = width > _CLUES_FROM
        name_width = _name_width(self.rows) if with_clue else _NAME_WIDTH
        room = width - name_width - _COUNTS_WIDTH - 1
        label = row.label if with_clue or row.label == row.name else f"{row.name}{_LINKED_SIGN}"
        marked = f"{label}{RULE_SIGN if row.has_rule else ''}"
        name = (f" {marked:<{name_width - 1}}", paint.accent if is_current else paint.muted)
        counts = self._counts(row)
        gap = 0 if counts[0][0].startswith(" ") else 1
        return [name, *self._middle(row, room, gap, with_clue=with_clue), *counts]

    def _middle(self, row: EntryRow, room: int, gap: int, *, with_clue: bool) -> list[Fragment]:
        """The pattern, and the clue where there is room; `gap` cells before the counts stay empty."""
        paint = self.paint
        wide = room
        if with_clue:
            longest = max((len(one.pattern) for one in self.rows), default=0)
            wide = min(longest + 1, max(_PATTERN_WIDTH, room // 2))
        style = paint.muted if row.is_filled and not row.is_locked else paint.text
        shown = wide if with_clue else wide - gap
        pattern = (printable(_brief(row.pattern, shown), shown).ljust(wide), style)
        if not with_clue:
            return [pattern]
        clue = printable(row.clue or row.other_clue, room - wide - 2)
        style = paint.muted if row.clue else paint.warning
        return [pattern, (" " + clue.ljust(room - wide - 1), style)]

    def _counts(self, row: EntryRow) -> list[Fragment]:
        paint = self.paint
        if row.is_banned and row.name not in self.live:
            return [("banned".rjust(_COUNTS_WIDTH - 2), paint.bad), ("  ", paint.text)]
        if row.is_locked:
            return [("locked".rjust(_COUNTS_WIDTH - 2), paint.good), ("  ", paint.text)]
        if row.name in self.live:
            left = self.live[row.name]
            style = paint.bad if left == 0 else paint.search
            return [
                (_figure(row.matches or 0).rjust(6), paint.muted),
                (_figure(left).rjust(7), style),
                ("  ", style),
            ]
        if row.is_filled and not row.is_dead:
            known = f"score {row.score}" if row.score is not None else "not listed" if row.is_unlisted else "·"
            known = f"{REPEAT_SIGN} {known}" if row.is_repeat else known
            style = paint.warning if row.is_unlisted or row.is_repeat else paint.muted
            return [(known.rjust(_COUNTS_WIDTH - 2), style), ("  ", paint.text)]
        if row.options is None:
            matches = "·" if row.matches is None else _figure(row.matches)
            return [(matches.rjust(6) + "·".rjust(7) + "  ", paint.muted)]
        alarm = paint.bad if row.options == 0 else paint.warning if row.options < _HARD else paint.text
        return [
            ("·".rjust(6) if row.matches is None else _figure(row.matches).rjust(6), paint.muted),
            (_figure(row.options).rjust(7), alarm),
            (f" {gauge(row.options)}", paint.muted if row.options >= _EASY else alarm),
        ]


def _brief(pattern: str, width: int) -> str:
    """A pattern; a rebus square shows its first letter only where that is the one cut that it takes."""
    brief = _REBUS.sub(r"\1…", pattern)
    is_cut_once = len(brief) <= width and brief.count("…") == 1
    return brief if len(pattern) > width and is_cut_once else pattern


def _figure(count: int) -> str:
    return f"{count:,}" if count <= _WIDEST_COUNT else f"{count // 1000:,}k"


def gauge(options: int) -> str:
    """A bar in one cell, as high as the logarithm of the options."""
    if options <= 0:
        return "×"
    share = min(log2(options + 1) / log2(_FULL_GAUGE), 1)
    return _GAUGE[round(share * (len(_GAUGE) - 1))]


_REMARK_SIGN = "!"
_LEAST_CLUE = 24
"""Cells of a clue from which on its answer is not cut."""


class ClueList(RowList[EntryRow]):
    """One row an entry: name, answer so far, a sign where something is to be said of it, clue, enumeration."""

    remark: reactive[str] = reactive("no entries yet")

    remarked: reactive[Collection[str]] = reactive(frozenset)

    @property
    def clue_column(self) -> int:
        return _name_width(self.rows) + self._answer_width

    @property
    def _answer_width(self) -> int:
        longest = max((len(row.pattern) for row in self.rows), default=0) + 2
        room = self.size.width - _name_width(self.rows)
        return max(min(longest, max(room // 3, room - _LEAST_CLUE)), 7)

    def fragments(self, row: EntryRow, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint = self.paint
        wide = self._answer_width
        name_width = _name_width(self.rows)
        room = max(width - name_width - wide - 1, 1)
        style = paint.text if row.is_filled else paint.muted
        behind = f" {row.enumeration}" if row.enumeration else ""
        room = max(room - len(behind), 1)
        clue = (printable(row.clue, room), paint.text) if row.clue else ("—", paint.muted)
        if row.other_clue:
            clue = (printable(row.other_clue, room), paint.warning)
        name = (f" {row.label:<{name_width - 1}}", paint.accent if is_current else paint.muted)
        sign = (_REMARK_SIGN if row.name in self.remarked else " ", paint.warning)
        return [name, (printable(row.pattern, wide - 2).ljust(wide - 1), style), sign, clue, (behind, paint.muted)]


class ClueRows(ClueList):
    """The rows of the table, whose Enter stands in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", "edit", key_display="Enter")]


_HINTS = {
    ":": "this will be the clue; to run a command, press Esc and then :",
    "?": "this will be the clue; F1 is help",
}


class ClueField(Input):
    """The field over a clue, whose Enter stands in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "keep, next clue", key_display="Enter")]

    @property
    def hint(self) -> str:
        """What is to be said where a clue begins with a sign that may have been meant otherwise."""
        return _HINTS.get(self.value, "")

    def on_paste(self, event: events.Paste) -> None:
        """Leave several lines to the table: the field would take the first alone."""
        if len(event.text.splitlines()) > 1:
            event.prevent_default()
