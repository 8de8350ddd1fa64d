"""Room: the crossing words that a letter leaves, counted and taken to the logarithm."""

import numpy as np

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, count_bits, is_single, lowest_bit
from xwtui.engine.kernels.chance import random_word
from xwtui.engine.kernels.compiled import inlined
from xwtui.engine.kernels.network import (
    CROSSING,
    DOMAIN,
    INDEX,
    LENGTH,
    LETTERS,
    PLACES,
    SQUARE,
    SUPPORTS,
    SYMBOL_COUNT,
    SYMBOLS,
    TABLE,
    WIDTH,
    Network,
    limit_address,
    mask_address,
    size_address,
)
from xwtui.engine.kernels.search_state import GUMBELS, LOGARITHMS, UNIT_BITS, Search
from xwtui.engine.kernels.state import State

_LOG_TWO = 45426
"""Natural logarithm of 2, fixed-point."""

_CROWDED = 4
"""A domain with more than one word in so many live is counted in one sweep over all: dead ones are zero."""


@inlined
def measure_room(network: Network, state: State, search: Search, slot: int) -> None:
    """Tabulate, for each index and symbol of a slot, the logarithm of the crossing words left by it."""
    for place in range(network.slots[slot, PLACES], network.slots[slot + 1, PLACES]):
        first = SYMBOLS * (place - network.slots[slot, PLACES])
        for symbol in range(SYMBOLS):
            search.room[first + symbol] = 0
        other = network.places[place, CROSSING]
        mask = state.memory[mask_address(network, network.places[place, SQUARE])]
        if other < 0 or is_single(mask) or state.memory[size_address(network, other)] == ONE:
            continue
        count_symbols(network, state, search, other, network.places[place, INDEX], mask, first)
        while mask != ZERO:
            symbol = lowest_bit(mask)
            mask &= mask - ONE
            search.room[first + symbol] = logarithm(search, search.room[first + symbol])


@inlined
def count_symbols(
    network: Network, state: State, search: Search, slot: int, index: int, mask: np.uint64, first: int
) -> None:
    """Count the words of a slot by their symbol at an index: word by word or symbol by symbol."""
    table = network.slots[slot, TABLE]
    start = network.slots[slot, DOMAIN]
    limit = as_int(state.memory[limit_address(network, slot)])
    if as_int(state.memory[size_address(network, slot)]) <= limit * count_bits(mask):
        length = network.tables[table, LENGTH]
        letters = network.tables[table, LETTERS] + index
        for live in range(limit):
            word = as_int(state.sparse[start + live])
            rows = state.memory[start + word]
            while rows != ZERO:
                row = 64 * word + lowest_bit(rows)
                rows &= rows - ONE
                search.room[first + as_int(network.letters[letters + row * length])] += 1
        return
    width = network.tables[table, WIDTH]
    supports = network.tables[table, SUPPORTS] + index * network.tables[table, SYMBOL_COUNT] * width
    while mask != ZERO:
        symbol = lowest_bit(mask)
        mask &= mask - ONE
        support = supports + symbol * width
        count = 0
        if _CROWDED * limit > width:
            for word in range(width):
                count += count_bits(state.memory[at(start + word)] & network.supports[at(support + word)])
        else:
            for live in range(limit):
                word = as_int(state.sparse[start + live])
                count += count_bits(state.memory[at(start + word)] & network.supports[at(support + word)])
        search.room[first + symbol] = count


@inlined
def logarithm(search: Search, number: int) -> int:
    """The natural logarithm of a whole number, fixed-point; exact below 1024, else within 0.2 %."""
    doublings = 0
    while number >= LOGARITHMS:
        number >>= 1
        doublings += 1
    return int(search.logarithms[number]) + doublings * _LOG_TWO


@inlined
def draw_noise(search: Search, noise: int) -> int:
    """Draw a share of a Gumbel variable, both fixed-point; 0, and nothing drawn, for a share of 0."""
    if noise == 0:
        return 0
    chance = as_int(random_word(search.random) & np.uint64(GUMBELS - 1))
    return int((search.gumbels[chance] * noise) >> UNIT_BITS)
