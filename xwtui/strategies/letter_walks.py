"""The orders in which letter searches visit the squares: Cambon's walks, on any block pattern.

Entries are built from their first letter to their last, so a square may come only after all squares to its left in
its across slot and above it in its down slot. Every walk is defined on the whole rectangle and skips blocks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from time import perf_counter
from typing import NamedTuple

from xwtui.model import Position
from xwtui.strategies.board import EMPTY
from xwtui.words.trie import TrieNode


class Rectangle(NamedTuple):
    """The dimensions of a grid."""

    height: int
    width: int


def _straight(sides: Rectangle) -> Iterator[Position]:
    """Row by row, from left to right."""
    for row in range(sides.height):
        for column in range(sides.width):
            yield Position(row, column)


def _switch(sides: Rectangle) -> Iterator[Position]:
    """From each diagonal square to the right, then from the square below it downward."""
    for corner in range(min(sides)):
        yield from (Position(corner, column) for column in range(corner, sides.width))
        yield from (Position(row, corner) for row in range(corner + 1, sides.height))


def _snake(sides: Rectangle) -> Iterator[Position]:
    """L-shaped shells: down a column to just above the diagonal, then along a row from the left up to it."""
    for shell in range(max(sides)):
        if shell < sides.width:
            yield from (Position(row, shell) for row in range(min(shell, sides.height)))
        if shell < sides.height:
            yield from (Position(shell, column) for column in range(min(shell + 1, sides.width)))


def _diagonals(sides: Rectangle) -> Iterator[list[Position]]:
    """The diagonals that rise to the right, each from its upper right end."""
    for total in range(sides.height + sides.width - 1):
        rows = range(max(0, total - sides.width + 1), min(total + 1, sides.height))
        yield [Position(row, total - row) for row in rows]


def _slalom(sides: Rectangle) -> Iterator[Position]:
    """Diagonal by diagonal, alternating downward and upward."""
    for number, diagonal in enumerate(_diagonals(sides)):
        yield from reversed(diagonal) if number % 2 else diagonal


_FIXED: Mapping[str, Callable[[Rectangle], Iterator[Position]]] = {
    "straight": _straight,
    "switch": _switch,
    "snake": _snake,
    "sik-sak": lambda sides: chain.from_iterable(_diagonals(sides)),
    "slalom": _slalom,
}

LETTER_WALKS = (*_FIXED, "random")
"""The names of the walks."""


def letter_walk(
    name: str,
    sides: Rectangle,
    squares: Collection[Position],
    before: Mapping[Position, Sequence[Position]],
    rng: Random,
) -> list[Position]:
    """Return the squares in the order of a walk; `before` names the squares that must precede each one."""
    if name == "random":
        return _random_walk(squares, before, rng)
    chosen = set(squares)
    return [position for position in _FIXED[name](sides) if position in chosen]


def _random_walk(
    squares: Collection[Position], before: Mapping[Position, Sequence[Position]], rng: Random
) -> list[Position]:
    """At each step, a random square of those that are ready."""
    waiting = {square: set(before[square]) for square in squares}
    followers: dict[Position, list[Position]] = {square: [] for square in squares}
    for square, needed in waiting.items():
        for other in needed:
            followers[other].append(square)
    ready = sorted(square for square, needed in waiting.items() if not needed)
    walk: list[Position] = []
    while ready:
        square = ready.pop(rng.randrange(len(ready)))
        walk.append(square)
        for other in followers[square]:
            waiting[other].discard(square)
            if not waiting[other]:
                ready.append(other)
    return walk


class LetterSupply(ABC):
    """Finds the letters that may follow a prefix in one slot; look-ups are counted and timed."""

    asked = 0
    """Number of look-ups."""
    seconds = 0.0
    """Total time of the look-ups."""

    def after(self, prefix: str) -> Collection[str]:
        """Return the letters that extend the prefix toward a word."""
        begun = perf_counter()
        found = self._find(prefix)
        self.asked += 1
        self.seconds += perf_counter() - begun
        return found

    @abstractmethod
    def _find(self, prefix: str) -> Collection[str]: ...


class ChainSupply(LetterSupply):
    """Method 1: a chain of tables, one per letter, followed from the start in every look-up."""

    def __init__(self, words: Sequence[str]) -> None:
        self._root = TrieNode(sorted(words))

    def _find(self, prefix: str) -> Collection[str]:
        branches = self._root.branches
        for letter in prefix:
            if letter not in branches:
                return ()
            branches = branches[letter].branches
        return branches.keys()


class MaskSupply(LetterSupply):
    """Method 2: one table whose keys are masks, the prefix padded to the length of the word (`CA???`)."""

    def __init__(self, words: Sequence[str]) -> None:
        self._length = len(words[0]) if words else 0
        letters: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for word in words:
            for index, letter in enumerate(word):
                letters[self._mask(word[:index])][letter] = None
        self._letters: Mapping[str, Collection[str]] = {mask: tuple(found) for mask, found in letters.items()}

    def _find(self, prefix: str) -> Collection[str]:
        return self._letters.get(self._mask(prefix), ())

    def _mask(self, prefix: str) -> str:
        return prefix.ljust(self._length, EMPTY)
