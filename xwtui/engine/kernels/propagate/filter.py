"""The second half of Compact-Table: squares lose the symbols that a domain no longer has there."""

import numpy as np

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, bit, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import inlined
from xwtui.engine.kernels.network import (
    BIT_SETS,
    CROSSING,
    DOMAIN,
    FIRST_ROWS,
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
)
from xwtui.engine.kernels.state import State, enqueue, is_crowded, write

_AT_ONCE = 64
"""Words of a bit-set that are compared before looking whether one shared a row."""


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
    symbols = network.tables[table, SYMBOL_COUNT]
    bit_set, support = network.tables[table, BIT_SETS], network.tables[table, SUPPORTS]
    for place in range(network.slots[slot, PLACES], network.slots[slot + 1, PLACES]):
        mask = state.memory[mask_address(network, network.places[place, SQUARE])]
        if not is_single(mask):
            lost = ZERO
            rest = mask
            while rest != ZERO:
                symbol = lowest_bit(rest)
                rest &= rest - ONE
                residue = at(SYMBOLS * place + symbol)
                if not _is_live(state, start, as_int(state.residues[residue])):
                    row = _find_row(network, state, slot, bit_set + symbol, support + symbol * width)
                    if row < 0:
                        lost |= bit(symbol)
                    else:
                        state.residues[residue] = row
            if lost != ZERO:
                _narrow(network, state, place, mask, mask & ~lost)
        bit_set += symbols
        support += symbols * width


@inlined
def _is_live(state: State, start: int, row: int) -> bool:
    """Tell whether the domain that starts there has a row."""
    return bool(state.memory[at(start + (row >> 6))] & bit(row & 63) != ZERO)


@inlined
def _find_row(network: Network, state: State, slot: int, bit_set: int, support: int) -> int:
    """Find a row of a domain in a bit-set, which starts at `support`, or -1."""
    start = network.slots[slot, DOMAIN]
    count = as_int(network.row_counts[at(bit_set)])
    for place in range(FIRST_ROWS * bit_set, FIRST_ROWS * bit_set + min(count, FIRST_ROWS)):
        row = as_int(network.first_rows[at(place)])
        if _is_live(state, start, row):
            return row
    if count <= FIRST_ROWS:
        return -1
    width = network.tables[network.slots[slot, TABLE], WIDTH]
    limit = as_int(state.memory[limit_address(network, slot)])
    if is_crowded(limit, width):
        return _sweep(network, state, start, width, support)
    for live in range(limit):
        word = as_int(state.sparse[at(start + live)])
        shared = state.memory[at(start + word)] & network.supports[at(support + word)]
        if shared != ZERO:
            return 64 * word + lowest_bit(shared)
    return -1


@inlined
def _sweep(network: Network, state: State, start: int, width: int, support: int) -> int:
    """Find such a row, or -1, in all words of the domain, dead ones too: many at once, so it is sooner done."""
    for first in range(0, width, _AT_ONCE):
        last = min(first + _AT_ONCE, width)
        shared = ZERO
        for word in range(first, last):
            shared |= state.memory[at(start + word)] & network.supports[at(support + word)]
        if shared != ZERO:
            for word in range(first, last):
                shared = state.memory[at(start + word)] & network.supports[at(support + word)]
                if shared != ZERO:
                    return 64 * word + lowest_bit(shared)
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
