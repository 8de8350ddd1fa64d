"""The entries as lists: with their patterns and counts, or with their clues."""

import re
from collections.abc import Collection, Mapping, Sequence
from math import log2
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.widgets import Input

from xwtui.text import printable
from xwtui.tui.entry_rows import RULE_SIGN, EntryRow
from xwtui.tui.widgets.candidate_list import REPEAT_SIGN
from xwtui.tui.widgets.painted import Fragment
from xwtui.tui.widgets.row_list import RowList

_REBUS = re.compile(r"\[(.)[^\]]*\]")

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
        wide = min(self._longest + 1, max(_PATTERN_WIDTH, room // 2)) if with_clue else room
        style = paint.muted if row.is_filled and not row.is_locked else paint.text
        shown = wide if with_clue else wide - gap
        pattern = (printable(_brief(row.pattern, shown), shown).ljust(wide), style)
        if not with_clue:
            return [pattern]
        clue = printable(row.clue or row.other_clue, room - wide - 2)
        style = paint.muted if row.clue else paint.warning
        return [pattern, (" " + clue.ljust(room - wide - 1), style)]

    @property
    def _longest(self) -> int:
        return max((len(row.pattern) for row in self.rows), default=0)

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
