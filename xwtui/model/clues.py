"""Clues and enumerations, each kept with the answer that it was written for.

When an answer returns to its entry, so does its clue. An enumeration lists the number of letters in each word of
an answer for solvers: `(3,4)`, `(2'1)`, `(4-2-3)`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from typing import NamedTuple

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.where import Direction, Position
from xwtui.text import printable

with lazy_imports():
    from xwtui.model.grid import Grid


class PartBreak(enum.Enum):
    """The separator between two parts of an answer; the value is its printed form."""

    WORD = ","
    HYPHEN = "-"
    APOSTROPHE = "'"
    PERIOD = "."


_BREAKS = {
    ",": PartBreak.WORD,
    **dict.fromkeys("-‐‑‒–", PartBreak.HYPHEN),
    **dict.fromkeys("'’", PartBreak.APOSTROPHE),
    ".": PartBreak.PERIOD,
}
_BREAK = lazy_pattern(rf"\s*([{re.escape(''.join(_BREAKS))}])\s*|\s+")
_LENGTHS = rf"[1-9][0-9]?(?:(?:{_BREAK.pattern})[1-9][0-9]?)*"
_WHOLE = lazy_pattern(rf"\s*(\()?\s*(?P<inside>{_LENGTHS})\s*(?(1)\))\s*")
_ENDING = lazy_pattern(rf"(?P<rest>.*?)\s*\((?P<inside>{_LENGTHS})\)", re.DOTALL)

_TOLD = lazy_pattern(r"(\([0-9]{1,2}(?:[-‐-–',. ’]+[0-9]{1,2})*(?:[,;] [^()0-9]*)?\))[.?!]?$")
"""Matches `(9)`, `(5,4)`, `(3-2-3)`, `(3,4; two words)` at the end of a clue."""


class AnswerEnumeration(NamedTuple):
    """The letter counts of an answer's parts, each 1 to 99, and the separators between them, one fewer."""

    lengths: tuple[int, ...]
    breaks: tuple[PartBreak, ...] = ()

    @classmethod
    def parse(cls, text: str) -> AnswerEnumeration:
        """Parse `3,4`, `(3,4)`, `3 4` or `4-2-3`; raises PuzzleError for anything else."""
        found = _WHOLE.fullmatch(text)
        if found is None:
            raise PuzzleError(f"'{printable(text, 30)}' is not an enumeration such as 3,4 or 2'1 or 4-2-3")
        return cls._read(found["inside"])

    @classmethod
    def _read(cls, inside: str) -> AnswerEnumeration:
        breaks = tuple(_BREAKS.get(found[1], PartBreak.WORD) for found in _BREAK.finditer(inside))
        return cls(tuple(map(int, re.findall("[0-9]+", inside))), breaks)

    @property
    def letters(self) -> int:
        return sum(self.lengths)

    def __str__(self) -> str:
        """Return `3,4`."""
        return self.joined(",")

    def joined(self, word: str) -> str:
        """Return the text with another separator between words; ipuz uses a space."""
        signs = (word if each is PartBreak.WORD else each.value for each in self.breaks)
        return "".join(f"{length}{sign}" for length, sign in zip(self.lengths, (*signs, ""), strict=True))

    @property
    def printed(self) -> str:
        """The form printed after a clue: `(3,4)`."""
        return f"({self})"


class WholeClue(NamedTuple):
    """A clue's text and the enumeration that follows it, if any."""

    text: str
    enumeration: AnswerEnumeration | None

    @classmethod
    def parted(cls, text: str) -> WholeClue:
        """Split a printed clue into text and enumeration."""
        found = _ENDING.fullmatch(text.rstrip())
        return cls(text, None) if found is None else cls(found["rest"], AnswerEnumeration._read(found["inside"]))

    @property
    def ending(self) -> str:
        """The enumeration to print after the text, `(3,4)`; empty if there is none or the text already ends in it.

        If the text ends in a different enumeration, this one follows it, so that neither is lost.
        """
        if self.enumeration is None:
            return ""
        in_text = WholeClue.parted(self.text).enumeration
        has_own = enumeration_in_text(self.text) is not None and in_text in (None, self.enumeration)
        return "" if has_own else self.enumeration.printed

    def __str__(self) -> str:
        """Return the clue with its enumeration, which is not repeated if the text already ends in it."""
        return f"{self.text} {self.ending}".lstrip() if self.ending else self.text


def enumeration_in_text(text: str) -> str | None:
    """Return the enumeration at the end of a clue's text, also `(3,4; two words)`, or None."""
    found = _TOLD.search(text)
    return None if found is None else found[1]


class Clue(NamedTuple):
    """A clue and its answer. The text is empty if only an enumeration is known."""

    text: str
    answer: str = ""
    """The answer that the clue was written for; empty while its entry is incomplete."""
    enumeration: AnswerEnumeration | None = None
    """The enumeration of that answer, if known."""


@dataclass(frozen=True)
class EntryClues:
    """All clues of an entry, current and earlier; in its methods, an answer of None means an incomplete entry."""

    clues: tuple[Clue, ...]
    """Ordered by last use: the clue that most recently belonged to the current answer is last."""

    def own(self, answer: str | None) -> Clue | None:
        """Return the clue for this answer, or None."""
        return next((clue for clue in reversed(self.clues) if clue.answer == (answer or "")), None)

    @property
    def may_settle(self) -> bool:
        """Whether `settled` may change anything: not if the only clue already has an answer."""
        return len(self.clues) != 1 or not self.clues[0].answer

    def settled(self, answer: str | None) -> EntryClues:
        """Return the clues once this answer stands.

        A clue written for the incomplete entry becomes the answer's clue. The answer's previous clue, if any, is
        kept before it.
        """
        if answer is None or not self.may_settle:
            return self
        waiting, before = self.own(None), self.own(answer)
        found = waiting or before
        if found is None:
            return self
        own = found._replace(answer=answer)
        if before is not None:
            own = own._replace(text=own.text or before.text, enumeration=own.enumeration or before.enumeration)
        others = (self._told(clue, own) for clue in self.clues if clue != found)
        ordered = (*(clue for clue in others if clue != own), own)
        return self if ordered == self.clues else EntryClues(ordered)

    def with_own(self, answer: str | None, text: str, enumeration: AnswerEnumeration | None = None) -> EntryClues:
        """Return the clues with another one for this answer, or none if both text and enumeration are empty."""
        replaced, own = self.own(answer), Clue(text, answer or "", enumeration)
        if not text:
            others = tuple(clue for clue in self.clues if clue.answer != own.answer)
            return EntryClues((*others, own) if enumeration is not None else others)
        others = tuple(self._told(clue, own) for clue in self.clues if clue != replaced)
        return EntryClues((*others, own))

    @staticmethod
    def _told(clue: Clue, own: Clue) -> Clue:
        """Return the clue, with the enumeration of `own` if both have the same answer: an answer has only one."""
        return clue._replace(enumeration=own.enumeration) if clue.answer == own.answer else clue

    @property
    def written(self) -> tuple[Clue, ...]:
        return tuple(clue for clue in self.clues if clue.text)


class StaleClue(NamedTuple):
    """An entry whose current answer has no clue, with its last clue, which is of another answer."""

    slot: Slot
    answer: str | None
    """The entry's current answer; None if it is incomplete."""
    clue: Clue

    @property
    def words(self) -> str:
        """Phrase such as `17A CIDER has the clue of PONTI`."""
        entry = f"{self.slot.name}, not complete," if self.answer is None else f"{self.slot.name} {self.answer}"
        return f"{entry} has the clue of {self.clue.answer}"


class OrphanedClue(NamedTuple):
    """The last clue of an entry that no longer exists, with the square and direction where the entry began."""

    start: Position
    direction: Direction
    clue: Clue

    @property
    def words(self) -> str:
        """Phrase such as `r3c5 across (of PONTI)`."""
        return f"{self.start} {self.direction.word}" + (f" (of {self.clue.answer})" if self.clue.answer else "")


def pointer(grid: Grid, slot: Slot) -> str:
    """Return the clue text of a later linked light: `See 1`, or `See 1 Down` if number 1 has two slots."""
    first = grid.entry_of(slot)
    other = grid.slot_of((first.start, first.direction.other))
    return f"See {first.number}" + ("" if other is None else f" {first.direction.word.title()}")


def unsettled(texts: Mapping[SlotKey, str]) -> dict[SlotKey, EntryClues]:
    """Return clues by entry as read from a file, each for the current or next answer of its entry."""
    return {key: EntryClues((Clue(text),)) for key, text in texts.items() if text}
