"""Counting fills one by one: a chronological search with propagation that visits each fill exactly once.

The last open slot is counted by its domain size. With all other slots decided and propagation stable, each of its
rows is one fill, unless global constraints are involved or the letters of fills are tallied.
"""

from typing import NamedTuple

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ONE, ZERO, bit, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel
from xwtui.engine.kernels.network import Longs, Network, mask_address, size_address, slot_count
from xwtui.engine.kernels.propagate.propagate import propagate
from xwtui.engine.kernels.state import State, assign_row, domain_size, has_room, pop_level, push_level

# Results of an enumeration slice.
ENUMERATED = 0
BUDGET_SPENT = 1
TRAIL_FULL = 2

# Places in Enumeration.totals.
FILLS = 0
NODES = 1
DESCENDING = 2
"""Whether the next step is to choose a slot (1) or to try the next row of the last one (0)."""
TOTALS_SIZE = 3


class Enumeration(NamedTuple):
    """The progress of an enumeration; S slots."""

    slots: Longs
    """(S + 1,) the slot chosen at each depth."""
    rows: Longs
    """(S + 1,) the row last tried at each depth, -1 before the first."""
    totals: Longs
    tally: Longs
    """(squares x SYMBOLS,) number of fills with each symbol on each square; empty if not requested."""
    pairs: Longs
    """(2 x pairs,) squares whose symbols are tallied together, two by two."""
    pair_tally: Longs
    """(pairs x SYMBOLS x SYMBOLS,) number of fills with each pair of symbols."""


@entry_point
def enumerate_fills(network: Network, state: State, enumeration: Enumeration, nodes: int) -> int:
    """Continue counting for at most this many nodes; after ENUMERATED, `totals[FILLS]` is the exact count.

    After TRAIL_FULL the caller lengthens the trail and calls again.
    """
    control, totals = state.control, enumeration.totals
    last_node = totals[NODES] + nodes
    while totals[NODES] < last_node:
        depth = control[states.DEPTH]
        if totals[DESCENDING] != 0:
            totals[DESCENDING] = 0
            slot, open_slots = _smallest_slot(network, state)
            is_last = open_slots == 1 and len(network.constraints) == 0 and len(enumeration.tally) == 0
            if slot < 0 or is_last:
                _tally(network, state, enumeration)
                totals[FILLS] += domain_size(network, state, slot) if slot >= 0 else 1
                if depth == 0:
                    return ENUMERATED
                pop_level(state)
                continue
            enumeration.slots[depth] = slot
            enumeration.rows[depth] = -1
        row = _next_row(network, state, enumeration.slots[depth], enumeration.rows[depth])
        if row < 0:
            if depth == 0:
                return ENUMERATED
            pop_level(state)
            continue
        if not has_room(state):
            return TRAIL_FULL
        enumeration.rows[depth] = row
        totals[NODES] += 1
        push_level(state)
        assign_row(network, state, enumeration.slots[depth], row)
        if propagate(network, state) == states.STABLE:
            totals[DESCENDING] = 1
        else:
            pop_level(state)
    return BUDGET_SPENT


@kernel
def _tally(network: Network, state: State, enumeration: Enumeration) -> None:
    for square in range(len(enumeration.tally) // net.SYMBOLS):
        mask = state.memory[mask_address(network, square)]
        if is_single(mask):
            enumeration.tally[net.SYMBOLS * square + lowest_bit(mask)] += 1
    for pair in range(len(enumeration.pairs) // 2):
        one = state.memory[mask_address(network, enumeration.pairs[2 * pair])]
        other = state.memory[mask_address(network, enumeration.pairs[2 * pair + 1])]
        if is_single(one) and is_single(other):
            symbols = net.SYMBOLS * (net.SYMBOLS * pair + lowest_bit(one)) + lowest_bit(other)
            enumeration.pair_tally[symbols] += 1


@kernel
def _smallest_slot(network: Network, state: State) -> tuple[int, int]:
    """Return the required open slot with the fewest words, or -1, and the number of open slots."""
    best, fewest, open_slots = -1, ZERO, 0
    for slot in range(slot_count(network)):
        size = state.memory[size_address(network, slot)]
        if size > ONE:
            open_slots += 1
            if network.slots[slot, net.REQUIRED] != 0 and (best < 0 or size < fewest):
                best, fewest = slot, size
    return best, open_slots


@kernel
def _next_row(network: Network, state: State, slot: int, row: int) -> int:
    """Return the first row of a domain after a given one, or -1."""
    start = network.slots[slot, net.DOMAIN]
    row += 1
    for word in range(row >> 6, network.slots[slot + 1, net.DOMAIN] - start):
        rows = state.memory[start + word]
        if word == row >> 6:
            rows &= ~(bit(row & 63) - ONE)
        if rows != ZERO:
            return int(64 * word + lowest_bit(rows))
    return -1
