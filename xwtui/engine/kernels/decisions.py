"""Decisions, of two kinds: a slot takes a row, or a square takes a symbol.

A decision is a pair of whole numbers: `(slot, row)`, or `(~square, symbol)`, whose first is negative.
Each is imposed one level deeper and, where that ends in a dead end, refuted: its row leaves the
slot, its symbol the square.
"""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import ZERO, as_int, bit, count_bits
from xwtui.engine.kernels.compiled import kernel
from xwtui.engine.kernels.domain import assign_row, remove_row
from xwtui.engine.kernels.network import Network, size_address
from xwtui.engine.kernels.squares import narrow_square, square_mask
from xwtui.engine.kernels.state import State


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
