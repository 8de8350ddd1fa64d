"""A population of particles: search states side by side, kept small."""

from typing import NamedTuple

import numpy as np

from xwtui.engine.kernels.belief import Floats
from xwtui.engine.kernels.bits import ZERO
from xwtui.engine.kernels.compiled import entry_point, kernel
from xwtui.engine.kernels.network import (
    DOMAIN,
    Bits,
    Bytes,
    Ints,
    Network,
    limit_address,
    mask_address,
    size_address,
    slot_count,
)
from xwtui.engine.kernels.state import TIME, TRAIL_TOP, State, domain_size

# Life of a particle.
ALIVE = 0
COMPLETE = 1
DEAD = 2


class Population(NamedTuple):
    """Particles side by side, of which the first ones may be in use.

    N particles, S slots, C squares, P places, W live domain words at the root.
    """

    words: Ints
    """(N, W) which words of each domain are not zero, slot after slot."""
    bits: Bits
    """(N, W) those words."""
    limits: Ints
    """(N, S) how many each slot has."""
    masks: Bits
    """(N, C) the symbols that each square can still take."""
    sizes: Ints
    """(N, S) the rows that each slot can still take."""
    shares: Floats
    """(N, P x 64) as in `Messages`, and the next two likewise."""
    log_sums: Floats
    entropies: Floats
    log_left: Floats
    """(N,) the Bethe estimate of what is left to choose, natural logarithm."""
    log_weight: Floats
    """(N,) the weight since the last resampling."""
    life: Bytes
    random: Bits
    """The state of the random numbers."""


@entry_point
def save_particle(network: Network, state: State, population: Population, particle: int) -> None:
    """Keep the state's domains, their sizes, and its masks as the particle's."""
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
        population.sizes[particle, slot] = domain_size(network, state, slot)
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
