"""A population of particles: search states side by side, kept small, and resampled by weight."""

import math
from typing import NamedTuple

import numpy as np

from xwtui.engine.kernels.bits import ZERO
from xwtui.engine.kernels.chance import uniform
from xwtui.engine.kernels.compiled import kernel
from xwtui.engine.kernels.network import (
    DOMAIN,
    Bits,
    Bytes,
    Ints,
    Longs,
    Network,
    limit_address,
    mask_address,
    size_address,
    slot_count,
)
from xwtui.engine.kernels.shares import Floats
from xwtui.engine.kernels.state import TIME, TRAIL_TOP, State

# Places in Population.progress.
NEXT_PARTICLE = 0
"""The particle that moves next; the step ends when all have moved."""
MOVED = 1
"""Whether a particle still had a choice to make in this step."""
PROGRESS_SIZE = 2

# Life of a particle.
ALIVE = 0
COMPLETE = 1
DEAD = 2


class Population(NamedTuple):
    """Particles side by side; N particles, S slots, C squares, P places, W live domain words at the root."""

    words: Ints
    """(N, W) which words of each domain are not zero, slot after slot."""
    bits: Bits
    """(N, W) those words."""
    limits: Ints
    """(N, S) how many each slot has."""
    masks: Bits
    """(N, C) the symbols that each square can still take."""
    counts: Ints
    """(N, P x 64) as in `Shares`, and the next two likewise."""
    sizes: Ints
    agreement: Floats
    log_left: Floats
    """(N,) the pairwise estimate of what is left to choose, natural logarithm."""
    log_weight: Floats
    """(N,) the weight since the last resampling."""
    life: Bytes
    log_total: Floats
    """(1,) logarithm of the product of the mean weights at the resamplings."""
    progress: Longs
    random: Bits
    """The state of the random numbers."""


@kernel
def save_particle(network: Network, state: State, population: Population, particle: int) -> None:
    """Keep the state's live domain words and masks as the particle's."""
    at = 0
    for slot in range(slot_count(network)):
        start = network.slots[slot, DOMAIN]
        kept = 0
        for live in range(np.int64(state.memory[limit_address(network, slot)])):
            word = state.sparse[start + live]
            bits = state.memory[start + word]
            if bits != ZERO:
                population.words[particle, at] = word
                population.bits[particle, at] = bits
                at += 1
                kept += 1
        population.limits[particle, slot] = kept
    for square in range(population.masks.shape[1]):
        population.masks[particle, square] = state.memory[mask_address(network, square)]


@kernel
def load_particle(network: Network, state: State, population: Population, particle: int) -> None:
    """Turn the scratch state into the particle's; what it held before is forgotten, trail and all."""
    state.control[TRAIL_TOP] = 0
    state.control[TIME] += 1
    at = 0
    for slot in range(slot_count(network)):
        start = network.slots[slot, DOMAIN]
        for live in range(np.int64(state.memory[limit_address(network, slot)])):
            state.memory[start + state.sparse[start + live]] = ZERO
        limit = population.limits[particle, slot]
        for live in range(limit):
            word = population.words[particle, at + live]
            state.sparse[start + live] = word
            state.memory[start + word] = population.bits[particle, at + live]
        at += limit
        state.memory[limit_address(network, slot)] = np.uint64(limit)
        state.memory[size_address(network, slot)] = np.uint64(population.sizes[particle, slot])
    for square in range(population.masks.shape[1]):
        state.memory[mask_address(network, square)] = population.masks[particle, square]


@kernel
def log_mean(population: Population) -> float:
    """The logarithm of the mean weight, dead particles counting as 0; -inf where all are dead."""
    highest = -np.inf
    for particle in range(len(population.life)):
        if population.life[particle] != DEAD:
            highest = max(highest, population.log_weight[particle])
    if highest == -np.inf:
        return highest
    total = 0.0
    for particle in range(len(population.life)):
        if population.life[particle] != DEAD:
            total += math.exp(population.log_weight[particle] - highest)
    return highest + math.log(total / len(population.life))


@kernel
def resample(population: Population) -> None:
    """Replace light particles by copies of heavy ones, where fewer than half of them carry the weight.

    Systematic resampling: a particle of weight w has floor or ceiling of N w / Σ w copies.
    """
    particles = len(population.life)
    heaviness = log_mean(population)
    if heaviness == -np.inf:
        return
    weights = np.zeros(particles, np.float64)
    for particle in range(particles):
        if population.life[particle] != DEAD:
            weights[particle] = math.exp(population.log_weight[particle] - heaviness)
    if particles * particles / (weights * weights).sum() > particles / 2:
        return
    population.log_total[0] += heaviness
    copies = _copies(weights, uniform(population.random))
    source = 0
    for target in range(particles):
        if copies[target] == 0:
            while copies[source] < 2:
                source += 1
            copies[source] -= 1
            _copy(population, source, target)
    population.log_weight[:] = 0.0


@kernel
def _copies(weights: Floats, offset: float) -> Longs:
    """How many copies each particle gets; the weights have the mean 1, so the copies add up to their number."""
    particles = len(weights)
    copies = np.zeros(particles, np.int64)
    reached, taken = 0.0, 0
    for particle in range(particles):
        reached += weights[particle]
        while taken < particles and taken + offset < reached:
            copies[particle] += 1
            taken += 1
    heaviest = np.argmax(weights)
    copies[heaviest] += particles - taken
    return copies


@kernel
def _copy(population: Population, source: int, target: int) -> None:
    live = population.limits[source].sum()
    population.words[target, :live] = population.words[source, :live]
    population.bits[target, :live] = population.bits[source, :live]
    population.limits[target] = population.limits[source]
    population.masks[target] = population.masks[source]
    population.counts[target] = population.counts[source]
    population.sizes[target] = population.sizes[source]
    population.agreement[target] = population.agreement[source]
    population.log_left[target] = population.log_left[source]
    population.life[target] = population.life[source]
