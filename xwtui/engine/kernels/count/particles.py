"""Sequential Monte Carlo with look-ahead: populations of search states, and an unbiased estimate of the fills.

A population of particles: search states side by side, kept small.

A particle is a search state with its beliefs. In each step it takes the slot that is surest for its
length, draws one of its words by the beliefs, somewhat flattened, propagates and settles the beliefs
again. Its weight is the chance corrected by the Bethe estimate of what is left; the population is
resampled when few particles carry the weight (Del Moral, Doucet, Jasra, "Sequential Monte Carlo
samplers", JRSS B 2006; the look-ahead makes it an auxiliary particle filter, Pitt & Shephard 1999). A fill
is reached by one sequence of choices only, since the choice of the slot depends on nothing but the
choices before, so the mean of the weights has the number of fills as its expectation.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ZERO, as_int, uniform
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel
from xwtui.engine.kernels.count.belief import Floats, Messages, Workspace, bethe, hear, settle_messages
from xwtui.engine.kernels.network import Bits, Bytes, Ints, Network
from xwtui.engine.kernels.propagate.constraints import SYMBOLS as CARDINALITY_ROWS
from xwtui.engine.kernels.propagate.constraints import cardinality_record, cardinality_symbols, counts_squares
from xwtui.engine.kernels.propagate.propagate import propagate
from xwtui.engine.kernels.state import State, square_mask

# Life of a particle.
ShortFloats = NDArray[np.float32]

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
    shares: ShortFloats
    """(N, P, K) as in `Messages`, but for symbols from K up, which no table has: their shares are 0.

    In short floats: these are most of what a population holds."""
    said: Floats
    """(P x 64) scratch: the shares of the particle that is being moved."""
    log_sums: Floats
    """(N, S) as in `Messages`, and the next one likewise."""
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
    for slot in range(net.slot_count(network)):
        start = network.slots[slot, net.DOMAIN]
        kept = 0
        for live in range(as_int(state.memory[net.limit_address(network, slot)])):
            word = state.sparse[start + live]
            bits = state.memory[start + word]
            if bits != ZERO:
                population.words[particle, at] = word
                population.bits[particle, at] = bits
                at += 1
                kept += 1
        population.limits[particle, slot] = kept
        population.sizes[particle, slot] = states.domain_size(network, state, slot)
    for square in range(population.masks.shape[1]):
        population.masks[particle, square] = state.memory[net.mask_address(network, square)]


@kernel
def load_particle(network: Network, state: State, population: Population, particle: int) -> Messages:
    """Turn the scratch state into the particle's; what it held before is forgotten, trail and all.

    Returns what its slots say, with its shares laid out in the scratch ones.
    """
    state.control[states.TRAIL_TOP] = 0
    state.control[states.TIME] += 1
    at = 0
    for slot in range(net.slot_count(network)):
        start = network.slots[slot, net.DOMAIN]
        for live in range(as_int(state.memory[net.limit_address(network, slot)])):
            state.memory[start + state.sparse[start + live]] = ZERO
        limit = population.limits[particle, slot]
        for live in range(limit):
            word = population.words[particle, at + live]
            state.sparse[start + live] = word
            state.memory[start + word] = population.bits[particle, at + live]
        at += limit
        state.memory[net.limit_address(network, slot)] = np.uint64(limit)
        state.memory[net.size_address(network, slot)] = np.uint64(population.sizes[particle, slot])
    for square in range(population.masks.shape[1]):
        state.memory[net.mask_address(network, square)] = population.masks[particle, square]
    for place in range(population.shares.shape[1]):
        for symbol in range(population.shares.shape[2]):
            population.said[place * net.SYMBOLS + symbol] = population.shares[particle, place, symbol]
    return Messages(
        population.said,
        population.log_sums[particle],
        population.sizes[particle],
        population.entropies[particle],
    )


@kernel
def _keep_shares(population: Population, particle: int) -> None:
    """Keep the scratch shares as the particle's."""
    for place in range(population.shares.shape[1]):
        for symbol in range(population.shares.shape[2]):
            population.shares[particle, place, symbol] = population.said[place * net.SYMBOLS + symbol]


_TOLERANCE = 0.1
"""How far messages of a particle may be from rest: its Bethe estimate errs by the square of it."""
_MOST_VISITS = 3
_TRUST = 0.65
"""The power of the beliefs by which words are drawn. Beliefs are too sure around short loops: drawn by them
alone, particles miss words that carry many fills, and agree with each other far below the truth."""
_DOUBT = 0.1
"""The share of the draws that is made without regard to beliefs, at most: it bounds what a word that is
believed impossible can weigh (Hesterberg, "Weighted average importance sampling and defensive mixture
distributions", Technometrics 1995)."""
_DOUBTED_ROWS = 5.0
"""Above this over `_DOUBT` rows the share falls: words are many enough for others to stand in for one missed."""
_ALL_ROWS = 1 << 62


@entry_point
def move_particles(
    network: Network,
    state: State,
    population: Population,
    workspace: Workspace,
    chances: Floats,
    first: int,
    last: int,
) -> int:
    """Let the particles from `first` up to, but not including, `last` choose one word each.

    Returns how many still had a choice. The state is scratch: what it holds is overwritten. So is what `chances`
    holds, as many as a table has rows at most.
    """
    moved = 0
    for particle in range(first, last):
        if population.life[particle] == ALIVE:
            _move(network, state, population, workspace, particle, chances)
            moved += 1
    return moved


@kernel
def _move(
    network: Network, state: State, population: Population, workspace: Workspace, particle: int, chances: Floats
) -> None:
    """Draw a word for the particle's next slot and propagate it, or note that there is no slot to choose."""
    slot = _next_slot(network, population, particle)
    if slot < 0:
        population.life[particle] = COMPLETE
        return
    messages = load_particle(network, state, population, particle)
    hear(network, messages, slot, workspace.differing, workspace.heard)
    _temper(network, slot, workspace.heard)
    row, log_chance = _draw_row(network, state, slot, workspace.heard, population.random, chances)
    states.assign_row(network, state, slot, row)
    _follow(network, state, population, workspace, particle, messages, log_chance)


@entry_point
def plant(
    network: Network,
    state: State,
    population: Population,
    workspace: Workspace,
    particle: int,
    cardinality: int,
    who: int,
) -> bool:
    """Let a square or slot count for a cardinality in a living particle, and draw the conclusions.

    `who` must be a member of the cardinality that still can. Returns whether the particle lives on; its weight
    takes in what is left then, not the chance of the choice. The state is scratch.
    """
    messages = load_particle(network, state, population, particle)
    if counts_squares(network, cardinality):
        states.narrow_square(
            network, state, who, square_mask(network, state, who) & cardinality_symbols(network, cardinality)
        )
    else:
        states.keep_rows(
            network, state, who, network.constraints[cardinality_record(cardinality) + CARDINALITY_ROWS], True
        )
    _follow(network, state, population, workspace, particle, messages, 0.0)
    return bool(population.life[particle] == ALIVE)


@kernel
def _follow(
    network: Network,
    state: State,
    population: Population,
    workspace: Workspace,
    particle: int,
    messages: Messages,
    log_chance: float,
) -> None:
    """Draw the conclusions of a choice that was made with some chance; the particle may die of it."""
    if propagate(network, state) == states.STABLE:
        settle_messages(network, state, messages, workspace, _TOLERANCE, _MOST_VISITS, _ALL_ROWS)
        save_particle(network, state, population, particle)
        _keep_shares(population, particle)
        log_left = bethe(network, messages, workspace)
        population.log_weight[particle] += log_left - population.log_left[particle] - log_chance
        population.log_left[particle] = log_left
    else:
        population.life[particle] = DEAD


@kernel
def _temper(network: Network, slot: int, heard: Floats) -> None:
    """Make what is heard of a slot's symbols less sure of itself."""
    length = as_int(network.slots[slot + 1, net.PLACES] - network.slots[slot, net.PLACES])
    for cell in range(length * net.SYMBOLS):
        if heard[cell] > 0.0:
            heard[cell] = heard[cell] ** _TRUST


@kernel
def _next_slot(network: Network, population: Population, particle: int) -> int:
    """The slot to be decided whose shares of words have the least entropy for its length; -1 if all are."""
    best, least = -1, 0.0
    for slot in range(net.slot_count(network)):
        if population.sizes[particle, slot] > 1 and network.slots[slot, net.REQUIRED] != 0:
            length = network.slots[slot + 1, net.PLACES] - network.slots[slot, net.PLACES]
            entropy = population.entropies[particle, slot] / length
            if best < 0 or entropy < least:
                best, least = slot, entropy
    return best


@kernel
def _draw_row(
    network: Network, state: State, slot: int, heard: Floats, random: Bits, chances: Floats
) -> tuple[int, float]:
    """Draw a row by the product of what is heard of its symbols, or now and then blindly.

    Returns it with the logarithm of its chance.
    """
    length = as_int(network.tables[network.slots[slot, net.TABLE], net.LENGTH])
    letters = as_int(network.tables[network.slots[slot, net.TABLE], net.LETTERS])
    count = states.list_rows(network, state, slot)
    total = 0.0
    for number in range(count):
        row = letters + as_int(state.rows[number]) * length
        chance = 1.0
        for index in range(length):
            chance *= heard[index * net.SYMBOLS + as_int(network.letters[row + index])]
        total += chance
        chances[number] = total
    doubt = min(_DOUBT, _DOUBTED_ROWS / count)
    draw = uniform(random)
    if draw < doubt:
        drawn = min(int(draw / doubt * count), count - 1)
    else:
        drawn = _first_above(chances, count - 1, (draw - doubt) / (1.0 - doubt) * total)
    believed = (chances[drawn] - (chances[drawn - 1] if drawn > 0 else 0.0)) / total
    return as_int(state.rows[drawn]), math.log((1.0 - doubt) * believed + doubt / count)


@kernel
def _first_above(rising: Floats, last: int, threshold: float) -> int:
    """The first place up to `last` whose value is above a threshold; `last` if there is none before it."""
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if rising[middle] > threshold:
            high = middle
        else:
            low = middle + 1
    return low
