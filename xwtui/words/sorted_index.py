"""The words of each length in alphabetical order, alive: a word comes or goes without anything being built anew.

Words are ordered as Python orders text, so digits come before letters. All that begin with the same letters
stand next to each other: a beginning is one range, found by two searches in O(log n). Gaps are leapt over: from
a word that does not fit, one search leads to the next that can, as a leapfrog join goes through sorted lists
(Veldhuizen, Leapfrog Triejoin, ICDT 2014). `sortedcontainers` keeps the order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from heapq import nsmallest
from itertools import islice
from typing import Protocol

from sortedcontainers import SortedDict, SortedList

from xwtui.errors import WordListError

ANY = "?"
"""The sign of an open square in a pattern."""

_AFTER = chr(0x10FFFF)
"""What comes after all that a word can go on with."""

_FEW = 1_000
"""Words that begin so, up to which the best are found by looking at all of them."""


class WordSource(Protocol):
    """Where an index has its words from."""

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the words, shortest first."""

    def scores(self, length: int) -> Mapping[str, int]: ...


class GivenWords:
    """Words that are given with their scores."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._scores: defaultdict[int, dict[str, int]] = defaultdict(dict)
        for word, score in words.items():
            self._scores[len(word)][word] = score

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(sorted(self._scores))

    def scores(self, length: int) -> Mapping[str, int]:
        return self._scores.get(length, {})


class WordIndex(Protocol):
    """What can be asked of words that change while one works; a pattern has `?` for any character."""

    def matches(self, pattern: str) -> Iterator[str]:
        """The words that fit, in order."""

    def count(self, pattern: str) -> int:
        """The number of words that fit."""

    def begins(self, beginning: str, length: int | None = None) -> Iterator[str]:
        """The words that begin so, of one length or shorter ones first, in order."""

    def score(self, word: str) -> int | None:
        """The score of a word; None where it is not here."""

    def add(self, word: str, score: int) -> None:
        """Let a word be here; one that is gets the score."""

    def remove(self, word: str) -> None:
        """Take a word out, if it is here."""

    def rescore(self, word: str, score: int) -> None:
        """Give a word another score; raises WordListError where it is not here."""


class SortedIndex:
    """A WordIndex by order; a length is sorted when it is first asked for.

    It is public: `nth`, `neighbours` and `between` answer scripts, though no verb asks for them.
    """

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self._words: dict[int, SortedDict[str, int]] = {}
        self._by_score: dict[int, dict[int, SortedList[str]]] = {}
        """By length and score the words in order, made when the best of many are first asked for."""

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that words have, or had, shortest first."""
        return tuple(sorted({*self._source.lengths, *self._words}))

    def __len__(self) -> int:
        return sum(len(self._of(length)) for length in self.lengths)

    def matches(self, pattern: str) -> Iterator[str]:
        """The words that fit, in order; the index may not change meanwhile."""
        words = self._of(len(pattern))
        for head in _heads(words, pattern):
            yield from words.irange(head, head + _AFTER)

    def count(self, pattern: str, most: int | None = None) -> int:
        """The number of words that fit; counting stops where there are `most` or more."""
        words, found = self._of(len(pattern)), 0
        for head in _heads(words, pattern):
            found += words.bisect_left(head + _AFTER) - words.bisect_left(head)
            if most is not None and found >= most:
                break
        return found

    def begins(self, beginning: str, length: int | None = None) -> Iterator[str]:
        """The words that begin so, of one length or shorter ones first, in order."""
        for one in self.lengths if length is None else (length,):
            yield from self._of(one).irange(beginning, beginning + _AFTER)

    def best(self, beginning: str, limit: int) -> list[str]:
        """The words that begin so with the best scores, best first and then in order.

        Of many, one score after the other is asked for those that begin so, until there are enough.
        """
        lengths = [length for length in self.lengths if length >= len(beginning)]
        if sum(self.count(beginning.ljust(length, ANY), _FEW) for length in lengths) <= _FEW:
            return nsmallest(limit, self.begins(beginning), lambda word: (-self._of(len(word))[word], word))
        scored = [self._scored(length) for length in lengths]
        found: list[str] = []
        for score in sorted({score for words in scored for score in words}, reverse=True):
            alike = (words[score].irange(beginning, beginning + _AFTER) for words in scored if score in words)
            found += sorted(word for words in alike for word in islice(words, limit))
            if len(found) >= limit:
                break
        return found[:limit]

    def prepare(self) -> None:
        """Sort the words of all lengths now, so that no question waits for it."""
        for length in self.lengths:
            self._scored(length)

    def nth(self, length: int, place: int) -> str:
        """The word at a place among those of its length, from 0; raises WordListError where there is none."""
        words = self._of(length)
        if not 0 <= place < len(words):
            raise WordListError(f"there are {len(words):,} words of {length} letters")
        return words.peekitem(place)[0]

    def neighbours(self, word: str) -> tuple[str | None, str | None]:
        """The words before and after one, listed or not, among those of its length."""
        words = self._of(len(word))
        before = words.irange(None, word, (True, False), reverse=True)
        after = words.irange(word, None, (False, True))
        return next(before, None), next(after, None)

    def between(self, one: str, other: str) -> int:
        """How many words lie between two of a length, which need not be listed and do not count themselves."""
        if len(one) != len(other):
            raise WordListError(f"{one} and {other} are not of one length")
        words, (first, last) = self._of(len(one)), sorted([one, other])
        return max(words.bisect_left(last) - words.bisect_right(first), 0)

    def score(self, word: str) -> int | None:
        return self._of(len(word)).get(word)

    def add(self, word: str, score: int) -> None:
        self.remove(word)
        self._of(len(word))[word] = score
        if (scored := self._by_score.get(len(word))) is not None:
            scored.setdefault(score, SortedList()).add(word)

    def remove(self, word: str) -> None:
        score = self._of(len(word)).pop(word, None)
        if score is not None and (scored := self._by_score.get(len(word))) is not None:
            scored[score].remove(word)

    def rescore(self, word: str, score: int) -> None:
        """Give a word another score; raises WordListError where it is not here."""
        if self.score(word) is None:
            raise WordListError(f"{word} is not among the words")
        self.add(word, score)

    def follow(self, source: WordSource, scores: Mapping[str, int | None]) -> None:
        """Have the words of another source, which differs in some words alone: their scores, None for no word."""
        self._source = source
        for word, score in scores.items():
            if len(word) not in self._words:
                continue  # the new source has it right
            if score is None:
                self.remove(word)
            else:
                self.add(word, score)

    def _scored(self, length: int) -> dict[int, SortedList[str]]:
        scored = self._by_score.get(length)
        if scored is None:
            alike: defaultdict[int, list[str]] = defaultdict(list)
            for word, score in self._of(length).items():
                alike[score].append(word)
            scored = self._by_score[length] = {score: SortedList(words) for score, words in alike.items()}
        return scored

    def _of(self, length: int) -> SortedDict[str, int]:
        words = self._words.get(length)
        if words is None:
            words = self._words[length] = SortedDict(self._source.scores(length))
        return words


def _heads(words: SortedDict[str, int], pattern: str) -> Iterator[str]:
    """The beginnings, up to the last known letter of a pattern, with which all words fit it."""
    head = pattern.rstrip(ANY)
    known = [(at, letter) for at, letter in enumerate(head) if letter != ANY]
    start = ""
    while (word := next(words.irange(start), None)) is not None:
        found = word[: len(head)]
        wrong = next(((at, letter) for at, letter in known if found[at] != letter), None)
        if wrong is None:
            yield found
            start = found + _AFTER
        elif found[wrong[0]] < wrong[1]:
            start = found[: wrong[0]] + wrong[1]
        else:
            raised = head.rfind(ANY, 0, wrong[0])
            if raised < 0:
                return
            start = found[: raised + 1] + _AFTER
