"""Which word or symbol is tried next: the one that leaves most room, with a say for score and noise.

Room: the crossing words that a letter leaves, counted and taken to the logarithm.

Which symbol a square takes: the one that leaves most room in both slots through it, and chance.

Which word is next: by the room that it leaves its crossings, by its score, and by chance.

A word's weight is the logarithm of its support, the product over its crossings of the crossing
words that have its letter there, plus its appeal (its score, raised or lowered by the constructor's
preferences) times a rate that falls while the search runs into dead ends, plus Gumbel noise: so words are
drawn with a chance that is a power of support and appeal.
"""

from typing import cast

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.bits import (
    NOUGHT,
    ONE,
    ZERO,
    as_int,
    at,
    bit,
    count_bits,
    is_single,
    lowest_bit,
    random_word,
)
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Network, limit_address, mask_address, size_address
from xwtui.engine.kernels.search import decisions as deciding
from xwtui.engine.kernels.search.decisions import Search, kept_row
from xwtui.engine.kernels.state import State, is_crowded, list_rows

_LOG_TWO = 45426
"""Natural logarithm of 2, fixed-point."""

_AGREEMENT = 12 * deciding.UNIT
"""The room of a letter on which two slots agree that need not: that of very many words."""

_SWIFT = 4
"""Words in a row whose bits are counted in the time that it takes to look at a row."""

_LOGARITHMS = np.rint(np.log(np.maximum(np.arange(1024), 1)) * deciding.UNIT).astype(np.int32)
"""Natural logarithms of whole numbers, fixed-point (that of 0 taken as 0)."""

_GUMBELS = np.rint(-np.log(-np.log((np.arange(4096) + 0.5) / 4096)) * deciding.UNIT).astype(np.int32)
"""Equally likely values of a Gumbel variable, fixed-point; as many as a power of two."""


@inlined
def measure_room(network: Network, state: State, search: Search, slot: int) -> None:
    """Tabulate, for each index and symbol of a slot, the logarithm of the crossing words left by it."""
    for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
        first = net.SYMBOLS * (place - network.slots[slot, net.PLACES])
        for symbol in range(net.SYMBOLS):
            search.room[first + symbol] = 0
        other = network.places[place, net.CROSSING]
        mask = state.memory[mask_address(network, network.places[place, net.SQUARE])]
        if other < 0 or is_single(mask):
            continue
        if state.memory[size_address(network, other)] == ONE:
            _prefer_agreement(network, state, search, place, first)
            continue
        count_symbols(network, state, search, other, network.places[place, net.INDEX], mask, first)
        while mask != ZERO:
            symbol = lowest_bit(mask)
            mask &= mask - ONE
            search.room[first + symbol] = logarithm(search.room[first + symbol])


@kernel
def _prefer_agreement(network: Network, state: State, search: Search, place: int, first: int) -> None:
    """Let the letter of a decided slot count most where it crosses in name only, so that few squares differ."""
    other = network.places[place, net.CROSSING]
    opposite = network.places[network.slots[other, net.PLACES] + network.places[place, net.INDEX], net.SQUARE]
    mask = state.memory[mask_address(network, opposite)]
    if is_single(mask):
        search.room[first + lowest_bit(mask)] = _AGREEMENT


@kernel
def count_symbols(
    network: Network, state: State, search: Search, slot: int, index: int, mask: np.uint64, first: int
) -> None:
    """Count the words of a slot by their symbol at an index: word by word or symbol by symbol."""
    table = network.slots[slot, net.TABLE]
    size = as_int(state.memory[size_address(network, slot)])
    limit = as_int(state.memory[limit_address(network, slot)])
    width = network.tables[table, net.WIDTH]
    at_once = width // _SWIFT if is_crowded(limit, width) else limit
    if size == network.tables[table + 1, net.ROWS] - network.tables[table, net.ROWS]:
        sets = network.tables[table, net.BIT_SETS] + index * network.tables[table, net.SYMBOL_COUNT]
        for symbol in range(network.tables[table, net.SYMBOL_COUNT]):
            if mask & bit(symbol) != ZERO:
                search.room[first + symbol] = network.row_counts[sets + symbol]
    elif size <= at_once * count_bits(mask):
        _count_by_rows(network, state, search, slot, index, first)
    else:
        _count_by_symbols(network, state, search, slot, index, mask, first)


@inlined
def _count_by_rows(network: Network, state: State, search: Search, slot: int, index: int, first: int) -> None:
    """Look at every row of a domain."""
    table = network.slots[slot, net.TABLE]
    length = network.tables[table, net.LENGTH]
    letters = network.tables[table, net.LETTERS] + index
    for number in range(list_rows(network, state, slot)):
        row = as_int(state.rows[at(number)])
        search.room[at(first + as_int(network.letters[at(letters + row * length)]))] += 1


@inlined
def _count_by_symbols(
    network: Network, state: State, search: Search, slot: int, index: int, mask: np.uint64, first: int
) -> None:
    """Compare a domain with the bit-set of every symbol."""
    table = network.slots[slot, net.TABLE]
    start = network.slots[slot, net.DOMAIN]
    limit = as_int(state.memory[limit_address(network, slot)])
    width = network.tables[table, net.WIDTH]
    supports = network.tables[table, net.SUPPORTS] + index * network.tables[table, net.SYMBOL_COUNT] * width
    while mask != ZERO:
        symbol = lowest_bit(mask)
        mask &= mask - ONE
        support = supports + symbol * width
        count = 0
        if is_crowded(limit, width):
            for word in range(width):
                count += count_bits(state.memory[at(start + word)] & network.supports[at(support + word)])
        else:
            for live in range(limit):
                word = as_int(state.sparse[at(start + live)])
                count += count_bits(state.memory[at(start + word)] & network.supports[at(support + word)])
        search.room[first + symbol] = count


@inlined
def logarithm(number: int) -> int:
    """The natural logarithm of a whole number, fixed-point; exact below 1024, else within 0.2 %."""
    doublings = 0
    while number >= len(_LOGARITHMS):
        number >>= 1
        doublings += 1
    return as_int(_LOGARITHMS[at(number)]) + doublings * _LOG_TWO


@inlined
def draw_noise(search: Search, noise: int) -> int:
    """Draw a share of a Gumbel variable, both fixed-point; 0, and nothing drawn, for a share of 0."""
    if noise == 0:
        return 0
    chance = random_word(search.random) & np.uint64(len(_GUMBELS) - 1)
    return (as_int(_GUMBELS[chance]) * noise) >> deciding.UNIT_BITS


# Where in `room` the two slots' counts begin; typed, because numba would compile `_tally` for each literal.
_FIRST = NOUGHT
_SECOND = cast(int, np.int64(net.SYMBOLS))


@kernel
def draw_symbol(
    network: Network, state: State, search: Search, square: int, symbols: np.uint64, noise: int
) -> tuple[int, int]:
    """Draw one of some symbols, all of which the square can take, by the words that it leaves both slots.

    Returns it with its weight; `noise` is the share of chance in that, fixed-point.
    """
    slot, index = network.squares[square, net.AT_SLOT], network.squares[square, net.AT_INDEX]
    place = network.slots[slot, net.PLACES] + index
    other = network.places[place, net.CROSSING]
    _tally(network, state, search, slot, index, symbols, _FIRST)
    if other >= 0:
        _tally(network, state, search, other, network.places[place, net.INDEX], symbols, _SECOND)
    best, most = -1, -(1 << 62)
    while symbols != ZERO:
        symbol = lowest_bit(symbols)
        symbols &= symbols - ONE
        weight = logarithm(search.room[symbol]) + draw_noise(search, noise)
        if other >= 0:
            weight += logarithm(search.room[net.SYMBOLS + symbol])
        if weight > most:
            best, most = symbol, weight
    return best, most


@inlined
def _tally(
    network: Network, state: State, search: Search, slot: int, index: int, symbols: np.uint64, first: int
) -> None:
    """Count the words of a slot by their symbol at an index, into `room` from `first` on."""
    for symbol in range(net.SYMBOLS):
        search.room[first + symbol] = 0
    count_symbols(network, state, search, slot, index, symbols, first)


@kernel
def draw_row(network: Network, state: State, search: Search, slot: int) -> int:
    """Draw a row of an undecided slot's domain: that which is kept for it, or else one by weight and chance."""
    kept = kept_row(network, state, search, slot)
    if kept >= 0:
        return kept
    measure_room(network, state, search, slot)
    patience = search.settings[deciding.SCORE_PATIENCE]
    point = search.settings[deciding.SCORE_WEIGHT] * patience // (patience + search.progress[deciding.BACKTRACKS])
    table = network.slots[slot, net.TABLE]
    length = network.tables[table, net.LENGTH]
    first = network.tables[table, net.ROWS]
    start = network.slots[slot, net.DOMAIN]
    roomiest = _most_room(search, length)
    best, most = -1, -(1 << 62)
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            row = 64 * word + lowest_bit(rows)
            rows &= rows - ONE
            weight = point * network.row_appeals[first + row] + draw_noise(search, search.settings[deciding.NOISE])
            if weight + roomiest <= most:
                continue
            letters = network.tables[table, net.LETTERS] + row * length
            for index in range(length):
                weight += search.room[at(net.SYMBOLS * index + as_int(network.letters[at(letters + index)]))]
            if weight > most:
                best, most = row, weight
    return best


@inlined
def _most_room(search: Search, length: int) -> int:
    """The room that a word of the best symbols would leave: no word leaves more."""
    total = 0
    for index in range(length):
        most = 0
        for symbol in range(net.SYMBOLS):
            most = max(most, search.room[at(net.SYMBOLS * index + symbol)])
        total += most
    return total
