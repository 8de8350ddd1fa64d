"""Look-up of words by pattern, asked thousands of times for one grid: bitsets."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from xwtui.errors import WordListError
from xwtui.model.letters import KNOWN, KNOWN_LETTERS
from xwtui.text import printable
from xwtui.words.normalise import codes_word, encode
from xwtui.words.word_list import WordTable

ANY = "?"
"""The sign of an open square in a pattern."""

_PATTERN = re.compile(rf"[{KNOWN}?]+")


class TableSource(Protocol):
    """What an index is made from, such as a Lexicon."""

    def table(self, length: int) -> WordTable:
        """The words of a length, best score first."""


def check_pattern(pattern: str) -> None:
    """Raise WordListError where a pattern is empty or has other characters than letters, 0-9 and `?`."""
    if _PATTERN.fullmatch(pattern) is None:
        raise WordListError(
            f"'{printable(pattern, 40)}' is not a pattern; patterns look like Q?J, with ? for any letter"
        )


class BitsetIndex:
    """Bitsets over the words of a length, made when a pattern first needs them.

    A pattern is the intersection of one bitset for each given letter. Patterns are of letters, 0-9 and `?`, which
    stands for any character.
    """

    def __init__(self, source: TableSource) -> None:
        self._source = source
        self._lengths: dict[int, _LengthBitsets] = {}

    def share(self, other: BitsetIndex, but_for: Container[int]) -> None:
        """Take the bitsets that another index has of words of the same lengths, but for some lengths."""
        self._lengths.update(
            {length: made for length, made in dict(other._lengths).items() if length not in but_for}
        )

    def matches(self, pattern: str) -> Sequence[str]:
        """The words that fit, by descending score and then alphabetically; WordListError for a bad pattern."""
        bitsets = self._bitsets(pattern)
        fitting = np.unpackbits(bitsets.fitting(pattern), count=len(bitsets.words))
        return [bitsets.words[row] for row in np.flatnonzero(fitting).tolist()]

    def best(self, pattern: str) -> Iterator[str]:
        """The words that fit in the same order, each spelled when it is asked for: the first is there at once.

        No bitsets are made for that: going through the letters takes less time.
        """
        check_pattern(pattern)
        letters = self._source.table(len(pattern)).letters
        rows = np.arange(len(letters))
        for at, code in enumerate(encode(pattern)):
            if pattern[at] != ANY:
                rows = rows[letters[rows, at] == code]
        return (codes_word(letters[row]) for row in rows.tolist())

    def count(self, pattern: str) -> int:
        """The number of words that fit; WordListError for a bad pattern."""
        return int(np.bitwise_count(self._bitsets(pattern).fitting(pattern)).sum(dtype=np.int64))

    def _bitsets(self, pattern: str) -> _LengthBitsets:
        check_pattern(pattern)
        length = len(pattern)
        if length not in self._lengths:
            self._lengths[length] = _LengthBitsets(self._source.table(length))
        return self._lengths[length]


class _LengthBitsets:
    """The bitsets of the words of one length; the first row is the highest bit of the first byte."""

    def __init__(self, table: WordTable) -> None:
        self.table = table
        self._every_word = np.packbits(np.ones(len(table.scores), dtype=np.bool_))
        columns = table.letters.T if len(table.scores) else ()
        codes = np.unique(table.letters)
        self._places = {KNOWN_LETTERS[code]: place for place, code in enumerate(codes.tolist())}
        self._no_word = np.zeros_like(self._every_word)
        self._having = [np.packbits(column == codes[:, None], axis=1) for column in columns]

    @cached_property
    def words(self) -> list[str]:
        return self.table.words()

    def fitting(self, pattern: str) -> NDArray[np.uint8]:
        if not self._having:
            return self._every_word
        given = [
            self._having[position][self._places[character]] if character in self._places else self._no_word
            for position, character in enumerate(pattern)
            if character != ANY
        ]
        return np.bitwise_and.reduce(given) if given else self._every_word
