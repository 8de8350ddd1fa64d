"""Building the bit-sets of a word table, and the first state of a search."""

import numpy as np

from xwtui.engine.kernels.bits import ALL, ONE, ZERO, as_int, bit
from xwtui.engine.kernels.compiled import entry_point, kernel
from xwtui.engine.kernels.domain import DOMAIN_CHANGED, enqueue
from xwtui.engine.kernels.network import (
    DOMAIN,
    PLACES,
    ROWS,
    SQUARE,
    SUPPORTS,
    SYMBOL_COUNT,
    TABLE,
    WIDTH,
    Bits,
    Bytes,
    Network,
    limit_address,
    mask_address,
    size_address,
    slot_count,
)
from xwtui.engine.kernels.state import State


@entry_point
def build_supports(letters: Bytes, length: int, symbols: int, supports: Bits) -> None:
    """Set, in the zeroed `supports` (length, symbols, width; flat), a bit for each row and position.

    `letters` holds the symbols of all rows, row after row.
    """
    rows = len(letters) // length
    width = (rows + 63) // 64
    for row in range(rows):
        word, mark = row >> 6, bit(row & 63)
        for index in range(length):
            supports[(index * symbols + as_int(letters[row * length + index])) * width + word] |= mark


@kernel
def _fill_domain(network: Network, state: State, slot: int) -> None:
    """Give a slot all rows of its table."""
    table = network.slots[slot, TABLE]
    rows = network.tables[table + 1, ROWS] - network.tables[table, ROWS]
    start = network.slots[slot, DOMAIN]
    width = network.tables[table, WIDTH]
    for word in range(width):
        state.memory[start + word] = ALL
        state.sparse[start + word] = word
    if rows & 63:
        state.memory[start + width - 1] = bit(rows & 63) - ONE
    state.memory[limit_address(network, slot)] = np.uint64(width)
    state.memory[size_address(network, slot)] = np.uint64(rows)


@kernel
def _symbols_of(network: Network, slot: int, place: int) -> np.uint64:
    """The symbols that a slot's table has at a place."""
    table = network.slots[slot, TABLE]
    width = network.tables[table, WIDTH]
    support = network.tables[table, SUPPORTS] + width * network.tables[table, SYMBOL_COUNT] * (
        place - network.slots[slot, PLACES]
    )
    symbols = ZERO
    for symbol in range(network.tables[table, SYMBOL_COUNT]):
        for word in range(width):
            if network.supports[support + symbol * width + word] != ZERO:
                symbols |= bit(symbol)
                break
    return symbols


@kernel
def _twin(network: Network, slot: int) -> int:
    """The first slot with the same table."""
    twin = 0
    while network.slots[twin, TABLE] != network.slots[slot, TABLE]:
        twin += 1
    return twin


@entry_point
def start_state(network: Network, state: State, revise_all: bool) -> None:
    """Fill a fresh, zeroed state with full domains, and queue for revision the slots that others narrow.

    With `revise_all` every slot is queued, for who takes more away before the first propagation.
    The slots must have one row each at least.
    """
    slots = slot_count(network)
    for address in range(mask_address(network, 0), len(state.memory)):
        state.memory[address] = ALL
    for slot in range(slots):
        _fill_domain(network, state, slot)
    for slot in range(slots):
        twin = _twin(network, slot)
        first = network.slots[slot, PLACES]
        for place in range(first, network.slots[slot + 1, PLACES]):
            if twin < slot:
                state.seen[place] = state.seen[network.slots[twin, PLACES] + place - first]
            else:
                state.seen[place] = _symbols_of(network, slot, place)
            state.memory[mask_address(network, network.places[place, SQUARE])] &= state.seen[place]
    for slot in range(slots):
        first = network.slots[slot, PLACES]
        for place in range(first, network.slots[slot + 1, PLACES]):
            mask = state.memory[mask_address(network, network.places[place, SQUARE])]
            if revise_all or state.seen[place] != mask:
                enqueue(state, slot, place - first)
        if revise_all or state.memory[size_address(network, slot)] == ONE:
            enqueue(state, slot, DOMAIN_CHANGED)
