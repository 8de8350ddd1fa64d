"""How rules are typed: the arguments and options of their verbs, as plain values from which the verbs are built.

The session knows how to parse and complete each kind in `Reads`. The parsed values go to the rule's own class.
"""

from __future__ import annotations

import enum
from string import ascii_uppercase
from typing import Any, NamedTuple

from xwtui.errors import PuzzleError

ALL = "all"
"""The word that means all entries."""

BOTH = "both"
"""The word that means across and down together."""

OFF = "off"
"""The word that removes a rule."""


class Reads(enum.Enum):
    """What a word of a line is parsed as."""

    OFF = "the word `off`"
    SWITCH = "`on` or `off`: True or False"
    SCORE = "0 to 100, or None for `none`"
    LIST = "the name of a word list; empty for none"
    PATTERN = "a regular expression in capitals"
    PARTS = "letters in a row, or several such with commas: a tuple"
    LETTER = "one letter or digit"
    WORD = "a word in capitals, or `off`"
    WORD_GROUP = "two words or more, with spaces: a frozenset"
    CONTENT = "a Content, or `off`"
    MESSAGE = "a word of a message, rebus squares in brackets, or `off`"
    LETTERS = "some letters, each once, or `on` or `off`"
    TAG = "a tag of the word lists"
    NUMBER = "a number within the bounds"
    NUMBER_OR_OFF = "a number within the bounds, or `off`"
    RANGE = "a Range: `5`, or `4..6`"
    TREATMENT = "an Entering by its name, or `off`"
    LIGHT = "a SlotKey, a Direction, ALL or `off`; letters in capitals where it is none of these"
    SQUARES = "an Area of open squares, or `off`"
    SIDE = "a Direction, or `both`"
    SPELLED = "a text in the letters of the puzzle, without its blanks"
    FLAG = "nothing: the option is there, or it is not"


class Range(NamedTuple):
    """A minimum and a maximum count."""

    least: int
    most: int


class Value(NamedTuple):
    """What one word of a line is parsed as, with bounds if it is a number."""

    reads: Reads
    low: int = 0
    high: int = 0


class Argument(NamedTuple):
    """An argument of a rule's verb. Without `many` it is a single, optional word."""

    name: str
    value: Value
    help: str
    many: bool = False


class RuleOption(NamedTuple):
    """An option of a rule's verb.

    Its result is the parsed value, a tuple if the option takes several words, and a tuple of all occurrences if it
    may be repeated (`many`).
    """

    flag: str
    value: Value | tuple[Value, ...]
    """One value for each word that it takes; empty for a flag."""
    help: str
    name: str = ""
    """Name of the result; empty for the flag's name."""
    many: bool = False
    metavar: str = ""

    @property
    def values(self) -> tuple[Value, ...]:
        """One value for each word that it takes."""
        return (self.value,) if isinstance(self.value, Value) else self.value

    @property
    def called(self) -> str:
        return self.name or self.flag.removeprefix("--").replace("-", "_")


def is_off(text: str) -> bool:
    """Whether a word removes a rule."""
    return text.lower() == OFF


def only_last_off(words: tuple[Any, ...], message: str) -> bool:
    """Whether the last word is `off`; raises PuzzleError with this message if an earlier one is."""
    if OFF in words[:-1]:
        raise PuzzleError(message)
    return OFF in words


def letters_said(wish: str) -> str:
    """Return the letters that a `Reads.LETTERS` value means: A to Z for `on`, none for `off`."""
    return {"on": ascii_uppercase, OFF: ""}.get(wish, wish)


def letters_meant(letters: str) -> str:
    """Return letters in words: `A to Z`, or each separately."""
    return "A to Z" if set(letters) >= set(ascii_uppercase) else " ".join(letters)
