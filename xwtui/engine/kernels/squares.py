"""A square's symbols, changed from outside a revision: its slots are queued and take notice."""

import numpy as np

from xwtui.engine.kernels.bits import ZERO, bit
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.domain import enqueue
from xwtui.engine.kernels.network import AT_INDEX, AT_SLOT, CROSSING, INDEX, PLACES, Network, mask_address
from xwtui.engine.kernels.state import State
from xwtui.engine.kernels.trail import write


@inlined
def square_mask(network: Network, state: State, square: int) -> np.uint64:
    """The symbols that a square can still take."""
    mask: np.uint64 = state.memory[mask_address(network, square)]
    return mask


@kernel
def narrow_square(network: Network, state: State, square: int, left: np.uint64) -> None:
    """Leave a square these of its symbols, one at least, and queue the one or two slots through it."""
    before = square_mask(network, state, square)
    if left == before:
        return
    write(state, mask_address(network, square), left)
    slot, index = network.squares[square, AT_SLOT], network.squares[square, AT_INDEX]
    _notify(network, state, slot, index, before)
    place = network.slots[slot, PLACES] + index
    if network.places[place, CROSSING] >= 0:
        _notify(network, state, network.places[place, CROSSING], network.places[place, INDEX], before)


@inlined
def _notify(network: Network, state: State, slot: int, index: int, before: np.uint64) -> None:
    """Queue a slot because of one of its squares, with what it had seen there if that is not pending yet."""
    if state.pending[slot] & bit(index) == ZERO:
        state.seen[network.slots[slot, PLACES] + index] = before
    enqueue(state, slot, index)
