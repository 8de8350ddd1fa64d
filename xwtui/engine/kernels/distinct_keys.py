"""No two answers share a key: the rows with a key of a decided slot's word leave all other slots."""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.all_different import give_up
from xwtui.engine.kernels.bits import as_int
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.demand_arrays import KEY_STARTS, LINK_COLUMNS, LINKS, QUOTAS, ROW_STARTS, TABLE_STARTS
from xwtui.engine.kernels.domain import has_row
from xwtui.engine.kernels.network import ROWS, TABLE, Longs, Network
from xwtui.engine.kernels.state import FAILED_DEMAND, State


@kernel
def claim_keys(network: Network, state: State, slot: int, row: int, steering: Longs | None) -> bool:
    """Take the rows that share a key with a decided slot's from all other slots; False where one runs empty."""
    if steering is None:
        return True
    if len(network.keys) == 0:
        return True
    keys = network.keys
    own = as_int(keys[ROW_STARTS]) + network.tables[network.slots[slot, TABLE], ROWS] + row
    losers = 0
    for place in range(keys[own], keys[own + 1]):
        start = as_int(keys[KEY_STARTS]) + keys[place]
        table = 0
        for entry in range(keys[start], keys[start + 1]):
            rival = as_int(keys[entry])
            while rival >= network.tables[table + 1, ROWS]:
                table += 1
            users = as_int(keys[TABLE_STARTS]) + table
            for user in range(keys[users], keys[users + 1]):
                mate = as_int(keys[user])
                if mate != slot and has_row(network, state, mate, rival - network.tables[table, ROWS]):
                    losers += 1
                    if not give_up(network, state, slot, mate, rival - network.tables[table, ROWS]):
                        state.control[FAILED_DEMAND] = keys_demand(network)
                        return False
    if losers > 0:
        trace.record_demand(state, trace.DEMAND, keys_demand(network), slot, row, trace.NONE, losers, trace.EMPTY)
    return True


@inlined
def keys_demand(network: Network) -> int:
    """The number of the demand that no two answers share a key: it comes after all others."""
    if len(network.demands) == 0:
        return 0
    links = (len(network.demands) - network.demands[LINKS]) // LINK_COLUMNS
    return int(network.demands[QUOTAS] + links)
