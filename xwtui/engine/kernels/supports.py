"""Building the bit-sets of a word table, and the first state of a search."""

import numpy as np

from xwtui.engine.kernels.bits import ALL, NOUGHT, ONE, ZERO, as_int, bit
from xwtui.engine.kernels.compiled import entry_point, kernel
from xwtui.engine.kernels.domain import DOMAIN_CHANGED, enqueue
from xwtui.engine.kernels.network import (
    BIT_SETS,
    DOMAIN,
    FIRST_ROWS,
    PLACES,
    ROWS,
    SQUARE,
    SYMBOL_COUNT,
    SYMBOLS,
    TABLE,
    WIDTH,
    Bits,
    Bytes,
    Ints,
    Network,
    limit_address,
    mask_address,
    size_address,
    slot_count,
)
from xwtui.engine.kernels.state import State


@entry_point
def build_supports(
    letters: Bytes, length: int, symbols: int, supports: Bits, counts: Ints, first_rows: Ints
) -> None:
    """Set a bit for each row and position in the zeroed `supports` (length, symbols, width; flat); count them.

    `letters` holds the symbols of all rows, row after row.
    """
    rows = len(letters) // length
    width = (rows + 63) // 64
    for row in range(rows):
        word, mark = row >> 6, bit(row & 63)
        for index in range(length):
            bit_set = index * symbols + as_int(letters[row * length + index])
            supports[bit_set * width + word] |= mark
            if counts[bit_set] < FIRST_ROWS:
                first_rows[FIRST_ROWS * bit_set + counts[bit_set]] = row
            counts[bit_set] += 1


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
def _start_place(network: Network, state: State, slot: int, place: int) -> None:
    """Note which symbols a slot's table has at a place, and the first row of each."""
    table = network.slots[slot, TABLE]
    count = network.tables[table, SYMBOL_COUNT]
    sets = network.tables[table, BIT_SETS] + (place - network.slots[slot, PLACES]) * count
    symbols = ZERO
    for symbol in range(count):
        if network.row_counts[sets + symbol] > 0:
            symbols |= bit(symbol)
        state.residues[SYMBOLS * place + symbol] = network.first_rows[FIRST_ROWS * (sets + symbol)]
    state.seen[place] = symbols


@entry_point
def start_state(network: Network, state: State, revise_all: bool) -> None:
    """Fill a fresh, zeroed state with full domains, and queue for revision the slots that others narrow.

    With `revise_all` every slot is queued, for who takes more away before the first propagation.
    The slots must have one row each at least.
    """
    slots = slot_count(network)
    for address in range(mask_address(network, NOUGHT), len(state.memory)):
        state.memory[address] = ALL
    for slot in range(slots):
        _fill_domain(network, state, slot)
    for slot in range(slots):
        for place in range(network.slots[slot, PLACES], network.slots[slot + 1, PLACES]):
            _start_place(network, state, slot, place)
            state.memory[mask_address(network, network.places[place, SQUARE])] &= state.seen[place]
    for slot in range(slots):
        first = network.slots[slot, PLACES]
        for place in range(first, network.slots[slot + 1, PLACES]):
            mask = state.memory[mask_address(network, network.places[place, SQUARE])]
            if revise_all or state.seen[place] != mask:
                enqueue(state, slot, place - first)
        if revise_all or state.memory[size_address(network, slot)] == ONE:
            enqueue(state, slot, DOMAIN_CHANGED)
