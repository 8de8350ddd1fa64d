"""Answers that came about because others were written across them, and are no words, until that is mended."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xwtui.model import Puzzle, Slot, SlotKey

if TYPE_CHECKING:
    from xwtui.words.vocabulary import Vocabulary


class NonsenseEntry(NamedTuple):
    """An entry whose answer is in no list, and was not written as an answer but by what crosses it."""

    slot: Slot
    answer: str


class CrossedAnswers:
    """Takes note of answers that change without being written themselves, in one document."""

    def __init__(self) -> None:
        self._crossed: dict[SlotKey, str] = {}
        self._meant: set[tuple[SlotKey, str]] = set()
        """What was written as an answer or stood there at first, a word or not: the constructor wants it."""

    def clear(self) -> None:
        """Forget all: the puzzle is another one."""
        self._crossed.clear()
        self._meant.clear()

    def note(self, before: Puzzle, after: Puzzle, written: Slot | None) -> None:
        """Take note of a change, which wrote along an entry or (None) otherwise."""
        if before.grid is after.grid:
            return
        whole = None if written is None else after.grid.entry_of(written)
        were = before.grid.entries
        known = None if were is after.grid.entries else {slot.key: slot for slot in were}
        for slot in after.grid.entries:
            key, answer = slot.key, after.answer(slot)
            old = before.answer(slot) if known is None or known.get(key) == slot else None
            if answer == old:
                continue
            if old is not None and self._crossed.get(key) != old:
                self._meant.add((key, old))
            if answer is not None and slot == whole:
                self._meant.add((key, answer))
            elif answer is not None:
                self._crossed[key] = answer

    def nonsense(self, puzzle: Puzzle, vocabulary: Vocabulary | None) -> tuple[NonsenseEntry, ...]:
        """Those that stand in a puzzle still and are no words, in the order of the slots; none without lists."""
        if vocabulary is None:
            return ()
        from xwtui.words.rule_findings import listed_score  # noqa: PLC0415  (loads numpy)

        found = []
        for slot in puzzle.grid.entries:
            key = (slot.start, slot.direction)
            answer = self._crossed.get(key)
            if answer is None or (key, answer) in self._meant or puzzle.answer(slot) != answer:
                continue
            if listed_score(puzzle, slot, answer, vocabulary) is None:
                found.append(NonsenseEntry(slot, answer))
        return tuple(found)
