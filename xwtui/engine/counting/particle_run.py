"""One run of the particle method on a problem, a slice at a time, and the pairwise estimate it starts from."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import DOMAIN, SYMBOLS
from xwtui.engine.kernels.particles import move_particles
from xwtui.engine.kernels.population import DEAD, Population, save_particle
from xwtui.engine.kernels.shares import Domains, Shares, update_shares
from xwtui.engine.problem import Problem

_PARTICLES_A_SLICE = 20


def pairwise_log10(problem: Problem) -> float:
    """The pairwise estimate of the number of fills, as a logarithm to base 10; the root must be possible."""
    return _count_root(problem, _fresh_shares(problem)) / math.log(10)


class ParticleRun:
    """A population on its way from the root of a possible problem to its fills.

    In each step every particle chooses one word; then the population is resampled, unless the weights are even.
    """

    def __init__(self, problem: Problem, particles: int, *, seed: int) -> None:
        self._network = problem.network
        self._scratch = problem.new_state()
        self._offsets = np.random.default_rng(seed)
        shares = _fresh_shares(problem)
        log_left = _count_root(problem, shares)
        self._population = _fresh_population(problem, particles, seed, shares, log_left)
        save_particle(self._network, self._scratch, self._population, 0)
        for kept in (
            self._population.words,
            self._population.bits,
            self._population.limits,
            self._population.masks,
        ):
            kept[1:] = kept[0]
        self._log_total = log_left
        self._next_particle = 0
        self._moved = 0

    def advance(self, particles: int = _PARTICLES_A_SLICE) -> bool:
        """Move so many particles at most, one word each; True when the run is over."""
        first = self._next_particle
        self._next_particle = min(first + particles, len(self._population.life))
        self._moved += move_particles(self._network, self._scratch, self._population, first, self._next_particle)
        if self._next_particle < len(self._population.life):
            return False
        is_over = self._moved == 0
        self._next_particle = self._moved = 0
        if not is_over:
            self._resample()
        return is_over

    def log10_fills(self) -> float | None:
        """The estimate of a run that is over, as a logarithm to base 10; None where all particles died."""
        log_fills = self._log_total + _log_mean(self._log_weights())
        return None if log_fills == -math.inf else log_fills / math.log(10)

    def _log_weights(self) -> NDArray[np.float64]:
        return np.where(self._population.life == DEAD, -np.inf, self._population.log_weight)

    def _resample(self) -> None:
        """Replace light particles by copies of heavy ones, where fewer than half of them carry the weight.

        Systematic resampling: a particle of weight w has floor or ceiling of N w / Σ w copies.
        """
        log_weights = self._log_weights()
        log_mean = _log_mean(log_weights)
        if log_mean == -math.inf:
            return
        weights = np.exp(log_weights - log_mean)
        particles = len(weights)
        if particles**2 / float(weights @ weights) > particles / 2:
            return
        marks = self._offsets.random() + np.arange(particles)
        chosen = np.minimum(np.searchsorted(np.cumsum(weights), marks, side="right"), particles - 1)
        copies = np.bincount(chosen, minlength=particles)
        spare = np.repeat(np.arange(particles), np.maximum(copies - 1, 0))
        self._copy_particles(spare, np.flatnonzero(copies == 0))
        self._log_total += log_mean
        self._population.log_weight[:] = 0.0

    def _copy_particles(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> None:
        population = self._population
        live = population.limits.sum(axis=1)
        for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
            population.words[target, : live[source]] = population.words[source, : live[source]]
            population.bits[target, : live[source]] = population.bits[source, : live[source]]
        whole = (population.limits, population.masks, population.counts, population.sizes)
        for kept in (*whole, population.agreement, population.log_left, population.life):
            kept[targets] = kept[sources]


def _log_mean(log_weights: NDArray[np.float64]) -> float:
    """The logarithm of the mean of weights given by their logarithms; -inf where all are zero."""
    highest = float(log_weights.max())
    if highest == -math.inf:
        return highest
    return highest + math.log(float(np.exp(log_weights - highest).mean()))


def _count_root(problem: Problem, shares: Shares) -> float:
    """Count fresh shares over the root's domains; returns the pairwise estimate, natural logarithm."""
    none_yet = Domains(np.zeros(0, np.int32), np.zeros(0, np.uint64), np.zeros(0, np.int32))
    return float(update_shares(problem.network, problem.root.state, shares, none_yet))


def _fresh_shares(problem: Problem) -> Shares:
    places = len(problem.network.places)
    return Shares(
        counts=np.zeros(places * SYMBOLS, np.int32),
        sizes=np.zeros(len(problem.slots), np.int32),
        agreement=np.zeros(places, np.float64),
    )


def _fresh_population(problem: Problem, particles: int, seed: int, shares: Shares, log_left: float) -> Population:
    slots, squares = len(problem.slots), len(problem.positions)
    words = int(problem.network.slots[-1, DOMAIN])
    return Population(
        words=np.empty((particles, words), np.int32),
        bits=np.empty((particles, words), np.uint64),
        limits=np.zeros((particles, slots), np.int32),
        masks=np.empty((particles, squares), np.uint64),
        counts=np.tile(shares.counts, (particles, 1)),
        sizes=np.tile(shares.sizes, (particles, 1)),
        agreement=np.tile(shares.agreement, (particles, 1)),
        log_left=np.full(particles, log_left),
        log_weight=np.zeros(particles),
        life=np.zeros(particles, np.uint8),
        random=np.array([seed], np.uint64),
    )
