"""Setup before a search: numbering of squares, bit-sets of the word tables, the first state."""

import numpy as np

from xwtui.dataclasses import dataclass
from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.bits import ALL, ONE, TYPED_ZERO, ZERO, as_int, bit
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined, kernel
from xwtui.engine.kernels.compiler.records import Assembled
from xwtui.engine.kernels.network import Bits, Bytes, Ints, Longs, Network
from xwtui.engine.kernels.state import DOMAIN_CHANGED, State, enqueue


@entry_point
def build_supports(
    letters: Bytes, length: int, symbols: int, supports: Bits, counts: Ints, first_rows: Ints
) -> None:
    """Set a bit for each row and position in the zeroed `supports` (length, symbols, width; flat), and count them.

    `letters` holds the symbols of all rows, row after row. `counts` receives the number of rows of each bit-set,
    and `first_rows` the first rows of each, up to FIRST_ROWS.
    """
    rows = len(letters) // length
    width = (rows + 63) // 64
    for row in range(rows):
        word, mark = row >> 6, bit(row & 63)
        for index in range(length):
            bit_set = index * symbols + as_int(letters[row * length + index])
            supports[bit_set * width + word] |= mark
            if counts[bit_set] < net.FIRST_ROWS:
                first_rows[net.FIRST_ROWS * bit_set + counts[bit_set]] = row
            counts[bit_set] += 1


@kernel
def _fill_domain(network: Network, state: State, slot: int) -> None:
    """Give a slot all rows of its table."""
    table = network.slots[slot, net.TABLE]
    rows = network.tables[table + 1, net.ROWS] - network.tables[table, net.ROWS]
    start = network.slots[slot, net.DOMAIN]
    width = network.tables[table, net.WIDTH]
    for word in range(width):
        state.memory[start + word] = ALL
        state.sparse[start + word] = word
    if rows & 63:
        state.memory[start + width - 1] = bit(rows & 63) - ONE
    state.memory[net.limit_address(network, slot)] = np.uint64(width)
    state.memory[net.size_address(network, slot)] = np.uint64(rows)


@kernel
def _start_place(network: Network, state: State, slot: int, place: int) -> None:
    """Record which symbols a slot's table has at a place, and the first row of each."""
    table = network.slots[slot, net.TABLE]
    count = network.tables[table, net.SYMBOL_COUNT]
    sets = network.tables[table, net.BIT_SETS] + (place - network.slots[slot, net.PLACES]) * count
    symbols = ZERO
    for symbol in range(count):
        if network.row_counts[sets + symbol] > 0:
            symbols |= bit(symbol)
        state.residues[net.SYMBOLS * place + symbol] = network.first_rows[net.FIRST_ROWS * (sets + symbol)]
    state.seen[place] = symbols


@entry_point
def start_state(network: Network, state: State, revise_all: bool) -> None:
    """Give a fresh, zeroed state full domains, and queue the slots that their crossings narrow.

    With `revise_all` every slot is queued, for callers that remove more before the first propagation. Each slot
    must have at least one row.
    """
    slots = net.slot_count(network)
    for address in range(net.mask_address(network, TYPED_ZERO), len(state.memory)):
        state.memory[address] = ALL
    for slot in range(slots):
        _fill_domain(network, state, slot)
    for slot in range(slots):
        for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
            _start_place(network, state, slot, place)
            state.memory[net.mask_address(network, network.places[place, net.SQUARE])] &= state.seen[place]
    for slot in range(slots):
        first = network.slots[slot, net.PLACES]
        for place in range(first, network.slots[slot + 1, net.PLACES]):
            mask = state.memory[net.mask_address(network, network.places[place, net.SQUARE])]
            if revise_all or state.seen[place] != mask:
                enqueue(state, slot, place - first)
        if revise_all or state.memory[net.size_address(network, slot)] == ONE:
            enqueue(state, slot, DOMAIN_CHANGED)


# Kinds of split cells.
APART = 1
"""Its two squares are independent."""
OPPOSITE = 2
"""Its two squares may have to agree."""

# Columns of UnlinkedNetwork.runs.
FIRST_CELL = 0
"""The first cell of a run, numbered row by row; ~cell for a down run."""
CELLS = 1
RUN_COLUMNS = 2


@dataclass(frozen=True, eq=False)
class UnlinkedNetwork(
    Assembled,
    columns={
        "runs": RUN_COLUMNS,
        "tables": net.TABLE_COLUMNS,
        "slots": net.SLOT_COLUMNS,
        "places": net.PLACE_COLUMNS,
        "squares": net.SQUARE_COLUMNS,
    },
):
    """Input for building the arrays of a network, and those arrays, to be filled in."""

    runs: Longs
    """Shape (runs, 2): the straight runs of cells that make up the slots, in order, slot after slot."""
    users: Longs
    """Number of slots that use each table."""
    tables: Longs
    """As in a network."""
    alike: Longs
    """Shape (tables, tables), flat: 1 if words of the two tables must differ."""
    split: Bytes
    """Shape (cells,): nonzero for a cell with two squares, the across one first: APART or OPPOSITE."""
    slots: Longs
    """Shape (slots + 1, 5): zero except for each slot's TABLE and REQUIRED."""
    places: Longs
    """Shape (places, 4): -1 everywhere."""
    squares: Longs
    """Shape (places, 2): -1 everywhere; there are at most as many squares as places."""
    mates: Longs
    numbers: Longs
    """Shape (cells, 2), flat: -1 everywhere; receives the numbers of a cell's squares, row by row."""


@entry_point
def lay_out_slots(ground: UnlinkedNetwork, width: int) -> None:
    """Fill in a network's `slots`, `places`, `squares` and `mates`, and the numbers of the squares."""
    _start_slots(ground)
    _number_squares(ground, width)
    _cross(ground.slots, ground.places, ground.squares)
    _cross_split_cells(ground)
    _list_mates(ground)


@inlined
def _start_slots(ground: UnlinkedNetwork) -> None:
    """Write where each slot's places, domain and mates start."""
    slots, tables, users = ground.slots, ground.tables, ground.users
    for slot in range(len(slots) - 1):
        table = slots[slot, net.TABLE]
        mates = 0
        for other in range(len(users)):
            if ground.alike[table * len(users) + other] != 0:
                mates += users[other] - (1 if other == table else 0)
        slots[slot + 1, net.PLACES] = slots[slot, net.PLACES] + tables[table, net.LENGTH]
        slots[slot + 1, net.DOMAIN] = slots[slot, net.DOMAIN] + tables[table, net.WIDTH]
        slots[slot + 1, net.MATES] = slots[slot, net.MATES] + mates


@inlined
def _number_squares(ground: UnlinkedNetwork, width: int) -> None:
    runs, places, numbers = ground.runs, ground.places, ground.numbers
    end = 0
    for run in range(len(runs)):
        is_down = runs[run, FIRST_CELL] < 0
        cell = ~runs[run, FIRST_CELL] if is_down else runs[run, FIRST_CELL]
        start, end = end, end + runs[run, CELLS]
        for place in range(start, end):
            key = 2 * cell + (1 if is_down and ground.split[cell] != 0 else 0)
            places[place, net.SQUARE] = key
            numbers[key] = 0
            cell += width if is_down else 1
    count = 0
    for key in range(len(numbers)):
        if numbers[key] == 0:
            numbers[key] = count
            count += 1
    for place in range(len(places)):
        places[place, net.SQUARE] = numbers[places[place, net.SQUARE]]


@inlined
def _cross(slots: Longs, places: Longs, squares: Longs) -> None:
    """Record the first slot through each square, and the slot that crosses at each place."""
    for slot in range(len(slots) - 1):
        first = slots[slot, net.PLACES]
        for place in range(first, slots[slot + 1, net.PLACES]):
            square = places[place, net.SQUARE]
            other, index = squares[square, net.AT_SLOT], squares[square, net.AT_INDEX]
            if other < 0:
                squares[square, net.AT_SLOT], squares[square, net.AT_INDEX] = slot, place - first
            else:
                crossed = slots[other, net.PLACES] + index
                places[place, net.CROSSING], places[place, net.INDEX] = other, index
                places[crossed, net.CROSSING], places[crossed, net.INDEX] = slot, place - first
                places[place, net.SHARING], places[crossed, net.SHARING] = other, slot


@inlined
def _cross_split_cells(ground: UnlinkedNetwork) -> None:
    """Record the crossing slot at each place of a split cell whose squares may have to agree."""
    slots, places, squares = ground.slots, ground.places, ground.squares
    for cell in range(len(ground.split)):
        one, other = ground.numbers[2 * cell], ground.numbers[2 * cell + 1]
        if ground.split[cell] == OPPOSITE and one >= 0 and other >= 0:
            across, down = squares[one, net.AT_SLOT], squares[other, net.AT_SLOT]
            first = slots[across, net.PLACES] + squares[one, net.AT_INDEX]
            second = slots[down, net.PLACES] + squares[other, net.AT_INDEX]
            places[first, net.CROSSING], places[first, net.INDEX] = down, squares[other, net.AT_INDEX]
            places[second, net.CROSSING], places[second, net.INDEX] = across, squares[one, net.AT_INDEX]


@inlined
def _list_mates(ground: UnlinkedNetwork) -> None:
    """List, slot after slot, the other slots whose words must differ from its own."""
    slots, count = ground.slots, len(ground.slots) - 1
    end = 0
    for slot in range(count):
        first = slots[slot, net.TABLE] * len(ground.users)
        for other in range(count):
            if other != slot and ground.alike[first + slots[other, net.TABLE]] != 0:
                ground.mates[end] = other
                end += 1
