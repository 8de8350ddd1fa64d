"""Enumerations: how many letters each word of an answer has, as a solver is told: `(3,4)`, `(2'1)`, `(4-2-3)`."""

from __future__ import annotations

import enum
import re
from typing import NamedTuple

from xwtui.errors import PuzzleError
from xwtui.text import printable


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
_BREAK = re.compile(rf"\s*([{re.escape(''.join(_BREAKS))}])\s*|\s+")
_LENGTHS = rf"[1-9][0-9]?(?:(?:{_BREAK.pattern})[1-9][0-9]?)*"
_WHOLE = re.compile(rf"\s*(\()?\s*(?P<inside>{_LENGTHS})\s*(?(1)\))\s*")
_ENDING = re.compile(rf"(?P<rest>.*?)\s*\((?P<inside>{_LENGTHS})\)", re.DOTALL)

_TOLD = re.compile(r"(\([0-9]{1,2}(?:[-‐-–',. ’]+[0-9]{1,2})*(?:[,;] [^()0-9]*)?\))[.?!]?$")
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
        """What stands behind the text, `(3,4)`; empty where none is told, or the text has it by itself."""
        if self.enumeration is None or told_enumeration(self.text) is not None:
            return ""
        return self.enumeration.printed

    def __str__(self) -> str:
        """The clue with its enumeration, but for one that its text has by itself."""
        return f"{self.text} {self.ending}".lstrip() if self.ending else self.text


def told_enumeration(text: str) -> str | None:
    """The enumeration that the text of a clue ends in, `(3,4; two words)` too; None where there is none."""
    found = _TOLD.search(text)
    return None if found is None else found[1]
