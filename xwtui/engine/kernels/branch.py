"""What is decided next: what is demanded of the whole grid, then the slot that is likeliest to fail."""

from typing import cast

import numpy as np

from xwtui.engine.kernels.bits import NOUGHT, ZERO, as_int, is_single
from xwtui.engine.kernels.choose import draw_row
from xwtui.engine.kernels.choose_square import draw_symbol
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.network import Network
from xwtui.engine.kernels.search_state import (
    BY_SQUARES,
    CONFLICT,
    LAST_CONFLICT,
    NO_RESTART,
    NOBODY,
    NOISE,
    REFUTED,
    RESTART_AT,
    Search,
)
from xwtui.engine.kernels.seek import seek
from xwtui.engine.kernels.squares import square_mask
from xwtui.engine.kernels.state import DEPTH, State
from xwtui.engine.kernels.weights import next_slot, next_square

# Typed, because numba would compile `seek` once more for each literal that it is called with.
_UNLIKELY = NOUGHT
_LEFT_TO_CHANCE = cast(int, np.int64(1))


@kernel
def choose_decision(network: Network, state: State, search: Search) -> bool:
    """Write the next decision into `search.decisions` at the present depth; False where all is decided."""
    if seek(network, state, search, _UNLIKELY, network.steering):
        return True
    square = _square_to_decide(network, state, search) if search.progress[BY_SQUARES] != 0 else -1
    decisions, depth = search.decisions, state.control[DEPTH]
    if square >= 0:
        if depth == 0 or search.progress[REFUTED] != ~square:
            search.denied[depth] = ZERO
        symbols = square_mask(network, state, square) & ~search.denied[depth]
        decisions[depth, 0] = ~square
        # Chance makes restarts differ; a proof, which has none, is better off in order of room.
        noise = search.settings[NOISE] if search.progress[RESTART_AT] < NO_RESTART else 0
        decisions[depth, 1], _ = draw_symbol(network, state, search, square, symbols, noise)
        return True
    slot = next_slot(network, state, search)
    if slot < 0:
        return seek(network, state, search, _LEFT_TO_CHANCE, network.steering)
    decisions[depth, 0] = slot
    decisions[depth, 1] = draw_row(network, state, search, slot)
    return True


@kernel
def _square_to_decide(network: Network, state: State, search: Search) -> int:
    """The square just refuted, until it has a symbol; then one that failed at last; then the likeliest to fail.

    The second is last conflict: Lecoutre, Saïs, Tabary, Vidal, Reasoning from Last Conflict(s) in
    Constraint Programming, Artificial Intelligence 2009.
    """
    refuted, conflict = search.progress[REFUTED], search.progress[CONFLICT]
    if is_open(network, state, refuted):
        return as_int(~refuted)
    if search.settings[LAST_CONFLICT] != 0 and is_open(network, state, conflict):
        return as_int(~conflict)
    return next_square(network, state, search)


@inlined
def is_open(network: Network, state: State, who: int) -> bool:
    """Tell whether this is a square with two symbols left, or more."""
    return bool(who < 0 and who != NOBODY and not is_single(square_mask(network, state, ~who)))
