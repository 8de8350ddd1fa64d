"""Branch and bound: a fill must be worth more than the best so far, so options that cannot be part of one are cut.

The worth of a fill is a sum of three parts: the worth of its words' scores, the worth of its squares' symbols
(negative for an unwanted letter), and an amount for each wanted letter that occurs anywhere. At the fixpoint of
propagation each term has an upper bound: the best row in a slot's domain, the best symbol in a square's mask, the
wanted letters that some mask still contains. If the bounds add up to no more than the required worth, no better
fill exists below this node. Otherwise the difference is the slack: rows and symbols that fall short of the best of
their slot or square by more than the slack are cut. Rows are sorted by descending score, so the last ones are cut.

This module also has the improver's other kernels: opening a region of a filled grid, and the best rows at given
prices.
"""

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ONE, TYPED_ZERO, ZERO, as_int, bit, count_bits, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.network import Bits, Longs, Network
from xwtui.engine.kernels.state import State, square_mask

# Places in State.worth.
IS_ACTIVE = 0
"""Whether a worth is required at all; if not, the other fields are not read."""
BETTER_THAN = 1
"""A fill must be worth more than this."""
LETTER_WORTH = 2
"""Worth of each wanted letter that occurs somewhere."""
WANTED_LETTERS = 3
"""The wanted letters, as bits."""
SYMBOLS_COUNT = 4
"""Whether any symbol has a worth of its own."""
SCORE_WORTH = 5
"""Worth of a word by score; it never falls as the score rises."""
SCORES = 151
"""Number of score values: scores run from 0 to 100, and to 150 with the constructor's preferences."""
SYMBOL_WORTH = SCORE_WORTH + SCORES
"""Worth of each of the 64 symbols, counted once per square."""
SYMBOL_LETTERS = SYMBOL_WORTH + 64
"""The letters in each of the 64 symbols, as bits."""
WORTH_SIZE = SYMBOL_LETTERS + 64
"""After these come two values for each slot: its best row's worth now, and the same at the root."""

_PLAIN_SYMBOLS = np.uint64((1 << 36) - 1)


@inlined
def propagate_worth(network: Network, state: State, constraint_flag: Longs | None) -> bool:
    """Cut what the required worth rules out, and queue slots whose domains shrank; False if nothing is left."""
    if constraint_flag is None:
        return True
    return state.worth[IS_ACTIVE] == 0 or _bound(network, state)


@kernel
def _bound(network: Network, state: State) -> bool:
    most = _best_rows(network, state) + _letters_possible(network, state) * state.worth[LETTER_WORTH]
    if state.worth[SYMBOLS_COUNT] != 0:
        most += _best_symbols(network, state)
    slack = most - state.worth[BETTER_THAN] - 1
    if slack < 0:
        _blame_fallen(network, state)
        return False
    if state.worth[SYMBOLS_COUNT] != 0:
        _cut_symbols(network, state, slack)
    for slot in range(net.slot_count(network)):
        if network.slots[slot, net.REQUIRED] != 0 and state.memory[net.size_address(network, slot)] > ONE:
            least = state.worth[WORTH_SIZE + slot] - slack
            cut_rows(network, state, slot, _first_below(network, state, slot, least))
    return True


@inlined
def _best_rows(network: Network, state: State) -> int:
    """Return the sum of the worths of each required slot's best row, and store each one."""
    slots = net.slot_count(network)
    total = 0
    for slot in range(slots):
        worth = 0
        if network.slots[slot, net.REQUIRED] != 0:
            worth = _row_worth(network, state, slot, states.first_row(network, state, slot))
        state.worth[WORTH_SIZE + slot] = worth
        if state.control[states.DEPTH] == 0:
            state.worth[WORTH_SIZE + slots + slot] = worth
        total += worth
    return total


@inlined
def _row_worth(network: Network, state: State, slot: int, row: int) -> int:
    first = network.tables[network.slots[slot, net.TABLE], net.ROWS]
    return int(state.worth[SCORE_WORTH + as_int(network.row_scores[first + row])])


@inlined
def _first_below(network: Network, state: State, slot: int, least: int) -> int:
    """Return the first row of a slot's table that is worth less than `least`."""
    table = network.slots[slot, net.TABLE]
    low, high = 0, network.tables[table + 1, net.ROWS] - network.tables[table, net.ROWS]
    while low < high:
        middle = (low + high) // 2
        if _row_worth(network, state, slot, middle) >= least:
            low = middle + 1
        else:
            high = middle
    return int(low)


@kernel
def cut_rows(network: Network, state: State, slot: int, first: int) -> None:
    """Remove this row and all later ones from a domain, and queue the slot if it lost any."""
    start = network.slots[slot, net.DOMAIN]
    gone = 0
    for live in range(as_int(state.memory[net.limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        if 64 * word + 63 >= first:
            rows = state.memory[start + word]
            kept = ZERO if 64 * word >= first else rows & (bit(first & 63) - ONE)
            if kept != rows:
                states.write(state, start + word, kept)
                gone += count_bits(rows ^ kept)
    if gone > 0:
        address = net.size_address(network, slot)
        states.write(state, address, state.memory[address] - np.uint64(gone))
        states.enqueue(state, slot, states.DOMAIN_CHANGED)


@inlined
def _letters_possible(network: Network, state: State) -> int:
    """Return how many wanted letters can still occur in some square."""
    if state.worth[LETTER_WORTH] == 0:
        return 0
    possible = ZERO
    for address in range(net.mask_address(network, TYPED_ZERO), net.mask_address(network, len(network.squares))):
        possible |= state.memory[address]
    letters = possible & _PLAIN_SYMBOLS
    rebuses = possible & ~_PLAIN_SYMBOLS
    while rebuses != ZERO:
        letters |= np.uint64(state.worth[SYMBOL_LETTERS + lowest_bit(rebuses)])
        rebuses &= rebuses - ONE
    return count_bits(letters & np.uint64(state.worth[WANTED_LETTERS]))


@inlined
def _best_symbol(worths: Longs, first: int, mask: np.uint64) -> int:
    """Return the worth of the best symbol of a mask; the worths start at `first`."""
    best = worths[first + lowest_bit(mask)]
    mask &= mask - ONE
    while mask != ZERO:
        best = max(best, worths[first + lowest_bit(mask)])
        mask &= mask - ONE
    return int(best)


@kernel
def _best_symbols(network: Network, state: State) -> int:
    """Return the sum of the worths of each square's best symbol."""
    total = 0
    for address in range(net.mask_address(network, TYPED_ZERO), net.mask_address(network, len(network.squares))):
        total += _best_symbol(state.worth, SYMBOL_WORTH, state.memory[address])
    return total


@kernel
def _cut_symbols(network: Network, state: State, slack: int) -> None:
    """Remove the symbols that fall short of their square's best by more than the slack."""
    for slot in range(net.slot_count(network)):
        for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
            square = network.places[place, net.SQUARE]
            mask = square_mask(network, state, square)
            left = mask
            least = _best_symbol(state.worth, SYMBOL_WORTH, mask) - slack
            rest = mask
            while rest != ZERO:
                if state.worth[SYMBOL_WORTH + lowest_bit(rest)] < least:
                    left &= ~(rest & ~(rest - ONE))
                rest &= rest - ONE
            states.narrow_square(network, state, square, left)


@kernel
def _blame_fallen(network: Network, state: State) -> None:
    """Blame the slot whose best row has fallen the most since the root."""
    slots = net.slot_count(network)
    fallen, most = 0, -1
    for slot in range(slots):
        fall = state.worth[WORTH_SIZE + slots + slot] - state.worth[WORTH_SIZE + slot]
        if fall > most:
            fallen, most = slot, fall
    state.control[states.FAILED_SLOT] = fallen
    state.control[states.FAILED_SQUARE] = -1
    state.control[states.FAILED_PLACES] = net.every_place(network, fallen)
    state.control[states.FAILED_RIVAL] = -1


@entry_point
def open_region(
    network: Network, state: State, root: Bits, symbols: Longs, rows: Longs, row_limits: Longs
) -> bool:
    """Set up a state ready for its first propagation; False if a kept square or row is impossible.

    `root` is the memory of the propagated root. `symbols`, shape (squares,), holds the symbol that a square keeps,
    or -1. `rows`, shape (slots,), holds the row of a slot all of whose squares are kept, else -1. `row_limits`,
    shape (slots,), holds the number of rows, counted from the first, that a slot may take.
    """
    _forget(state, root)
    for square in range(len(symbols)):
        if symbols[square] >= 0:
            address = net.mask_address(network, square)
            if root[address] & bit(symbols[square]) == ZERO:
                return False
            states.write(state, address, bit(symbols[square]))
    for slot in range(net.slot_count(network)):
        if rows[slot] >= 0:
            if rows[slot] >= row_limits[slot] or not states.has_row(network, state, slot, rows[slot]):
                return False
            states.assign_row(network, state, slot, rows[slot])
            continue
        cut_rows(network, state, slot, row_limits[slot])
        if state.memory[net.size_address(network, slot)] == ZERO:
            return False
        for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
            square = network.places[place, net.SQUARE]
            before = root[net.mask_address(network, square)]
            if state.memory[net.mask_address(network, square)] != before:
                state.seen[place] = before
                states.enqueue(state, slot, place - network.slots[slot, net.PLACES])
    return True


@kernel
def _forget(state: State, root: Bits) -> None:
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
    """Read each slot's row and each square's symbol from a state at its fixpoint; -1 if undecided."""
    for slot in range(net.slot_count(network)):
        is_decided = state.memory[net.size_address(network, slot)] == ONE
        rows[slot] = states.first_row(network, state, slot) if is_decided else -1
    for square in range(len(symbols)):
        mask = state.memory[net.mask_address(network, square)]
        symbols[square] = lowest_bit(mask) if is_single(mask) else -1


@entry_point
def find_priced_rows(
    network: Network, memory: Bits, slots: Longs, worths: Longs, prices: Longs, rows: Longs
) -> int:
    """Write the best row of each given slot; return how many rows were examined.

    `memory` is that of a propagated root, in which each of the slots has rows left. `worths` is the worth of a
    word by score and never falls as the score rises. `prices`, shape (places, 64), flat, is what a symbol adds at
    a place. The first half of `rows` receives each slot's row, the second half its total.
    """
    looked = 0
    for number in range(len(slots)):
        looked += _find_row(network, memory, slots[number], worths, prices, rows, number)
    return looked


@kernel
def _find_row(
    network: Network, memory: Bits, slot: int, worths: Longs, prices: Longs, rows: Longs, number: int
) -> int:
    """Store the best row of one slot. Rows are sorted by descending worth, so the last ones can be skipped."""
    table = network.slots[slot, net.TABLE]
    length = network.tables[table, net.LENGTH]
    first = network.tables[table, net.ROWS]
    place = net.SYMBOLS * network.slots[slot, net.PLACES]
    start = network.slots[slot, net.DOMAIN]
    price_bound = _price_bound(network, memory, slot, prices)
    best, most, looked = -1, 0, 0
    for word in range(network.slots[slot + 1, net.DOMAIN] - start):
        bits = memory[start + word]
        while bits != ZERO:
            row = 64 * word + lowest_bit(bits)
            bits &= bits - ONE
            total = worths[as_int(network.row_scores[first + row])]
            if best >= 0 and total + price_bound <= most:
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
def _price_bound(network: Network, memory: Bits, slot: int, prices: Longs) -> int:
    """Return an upper bound for what the symbols of a row can add."""
    total = 0
    for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
        mask = memory[net.mask_address(network, network.places[place, net.SQUARE])]
        total += _best_symbol(prices, net.SYMBOLS * place, mask)
    return int(total)
