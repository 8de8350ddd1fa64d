"""How a grid falls into parts that are counted apart, and in which order a part's squares are settled.

The parts of a grid that can be counted apart: what is still open after propagation, cut where nothing joins it.

Two entries belong together if an open square is in both, or if one word could stand in both where
answers must differ.

The order in which a letter walk settles squares: one in which little is open at any time.

An order of the squares makes them a tree: each is below the last earlier square that what comes with
and after it still hangs on (the elimination tree of the order, backwards). The work is about the number
of ways in which the words begun before a square and not ended can stand; the order with the smallest
estimate is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import PLACES, SQUARE
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.problem import Problem
from xwtui.model import Position

_SLOT_BITS = 16


@dataclass(frozen=True, eq=False)
class OpenSlot:
    """A slot with several words left: `squares` are the numbers of all its squares."""

    number: int
    squares: tuple[int, ...]
    symbols: NDArray[np.uint8]
    """(rows left, squares)."""
    words: NDArray[np.int32]
    """(rows left,) the identity of each row's word."""
    is_plain: bool
    """Whether each word has one row, of a square for each letter."""


@dataclass(frozen=True, eq=False)
class OpenPart:
    """Slots that must be counted together."""

    slots: tuple[OpenSlot, ...]
    masks: dict[int, int]
    """The symbols that each of their squares can take, as bits."""
    contested: NDArray[np.int32]
    """Identities, rising, of the words that several of the slots could take, where answers must differ."""

    @cached_property
    def squares(self) -> tuple[int, ...]:
        """The open squares, in rising order."""
        return tuple(square for square, mask in sorted(self.masks.items()) if mask & (mask - 1))

    @property
    def likeness(self) -> tuple[object, ...]:
        """Equal for parts that are filled alike, on other squares."""
        numbers: dict[int, int] = {}
        return tuple(
            (
                tuple(numbers.setdefault(square, len(numbers)) for square in slot.squares),
                slot.symbols.shape,
                slot.symbols.tobytes(),
                slot.words.tobytes(),
            )
            for slot in self.slots
        )

    @cached_property
    def contests(self) -> NDArray[np.bool_]:
        """(slots, slots) whether two slots could take the same word."""
        has = np.zeros((len(self.slots), len(self.contested)), np.float32)
        for number, slot in enumerate(self.slots):
            places = np.searchsorted(self.contested, slot.words)
            is_in = places < len(self.contested)
            is_in[is_in] = self.contested[places[is_in]] == slot.words[is_in]
            has[number, places[is_in]] = 1
        matrix: NDArray[np.bool_] = has @ has.T > 0
        np.fill_diagonal(matrix, False)
        return matrix


def open_parts(problem: Problem, state: State) -> list[OpenPart]:
    """The parts of a propagated state, those with fewest squares first."""
    slots = list(_open_slots(problem, state))
    masks = problem.masks(state)
    uses = _Uses.of([] if problem.allow_repeats else slots)
    contested = uses.contested
    group = list(range(len(slots)))
    first_at: dict[int, int] = {}
    for number, slot in enumerate(slots):
        for square in slot.squares:
            if masks[square] & (masks[square] - 1):
                _join(group, number, first_at.setdefault(square, number))
    for one, other in uses.neighbours:
        _join(group, one, other)
    parts: dict[int, list[OpenSlot]] = {}
    for number, slot in enumerate(slots):
        parts.setdefault(_root(group, number), []).append(slot)
    made = [_part(part, masks, contested, is_cut=len(parts) > 1) for part in parts.values()]
    return sorted(made, key=lambda part: len(part.squares))


def _open_slots(problem: Problem, state: State) -> Iterator[OpenSlot]:
    network = problem.network
    starts = network.slots[:, PLACES].tolist()
    for number, size in enumerate(problem.domain_sizes(state)):
        if size > 1:
            table, rows = problem.tables[number], problem.rows_left(state, number)
            squares = network.places[starts[number] : starts[number + 1], SQUARE]
            is_plain = table.is_plain and not problem.slots[number].reads_twice
            yield OpenSlot(number, tuple(squares.tolist()), table.symbols[rows], table.words[rows], is_plain)


def _part(
    slots: Sequence[OpenSlot], masks: Sequence[int], contested: NDArray[np.int32], *, is_cut: bool
) -> OpenPart:
    own = contested
    if is_cut:
        own = contested[np.isin(contested, np.concatenate([slot.words for slot in slots]))]
    squares = {square for slot in slots for square in slot.squares}
    return OpenPart(tuple(slots), {square: masks[square] for square in squares}, own)


class _Uses(NamedTuple):
    """The slots of each word, (uses,) by rising identity of the words."""

    words: NDArray[np.int32]
    slots: NDArray[np.int64]

    @classmethod
    def of(cls, slots: Sequence[OpenSlot]) -> _Uses:
        """Sort the words of some slots."""
        uses = [slot.words.astype(np.int64) << _SLOT_BITS | number for number, slot in enumerate(slots)]
        ordered = np.unique(np.concatenate([np.zeros(0, np.int64), *uses]))
        return cls((ordered >> _SLOT_BITS).astype(np.int32), ordered & ((1 << _SLOT_BITS) - 1))

    @property
    def contested(self) -> NDArray[np.int32]:
        """The words that several slots have, rising."""
        return np.unique(self.words[1:][self._are_same])

    @property
    def neighbours(self) -> list[list[int]]:
        """Pairs of slots with a word in common: enough of them to join all that have."""
        pairs = np.stack([self.slots[:-1][self._are_same], self.slots[1:][self._are_same]], axis=1)
        joined: list[list[int]] = np.unique(pairs, axis=0).tolist()
        return joined

    @property
    def _are_same(self) -> NDArray[np.bool_]:
        same: NDArray[np.bool_] = self.words[1:] == self.words[:-1]
        return same


def _root(group: list[int], member: int) -> int:
    while group[member] != member:
        group[member] = group[group[member]]
        member = group[member]
    return member


def _join(group: list[int], one: int, other: int) -> None:
    group[_root(group, one)] = _root(group, other)


Squares: TypeAlias = int
"""A set of squares: a bit for each, by its number in the problem."""


@dataclass(frozen=True)
class WalkOrder:
    """Squares in the order of the walk, each after its parent and next to its subtree."""

    squares: tuple[int, ...]
    """The number of each square in the problem."""
    parents: tuple[int, ...]
    """The place of each square's parent in `squares`; -1 for the first."""
    ends: tuple[int, ...]
    """The place where the subtree of each ends."""
    log2_work: float
    """About how many ways words begun and not ended can stand, all squares together, as a logarithm."""


def best_order(part: OpenPart, position_of: Callable[[int], Position]) -> WalkOrder:
    """The best of some orders: rows, columns, diagonals, and one that cuts the grid apart early."""
    keys: list[Callable[[Position], tuple[int, ...]]] = [
        lambda at: (at.row, at.column),
        lambda at: (at.column, at.row),
        lambda at: (at.row + at.column, at.row),
        lambda at: (at.row - at.column, at.row),
    ]
    orders = [sorted(part.squares, key=lambda square: (key(position_of(square)), square)) for key in keys]
    cliques = list(_cliques(part))
    orders.append(_peeled(cliques)[::-1])
    neighbours = _neighbours(cliques)
    return min((_tree(part, order, neighbours) for order in orders), key=lambda order: order.log2_work)


def _cliques(part: OpenPart) -> Iterator[Squares]:
    """The squares of each slot, and of each two slots that might take the same word."""
    is_open = sum(1 << square for square in part.squares)
    own = [is_open & sum(1 << square for square in slot.squares) for slot in part.slots]
    yield from own
    for one, other in np.argwhere(np.triu(part.contests)).tolist():
        yield own[one] | own[other]


def _neighbours(cliques: Sequence[Squares]) -> dict[int, Squares]:
    neighbours: dict[int, Squares] = {}
    for clique in cliques:
        for square in _each(clique):
            neighbours[square] = neighbours.get(square, 0) | clique
    return {square: around & ~(1 << square) for square, around in neighbours.items()}


def _each(squares: Squares) -> Iterator[int]:
    """The squares in rising order."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def _peeled(cliques: Sequence[Squares]) -> list[int]:
    """The squares, each time one with the fewest neighbours, which are joined when it goes."""
    neighbours = _neighbours(cliques)
    order = []
    while neighbours:
        square = min(neighbours, key=lambda one: (neighbours[one].bit_count(), one))
        around = neighbours.pop(square)
        for one in _each(around):
            neighbours[one] = (neighbours[one] | around) & ~(1 << one | 1 << square)
        order.append(square)
    return order


def _tree(part: OpenPart, order: Sequence[int], neighbours: Mapping[int, Squares]) -> WalkOrder:
    parent = dict.fromkeys(order, -1)
    top = {square: square for square in order}

    def top_of(square: int) -> int:
        while top[square] != square:
            top[square] = top[top[square]]
            square = top[square]
        return square

    later = 0
    for square in reversed(order):
        for around in _each(neighbours[square] & later):
            below = top_of(around)
            if below != square:
                parent[below] = top[below] = square
        later |= 1 << square
    return _numbered(part, order, parent)


def _numbered(part: OpenPart, order: Sequence[int], parent: dict[int, int]) -> WalkOrder:
    """Put each subtree together, parents first."""
    children: dict[int, list[int]] = {square: [] for square in (-1, *order)}
    for square in order:
        children[parent[square]].append(square)
    squares: list[int] = []
    pending = children[-1][::-1]
    while pending:
        square = pending.pop()
        squares.append(square)
        pending += reversed(children[square])
    place = {square: number for number, square in enumerate(squares)}
    ends = list(range(1, len(squares) + 1))
    parents = [place[parent[square]] if parent[square] >= 0 else -1 for square in squares]
    for number in range(len(squares) - 1, 0, -1):
        ends[parents[number]] = max(ends[parents[number]], ends[number])
    return WalkOrder(tuple(squares), tuple(parents), tuple(ends), _log2_work(part, squares, ends))


def _log2_work(part: OpenPart, squares: Sequence[int], ends: Sequence[int]) -> float:
    """The logarithm of the number of states, if each open slot could be in any of its own."""
    place = {square: number for number, square in enumerate(squares)}
    bits = [0.0] * len(squares)
    for slot in part.slots:
        own = sorted(place[square] for square in slot.squares if square in place)
        most = math.log2(len(slot.words))
        begun = 0.0
        for number, following in pairwise(own):
            begun = min(begun + math.log2(part.masks[squares[number]].bit_count()), most)
            for ahead in range(number + 1, following + 1):
                if own[-1] < ends[ahead]:
                    bits[ahead] += begun
    highest = max(bits)
    return highest + math.log2(sum(2 ** (one - highest) for one in bits))
