"""Which word is next: by the room that it leaves its crossings, by its score, and by chance.

A word's weight is the logarithm of its support, the product over its crossings of the crossing
words that have its letter there, plus its appeal (its score, raised or lowered by the constructor's
preferences) times a rate that falls while the search runs into dead ends, plus Gumbel noise: so words are
drawn with a chance that is a power of support and appeal.
"""

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, lowest_bit
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.network import (
    DOMAIN,
    LENGTH,
    LETTERS,
    ROWS,
    SYMBOLS,
    TABLE,
    Network,
    limit_address,
)
from xwtui.engine.kernels.room import draw_noise, measure_room
from xwtui.engine.kernels.search_state import BACKTRACKS, NOISE, SCORE_PATIENCE, SCORE_WEIGHT, Search
from xwtui.engine.kernels.state import State


@kernel
def draw_row(network: Network, state: State, search: Search, slot: int) -> int:
    """Draw a row of an undecided slot's domain."""
    measure_room(network, state, search, slot)
    patience = search.settings[SCORE_PATIENCE]
    point = search.settings[SCORE_WEIGHT] * patience // (patience + search.progress[BACKTRACKS])
    table = network.slots[slot, TABLE]
    length = network.tables[table, LENGTH]
    first = network.tables[table, ROWS]
    start = network.slots[slot, DOMAIN]
    roomiest = _most_room(search, length)
    best, most = -1, -(1 << 62)
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            row = 64 * word + lowest_bit(rows)
            rows &= rows - ONE
            weight = point * network.row_appeals[first + row] + draw_noise(search, search.settings[NOISE])
            if weight + roomiest <= most:
                continue
            letters = network.tables[table, LETTERS] + row * length
            for index in range(length):
                weight += search.room[at(SYMBOLS * index + as_int(network.letters[at(letters + index)]))]
            if weight > most:
                best, most = row, weight
    return best


@inlined
def _most_room(search: Search, length: int) -> int:
    """The room that a word of the best symbols would leave: no word leaves more."""
    total = 0
    for index in range(length):
        most = 0
        for symbol in range(SYMBOLS):
            most = max(most, search.room[at(SYMBOLS * index + symbol)])
        total += most
    return total
