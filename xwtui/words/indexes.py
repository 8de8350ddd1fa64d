"""Look-up of words by pattern: three indexes behind one protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from sys import intern
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from sortedcontainers import SortedKeyList

from xwtui.errors import WordListError
from xwtui.model.letters import KNOWN, KNOWN_LETTERS
from xwtui.text import printable
from xwtui.words.word_list import WordTable

ANY = "?"
"""The sign of an open square in a pattern."""

_PATTERN = re.compile(rf"[{KNOWN}?]+")

WINDOW = 3
"""Letters of a sort key: enough to leave few words, few enough for keys to be shared and numbered in 32 bits."""
_GIVEN_RUN = re.compile(r"[^?]+")
_BEYOND_LETTERS = "\uffff"


class TableSource(Protocol):
    """What an index is made from, such as a Lexicon."""

    def table(self, length: int) -> WordTable:
        """The words of a length, best score first."""


class PatternIndex(Protocol):
    """A look-up of words by pattern; patterns are of letters, 0-9 and `?`, which stands for any character."""

    def matches(self, pattern: str) -> Sequence[str]:
        """The words that fit, by descending score and then alphabetically; WordListError for a bad pattern."""

    def count(self, pattern: str) -> int:
        """The number of words that fit; WordListError for a bad pattern."""


def check_pattern(pattern: str) -> None:
    """Raise WordListError where a pattern is empty or has other characters than letters, 0-9 and `?`."""
    if _PATTERN.fullmatch(pattern) is None:
        raise WordListError(
            f"'{printable(pattern, 40)}' is no pattern; patterns are like Q?J, with ? for any letter"
        )


class BitsetIndex:
    """Bitsets over the words of a length, made when a pattern first needs them.

    A pattern is the intersection of one bitset for each given letter.
    """

    def __init__(self, source: TableSource) -> None:
        """Index the tables of a source, such as a lexicon."""
        self._source = source
        self._lengths: dict[int, _LengthBitsets] = {}

    def matches(self, pattern: str) -> Sequence[str]:
        """The words that fit, by descending score and then alphabetically; WordListError for a bad pattern."""
        bitsets = self._bitsets(pattern)
        fitting = np.unpackbits(bitsets.fitting(pattern), count=len(bitsets.words))
        return [bitsets.words[row] for row in np.flatnonzero(fitting).tolist()]

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
        self._table = table
        self._every_word = np.packbits(np.ones(len(table.scores), dtype=np.bool_))
        columns = table.letters.T if len(table.scores) else ()
        codes = np.unique(table.letters)
        self._places = {KNOWN_LETTERS[code]: place for place, code in enumerate(codes.tolist())}
        self._no_word = np.zeros_like(self._every_word)
        self._having = [np.packbits(column == codes[:, None], axis=1) for column in columns]

    @cached_property
    def words(self) -> list[str]:
        return self._table.words()

    def fitting(self, pattern: str) -> NDArray[np.uint8]:
        """The bitset of the words that fit."""
        if not self._having:
            return self._every_word
        given = [
            self._having[position][self._places[character]] if character in self._places else self._no_word
            for position, character in enumerate(pattern)
            if character != ANY
        ]
        return np.bitwise_and.reduce(given) if given else self._every_word


class SortedIndex:
    """For each length and start of a window, the rows sorted by the letters in the window.

    Equal windows keep the order of the rows, which is best score first. Lists are made when a
    pattern first needs them.
    """

    def __init__(self, source: TableSource) -> None:
        """Index the tables of a source, such as a lexicon."""
        self._source = source
        self._lengths: dict[int, _LengthIndex] = {}

    def matches(self, pattern: str) -> Sequence[str]:
        """The words that fit, by descending score and then alphabetically; WordListError for a bad pattern."""
        index = self._index(pattern)
        return [index.words[row] for row in sorted(index.rows(pattern))]

    def count(self, pattern: str) -> int:
        """The number of words that fit; WordListError for a bad pattern."""
        return self._index(pattern).count(pattern)

    def _index(self, pattern: str) -> _LengthIndex:
        check_pattern(pattern)
        length = len(pattern)
        if length not in self._lengths:
            self._lengths[length] = _LengthIndex(self._source, length)
        return self._lengths[length]


class _LengthIndex:
    """The sorted windows of the words of one length."""

    def __init__(self, source: TableSource, length: int) -> None:
        self._table = source.table(length)
        self._windows: dict[int, SortedKeyList] = {}

    @cached_property
    def words(self) -> list[str]:
        return self._table.words()

    def count(self, pattern: str) -> int:
        given = pattern.replace(ANY, "")
        if not given:
            return len(self._table.scores)
        start, letters = _longest_window(pattern)
        if letters == given:
            low, high = self._bounds(start, letters)
            return high - low
        return len(self.rows(pattern))

    def rows(self, pattern: str) -> Sequence[int]:
        """The rows that fit, in no order."""
        given = pattern.replace(ANY, "")
        if not given:
            return range(len(self.words))
        start, letters = _longest_window(pattern)
        low, high = self._bounds(start, letters)
        rows: list[int] = list(self._window(start).islice(low, high))
        if letters == given:
            return rows
        fits = re.compile(pattern.replace(ANY, ".")).fullmatch
        words = self.words
        return [row for row in rows if fits(words[row])]

    def _bounds(self, start: int, letters: str) -> tuple[int, int]:
        """The part of the window's list whose keys begin with the letters."""
        window = self._window(start)
        return window.bisect_key_left(letters), window.bisect_key_left(letters + _BEYOND_LETTERS)

    def _window(self, start: int) -> SortedKeyList:
        window = self._windows.get(start)
        if window is None:
            keys = [intern(word[start : start + WINDOW]) for word in self.words]
            rows = _rows_nearly_sorted(self._table.letters[:, start : start + WINDOW])
            window = self._windows[start] = SortedKeyList(rows, key=keys.__getitem__)
        return window


def _rows_nearly_sorted(window: NDArray[np.uint8]) -> list[int]:
    """The rows by their codes in a window, a quick sort that leaves little to do to the sort by text."""
    number = np.zeros(len(window), dtype=np.uint32)
    for column in window.T:
        number = number * np.uint32(len(KNOWN_LETTERS)) + column
    rows: list[int] = np.argsort(number, kind="stable").tolist()
    return rows


def _longest_window(pattern: str) -> tuple[int, str]:
    """Where the longest run of given letters starts, and its first letters, as many as a window has."""
    run = max(_GIVEN_RUN.finditer(pattern), key=lambda match: len(match[0]))
    return run.start(), run[0][:WINDOW]


@dataclass(slots=True)
class _Node:
    """The words that begin alike: how many, and the node of each next character, or the row at the end."""

    count: int = 0
    children: dict[str, _Node] = field(default_factory=dict)
    row: int = -1


class TrieIndex:
    """A trie for each word length, made when a pattern first needs it.

    Quickest where the first letters are given; slow where many open squares come first.
    """

    def __init__(self, source: TableSource) -> None:
        """Index the tables of a source, such as a lexicon."""
        self._source = source
        self._tries: dict[int, tuple[_Node, list[str]]] = {}

    def matches(self, pattern: str) -> Sequence[str]:
        """The words that fit, by descending score and then alphabetically; WordListError for a bad pattern."""
        root, words = self._trie(pattern)
        nodes = _descend(root, pattern)
        return [words[row] for row in sorted(node.row for node in nodes)]

    def count(self, pattern: str) -> int:
        """The number of words that fit; WordListError for a bad pattern."""
        root, _ = self._trie(pattern)
        return sum(node.count for node in _descend(root, pattern.rstrip(ANY)))

    def _trie(self, pattern: str) -> tuple[_Node, list[str]]:
        check_pattern(pattern)
        length = len(pattern)
        if length not in self._tries:
            words = self._source.table(length).words()
            self._tries[length] = (_plant(words), words)
        return self._tries[length]


def _plant(words: Sequence[str]) -> _Node:
    """The root of a trie of words of one length; a word's row is its index."""
    root = _Node()
    for row, word in enumerate(words):
        node = root
        node.count += 1
        for character in word:
            child = node.children.get(character)
            if child is None:
                child = node.children[character] = _Node()
            child.count += 1
            node = child
        node.row = row
    return root


def _descend(root: _Node, beginning: str) -> Iterator[_Node]:
    """The nodes that the beginning of a pattern leads to."""
    level = [root]
    for character in beginning:
        if character == ANY:
            level = [child for node in level for child in node.children.values()]
        else:
            level = [node.children[character] for node in level if character in node.children]
    return iter(level)
