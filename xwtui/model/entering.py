"""Answers that are entered in a different form, such as PLANTS entered as PANTS."""

from __future__ import annotations

import enum
import unicodedata
from collections import Counter
from typing import NamedTuple


class EnteredAnswer(NamedTuple):
    """An answer together with the different text that is entered in the grid."""

    answer: str
    entered: str

    def __str__(self) -> str:
        """Return `PLANTS -> PANTS`."""
        return f"{self.answer} -> {self.entered}"


class Entering(enum.Enum):
    """How an answer is changed before it is entered. The value is the word that users type."""

    DROP = "drop"
    ADD = "add"
    CHANGE = "change"
    JUMBLE = "jumble"
    REVERSE = "reverse"
    REMOVE = "remove"
    VOWELS = "vowels"

    @property
    def has_letter(self) -> bool:
        """Whether one letter records the change, so that several entries can spell a message."""
        return self in (Entering.DROP, Entering.ADD, Entering.CHANGE)


_VOWELS = frozenset("AEIOUÆØΑΕΗΙΟΥΩАЕИОУЫЭЮЯІЄ")


def is_vowel(letter: str) -> bool:
    """Whether a capital letter is a vowel, ignoring accents and dots. Y is not a vowel."""
    return unicodedata.normalize("NFD", letter)[0] in _VOWELS


class Treatment(NamedTuple):
    """One way to change answers before they are entered."""

    how: Entering
    text: str = ""
    """The text that REMOVE deletes everywhere in the answer."""

    def letter(self, answer: str, entered: str) -> str:
        """Return the letter dropped, added or substituted; empty if `entered` is not made this way."""
        match self.how:
            case Entering.DROP:
                return _added(entered, answer)
            case Entering.ADD:
                return _added(answer, entered)
            case Entering.CHANGE if len(answer) == len(entered):
                other = [new for old, new in zip(answer, entered, strict=True) if old != new]
                return other[0] if len(other) == 1 else ""
        return ""

    def makes(self, answer: str, entered: str) -> bool:
        """Whether this treatment can turn the answer into `entered`.

        REVERSE, REMOVE and VOWELS accept an unchanged answer if it is a palindrome or has none of the letters to
        remove.
        """
        match self.how:
            case Entering.JUMBLE:
                return answer != entered and Counter(answer) == Counter(entered)
            case Entering.REVERSE:
                return answer[::-1] == entered
            case Entering.REMOVE:
                return answer.replace(self.text, "") == entered
            case Entering.VOWELS:
                return "".join(letter for letter in answer if not is_vowel(letter)) == entered
        return self.letter(answer, entered) != ""

    @property
    def words(self) -> str:
        """Phrase to follow "entered": `with a letter dropped`."""
        return _WORDS[self.how].format(self.text)


class SlotTreatment(NamedTuple):
    """What a slot may enter. Instances serve as keys of lookup tables."""

    treatment: Treatment
    letters: str
    """The letters that may be dropped, added or substituted, in alphabetical order; empty means any."""
    may_be_plain: bool
    """Whether the answer may be entered unchanged."""
    tells_letter: bool
    """Whether the changed letter matters, so that an entered text has one row for each such letter."""
    tells_answer: bool = False
    """Whether answers are required or limited. If so, an entered text has a row for each answer, not only the
    best."""


_WORDS = {
    Entering.DROP: "with a letter dropped",
    Entering.ADD: "with a letter added",
    Entering.CHANGE: "with a letter changed",
    Entering.JUMBLE: "jumbled",
    Entering.REVERSE: "reversed",
    Entering.REMOVE: "without {}",
    Entering.VOWELS: "without vowels",
}


def _added(short: str, long: str) -> str:
    """Return the one letter that `long` has in addition to `short`, at any position; otherwise empty."""
    if len(long) != len(short) + 1:
        return ""
    at = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    return long[at] if short[at:] == long[at + 1 :] else ""
