"""A mutable trie for each word length, with one branch at each node for each possible next letter.

A node keeps its words in a flat list and splits it into branches only when they are first needed (a burst trie:
Heinz, Zobel and Williams, ACM TOIS 2002). Adding or removing a word updates the counts along its path and one
list.
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
"""Maximum size of a word list that is scanned rather than split."""

Choices: TypeAlias = Sequence[Collection[str] | None]
"""For each position of a word, the letters allowed there; None for any."""


State = TypeVar("State")


class TrieNode:
    """The words that share a prefix."""

    __slots__ = ("_at", "_branches", "_words", "count")

    def __init__(self, words: list[str], at: int = 0) -> None:
        """Take distinct words in sorted order that share their first `at` letters."""
        self.count = len(words)
        """The number of words."""
        self._at = at
        self._words = words
        self._branches: dict[str, TrieNode] | None = None

    @property
    def branches(self) -> dict[str, TrieNode]:
        """The child node for each possible next letter; empty after the last letter."""
        if self._branches is None:
            at, words = self._at, self._words
            parted = groupby(words, itemgetter(at)) if words and len(words[0]) > at else ()
            self._branches = {letter: TrieNode(list(own), at + 1) for letter, own in parted}
            if self._branches:
                self._words = []
        return self._branches

    def words(self) -> Iterator[str]:
        """Yield all words in sorted order."""
        if not self._branches:
            yield from self._words
        else:
            for letter in sorted(self._branches):
                yield from self._branches[letter].words()

    def few(self) -> Sequence[str] | None:
        """Return all words if they are few and not split yet, else None."""
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
    """The words that fit a pattern with gaps: a node of a trie whose levels may be positions in any order."""

    __slots__ = ("_counts", "_kept", "words")

    def __init__(self, words: list[str], *, keeps: bool = False) -> None:
        """Take words of one length; with `keeps`, cache the child nodes of a node that is visited often."""
        self.words = words
        self._counts: dict[int, Counter[str]] = {}
        self._kept: dict[tuple[int, str], PatternNode] | None = {} if keeps else None

    def counts(self, at: int) -> Mapping[str, int]:
        """Return the letters that occur at a position, each with its number of words."""
        found = self._counts.get(at)
        if found is None:
            found = self._counts[at] = Counter([word[at] for word in self.words])
        return found

    def having(self, at: int, letter: str) -> PatternNode:
        """Return the node of the words with a letter at a position."""
        node = None if self._kept is None else self._kept.get((at, letter))
        if node is None:
            node = PatternNode([word for word in self.words if word[at] == letter])
            if self._kept is not None:
                self._kept[at, letter] = node
        return node


class Trie:
    """The queries of a `SortedIndex` and more, based on tries; each length is read on first use."""

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self._scores: dict[int, dict[str, int]] = {}
        self._roots: dict[int, TrieNode] = {}

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of all words, past or present, in ascending order."""
        return tuple(sorted({*self._source.lengths, *self._roots}))

    def __len__(self) -> int:
        return sum(self.root(length).count for length in self.lengths)

    def root(self, length: int) -> TrieNode:
        """Return the root node for words of a length."""
        root = self._roots.get(length)
        if root is None:
            scores = self._scores[length] = dict(self._source.scores(length))
            root = self._roots[length] = TrieNode(sorted(scores))
        return root

    def matches(self, pattern: str) -> Iterator[str]:
        """Yield the words that fit in sorted order; the trie must not change during iteration."""
        return self.spelled([None if sign == ANY else sign for sign in pattern])

    def count(self, pattern: str) -> int:
        """Return the number of words that fit, without descending below the last known letter."""
        choices = [None if sign == ANY else sign for sign in pattern.rstrip(ANY)]
        return sum(
            node.count if words is None else sum(_spells(word, choices) for word in words)
            for node, words in _walk(self.root(len(pattern)), choices)
        )

    def spelled(self, choices: Choices) -> Iterator[str]:
        """Yield the words whose every letter is among the choices for its position, in sorted order."""
        for node, words in _walk(self.root(len(choices)), choices):
            if words is None:
                yield from node.words()
            else:
                yield from (word for word in words if _spells(word, choices))

    def begins(self, beginning: str, length: int | None = None) -> Iterator[str]:
        """Yield the words with a prefix in sorted order, of one length or else of all, shorter ones first."""
        for one in self.lengths if length is None else (length,):
            if one >= len(beginning):
                yield from self.matches(beginning.ljust(one, ANY))

    def in_order(self, letters: str, length: int) -> Iterator[str]:
        """Yield the words of a length that contain some letters in this order, with any letters between them."""

        def lead_on(done: int, letter: str, left: int) -> int | None:
            done += done < len(letters) and letters[done] == letter
            return done if len(letters) - done <= left else None

        return _led(self.root(length), length, 0, lead_on)

    def made_of(self, letters: str, length: int) -> Iterator[str]:
        """Yield the words of a length made of some letters, each used at most as often as given; `?` is any."""
        given = Counter(letters)

        def lead_on(used: str, letter: str, _: int) -> str | None:
            used += letter
            lacking = sum((Counter(used) - given).values())
            return used if lacking <= given[ANY] else None

        return _led(self.root(length), length, "", lead_on)

    def inside(self, row: str) -> Iterator[tuple[int, str]]:
        """Yield the words inside a row of letters, each with its start, from left to right; `?` is any letter."""
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
        """Change a word's score; raises WordListError if the word is missing."""
        if self.score(word) is None:
            raise WordListError(f"{word} is not among the words")
        self._scores[len(word)][word] = score


def _spells(word: str, choices: Choices) -> bool:
    return all(choice is None or letter in choice for letter, choice in zip(word, choices, strict=False))


def _walk(node: TrieNode, choices: Choices, at: int = 0) -> Iterator[tuple[TrieNode, Sequence[str] | None]]:
    """Yield nodes whose words all match, with None, and small unsplit nodes with their words, still unchecked."""
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
    """Yield the words whose letters `lead_on` accepts one by one; it returns the next state, or None to reject."""
    if not left:
        yield from node.words()
        return
    for letter in sorted(node.branches):
        after = lead_on(state, letter, left - 1)
        if after is not None:
            yield from _led(node.branches[letter], left - 1, after, lead_on)
