"""The candidates of the current entry, best first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from xwtui.dataclasses import dataclass
from xwtui.engine.candidates.estimate import CandidateEstimate
from xwtui.lazy import lazy_imports
from xwtui.text import printable
from xwtui.tui.widgets.painted import Fragment
from xwtui.tui.widgets.typing_lists import NarrowedRows
from xwtui.wording import about

with lazy_imports():
    from xwtui.engine.candidates.rows import CandidateRows

_WIDEST_WORD = 24
_SCORE_WIDTH = 3
_FIGURES_WIDTH = 14
"""Cells for the score and the number of fills."""
REPEAT_SIGN = "↻"
"""Marks a word that repeats an answer, where there is no room for text."""
_PROVEN, _PROVEN_SIGN = " ✓ fill", " ✓"
"""Marks a word that has a fill, in full and where there is no room for that."""


class CandidateList(NarrowedRows[CandidateEstimate]):
    """One row per word; typing letters narrows the list to words that start with them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "place the word", key_display="Enter"),
        Binding("escape", "screen.focus_grid", "back to the grid", key_display="Esc"),
    ]

    are_judged: reactive[bool] = reactive(True)
    """Whether dead words are known to be dead individually, rather than because the whole grid is."""

    most: reactive[float | None] = reactive(None)
    """The upper estimate of the grid's fills, as a base-10 logarithm: no word can have more."""

    @dataclass
    class InView(Message):
        """The words in view have changed; dead ones are left out."""

        words: tuple[str, ...]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: CandidateRows | None = None
        self._entry = ""
        self._reported_words: tuple[str, ...] = ()
        self.repeats: Callable[[str], Sequence[str]] = lambda word: ()
        """Returns the answers of other entries that a word repeats, each after the name of its entry."""

    def offer(self, words: CandidateRows | None, entry: str, *, is_new_order: bool = False) -> None:
        """Offer the words of an entry, from the top; a selected word of the same entry stays selected.

        That word also stays in its line, unless the list `is_new_order`, which is requested to see what comes
        first. A list still at the top counts as having a selected word if it has the focus. The typed letters that
        narrow the list apply to one entry only.
        """
        is_same = entry == self._entry
        is_below = bool(self.current or self.top)
        before = self.rows if is_same and not is_new_order and (is_below or self.has_focus) else ()
        self._entry = entry
        self._all = words
        if not is_same:
            self.typed = ""
        if before:
            self._stay(before, self._narrowed())
        else:
            self.narrow()

    def _stay(self, before: Sequence[CandidateEstimate], rows: CandidateRows | None) -> None:
        """Show new rows, keeping the current word, and keeping it in its line if it is in view."""

        def now(index: int) -> int:
            """Return a row's new index, or the same index if the row is gone."""
            place = rows.place(before[index].word) if rows is not None and index < len(before) else None
            return index if place is None else place

        is_in_view = self.top <= self.current < self.top + self.size.height
        fixed = self.current if is_in_view else self.top
        top = now(fixed) - (fixed - self.top)
        self.show(rows or (), now(self.current), follow=False)
        self.top = top
        self._report_view()

    @property
    def chosen_word(self) -> str | None:
        return self.pointed.word if self.pointed is not None else None

    def narrow(self, here: Hashable = None) -> None:
        rows = self._narrowed()
        place = rows.place(str(here)) if rows is not None and here else None
        self.show(rows or (), place or 0)
        self.reveal()
        self._report_view()
        self.post_message(self.Narrowed())

    def _narrowed(self) -> CandidateRows | None:
        return self._all.starting_with(self.typed) if self.typed and self._all is not None else self._all

    def watch_top(self) -> None:
        self._report_view()

    def on_resize(self) -> None:
        super().on_resize()
        self._report_view()

    def _report_view(self) -> None:
        shown = self.rows[self.top : self.top + self.size.height]
        words = tuple(row.word for row in shown if row.alive)
        if words != self._reported_words:
            self._reported_words = words
            self.post_message(self.InView(words))

    def fragments(self, row: CandidateEstimate, width: int, *, is_current: bool) -> Sequence[Fragment]:
        paint = self.paint
        room = min(width - _FIGURES_WIDTH - len(_PROVEN_SIGN), _WIDEST_WORD)
        longest = 0 if self._all is None else self._all.longest
        if longest <= room - len(_PROVEN) + len(_PROVEN_SIGN):
            room -= len(_PROVEN) - len(_PROVEN_SIGN)
            proven = _PROVEN
        else:
            proven = _PROVEN_SIGN
        word, repeats = self._with_repeats(row, room, len(proven))
        wide = _SCORE_WIDTH if longest < room else _SCORE_WIDTH + 1  # plus a gap before the scroll bar
        score = f"{'–' if row.score is None else row.score:>{wide}}"
        if not row.alive:
            return [
                (f" {word}", paint.muted),
                (score, paint.muted),
                (f"  dead {row.killed_by}" if row.killed_by else "  no fill" * self.are_judged, paint.muted),
            ]
        room_left = "" if row.log10 is None else f" {self._fills_left(row.log10, is_sure=row.is_sure)}"
        return [
            (f" {word}", paint.accent if is_current else paint.text),
            (score, paint.good),
            (room_left.rjust(9) if room_left or repeats else "", paint.text),
            (("" if row.fill is None else _PROVEN_SIGN.strip() if repeats else proven), paint.good),
            (repeats, paint.warning),
        ]

    def _fills_left(self, log10: float, *, is_sure: bool) -> str:
        """Return a word's number of fills, capped at the whole grid's if the estimates disagree: `≤10^23.8`."""
        if self.most is None or log10 <= self.most:
            return about(log10, is_sure=is_sure)
        return "?" if self.most < 0 else f"≤{about(self.most).removeprefix('≈')}"

    def _with_repeats(self, row: CandidateEstimate, room: int, at_end: int) -> tuple[str, str]:
        """Return a word with what it repeats, if there is room, or else a mark for the row's end."""
        word, repeated = row.shown, self.repeats(row.answer or row.word)
        if not repeated:
            return printable(word, room).ljust(room), ""
        entry = repeated[0].partition(" ")[0]
        notes = (f" repeats {repeated[0]}", f" repeats {entry}", f" {REPEAT_SIGN}{entry}", f" {REPEAT_SIGN}")
        fitting = next((one for one in notes if len(word) + len(one) < room), None)
        if fitting is not None:
            return f"{word}{fitting}".ljust(room), ""
        sign = f" {REPEAT_SIGN}{entry}"
        return printable(word, room).ljust(room), sign if len(sign) < at_end else REPEAT_SIGN

    def empty_text(self) -> str:
        return f"none starts with {self.typed}" if self.typed and self._all else self.remark

    def widen_all(self) -> None:
        """List all words again when the list is left."""
        if self.typed:
            self.retype("", self.chosen_word)

    def forget_place(self) -> None:
        """Start the next list at the top, regardless of its entry."""
        self._entry = ""
