"""Runs of the particle method on a problem, a slice at a time, side by side in threads."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.count.belief import Beliefs, fresh_workspace
from xwtui.engine.count.planting import Planting
from xwtui.engine.fill.workers import side_by_side
from xwtui.engine.kernels.count.particles import DEAD, Population, move_particles, save_particle
from xwtui.engine.kernels.network import DOMAIN, ROWS, SYMBOL_COUNT, SYMBOLS
from xwtui.engine.problem.problem import Problem

_PARTICLES_A_SLICE = 4
"""Particles moved between two looks at the clock: some milliseconds."""
_MOST_GROWTH = 6
"""How many times as large a population may grow while its steps get cheaper."""
_WORTHWHILE_GROWTH = 1.3
"""A population whose weights are even is not resampled for less."""


class ParticleRun:
    """A population on its way from the root of a possible problem to its fills.

    Where rules ask something of the whole grid, each particle first has that planted. In each further step
    every particle chooses one word; then the population is resampled, unless the weights are
    even. It begins small and grows: where the variance of a step is the same early and late, its share of
    the time is best if the particles are as many as one over the root of their costs.
    """

    def __init__(self, problem: Problem, beliefs: Beliefs, particles: int, *, seed: int) -> None:
        """Begin with so many particles; `beliefs` are those at the root of the problem."""
        self._network = problem.network
        self._scratch = problem.new_state()
        self._workspace = fresh_workspace(problem.network)
        most_rows = int(np.diff(problem.network.tables[:, ROWS]).max(initial=0))
        self._chances = np.empty(most_rows, np.float64)
        self._offsets = np.random.default_rng(seed)
        self._beginners = self._particles = particles
        self._population = _fresh_population(problem, beliefs, _MOST_GROWTH * particles, seed)
        save_particle(self._network, self._scratch, self._population, 0)
        self._planting = Planting(problem, beliefs, self._population)
        self._turn = 0
        self._copy(np.zeros(particles - 1, np.int64), np.arange(1, particles))
        self._log_total = float(self._population.log_left[0])
        self._root_rows = self._mean_rows()
        self._next_particle = 0
        self._moved = 0

    @property
    def planted(self) -> int:
        """How often rules have something planted in each particle."""
        return len(self._planting.turns)

    def advance(self, particles: int = _PARTICLES_A_SLICE) -> bool:
        """Move so many particles at most, one word each, or plant in one; True when the run is over."""
        first = self._next_particle
        is_planting = self._turn < len(self._planting.turns)
        self._next_particle = min(first + (1 if is_planting else particles), self._particles)
        if is_planting:
            self._plant(first)
        else:
            self._moved += move_particles(
                self._network,
                self._scratch,
                self._population,
                self._workspace,
                self._chances,
                first,
                self._next_particle,
            )
        if self._next_particle < self._particles:
            return False
        is_over = self._moved == 0 and not is_planting
        self._turn += is_planting
        self._next_particle = self._moved = 0
        if not is_over:
            self._resample()
        return is_over

    def _plant(self, particle: int) -> None:
        draw = float(self._offsets.random())
        self._planting.plant(self._scratch, self._workspace, particle, self._turn, draw)

    def log10_fills(self) -> float | None:
        """The estimate of a run that is over, as a logarithm to base 10; None where all particles died."""
        log_ways = self._planting.log_ways(self._particles)
        log_fills = self._log_total + _log_mean(self._log_weights() - log_ways)
        return None if log_fills == -math.inf else log_fills / math.log(10)

    def _log_weights(self) -> NDArray[np.float64]:
        here = slice(self._particles)
        return np.where(self._population.life[here] == DEAD, -np.inf, self._population.log_weight[here])

    def _mean_rows(self) -> float:
        """The rows that the living particles' slots can still take, on the average."""
        living = self._population.life[: self._particles] != DEAD
        return float(self._population.sizes[: self._particles][living].sum(axis=1).mean())

    def _resample(self) -> None:
        """Replace light particles by copies of heavy ones, where fewer than half of them carry the weight.

        Systematic resampling: of M new particles, one of weight w has floor or ceiling of M w / Σ w copies.
        """
        log_weights = self._log_weights()
        log_mean = _log_mean(log_weights)
        if log_mean == -math.inf:
            return
        weights = np.exp(log_weights - log_mean)
        growth = math.sqrt(self._root_rows / self._mean_rows())
        wanted = max(self._particles, round(self._beginners * min(growth, _MOST_GROWTH)))
        is_even = self._particles**2 / float(weights @ weights) > self._particles / 2
        if is_even and wanted < _WORTHWHILE_GROWTH * self._particles:
            return
        marks = (self._offsets.random() + np.arange(wanted)) * (self._particles / wanted)
        chosen = np.minimum(np.searchsorted(np.cumsum(weights), marks, side="right"), self._particles - 1)
        copies = np.bincount(chosen, minlength=wanted)
        self._copy(np.repeat(np.arange(wanted), np.maximum(copies - 1, 0)), np.flatnonzero(copies == 0))
        self._particles = wanted
        self._log_total += log_mean
        self._population.log_weight[:] = 0.0

    def _copy(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> None:
        _copy_particles(self._population, sources, targets)
        self._planting.copy(sources, targets)


def _log_mean(log_weights: NDArray[np.float64]) -> float:
    """The logarithm of the mean of weights given by their logarithms; -inf where all are zero."""
    highest = float(log_weights.max())
    if highest == -math.inf:
        return highest
    return highest + math.log(float(np.exp(log_weights - highest).mean()))


_NOT_COPIED = ("words", "bits", "said", "log_weight", "random")
"""Fields of a population that are copied in part, that all particles share, or that begin anew."""


def _copy_particles(population: Population, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> None:
    live = population.limits.sum(axis=1)
    for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
        population.words[target, : live[source]] = population.words[source, : live[source]]
        population.bits[target, : live[source]] = population.bits[source, : live[source]]
    for name, kept in population._asdict().items():
        if name not in _NOT_COPIED:
            kept[targets] = kept[sources]


def _fresh_population(problem: Problem, beliefs: Beliefs, most: int, seed: int) -> Population:
    """Room for so many particles, the first of which is at the root but for its domains."""
    assert beliefs.messages is not None
    assert beliefs.log10_bethe is not None
    slots, squares = len(problem.slots), len(problem.positions)
    words = int(problem.network.slots[-1, DOMAIN])
    symbols = int(problem.network.tables[:, SYMBOL_COUNT].max(initial=0))
    shares = beliefs.messages.shares.reshape(-1, SYMBOLS)
    domains = np.empty(12 * most * words, np.uint8)  # one piece, which goes back as a whole
    population = Population(
        words=domains[8 * most * words :].view(np.int32).reshape(most, words),
        bits=domains[: 8 * most * words].view(np.uint64).reshape(most, words),
        limits=np.zeros((most, slots), np.int32),
        masks=np.empty((most, squares), np.uint64),
        sizes=np.empty((most, slots), np.int32),
        shares=np.empty((most, len(shares), symbols), np.float32),
        said=np.zeros(shares.size, np.float64),
        log_sums=np.empty((most, slots), np.float64),
        entropies=np.empty((most, slots), np.float64),
        log_left=np.empty(most, np.float64),
        log_weight=np.zeros(most, np.float64),
        life=np.zeros(most, np.uint8),
        random=np.array([seed], np.uint64),
    )
    population.sizes[0] = problem.domain_sizes(problem.root.state)
    population.shares[0] = shares[:, :symbols]
    population.log_sums[0] = beliefs.messages.log_sums
    population.entropies[0] = beliefs.messages.entropies
    population.log_left[0] = beliefs.log10_bethe * math.log(10)
    return population


class Populations:
    """Runs that are numbered; each has its own seed, and one that is interrupted goes on at the next call.

    An interrupted run holds several megabytes; those that are forgotten are begun again, to the same ends.
    """

    def __init__(self, problem: Problem, beliefs: Beliefs, particles: int, *, seed: int) -> None:
        self._problem = problem
        self._beliefs = beliefs
        self._particles = particles
        self._seed = seed
        self._begun = 0
        self._forgotten: list[int] = []
        """The numbers of runs that have to be begun again."""
        self._interrupted: list[tuple[int, ParticleRun]] = []
        self._ended: dict[int, float | None] = {}
        self._lock = Lock()

    @property
    def log10_fills(self) -> Sequence[float | None]:
        """What the runs came to, None where all particles died; without those that overtook an earlier one."""
        results: list[float | None] = []
        while len(results) in self._ended:
            results.append(self._ended[len(results)])
        return results

    def advance(self, threads: int, last_run: float, is_over: Callable[[], bool]) -> None:
        """Work until so many runs have ended in all or it is over, which all threads ask often."""
        work = partial(self._work, last_run, is_over)
        side_by_side(work, [work] * (threads - 1), "populations")

    def forget_interrupted(self) -> None:
        """Give up what the runs that have not ended hold."""
        with self._lock:
            self._forgotten = sorted([*self._forgotten, *(number for number, _ in self._interrupted)])
            self._interrupted.clear()

    def _work(self, last_run: float, is_over: Callable[[], bool]) -> None:
        while not is_over():
            with self._lock:
                if not self._interrupted and not self._forgotten and self._begun >= last_run:
                    return
                number, run = self._interrupted.pop(0) if self._interrupted else self._begin()
            has_ended = False
            while not has_ended and not is_over():
                has_ended = run.advance()
            with self._lock:
                if has_ended:
                    self._ended[number] = run.log10_fills()
                else:
                    self._interrupted.append((number, run))
                    self._interrupted.sort(key=lambda numbered: numbered[0])

    def _begin(self) -> tuple[int, ParticleRun]:
        if self._forgotten:
            number = self._forgotten.pop(0)
        else:
            number = self._begun
            self._begun += 1
        seed = self._seed * 1_000_003 + number
        return number, ParticleRun(self._problem, self._beliefs, self._particles, seed=seed)
