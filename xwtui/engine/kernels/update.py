"""The first half of Compact-Table: a domain loses the rows that its squares no longer allow."""

import numpy as np

from xwtui.engine.kernels.bits import ALL, NOUGHT, ONE, ZERO, as_int, at, count_bits, lowest_bit
from xwtui.engine.kernels.compiled import inlined
from xwtui.engine.kernels.domain import is_crowded
from xwtui.engine.kernels.network import (
    DOMAIN,
    PLACES,
    SQUARE,
    SUPPORTS,
    SYMBOL_COUNT,
    TABLE,
    WIDTH,
    Network,
    limit_address,
    mask_address,
    size_address,
)
from xwtui.engine.kernels.state import TIME, TRAIL_TOP, State
from xwtui.engine.kernels.trail import write


@inlined
def update_domain(network: Network, state: State, slot: int, index: int) -> None:
    """Take away the rows whose symbol at one place is no longer among its square's."""
    place = network.slots[slot, PLACES] + index
    mask = state.memory[mask_address(network, network.places[place, SQUARE])]
    lost = state.seen[place] & ~mask
    if lost == ZERO:
        return
    table = network.slots[slot, TABLE]
    width = network.tables[table, WIDTH]
    supports = network.tables[table, SUPPORTS] + index * network.tables[table, SYMBOL_COUNT] * width
    if count_bits(lost) < count_bits(mask):
        _show_rows(network, state, slot, supports, width, lost)
        _keep_shown(network, state, slot, ALL)
    else:
        _show_rows(network, state, slot, supports, width, mask)
        _keep_shown(network, state, slot, ZERO)


@inlined
def _show_rows(network: Network, state: State, slot: int, supports: int, width: int, symbols: np.uint64) -> None:
    """Gather in `shown_rows` the rows with one of the symbols at the place whose bit-sets start at `supports`."""
    shown = state.shown_rows
    limit = as_int(state.memory[limit_address(network, slot)])
    if is_crowded(limit, width):
        for word in range(width):
            shown[word] = ZERO
        while symbols != ZERO:
            support = supports + lowest_bit(symbols) * width
            symbols &= symbols - ONE
            for word in range(width):
                shown[word] |= network.supports[support + word]
        return
    start = network.slots[slot, DOMAIN]
    for place in range(limit):
        word = as_int(state.sparse[at(start + place)])
        having = ZERO
        rest = symbols
        while rest != ZERO:
            having |= network.supports[at(supports + lowest_bit(rest) * width + word)]
            rest &= rest - ONE
        shown[word] = having


@inlined
def _keep_shown(network: Network, state: State, slot: int, flipped: np.uint64) -> None:
    """Intersect a domain with `shown_rows`, all bits of which may be flipped."""
    memory, stamps, trail, sparse, control = state.memory, state.stamps, state.trail, state.sparse, state.control
    start = network.slots[slot, DOMAIN]
    limit = as_int(memory[limit_address(network, slot)])
    top, time, gone = control[TRAIL_TOP], control[TIME], NOUGHT
    for place in range(limit - 1, -1, -1):
        word = as_int(sparse[at(start + place)])
        address = at(start + word)
        old = memory[address]
        new = old & (state.shown_rows[at(word)] ^ flipped)
        if new != old:
            if stamps[address] != time:
                trail[2 * top] = address
                trail[2 * top + 1] = old
                stamps[address] = time
                top += 1
            memory[address] = new
            gone += count_bits(old ^ new)
        if new == ZERO:
            limit -= 1
            sparse[start + place] = sparse[start + limit]
            sparse[start + limit] = word
    control[TRAIL_TOP] = top
    _shrink(network, state, slot, limit, gone)


@inlined
def _shrink(network: Network, state: State, slot: int, limit: int, gone: int) -> None:
    """Write a domain's new count of live words and its new size."""
    if gone > 0:
        write(state, limit_address(network, slot), np.uint64(limit))
        address = size_address(network, slot)
        write(state, address, state.memory[address] - np.uint64(gone))
