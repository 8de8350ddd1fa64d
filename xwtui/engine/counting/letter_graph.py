"""A slot's words as a graph: a node for each set of endings that some first letters leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NO_LABEL = -1
"""The label of a word that no other slot may take."""


@dataclass(frozen=True, eq=False)
class Level:
    """The nodes after so many letters; those of the last level end words."""

    symbols: NDArray[np.uint8]
    """(edges,) the letter of each edge, node after node, in rising order."""
    targets: NDArray[np.int64]
    """(edges,) the node of the next level that it leads to."""
    starts: NDArray[np.int64]
    """(nodes,) where each node's edges start."""
    futures: NDArray[np.uint64]
    """(nodes, levels left) the letters that the endings have at this level and each later one, as bits."""
    kinds: NDArray[np.int64]
    """(nodes,) equal for nodes with the same endings, whatever their labels."""
    labels: NDArray[np.int64]
    """(nodes,) the labels of the words that end here; empty before the last level."""

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.kinds)


def letter_graph(symbols: NDArray[np.uint8], labels: NDArray[np.int64]) -> list[Level]:
    """The graph of some words, shape (words, letters), all different: its levels, from the first letter on.

    Nodes with the same endings are one, unless the labels of the words differ.
    """
    order = np.lexsort(symbols.T[::-1])
    symbols, labels = symbols[order], labels[order]
    words, letters = symbols.shape
    is_head = np.ones((words, letters + 1), np.bool_)
    is_head[1:, 1:] = np.logical_or.accumulate(symbols[1:] != symbols[:-1], axis=1)
    is_head[1:, 0] = False
    heads = [np.flatnonzero(is_head[:, level]) for level in range(letters + 1)]
    own, nodes = np.unique(labels, return_inverse=True)
    kinds = np.zeros(words, np.int64)
    levels = [_last_level(own)]
    for level in range(letters - 1, -1, -1):
        edges = _Edges(symbols[heads[level + 1], level], nodes, np.searchsorted(heads[level + 1], heads[level]))
        kinds, _ = edges._replace(targets=kinds).merged()
        nodes, firsts = edges.merged()
        levels.append(edges.level(firsts, kinds, levels[-1]))
    return levels[::-1]


def _last_level(labels: NDArray[np.int64]) -> Level:
    none = np.zeros(0, np.int64)
    nodes = len(labels)
    futures = np.zeros((nodes, 0), np.uint64)
    return Level(
        np.zeros(0, np.uint8), none, np.zeros(nodes, np.int64), futures, np.zeros(nodes, np.int64), labels
    )


class _Edges(NamedTuple):
    """The edges of nodes that may be the same: symbols and targets (edges,), node after node."""

    symbols: NDArray[np.uint8]
    targets: NDArray[np.intp]
    starts: NDArray[np.intp]
    """(nodes,)."""

    @property
    def ends(self) -> NDArray[np.intp]:
        """(nodes,) where each node's edges end."""
        return np.append(self.starts[1:], len(self.symbols))

    def merged(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """A number for each node, equal for those with equal edges, and the first node of each number."""
        edges = (self.targets.astype(np.int64) << 8 | self.symbols).tobytes()
        numbers: dict[bytes, int] = {}
        merged: list[int] = []
        firsts: list[int] = []
        for node, (start, end) in enumerate(zip(self.starts.tolist(), self.ends.tolist(), strict=True)):
            number = numbers.setdefault(edges[8 * start : 8 * end], len(numbers))
            if number == len(firsts):
                firsts.append(node)
            merged.append(number)
        return np.array(merged, np.intp), np.array(firsts, np.intp)

    def level(self, firsts: NDArray[np.intp], kinds: NDArray[np.intp], following: Level) -> Level:
        """The level of the first nodes of each number."""
        counts = self.ends[firsts] - self.starts[firsts]
        starts = np.cumsum(counts) - counts
        kept = np.arange(int(counts.sum())) + np.repeat(self.starts[firsts] - starts, counts)
        symbols, targets = self.symbols[kept], self.targets[kept]
        bits = np.left_shift(np.uint64(1), symbols.astype(np.uint64))
        shown = np.column_stack([bits, following.futures[targets]])
        futures = np.bitwise_or.reduceat(shown, starts, axis=0)
        return Level(symbols, targets, starts, futures, kinds[firsts], np.zeros(0, np.int64))
