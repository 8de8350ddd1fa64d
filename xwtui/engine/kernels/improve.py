"""What the improver asks of the kernels: freeing a part of a filled grid, and the best rows at given prices."""

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ONE, ZERO, as_int, bit, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.network import Bits, Longs, Network, mask_address, size_address, slot_count
from xwtui.engine.kernels.propagate.bound import cut_rows, first_row
from xwtui.engine.kernels.state import State, assign_row, enqueue, has_row, remove_row, write


@entry_point
def open_region(
    network: Network, state: State, root: Bits, symbols: Longs, rows: Longs, row_limits: Longs, left_out: Longs
) -> bool:
    """Make a state that waits for its first propagation; False where a kept square or row cannot be.

    `root` is the memory of the propagated root; `symbols` (squares,) the symbol that a square
    keeps, or -1; `rows` (slots,) the row of a slot all of whose squares are kept, else -1;
    `row_limits` (slots,) the rows, counted from the first, that a slot may take; `left_out` (slots,)
    a row that it may not take, or -1.
    """
    _forget(state, root)
    for square in range(len(symbols)):
        if symbols[square] >= 0:
            address = mask_address(network, square)
            if root[address] & bit(symbols[square]) == ZERO:
                return False
            write(state, address, bit(symbols[square]))
    for slot in range(slot_count(network)):
        if rows[slot] >= 0:
            if rows[slot] >= row_limits[slot] or not has_row(network, state, slot, rows[slot]):
                return False
            assign_row(network, state, slot, rows[slot])
            continue
        cut_rows(network, state, slot, row_limits[slot])
        if left_out[slot] >= 0 and has_row(network, state, slot, left_out[slot]):
            remove_row(network, state, slot, left_out[slot])
        if state.memory[size_address(network, slot)] == ZERO:
            return False
        for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
            square = network.places[place, net.SQUARE]
            before = root[mask_address(network, square)]
            if state.memory[mask_address(network, square)] != before:
                state.seen[place] = before
                enqueue(state, slot, place - network.slots[slot, net.PLACES])
    return True


@kernel
def _forget(state: State, root: Bits) -> None:
    """Go back to the root."""
    for address in range(len(root)):
        state.memory[address] = root[address]
    for slot in range(len(state.pending)):
        state.pending[slot] = ZERO
    control = state.control
    for place in (states.DEPTH, states.TRAIL_TOP, states.QUEUE_COUNT):
        control[place] = 0
    control[states.TIME] += 1


@entry_point
def read_rows(network: Network, state: State, rows: Longs, symbols: Longs) -> None:
    """Read each slot's row and each square's symbol from a state at a fixpoint; -1 for an undecided one."""
    for slot in range(slot_count(network)):
        is_decided = state.memory[size_address(network, slot)] == ONE
        rows[slot] = first_row(network, state, slot) if is_decided else -1
    for square in range(len(symbols)):
        mask = state.memory[mask_address(network, square)]
        symbols[square] = lowest_bit(mask) if is_single(mask) else -1


@entry_point
def find_priced_rows(
    network: Network, memory: Bits, slots: Longs, worths: Longs, prices: Longs, rows: Longs
) -> int:
    """Write the best row of each of some slots, and return how many rows were looked at.

    `memory` is that of a propagated root, where each of the slots has rows left; `worths` says what
    a word of each score is worth (a higher score is never worth less), `prices` (places x 64) what a
    symbol adds at a place. `rows` and its second half take the row of each slot and its total.
    """
    looked = 0
    for number in range(len(slots)):
        looked += _find_row(network, memory, slots[number], worths, prices, rows, number)
    return looked


@kernel
def _find_row(
    network: Network, memory: Bits, slot: int, worths: Longs, prices: Longs, rows: Longs, number: int
) -> int:
    """Note the best row of one slot; rows go by descending worth, so that the last ones need no look."""
    table = network.slots[slot, net.TABLE]
    length = network.tables[table, net.LENGTH]
    first = network.tables[table, net.ROWS]
    place = net.SYMBOLS * network.slots[slot, net.PLACES]
    start = network.slots[slot, net.DOMAIN]
    dearest = _dearest(network, memory, slot, prices)
    best, most, looked = -1, 0, 0
    for word in range(network.slots[slot + 1, net.DOMAIN] - start):
        bits = memory[start + word]
        while bits != ZERO:
            row = 64 * word + lowest_bit(bits)
            bits &= bits - ONE
            total = worths[as_int(network.row_scores[first + row])]
            if best >= 0 and total + dearest <= most:
                rows[number], rows[len(rows) // 2 + number] = best, most
                return looked
            looked += 1
            letters = network.tables[table, net.LETTERS] + row * length
            for index in range(length):
                total += prices[place + net.SYMBOLS * index + as_int(network.letters[letters + index])]
            if best < 0 or total > most:
                best, most = row, total
    rows[number], rows[len(rows) // 2 + number] = best, most
    return looked


@inlined
def _dearest(network: Network, memory: Bits, slot: int, prices: Longs) -> int:
    """What the symbols of a row can add at most."""
    total = 0
    for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
        mask = memory[mask_address(network, network.places[place, net.SQUARE])]
        most = prices[net.SYMBOLS * place + lowest_bit(mask)]
        mask &= mask - ONE
        while mask != ZERO:
            most = max(most, prices[net.SYMBOLS * place + lowest_bit(mask)])
            mask &= mask - ONE
        total += most
    return int(total)
