"""Emogic's ways to find the words of a mask, each over the words of one length."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from xwtui.strategies.board import EMPTY

LetterLists = Sequence[Collection[str] | None]
"""For each position of a word the letters that may stand there; None for any."""

_MOST_REMEMBERED = 200_000
"""Patterns whose letters are kept."""


class WordLookup(ABC):
    """The words that fit a pattern; all ways give them in the order of the list."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._letters: dict[tuple[str, int], frozenset[str]] = {}

    @abstractmethod
    def words(self, pattern: str) -> Sequence[str]:
        """The words that fit a pattern, EMPTY for any letter."""

    def letters(self, pattern: str, at: int) -> frozenset[str]:
        """The letters that the words of a pattern have at a place; remembered, for they are asked often."""
        found = self._letters.get((pattern, at))
        if found is None:
            if len(self._letters) >= _MOST_REMEMBERED:
                self._letters.clear()
            found = self._letters[pattern, at] = frozenset([word[at] for word in self.words(pattern)])
        return found

    def words_of_letters(self, pattern: str, lists: LetterLists) -> Sequence[str]:
        """Method 4, the meta search: the words of a pattern whose letters are all in their lists."""
        limited = [(index, letters) for index, letters in enumerate(lists) if letters is not None]
        words = self.words(pattern)
        for index, letters in sorted(limited, key=lambda limit: len(limit[1])):
            words = [word for word in words if word[index] in letters]
        return words


class ListLookup(WordLookup):
    """Method 1: for each position and letter the words that have it there; a pattern's are in all its lists."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words)
        lists: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        for row, word in enumerate(words):
            for place in enumerate(word):
                lists[place].add(row)
        self._lists: Mapping[tuple[int, str], set[int]] = dict(lists)

    def words(self, pattern: str) -> Sequence[str]:
        """The words that fit a pattern."""
        known = [self._lists.get(place, set()) for place in enumerate(pattern) if place[1] != EMPTY]
        if not known:
            return self._words
        return [self._words[row] for row in sorted(set.intersection(*sorted(known, key=len)))]


class RegexLookup(WordLookup):
    """Method 2: one long string of all words, searched by a regular expression."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words)
        self._text = ",".join(words)

    def words(self, pattern: str) -> Sequence[str]:
        """The words that fit a pattern."""
        return re.findall(pattern.replace(EMPTY, "[^,]"), self._text)

    def words_of_letters(self, pattern: str, lists: LetterLists) -> Sequence[str]:
        """The words of a pattern whose letters are in their lists, by an expression such as `[ABC][HGR][^,]`."""
        if any(letters is not None and not letters for letters in lists):
            return []
        classes = (
            known if known != EMPTY else "[^,]" if letters is None else f"[{''.join(letters)}]"
            for known, letters in zip(pattern, lists, strict=True)
        )
        return re.findall("".join(classes), self._text)


class MaskLookup(WordLookup):
    """Method 3: the words of every mask, ready in a table (`C?T`: CAT, COT).

    The table of all masks would grow by a factor of two with each letter of the words. Here the masks
    with the same squares known are made when the first of them is asked for.
    """

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__(words)
        self._tables: dict[tuple[int, ...], Mapping[str, Sequence[str]]] = {}

    def words(self, pattern: str) -> Sequence[str]:
        """The words that fit a pattern."""
        known = tuple(index for index, letter in enumerate(pattern) if letter != EMPTY)
        if known not in self._tables:
            self._tables[known] = self._table(known)
        return self._tables[known].get("".join([pattern[index] for index in known]), ())

    def _table(self, known: tuple[int, ...]) -> Mapping[str, Sequence[str]]:
        table: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._words:
            table["".join([word[index] for index in known])].append(word)
        return dict(table)
