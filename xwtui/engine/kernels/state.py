"""The mutable state of a search: one reversible memory with its trail, holding square masks and slot domains.

With tracing on, it also records events: one row in a ring buffer for each event that can be reported to a user.
"""

from typing import cast

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.bits import ALL, ONE, TYPED_ZERO, ZERO, as_int, at, bit, count_bits, lowest_bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.compiler.records import Block
from xwtui.engine.kernels.network import Bits, Ints, Longs, Network, limit_address, mask_address, size_address

# Places in State.control.
DEPTH = 0
"""Number of decisions in force."""
TIME = 1
"""Time stamp of the current level; each push and pop makes a new one."""
TRAIL_TOP = 2
QUEUE_COUNT = 3
FAILED_SLOT = 4
"""After a wipe-out, the slot that was wiped out."""
FAILED_SQUARE = 5
"""The crossing whose symbols emptied it, or -1 if its last word was taken."""
FAILED_RIVAL = 6
"""The slot across that crossing, or the one that took the last word, or -1."""
FAILED_PLACES = 7
"""The slot's places whose changes together emptied it, as bits; all places if no change did."""
TRACING = 8
"""Whether events are recorded."""
STOP_KINDS = 9
"""The event kinds to pause after, as bits."""
STOP_SLOT = 10
"""The slot whose events cause a pause, or -1."""
PAUSED = 11
"""Set by an event that requests a pause."""
EVENT_COUNT = 12
"""Events recorded since the start; the ring buffer keeps the last ones."""
FAILED_CONSTRAINT = 13
"""The global constraint that failed, or -1: cardinalities, links, chains, keys, choices, pairs."""
FAILED_ROW = 14
"""The slot's last row, if another slot's answer took it."""
TIGHT = 15
"""Whether this run lets no more pairs differ than it must; 0 if all runs are alike.

A run that IS_TIGHT proves nothing. It is followed by one that IS_LOOSE.
"""
EXCLUDES_WAYS = 16
"""Whether a ruled-out way may not occur by coincidence either, because its fills have been enumerated."""
CONTROL_SIZE = 17

IS_TIGHT = 1
IS_LOOSE = 2

# Results of propagation.
STABLE = 0
WIPED_OUT = 1
INTERRUPTED = 2

# Columns of State.events.
KIND = 0
EVENT_DEPTH = 1
EVENT_SLOT = 2
EVENT_ROW = 3
EVENT_SQUARE = 4
BEFORE = 5
AFTER = 6
OTHER_SLOT = 7
MASK_LOW = 8
MASK_HIGH = 9
EVENT_CONSTRAINT = 10
"""The global constraint that an event comes from, or -1."""
EVENT_COLUMNS = 11


class State(Block, columns={"events": EVENT_COLUMNS}):
    """The arrays that one search owns; another search gets copies."""

    memory: Bits
    """Everything that backtracking restores.

    In order: the words of all domains; for each slot, how many of its words are live (not zero); for each slot,
    the size of its domain; for each square, a mask of symbols; for each way, whether it is possible.
    """
    stamps: Ints
    """When each memory cell was last saved on the trail, then when each slot's domain was saved as a whole."""
    levels: Longs
    """Height of the trail, in pairs, at the start of each level."""
    sparse: Ints
    """Sparse sets of the domains' words, a slot's live words first; then one spare cell."""
    residues: Ints
    """Shape (places, 64), flat: a row of the domain that had the symbol when last searched for."""
    seen: Bits
    """Shape (places,): the mask that a slot last processed, for pending places."""
    pending: Bits
    """Shape (slots,): places whose masks changed, as bits; bit 63: the domain changed. Nonzero means queued."""
    shown: Bits
    """Scratch, shape (longest slot,): the symbols that occur in a domain's rows."""
    queue: Longs
    """The slots to revise, in no particular order."""
    control: Longs
    worth: Longs
    """The required worth of a fill and the values that make it up; see propagate/bound.py."""
    events: Longs
    """Shape (ring, 11): the trace."""
    shown_rows: Bits
    """Scratch, shape (widest table,): the rows that have some symbols, as bits."""
    rows: Ints
    """Scratch, shape (rows of the largest table, plus some): the rows of a domain."""
    chain: Bits
    """Scratch, shape (slots x 2, or more): reachable steps of a chain before each slot, and its rows' classes."""
    trail: Bits
    """Pairs of an address, or BLOCK plus an address, and the old value. The last array, so that it can grow."""


@inlined
def domain_size(network: Network, state: State, slot: int) -> int:
    """Return how many rows a slot's domain has."""
    return as_int(state.memory[size_address(network, slot)])


@inlined
def write(state: State, address: int, value: np.uint64) -> None:
    """Change a memory cell, saving it so that the current level can be undone."""
    control = state.control
    if state.stamps[address] != control[TIME]:
        top = control[TRAIL_TOP]
        state.trail[2 * top] = address
        state.trail[2 * top + 1] = state.memory[address]
        state.stamps[address] = control[TIME]
        control[TRAIL_TOP] = top + 1
    state.memory[address] = value


BLOCK = cast(int, np.int64(1 << 62))
"""Added to the address of a trail pair whose value is the number of words of a whole domain in the pairs below."""


@inlined
def save_domain(network: Network, state: State, slot: int) -> None:
    """Save all words of a domain, once per level, for undoing; `write` may also save some of them."""
    control, stamp = state.control, len(state.memory) + slot
    if state.stamps[stamp] != control[TIME]:
        start = network.slots[slot, net.DOMAIN]
        count = network.slots[slot + 1, net.DOMAIN] - start
        begin = 2 * control[TRAIL_TOP]
        for word in range(count):
            state.trail[at(begin + word)] = state.memory[at(start + word)]
        top = control[TRAIL_TOP] + (count + 1) // 2
        state.trail[2 * top] = BLOCK + start
        state.trail[2 * top + 1] = count
        state.stamps[stamp] = control[TIME]
        control[TRAIL_TOP] = top + 1


@inlined
def pairs_below(state: State, entry: int) -> int:
    """Return how many pairs below a trail pair hold the words of the domain that it stands for."""
    if as_int(state.trail[at(2 * entry)]) < BLOCK:
        return 0
    return (as_int(state.trail[at(2 * entry + 1)]) + 1) // 2


@inlined
def has_room(state: State) -> bool:
    """Whether the trail has room for another level: at most two saves of every cell."""
    return bool(2 * (state.control[TRAIL_TOP] + 2 * len(state.memory)) <= len(state.trail))


@inlined
def push_level(state: State) -> None:
    """Open a level. The caller has checked that the trail `has_room`."""
    control = state.control
    if control[DEPTH] == 0:
        control[TRAIL_TOP] = 0
    state.levels[control[DEPTH]] = control[TRAIL_TOP]
    control[DEPTH] += 1
    control[TIME] += 1


@inlined
def pop_level(state: State) -> None:
    """Undo all writes of the topmost level."""
    control = state.control
    control[DEPTH] -= 1
    bottom = state.levels[control[DEPTH]]
    entry = control[TRAIL_TOP]
    while entry > bottom:
        entry -= 1
        address, value = as_int(state.trail[at(2 * entry)]), state.trail[at(2 * entry + 1)]
        if address < BLOCK:
            state.memory[at(address)] = value
        else:
            entry -= pairs_below(state, entry)
            for word in range(as_int(value)):
                state.memory[at(address - BLOCK + word)] = state.trail[at(2 * entry + word)]
    control[TRAIL_TOP] = bottom
    control[TIME] += 1


@inlined
def square_mask(network: Network, state: State, square: int) -> np.uint64:
    """Return the symbols that a square can still hold, as bits."""
    mask: np.uint64 = state.memory[mask_address(network, square)]
    return mask


@kernel
def narrow_square(network: Network, state: State, square: int, left: np.uint64) -> None:
    """Restrict a square to these of its symbols, at least one, and queue the one or two slots through it."""
    before = square_mask(network, state, square)
    if left == before:
        return
    write(state, mask_address(network, square), left)
    slot, index = network.squares[square, net.AT_SLOT], network.squares[square, net.AT_INDEX]
    _notify(network, state, slot, index, before)
    place = network.slots[slot, net.PLACES] + index
    if network.places[place, net.SHARING] >= 0:
        _notify(network, state, network.places[place, net.SHARING], network.places[place, net.INDEX], before)


@inlined
def _notify(network: Network, state: State, slot: int, index: int, before: np.uint64) -> None:
    """Queue a slot for a change in one of its squares; `before` is the old mask, kept unless already pending."""
    if state.pending[slot] & bit(index) == ZERO:
        state.seen[network.slots[slot, net.PLACES] + index] = before
    enqueue(state, slot, index)


DOMAIN_CHANGED = cast(int, np.int64(63))
"""The bit of `State.pending` for the domain itself; slots have at most 40 squares."""

_DENSE_WORDS = 8
"""Consecutive words that can be swept in the time that one indirect lookup takes."""


@inlined
def is_dense(limit: int, width: int) -> bool:
    """Whether so many of a domain's words are live that sweeping all is faster; dead ones are zero."""
    return _DENSE_WORDS * limit > width


@inlined
def has_row(network: Network, state: State, slot: int, row: int) -> bool:
    """Whether the slot's domain contains this row."""
    word = state.memory[network.slots[slot, net.DOMAIN] + (row >> 6)]
    return bool((word & bit(row & 63)) != ZERO)


_LISTED = 4
"""Rows of a word that are listed per iteration: most words have no more."""


@inlined
def list_rows(network: Network, state: State, slot: int) -> int:
    """List a domain's rows in `rows`, in sparse order, and return their number. A state at rest has no `rows`."""
    start = network.slots[slot, net.DOMAIN]
    count = TYPED_ZERO
    for place in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[at(start + place)])
        bits = state.memory[at(start + word)]
        end = count + count_bits(bits)
        while True:
            for number in range(_LISTED):
                state.rows[at(count + number)] = 64 * word + lowest_bit(bits)
                bits &= bits - ONE
            count += _LISTED
            if count >= end:
                break
        count = end
    return count


@inlined
def first_row(network: Network, state: State, slot: int) -> int:
    """Return the lowest row of a domain, which has the best score."""
    start = network.slots[slot, net.DOMAIN]
    first = network.slots[slot + 1, net.DOMAIN] - start
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        if word < first and state.memory[start + word] != ZERO:
            first = word
    return int(64 * first + lowest_bit(state.memory[start + first]))


@inlined
def enqueue(state: State, slot: int, changed: int) -> None:
    """Queue a slot for revision, at most once, because a place or (DOMAIN_CHANGED) its domain changed."""
    if state.pending[slot] == ZERO:
        state.queue[state.control[QUEUE_COUNT]] = slot
        state.control[QUEUE_COUNT] += 1
    state.pending[slot] |= bit(changed)


@inlined
def remove_row(network: Network, state: State, slot: int, row: int) -> bool:
    """Remove a row from a domain and queue the slot; False if it was the last."""
    address = network.slots[slot, net.DOMAIN] + (row >> 6)
    write(state, address, state.memory[address] & ~bit(row & 63))
    size = state.memory[size_address(network, slot)] - ONE
    write(state, size_address(network, slot), size)
    enqueue(state, slot, DOMAIN_CHANGED)
    return bool(size != ZERO)


@kernel
def compare_rows(network: Network, state: State, slot: int, rows: int) -> int:
    """Compare a domain with its slot's bit-set among those that start at `rows` in `Network.cardinality_rows`.

    Returns 1 if the domain has a row in the bit-set, plus 2 if it has a row outside it.
    """
    start = network.slots[slot, net.DOMAIN]
    shown = 0
    for place in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + place])
        bits, counted = state.memory[start + word], network.cardinality_rows[rows + start + word]
        if bits & counted != ZERO:
            shown |= 1
        if bits & ~counted != ZERO:
            shown |= 2
        if shown == 3:
            break
    return shown


@kernel
def keep_rows(network: Network, state: State, slot: int, rows: int, inside: bool) -> None:
    """Restrict a domain to the rows inside (or outside) its slot's bit-set among those at `rows`; queue it."""
    start = network.slots[slot, net.DOMAIN]
    for word in range(network.slots[slot + 1, net.DOMAIN] - start):
        state.shown_rows[at(word)] = network.cardinality_rows[at(rows + start + word)]
    intersect_domain(network, state, slot, ZERO if inside else ALL)
    enqueue(state, slot, DOMAIN_CHANGED)


@inlined
def intersect_domain(network: Network, state: State, slot: int, flipped: np.uint64) -> None:
    """Intersect a domain with `shown_rows`; `flipped` is ALL to complement those first, else ZERO."""
    memory, stamps, trail, sparse, control = state.memory, state.stamps, state.trail, state.sparse, state.control
    start = network.slots[slot, net.DOMAIN]
    limit = as_int(memory[limit_address(network, slot)])
    width = network.tables[network.slots[slot, net.TABLE], net.WIDTH]
    if is_dense(limit, width):
        _intersect_dense(network, state, slot, limit, width, flipped)
        return
    top, time, gone = control[TRAIL_TOP], control[TIME], TYPED_ZERO
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
def _intersect_dense(
    network: Network, state: State, slot: int, limit: int, width: int, flipped: np.uint64
) -> None:
    """Do the same for a crowded domain: intersect all words in order, then move those that died in `sparse`."""
    memory, shown, sparse = state.memory, state.shown_rows, state.sparse
    start = network.slots[slot, net.DOMAIN]
    gone, live = TYPED_ZERO, TYPED_ZERO
    for word in range(width):
        old = memory[at(start + word)]
        new = old & (shown[at(word)] ^ flipped)
        shown[at(word)] = new
        gone += count_bits(old ^ new)
        live += 0 if new == ZERO else 1
    if gone == 0:
        return
    save_domain(network, state, slot)
    for word in range(width):
        memory[at(start + word)] = shown[at(word)]
    place = limit
    while limit != live:
        place -= 1
        word = as_int(sparse[at(start + place)])
        is_dead = memory[at(start + word)] == ZERO
        limit -= 1 if is_dead else 0  # branch-free: a branch here would often be mispredicted
        other = as_int(sparse[at(start + limit)])
        sparse[at(start + place)] = other if is_dead else word
        sparse[at(start + limit)] = word if is_dead else other
    _shrink(network, state, slot, live, gone)


@inlined
def _shrink(network: Network, state: State, slot: int, limit: int, gone: int) -> None:
    """Write a domain's new count of live words and its new size."""
    if gone > 0:
        write(state, limit_address(network, slot), np.uint64(limit))
        address = size_address(network, slot)
        write(state, address, state.memory[address] - np.uint64(gone))


@kernel
def assign_row(network: Network, state: State, slot: int, row: int) -> None:
    """Restrict a domain to this row, which it must contain, and queue the slot."""
    start = network.slots[slot, net.DOMAIN]
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


# Kinds of events.
DECIDE = 0
PRUNE = 1
WIPE_OUT = 2
BACKTRACK = 3
RESTART = 4
SOLVED = 5
IMPOSSIBLE = 6
CLAIM = 7
JUMP = 8
CONSTRAINT = 9

# Typed, because numba would compile a function again for each literal that it is called with.
NONE = cast(int, np.int64(-1))
"""No slot, no row, no square."""
START = cast(int, np.int64(-(1 << 31)))
"""Target of a backtrack to before the first decision; other targets are a slot or a ~square."""
EMPTY = TYPED_ZERO
"""No options left."""
SINGLE = cast(int, np.int64(1))
"""One option left."""

_LOW_HALF = np.uint64(0xFFFFFFFF)


@inlined
def record(
    state: State, kind: int, slot: int, row: int, square: int, before: int, after: int, other: int, mask: np.uint64
) -> None:
    """Record an event if tracing is on, and request a pause if its kind or slot is to be paused at."""
    if state.control[TRACING] != 0:
        _write_event(state, kind, slot, row, square, before, after, other, mask)


@inlined
def record_end(state: State, kind: int) -> None:
    """Record the event that ends a search or one of its runs; `before` is its depth."""
    record(state, kind, NONE, NONE, NONE, state.control[DEPTH], EMPTY, NONE, ZERO)


@kernel
def record_constraint(
    state: State, kind: int, constraint: int, slot: int, row: int, square: int, before: int, after: int
) -> None:
    """Record an event of a global constraint, if tracing is on."""
    record(state, kind, slot, row, square, before, after, NONE, ZERO)
    if state.control[TRACING] != 0:
        last = (state.control[EVENT_COUNT] - 1) % len(state.events)
        state.events[last, EVENT_CONSTRAINT] = constraint


@kernel
def record_unmet(state: State, constraint: int) -> None:
    """Record a global constraint that cannot be met, with no slot or square blamed yet."""
    control = state.control
    control[FAILED_CONSTRAINT] = constraint
    control[FAILED_SQUARE] = -1
    control[FAILED_RIVAL] = -1
    control[FAILED_SLOT] = 0
    control[FAILED_PLACES] = 0
    record_constraint(state, WIPE_OUT, constraint, NONE, NONE, NONE, EMPTY, EMPTY)


@kernel
def _write_event(
    state: State, kind: int, slot: int, row: int, square: int, before: int, after: int, other: int, mask: np.uint64
) -> None:
    control, events = state.control, state.events
    ring = control[EVENT_COUNT] % len(events)
    events[ring, KIND] = kind
    events[ring, EVENT_DEPTH] = control[DEPTH]
    events[ring, EVENT_SLOT] = slot
    events[ring, EVENT_ROW] = row
    events[ring, EVENT_SQUARE] = square
    events[ring, BEFORE] = before
    events[ring, AFTER] = after
    events[ring, OTHER_SLOT] = other
    events[ring, MASK_LOW] = as_int(mask & _LOW_HALF)
    events[ring, MASK_HIGH] = as_int(mask >> np.uint64(32))
    events[ring, EVENT_CONSTRAINT] = NONE
    control[EVENT_COUNT] += 1
    wanted = np.uint64(control[STOP_KINDS]) & bit(kind)
    if wanted != ZERO or (control[STOP_SLOT] >= 0 and control[STOP_SLOT] == slot):
        control[PAUSED] = 1
