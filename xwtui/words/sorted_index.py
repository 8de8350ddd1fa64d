"""A mutable alphabetical index of the words of each length; adding or removing a word rebuilds nothing.

Words are ordered like Python strings, so digits precede letters. Words with the same prefix are adjacent, and two
searches in O(log n) find their range. Gaps are skipped: from a word that does not fit, one search leads to the
next candidate, as in a leapfrog join over sorted lists (Veldhuizen, Leapfrog Triejoin, ICDT 2014). The initial
words of each length are stored as one string, in a twelfth of the memory of separate strings. `sortedcontainers`
holds later additions and removals.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from heapq import merge
from typing import Protocol

from sortedcontainers import SortedDict, SortedList

from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports

with lazy_imports():
    import numpy as np
    from numpy.typing import NDArray

ANY = "?"
"""The wildcard for an open square in a pattern."""

_AFTER = chr(0x10FFFF)
"""Sorts after any possible continuation of a word."""

_NONE = -1
"""The score of a removed word."""

_STEP = 64
"""Distance between the sampled words that a search compares first."""


class WordSource(Protocol):
    """The source of an index's words."""

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the words, in ascending order."""

    def scores(self, length: int) -> Mapping[str, int]: ...


class GivenWords:
    """A WordSource for given words with scores."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self._scores: defaultdict[int, dict[str, int]] = defaultdict(dict)
        for word, score in words.items():
            self._scores[len(word)][word] = score

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(sorted(self._scores))

    def scores(self, length: int) -> Mapping[str, int]:
        return self._scores.get(length, {})


class _OrderedWords:
    def __init__(self, length: int, scores: Mapping[str, int]) -> None:
        words = sorted(scores)
        self._length = length
        self._text = "".join(words)
        """The initial words, concatenated."""
        self._steps = words[::_STEP]
        self._scores = np.fromiter(map(scores.__getitem__, words), np.int16, len(words))
        """Scores of the initial words by position."""
        self._gone: SortedList[int] = SortedList()
        """Positions of the initial words that were removed."""
        self._came: SortedDict[str, int] = SortedDict()
        """The words added later, with their scores."""

    def __len__(self) -> int:
        return len(self._scores) - len(self._gone) + len(self._came)

    def at_first(self, place: int) -> str:
        """Return the initial word at a position."""
        return self._text[place * self._length : (place + 1) * self._length]

    def _place(self, word: str) -> int:
        """Return a word's position, or insertion point, among the initial words."""
        step = bisect_left(self._steps, word)
        low, high = (min(_STEP * at, len(self._scores)) for at in (max(step - 1, 0), step))
        return bisect_left(range(high), word, low, key=self.at_first)

    def _kept_before(self, place: int) -> int:
        return place - self._gone.bisect_left(place)

    def before(self, word: str) -> int:
        """Return the number of words before a word, which need not exist."""
        return self._kept_before(self._place(word)) + self._came.bisect_left(word)

    def nth(self, place: int) -> str:
        """Return the word with this many words before it, fewer than the total."""

        def before(came: int) -> int:
            return came + self._kept_before(self._place(self._came.peekitem(came)[0]))

        came = bisect_left(range(len(self._came)), place, key=before)
        if came < len(self._came) and before(came) == place:
            return self._came.peekitem(came)[0]
        kept = place - came
        return self.at_first(kept + bisect_right(range(len(self._gone)), kept, key=lambda at: self._gone[at] - at))

    def irange(self, low: str, high: str | None = None) -> Iterator[str]:
        """Yield the words from `low` on, up to `high` if given, in order."""
        places = range(self._place(low), len(self._scores) if high is None else self._place(high))
        kept = (self.at_first(place) for place in places if not self._gone or self._scores[place] != _NONE)
        return merge(kept, self._came.irange(low, high)) if self._came else kept

    def beginning(self, beginning: str) -> tuple[int, NDArray[np.int16]]:
        """Return the first initial position with a prefix, and all their scores; `_NONE` marks removed words."""
        start = self._place(beginning)
        return start, self._scores[start : self._place(beginning + _AFTER)]

    def spelled(self, start: int, scores: NDArray[np.int16], chosen: NDArray[np.intp]) -> list[tuple[int, str]]:
        """Return (negative score, word) for the chosen ones of a range of initial words."""
        text, length = self._text, self._length
        starts = ((start + chosen) * length).tolist()
        return [
            (-score, text[at : at + length]) for at, score in zip(starts, scores[chosen].tolist(), strict=True)
        ]

    def came(self, beginning: str) -> list[tuple[int, str]]:
        """Return (negative score, word) for the words added later that have a prefix."""
        return [(-self._came[word], word) for word in self._came.irange(beginning, beginning + _AFTER)]

    def get(self, word: str) -> int | None:
        if (place := self._found(word)) is None or self._scores[place] == _NONE:
            return self._came.get(word)
        return int(self._scores[place])

    def put(self, word: str, score: int | None) -> None:
        """Set a word's score; None removes the word if it exists."""
        if (place := self._found(word)) is not None:
            was, self._scores[place] = self._scores[place], _NONE if score is None else score
            if was != _NONE and score is None:
                self._gone.add(place)
            elif was == _NONE and score is not None:
                self._gone.remove(place)
        elif score is None:
            self._came.pop(word, None)
        else:
            self._came[word] = score

    def _found(self, word: str) -> int | None:
        """Return the position of an initial word, whether removed or not, else None."""
        place = self._place(word)
        return place if place < len(self._scores) and self.at_first(place) == word else None


class SortedIndex:
    """Queries on a changing set of words, by order; a pattern has `?` for any character.

    Each length is sorted on first use.

    Part of the public API: `nth`, `neighbours` and `between` serve scripts, though no verb uses them.
    """

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self._words: dict[int, _OrderedWords] = {}

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of all words, past or present, in ascending order."""
        return tuple(sorted({*self._source.lengths, *self._words}))

    def __len__(self) -> int:
        return sum(len(self._of(length)) for length in self.lengths)

    def matches(self, pattern: str) -> Iterator[str]:
        """Yield the words that fit, in order; the index must not change during iteration."""
        words = self._of(len(pattern))
        for head in _heads(words, pattern):
            yield from words.irange(head, head + _AFTER)

    def count(self, pattern: str) -> int:
        """Return the number of words that fit."""
        words = self._of(len(pattern))
        return sum(words.before(head + _AFTER) - words.before(head) for head in _heads(words, pattern))

    def begins(self, beginning: str, length: int | None = None) -> Iterator[str]:
        """Yield the words with a prefix in order, of one length or else of all, shorter ones first."""
        for one in self.lengths if length is None else (length,):
            yield from self._of(one).irange(beginning, beginning + _AFTER)

    def best(self, beginning: str, limit: int) -> list[str]:
        """Return the best-scoring words with a prefix, by descending score and then in order."""
        return [word for word, _ in self.best_scored(beginning, limit)]

    def best_scored(self, beginning: str, limit: int) -> list[tuple[str, int]]:
        """Return the best-scoring words with a prefix and their scores."""
        asked = [self._of(length) for length in self.lengths if length >= len(beginning)]
        reached = [(words, *words.beginning(beginning)) for words in asked]
        together = np.concatenate([np.empty(0, np.int16), *(scores for *_, scores in reached)])
        lowest = max(int(np.partition(together, -limit)[-limit]), 0) if limit < len(together) else 0
        found = [scored for words in asked for scored in words.came(beginning)]
        for words, start, scores in reached:
            found += words.spelled(start, scores, (scores > lowest).nonzero()[0])
            found += words.spelled(start, scores, (scores == lowest).nonzero()[0][:limit])
        return [(word, -score) for score, word in sorted(found)[:limit]]

    def prepare(self) -> None:
        """Sort all lengths now, so that no query waits for it."""
        for length in self.lengths:
            self._of(length)

    def nth(self, length: int, place: int) -> str:
        """Return the word of a length at a position from 0; raises WordListError if there is none."""
        words = self._of(length)
        if not 0 <= place < len(words):
            raise WordListError(f"there are {len(words):,} words of {length} letters")
        return words.nth(place)

    def neighbours(self, word: str) -> tuple[str | None, str | None]:
        """Return the words before and after a word, which need not exist, among those of its length."""
        words = self._of(len(word))
        before = words.before(word)
        after = before + (words.get(word) is not None)
        return words.nth(before - 1) if before else None, words.nth(after) if after < len(words) else None

    def between(self, one: str, other: str) -> int:
        """Return the number of words strictly between two of the same length, which need not exist."""
        if len(one) != len(other):
            raise WordListError(f"{one} and {other} are not of one length")
        words, (first, last) = self._of(len(one)), sorted([one, other])
        return max(words.before(last) - words.before(first) - (words.get(first) is not None), 0)

    def score(self, word: str) -> int | None:
        """Return a word's score, or None if it is missing."""
        return self._of(len(word)).get(word)

    def add(self, word: str, score: int) -> None:
        """Add a word, or change the score of an existing one."""
        self._of(len(word)).put(word, score)

    def remove(self, word: str) -> None:
        """Remove a word if it exists."""
        self._of(len(word)).put(word, None)

    def rescore(self, word: str, score: int) -> None:
        """Change a word's score; raises WordListError if the word is missing."""
        if self.score(word) is None:
            raise WordListError(f"{word} is not among the words")
        self.add(word, score)

    def follow(self, source: WordSource, scores: Mapping[str, int | None]) -> None:
        """Switch to a source that differs only in these words, given with their scores; None for removed words."""
        self._source = source
        for word, score in scores.items():
            if (words := self._words.get(len(word))) is not None:  # otherwise the new source will be read later
                words.put(word, score)

    def _of(self, length: int) -> _OrderedWords:
        words = self._words.get(length)
        if words is None:
            words = self._words[length] = _OrderedWords(length, self._source.scores(length))
        return words


def _heads(words: _OrderedWords, pattern: str) -> Iterator[str]:
    """Yield the prefixes, up to the pattern's last known letter, whose every word fits."""
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
