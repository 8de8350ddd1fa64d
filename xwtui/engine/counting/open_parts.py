"""The parts of a grid that can be counted apart: what is still open after propagation, cut where nothing joins it.

Two entries belong together if an open square is in both, or if one word could stand in both where
answers must differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import PLACES, SQUARE
from xwtui.engine.kernels.state import State
from xwtui.engine.problem import Problem

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
            yield OpenSlot(number, tuple(squares.tolist()), table.symbols[rows], table.words[rows], table.is_plain)


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
