"""The quotas that ask for something, and how their squares or entries stand in a particle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.counting.belief import Beliefs
from xwtui.engine.kernels.demand_arrays import FIRST_QUOTA, QUOTA_COLUMNS
from xwtui.engine.kernels.demand_arrays import SYMBOLS as QUOTA_ROWS
from xwtui.engine.kernels.network import AT_INDEX, AT_SLOT, CROSSING, DOMAIN, INDEX, PLACES, SYMBOLS
from xwtui.engine.kernels.population import Population
from xwtui.engine.problem import Problem


class Standing(NamedTuple):
    """How the members of a quota stand in one particle, (members,) each."""

    is_decided: NDArray[np.bool_]
    """Whether each counts whatever follows."""
    is_open: NDArray[np.bool_]
    """Whether each may count or not."""


class Members(Protocol):
    """The squares or the slots that a quota is about."""

    least: int
    """How many of them must count, at least."""

    def standing(self, population: Population, particle: int) -> Standing:
        """How they stand in a particle."""

    def shares(self, population: Population, particle: int) -> NDArray[np.float64]:
        """(members,) about the share of a particle's fills in which each counts."""

    def who(self, member: int) -> int:
        """The number of a member in the problem."""


class SquareMembers:
    """A quota on squares."""

    def __init__(self, problem: Problem, squares: Sequence[int], symbols: int, least: int) -> None:
        self.least = least
        network = problem.network
        self._squares = np.array(squares, np.int64)
        self._symbols = np.uint64(symbols)
        self._counted = np.array([symbols >> symbol & 1 for symbol in range(SYMBOLS)], np.float64)
        slots, indices = network.squares[self._squares, AT_SLOT], network.squares[self._squares, AT_INDEX]
        self._places = network.slots[slots, PLACES].astype(np.int64) + indices
        others = network.places[self._places, CROSSING].astype(np.int64)
        crossings = network.slots[others, PLACES] + network.places[self._places, INDEX]
        self._crossings = np.where(others >= 0, crossings, -1).astype(np.int64)

    def standing(self, population: Population, particle: int) -> Standing:
        """By the squares' masks."""
        masks = population.masks[particle, self._squares]
        can, need_not = masks & self._symbols != 0, masks & ~self._symbols != 0
        return Standing(can & ~need_not, can & need_not)

    def shares(self, population: Population, particle: int) -> NDArray[np.float64]:
        """By what both slots say of the square."""
        said = population.shares[particle].reshape(-1, SYMBOLS)
        weights = said[self._places].copy()
        is_crossed = self._crossings >= 0
        weights[is_crossed] *= said[self._crossings[is_crossed]]
        sums = weights.sum(axis=1)
        shares: NDArray[np.float64] = (weights @ self._counted) / np.where(sums > 0, sums, 1.0)
        return shares

    def who(self, member: int) -> int:
        """The square's number."""
        return int(self._squares[member])


class SlotMembers:
    """A quota on slots; its shares are those at the root."""

    def __init__(
        self, problem: Problem, number: int, rows: Sequence[NDArray[np.bool_]], beliefs: Beliefs, least: int
    ) -> None:
        self.least = least
        network = problem.network
        record = FIRST_QUOTA + number * QUOTA_COLUMNS
        self._rows = network.quota_rows[int(network.demands[record + QUOTA_ROWS]) :]
        self._starts = network.slots[:-1, DOMAIN].astype(np.int64)
        self._shares = np.array(
            [beliefs.row_shares(slot) @ counted if counted.any() else 0.0 for slot, counted in enumerate(rows)]
        )

    def standing(self, population: Population, particle: int) -> Standing:
        """By the rows left."""
        limits = population.limits[particle]
        live, slots = int(limits.sum()), np.repeat(np.arange(len(limits)), limits)
        bits = population.bits[particle, :live]
        counted = self._rows[self._starts[slots] + population.words[particle, :live]]
        can, need_not = (
            np.bincount(slots[bits & chosen != 0], minlength=len(limits)) > 0 for chosen in (counted, ~counted)
        )
        return Standing(can & ~need_not, can & need_not)

    def shares(self, population: Population, particle: int) -> NDArray[np.float64]:
        """By the beliefs at the root."""
        return self._shares

    def who(self, member: int) -> int:
        """The slot's number."""
        return member


def asking_quotas(problem: Problem, beliefs: Beliefs) -> Iterator[tuple[int, Members]]:
    """The quotas that ask for something, by their numbers, where all that they speak of is to be filled."""
    if not all(problem.is_required):
        return
    demands = problem.demands
    for number, squares in enumerate(demands.square_quotas):
        if squares.least:
            yield number, SquareMembers(problem, squares.squares, squares.symbols, squares.least)
    for number, slots in enumerate(demands.slot_quotas, len(demands.square_quotas)):
        if slots.least:
            yield number, SlotMembers(problem, number, slots.rows, beliefs, slots.least)
