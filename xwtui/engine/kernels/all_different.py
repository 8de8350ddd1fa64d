"""All answers differ: a word that one slot has taken leaves the domains of its mates."""

from xwtui.engine.kernels import trace
from xwtui.engine.kernels.bits import NOUGHT, ZERO, as_int
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.domain import has_row, remove_row
from xwtui.engine.kernels.network import (
    MATES,
    PLAIN_SYMBOLS,
    ROWS,
    SYMBOL_COUNT,
    TABLE,
    Network,
    every_place,
    size_address,
)
from xwtui.engine.kernels.state import (
    FAILED_PLACES,
    FAILED_RIVAL,
    FAILED_ROW,
    FAILED_SLOT,
    FAILED_SQUARE,
    State,
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
