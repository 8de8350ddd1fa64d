"""The words of each length as a tree of letters, alive: a branch at each node for each letter that may come next.

A node keeps its words as a list until somebody looks at its branches, and parts them then: nothing is built
that no question comes by (a burst trie: Heinz, Zobel and Williams, ACM TOIS 2002). A word that comes or goes
changes the counts on its way down and one such list.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias, TypeVar

from xwtui.errors import WordListError
from xwtui.words.sorted_index import ANY, WordSource

_FEW = 24
"""Words that are looked at one by one rather than parted."""

Choices: TypeAlias = Sequence[Collection[str] | None]
"""For each place of a word the letters that may stand there; None for any."""


State = TypeVar("State")


class TrieNode:
    """The words that begin alike."""

    __slots__ = ("_at", "_branches", "_words", "count")

    def __init__(self, words: list[str], at: int = 0) -> None:
        """Take words in order, without repeats, alike in their first `at` letters."""
        self.count = len(words)
        """How many words there are."""
        self._at = at
        self._words = words
        self._branches: dict[str, TrieNode] | None = None

    @property
    def branches(self) -> dict[str, TrieNode]:
        """The letters that may come next, each with what follows it; empty past the last letter."""
        if self._branches is None:
            at, words = self._at, self._words
            parted = groupby(words, itemgetter(at)) if words and len(words[0]) > at else ()
            self._branches = {letter: TrieNode(list(own), at + 1) for letter, own in parted}
            if self._branches:
                self._words = []
        return self._branches

    def words(self) -> Iterator[str]:
        """All words, in order."""
        if not self._branches:
            yield from self._words
        else:
            for letter in sorted(self._branches):
                yield from self._branches[letter].words()

    def few(self) -> Sequence[str] | None:
        """All words, where they are few and not parted yet."""
        return self._words if self._branches is None and self.count <= _FEW else None

    def add(self, word: str) -> None:
        self.count += 1
        if not self._branches:
            self._words.insert(bisect_left(self._words, word), word)
            self._branches = None
        elif (branch := self._branches.get(word[self._at])) is not None:
            branch.add(word)
        else:
            self._branches[word[self._at]] = TrieNode([word], self._at + 1)

    def remove(self, word: str) -> None:
        self.count -= 1
        if not self._branches:
            del self._words[bisect_left(self._words, word)]
            return
        branch = self._branches[word[self._at]]
        branch.remove(word)
        if not branch.count:
            del self._branches[word[self._at]]


class PatternNode:
    """The words that fit a pattern with gaps: a node of a trie whose levels are places in any order."""

    __slots__ = ("_counts", "_kept", "words")

    def __init__(self, words: list[str], *, keeps: bool = False) -> None:
        """Take words of one length; one that `keeps` holds what follows it, for it is met again and again."""
        self.words = words
        self._counts: dict[int, Counter[str]] = {}
        self._kept: dict[tuple[int, str], PatternNode] | None = {} if keeps else None

    def counts(self, at: int) -> Mapping[str, int]:
        """The letters that may stand at a place, each with how many words have it there."""
        found = self._counts.get(at)
        if found is None:
            found = self._counts[at] = Counter([word[at] for word in self.words])
        return found

    def having(self, at: int, letter: str) -> PatternNode:
        """The node of the words that have a letter at a place."""
        node = None if self._kept is None else self._kept.get((at, letter))
        if node is None:
            node = PatternNode([word for word in self.words if word[at] == letter])
            if self._kept is not None:
                self._kept[at, letter] = node
        return node


class Trie:
    """A `WordIndex` by letters; a length is read when it is first asked for."""

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self._scores: dict[int, dict[str, int]] = {}
        self._roots: dict[int, TrieNode] = {}

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that words have, or had, shortest first."""
        return tuple(sorted({*self._source.lengths, *self._roots}))

    def __len__(self) -> int:
        return sum(self.root(length).count for length in self.lengths)

    def root(self, length: int) -> TrieNode:
        """The node from which all words of a length go out."""
        root = self._roots.get(length)
        if root is None:
            scores = self._scores[length] = dict(self._source.scores(length))
            root = self._roots[length] = TrieNode(sorted(scores))
        return root

    def matches(self, pattern: str) -> Iterator[str]:
        """The words that fit, in order; the trie may not change meanwhile."""
        return self.spelled([None if sign == ANY else sign for sign in pattern])

    def count(self, pattern: str) -> int:
        """The number of words that fit; those below the last known letter are not gone through."""
        choices = [None if sign == ANY else sign for sign in pattern.rstrip(ANY)]
        return sum(
            node.count if words is None else sum(_spells(word, choices) for word in words)
            for node, words in _walk(self.root(len(pattern)), choices)
        )

    def spelled(self, choices: Choices) -> Iterator[str]:
        """The words whose letters are each among those of their place, in order."""
        for node, words in _walk(self.root(len(choices)), choices):
            if words is None:
                yield from node.words()
            else:
                yield from (word for word in words if _spells(word, choices))

    def begins(self, beginning: str, length: int | None = None) -> Iterator[str]:
        """The words that begin so, of one length or shorter ones first, in order."""
        for one in self.lengths if length is None else (length,):
            if one >= len(beginning):
                yield from self.matches(beginning.ljust(one, ANY))

    def in_order(self, letters: str, length: int) -> Iterator[str]:
        """The words of a length that have some letters in this order, whatever stands between them."""

        def lead_on(done: int, letter: str, left: int) -> int | None:
            done += done < len(letters) and letters[done] == letter
            return done if len(letters) - done <= left else None

        return _led(self.root(length), length, 0, lead_on)

    def made_of(self, letters: str, length: int) -> Iterator[str]:
        """The words of a length made of some letters, each as often as given at most; `?` is any letter."""
        given = Counter(letters)

        def lead_on(used: str, letter: str, _: int) -> str | None:
            used += letter
            lacking = sum((Counter(used) - given).values())
            return used if lacking <= given[ANY] else None

        return _led(self.root(length), length, "", lead_on)

    def inside(self, row: str) -> Iterator[tuple[int, str]]:
        """The words that stand within a row of letters, each with where it begins, from the left; `?` is any."""
        for start in range(len(row)):
            for length in self.lengths:
                if start + length <= len(row):
                    yield from ((start, word) for word in self.matches(row[start : start + length]))

    def score(self, word: str) -> int | None:
        self.root(len(word))
        return self._scores[len(word)].get(word)

    def add(self, word: str, score: int) -> None:
        if self.score(word) is None:
            self.root(len(word)).add(word)
        self._scores[len(word)][word] = score

    def remove(self, word: str) -> None:
        if self.score(word) is not None:
            self.root(len(word)).remove(word)
            del self._scores[len(word)][word]

    def rescore(self, word: str, score: int) -> None:
        """Give a word another score; raises WordListError where it is not here."""
        if self.score(word) is None:
            raise WordListError(f"{word} is not among the words")
        self._scores[len(word)][word] = score


def _spells(word: str, choices: Choices) -> bool:
    return all(choice is None or letter in choice for letter, choice in zip(word, choices, strict=False))


def _walk(node: TrieNode, choices: Choices, at: int = 0) -> Iterator[tuple[TrieNode, Sequence[str] | None]]:
    """The nodes all of whose words are spelled so, and those with few words that are yet to be looked at."""
    while at < len(choices) and choices[-1] is None:
        choices = choices[:-1]
    few = node.few()
    if at >= len(choices) or few is not None:
        yield node, few if at < len(choices) else None
        return
    choice, branches = choices[at], node.branches
    for letter in sorted(branches) if choice is None else sorted(branches.keys() & choice):
        yield from _walk(branches[letter], choices, at + 1)


def _led(
    node: TrieNode, left: int, state: State, lead_on: Callable[[State, str, int], State | None]
) -> Iterator[str]:
    """The words to which each letter leads on: `lead_on` tells the next state; None where none follows."""
    if not left:
        yield from node.words()
        return
    for letter in sorted(node.branches):
        after = lead_on(state, letter, left - 1)
        if after is not None:
            yield from _led(node.branches[letter], left - 1, after, lead_on)
