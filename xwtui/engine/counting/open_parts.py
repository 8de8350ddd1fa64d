"""The parts of a grid that can be counted apart: what is still open after propagation, cut where nothing joins it.

Two entries belong together if an open square is in both, or if one word could stand in both where
answers must differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import PLACES, SQUARE
from xwtui.engine.kernels.state import State
from xwtui.engine.problem import Problem


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
    """Whether each word has one row."""


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

    @cached_property
    def contests(self) -> NDArray[np.bool_]:
        """(slots, slots) whether two slots could take the same word."""
        matrix = np.zeros((len(self.slots), len(self.slots)), np.bool_)
        for one, other in _sharing(self.slots, self.contested):
            matrix[one, other] = matrix[other, one] = True
        return matrix


def open_parts(problem: Problem, state: State) -> list[OpenPart]:
    """The parts of a propagated state, those with fewest squares first."""
    slots = list(_open_slots(problem, state))
    masks = problem.masks(state)
    contested = np.zeros(0, np.int32) if problem.allow_repeats else _contested_words(slots)
    group = list(range(len(slots)))
    first_at: dict[int, int] = {}
    for number, slot in enumerate(slots):
        for square in slot.squares:
            if masks[square] & (masks[square] - 1):
                _join(group, number, first_at.setdefault(square, number))
    for one, other in _neighbours(slots, contested):
        _join(group, one, other)
    parts: dict[int, list[OpenSlot]] = {}
    for number, slot in enumerate(slots):
        parts.setdefault(_root(group, number), []).append(slot)
    made = [_part(part, masks, contested) for part in parts.values()]
    return sorted(made, key=lambda part: len(part.squares))


def _open_slots(problem: Problem, state: State) -> Iterator[OpenSlot]:
    network = problem.network
    starts = network.slots[:, PLACES].tolist()
    for number, size in enumerate(problem.domain_sizes(state)):
        if size > 1:
            table, rows = problem.tables[number], problem.rows_left(state, number)
            squares = network.places[starts[number] : starts[number + 1], SQUARE]
            yield OpenSlot(number, tuple(squares.tolist()), table.symbols[rows], table.words[rows], table.is_plain)


def _part(slots: Sequence[OpenSlot], masks: Sequence[int], contested: NDArray[np.int32]) -> OpenPart:
    own = contested[np.isin(contested, np.concatenate([slot.words for slot in slots]))]
    squares = {square for slot in slots for square in slot.squares}
    return OpenPart(tuple(slots), {square: masks[square] for square in squares}, own)


def _contested_words(slots: Sequence[OpenSlot]) -> NDArray[np.int32]:
    """The words that several slots have."""
    if not slots:
        return np.zeros(0, np.int32)
    words, counts = np.unique(np.concatenate([np.unique(slot.words) for slot in slots]), return_counts=True)
    several: NDArray[np.int32] = words[counts > 1]
    return several


def _owners(slots: Sequence[OpenSlot], contested: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """The contested words of all slots, sorted, and the slot of each."""
    own = [np.intersect1d(slot.words, contested) for slot in slots]
    words = np.concatenate(own) if own else np.zeros(0, np.int32)
    owners = np.repeat(np.arange(len(own)), [len(one) for one in own])
    order = np.argsort(words, kind="stable")
    return words[order], owners[order]


def _neighbours(slots: Sequence[OpenSlot], contested: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    """Pairs of slots with a word in common: enough of them to join all that have."""
    words, owners = _owners(slots, contested)
    are_same = words[1:] == words[:-1]
    pairs = np.unique(np.stack([owners[:-1][are_same], owners[1:][are_same]], axis=1), axis=0)
    yield from map(tuple, pairs.tolist())


def _sharing(slots: Sequence[OpenSlot], contested: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    """All pairs of slots with a word in common."""
    words, owners = _owners(slots, contested)
    bounds = np.flatnonzero(np.diff(words, prepend=-1, append=-1)).tolist()
    groups = {tuple(owners[start:end].tolist()) for start, end in pairwise(bounds)}
    for group in groups:
        for place, one in enumerate(group):
            for other in group[place + 1 :]:
                yield one, other


def _root(group: list[int], member: int) -> int:
    while group[member] != member:
        group[member] = group[group[member]]
        member = group[member]
    return member


def _join(group: list[int], one: int, other: int) -> None:
    group[_root(group, one)] = _root(group, other)
