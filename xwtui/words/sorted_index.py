"""The words of each length in alphabetical order, alive: a word comes or goes without anything being sorted anew.

Words are ordered as Python orders text, so digits come before letters. All that begin with the same letters
stand next to each other: a beginning is one range, found by two searches in O(log n). Gaps are leapt over: from
a word that does not fit, one search leads to the next that can, as a leapfrog join goes through sorted lists
(Veldhuizen, Leapfrog Triejoin, ICDT 2014). The words of a length are one text, a twelfth of what they take as
strings; a change copies it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports

with lazy_imports():
    import numpy as np

ANY = "?"
"""The sign of an open square in a pattern."""

_AFTER = chr(0x10FFFF)
"""What comes after all that a word can go on with."""


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


class _OrderedWords:
    """The words of one length in order, with their scores."""

    def __init__(self, length: int, scores: Mapping[str, int]) -> None:
        words = sorted(scores)
        self._length = length
        self._text = "".join(words)
        """The words, one after the other."""
        self.scores = np.fromiter(map(scores.__getitem__, words), np.int16, len(words))
        """Theirs, by their places."""

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, place: int) -> str:
        return self._text[place * self._length : (place + 1) * self._length]

    def at(self, places: Iterable[int]) -> Iterator[str]:
        """The words at some places."""
        text, length = self._text, self._length
        return (text[place * length : (place + 1) * length] for place in places)

    def before(self, word: str, least: int = 0) -> int:
        """The number of words before one, listed or not, and its place, if it is; not less than `least`."""
        return bisect_left(self, word, least)

    def beginning(self, beginning: str) -> range:
        """The places of the words that begin so."""
        start = self.before(beginning)
        return range(start, self.before(beginning + _AFTER, start))

    def fitting(self, pattern: str) -> Iterator[range]:
        """The places of the words that fit, those together that are alike up to the last known letter."""
        head = pattern.rstrip(ANY)
        known = [(at, letter) for at, letter in enumerate(head) if letter != ANY]
        place = 0
        while place < len(self):
            found = self[place][: len(head)]
            wrong = next(((at, letter) for at, letter in known if found[at] != letter), None)
            if wrong is None:
                start = place
                place = self.before(found + _AFTER, start)
                yield range(start, place)
            elif found[wrong[0]] < wrong[1]:
                place = self.before(found[: wrong[0]] + wrong[1], place)
            else:
                raised = head.rfind(ANY, 0, wrong[0])
                if raised < 0:
                    return
                place = self.before(found[: raised + 1] + _AFTER, place)

    def score(self, word: str) -> int | None:
        place = self.before(word)
        return int(self.scores[place]) if self._is_at(place, word) else None

    def change(self, scores: Mapping[str, int | None]) -> None:
        """Let words have these scores; None takes a word out, if it is here."""
        words, values, done = [], [], 0
        for word in sorted(scores):
            place, score = self.before(word, done), scores[word]
            words.append(self._text[done * self._length : place * self._length])
            values.append(self.scores[done:place])
            if score is not None:
                words.append(word)
                values.append(np.array([score], np.int16))
            done = place + self._is_at(place, word)
        self._text = "".join([*words, self._text[done * self._length :]])
        self.scores = np.concatenate([*values, self.scores[done:]])

    def _is_at(self, place: int, word: str) -> bool:
        return place < len(self) and self[place] == word


class SortedIndex:
    """A WordIndex by order; a length is sorted when it is first asked for.

    It is public: `nth`, `neighbours` and `between` answer scripts, though no verb asks for them.
    """

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self._words: dict[int, _OrderedWords] = {}

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that words have, or had, shortest first."""
        return tuple(sorted({*self._source.lengths, *self._words}))

    def __len__(self) -> int:
        return sum(len(self._of(length)) for length in self.lengths)

    def matches(self, pattern: str) -> Iterator[str]:
        """The words that fit, in order; the index may not change meanwhile."""
        words = self._of(len(pattern))
        for places in words.fitting(pattern):
            yield from words.at(places)

    def count(self, pattern: str) -> int:
        """The number of words that fit."""
        return sum(map(len, self._of(len(pattern)).fitting(pattern)))

    def begins(self, beginning: str, length: int | None = None) -> Iterator[str]:
        """The words that begin so, of one length or shorter ones first, in order."""
        for one in self.lengths if length is None else (length,):
            words = self._of(one)
            yield from words.at(words.beginning(beginning))

    def best(self, beginning: str, limit: int) -> list[str]:
        """The words that begin so with the best scores, best first and then in order."""
        return [word for word, _ in self.best_scored(beginning, limit)]

    def best_scored(self, beginning: str, limit: int) -> list[tuple[str, int]]:
        """The same, each with its score."""
        reached = [(words, words.beginning(beginning)) for words in map(self._of, self.lengths)]
        scored = [words.scores[places.start : places.stop] for words, places in reached]
        together = np.concatenate([np.empty(0, np.int16), *scored])
        lowest = int(np.partition(together, -limit)[-limit] if limit < len(together) else together.min(initial=0))
        found: list[tuple[int, str]] = []
        for (words, places), scores in zip(reached, scored, strict=True):
            for chosen in ((scores > lowest).nonzero()[0], (scores == lowest).nonzero()[0][:limit]):
                listed = words.at((places.start + chosen).tolist())
                found += zip((-scores[chosen]).tolist(), listed, strict=True)
        return [(word, -score) for score, word in sorted(found)[:limit]]

    def prepare(self) -> None:
        """Sort the words of all lengths now, so that no question waits for it."""
        for length in self.lengths:
            self._of(length)

    def nth(self, length: int, place: int) -> str:
        """The word at a place among those of its length, from 0; raises WordListError where there is none."""
        words = self._of(length)
        if not 0 <= place < len(words):
            raise WordListError(f"there are {len(words):,} words of {length} letters")
        return words[place]

    def neighbours(self, word: str) -> tuple[str | None, str | None]:
        """The words before and after one, listed or not, among those of its length."""
        words = self._of(len(word))
        before = words.before(word)
        after = before + (words.score(word) is not None)
        return words[before - 1] if before else None, words[after] if after < len(words) else None

    def between(self, one: str, other: str) -> int:
        """How many words lie between two of a length, which need not be listed and do not count themselves."""
        if len(one) != len(other):
            raise WordListError(f"{one} and {other} are not of one length")
        words, (first, last) = self._of(len(one)), sorted([one, other])
        return max(words.before(last) - words.before(first) - (words.score(first) is not None), 0)

    def score(self, word: str) -> int | None:
        return self._of(len(word)).score(word)

    def add(self, word: str, score: int) -> None:
        self._of(len(word)).change({word: score})

    def remove(self, word: str) -> None:
        self._of(len(word)).change({word: None})

    def rescore(self, word: str, score: int) -> None:
        """Give a word another score; raises WordListError where it is not here."""
        if self.score(word) is None:
            raise WordListError(f"{word} is not among the words")
        self.add(word, score)

    def follow(self, source: WordSource, scores: Mapping[str, int | None]) -> None:
        """Have the words of another source, which differs in some words alone: their scores, None for no word."""
        self._source = source
        for length in self._words.keys() & set(map(len, scores)):  # of others the new source has it right
            alike = {word: score for word, score in scores.items() if len(word) == length}
            self._words[length].change(alike)

    def _of(self, length: int) -> _OrderedWords:
        words = self._words.get(length)
        if words is None:
            words = self._words[length] = _OrderedWords(length, self._source.scores(length))
        return words
