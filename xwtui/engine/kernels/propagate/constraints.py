"""Global constraints: how the network's arrays store them, and how they prune domains and squares.

All-different constraints, on whole answers or on keys that answers share, are enforced as soon as a slot is
decided. Cardinalities and links are checked when propagation reaches its fixpoint. No state is kept between two
checks: for a cardinality, a square is decided if it can hold nothing but its symbols, and possible if it can hold
one of them. The same goes for a slot and its rows.

`Network.constraints` is empty if there are no cardinalities, links or chains. Otherwise it has a header, one
record for each cardinality (those on squares first), the squares of these, three cells for each link (two squares
and a mask of symbols), and the chains.

`Network.keys` is empty if no words have keys. Otherwise it has a header and three pairs of lists, each pair being
starts and items. With rows numbered over all tables, row r has the keys `keys[s:e]`, where s and e are at
`keys[ROW_STARTS] + r` and the cell after it. In the same way the rows with key k, in rising order, are found from
`keys[KEY_STARTS] + k`, and the slots that use table t from `keys[TABLE_STARTS] + t`. All starts are indices into
`keys`.

A chain is a regular constraint: an automaton that passes through slots in order and takes one step after another.
Each row either makes no step or belongs to a class that can make some of the steps. After the last slot all steps
must have been made. This is how the letters that slots drop spell a message. The steps possibly made before a slot
are kept as a mask, one bit for each number of steps. At each fixpoint of propagation the chain is recomputed from
scratch: forward, how many steps can have been made before each slot; backward, from which of these the end is
reachable.
"""

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import ONE, TYPED_ZERO, ZERO, as_int, bit, count_bits
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Longs, Network, every_place, size_address, slot_count
from xwtui.engine.kernels.state import NONE, State, square_mask

# Header of a chain. The slots follow in order, then the steps that each class can make.
NEXT_CHAIN = 0
CHAIN_SLOTS = 1
"""Number of slots in the chain."""
CHAIN_CLASSES = 2
"""Number of classes of rows; rows of the first class make no step."""
CHAIN_ROWS = 3
"""Where the bit-sets of the first class start, as for a cardinality on slots."""
CHAIN_WIDTH = 4
"""Distance to the bit-sets of the next class."""
CHAIN_END = 5
"""Number of steps."""
CHAIN_COLUMNS = 6

_HAS_SOME = 1
"""Bit of `compare_rows` for a domain that has some of the rows."""


@inlined
def count_chains(network: Network, record: int) -> int:
    """Return the number of chains; `record` is where the first one starts."""
    chains = 0
    while record < len(network.constraints):
        record = as_int(network.constraints[record + NEXT_CHAIN])
        chains += 1
    return chains


@kernel
def _propagate_chain(network: Network, state: State, chain: int, record: int) -> bool:
    """Run a chain forward, storing the reachable steps, then backward, removing rows that lead nowhere."""
    constraints = network.constraints
    slots, classes = constraints[record + CHAIN_SLOTS], constraints[record + CHAIN_CLASSES]
    rows, width = constraints[record + CHAIN_ROWS], constraints[record + CHAIN_WIDTH]
    first_slot = record + CHAIN_COLUMNS
    reached = ONE
    for place in range(slots):
        slot = as_int(constraints[first_slot + place])
        able, after = ZERO, ZERO
        for kind in range(classes):
            if states.compare_rows(network, state, slot, rows + kind * width) & _HAS_SOME:
                able |= bit(kind)
                after |= _step(network, first_slot + slots, kind, reached)
        state.chain[2 * place], state.chain[2 * place + 1] = reached, able
        reached = after
    ahead = reached & bit(constraints[record + CHAIN_END])
    if ahead == ZERO:
        states.record_unmet(state, chain)
        return False
    for place in range(slots - 1, -1, -1):
        slot = as_int(constraints[first_slot + place])
        reached, able = state.chain[2 * place], state.chain[2 * place + 1]
        before = ZERO
        for kind in range(classes):
            if able & bit(kind) != ZERO:
                if _step(network, first_slot + slots, kind, reached) & ahead == ZERO:
                    size = as_int(state.memory[size_address(network, slot)])
                    states.keep_rows(network, state, slot, rows + kind * width, False)
                    left = as_int(state.memory[size_address(network, slot)])
                    states.record_constraint(state, states.CONSTRAINT, chain, slot, NONE, NONE, size, left)
                elif kind == 0:
                    before |= ahead
                else:
                    before |= ahead >> ONE & np.uint64(constraints[first_slot + slots + kind])
        ahead = before
    return True


@inlined
def _step(network: Network, masks: int, kind: int, reached: np.uint64) -> np.uint64:
    """Return how many steps a chain can have made after a row of this class."""
    if kind == 0:
        return reached
    return (reached & np.uint64(network.constraints[masks + kind])) << ONE


# Header of Network.constraints.
SQUARE_CARDINALITIES = 0
"""Number of cardinalities on squares."""
CARDINALITIES = 1
"""Number of all cardinalities."""
LINKS = 2
"""Where the links start; they end at the first chain."""
CHAINS = 3
"""Where the chains start; they end with the array."""
FIRST_CARDINALITY = 4

# Columns of a cardinality.
LEAST = 0
MOST = 1
NO_LIMIT = 1 << 20
"""The MOST of a cardinality without an upper bound."""
SYMBOLS = 2
"""The symbols that count, as bits.

For a cardinality on slots: where its bit-sets of rows start in `Network.cardinality_rows`, one for each slot, laid
out like the domains.
"""
SQUARES = 3
"""Where its squares start."""
SQUARES_END = 4
IS_UNLIKELY = 5
"""Whether chance is unlikely to satisfy it, so that the search handles it first."""
CARDINALITY_COLUMNS = 6

LINK_COLUMNS = 3

# Header of Network.keys.
ROW_STARTS = 0
KEY_STARTS = 1
TABLE_STARTS = 2
KEYS_HEADER = 3


INSIDE = 1
"""The square or slot can be counted by the cardinality."""
OUTSIDE = 2
"""The square or slot can be one that the cardinality does not count."""
BOTH = 3


@kernel
def propagate_constraints(network: Network, state: State) -> bool:
    """Propagate all constraints, with an empty queue on entry; False if one cannot be met."""
    if len(network.constraints) == 0:
        return True
    for cardinality in range(network.constraints[CARDINALITIES]):
        if not _propagate_cardinality(network, state, cardinality):
            return False
    if not _propagate_links(network, state):
        return False
    record, chain = as_int(network.constraints[CHAINS]), _first_chain(network)
    while record < len(network.constraints):
        if not _propagate_chain(network, state, chain, record):
            return False
        record = as_int(network.constraints[record + NEXT_CHAIN])
        chain += 1
    return True


@inlined
def cardinality_record(cardinality: int) -> int:
    """Return where a cardinality's record starts in `Network.constraints`."""
    return FIRST_CARDINALITY + cardinality * CARDINALITY_COLUMNS


@inlined
def counts_squares(network: Network, cardinality: int) -> bool:
    """Whether a cardinality is on squares."""
    return bool(cardinality < network.constraints[SQUARE_CARDINALITIES])


@inlined
def members(network: Network, cardinality: int) -> int:
    """Return the number of squares or slots that a cardinality ranges over."""
    if counts_squares(network, cardinality):
        record = cardinality_record(cardinality)
        return int(network.constraints[record + SQUARES_END] - network.constraints[record + SQUARES])
    return slot_count(network)


@inlined
def member(network: Network, cardinality: int, number: int) -> int:
    """Return the square or slot that is the cardinality's member with this number."""
    if counts_squares(network, cardinality):
        return int(network.constraints[network.constraints[cardinality_record(cardinality) + SQUARES] + number])
    return number


@inlined
def cardinality_symbols(network: Network, cardinality: int) -> np.uint64:
    """Return the symbols that a cardinality on squares counts, as bits."""
    return np.uint64(network.constraints[cardinality_record(cardinality) + SYMBOLS])


@kernel
def membership(network: Network, state: State, cardinality: int, item: int) -> int:
    """Return whether a square or slot can only be INSIDE a cardinality, only OUTSIDE it, or BOTH."""
    if counts_squares(network, cardinality):
        symbols = cardinality_symbols(network, cardinality)
        mask = square_mask(network, state, item)
        return (INSIDE if mask & symbols != ZERO else 0) | (OUTSIDE if mask & ~symbols != ZERO else 0)
    return states.compare_rows(
        network, state, item, network.constraints[cardinality_record(cardinality) + SYMBOLS]
    )


@kernel
def _propagate_cardinality(network: Network, state: State, cardinality: int) -> bool:
    """Count a cardinality's members. If it is at its upper or lower bound, settle the open members."""
    record = cardinality_record(cardinality)
    least, most = network.constraints[record + LEAST], network.constraints[record + MOST]
    count = members(network, cardinality)
    decided, possible, last_decided = 0, 0, -1
    for number in range(count):
        item = member(network, cardinality, number)
        side = membership(network, state, cardinality, item)
        if side & INSIDE:
            possible += 1
            if side == INSIDE:
                decided += 1
                last_decided = item
            if possible > least and most >= count:
                return True
    if decided > most or possible < least:
        _fail(network, state, cardinality, last_decided if decided > most else -1)
        return False
    if decided < possible and (decided == most or possible == least):
        for number in range(count):
            item = member(network, cardinality, number)
            if membership(network, state, cardinality, item) == BOTH:
                _settle(network, state, cardinality, item, decided != most)
    return True


@kernel
def _settle(network: Network, state: State, cardinality: int, item: int, inside: bool) -> None:
    """Restrict a square or slot to what a cardinality counts, or to what it does not count."""
    if counts_squares(network, cardinality):
        symbols = cardinality_symbols(network, cardinality)
        narrow_for(network, state, cardinality, item, symbols if inside else ~symbols)
        return
    before = as_int(state.memory[size_address(network, item)])
    states.keep_rows(network, state, item, network.constraints[cardinality_record(cardinality) + SYMBOLS], inside)
    after = as_int(state.memory[size_address(network, item)])
    states.record_constraint(state, states.CONSTRAINT, cardinality, item, NONE, NONE, before, after)


@kernel
def narrow_for(network: Network, state: State, constraint: int, square: int, symbols: np.uint64) -> None:
    """Restrict a square to the given symbols, at least one of which it can hold."""
    mask = square_mask(network, state, square)
    left = mask & symbols
    if left != mask:
        states.narrow_square(network, state, square, left)
        before, after = count_bits(mask), count_bits(left)
        states.record_constraint(state, states.CONSTRAINT, constraint, NONE, NONE, square, before, after)


@kernel
def _propagate_links(network: Network, state: State) -> bool:
    constraints = network.constraints
    for place in range(constraints[LINKS], constraints[CHAINS], LINK_COLUMNS):
        link = constraints[CARDINALITIES] + (place - constraints[LINKS]) // LINK_COLUMNS
        if not _follow(network, state, link, constraints[place], constraints[place + 1], place):
            return False
        if not _follow(network, state, link, constraints[place + 1], constraints[place], place):
            return False
    return True


@inlined
def _follow(network: Network, state: State, link: int, leader: int, follower: int, place: int) -> bool:
    """Make one square of a link follow the other; False if it cannot."""
    symbols = np.uint64(network.constraints[place + 2])
    mask = square_mask(network, state, leader)
    if mask & symbols == ZERO:
        symbols = ~symbols
    elif mask & ~symbols != ZERO:
        return True
    if square_mask(network, state, follower) & symbols == ZERO:
        _fail(network, state, link, -1)
        return False
    narrow_for(network, state, link, follower, symbols)
    return True


@kernel
def _fail(network: Network, state: State, constraint: int, culprit: int) -> None:
    """Record which constraint cannot be met, and blame the square or slot last decided for it, unless -1."""
    states.record_unmet(state, constraint)
    if culprit >= 0:
        if counts_squares(network, constraint):
            blame_square(network, state, culprit)
        else:
            state.control[states.FAILED_SLOT] = culprit
            state.control[states.FAILED_PLACES] = every_place(network, culprit)


@kernel
def blame_square(network: Network, state: State, square: int) -> None:
    """Blame a square for a constraint that cannot be met."""
    state.control[states.FAILED_SLOT] = network.squares[square, net.AT_SLOT]
    state.control[states.FAILED_PLACES] = as_int(bit(network.squares[square, net.AT_INDEX]))


@inlined
def claim_word(network: Network, state: State, slot: int, row: int) -> bool:
    """Remove a decided slot's word from all its mates; False if one of them is wiped out."""
    table = network.slots[slot, net.TABLE]
    word = as_int(network.row_words[network.tables[table, net.ROWS] + row])
    has_one_row_a_word = network.tables[table, net.IS_PLAIN] != 0
    losers = TYPED_ZERO
    for place in range(network.slots[slot, net.MATES], network.slots[slot + 1, net.MATES]):
        mate = network.mates[place]
        before = state.memory[size_address(network, mate)]
        if has_one_row_a_word and network.slots[mate, net.TABLE] == table:
            if not remove_taken_row(network, state, slot, mate, row):
                return False
        elif not _remove_taken_word(network, state, slot, mate, word):
            return False
        if state.memory[size_address(network, mate)] != before:
            losers += 1
    if losers > 0:
        states.record(state, states.CLAIM, slot, row, NONE, losers, states.EMPTY, NONE, ZERO)
    return True


@kernel
def _remove_taken_word(network: Network, state: State, slot: int, mate: int, word: int) -> bool:
    """Remove a word from a mate with another table: all rows that spell it there."""
    table = network.slots[mate, net.TABLE]
    start = network.tables[table, net.ROWS]
    low, high = start, network.tables[table + 1, net.ROWS]
    while low < high:
        middle = (low + high) // 2
        if network.row_words[start + network.rows_by_word[middle]] < word:
            low = middle + 1
        else:
            high = middle
    while low < network.tables[table + 1, net.ROWS]:
        row = as_int(network.rows_by_word[low])
        if network.row_words[start + row] != word:
            break
        if not remove_taken_row(network, state, slot, mate, row):
            return False
        low += 1
    return True


@inlined
def remove_taken_row(network: Network, state: State, slot: int, mate: int, row: int) -> bool:
    """Remove a row from a mate, if present, because of what a slot took; False if it was the last row."""
    if not states.has_row(network, state, mate, row):
        return True
    if states.remove_row(network, state, mate, row):
        return True
    state.control[states.FAILED_SLOT] = mate
    state.control[states.FAILED_ROW] = row
    state.control[states.FAILED_SQUARE] = -1
    state.control[states.FAILED_PLACES] = every_place(network, mate)
    state.control[states.FAILED_RIVAL] = slot
    states.record(state, states.WIPE_OUT, mate, row, NONE, states.SINGLE, states.EMPTY, slot, ZERO)
    return False


@kernel
def claim_keys(network: Network, state: State, slot: int, row: int, constraint_flag: Longs | None) -> bool:
    """Remove the rows that share a key with a decided slot's row from all other slots; False at a wipe-out."""
    if constraint_flag is None:
        return True
    if len(network.keys) == 0:
        return True
    keys = network.keys
    own = as_int(keys[ROW_STARTS]) + network.tables[network.slots[slot, net.TABLE], net.ROWS] + row
    losers = 0
    for place in range(keys[own], keys[own + 1]):
        start = as_int(keys[KEY_STARTS]) + keys[place]
        table = 0
        for entry in range(keys[start], keys[start + 1]):
            rival = as_int(keys[entry])
            while rival >= network.tables[table + 1, net.ROWS]:
                table += 1
            users = as_int(keys[TABLE_STARTS]) + table
            for user in range(keys[users], keys[users + 1]):
                mate = as_int(keys[user])
                if mate != slot and states.has_row(network, state, mate, rival - network.tables[table, net.ROWS]):
                    losers += 1
                    if not remove_taken_row(network, state, slot, mate, rival - network.tables[table, net.ROWS]):
                        state.control[states.FAILED_CONSTRAINT] = keys_constraint(network)
                        return False
    if losers > 0:
        states.record_constraint(
            state, states.CONSTRAINT, keys_constraint(network), slot, row, NONE, losers, states.EMPTY
        )
    return True


@inlined
def keys_constraint(network: Network) -> int:
    """Return the number of the constraint that no two answers share a key: it follows the chains."""
    if len(network.constraints) == 0:
        return 0
    return _first_chain(network) + count_chains(network, as_int(network.constraints[CHAINS]))


@inlined
def _first_chain(network: Network) -> int:
    """Return the number of the first chain: chains follow cardinalities and links."""
    links = network.constraints[CHAINS] - network.constraints[LINKS]
    return as_int(network.constraints[CARDINALITIES] + links // LINK_COLUMNS)
