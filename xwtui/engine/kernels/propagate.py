"""Propagation to the fixpoint: Compact-Table over every slot, answers all different, and global demands.

After Demeulenaere, Hartert, Lecoutre, Perez, Perron, Régin, Schaus: Compact-Table, CP 2016. A slot
is revised in two steps. The update takes the rows away that a crossing's lost symbols stood in,
from the removed symbols or from those that are left, whichever are fewer. The filter takes a
symbol away from a square where no row is left that has it; residues remember where it last had one.
"""

import numpy as np

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.all_different import claim_word
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, bit, lowest_bit
from xwtui.engine.kernels.bound import keep_worth
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.demands import keep_demands
from xwtui.engine.kernels.distinct_keys import claim_keys
from xwtui.engine.kernels.domain import DOMAIN_CHANGED, only_row
from xwtui.engine.kernels.filter import filter_by_residues, filter_by_rows
from xwtui.engine.kernels.network import (
    CROSSING,
    PLACES,
    SQUARE,
    Network,
    mask_address,
    size_address,
)
from xwtui.engine.kernels.state import (
    FAILED_DEMAND,
    FAILED_PLACES,
    FAILED_RIVAL,
    FAILED_SLOT,
    FAILED_SQUARE,
    INTERRUPTED,
    PAUSED,
    QUEUE_COUNT,
    STABLE,
    WIPED_OUT,
    State,
)
from xwtui.engine.kernels.update import update_domain

_FEW_ROWS = 400
"""A domain this small is read row by row: cheaper than asking for each symbol."""


@kernel
def propagate(network: Network, state: State) -> int:
    """Revise queued slots until nothing changes: STABLE, WIPED_OUT, or INTERRUPTED by a traced event.

    After INTERRUPTED another call goes on; after WIPED_OUT the queue is empty and the failure is
    told in the control fields FAILED_SLOT and after it, FAILED_DEMAND and FAILED_ROW.
    """
    control = state.control
    control[FAILED_DEMAND] = -1
    while True:
        while control[QUEUE_COUNT] > 0:
            if control[PAUSED] != 0:
                return INTERRUPTED
            slot = _take_smallest(network, state)
            if not _revise(network, state, slot):
                _clear_queue(state)
                return WIPED_OUT
        if not keep_demands(network, state, network.steering):
            _clear_queue(state)
            return WIPED_OUT
        if control[QUEUE_COUNT] == 0 and not keep_worth(network, state, network.steering):
            return WIPED_OUT
        if control[QUEUE_COUNT] == 0:
            return STABLE


@inlined
def _take_smallest(network: Network, state: State) -> int:
    """Take the queued slot with the fewest options: the one that is likeliest to run empty."""
    queue = state.queue
    last = state.control[QUEUE_COUNT] - 1
    best, least = last, state.memory[size_address(network, queue[last])]
    for entry in range(last):
        size = state.memory[size_address(network, queue[entry])]
        if size < least:
            best, least = entry, size
    slot = as_int(queue[best])
    queue[best] = queue[last]
    state.control[QUEUE_COUNT] = last
    return slot


@kernel
def _clear_queue(state: State) -> None:
    """Forget what is pending: the level that it belongs to is about to be undone."""
    for entry in range(state.control[QUEUE_COUNT]):
        state.pending[state.queue[entry]] = ZERO
    state.control[QUEUE_COUNT] = 0


@inlined
def _revise(network: Network, state: State, slot: int) -> bool:
    """Bring one slot up to date and pass on what follows; False at a wipe-out."""
    pending = state.pending[slot]
    state.pending[slot] = ZERO
    address = size_address(network, slot)
    before = state.memory[address]
    first = -1
    places = pending & ~bit(DOMAIN_CHANGED)
    while places != ZERO:
        index = lowest_bit(places)
        places &= places - ONE
        place = network.slots[slot, PLACES] + index
        if first < 0:
            first = network.places[place, SQUARE]
        update_domain(network, state, slot, index)
        if state.memory[address] == ZERO:
            state.control[FAILED_PLACES] = as_int(pending & ~bit(DOMAIN_CHANGED) & ~places)
            _blame_square(network, state, slot, place, before)
            return False
    size = state.memory[address]
    if size == before and (pending & bit(DOMAIN_CHANGED)) == ZERO:
        return True
    if size != before:
        trace.record(state, trace.PRUNE, slot, trace.NONE, first, as_int(before), as_int(size), trace.NONE, ZERO)
    if size <= np.uint64(_FEW_ROWS):
        filter_by_rows(network, state, slot)
    else:
        filter_by_residues(network, state, slot)
    if size == ONE:
        row = only_row(network, state, slot)
        if not claim_word(network, state, slot, row):
            return False
        return claim_keys(network, state, slot, row, network.steering)
    return True


@kernel
def _blame_square(network: Network, state: State, slot: int, place: int, before: np.uint64) -> None:
    """Note the crossing whose update emptied the slot, with the symbols that were wanted there."""
    control = state.control
    square = network.places[place, SQUARE]
    rival = network.places[place, CROSSING]
    control[FAILED_SLOT] = slot
    control[FAILED_SQUARE] = square
    control[FAILED_RIVAL] = rival
    wanted = state.seen[place] & ~state.memory[mask_address(network, square)]
    trace.record(state, trace.WIPE_OUT, slot, trace.NONE, square, as_int(before), trace.EMPTY, rival, wanted)
