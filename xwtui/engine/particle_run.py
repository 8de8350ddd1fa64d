"""One run of the particle method on a problem, a slice at a time, and the pairwise estimate it starts from."""

from __future__ import annotations

import math

import numpy as np

from xwtui.engine.kernels.network import DOMAIN, SYMBOLS
from xwtui.engine.kernels.particles import log_mean_weight, move_population, start_population
from xwtui.engine.kernels.population import PROGRESS_SIZE, Population
from xwtui.engine.kernels.shares import Shares, update_shares
from xwtui.engine.problem import Problem

_MOVES_A_SLICE = 20


def pairwise_log10(problem: Problem) -> float:
    """The pairwise estimate of the number of fills, as a logarithm to base 10; the root must be possible."""
    return float(update_shares(problem.network, problem.root.state, _fresh_shares(problem))) / math.log(10)


class ParticleRun:
    """A population on its way from the root of a possible problem to its fills."""

    def __init__(self, problem: Problem, particles: int, *, seed: int) -> None:
        self._network = problem.network
        self._scratch = problem.new_state()
        self._population = _fresh_population(problem, particles, seed)
        start_population(self._network, self._scratch, self._population, _fresh_shares(problem))

    def advance(self, moves: int = _MOVES_A_SLICE) -> bool:
        """Move so many particles at most, one word each; True when the run is over."""
        return bool(move_population(self._network, self._scratch, self._population, moves))

    def log10_fills(self) -> float | None:
        """The estimate of a run that is over, as a logarithm to base 10; None where all particles died."""
        log_fills = float(log_mean_weight(self._population))
        return None if log_fills == -math.inf else log_fills / math.log(10)


def _fresh_shares(problem: Problem) -> Shares:
    places = len(problem.network.places)
    return Shares(
        counts=np.zeros(places * SYMBOLS, np.int32),
        sizes=np.zeros(len(problem.slots), np.int32),
        agreement=np.zeros(places, np.float64),
    )


def _fresh_population(problem: Problem, particles: int, seed: int) -> Population:
    slots, squares = len(problem.slots), len(problem.positions)
    places = len(problem.network.places)
    words = int(problem.network.slots[-1, DOMAIN])
    return Population(
        words=np.empty((particles, words), np.int32),
        bits=np.empty((particles, words), np.uint64),
        limits=np.zeros((particles, slots), np.int32),
        masks=np.empty((particles, squares), np.uint64),
        counts=np.empty((particles, places * SYMBOLS), np.int32),
        sizes=np.empty((particles, slots), np.int32),
        agreement=np.empty((particles, places), np.float64),
        log_left=np.empty(particles, np.float64),
        log_weight=np.empty(particles, np.float64),
        life=np.empty(particles, np.uint8),
        log_total=np.zeros(1, np.float64),
        progress=np.zeros(PROGRESS_SIZE, np.int64),
        random=np.array([seed], np.uint64),
    )
