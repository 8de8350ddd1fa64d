"""Clues and enumerations: each is kept with the answer that it was written for, and comes back with it.

An enumeration is how many letters each word of an answer has, as a solver is told: `(3,4)`, `(2'1)`, `(4-2-3)`.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.slots import Slot, SlotKey
from xwtui.model.where import Direction, Position
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable

with lazy_imports():
    from xwtui.model.grid import Grid


class PartBreak(enum.Enum):
    """What stands between two parts of an answer; the value is how it is printed."""

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
"""`(9)`, `(5,4)`, `(3-2-3)`, `(3,4; two words)` at the end of a clue."""


class AnswerEnumeration(NamedTuple):
    """The numbers of letters of an answer's parts, and what stands between these, one fewer; all from 1 to 99."""

    lengths: tuple[int, ...]
    breaks: tuple[PartBreak, ...] = ()

    @classmethod
    def parse(cls, text: str) -> AnswerEnumeration:
        """Read `3,4`, `(3,4)`, `3 4` or `4-2-3`; raises PuzzleError for anything else."""
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
        """`3,4`."""
        return self.joined(",")

    def joined(self, word: str) -> str:
        """The same with another sign between words: ipuz has a blank there."""
        signs = (word if each is PartBreak.WORD else each.value for each in self.breaks)
        return "".join(f"{length}{sign}" for length, sign in zip(self.lengths, (*signs, ""), strict=True))

    @property
    def printed(self) -> str:
        """As it stands behind a clue: `(3,4)`."""
        return f"({self})"


class WholeClue(NamedTuple):
    """The text of a clue and the enumeration behind it, if there is one."""

    text: str
    enumeration: AnswerEnumeration | None

    @classmethod
    def parted(cls, text: str) -> WholeClue:
        """A clue as it is printed in its two parts."""
        found = _ENDING.fullmatch(text.rstrip())
        return cls(text, None) if found is None else cls(found["rest"], AnswerEnumeration._read(found["inside"]))

    @property
    def ending(self) -> str:
        """What stands behind the text, `(3,4)`; empty where none is told, or the text has it by itself.

        Behind another one that the text ends in it stands as well, so that neither is lost.
        """
        if self.enumeration is None:
            return ""
        in_text = WholeClue.parted(self.text).enumeration
        has_own = told_enumeration(self.text) is not None and in_text in (None, self.enumeration)
        return "" if has_own else self.enumeration.printed

    def __str__(self) -> str:
        """The clue with its enumeration, but for one that its text has by itself."""
        return f"{self.text} {self.ending}".lstrip() if self.ending else self.text


def told_enumeration(text: str) -> str | None:
    """The enumeration that the text of a clue ends in, `(3,4; two words)` too; None where there is none."""
    found = _TOLD.search(text)
    return None if found is None else found[1]


class Clue(NamedTuple):
    """A clue and its answer. The text is empty where there is nothing but an enumeration yet."""

    text: str
    answer: str = ""
    """The answer that it was written for; empty while its entry is not complete, until it is."""
    enumeration: AnswerEnumeration | None = None
    """How that answer is parted, where that is told."""


@dataclass(frozen=True)
class EntryClues:
    """All clues that an entry has: that of the present answer, and those of answers that stood there before.

    Where an answer is asked for, None stands for an entry that is not complete.
    """

    clues: tuple[Clue, ...]
    """The one that was last the entry's own at the end."""

    def own(self, answer: str | None) -> Clue | None:
        """The clue of an entry that has this answer."""
        return next((clue for clue in reversed(self.clues) if clue.answer == (answer or "")), None)

    @property
    def may_settle(self) -> bool:
        """Whether another answer may change anything: not where there is one clue alone, and it has its answer."""
        return len(self.clues) != 1 or not self.clues[0].answer

    def settled(self, answer: str | None) -> EntryClues:
        """The same once this answer stands: a clue that waited for an answer is its clue from now on.

        A clue that the answer had before is still kept, behind that one.
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
        """The same with another clue for this answer, or, if there is neither text nor enumeration, with none."""
        replaced, own = self.own(answer), Clue(text, answer or "", enumeration)
        if not text:
            others = tuple(clue for clue in self.clues if clue.answer != own.answer)
            return EntryClues((*others, own) if enumeration is not None else others)
        others = tuple(self._told(clue, own) for clue in self.clues if clue != replaced)
        return EntryClues((*others, own))

    @staticmethod
    def _told(clue: Clue, own: Clue) -> Clue:
        """Another clue beside the entry's own: an answer has one enumeration, whatever its clue."""
        return clue._replace(enumeration=own.enumeration) if clue.answer == own.answer else clue

    @property
    def written(self) -> tuple[Clue, ...]:
        return tuple(clue for clue in self.clues if clue.text)


class StaleClue(NamedTuple):
    """An entry without a clue for its answer, and the clue that it had last, of another answer."""

    slot: Slot
    answer: str | None
    """What stands in the entry now; None where it is not complete."""
    clue: Clue

    @property
    def words(self) -> str:
        """`17A CIDER has the clue of PONTI`."""
        entry = f"{self.slot.name}, not complete," if self.answer is None else f"{self.slot.name} {self.answer}"
        return f"{entry} has the clue of {self.clue.answer}"


class HomelessClue(NamedTuple):
    """A clue whose entry is gone, since a block or a bar was set: where that began, and the clue it had last."""

    start: Position
    direction: Direction
    clue: Clue

    @property
    def words(self) -> str:
        """`r3c5 across (of PONTI)`."""
        return f"{self.start} {self.direction.word}" + (f" (of {self.clue.answer})" if self.clue.answer else "")


def pointer(grid: Grid, slot: Slot) -> str:
    """What stands for the clue of a linked light but the first: `See 1`, or `See 1 Down` if 1 is two slots."""
    first = grid.entry_of(slot)
    other = grid.slot_of((first.start, first.direction.other))
    return f"See {first.number}" + ("" if other is None else f" {first.direction.word.title()}")


def unsettled(texts: Mapping[SlotKey, str]) -> dict[SlotKey, EntryClues]:
    """Clues by entry, as a file has them: each is for the answer that stands, or will stand, in its entry."""
    return {key: EntryClues((Clue(text),)) for key, text in texts.items() if text}
