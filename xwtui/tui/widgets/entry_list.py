"""The entries as rows, computed from a puzzle and its slots' counts, and the lists that show them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from math import log2
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.widgets import Input

from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model import Grid, Ink, Puzzle, Slot
from xwtui.model.clues import Clue, WholeClue
from xwtui.model.markup import numbered
from xwtui.text import printable
from xwtui.tui.widgets.candidate_list import REPEAT_SIGN
from xwtui.tui.widgets.painted import Fragment
from xwtui.tui.widgets.row_list import RowList

with lazy_imports():
    from xwtui.engine.candidates.options import SlotOptions

RULE_SIGN = "§"
"""Marks an entry with a rule of its own."""
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
        """The order in words, with a sign that it can be changed."""
        words = {
            EntryOrder.EMPTIEST: "emptiest first",
            EntryOrder.WORST: "worst first",
            EntryOrder.CLUE: "in clue order",
        }
        return f"{words[self]} ▾"


class EntryRow(NamedTuple):
    """One entry: its pattern, both counts (None if unknown), and its score if it is complete."""

    name: str
    pattern: str
    matches: int | None
    options: int | None
    is_filled: bool
    is_locked: bool
    score: int | None
    clue: str
    has_rule: bool = False
    stale: Clue | None = None
    """The clue of an earlier answer, if the present one has none."""
    offered: str = ""
    """A clue that the puzzle has elsewhere for the answer, if it has none here."""
    typed: str = ""
    enumeration: str = ""
    """The enumeration printed after the clue, `(3,5)`; empty if there is none, or if the clue contains it."""

    label: str = ""
    """The name, with those of linked lights."""
    clued_at: str = ""
    """The entry that has the clue, if this is a later linked light."""
    is_dead: bool = False
    """Whether this entry rules out every fill."""
    is_banned: bool = False
    is_unlisted: bool = False
    """Whether its answer is in no list, once the lists are loaded."""
    is_repeat: bool = False
    """Whether its answer shares a stem with another one."""

    @property
    def is_faulty(self) -> bool:
        """Whether something must be fixed here before the grid is finished; locked entries are deliberate."""
        is_doubtful = self.is_banned or self.is_unlisted or self.is_repeat
        return self.is_dead or (not self.is_filled and self.options == 0) or (is_doubtful and not self.is_locked)

    @property
    def fault(self) -> str:
        """What is wrong with its answer; empty if nothing is."""
        is_repeat = "a repeat" if self.is_repeat else ""
        return "banned" if self.is_banned else "not listed" if self.is_unlisted else is_repeat

    @property
    def draft(self) -> str:
        """The initial text for editing the clue: the clue, an offered one, or that of the earlier answer."""
        return self.whole(self.typed or self.offered or (self.stale.text if self.stale is not None else ""))

    def whole(self, text: str) -> str:
        """Return a text as the clue, followed by the enumeration."""
        return f"{text} {self.enumeration}".strip() if self.enumeration else text

    def end_of_clue(self, text: str) -> int:
        """Return the index where typing continues in a text, before the enumeration if it ends with it."""
        has_it = self.enumeration and text.endswith(self.enumeration)
        return max(len(text) - len(self.enumeration) - 1, 0) if has_it else len(text)

    def with_letter(self, letter: str, left: str | None) -> str:
        """Return the unfinished text `left`, or else the clue, with a letter added at its end."""
        text = self.whole(self.typed) if left is None else left
        at = self.end_of_clue(text)
        gap = " " if not at and text else ""
        return f"{text[:at]}{letter}{gap}{text[at:]}".lstrip()

    @property
    def other_clue(self) -> str:
        """The alternative if the answer has no clue: an offered clue, or that of the earlier answer."""
        if self.clue:
            return ""
        if self.offered:
            return f"offered: {self.offered}"
        return f"clue of {self.stale.answer}: {self.stale.text}" if self.stale is not None else ""


class ClueFilter(enum.Enum):
    """Which entries are listed; the value is the filter in words."""

    ALL = "all"
    UNCLUED = "without a clue"
    STALE = "with an earlier answer's clue"
    REMARKED = "with a remark"

    def following(self, rows: Sequence[EntryRow], remarked: Collection[str]) -> ClueFilter:
        """Return the next filter, skipping those that match no rows."""
        later = list(ClueFilter)[list(ClueFilter).index(self) + 1 :]
        return next((one for one in later if any(one.takes(row, remarked) for row in rows)), ClueFilter.ALL)

    def remark(self, listed: int, entries: int) -> str:
        """Return a remark about the filtered list; empty if all are listed."""
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
    """Return the rows of all entries in an order.

    Emptiest first: fewest options first, complete entries last. Worst first: complete entries with a `banned`
    word, then unlisted ones, then by score from the lowest, then incomplete ones by their options, and locked ones
    last. The first of several linked lights has a row with the whole answer, and each later one a row with its
    part. If the grid `is_dead`, propagation left no entry any words: the `culprits` are the cause and come first,
    and for the rest only pattern matches are meaningful.
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
                pattern=puzzle.shown_pattern(slot),
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
    """Return the rows with faulty ones moved to the front, otherwise in order, and the number of those.

    `repeats` are the entries whose answers share a stem. While the words are loading, no answer counts as
    unlisted.
    """
    marked = [
        row._replace(
            is_repeat=row.name in repeats, is_unlisted=are_words_known and row.is_filled and row.score is None
        )
        for row in rows
    ]
    return sorted(marked, key=lambda row: not row.is_faulty), sum(row.is_faulty for row in marked)


def row_from(every: Sequence[EntryRow], rows: Sequence[EntryRow], name: str) -> int | None:
    """Return the index of an entry's row, or of the next listed entry's; None if there is no such entry."""
    order = {row.name: place for place, row in enumerate(every)}
    if name not in order:
        return None
    later = (index for index, row in enumerate(rows) if order[row.name] >= order[name])
    return next(later, max(len(rows) - 1, 0))


def clues_remark(rows: Sequence[EntryRow], remarked: int = 0) -> str:
    """Return how many clues are missing, how many are for other answers, and how many have remarks."""
    missing, stale = sum(not row.clue for row in rows), sum(row.stale is not None for row in rows)
    parts = [f"{missing} to write" if missing else "all written", f"{stale} for other answers" if stale else ""]
    return ", ".join(filter(None, [*parts, f"{remarked} with a remark" if remarked else ""]))


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
    """Return the entry that rules out every fill, or the incomplete one with the fewest options.

    If all are complete, return the next faulty one after `here`, or None if all is well. The rows must be marked,
    and sorted emptiest first.
    """
    open_row = next((row for row in rows if row.is_dead or not row.is_filled), None)
    faulty = [row for row in rows if row.is_faulty]
    place = next((place for place, row in enumerate(faulty, 1) if row.name == here), 0)
    return open_row or (faulty[place % len(faulty)] if faulty else None)


_REBUS = lazy_pattern(r"\[(.)[^\]]*\]")

_GAUGE = "▏▎▍▌▋▊▉█"
_FULL_GAUGE = 4096
"""Options that fill the gauge, which grows with their logarithm."""

_HARD, _EASY = 10, 100
"""Options below which an entry is marked, and from which its gauge is muted."""

_COUNTS_WIDTH = 15
COUNT_COLUMNS = f"{'match':>6}{'fit':>7}   "
"""Headings of the counts, padded to the scroll bar."""
_NAME_WIDTH = 6
_CLUES_FROM = 52
"""Width without the scroll bar from which the clue is shown next to the pattern."""
_LINKED_SIGN = "+"
"""Marks the first of several linked lights, where there is no room for all names."""

_PATTERN_WIDTH = 20
_WIDEST_COUNT = 99_999


def _name_width(rows: Sequence[EntryRow]) -> int:
    """Return the width of the names, larger if there are linked lights, `12A,15D`."""
    return max([_NAME_WIDTH, *(len(row.label) + 3 for row in rows if row.label != row.name)])


class EntryList(RowList[EntryRow]):
    """One row per entry: name, pattern, matching words, words after propagation, a gauge."""

    remark: reactive[str] = reactive("no entries: the grid has no two open squares in a row")

    live: reactive[Mapping[str, int]] = reactive(dict)
    """During a search: how many words it has left for each entry."""

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
        """Return the pattern, and the clue if there is room; `gap` cells before the counts stay empty."""
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
    """Return a pattern, with a rebus square cut to its first letter if that one cut makes it fit."""
    brief = _REBUS.sub(r"\1…", pattern)
    is_cut_once = len(brief) <= width and brief.count("…") == 1
    return brief if len(pattern) > width and is_cut_once else pattern


def _figure(count: int) -> str:
    return f"{count:,}" if count <= _WIDEST_COUNT else f"{count // 1000:,}k"


def gauge(options: int) -> str:
    """Return a one-cell bar that grows with the logarithm of the options."""
    if options <= 0:
        return "×"
    share = min(log2(options + 1) / log2(_FULL_GAUGE), 1)
    return _GAUGE[round(share * (len(_GAUGE) - 1))]


_REMARK_SIGN = "!"
_LEAST_CLUE = 24
"""Width of a clue from which its answer is not cut."""


class ClueList(RowList[EntryRow]):
    """One row per entry: name, answer so far, a mark for remarks, clue, enumeration."""

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
    """The rows of the clue table, whose Enter is shown in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", "edit", key_display="Enter")]


_HINTS = {
    ":": "this will be the clue; to run a command, press Esc and then :",
    "?": "this will be the clue; F1 is help",
}


class ClueField(Input):
    """The field for editing a clue, whose Enter is shown in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "keep, next clue", key_display="Enter")]

    @property
    def hint(self) -> str:
        """A hint if the clue starts with a character that may have been meant as a command."""
        return _HINTS.get(self.value, "")

    def on_paste(self, event: events.Paste) -> None:
        """Leave several lines to the table: the field would take only the first."""
        if len(event.text.splitlines()) > 1:
            event.prevent_default()
