"""The order in which a letter walk settles squares: one in which little is open at any time.

An order of the squares makes them a tree: each is below the last earlier square that what comes with
and after it still hangs on (the elimination tree of the order, backwards). The work is about the number
of ways in which the words begun before a square and not ended can stand; the order with the smallest
estimate is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from xwtui.engine.counting.open_parts import OpenPart
from xwtui.model import Position

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
