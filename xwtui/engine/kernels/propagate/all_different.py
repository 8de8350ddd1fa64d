"""Answers that must differ: as a whole, or in what they have in common."""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import NOUGHT, ZERO, as_int
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import (
    MATES,
    PLAIN_SYMBOLS,
    ROWS,
    SYMBOL_COUNT,
    TABLE,
    Longs,
    Network,
    every_place,
    size_address,
)
from xwtui.engine.kernels.propagate.demands import (
    KEY_STARTS,
    LINK_COLUMNS,
    LINKS,
    QUOTAS,
    ROW_STARTS,
    TABLE_STARTS,
)
from xwtui.engine.kernels.state import (
    FAILED_DEMAND,
    FAILED_PLACES,
    FAILED_RIVAL,
    FAILED_ROW,
    FAILED_SLOT,
    FAILED_SQUARE,
    State,
    has_row,
    remove_row,
)


@inlined
def claim_word(network: Network, state: State, slot: int, row: int) -> bool:
    """Take a decided slot's word away from all its mates; False where one of them runs empty."""
    table = network.slots[slot, TABLE]
    word = as_int(network.row_words[network.tables[table, ROWS] + row])
    has_one_row_a_word = network.tables[table, SYMBOL_COUNT] <= PLAIN_SYMBOLS
    losers = NOUGHT
    for place in range(network.slots[slot, MATES], network.slots[slot + 1, MATES]):
        mate = network.mates[place]
        before = state.memory[size_address(network, mate)]
        if has_one_row_a_word and network.slots[mate, TABLE] == table:
            if not give_up(network, state, slot, mate, row):
                return False
        elif not _give_up_word(network, state, slot, mate, word):
            return False
        if state.memory[size_address(network, mate)] != before:
            losers += 1
    if losers > 0:
        trace.record(state, trace.CLAIM, slot, row, trace.NONE, losers, trace.EMPTY, trace.NONE, ZERO)
    return True


@kernel
def _give_up_word(network: Network, state: State, slot: int, mate: int, word: int) -> bool:
    """Take a word away from a mate with another table: all rows that spell it there."""
    table = network.slots[mate, TABLE]
    start = network.tables[table, ROWS]
    low, high = start, network.tables[table + 1, ROWS]
    while low < high:
        middle = (low + high) // 2
        if network.row_words[start + network.rows_by_word[middle]] < word:
            low = middle + 1
        else:
            high = middle
    while low < network.tables[table + 1, ROWS]:
        row = as_int(network.rows_by_word[low])
        if network.row_words[start + row] != word:
            break
        if not give_up(network, state, slot, mate, row):
            return False
        low += 1
    return True


@inlined
def give_up(network: Network, state: State, slot: int, mate: int, row: int) -> bool:
    """Take one row away from a mate, if it has it, because of what a slot took; False where it was the last."""
    if not has_row(network, state, mate, row):
        return True
    if remove_row(network, state, mate, row):
        return True
    state.control[FAILED_SLOT] = mate
    state.control[FAILED_ROW] = row
    state.control[FAILED_SQUARE] = -1
    state.control[FAILED_PLACES] = every_place(network, mate)
    state.control[FAILED_RIVAL] = slot
    trace.record(state, trace.WIPE_OUT, mate, row, trace.NONE, trace.SINGLE, trace.EMPTY, slot, ZERO)
    return False


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
