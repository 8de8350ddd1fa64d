"""Trying rows of a slot out, one by one: which slot runs empty if a row is placed and nothing else."""

from xwtui.engine.kernels.bits import as_int
from xwtui.engine.kernels.compiled import entry_point
from xwtui.engine.kernels.domain import assign_row, has_row
from xwtui.engine.kernels.network import Ints, Longs, Network
from xwtui.engine.kernels.propagate import propagate
from xwtui.engine.kernels.state import FAILED_SLOT, STABLE, State
from xwtui.engine.kernels.trail import has_room, pop_level, push_level

# What a row that was tried came to, where no slot's number stands.
UNTRIED = -3
NOBODY = -2
"""It is dead, and no single slot is to blame."""
SURVIVES = -1


@entry_point
def try_rows(network: Network, state: State, slot: int, rows: Longs, killers: Ints, first: int, last: int) -> int:
    """Place rows[first] up to, not including, rows[last], each by itself, in a state at its root.

    Writes for each into `killers` SURVIVES or the slot that runs empty. Returns how far it came: less than
    `last` where the trail must be longer first. Rows that the slot cannot take are dead by NOBODY.
    """
    for number in range(first, last):
        row = as_int(rows[number])
        if not has_row(network, state, slot, row):
            killers[number] = NOBODY
            continue
        if not has_room(state):
            return number
        push_level(state)
        assign_row(network, state, slot, row)
        if propagate(network, state) == STABLE:
            killers[number] = SURVIVES
        else:
            killers[number] = state.control[FAILED_SLOT]
        pop_level(state)
    return last
