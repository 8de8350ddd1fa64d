"""Sequential Monte Carlo with look-ahead: an unbiased estimate of the number of fills.

A particle is a search state. In each step it takes the slot with the fewest words, draws one of them with
a chance proportional to the share of crossing words that agree with it, and propagates. Its
weight is the chance corrected by the pairwise estimate of what is left; the population is resampled
when few particles carry the weight (Del Moral, Doucet, Jasra, "Sequential Monte Carlo samplers",
JRSS B 2006; the look-ahead makes it an auxiliary particle filter, Pitt & Shephard 1999). A fill is
reached by one sequence of choices only, since the choice of the slot depends on nothing but the state, so
the mean of the weights has the number of fills as its expectation.
"""

import math

import numpy as np

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, lowest_bit
from xwtui.engine.kernels.chance import uniform
from xwtui.engine.kernels.compiled import entry_point, kernel
from xwtui.engine.kernels.domain import assign_row
from xwtui.engine.kernels.network import (
    CROSSING,
    DOMAIN,
    INDEX,
    LENGTH,
    LETTERS,
    PLACES,
    REQUIRED,
    ROWS,
    SYMBOLS,
    TABLE,
    Bits,
    Network,
    limit_address,
    slot_count,
)
from xwtui.engine.kernels.population import (
    ALIVE,
    COMPLETE,
    DEAD,
    Population,
    load_particle,
    save_particle,
)
from xwtui.engine.kernels.propagate import propagate
from xwtui.engine.kernels.shares import Domains, Floats, Shares, update_shares
from xwtui.engine.kernels.state import STABLE, State


@entry_point
def move_particles(network: Network, state: State, population: Population, first: int, last: int) -> int:
    """Let the particles from `first` up to, but not including, `last` choose one word each.

    Returns how many still had a choice. The state is scratch: what it holds is overwritten.
    """
    moved = 0
    chances = np.empty(_most_rows(network), np.float64)
    for particle in range(first, last):
        if population.life[particle] == ALIVE:
            _move(network, state, population, particle, chances)
            moved += 1
    return moved


@kernel
def _most_rows(network: Network) -> int:
    most = 0
    for table in range(len(network.tables) - 1):
        most = max(most, network.tables[table + 1, ROWS] - network.tables[table, ROWS])
    return most


@kernel
def _move(network: Network, state: State, population: Population, particle: int, chances: Floats) -> None:
    """Draw a word for the particle's next slot and propagate it, or note that there is no slot to choose."""
    slot = _next_slot(network, population, particle)
    if slot < 0:
        population.life[particle] = COMPLETE
        return
    load_particle(network, state, population, particle)
    shares = Shares(population.counts[particle], population.sizes[particle], population.agreement[particle])
    row, log_chance = _draw_row(network, state, shares, slot, population.random, chances)
    assign_row(network, state, slot, row)
    if propagate(network, state) == STABLE:
        domains = Domains(population.words[particle], population.bits[particle], population.limits[particle])
        log_left = update_shares(network, state, shares, domains)
        population.log_weight[particle] += log_left - population.log_left[particle] - log_chance
        population.log_left[particle] = log_left
        save_particle(network, state, population, particle)
    else:
        population.life[particle] = DEAD


@kernel
def _next_slot(network: Network, population: Population, particle: int) -> int:
    """The slot that must be decided with the fewest words, two at least; -1 where there is none."""
    best, fewest = -1, 0
    for slot in range(slot_count(network)):
        size = population.sizes[particle, slot]
        if size > 1 and network.slots[slot, REQUIRED] != 0 and (best < 0 or size < fewest):
            best, fewest = slot, size
    return best


@kernel
def _draw_row(
    network: Network, state: State, shares: Shares, slot: int, random: Bits, chances: Floats
) -> tuple[int, float]:
    """Draw a row by the product of its crossings' shares; returns it with the logarithm of its chance."""
    table = network.slots[slot, TABLE]
    length = np.int64(network.tables[table, LENGTH])
    first = np.int64(network.slots[slot, PLACES])
    start = np.int64(network.slots[slot, DOMAIN])
    limit = np.int64(state.memory[limit_address(network, slot)])
    total, rows_seen = 0.0, 0
    for live in range(limit):
        word = np.int64(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            row = network.tables[table, LETTERS] + (64 * word + lowest_bit(rows)) * length
            rows &= rows - ONE
            chance = 1.0
            for index in range(length):
                other = network.places[first + index, CROSSING]
                if other >= 0:
                    crossing = np.int64(network.slots[other, PLACES] + network.places[first + index, INDEX])
                    count = shares.counts[crossing * SYMBOLS + as_int(network.letters[row + index])]
                    chance *= count / shares.sizes[other]
            total += chance
            chances[rows_seen] = total
            rows_seen += 1
    drawn = _first_above(chances, rows_seen - 1, uniform(random) * total)
    chance = chances[drawn] - (chances[drawn - 1] if drawn > 0 else 0.0)
    return _row_by_order(network, state, slot, drawn), math.log(chance) - math.log(total)


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


@kernel
def _row_by_order(network: Network, state: State, slot: int, order: int) -> int:
    """The row of a domain that comes after so many others in sparse order."""
    start = np.int64(network.slots[slot, DOMAIN])
    for live in range(np.int64(state.memory[limit_address(network, slot)])):
        word = np.int64(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            if order == 0:
                return int(64 * word + lowest_bit(rows))
            order -= 1
            rows &= rows - ONE
    return -1
