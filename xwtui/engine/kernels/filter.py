"""The second half of Compact-Table: squares lose the symbols that a domain no longer has there."""

import numpy as np

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, bit, is_single, lowest_bit
from xwtui.engine.kernels.compiled import inlined
from xwtui.engine.kernels.domain import enqueue
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
    TABLE,
    WIDTH,
    Network,
    limit_address,
    mask_address,
)
from xwtui.engine.kernels.state import State
from xwtui.engine.kernels.trail import write


@inlined
def filter_by_rows(network: Network, state: State, slot: int) -> None:
    """Leave each square the symbols that the few rows of a domain show."""
    table = network.slots[slot, TABLE]
    length = network.tables[table, LENGTH]
    first = network.slots[slot, PLACES]
    start = network.slots[slot, DOMAIN]
    for index in range(length):
        state.shown[index] = ZERO
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            letters = network.tables[table, LETTERS] + (64 * word + lowest_bit(rows)) * length
            rows &= rows - ONE
            for index in range(length):
                state.shown[at(index)] |= bit(network.letters[at(letters + index)])
    for index in range(length):
        mask = state.memory[mask_address(network, network.places[first + index, SQUARE])]
        if state.shown[index] != mask:
            _narrow(network, state, first + index, mask, state.shown[index])


@inlined
def filter_by_residues(network: Network, state: State, slot: int) -> None:
    """Leave each square the symbols that have a support in the domain, tried first where one was last."""
    table = network.slots[slot, TABLE]
    width = network.tables[table, WIDTH]
    start = network.slots[slot, DOMAIN]
    limit = as_int(state.memory[limit_address(network, slot)])
    supports = network.tables[table, SUPPORTS]
    step = network.tables[table, SYMBOL_COUNT] * width
    for place in range(network.slots[slot, PLACES], network.slots[slot + 1, PLACES]):
        mask = state.memory[mask_address(network, network.places[place, SQUARE])]
        if not is_single(mask):
            lost = ZERO
            rest = mask
            while rest != ZERO:
                symbol = lowest_bit(rest)
                rest &= rest - ONE
                support = supports + symbol * width
                residue = as_int(state.residues[at(64 * place + symbol)])
                if state.memory[at(start + residue)] & network.supports[at(support + residue)] == ZERO:
                    residue = _find_support(network, state, start, limit, support)
                    if residue < 0:
                        lost |= bit(symbol)
                    else:
                        state.residues[64 * place + symbol] = residue
            if lost != ZERO:
                _narrow(network, state, place, mask, mask & ~lost)
        supports += step


@inlined
def _find_support(network: Network, state: State, start: int, limit: int, support: int) -> int:
    """Find a word of a domain that shares a row with a bit-set, or -1."""
    for live in range(limit):
        word = as_int(state.sparse[at(start + live)])
        if state.memory[at(start + word)] & network.supports[at(support + word)] != ZERO:
            return word
    return -1


@inlined
def _narrow(network: Network, state: State, place: int, mask: np.uint64, left: np.uint64) -> None:
    """Give a square a smaller mask, and queue the crossing slot with what it had seen before."""
    write(state, mask_address(network, network.places[place, SQUARE]), left)
    other = network.places[place, CROSSING]
    if other >= 0:
        index = network.places[place, INDEX]
        if state.pending[other] & bit(index) == ZERO:
            state.seen[network.slots[other, PLACES] + index] = mask
        enqueue(state, other, index)
