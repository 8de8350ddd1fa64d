"""Sequential Monte Carlo with look-ahead: particles are search states, giving an unbiased count of the fills.

A particle is a search state with its messages; a population is a compact array of them. In each step, a particle
takes the slot with the least entropy for its length, draws one of its words according to the somewhat flattened
beliefs, propagates, and lets the messages converge again. Its weight is the inverse probability of its draws,
corrected by the Bethe estimate of what is left. The population is resampled when few particles carry most of the
weight (Del Moral, Doucet, Jasra, "Sequential Monte Carlo samplers", JRSS B 2006; the look-ahead makes it an
auxiliary particle filter, Pitt & Shephard 1999). The choice of slot depends only on earlier choices, so each fill
is reached by exactly one sequence of choices, and the expected mean weight is the number of fills.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ZERO, as_int, uniform
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel
from xwtui.engine.kernels.count.belief import Floats, Messages, Workspace, bethe, collect_incoming, settle_messages
from xwtui.engine.kernels.network import Bits, Bytes, Ints, Network
from xwtui.engine.kernels.propagate.constraints import SYMBOLS as CARDINALITY_ROWS
from xwtui.engine.kernels.propagate.constraints import cardinality_record, cardinality_symbols, counts_squares
from xwtui.engine.kernels.propagate.propagate import propagate
from xwtui.engine.kernels.state import State, square_mask

# States of a particle.
ShortFloats = NDArray[np.float32]

ALIVE = 0
COMPLETE = 1
DEAD = 2


class Population(NamedTuple):
    """N particles, the first of them in use; S slots, C squares, P places, W live domain words at the root."""

    words: Ints
    """(N, W) indices of the nonzero words of each domain, slot after slot."""
    bits: Bits
    """(N, W) the values of these words."""
    limits: Ints
    """(N, S) number of nonzero words of each slot."""
    masks: Bits
    """(N, C) the symbols that each square can still hold."""
    sizes: Ints
    """(N, S) the domain size of each slot, in rows."""
    shares: ShortFloats
    """(N, P, K) as in `Messages`, without the symbols from K on, which no table has: their shares are 0.

    Single precision, because these are most of a population's memory.
    """
    current_shares: Floats
    """(P x 64) scratch: the shares of the particle being moved."""
    log_sums: Floats
    """(N, S) as in `Messages`; so are the entropies."""
    entropies: Floats
    log_left: Floats
    """(N,) the Bethe estimate of what is left to choose, as a natural logarithm."""
    log_weight: Floats
    """(N,) log weight since the last resampling."""
    life: Bytes
    random: Bits
    """The state of the random number generator."""


@entry_point
def save_particle(network: Network, state: State, population: Population, particle: int) -> None:
    """Store the state's domains, their sizes and its square masks as the particle's."""
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
    """Restore the particle into the scratch state, discarding what it held, including its trail.

    Returns the particle's messages, with its shares expanded into the scratch array.
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
            population.current_shares[place * net.SYMBOLS + symbol] = population.shares[particle, place, symbol]
    return Messages(
        population.current_shares,
        population.log_sums[particle],
        population.sizes[particle],
        population.entropies[particle],
    )


@kernel
def _save_shares(population: Population, particle: int) -> None:
    for place in range(population.shares.shape[1]):
        for symbol in range(population.shares.shape[2]):
            population.shares[particle, place, symbol] = population.current_shares[place * net.SYMBOLS + symbol]


_TOLERANCE = 0.1
"""Convergence tolerance for a particle's messages; the Bethe estimate's error is of second order in it."""
_MOST_VISITS = 3
_TRUST = 0.65
"""The power to which beliefs are raised before words are drawn.

Beliefs are overconfident around short loops. Drawn with them alone, particles miss words that carry many fills,
and agree with each other on a value far below the truth.
"""
_DOUBT = 0.1
"""Upper limit on the share of draws made uniformly, without regard to beliefs.

It bounds the weight of a word that is believed impossible (Hesterberg, "Weighted average importance sampling and
defensive mixture distributions", Technometrics 1995).
"""
_DOUBTED_ROWS = 5.0
"""Above this number over `_DOUBT` rows, the share falls: with so many words, others make up for one missed."""
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

    Returns how many still had a choice. The state and `chances` are scratch and are overwritten. `chances` must
    have room for the rows of the largest table.
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
    """Draw a word for the particle's next slot and propagate it, or mark the particle as complete."""
    slot = _next_slot(network, population, particle)
    if slot < 0:
        population.life[particle] = COMPLETE
        return
    messages = load_particle(network, state, population, particle)
    collect_incoming(network, messages, slot, workspace.differing, workspace.incoming)
    _temper(network, slot, workspace.incoming)
    row, log_chance = _draw_row(network, state, slot, workspace.incoming, population.random, chances)
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
    item: int,
) -> bool:
    """Make a square or slot count toward a cardinality in a living particle, and propagate.

    `item` must be a member of the cardinality that can still count. Returns whether the particle survives. Its
    weight accounts for what is left afterward, not for the probability of the choice. The state is scratch.
    """
    messages = load_particle(network, state, population, particle)
    if counts_squares(network, cardinality):
        states.narrow_square(
            network, state, item, square_mask(network, state, item) & cardinality_symbols(network, cardinality)
        )
    else:
        states.keep_rows(
            network, state, item, network.constraints[cardinality_record(cardinality) + CARDINALITY_ROWS], True
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
    """Propagate a choice made with this log probability; the particle may die."""
    if propagate(network, state) == states.STABLE:
        settle_messages(network, state, messages, workspace, _TOLERANCE, _MOST_VISITS, _ALL_ROWS)
        save_particle(network, state, population, particle)
        _save_shares(population, particle)
        log_left = bethe(network, messages, workspace)
        population.log_weight[particle] += log_left - population.log_left[particle] - log_chance
        population.log_left[particle] = log_left
    else:
        population.life[particle] = DEAD


@kernel
def _temper(network: Network, slot: int, incoming: Floats) -> None:
    """Flatten the incoming messages of a slot."""
    length = as_int(network.slots[slot + 1, net.PLACES] - network.slots[slot, net.PLACES])
    for cell in range(length * net.SYMBOLS):
        if incoming[cell] > 0.0:
            incoming[cell] = incoming[cell] ** _TRUST


@kernel
def _next_slot(network: Network, population: Population, particle: int) -> int:
    """Return the required open slot with the least entropy for its length; -1 if all are decided."""
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
    network: Network, state: State, slot: int, incoming: Floats, random: Bits, chances: Floats
) -> tuple[int, float]:
    """Draw a row by its symbols' messages, or at times uniformly; return it and its log probability."""
    length = as_int(network.tables[network.slots[slot, net.TABLE], net.LENGTH])
    letters = as_int(network.tables[network.slots[slot, net.TABLE], net.LETTERS])
    count = states.list_rows(network, state, slot)
    total = 0.0
    for number in range(count):
        row = letters + as_int(state.rows[number]) * length
        chance = 1.0
        for index in range(length):
            chance *= incoming[index * net.SYMBOLS + as_int(network.letters[row + index])]
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
    """Return the first index up to `last` whose value is above a threshold; `last` if there is none before it."""
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if rising[middle] > threshold:
            high = middle
        else:
            low = middle + 1
    return low
