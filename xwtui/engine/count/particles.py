"""Runs of the particle method on a problem, in slices and in parallel threads.

If rules apply to the whole grid, what they require is planted before any word is chosen. Particles that choose
words entry by entry hardly ever meet a pangram or a wanted word by chance, and those that miss it die at the end.
So each particle first draws a square (or an entry) to count for a cardinality, according to the beliefs. A fill
with more of what was planted than required can be reached in several ways. Its weight is divided by their number
at the end, which keeps the mean unbiased.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.budget import run_concurrently
from xwtui.engine.count.belief import Beliefs, fresh_workspace
from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.count.belief import Workspace
from xwtui.engine.kernels.count.particles import ALIVE, DEAD, Population, move_particles, plant, save_particle
from xwtui.engine.kernels.propagate.constraints import CARDINALITY_COLUMNS, FIRST_CARDINALITY
from xwtui.engine.kernels.propagate.constraints import SYMBOLS as CARDINALITY_ROWS
from xwtui.engine.kernels.state import State
from xwtui.engine.problem.problem import Problem


class MemberState(NamedTuple):
    """The state of a cardinality's members in one particle; each array has shape (members,)."""

    is_decided: NDArray[np.bool_]
    """Whether each counts in any case."""
    is_open: NDArray[np.bool_]
    """Whether each may or may not count."""


class SquareMembers:
    """The squares that a cardinality ranges over."""

    def __init__(self, problem: Problem, squares: Sequence[int], symbols: int, least: int) -> None:
        self.least = least
        """The least number of them that must count."""
        network = problem.network
        self._squares = np.array(squares, np.int64)
        self._symbols = np.uint64(symbols)
        self._counted = np.array([symbols >> symbol & 1 for symbol in range(net.SYMBOLS)], np.float64)
        slots, indices = network.squares[self._squares, net.AT_SLOT], network.squares[self._squares, net.AT_INDEX]
        self._places = network.slots[slots, net.PLACES].astype(np.int64) + indices
        others = network.places[self._places, net.CROSSING].astype(np.int64)
        crossings = network.slots[others, net.PLACES] + network.places[self._places, net.INDEX]
        self._crossings = np.where(others >= 0, crossings, -1).astype(np.int64)

    def state(self, population: Population, particle: int) -> MemberState:
        """Return their state in a particle, according to their masks."""
        masks = population.masks[particle, self._squares]
        can, need_not = masks & self._symbols != 0, masks & ~self._symbols != 0
        return MemberState(can & ~need_not, can & need_not)

    def shares(self, population: Population, particle: int) -> NDArray[np.float64]:
        """Return in about what share of a particle's fills each counts, by the messages; shape (members,)."""
        kept = population.shares[particle]
        symbol_shares = np.zeros((len(kept), net.SYMBOLS), np.float64)
        symbol_shares[:, : kept.shape[1]] = kept
        weights = symbol_shares[self._places].copy()
        is_crossed = self._crossings >= 0
        weights[is_crossed] *= symbol_shares[self._crossings[is_crossed]]
        sums = weights.sum(axis=1)
        shares: NDArray[np.float64] = (weights @ self._counted) / np.where(sums > 0, sums, 1.0)
        return shares

    def item(self, member: int) -> int:
        """Return the number of a member in the problem."""
        return int(self._squares[member])


class SlotMembers:
    """The slots that a cardinality ranges over; the shares are those at the root."""

    def __init__(
        self, problem: Problem, number: int, rows: Sequence[NDArray[np.bool_]], beliefs: Beliefs, least: int
    ) -> None:
        self.least = least
        network = problem.network
        record = FIRST_CARDINALITY + number * CARDINALITY_COLUMNS
        self._rows = network.cardinality_rows[int(network.constraints[record + CARDINALITY_ROWS]) :]
        self._starts = network.slots[:-1, net.DOMAIN].astype(np.int64)
        self._shares = np.array(
            [beliefs.row_shares(slot) @ counted if counted.any() else 0.0 for slot, counted in enumerate(rows)]
        )

    def state(self, population: Population, particle: int) -> MemberState:
        """Return their state in a particle, according to the remaining rows."""
        limits = population.limits[particle]
        live, slots = int(limits.sum()), np.repeat(np.arange(len(limits)), limits)
        bits = population.bits[particle, :live]
        counted = self._rows[self._starts[slots] + population.words[particle, :live]]
        can, need_not = (
            np.bincount(slots[bits & chosen != 0], minlength=len(limits)) > 0 for chosen in (counted, ~counted)
        )
        return MemberState(can & ~need_not, can & need_not)

    def shares(self, population: Population, particle: int) -> NDArray[np.float64]:
        """Return the shares at the root."""
        return self._shares

    def item(self, member: int) -> int:
        return member


Members = SquareMembers | SlotMembers


def required_cardinalities(problem: Problem, beliefs: Beliefs) -> Iterator[tuple[int, Members]]:
    """Yield the cardinalities with a lower bound, by number; none unless the whole grid is to be filled."""
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
"""Share of the draws made uniformly, without regard to beliefs."""
_SURE = 2.0
"""Number of standard deviations by which the expected count must exceed the bound for it to be left to chance."""


class Planting:
    """What is planted in each particle of a run, turn by turn."""

    def __init__(self, problem: Problem, beliefs: Beliefs, population: Population) -> None:
        """`population` has its first particle at the root."""
        self._network = problem.network
        self._population = population
        self._cardinalities = dict(required_cardinalities(problem, beliefs))
        rarest_first = sorted(
            self._cardinalities, key=lambda number: _expected(self._cardinalities[number], population)
        )
        self.turns = tuple(
            number for number in rarest_first for _ in range(_times(self._cardinalities[number], population))
        )
        self._before = np.full((len(population.life), len(self.turns)), -1, np.int64)
        """The number of decided members found by each turn, by particle; -1 if the turn had nothing to do."""

    def plant(self, state: State, workspace: Workspace, particle: int, turn: int, draw: float) -> None:
        """Take a turn with one particle; `draw` is a random number in [0, 1)."""
        population, number = self._population, self.turns[turn]
        cardinality = self._cardinalities[number]
        is_decided, is_open = cardinality.state(population, particle)
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
        plant(self._network, state, population, workspace, particle, number, cardinality.item(member))

    def copy(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> None:
        """Copy the records of source particles to target particles."""
        self._before[targets] = self._before[sources]

    def log_ways(self, particles: int) -> NDArray[np.float64]:
        """Return the log of how many ways each complete particle can have been reached, shape (particles,)."""
        ways = np.zeros(particles, np.float64)
        for particle in range(particles):
            if self._population.life[particle] == DEAD:
                continue
            for number, before in zip(self.turns, self._before[particle].tolist(), strict=True):
                if before >= 0:
                    decided = int(self._cardinalities[number].state(self._population, particle).is_decided.sum())
                    ways[particle] += math.log(decided - before)
        return ways


def _chances(shares: NDArray[np.float64], is_open: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the probabilities for drawing open members: their shares, plus a little for each of them."""
    chances = np.where(is_open, shares, 0.0)
    total = float(chances.sum())
    doubt = _DOUBT if total > 0 else 1.0
    return (1 - doubt) * chances / (total or 1.0) + doubt * is_open / int(is_open.sum())


def _expected(cardinality: Members, population: Population) -> float:
    """Return the expected number of open members that count in a fill."""
    return float(cardinality.shares(population, 0)[cardinality.state(population, 0).is_open].sum())


def _times(cardinality: Members, population: Population) -> int:
    """Return how many members to plant: the requirement beyond what chance is almost sure to bring."""
    expected = _expected(cardinality, population)
    by_chance = math.floor(expected - _SURE * math.sqrt(expected))
    return max(cardinality.least - int(cardinality.state(population, 0).is_decided.sum()) - max(by_chance, 0), 0)


_PARTICLES_PER_SLICE = 4
"""Particles moved between two checks of the clock: some milliseconds."""
_MOST_GROWTH = 6
"""Maximum factor by which a population may grow as its steps get cheaper."""
_WORTHWHILE_GROWTH = 1.3
"""Least growth for which a population with even weights is resampled."""


class ParticleRun:
    """A population on its way from the root of a possible problem to its fills.

    If rules apply to the whole grid, each particle first has their requirements planted. In each further step,
    every particle chooses one word; then the population is resampled, unless the weights are even. It starts small
    and grows: if a step's variance is the same early and late, time is best spent with a number of particles
    inversely proportional to the square root of their cost.
    """

    def __init__(self, problem: Problem, beliefs: Beliefs, particles: int, *, seed: int) -> None:
        """Start with this many particles; `beliefs` are those at the root of the problem."""
        self._network = problem.network
        self._scratch = problem.new_state()
        self._workspace = fresh_workspace(problem)
        most_rows = int(np.diff(problem.network.tables[:, net.ROWS]).max(initial=0))
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
        """How many turns of planting each particle has."""
        return len(self._planting.turns)

    def advance(self, particles: int = _PARTICLES_PER_SLICE) -> bool:
        """Move at most this many particles by one word each, or plant in one; True when the run is over."""
        first = self._next_particle
        is_planting = self._turn < len(self._planting.turns)
        self._next_particle = min(first + (1 if is_planting else particles), self._particles)
        if is_planting:
            draw = float(self._offsets.random())
            self._planting.plant(self._scratch, self._workspace, first, self._turn, draw)
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

    def log10_fills(self) -> float | None:
        """Return the estimate of a finished run, log base 10; None if all particles died."""
        log_ways = self._planting.log_ways(self._particles)
        log_fills = self._log_total + _log_mean(self._log_weights() - log_ways)
        return None if log_fills == -math.inf else log_fills / math.log(10)

    def square_shares(self) -> NDArray[np.float32]:
        """Return the share of a finished run's weight with each symbol in a square, shape (squares, symbols).

        Where a particle leaves a square open, its symbols share the weight equally. Zeros if all particles died.
        """
        log_weights = self._log_weights() - self._planting.log_ways(self._particles)
        highest = float(log_weights.max())
        weights = np.zeros_like(log_weights) if highest == -math.inf else np.exp(log_weights - highest)
        masks = self._population.masks[: self._particles]
        symbols = np.arange(self._population.shares.shape[2], dtype=np.uint64)
        shares = np.zeros((masks.shape[1], len(symbols)), np.float64)
        for mask, weight in zip(masks, (weights / (weights.sum() or 1.0)).tolist(), strict=True):
            if weight:
                held = (mask[:, None] >> symbols & np.uint64(1)).astype(np.float64)
                shares += weight * held / np.maximum(held.sum(axis=1, keepdims=True), 1.0)
        return shares.astype(np.float32)

    def _log_weights(self) -> NDArray[np.float64]:
        here = slice(self._particles)
        return np.where(self._population.life[here] == DEAD, -np.inf, self._population.log_weight[here])

    def _mean_rows(self) -> float:
        living = self._population.life[: self._particles] != DEAD
        return float(self._population.sizes[: self._particles][living].sum(axis=1).mean())

    def _resample(self) -> None:
        """Replace light particles by copies of heavy ones, if fewer than half of them carry the weight.

        Systematic resampling: of M new particles, one of weight w gets floor or ceiling of M w / Σ w copies.
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
    """Return the logarithm of the mean of weights given by their logarithms; -inf if all are zero."""
    highest = float(log_weights.max())
    if highest == -math.inf:
        return highest
    return highest + math.log(float(np.exp(log_weights - highest).mean()))


_NOT_COPIED = ("words", "bits", "current_shares", "log_weight", "random")
"""Fields of a population that are copied in part, shared by all particles, or reset."""


def _copy_particles(population: Population, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> None:
    live = population.limits.sum(axis=1)
    for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
        population.words[target, : live[source]] = population.words[source, : live[source]]
        population.bits[target, : live[source]] = population.bits[source, : live[source]]
    for name, kept in population._asdict().items():
        if name not in _NOT_COPIED:
            kept[targets] = kept[sources]


def _fresh_population(problem: Problem, beliefs: Beliefs, most: int, seed: int) -> Population:
    """Return space for this many particles, the first of which is at the root except for its domains."""
    assert beliefs.messages is not None
    assert beliefs.log10_bethe is not None
    slots, squares = len(problem.slots), len(problem.positions)
    words = int(problem.network.slots[-1, net.DOMAIN])
    symbols = int(problem.network.tables[:, net.SYMBOL_COUNT].max(initial=0))
    shares = beliefs.messages.shares.reshape(-1, net.SYMBOLS)
    domains = np.empty(12 * most * words, np.uint8)  # one allocation, so that it is freed as a whole
    population = Population(
        words=domains[8 * most * words :].view(np.int32).reshape(most, words),
        bits=domains[: 8 * most * words].view(np.uint64).reshape(most, words),
        limits=np.zeros((most, slots), np.int32),
        masks=np.empty((most, squares), np.uint64),
        sizes=np.empty((most, slots), np.int32),
        shares=np.empty((most, len(shares), symbols), np.float32),
        current_shares=np.zeros(shares.size, np.float64),
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
    """Numbered runs, each with its own seed; an interrupted run continues at the next call.

    An interrupted run holds several megabytes. One that is dropped starts over later, with the same result.
    """

    def __init__(
        self, problem: Problem, beliefs: Beliefs, particles: int, *, seed: int, keeps_shares: bool = False
    ) -> None:
        """With `keeps_shares`, the shares of contents in each square are kept besides the estimates."""
        self._problem = problem
        self._beliefs = beliefs
        self._particles = particles
        self._seed = seed
        self._shares: dict[int, NDArray[np.float32]] | None = {} if keeps_shares else None
        self._begun = 0
        self._interrupted: dict[int, ParticleRun | None] = {}
        """Unfinished runs by number; None for one that must start over."""
        self._ended: dict[int, float | None] = {}
        self._lock = Lock()

    @property
    def log10_fills(self) -> Sequence[float | None]:
        """The results of the runs, None if all particles died, up to the first run that has not finished."""
        results: list[float | None] = []
        while len(results) in self._ended:
            results.append(self._ended[len(results)])
        return results

    @property
    def shares(self) -> Sequence[NDArray[np.float32]]:
        """The shares of the runs in `log10_fills`, as returned by `ParticleRun.square_shares`."""
        return (
            [self._shares[number] for number in range(len(self.log10_fills))] if self._shares is not None else []
        )

    def advance(self, threads: int, last_run: float, is_over: Callable[[], bool]) -> None:
        """Work until this many runs in all have finished, or until `is_over`, which all threads poll often."""
        work = partial(self._work, last_run, is_over)
        run_concurrently(work, [work] * (threads - 1), "populations")

    def forget_interrupted(self) -> None:
        """Drop the data of runs that have not finished."""
        with self._lock:
            self._interrupted = dict.fromkeys(self._interrupted)

    def _work(self, last_run: float, is_over: Callable[[], bool]) -> None:
        while not is_over():
            with self._lock:
                if not self._interrupted and self._begun >= last_run:
                    return
                number = min(self._interrupted, default=self._begun)
                run = self._interrupted.pop(number, None) or self._run(number)
                self._begun = max(self._begun, number + 1)
            has_ended = False
            while not has_ended and not is_over():
                has_ended = run.advance()
            with self._lock:
                if has_ended:
                    if self._shares is not None:
                        self._shares[number] = run.square_shares()
                    self._ended[number] = run.log10_fills()
                else:
                    self._interrupted[number] = run

    def _run(self, number: int) -> ParticleRun:
        seed = self._seed * 1_000_003 + number
        return ParticleRun(self._problem, self._beliefs, self._particles, seed=seed)
