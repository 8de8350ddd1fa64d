"""Which slot is next: the smallest domain by the weight of its crossings (dom/wdeg).

After Boussemart, Hemery, Lecoutre, Sais: Boosting Systematic Search by Weighting Constraints, ECAI
2004; here the weight belongs to the crossings whose lost symbols emptied a slot in one revision, in
equal shares, and fades by 1 % with each dead end.
"""

import numpy as np

from xwtui.engine.kernels.bits import ONE, ZERO, count_bits, lowest_bit
from xwtui.engine.kernels.compiled import kernel
from xwtui.engine.kernels.network import (
    CROSSING,
    PLACES,
    REQUIRED,
    SQUARE,
    Network,
    size_address,
    slot_count,
)
from xwtui.engine.kernels.search_state import Search
from xwtui.engine.kernels.state import FAILED_PLACES, FAILED_SLOT, State

_FADING = 0.99
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
    share = weights[last] / count_bits(places)
    while places != ZERO:
        weights[network.places[first + lowest_bit(places), SQUARE]] += share
        places &= places - ONE
    weights[last] /= _FADING
    if weights[last] > _TOO_HEAVY:
        for index in range(len(weights)):
            weights[index] /= _TOO_HEAVY


@kernel
def next_slot(network: Network, state: State, search: Search) -> int:
    """Choose the undecided slot to decide next, or -1 where all that must be are decided."""
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
            if value < least:
                best, least = slot, value
    return best
