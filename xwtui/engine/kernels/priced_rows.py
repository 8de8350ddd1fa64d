"""The rows that are worth most by themselves, once each symbol has its price at each place."""

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, lowest_bit
from xwtui.engine.kernels.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.network import (
    DOMAIN,
    LENGTH,
    LETTERS,
    PLACES,
    ROWS,
    SQUARE,
    SYMBOLS,
    TABLE,
    Bits,
    Longs,
    Network,
    mask_address,
)


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
    table = network.slots[slot, TABLE]
    length = network.tables[table, LENGTH]
    first = network.tables[table, ROWS]
    place = SYMBOLS * network.slots[slot, PLACES]
    start = network.slots[slot, DOMAIN]
    dearest = _dearest(network, memory, slot, prices)
    best, most, looked = -1, 0, 0
    for word in range(network.slots[slot + 1, DOMAIN] - start):
        bits = memory[start + word]
        while bits != ZERO:
            row = 64 * word + lowest_bit(bits)
            bits &= bits - ONE
            total = worths[as_int(network.row_scores[first + row])]
            if best >= 0 and total + dearest <= most:
                rows[number], rows[len(rows) // 2 + number] = best, most
                return looked
            looked += 1
            letters = network.tables[table, LETTERS] + row * length
            for index in range(length):
                total += prices[place + SYMBOLS * index + as_int(network.letters[letters + index])]
            if best < 0 or total > most:
                best, most = row, total
    rows[number], rows[len(rows) // 2 + number] = best, most
    return looked


@inlined
def _dearest(network: Network, memory: Bits, slot: int, prices: Longs) -> int:
    """What the symbols of a row can add at most."""
    total = 0
    for place in range(network.slots[slot, PLACES], network.slots[slot + 1, PLACES]):
        mask = memory[mask_address(network, network.places[place, SQUARE])]
        most = prices[SYMBOLS * place + lowest_bit(mask)]
        mask &= mask - ONE
        while mask != ZERO:
            most = max(most, prices[SYMBOLS * place + lowest_bit(mask)])
            mask &= mask - ONE
        total += most
    return int(total)
