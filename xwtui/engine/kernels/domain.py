"""A slot's domain: which rows of its table it can still take."""

from typing import cast

import numpy as np

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, bit, count_bits, lowest_bit
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.network import DOMAIN, Network, limit_address, size_address
from xwtui.engine.kernels.state import QUEUE_COUNT, State
from xwtui.engine.kernels.trail import write

DOMAIN_CHANGED = cast(int, np.int64(63))
"""The bit of `State.pending` that stands for the domain itself; slots have 40 squares at most."""

_CROWD = 8
"""Words in a row that are swept in the time that one takes that is looked up."""


@inlined
def is_crowded(limit: int, width: int) -> bool:
    """Tell whether so many of a domain's words are live that all are swept sooner: dead ones are zero."""
    return _CROWD * limit > width


@inlined
def has_row(network: Network, state: State, slot: int, row: int) -> bool:
    """Tell whether the slot can still take this row."""
    word = state.memory[network.slots[slot, DOMAIN] + (row >> 6)]
    return bool((word & bit(row & 63)) != ZERO)


@inlined
def only_row(network: Network, state: State, slot: int) -> int:
    """Find the first row in sparse order; of a slot with one row left, that row."""
    start = network.slots[slot, DOMAIN]
    for place in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + place])
        bits = state.memory[start + word]
        if bits != ZERO:
            return 64 * word + lowest_bit(bits)
    return -1


@inlined
def enqueue(state: State, slot: int, changed: int) -> None:
    """Queue a slot for revision, once, because one of its places or (DOMAIN_CHANGED) its domain did."""
    if state.pending[slot] == ZERO:
        state.queue[state.control[QUEUE_COUNT]] = slot
        state.control[QUEUE_COUNT] += 1
    state.pending[slot] |= bit(changed)


@inlined
def remove_row(network: Network, state: State, slot: int, row: int) -> bool:
    """Take a row out of a domain and queue the slot; False where it was the last."""
    address = network.slots[slot, DOMAIN] + (row >> 6)
    write(state, address, state.memory[address] & ~bit(row & 63))
    size = state.memory[size_address(network, slot)] - ONE
    write(state, size_address(network, slot), size)
    enqueue(state, slot, DOMAIN_CHANGED)
    return bool(size != ZERO)


@kernel
def rows_show(network: Network, state: State, slot: int, rows: int) -> int:
    """Compare a domain with its slot's bit-set among those that start at `rows` in `Network.quota_rows`.

    Returns 1 if it has a row of it, plus 2 if it has another one.
    """
    start = network.slots[slot, DOMAIN]
    shown = 0
    for place in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + place])
        bits, counted = state.memory[start + word], network.quota_rows[rows + start + word]
        if bits & counted != ZERO:
            shown |= 1
        if bits & ~counted != ZERO:
            shown |= 2
        if shown == 3:
            break
    return shown


@kernel
def keep_rows(network: Network, state: State, slot: int, rows: int, inside: bool) -> None:
    """Leave a slot the rows inside its bit-set among those that start at `rows`, or those outside; queue it."""
    start = network.slots[slot, DOMAIN]
    limit = as_int(state.memory[limit_address(network, slot)])
    size = state.memory[size_address(network, slot)]
    for place in range(limit - 1, -1, -1):
        word = as_int(state.sparse[start + place])
        old = state.memory[start + word]
        counted = network.quota_rows[rows + start + word]
        new = old & (counted if inside else ~counted)
        if new != old:
            write(state, start + word, new)
            size -= np.uint64(count_bits(old ^ new))
        if new == ZERO:
            limit -= 1
            state.sparse[start + place] = state.sparse[start + limit]
            state.sparse[start + limit] = word
    write(state, limit_address(network, slot), np.uint64(limit))
    write(state, size_address(network, slot), size)
    enqueue(state, slot, DOMAIN_CHANGED)


@kernel
def assign_row(network: Network, state: State, slot: int, row: int) -> None:
    """Leave a slot this row alone, which its domain must hold, and queue it."""
    start = network.slots[slot, DOMAIN]
    kept = row >> 6
    for place in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + place])
        if word != kept and state.memory[start + word] != ZERO:
            write(state, start + word, ZERO)
    for place in range(as_int(state.memory[limit_address(network, slot)])):
        if state.sparse[start + place] == kept:
            state.sparse[start + place] = state.sparse[start]
            state.sparse[start] = kept
            break
    write(state, start + kept, bit(row & 63))
    write(state, limit_address(network, slot), ONE)
    write(state, size_address(network, slot), ONE)
    enqueue(state, slot, DOMAIN_CHANGED)
