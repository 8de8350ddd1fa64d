"""Decisions: which place is decided next, how a decision is imposed, and how it is refuted.

Decisions, of two kinds: a slot takes a row, or a square takes a symbol.

A decision is a pair of whole numbers: `(slot, row)`, or `(~square, symbol)`, whose first is negative.
Each is imposed one level deeper and, where that ends in a dead end, refuted: its row leaves the
slot, its symbol the square.

Which slot or square is next: the smallest domain by the weight of its crossings (dom/wdeg).

After Boussemart, Hemery, Lecoutre, Sais: Boosting Systematic Search by Weighting Constraints, ECAI
2004; here the weight belongs to the crossings whose lost symbols emptied a slot in one revision, in
equal shares, and fades by 1 % or so with each dead end.

Loyalty: the slot that has just failed is left only for one that is so many times better
(Balafoutis, Stergiou: Adaptive Branching for Constraint Satisfaction Problems, ECAI 2010).
"""

import numpy as np

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, bit, count_bits, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import (
    AT_INDEX,
    AT_SLOT,
    CROSSING,
    PLACES,
    REQUIRED,
    SQUARE,
    Network,
    size_address,
    slot_count,
)
from xwtui.engine.kernels.search.search_state import CONFLICT, FADING, LOYALTY, SHARED_BLAME, UNIT, Search
from xwtui.engine.kernels.state import (
    FAILED_PLACES,
    FAILED_SLOT,
    FAILED_SQUARE,
    State,
    assign_row,
    narrow_square,
    remove_row,
    square_mask,
)


@kernel
def options_of(network: Network, state: State, who: int) -> int:
    """Count the rows of a slot, or the symbols of a square."""
    if who < 0:
        return count_bits(square_mask(network, state, ~who))
    return as_int(state.memory[size_address(network, who)])


@kernel
def impose(network: Network, state: State, who: int, what: int) -> None:
    """Make a decision that is possible, and tell it."""
    options = options_of(network, state, who)
    if who < 0:
        narrow_square(network, state, ~who, bit(what))
        trace.record(
            state, trace.DECIDE, trace.NONE, trace.NONE, ~who, options, trace.SINGLE, trace.NONE, bit(what)
        )
    else:
        assign_row(network, state, who, what)
        trace.record(state, trace.DECIDE, who, what, trace.NONE, options, trace.SINGLE, trace.NONE, ZERO)


@kernel
def deny(network: Network, state: State, who: int, what: int) -> bool:
    """Take a possible row from its slot, or symbol from its square; False if it was the last."""
    if who >= 0:
        return remove_row(network, state, who, what)
    left = square_mask(network, state, ~who) & ~bit(what)
    if left == ZERO:
        return False
    narrow_square(network, state, ~who, left)
    return True


@kernel
def tell_refutation(state: State, who: int, what: int, options: int, target: int) -> None:
    """Record a backtrack out of a decision that had so many options, to a slot, ~square or trace.START."""
    if who < 0:
        trace.record(state, trace.BACKTRACK, trace.NONE, trace.NONE, ~who, options, options - 1, target, bit(what))
    else:
        trace.record(state, trace.BACKTRACK, who, what, trace.NONE, options, options - 1, target, ZERO)


_TOO_HEAVY = 1e100
_NO_CROSSING = 1e-6
"""The weight of a slot that nothing unfinished depends on: it can wait."""


@kernel
def blame(network: Network, state: State, search: Search) -> None:
    """Share an amount of weight among the crossings that emptied a slot together."""
    weights = search.weights
    last = len(weights) - 1
    first = network.slots[state.control[FAILED_SLOT], PLACES]
    places = np.uint64(state.control[FAILED_PLACES])
    if search.settings[SHARED_BLAME] == 0 and state.control[FAILED_SQUARE] >= 0:
        weights[state.control[FAILED_SQUARE]] += weights[last]
        places = ZERO
    share = weights[last] / max(count_bits(places), 1)
    while places != ZERO:
        weights[network.places[first + lowest_bit(places), SQUARE]] += share
        places &= places - ONE
    weights[last] /= 1.0 - search.settings[FADING] / UNIT
    if weights[last] > _TOO_HEAVY:
        for index in range(len(weights)):
            weights[index] /= _TOO_HEAVY


@kernel
def next_slot(network: Network, state: State, search: Search) -> int:
    """Choose the undecided slot to decide next, or -1 where all that must be are decided."""
    conflict = search.progress[CONFLICT]
    loyalty = search.settings[LOYALTY] / UNIT
    best, least = -1, np.inf
    for slot in range(slot_count(network)):
        size = state.memory[size_address(network, slot)]
        if size > np.uint64(1) and network.slots[slot, REQUIRED] != 0:
            weight = _NO_CROSSING
            for place in range(network.slots[slot, PLACES], network.slots[slot + 1, PLACES]):
                other = network.places[place, CROSSING]
                if other >= 0 and state.memory[size_address(network, other)] > np.uint64(1):
                    weight += search.weights[network.places[place, SQUARE]]
            value = np.float64(size) / weight
            if slot == conflict:
                value /= loyalty
            if value < least:
                best, least = slot, value
    return best


@kernel
def next_square(network: Network, state: State, search: Search) -> int:
    """Choose the open square with the fewest symbols by its weight, of a slot that must be decided, or -1."""
    best, least = -1, np.inf
    for square in range(len(network.squares)):
        mask = square_mask(network, state, square)
        if not is_single(mask):
            value = np.float64(count_bits(mask)) / search.weights[square]
            if value < least and _is_required(network, square):
                best, least = square, value
    return best


@inlined
def _is_required(network: Network, square: int) -> bool:
    """Tell whether a slot through the square must be decided."""
    slot = network.squares[square, AT_SLOT]
    other = network.places[network.slots[slot, PLACES] + network.squares[square, AT_INDEX], CROSSING]
    return bool(network.slots[slot, REQUIRED] != 0 or (other >= 0 and network.slots[other, REQUIRED] != 0))
