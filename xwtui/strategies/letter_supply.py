"""Which letters may come next after the first letters of an entry: Emogic's two ways to look that up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from xwtui.strategies.board import EMPTY

Trie: TypeAlias = dict[str, "Trie"]
"""A tree of words: the letters that may come next, each with the tree of what follows it."""


def trie_of(words: Iterable[str]) -> Trie:
    """The tree of some words."""
    root: Trie = {}
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
    return root


class LetterSupply(Protocol):
    """The letters that may follow a prefix in one slot."""

    def after(self, prefix: str) -> Collection[str]:
        """The letters with which the prefix still begins a word."""


class ChainSupply:
    """Method 1: a chain of tables, one for each letter, that every look-up follows from its beginning."""

    def __init__(self, words: Sequence[str]) -> None:
        self._root = trie_of(words)

    def after(self, prefix: str) -> Collection[str]:
        """The letters with which the prefix still begins a word."""
        node = self._root
        for letter in prefix:
            node = node.get(letter, {})
        return node.keys()


class MaskSupply:
    """Method 2: one table whose keys are masks, the prefix padded to the length of the word (`CA???`)."""

    def __init__(self, words: Sequence[str]) -> None:
        self._length = len(words[0]) if words else 0
        letters: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for word in words:
            for index, letter in enumerate(word):
                letters[self._mask(word[:index])][letter] = None
        self._letters: Mapping[str, Collection[str]] = {mask: tuple(found) for mask, found in letters.items()}

    def after(self, prefix: str) -> Collection[str]:
        """The letters with which the prefix still begins a word."""
        return self._letters.get(self._mask(prefix), ())

    def _mask(self, prefix: str) -> str:
        return prefix.ljust(self._length, EMPTY)
