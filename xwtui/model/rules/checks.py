"""Limits on rules, and readers for their fields in files.

Rules come from hastily typed lines and from untrusted files.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.letters import KNOWN, KNOWN_LETTERS
from xwtui.model.square import Content

LONGEST_WORD = 40

LONGEST_MESSAGE = 60
"""Maximum number of steps in a message: the filler tracks them in one 64-bit mask."""

_WORD = lazy_pattern(rf"[{KNOWN}]{{1,{LONGEST_WORD}}}")

T = TypeVar("T")


class DamageError(Exception):
    """Raised if part of a file's rules is malformed."""


def check_words(words: Iterable[str]) -> None:
    """Raise PuzzleError for a text that is not a word."""
    check_each(
        words, lambda word: _WORD.fullmatch(word) is not None, f"word of 1 to {LONGEST_WORD} letters and digits"
    )


def check_letters(letters: str, what: str) -> None:
    """Raise PuzzleError for a text with anything but known letters and digits."""
    if not set(letters) <= set(KNOWN_LETTERS):
        raise PuzzleError(f"{what} are capitals and 0-9")


def check_each(texts: Iterable[str], is_good: Callable[[str], bool], what: str) -> None:
    """Raise PuzzleError for a text that fails the predicate."""
    for text in texts:
        if not is_good(text):
            raise PuzzleError(f"{text[:40]!r} is no {what}")


def check_count(count: int, most: int, what: str) -> None:
    """Raise PuzzleError if there are too many of something."""
    if count > most:
        raise PuzzleError(f"{count:,} {what} are too many; {most:,} are allowed")


def check_number(number: int | None, most: int, what: str) -> None:
    """Raise PuzzleError for an impossible number; None is accepted."""
    if number is not None and not 0 <= number <= most:
        raise PuzzleError(f"the number of {what} must be 0 to {most}, not {number}")


def check_distinct(things: Collection[object], how: str) -> None:
    """Raise PuzzleError for an item that occurs twice."""
    for thing, times in Counter(things).items():
        if times > 1:
            raise PuzzleError(f"{thing} is {how} twice")


def _is_a(kind: type[T]) -> Callable[[Any], T]:
    """Return a reader that accepts exactly this type; JSON's true is not a number here."""

    def read(value: Any) -> T:
        if type(value) is not kind:
            raise DamageError
        return value

    return read


read_string = _is_a(str)
read_number = _is_a(int)
read_flag = _is_a(bool)
read_list: Callable[[Any], list[Any]] = _is_a(list)
read_mapping: Callable[[Any], dict[str, Any]] = _is_a(dict)


def read_number_of(fields: Mapping[str, Any], name: str) -> int | None:
    """Return a number by its field name, or None if the field is missing; raises DamageError."""
    return read_number(fields[name]) if name in fields else None


def read_strings(value: Any) -> tuple[str, ...]:
    """Parse a list of strings; raises DamageError."""
    return tuple(map(read_string, read_list(value)))


def read_content(value: Any) -> Content:
    """Parse the content of a square; raises DamageError and PuzzleError."""
    return Content.parse(read_string(value))
