"""Branch and bound: a fill must be worth more than the best so far, so what cannot be any more is cut.

The worth of a fill is a sum: what its words' scores are worth, what its squares' symbols are worth
(less than nothing for an unwanted letter), and an amount for each wanted letter that stands
anywhere. At the fixpoint of propagation each term has an upper bound: the best row that a slot can
still take, the best symbol of a square's mask, the letters that some mask still has. Where their
sum is not more than demanded, there is no better fill below; else the difference is the slack, and
rows and symbols that fall short of their slot's or square's best by more than the slack are cut.
Rows go by descending score, so the rows to cut are the last ones.
"""

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import NOUGHT, ONE, ZERO, as_int, bit, count_bits, lowest_bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import (
    Longs,
    Network,
    every_place,
    limit_address,
    mask_address,
    size_address,
    slot_count,
)
from xwtui.engine.kernels.state import State, enqueue, narrow_square, square_mask, write

# Places in State.worth.
ASKED = 0
"""Whether a worth is demanded at all; if not, the rest is not read."""
BETTER_THAN = 1
"""What a fill must be worth more than."""
LETTER_WORTH = 2
"""What each wanted letter is worth that stands somewhere."""
WANTED_LETTERS = 3
"""The wanted letters, as bits."""
SYMBOLS_COUNT = 4
"""Whether any symbol is worth something in itself."""
SCORE_WORTH = 5
"""What a word of each score is worth; a higher score is never worth less."""
SCORES = 151
"""Scores run from 0 to 100; with the constructor's preferences to 150."""
SYMBOL_WORTH = SCORE_WORTH + SCORES
"""What each of the 64 symbols is worth, once a square."""
SYMBOL_LETTERS = SYMBOL_WORTH + 64
"""The letters in each of the 64 symbols, as bits."""
WORTH_SIZE = SYMBOL_LETTERS + 64
"""Then come, for each slot, its best row's worth, and that at the root."""

_PLAIN_SYMBOLS = np.uint64((1 << 36) - 1)


@inlined
def keep_worth(network: Network, state: State, steering: Longs | None) -> bool:
    """Cut what the demanded worth rules out, and queue whose domain shrank; False where nothing is left."""
    if steering is None:
        return True
    return state.worth[ASKED] == 0 or _bound(network, state)


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
    for slot in range(slot_count(network)):
        if network.slots[slot, net.REQUIRED] != 0 and state.memory[size_address(network, slot)] > ONE:
            least = state.worth[WORTH_SIZE + slot] - slack
            cut_rows(network, state, slot, _first_below(network, state, slot, least))
    return True


@inlined
def _best_rows(network: Network, state: State) -> int:
    """The sum of each required slot's best row, which is noted."""
    slots = slot_count(network)
    total = 0
    for slot in range(slots):
        worth = 0
        if network.slots[slot, net.REQUIRED] != 0:
            worth = _row_worth(network, state, slot, first_row(network, state, slot))
        state.worth[WORTH_SIZE + slot] = worth
        if state.control[states.DEPTH] == 0:
            state.worth[WORTH_SIZE + slots + slot] = worth
        total += worth
    return total


@inlined
def first_row(network: Network, state: State, slot: int) -> int:
    """The lowest row of a domain, which has the best score."""
    start = network.slots[slot, net.DOMAIN]
    first = network.slots[slot + 1, net.DOMAIN] - start
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        if word < first and state.memory[start + word] != ZERO:
            first = word
    return int(64 * first + lowest_bit(state.memory[start + first]))


@inlined
def _row_worth(network: Network, state: State, slot: int, row: int) -> int:
    first = network.tables[network.slots[slot, net.TABLE], net.ROWS]
    return int(state.worth[SCORE_WORTH + as_int(network.row_scores[first + row])])


@inlined
def _first_below(network: Network, state: State, slot: int, least: int) -> int:
    """The first row of a slot's table that is worth less than so much."""
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
    """Take this row and all later ones from a domain, and queue the slot if it had any of them."""
    start = network.slots[slot, net.DOMAIN]
    gone = 0
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        if 64 * word + 63 >= first:
            rows = state.memory[start + word]
            kept = ZERO if 64 * word >= first else rows & (bit(first & 63) - ONE)
            if kept != rows:
                write(state, start + word, kept)
                gone += count_bits(rows ^ kept)
    if gone > 0:
        address = size_address(network, slot)
        write(state, address, state.memory[address] - np.uint64(gone))
        enqueue(state, slot, states.DOMAIN_CHANGED)


@inlined
def _letters_possible(network: Network, state: State) -> int:
    """How many wanted letters some square can still have."""
    if state.worth[LETTER_WORTH] == 0:
        return 0
    possible = ZERO
    for address in range(mask_address(network, NOUGHT), mask_address(network, len(network.squares))):
        possible |= state.memory[address]
    letters = possible & _PLAIN_SYMBOLS
    rebuses = possible & ~_PLAIN_SYMBOLS
    while rebuses != ZERO:
        letters |= np.uint64(state.worth[SYMBOL_LETTERS + lowest_bit(rebuses)])
        rebuses &= rebuses - ONE
    return count_bits(letters & np.uint64(state.worth[WANTED_LETTERS]))


@inlined
def _best_symbol(state: State, mask: np.uint64) -> int:
    """What the best symbol of a mask is worth."""
    best = state.worth[SYMBOL_WORTH + lowest_bit(mask)]
    mask &= mask - ONE
    while mask != ZERO:
        best = max(best, state.worth[SYMBOL_WORTH + lowest_bit(mask)])
        mask &= mask - ONE
    return int(best)


@kernel
def _best_symbols(network: Network, state: State) -> int:
    """The sum of each square's best symbol."""
    total = 0
    for address in range(mask_address(network, NOUGHT), mask_address(network, len(network.squares))):
        total += _best_symbol(state, state.memory[address])
    return total


@kernel
def _cut_symbols(network: Network, state: State, slack: int) -> None:
    """Take away the symbols that fall short of their square's best by more than the slack."""
    for slot in range(slot_count(network)):
        for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
            square = network.places[place, net.SQUARE]
            mask = square_mask(network, state, square)
            left = mask
            least = _best_symbol(state, mask) - slack
            rest = mask
            while rest != ZERO:
                if state.worth[SYMBOL_WORTH + lowest_bit(rest)] < least:
                    left &= ~(rest & ~(rest - ONE))
                rest &= rest - ONE
            narrow_square(network, state, square, left)


@kernel
def _blame_fallen(network: Network, state: State) -> None:
    """Note the slot whose best row has fallen the most since the root."""
    slots = slot_count(network)
    fallen, most = 0, -1
    for slot in range(slots):
        fall = state.worth[WORTH_SIZE + slots + slot] - state.worth[WORTH_SIZE + slot]
        if fall > most:
            fallen, most = slot, fall
    state.control[states.FAILED_SLOT] = fallen
    state.control[states.FAILED_SQUARE] = -1
    state.control[states.FAILED_PLACES] = every_place(network, fallen)
    state.control[states.FAILED_RIVAL] = -1
