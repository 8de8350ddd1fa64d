"""An index as a trie: words of a length share the nodes of their common beginnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xwtui.words.indexes.protocol import ANY, TableSource, check_pattern


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
