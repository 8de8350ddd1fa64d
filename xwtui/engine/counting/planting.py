"""Particles under rules of the whole grid: what a rule asks for is planted before any word is chosen.

Particles that choose words by their entries hardly ever meet a pangram, or a wanted word, by chance, and
those that miss it die at the end. So each particle first draws a square (or an entry) that is to count
for a quota, by the beliefs. A fill that has more of what was planted than was asked for can be reached
in several ways; its weight is divided by their number at the end, which keeps the mean what it was.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.counting.belief import Beliefs
from xwtui.engine.counting.quota_members import Members, asking_quotas
from xwtui.engine.kernels.belief import Workspace
from xwtui.engine.kernels.particles import plant
from xwtui.engine.kernels.population import ALIVE, DEAD, Population
from xwtui.engine.kernels.state import State
from xwtui.engine.problem import Problem

_DOUBT = 0.1
"""The share of the draws that is made without regard to beliefs."""
_SURE = 2.0
"""How many standard deviations above what it asks for a quota is expected, to be left to chance."""


class Planting:
    """What is planted in each particle of a run, in turn."""

    def __init__(self, problem: Problem, beliefs: Beliefs, population: Population) -> None:
        """`population` has its first particle at the root."""
        self._network = problem.network
        self._population = population
        self._quotas = dict(asking_quotas(problem, beliefs))
        rarest_first = sorted(self._quotas, key=lambda number: _expected(self._quotas[number], population))
        self.turns = tuple(
            number for number in rarest_first for _ in range(_times(self._quotas[number], population))
        )
        self._before = np.full((len(population.life), len(self.turns)), -1, np.int64)
        """What each turn had found decided, by particles; -1 where it had nothing to do."""

    def plant(self, state: State, workspace: Workspace, particle: int, turn: int, draw: float) -> None:
        """Take a turn with one particle; `draw` is a random number from 0 up to 1."""
        population, number = self._population, self.turns[turn]
        quota = self._quotas[number]
        is_decided, is_open = quota.standing(population, particle)
        decided = int(is_decided.sum())
        if population.life[particle] != ALIVE or decided >= quota.least:
            return
        if not is_open.any():
            population.life[particle] = DEAD
            return
        chances = _chances(quota.shares(population, particle), is_open)
        rising = np.cumsum(chances)
        member = min(int(np.searchsorted(rising, draw, side="right")), int(np.flatnonzero(is_open)[-1]))
        self._before[particle, turn] = decided
        population.log_weight[particle] -= math.log(chances[member])
        plant(self._network, state, population, workspace, particle, number, quota.who(member))

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
                    decided = int(self._quotas[number].standing(self._population, particle).is_decided.sum())
                    ways[particle] += math.log(decided - before)
        return ways


def _chances(shares: NDArray[np.float64], is_open: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The chances by which open members are drawn: their shares, and a little more for those believed hopeless."""
    chances = np.where(is_open, shares, 0.0)
    total = float(chances.sum())
    doubt = _DOUBT if total > 0 else 1.0
    return (1 - doubt) * chances / (total or 1.0) + doubt * is_open / int(is_open.sum())


def _expected(quota: Members, population: Population) -> float:
    """How many open members count in a fill, on the average."""
    return float(quota.shares(population, 0)[quota.standing(population, 0).is_open].sum())


def _times(quota: Members, population: Population) -> int:
    """How many members of a quota are planted: what it asks for beyond what chance is sure to bring."""
    expected = _expected(quota, population)
    by_chance = math.floor(expected - _SURE * math.sqrt(expected))
    return max(quota.least - int(quota.standing(population, 0).is_decided.sum()) - max(by_chance, 0), 0)
