"""Which symbol a square takes: the one that leaves most room in both slots through it, and chance."""

from typing import cast

import numpy as np

from xwtui.engine.kernels.bits import NOUGHT, ONE, ZERO, lowest_bit
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.network import (
    AT_INDEX,
    AT_SLOT,
    CROSSING,
    INDEX,
    PLACES,
    SYMBOLS,
    Network,
)
from xwtui.engine.kernels.room import count_symbols, draw_noise, logarithm
from xwtui.engine.kernels.search_state import Search
from xwtui.engine.kernels.state import State

# Where in `room` the two slots' counts begin; typed, because numba would compile `_tally` for each literal.
_FIRST = NOUGHT
_SECOND = cast(int, np.int64(SYMBOLS))


@kernel
def draw_symbol(
    network: Network, state: State, search: Search, square: int, symbols: np.uint64, noise: int
) -> tuple[int, int]:
    """Draw one of some symbols, all of which the square can take, by the words that it leaves both slots.

    Returns it with its weight; `noise` is the share of chance in that, fixed-point.
    """
    slot, index = network.squares[square, AT_SLOT], network.squares[square, AT_INDEX]
    place = network.slots[slot, PLACES] + index
    other = network.places[place, CROSSING]
    _tally(network, state, search, slot, index, symbols, _FIRST)
    if other >= 0:
        _tally(network, state, search, other, network.places[place, INDEX], symbols, _SECOND)
    best, most = -1, -(1 << 62)
    while symbols != ZERO:
        symbol = lowest_bit(symbols)
        symbols &= symbols - ONE
        weight = logarithm(search.room[symbol]) + draw_noise(search, noise)
        if other >= 0:
            weight += logarithm(search.room[SYMBOLS + symbol])
        if weight > most:
            best, most = symbol, weight
    return best, most


@inlined
def _tally(
    network: Network, state: State, search: Search, slot: int, index: int, symbols: np.uint64, first: int
) -> None:
    """Count the words of a slot by their symbol at an index, into `room` from `first` on."""
    for symbol in range(SYMBOLS):
        search.room[first + symbol] = 0
    count_symbols(network, state, search, slot, index, symbols, first)
