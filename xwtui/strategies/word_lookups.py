"""How the words of a mask are found, and the letters that they have at a place: Emogic's four methods.

All give the words in the order of the list. Each look-up is counted, and those that go to the list are counted and
timed apart from those that are only remembered, so that methods can be compared by what they themselves take.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from time import perf_counter

from xwtui.errors import EngineError
from xwtui.strategies.board import EMPTY

MOST_MASKED = 8_000_000
"""Words in all lists of a table of every mask; some 800 MB."""

LetterLists = Sequence[Collection[str] | None]
"""For each position of a word the letters that may stand there; None for any."""

_MOST_REMEMBERED = 200_000
"""Patterns whose letters are kept."""


class WordLookup(ABC):
    """The words that fit a pattern; all ways give them in the order of the list."""

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        """`remembers` tells whether the letters of a pattern are looked up once only."""
        self._words = words
        self._remembers = remembers
        self._letters: dict[tuple[str, int], frozenset[str]] = {}
        self.asked = 0
        """How many look-ups there were."""
        self.made = 0
        """How many of them went to the list; the others were remembered."""
        self.seconds = 0.0
        """How long those took."""

    def words(self, pattern: str) -> Sequence[str]:
        """The words that fit a pattern, EMPTY for any letter."""
        begun = perf_counter()
        found = self._find(pattern)
        self._note(begun)
        return found

    def words_of_letters(self, pattern: str, lists: LetterLists) -> Sequence[str]:
        """Method 4, the meta search: the words of a pattern whose letters are all in their lists."""
        begun = perf_counter()
        found = self._find_of_letters(pattern, lists)
        self._note(begun)
        return found

    def letters(self, pattern: str, at: int) -> frozenset[str]:
        """The letters that the words of a pattern have at a place; these are asked for often."""
        found = self._letters.get((pattern, at))
        if found is not None:
            self.asked += 1
        else:
            if len(self._letters) >= _MOST_REMEMBERED:
                self._letters.clear()
            found = frozenset([word[at] for word in self.words(pattern)])
            if self._remembers:
                self._letters[pattern, at] = found
        return found

    def _note(self, begun: float) -> None:
        self.asked += 1
        self.made += 1
        self.seconds += perf_counter() - begun

    @abstractmethod
    def _find(self, pattern: str) -> Sequence[str]: ...

    def _find_of_letters(self, pattern: str, lists: LetterLists) -> Sequence[str]:
        limited = [(index, letters) for index, letters in enumerate(lists) if letters is not None]
        words = self._find(pattern)
        for index, letters in sorted(limited, key=lambda limit: len(limit[1])):
            words = [word for word in words if word[index] in letters]
        return words


class ListLookup(WordLookup):
    """Method 1: for each position and letter the words that have it there; a pattern's are in all its lists."""

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        super().__init__(words, remembers=remembers)
        lists: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        for row, word in enumerate(words):
            for place in enumerate(word):
                lists[place].add(row)
        self._lists: Mapping[tuple[int, str], set[int]] = dict(lists)

    def _find(self, pattern: str) -> Sequence[str]:
        known = [self._lists.get(place, set()) for place in enumerate(pattern) if place[1] != EMPTY]
        if not known:
            return self._words
        return [self._words[row] for row in sorted(set.intersection(*sorted(known, key=len)))]


class RegexLookup(WordLookup):
    """Method 2: one long string of all words, searched by a regular expression."""

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        super().__init__(words, remembers=remembers)
        self._text = ",".join(words)

    def _find(self, pattern: str) -> Sequence[str]:
        return re.findall(pattern.replace(EMPTY, "[^,]"), self._text)

    def _find_of_letters(self, pattern: str, lists: LetterLists) -> Sequence[str]:
        """By an expression such as `[ABC][HGR][^,]`."""
        if any(letters is not None and not letters for letters in lists):
            return []
        classes = (
            known if known != EMPTY else "[^,]" if letters is None else f"[{''.join(letters)}]"
            for known, letters in zip(pattern, lists, strict=True)
        )
        return re.findall("".join(classes), self._text)


class EveryMaskLookup(WordLookup):
    """Method 3 as it is published: "for each word we build every possible mask", all before the search begins.

    "This method uses large amounts of memory as longer words cause exponential memory growth."
    """

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        """Build the table; raises EngineError where it would have more than MOST_MASKED words in its lists."""
        super().__init__(words, remembers=remembers)
        length = len(words[0]) if words else 0
        if len(words) << length > MOST_MASKED:
            raise EngineError(
                f"every mask of {len(words):,} words of {length} letters makes {len(words) << length:,} in all, "
                f"and {MOST_MASKED:,} are the most; lookup=masks makes those needed"
            )
        table: defaultdict[str, list[str]] = defaultdict(list)
        masks = list(product((False, True), repeat=length))
        for word in words:
            for mask in masks:
                known = (letter if is_known else EMPTY for letter, is_known in zip(word, mask, strict=True))
                table["".join(known)].append(word)
        self._table = dict(table)

    def _find(self, pattern: str) -> Sequence[str]:
        return self._table.get(pattern, ())


class MaskLookup(WordLookup):
    """Method 3 in part: the words of every mask that is asked for, ready in a table (`C?T`: CAT, COT).

    The masks with the same squares known are made when the first of them is asked for.
    """

    def __init__(self, words: Sequence[str], *, remembers: bool = True) -> None:
        super().__init__(words, remembers=remembers)
        self._tables: dict[tuple[int, ...], Mapping[str, Sequence[str]]] = {}

    def _find(self, pattern: str) -> Sequence[str]:
        known = tuple(index for index, letter in enumerate(pattern) if letter != EMPTY)
        if known not in self._tables:
            self._tables[known] = self._table(known)
        return self._tables[known].get("".join([pattern[index] for index in known]), ())

    def _table(self, known: tuple[int, ...]) -> Mapping[str, Sequence[str]]:
        table: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._words:
            table["".join([word[index] for index in known])].append(word)
        return dict(table)


LOOKUPS: Mapping[str, type[WordLookup]] = {
    "masks": MaskLookup,
    "regex": RegexLookup,
    "lists": ListLookup,
    "every-mask": EveryMaskLookup,
}
"""The ways by their names."""
