"""Propagation to the fixpoint, and testing rows by it.

After Demeulenaere, Hartert, Lecoutre, Perez, Perron, Régin, Schaus: Compact-Table, CP 2016. A slot is revised in
two steps. The update removes from its domain the rows that contain the lost symbols of a crossing, using either
the bit-sets of the lost symbols or of the remaining ones, whichever are fewer. The filter removes a symbol from a
square if no remaining row has it; residues remember where its support was last found. When the queue of slots is
empty, the global constraints and the bound on the worth are propagated.
"""

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ALL, ONE, ZERO, as_int, at, bit, count_bits, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.network import Ints, Longs, Network, limit_address, mask_address, size_address
from xwtui.engine.kernels.propagate.bound import propagate_worth
from xwtui.engine.kernels.propagate.choices import propagate_choices
from xwtui.engine.kernels.propagate.constraints import claim_keys, claim_word, propagate_constraints
from xwtui.engine.kernels.propagate.pairs import propagate_pairs
from xwtui.engine.kernels.state import NONE, State

_AT_ONCE = 64
"""Words of a bit-set that are combined before checking whether one of them shares a row."""


@inlined
def filter_by_rows(network: Network, state: State, slot: int) -> None:
    """Restrict each square to the symbols that occur in the few rows of a domain."""
    table = network.slots[slot, net.TABLE]
    letters, length = network.tables[table, net.LETTERS], network.tables[table, net.LENGTH]
    first = network.slots[slot, net.PLACES]
    rows = states.list_rows(network, state, slot)
    state.shown[0] = _prefetch(network, state, rows, letters, length)
    for index in range(0, length, net.COLUMNS):
        _collect_columns(network, state, rows, letters + index, length, index)
    for index in range(length):
        mask = state.memory[mask_address(network, network.places[first + index, net.SQUARE])]
        if state.shown[index] != mask:
            _narrow(network, state, first + index, mask, state.shown[index])


@inlined
def _prefetch(network: Network, state: State, rows: int, letters: int, length: int) -> np.uint64:
    """Touch a letter of each listed row to prefetch it into the cache; the return value is meaningless."""
    read = ZERO
    for number in range(rows):
        read |= np.uint64(network.letters[at(letters + as_int(state.rows[at(number)]) * length)])
    return read


@inlined
def _collect_columns(network: Network, state: State, rows: int, letters: int, length: int, index: int) -> None:
    """Collect the symbols of the listed rows at COLUMNS positions, starting at `index`."""
    first = second = third = fourth = fifth = sixth = seventh = eighth = ZERO
    for number in range(rows):
        at_row = letters + as_int(state.rows[at(number)]) * length
        first |= bit(network.letters[at(at_row)])
        second |= bit(network.letters[at(at_row + 1)])
        third |= bit(network.letters[at(at_row + 2)])
        fourth |= bit(network.letters[at(at_row + 3)])
        fifth |= bit(network.letters[at(at_row + 4)])
        sixth |= bit(network.letters[at(at_row + 5)])
        seventh |= bit(network.letters[at(at_row + 6)])
        eighth |= bit(network.letters[at(at_row + 7)])
    shown = state.shown
    shown[index], shown[index + 1], shown[index + 2], shown[index + 3] = first, second, third, fourth
    shown[index + 4], shown[index + 5], shown[index + 6], shown[index + 7] = fifth, sixth, seventh, eighth


@inlined
def filter_by_residues(network: Network, state: State, slot: int) -> None:
    """Restrict each square to the symbols with a support in the domain, trying the last known support first."""
    table = network.slots[slot, net.TABLE]
    width = network.tables[table, net.WIDTH]
    start = network.slots[slot, net.DOMAIN]
    symbols = network.tables[table, net.SYMBOL_COUNT]
    bit_set, support = network.tables[table, net.BIT_SETS], network.tables[table, net.SUPPORTS]
    for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
        mask = state.memory[mask_address(network, network.places[place, net.SQUARE])]
        if not is_single(mask):
            lost = ZERO
            rest = mask
            while rest != ZERO:
                symbol = lowest_bit(rest)
                rest &= rest - ONE
                residue = at(net.SYMBOLS * place + symbol)
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
    """Whether the domain that starts at `start` contains a row."""
    return bool(state.memory[at(start + (row >> 6))] & bit(row & 63) != ZERO)


@inlined
def _find_row(network: Network, state: State, slot: int, bit_set: int, support: int) -> int:
    """Return a row of a domain that is in a bit-set, which starts at `support`, or -1."""
    start = network.slots[slot, net.DOMAIN]
    count = as_int(network.row_counts[at(bit_set)])
    for place in range(net.FIRST_ROWS * bit_set, net.FIRST_ROWS * bit_set + min(count, net.FIRST_ROWS)):
        row = as_int(network.first_rows[at(place)])
        if _is_live(state, start, row):
            return row
    if count <= net.FIRST_ROWS:
        return -1
    width = network.tables[network.slots[slot, net.TABLE], net.WIDTH]
    limit = as_int(state.memory[limit_address(network, slot)])
    if states.is_dense(limit, width):
        return _sweep(network, state, start, width, support)
    for live in range(limit):
        word = as_int(state.sparse[at(start + live)])
        shared = state.memory[at(start + word)] & network.supports[at(support + word)]
        if shared != ZERO:
            return 64 * word + lowest_bit(shared)
    return -1


@inlined
def _sweep(network: Network, state: State, start: int, width: int, support: int) -> int:
    """Find such a row, or -1, sweeping all words of the domain in batches, dead ones too, which is faster."""
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
    """Give a square a smaller mask, and queue the crossing slot with the mask that it had last seen."""
    states.write(state, mask_address(network, network.places[place, net.SQUARE]), left)
    other = network.places[place, net.SHARING]
    if other >= 0:
        index = network.places[place, net.INDEX]
        if state.pending[other] & bit(index) == ZERO:
            state.seen[network.slots[other, net.PLACES] + index] = mask
        states.enqueue(state, other, index)


# Results of testing a row, if not the number of a slot.
UNTRIED = -3
NOBODY = -2
"""The row is dead, and no single slot is to blame."""
SURVIVES = -1


@entry_point
def try_rows(network: Network, state: State, slot: int, rows: Longs, killers: Ints, first: int, last: int) -> int:
    """Test rows[first:last] one by one by placing each in a state at its root.

    Writes into `killers`, for each row, SURVIVES or the slot that is wiped out. Returns the index reached, which
    is less than `last` if the trail must be lengthened first. Rows outside the slot's domain get NOBODY.
    """
    for number in range(first, last):
        row = as_int(rows[number])
        if not states.has_row(network, state, slot, row):
            killers[number] = NOBODY
            continue
        if not states.has_room(state):
            return number
        states.push_level(state)
        states.assign_row(network, state, slot, row)
        if propagate(network, state) == states.STABLE:
            killers[number] = SURVIVES
        else:
            killers[number] = state.control[states.FAILED_SLOT]
        states.pop_level(state)
    return last


@inlined
def update_domain(network: Network, state: State, slot: int, index: int) -> None:
    """Remove the rows whose symbol at one place is no longer in its square's mask."""
    place = network.slots[slot, net.PLACES] + index
    mask = state.memory[mask_address(network, network.places[place, net.SQUARE])]
    lost = state.seen[place] & ~mask
    if lost == ZERO:
        return
    table = network.slots[slot, net.TABLE]
    width = network.tables[table, net.WIDTH]
    supports = network.tables[table, net.SUPPORTS] + index * network.tables[table, net.SYMBOL_COUNT] * width
    if count_bits(lost) < count_bits(mask):
        _collect_rows(network, state, slot, supports, width, lost)
        states.intersect_domain(network, state, slot, ALL)
    else:
        _collect_rows(network, state, slot, supports, width, mask)
        states.intersect_domain(network, state, slot, ZERO)


@inlined
def _collect_rows(
    network: Network, state: State, slot: int, supports: int, width: int, symbols: np.uint64
) -> None:
    """Collect in `shown_rows` the rows with one of the symbols at the place whose bit-sets start at `supports`."""
    shown = state.shown_rows
    limit = as_int(state.memory[limit_address(network, slot)])
    start = network.slots[slot, net.DOMAIN]
    first = supports + lowest_bit(symbols) * width
    symbols &= symbols - ONE
    if states.is_dense(limit, width):
        second = supports + lowest_bit(symbols) * width if symbols != ZERO else first
        symbols &= symbols - ONE
        for word in range(width):
            shown[at(word)] = network.supports[at(first + word)] | network.supports[at(second + word)]
        while symbols != ZERO:
            first = supports + lowest_bit(symbols) * width
            symbols &= symbols - ONE
            second = supports + lowest_bit(symbols) * width if symbols != ZERO else first
            symbols &= symbols - ONE
            for word in range(width):
                shown[at(word)] |= network.supports[at(first + word)] | network.supports[at(second + word)]
        return
    for place in range(limit):
        word = as_int(state.sparse[at(start + place)])
        shown[at(word)] = network.supports[at(first + word)]
    while symbols != ZERO:
        first = supports + lowest_bit(symbols) * width
        symbols &= symbols - ONE
        for place in range(limit):
            word = as_int(state.sparse[at(start + place)])
            shown[at(word)] |= network.supports[at(first + word)]


_FEW_ROWS = 400
"""Up to this size a domain is read row by row, which is cheaper than a query for each symbol."""


@kernel
def propagate(network: Network, state: State) -> int:
    """Revise queued slots until nothing changes: STABLE, WIPED_OUT, or INTERRUPTED by a traced event.

    After INTERRUPTED, call again to continue. After WIPED_OUT the queue is empty, and the control fields
    FAILED_SLOT to FAILED_PLACES, FAILED_CONSTRAINT and FAILED_ROW describe the failure.
    """
    control = state.control
    control[states.FAILED_CONSTRAINT] = -1
    while True:
        while control[states.QUEUE_COUNT] > 0:
            if control[states.PAUSED] != 0:
                return states.INTERRUPTED
            slot = _take_smallest(network, state)
            if not _revise(network, state, slot):
                _clear_queue(state)
                return states.WIPED_OUT
        if not _propagate_global(network, state, network.constraint_flag):
            _clear_queue(state)
            return states.WIPED_OUT
        if control[states.QUEUE_COUNT] == 0 and not propagate_worth(network, state, network.constraint_flag):
            return states.WIPED_OUT
        if control[states.QUEUE_COUNT] == 0:
            return states.STABLE


@kernel
def _propagate_global(network: Network, state: State, constraint_flag: Longs | None) -> bool:
    """Propagate the global constraints; False if one cannot be met."""
    if constraint_flag is None:
        return True
    return (
        propagate_constraints(network, state)
        and propagate_choices(network, state)
        and propagate_pairs(network, state)
    )


@inlined
def _take_smallest(network: Network, state: State) -> int:
    """Take the queued slot with the smallest domain: the one most likely to be wiped out."""
    queue = state.queue
    last = state.control[states.QUEUE_COUNT] - 1
    best, least = last, state.memory[size_address(network, queue[last])]
    for entry in range(last):
        size = state.memory[size_address(network, queue[entry])]
        if size < least:
            best, least = entry, size
    slot = as_int(queue[best])
    queue[best] = queue[last]
    state.control[states.QUEUE_COUNT] = last
    return slot


@kernel
def _clear_queue(state: State) -> None:
    """Discard what is pending: its level is about to be undone."""
    for entry in range(state.control[states.QUEUE_COUNT]):
        state.pending[state.queue[entry]] = ZERO
    state.control[states.QUEUE_COUNT] = 0


@inlined
def _revise(network: Network, state: State, slot: int) -> bool:
    """Update one slot's domain and prune its squares accordingly; False at a wipe-out."""
    pending = state.pending[slot]
    state.pending[slot] = ZERO
    address = size_address(network, slot)
    before = state.memory[address]
    first = -1
    places = pending & ~bit(states.DOMAIN_CHANGED)
    while places != ZERO:
        index = lowest_bit(places)
        places &= places - ONE
        place = network.slots[slot, net.PLACES] + index
        if first < 0:
            first = network.places[place, net.SQUARE]
        update_domain(network, state, slot, index)
        if state.memory[address] == ZERO:
            state.control[states.FAILED_PLACES] = as_int(pending & ~bit(states.DOMAIN_CHANGED) & ~places)
            _blame_square(network, state, slot, place, before)
            return False
    size = state.memory[address]
    if size == before and (pending & bit(states.DOMAIN_CHANGED)) == ZERO:
        return True
    if size != before:
        states.record(state, states.PRUNE, slot, NONE, first, as_int(before), as_int(size), NONE, ZERO)
    if size <= np.uint64(_FEW_ROWS):
        filter_by_rows(network, state, slot)
    else:
        filter_by_residues(network, state, slot)
    if size == ONE:
        row = states.first_row(network, state, slot)
        if not claim_word(network, state, slot, row):
            return False
        return claim_keys(network, state, slot, row, network.constraint_flag)
    return True


@kernel
def _blame_square(network: Network, state: State, slot: int, place: int, before: np.uint64) -> None:
    """Record the crossing whose update emptied the slot, and the symbols that the slot needed there."""
    control = state.control
    square = network.places[place, net.SQUARE]
    rival = network.places[place, net.SHARING]
    control[states.FAILED_SLOT] = slot
    control[states.FAILED_SQUARE] = square
    control[states.FAILED_RIVAL] = rival
    wanted = state.seen[place] & ~state.memory[mask_address(network, square)]
    states.record(state, states.WIPE_OUT, slot, NONE, square, as_int(before), states.EMPTY, rival, wanted)
