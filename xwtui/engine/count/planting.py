"""Particles under rules of the whole grid: what a rule asks for is planted before any word is chosen.

Particles that choose words by their entries hardly ever meet a pangram, or a wanted word, by chance, and
those that miss it die at the end. So each particle first draws a square (or an entry) that is to count
for a cardinality, by the beliefs. A fill that has more of what was planted than was asked for can be reached
in several ways; its weight is divided by their number at the end, which keeps the mean what it was.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.count.belief import Beliefs
from xwtui.engine.kernels.count.belief import Workspace
from xwtui.engine.kernels.count.particles import ALIVE, DEAD, Population, plant
from xwtui.engine.kernels.network import AT_INDEX, AT_SLOT, CROSSING, DOMAIN, INDEX, PLACES, SYMBOLS
from xwtui.engine.kernels.propagate.constraints import CARDINALITY_COLUMNS, FIRST_CARDINALITY
from xwtui.engine.kernels.propagate.constraints import SYMBOLS as CARDINALITY_ROWS
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.problem import Problem


class MemberState(NamedTuple):
    """How the members of a cardinality stand in one particle, (members,) each."""

    is_decided: NDArray[np.bool_]
    """Whether each counts whatever follows."""
    is_open: NDArray[np.bool_]
    """Whether each may count or not."""


class Members(Protocol):
    """The squares or the slots that a cardinality is about."""

    least: int
    """How many of them must count, at least."""

    def standing(self, population: Population, particle: int) -> MemberState:
        """How they stand in a particle."""

    def shares(self, population: Population, particle: int) -> NDArray[np.float64]:
        """(members,) about the share of a particle's fills in which each counts."""

    def who(self, member: int) -> int:
        """The number of a member in the problem."""


class SquareMembers:
    """A cardinality on squares."""

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

    def standing(self, population: Population, particle: int) -> MemberState:
        """By the squares' masks."""
        masks = population.masks[particle, self._squares]
        can, need_not = masks & self._symbols != 0, masks & ~self._symbols != 0
        return MemberState(can & ~need_not, can & need_not)

    def shares(self, population: Population, particle: int) -> NDArray[np.float64]:
        """By what both slots say of the square."""
        said = all_shares(population, particle)
        weights = said[self._places].copy()
        is_crossed = self._crossings >= 0
        weights[is_crossed] *= said[self._crossings[is_crossed]]
        sums = weights.sum(axis=1)
        shares: NDArray[np.float64] = (weights @ self._counted) / np.where(sums > 0, sums, 1.0)
        return shares

    def who(self, member: int) -> int:
        """The square's number."""
        return int(self._squares[member])


def all_shares(population: Population, particle: int) -> NDArray[np.float64]:
    """(P, 64) the shares of a particle as `Messages` has them."""
    kept = population.shares[particle]
    shares = np.zeros((len(kept), SYMBOLS), np.float64)
    shares[:, : kept.shape[1]] = kept
    return shares


class SlotMembers:
    """A cardinality on slots; its shares are those at the root."""

    def __init__(
        self, problem: Problem, number: int, rows: Sequence[NDArray[np.bool_]], beliefs: Beliefs, least: int
    ) -> None:
        self.least = least
        network = problem.network
        record = FIRST_CARDINALITY + number * CARDINALITY_COLUMNS
        self._rows = network.cardinality_rows[int(network.constraints[record + CARDINALITY_ROWS]) :]
        self._starts = network.slots[:-1, DOMAIN].astype(np.int64)
        self._shares = np.array(
            [beliefs.row_shares(slot) @ counted if counted.any() else 0.0 for slot, counted in enumerate(rows)]
        )

    def standing(self, population: Population, particle: int) -> MemberState:
        """By the rows left."""
        limits = population.limits[particle]
        live, slots = int(limits.sum()), np.repeat(np.arange(len(limits)), limits)
        bits = population.bits[particle, :live]
        counted = self._rows[self._starts[slots] + population.words[particle, :live]]
        can, need_not = (
            np.bincount(slots[bits & chosen != 0], minlength=len(limits)) > 0 for chosen in (counted, ~counted)
        )
        return MemberState(can & ~need_not, can & need_not)

    def shares(self, population: Population, particle: int) -> NDArray[np.float64]:
        """By the beliefs at the root."""
        return self._shares

    def who(self, member: int) -> int:
        """The slot's number."""
        return member


def asking_cardinalities(problem: Problem, beliefs: Beliefs) -> Iterator[tuple[int, Members]]:
    """The cardinalities that ask for something, by their numbers, where all that they speak of is to be filled."""
    if not all(problem.is_required):
        return
    constraints = problem.constraints
    for number, squares in enumerate(constraints.square_cardinalities):
        if squares.least:
            yield number, SquareMembers(problem, squares.squares, squares.symbols, squares.least)
    for number, slots in enumerate(constraints.slot_cardinalities, len(constraints.square_cardinalities)):
        if slots.least:
            yield number, SlotMembers(problem, number, slots.rows, beliefs, slots.least)


_DOUBT = 0.1
"""The share of the draws that is made without regard to beliefs."""
_SURE = 2.0
"""How many standard deviations above what it asks for a cardinality is expected, to be left to chance."""


class Planting:
    """What is planted in each particle of a run, in turn."""

    def __init__(self, problem: Problem, beliefs: Beliefs, population: Population) -> None:
        """`population` has its first particle at the root."""
        self._network = problem.network
        self._population = population
        self._cardinalities = dict(asking_cardinalities(problem, beliefs))
        rarest_first = sorted(
            self._cardinalities, key=lambda number: _expected(self._cardinalities[number], population)
        )
        self.turns = tuple(
            number for number in rarest_first for _ in range(_times(self._cardinalities[number], population))
        )
        self._before = np.full((len(population.life), len(self.turns)), -1, np.int64)
        """What each turn had found decided, by particles; -1 where it had nothing to do."""

    def plant(self, state: State, workspace: Workspace, particle: int, turn: int, draw: float) -> None:
        """Take a turn with one particle; `draw` is a random number from 0 up to 1."""
        population, number = self._population, self.turns[turn]
        cardinality = self._cardinalities[number]
        is_decided, is_open = cardinality.standing(population, particle)
        decided = int(is_decided.sum())
        if population.life[particle] != ALIVE or decided >= cardinality.least:
            return
        if not is_open.any():
            population.life[particle] = DEAD
            return
        chances = _chances(cardinality.shares(population, particle), is_open)
        rising = np.cumsum(chances)
        member = min(int(np.searchsorted(rising, draw, side="right")), int(np.flatnonzero(is_open)[-1]))
        self._before[particle, turn] = decided
        population.log_weight[particle] -= math.log(chances[member])
        plant(self._network, state, population, workspace, particle, number, cardinality.who(member))

    def copy(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> None:
        """Let particles be copies of others."""
        self._before[targets] = self._before[sources]

    def log_ways(self, particles: int) -> NDArray[np.float64]:
        """(particles,) in how many ways each complete particle can have been reached, natural logarithm."""
        ways = np.zeros(particles, np.float64)
        for particle in range(particles):
            if self._population.life[particle] == DEAD:
                continue
            for number, before in zip(self.turns, self._before[particle].tolist(), strict=True):
                if before >= 0:
                    decided = int(
                        self._cardinalities[number].standing(self._population, particle).is_decided.sum()
                    )
                    ways[particle] += math.log(decided - before)
        return ways


def _chances(shares: NDArray[np.float64], is_open: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The chances by which open members are drawn: their shares, and a little more for those believed hopeless."""
    chances = np.where(is_open, shares, 0.0)
    total = float(chances.sum())
    doubt = _DOUBT if total > 0 else 1.0
    return (1 - doubt) * chances / (total or 1.0) + doubt * is_open / int(is_open.sum())


def _expected(cardinality: Members, population: Population) -> float:
    """How many open members count in a fill, on the average."""
    return float(cardinality.shares(population, 0)[cardinality.standing(population, 0).is_open].sum())


def _times(cardinality: Members, population: Population) -> int:
    """How many members of a cardinality are planted: what it asks for beyond what chance is sure to bring."""
    expected = _expected(cardinality, population)
    by_chance = math.floor(expected - _SURE * math.sqrt(expected))
    return max(
        cardinality.least - int(cardinality.standing(population, 0).is_decided.sum()) - max(by_chance, 0), 0
    )
