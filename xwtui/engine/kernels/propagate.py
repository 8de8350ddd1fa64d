"""Propagation to the fixpoint: Compact-Table over every slot, and answers all different.

After Demeulenaere, Hartert, Lecoutre, Perez, Perron, Régin, Schaus: Compact-Table, CP 2016. A slot
is revised in two steps. The update takes the rows away that a crossing's lost symbols stood in,
from the removed symbols or from those that are left, whichever are fewer. The filter takes a
symbol away from a square where no row is left that has it; residues remember where it last had one.
"""

import numpy as np

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.all_different import claim_word
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, bit, count_bits, is_single, lowest_bit
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.domain import DOMAIN_CHANGED, enqueue, only_row
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
    size_address,
)
from xwtui.engine.kernels.nogoods import visit_watches
from xwtui.engine.kernels.state import (
    FAILED_RIVAL,
    FAILED_SLOT,
    FAILED_SQUARE,
    INTERRUPTED,
    PAUSED,
    QUEUE_COUNT,
    QUEUE_HEAD,
    STABLE,
    TIME,
    TRACING,
    TRAIL_TOP,
    WIPED_OUT,
    State,
)
from xwtui.engine.kernels.trail import write

_FEW_ROWS = 40
"""A domain this small is read row by row: cheaper than asking for each symbol."""


@kernel
def propagate(network: Network, state: State) -> int:
    """Revise queued slots until nothing changes: STABLE, WIPED_OUT, or INTERRUPTED by a traced event.

    After INTERRUPTED another call goes on; after WIPED_OUT the queue is empty and the failure is
    told in the control fields FAILED_SLOT, FAILED_SQUARE and FAILED_RIVAL.
    """
    control = state.control
    while control[QUEUE_COUNT] > 0:
        if control[PAUSED] != 0:
            return INTERRUPTED
        slot = _take_smallest(network, state)
        if not _revise(network, state, slot):
            _clear_queue(state)
            return WIPED_OUT
    return STABLE


@inlined
def _take_smallest(network: Network, state: State) -> int:
    """Take the queued slot with the fewest options: the one that is likeliest to run empty."""
    control, queue = state.control, state.queue
    best = control[QUEUE_HEAD]
    least = state.memory[size_address(network, queue[best])]
    for entry in range(best + 1, best + control[QUEUE_COUNT]):
        ring = entry - len(queue) if entry >= len(queue) else entry
        size = state.memory[size_address(network, queue[ring])]
        if size < least:
            best, least = ring, size
    slot = int(queue[best])
    queue[best] = queue[control[QUEUE_HEAD]]
    control[QUEUE_HEAD] += 1
    if control[QUEUE_HEAD] == len(queue):
        control[QUEUE_HEAD] = 0
    control[QUEUE_COUNT] -= 1
    return slot


@kernel
def _clear_queue(state: State) -> None:
    """Forget what is pending: the level that it belongs to is about to be undone."""
    control = state.control
    for place in range(control[QUEUE_COUNT]):
        state.pending[state.queue[(control[QUEUE_HEAD] + place) % len(state.queue)]] = ZERO
    control[QUEUE_COUNT] = 0


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
        _update(network, state, slot, index)
        if state.memory[address] == ZERO:
            _blame_square(network, state, slot, place, before)
            return False
    size = state.memory[address]
    if size == before and (pending & bit(DOMAIN_CHANGED)) == ZERO:
        return True
    if size != before:
        trace.record(state, trace.PRUNE, slot, trace.NONE, first, as_int(before), as_int(size), trace.NONE, ZERO)
    if size <= np.uint64(_FEW_ROWS):
        _filter_by_rows(network, state, slot)
    else:
        _filter_by_residues(network, state, slot)
    if size == ONE:
        row = only_row(network, state, slot)
        if not claim_word(network, state, slot, row):
            return False
        return state.watch_head[slot] < 0 or visit_watches(network, state, slot, row)
    return True


@kernel
def _blame_square(network: Network, state: State, slot: int, place: int, before: np.uint64) -> None:
    """Note the crossing whose update emptied the slot, with the symbols that were wanted there."""
    control = state.control
    square = network.places[place, SQUARE]
    control[FAILED_SLOT] = slot
    control[FAILED_SQUARE] = square
    control[FAILED_RIVAL] = network.places[place, CROSSING]
    if control[TRACING] != 0:
        wanted = state.seen[place]
        trace.record(
            state,
            trace.WIPE_OUT,
            slot,
            trace.NONE,
            square,
            as_int(before),
            trace.EMPTY,
            network.places[place, CROSSING],
            wanted,
        )


@inlined
def _update(network: Network, state: State, slot: int, index: int) -> None:
    """Take away the rows whose symbol at one place is no longer among its square's."""
    place = network.slots[slot, PLACES] + index
    mask = state.memory[mask_address(network, network.places[place, SQUARE])]
    lost = state.seen[place] & ~mask
    if lost == ZERO:
        return
    table = network.slots[slot, TABLE]
    width = network.tables[table, WIDTH]
    supports = network.tables[table, SUPPORTS] + index * network.tables[table, SYMBOL_COUNT] * width
    if is_single(mask):
        _keep_symbol(network, state, slot, supports + lowest_bit(mask) * width)
    elif count_bits(lost) < count_bits(mask):
        _sift_symbols(network, state, slot, supports, width, lost, True)
    else:
        _sift_symbols(network, state, slot, supports, width, mask, False)


@inlined
def _keep_symbol(network: Network, state: State, slot: int, support: int) -> None:
    """Intersect a domain with one bit-set, which starts at `support`."""
    memory, stamps, trail, sparse, control = state.memory, state.stamps, state.trail, state.sparse, state.control
    start = network.slots[slot, DOMAIN]
    limit = as_int(memory[limit_address(network, slot)])
    top, time, gone = control[TRAIL_TOP], control[TIME], 0
    for place in range(limit - 1, -1, -1):
        word = as_int(sparse[start + place])
        address = start + word
        old = memory[address]
        new = old & network.supports[support + word]
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
def _sift_symbols(
    network: Network, state: State, slot: int, supports: int, width: int, symbols: np.uint64, drop: bool
) -> None:
    """Drop the rows that have one of the symbols at a place, or keep them alone."""
    memory, stamps, trail, sparse, control = state.memory, state.stamps, state.trail, state.sparse, state.control
    start = network.slots[slot, DOMAIN]
    limit = as_int(memory[limit_address(network, slot)])
    top, time, gone = control[TRAIL_TOP], control[TIME], 0
    for place in range(limit - 1, -1, -1):
        word = as_int(sparse[start + place])
        address = start + word
        old = memory[address]
        having = ZERO
        rest = symbols
        while rest != ZERO:
            having |= network.supports[supports + lowest_bit(rest) * width + word]
            rest &= rest - ONE
        new = old & ~having if drop else old & having
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


@inlined
def _filter_by_rows(network: Network, state: State, slot: int) -> None:
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
                state.shown[index] |= bit(network.letters[letters + index])
    for index in range(length):
        mask = state.memory[mask_address(network, network.places[first + index, SQUARE])]
        if state.shown[index] != mask:
            _narrow(network, state, first + index, mask, state.shown[index])


@inlined
def _filter_by_residues(network: Network, state: State, slot: int) -> None:
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
                residue = as_int(state.residues[64 * place + symbol])
                if state.memory[start + residue] & network.supports[support + residue] == ZERO:
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
        word = as_int(state.sparse[start + live])
        if state.memory[start + word] & network.supports[support + word] != ZERO:
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
