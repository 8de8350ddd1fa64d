"""What a look-up index offers, and what it is made from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from xwtui.errors import WordListError
from xwtui.text import printable
from xwtui.words.word_list import WordTable

ANY = "?"
"""The sign of an open square in a pattern."""

_PATTERN = re.compile(r"[A-Z0-9?]+")


class TableSource(Protocol):
    """What an index is made from, such as a Lexicon."""

    def table(self, length: int) -> WordTable:
        """The words of a length, best score first."""


class PatternIndex(Protocol):
    """A look-up of words by pattern; patterns are of A-Z, 0-9 and `?`, which stands for any character."""

    def matches(self, pattern: str) -> Sequence[str]:
        """The words that fit, by descending score and then alphabetically; WordListError for a bad pattern."""

    def count(self, pattern: str) -> int:
        """The number of words that fit; WordListError for a bad pattern."""


def check_pattern(pattern: str) -> None:
    """Raise WordListError where a pattern is empty or has other characters than A-Z, 0-9 and `?`."""
    if _PATTERN.fullmatch(pattern) is None:
        raise WordListError(
            f"'{printable(pattern, 40)}' is no pattern; patterns are like Q?J, with ? for any letter"
        )
