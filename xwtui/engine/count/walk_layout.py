"""Laying a part of the grid out for a letter walk, the words of each slot as a graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.count.parts import OpenPart, OpenSlot, WalkOrder
from xwtui.engine.kernels.count import walk_arrays as at
from xwtui.engine.kernels.count.walk_arrays import DIGIT_BITS, Memory, Place, Walk

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


Through: TypeAlias = list[tuple[int, int]]
"""The slots through a square, one or two, each with the level that the square is on."""

_FEWEST_AHEAD = 3
"""Squares of a subtree, at least, for its counts to be worth remembering."""


class TooLarge(Exception):  # noqa: N818  it is no error: another way to count is left
    """The graphs of the words would take more memory than a count may."""


def lay_out(part: OpenPart, order: WalkOrder, *, nodes: int, stopped: Callable[[], bool]) -> Walk:
    """Lay a part out; raises TooLarge for more nodes than these, or when it is stopped."""
    return _Layout(part, order).walk(nodes, stopped)


class _Layout:
    """A part, its order, and where each slot's open squares come in it."""

    def __init__(self, part: OpenPart, order: WalkOrder) -> None:
        self.part = part
        self.order = order
        self.place = {square: number for number, square in enumerate(order.squares)}
        self.steps = [
            sorted(self.place[square] for square in slot.squares if square in self.place) for slot in part.slots
        ]
        self.last = np.array([own[-1] for own in self.steps])
        self.first = np.array([own[0] for own in self.steps])

    def walk(self, most_nodes: int, stopped: Callable[[], bool]) -> Walk:
        through: list[Through] = [[] for _ in self.order.squares]
        for slot, own in enumerate(self.steps):
            for level, square in enumerate(own):
                through[square].append((slot, level))
        graphs = _Graphs(most_nodes, stopped)
        roots = [graphs.root(*self._graph_words(slot)) for slot in range(len(self.part.slots))]
        squares, lists = self._squares(through)
        slots = np.zeros((len(roots) + 1, at.SLOT_COLUMNS), np.int64)
        slots[:-1, at.ROOT] = roots
        slots[1:, at.STEPS] = np.cumsum([len(own) for own in self.steps])
        slots[1:, at.LETTERS] = np.cumsum([len(slot.squares) for slot in self.part.slots])
        words, lengths = self._contested_letters()
        return Walk(
            squares=squares,
            lists=lists,
            slots=slots,
            steps=self._step_rows(through),
            letters=self._letters(),
            words=words,
            lengths=lengths,
            nodes=np.concatenate(graphs.nodes),
            futures=np.concatenate(graphs.futures),
            edges=np.concatenate(graphs.edges).astype(np.int32),
        )

    def _graph_words(self, slot: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The letters of a slot's words in the order of the walk, and their labels."""
        one = self.part.slots[slot]
        columns = sorted(
            (index for index, square in enumerate(one.squares) if square in self.place),
            key=lambda index: self.place[one.squares[index]],
        )
        places = np.searchsorted(self.part.contested, one.words)
        is_contested = np.isin(one.words, self.part.contested)
        return np.ascontiguousarray(one.symbols[:, columns]), np.where(is_contested, places, NO_LABEL)

    def _squares(self, through: Sequence[Through]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        rows = np.full((len(through) + 1, at.SQUARE_COLUMNS), -1, np.int64)
        lists: list[int] = []
        pairs = np.argwhere(np.triu(self.part.contests))
        are_alike = self._are_alike(pairs)
        for square, (own, parent, end) in enumerate(
            zip(through, self.order.parents, self.order.ends, strict=True)
        ):
            rows[square, at.SLOT : at.LEVEL + 1] = own[0]
            if len(own) > 1:
                rows[square, at.OTHER_SLOT : at.OTHER_LEVEL + 1] = own[1]
            rows[square, at.PARENT] = parent
            rows[square, at.END] = end
            is_inside = (self.last >= square) & (self.last < end)
            is_open = is_inside & (self.first < square)
            rows[square, at.CONTEXT] = len(lists)
            lists += np.flatnonzero(is_open).tolist()
            rows[square, at.PAIRS] = len(lists)
            are_near = is_inside[pairs].all(axis=1)
            lists += pairs[are_near & are_alike].ravel().tolist()
            rows[square, at.UNFINISHED] = len(lists)
            rows[square, at.IS_ODD] = not are_alike[are_near].all()
            lists += np.flatnonzero(is_inside & self.part.contests.any(axis=1)).tolist()
            is_cut = square != parent + 1 or bool((self.last == parent).any())
            rows[square, at.REMEMBERED] = parent >= 0 and is_cut and end - square >= _FEWEST_AHEAD
        rows[-1, at.CONTEXT] = len(lists)
        _link_children(rows)
        return rows, np.array(lists, np.int64)

    def _are_alike(self, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Whether both slots of each pair have one square for each letter."""
        lengths = np.array([len(slot.squares) if slot.is_plain else 0 for slot in self.part.slots])
        one, other = lengths[pairs.T]
        alike: NDArray[np.bool_] = (one == other) & (one > 0)
        return alike

    def _step_rows(self, through: Sequence[Through]) -> NDArray[np.int64]:
        rows = []
        for slot, own in enumerate(self.steps):
            for square in own:
                other = next((pair for pair in through[square] if pair[0] != slot), (-1, -1))
                rows.append((square, *other))
        return np.array(rows, np.int64).reshape(-1, at.STEP_COLUMNS)

    def _letters(self) -> NDArray[np.int64]:
        return np.array(
            [
                self.place[square] if square in self.place else -self.part.masks[square].bit_length()
                for slot in self.part.slots
                for square in slot.squares
            ],
            np.int64,
        )

    def _contested_letters(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        contested = self.part.contested
        longest = max(len(slot.squares) for slot in self.part.slots)
        words, lengths = np.zeros((len(contested), longest), np.uint8), np.zeros(len(contested), np.int64)
        for slot in self.part.slots:
            if slot.is_plain:
                _spell(slot, contested, words, lengths)
        for slot in self.part.slots:
            if not slot.is_plain:
                lengths[np.isin(contested, slot.words)] = 0
        return words, lengths


def _spell(
    slot: OpenSlot, contested: NDArray[np.int32], words: NDArray[np.uint8], lengths: NDArray[np.int64]
) -> None:
    """Write down the letters of those contested words that a slot may take."""
    rows = np.flatnonzero(np.isin(slot.words, contested))
    labels = np.searchsorted(contested, slot.words[rows])
    words[labels, : len(slot.squares)] = slot.symbols[rows]
    lengths[labels] = len(slot.squares)


def _link_children(rows: NDArray[np.int64]) -> None:
    """Write down each square's first child and next sibling."""
    for square in range(len(rows) - 2, 0, -1):
        parent = rows[square, at.PARENT]
        rows[square, at.SIBLING] = rows[parent, at.CHILD]
        rows[parent, at.CHILD] = square


class _Graphs:
    """The graphs of all slots, one after the other; slots with the same words share one."""

    def __init__(self, most_nodes: int, stopped: Callable[[], bool]) -> None:
        self._most_nodes = most_nodes
        self._stopped = stopped
        self._roots: dict[tuple[bytes, bytes, tuple[int, ...]], int] = {}
        self.nodes: list[NDArray[np.int64]] = []
        self.futures: list[NDArray[np.uint64]] = []
        self.edges: list[NDArray[np.int64]] = []
        self._sizes = [0, 0, 0, 0]

    def root(self, symbols: NDArray[np.uint8], labels: NDArray[np.int64]) -> int:
        """The number of the first node of the graph of some words."""
        key = (symbols.tobytes(), labels.tobytes(), symbols.shape)
        root = self._roots.get(key)
        if root is None:
            if self._stopped():
                raise TooLarge
            root = self._roots[key] = self._sizes[0]
            levels = letter_graph(symbols, labels)
            for number, level in enumerate(levels):
                self._add(level, number)
            if self._sizes[0] > self._most_nodes:
                raise TooLarge
        return root

    def _add(self, level: Level, number: int) -> None:
        nodes, futures, edges, kinds = self._sizes
        rows = np.full((level.size, at.NODE_COLUMNS), NO_LABEL, np.int64)
        width = level.futures.shape[1]
        rows[:, at.FUTURE] = futures - number + width * np.arange(level.size)
        rows[:, at.EDGES] = edges + level.starts
        rows[:, at.KIND] = kinds + level.kinds
        if len(level.labels):
            rows[:, at.LABEL] = level.labels
        self.nodes.append(rows)
        self.futures.append(level.futures.ravel())
        self.edges.append(nodes + level.size + level.targets)
        self._sizes = [
            nodes + level.size,
            futures + level.futures.size,
            edges + len(level.targets),
            kinds + int(level.kinds.max()) + 1,
        ]


def digits_needed(part: OpenPart) -> int:
    """Digits that hold any count of a part: as many as all letters, or all words of slots that cover it, need."""
    letters = sum(math.log2(mask.bit_count()) for mask in part.masks.values())
    left = set(part.squares)
    words = 0.0
    for slot in sorted(part.slots, key=lambda slot: math.log2(len(slot.words)) / len(slot.squares)):
        if not left.isdisjoint(slot.squares):
            left.difference_update(slot.squares)
            words += math.log2(len(slot.words))
    return math.ceil((min(letters, words) + 1) / DIGIT_BITS)


def fresh_place(walk: Walk, digits: int) -> Place:
    """A walker before its first letter."""
    squares, slots = len(walk.squares) - 1, len(walk.slots) - 1
    return Place(
        nodes=walk.slots[:-1, at.ROOT].copy(),
        letters=np.zeros(squares, np.uint64),
        left=np.zeros(squares, np.uint64),
        frames=np.zeros((squares, at.FRAME_COLUMNS), np.int64),
        keys=np.zeros((squares, 2), np.uint64),
        sums=np.zeros((squares, digits), np.uint64),
        products=np.zeros((squares, digits), np.uint64),
        value=np.zeros(digits, np.uint64),
        scratch=np.zeros(digits, np.uint64),
        used=np.zeros(len(walk.lengths), np.uint8),
        taken=np.zeros(slots, np.int64),
        control=np.zeros(at.CONTROL_SIZE, np.int64),
    )


def fresh_memory(digits: int, most_bytes: int) -> Memory:
    """An empty memory of so many bytes at most; the system gives them when they are written to."""
    row = 8 * (at.DIGITS + digits)
    pairs = 1 << min(max(most_bytes // row, 2).bit_length() - 2, 29)
    return Memory(
        pairs=np.zeros(pairs, np.int32),
        entries=np.zeros((2 * pairs + 2, at.DIGITS + digits), np.uint64),
        used=np.zeros(1, np.int64),
    )


_FEW = 4
"""Of so many pairs, one in use is few: their order then saves more than looking it up takes."""


def with_room(memory: Memory) -> Memory:
    """The memory with each pair in its own place, where many are in use; else itself."""
    if int(memory.used[0]) * _FEW <= len(memory.pairs):
        return memory
    numbers = np.flatnonzero(memory.pairs)
    entries = np.zeros_like(memory.entries).reshape(-1, 2, memory.entries.shape[1])
    entries[numbers + 1] = memory.entries.reshape(entries.shape)[memory.pairs[numbers]]
    return Memory(memory.pairs, entries.reshape(memory.entries.shape), np.array([at.IN_PLACE], np.int64))
