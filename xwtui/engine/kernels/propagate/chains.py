"""Chains: slots whose rows, in the order of the slots, make steps one after the other.

A chain goes through slots in their order, and takes one step after the other: each row makes none, or is of a
class that can make some of them, and after the last slot all steps are made. So the letters that slots drop spell
a message. How far one may have come before a slot is a mask of numbers of steps.

Of each it is looked anew, where propagation has come to its fixpoint, how far one may come before each slot, and
from where the end is reached.
"""

import numpy as np

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Network, size_address
from xwtui.engine.kernels.state import (
    State,
    keep_rows,
    rows_show,
)

# Header of a chain, behind which come its slots in their order, and for each class the steps that it can make.
NEXT_CHAIN = 0
CHAIN_SLOTS = 1
"""How many slots it goes through."""
CHAIN_CLASSES = 2
"""How many classes of rows it knows; those of the first one make no step."""
CHAIN_ROWS = 3
"""Where the bit-sets of the first class start, as those of a cardinality on slots."""
CHAIN_WIDTH = 4
"""How far those of the next class are away."""
CHAIN_END = 5
"""How many steps there are."""
CHAIN_COLUMNS = 6

_SHOWN = 1
"""What `rows_show` says of a domain that has one of some rows."""


@kernel
def keep_chains(network: Network, state: State, record: int, chain: int) -> bool:
    """Leave the slots of each chain the rows with which it can be gone through; False where there is no way.

    The first chain lies at `record`, and `chain` is its number among all constraints.
    """
    while record < len(network.constraints):
        if not _keep_chain(network, state, chain, record):
            return False
        record = as_int(network.constraints[record + NEXT_CHAIN])
        chain += 1
    return True


@inlined
def count_chains(network: Network, record: int) -> int:
    """How many chains there are, where the first one lies at `record`."""
    chains = 0
    while record < len(network.constraints):
        record = as_int(network.constraints[record + NEXT_CHAIN])
        chains += 1
    return chains


@kernel
def _keep_chain(network: Network, state: State, chain: int, record: int) -> bool:
    """Go through a chain, noting what can be reached, and back, taking rows away that lead nowhere."""
    constraints = network.constraints
    slots, classes = constraints[record + CHAIN_SLOTS], constraints[record + CHAIN_CLASSES]
    rows, width = constraints[record + CHAIN_ROWS], constraints[record + CHAIN_WIDTH]
    first_slot = record + CHAIN_COLUMNS
    reached = ONE
    for place in range(slots):
        slot = as_int(constraints[first_slot + place])
        able, after = ZERO, ZERO
        for kind in range(classes):
            if rows_show(network, state, slot, rows + kind * width) & _SHOWN:
                able |= bit(kind)
                after |= _step(network, first_slot + slots, kind, reached)
        state.chain[2 * place], state.chain[2 * place + 1] = reached, able
        reached = after
    ahead = reached & bit(constraints[record + CHAIN_END])
    if ahead == ZERO:
        trace.tell_unmet(state, chain)
        return False
    for place in range(slots - 1, -1, -1):
        slot = as_int(constraints[first_slot + place])
        reached, able = state.chain[2 * place], state.chain[2 * place + 1]
        before = ZERO
        for kind in range(classes):
            if able & bit(kind) != ZERO:
                if _step(network, first_slot + slots, kind, reached) & ahead == ZERO:
                    size = as_int(state.memory[size_address(network, slot)])
                    keep_rows(network, state, slot, rows + kind * width, False)
                    left = as_int(state.memory[size_address(network, slot)])
                    trace.record_constraint(
                        state, trace.CONSTRAINT, chain, slot, trace.NONE, trace.NONE, size, left
                    )
                elif kind == 0:
                    before |= ahead
                else:
                    before |= ahead >> ONE & np.uint64(constraints[first_slot + slots + kind])
        ahead = before
    return True


@inlined
def _step(network: Network, masks: int, kind: int, reached: np.uint64) -> np.uint64:
    """How far a chain may have come after a row of a class."""
    if kind == 0:
        return reached
    return (reached & np.uint64(network.constraints[masks + kind])) << ONE
