"""Answers and what is entered for them, where these are two things: PLANTS, entered as PANTS."""

from __future__ import annotations

import enum
import unicodedata
from collections import Counter

from xwtui.named_tuples import NamedTuple


class EnteredAnswer(NamedTuple):
    """An answer and what is entered for it, which is something else."""

    answer: str
    entered: str

    def __str__(self) -> str:
        """`PLANTS -> PANTS`."""
        return f"{self.answer} -> {self.entered}"


class Entering(enum.Enum):
    """How an answer is made into what is entered; the value is how it is typed."""

    DROP = "drop"
    ADD = "add"
    CHANGE = "change"
    JUMBLE = "jumble"
    REVERSE = "reverse"
    REMOVE = "remove"
    VOWELS = "vowels"

    @property
    def has_letter(self) -> bool:
        """Whether one letter tells what was done, so that several entries can spell a message."""
        return self in (Entering.DROP, Entering.ADD, Entering.CHANGE)


_VOWELS = frozenset("AEIOUÆØΑΕΗΙΟΥΩАЕИОУЫЭЮЯІЄ")


def is_vowel(letter: str) -> bool:
    """Whether a capital letter is a vowel, with its accents and dots; Y is none."""
    return unicodedata.normalize("NFD", letter)[0] in _VOWELS


class Treatment(NamedTuple):
    """One way in which answers are entered."""

    how: Entering
    text: str = ""
    """What REMOVE takes away, wherever it stands."""

    def letter(self, answer: str, entered: str) -> str:
        """The letter dropped, added or entered in place of another; empty where it is not so entered."""
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
        """Whether an answer may be entered so; one without the letters, or a palindrome, as it is."""
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
        """What is done, to come after "entered": `with a letter dropped`."""
        return _WORDS[self.how].format(self.text)


class SlotTreatment(NamedTuple):
    """What a slot may enter; a key of tables."""

    treatment: Treatment
    letters: str
    """The only letters dropped, added or entered, in alphabetical order; empty for any."""
    may_be_plain: bool
    """Whether the answer may be entered as it is."""
    tells_letter: bool
    """Whether it matters which letter it is, so that what is entered has a row for each."""
    tells_answer: bool = False
    """Whether answers are wanted or limited, so that each that enters the same has a row, not only the best."""


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
    """The letter that the longer of two texts has more than the other, wherever it stands; empty for others."""
    if len(long) != len(short) + 1:
        return ""
    at = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    return long[at] if short[at:] == long[at + 1 :] else ""
