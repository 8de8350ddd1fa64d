"""Reading domains out for Python: the rows that slots have taken."""

import numpy as np

from xwtui.engine.kernels.compiled import entry_point
from xwtui.engine.kernels.domain import only_row
from xwtui.engine.kernels.network import Longs, Network, size_address, slot_count
from xwtui.engine.kernels.state import State


@entry_point
def decided_rows(network: Network, state: State) -> Longs:
    """For each slot the row that it has taken, or -1."""
    rows = np.full(slot_count(network), -1, np.int64)
    for slot in range(slot_count(network)):
        if state.memory[size_address(network, slot)] == np.uint64(1):
            rows[slot] = only_row(network, state, slot)
    return rows
