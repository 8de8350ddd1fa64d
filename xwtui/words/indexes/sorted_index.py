"""An index of sorted windows: a pattern's longest run of given letters is found by bisection."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from sys import intern

import numpy as np
from numpy.typing import NDArray
from sortedcontainers import SortedKeyList

from xwtui.words.indexes.protocol import ANY, TableSource, check_pattern
from xwtui.words.normalise import ALPHABET

WINDOW = 3
"""Letters of a sort key: enough to leave few words, few enough for keys to be shared and numbered in 16 bits."""

_GIVEN_RUN = re.compile(r"[^?]+")
_BEYOND_LETTERS = "~"


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
    number = np.zeros(len(window), dtype=np.uint16)
    for column in window.T:
        number = number * np.uint16(len(ALPHABET)) + column
    rows: list[int] = np.argsort(number, kind="stable").tolist()
    return rows


def _longest_window(pattern: str) -> tuple[int, str]:
    """Where the longest run of given letters starts, and its first letters, as many as a window has."""
    run = max(_GIVEN_RUN.finditer(pattern), key=lambda match: len(match[0]))
    return run.start(), run[0][:WINDOW]
