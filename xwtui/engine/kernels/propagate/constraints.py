"""Global constraints, as they lie in the network's arrays, and what they take from domains and squares.

Answers that must differ, as a whole or in a key that they share, are kept apart as soon as a slot is decided.
Cardinalities and linked squares are looked at where propagation has come to its fixpoint. Nothing is
kept between two looks: a square is decided for a cardinality if it can hold nothing but its symbols, and
possible if it can hold one of them; a slot likewise with its rows.

`Network.constraints` is empty where there are neither cardinalities nor links nor chains. Else it has a header,
one record for each cardinality (those on squares first), the squares of these, three cells for each link (two
squares and a mask of symbols), and the chains.

`Network.keys` is empty where no words have keys. Else it has a header and three pairs of lists, starts and
items. With rows counted over all tables, row r has the keys `keys[s:e]`, where s and e are at
`keys[ROW_STARTS] + r` and after it. Key k is found likewise in the rows, in rising order, from
`keys[KEY_STARTS] + k` on, and table t is used by the slots from `keys[TABLE_STARTS] + t` on. All starts are
places in `keys`.

A chain goes through slots in their order, and takes one step after the other: each row makes none, or is of a
class that can make some of them, and after the last slot all steps are made. So the letters that slots drop spell
a message. How far one may have come before a slot is a mask of numbers of steps.
It is looked at anew where propagation has come to its fixpoint: how far one may come before each slot, and from
where the end is reached.
"""

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import NOUGHT, ONE, ZERO, as_int, bit, count_bits
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Longs, Network, every_place, size_address, slot_count
from xwtui.engine.kernels.state import NONE, State, square_mask

# Header of a chain, behind which come its slots in their order, and for each class the steps that it can make.
NEXT_CHAIN = 0
CHAIN_SLOTS = 1
"""How many slots it goes through."""
CHAIN_CLASSES = 2
"""How many classes of rows it knows; those of the first one make no step."""
CHAIN_ROWS = 3
"""Where the bit-sets of the first class start, as those of a cardinality on slots."""
CHAIN_WIDTH = 4
"""How far those of the next class are away."""
CHAIN_END = 5
"""How many steps there are."""
CHAIN_COLUMNS = 6

_SHOWN = 1
"""What `rows_show` says of a domain that has one of some rows."""


@inlined
def count_chains(network: Network, record: int) -> int:
    """How many chains there are, where the first one lies at `record`."""
    chains = 0
    while record < len(network.constraints):
        record = as_int(network.constraints[record + NEXT_CHAIN])
        chains += 1
    return chains


@kernel
def _keep_chain(network: Network, state: State, chain: int, record: int) -> bool:
    """Go through a chain, noting what can be reached, and back, taking rows away that lead nowhere."""
    constraints = network.constraints
    slots, classes = constraints[record + CHAIN_SLOTS], constraints[record + CHAIN_CLASSES]
    rows, width = constraints[record + CHAIN_ROWS], constraints[record + CHAIN_WIDTH]
    first_slot = record + CHAIN_COLUMNS
    reached = ONE
    for place in range(slots):
        slot = as_int(constraints[first_slot + place])
        able, after = ZERO, ZERO
        for kind in range(classes):
            if states.rows_show(network, state, slot, rows + kind * width) & _SHOWN:
                able |= bit(kind)
                after |= _step(network, first_slot + slots, kind, reached)
        state.chain[2 * place], state.chain[2 * place + 1] = reached, able
        reached = after
    ahead = reached & bit(constraints[record + CHAIN_END])
    if ahead == ZERO:
        states.tell_unmet(state, chain)
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
    """How far a chain may have come after a row of a class."""
    if kind == 0:
        return reached
    return (reached & np.uint64(network.constraints[masks + kind])) << ONE


# Header of Network.constraints.
SQUARE_CARDINALITIES = 0
"""How many cardinalities on squares there are."""
CARDINALITIES = 1
"""How many cardinalities there are in all."""
LINKS = 2
"""Where the links start; the first chain ends them."""
CHAINS = 3
"""Where the chains start; the end of the array ends them."""
FIRST_CARDINALITY = 4

# Columns of a cardinality.
LEAST = 0
MOST = 1
NO_LIMIT = 1 << 20
"""The `most` of a cardinality that has none."""
SYMBOLS = 2
"""The symbols that count, as bits; of a cardinality on slots, where its bit-sets of rows start in
`Network.cardinality_rows`: one for each slot, laid out as the domains are."""
SQUARES = 3
"""Where its squares start."""
SQUARES_END = 4
SOUGHT = 5
"""Whether it is unlikely to be met by chance, so that the search sees to it first."""
CARDINALITY_COLUMNS = 6

LINK_COLUMNS = 3

# Header of Network.keys.
ROW_STARTS = 0
KEY_STARTS = 1
TABLE_STARTS = 2
KEYS_HEADER = 3


INSIDE = 1
"""Something of a square or a slot counts for a cardinality."""
OUTSIDE = 2
"""Something of it does not."""
BOTH = 3


@kernel
def keep_constraints(network: Network, state: State) -> bool:
    """Draw the conclusions of all constraints, with nothing queued before; False where one cannot be met."""
    if len(network.constraints) == 0:
        return True
    for cardinality in range(network.constraints[CARDINALITIES]):
        if not _keep_cardinality(network, state, cardinality):
            return False
    if not _keep_links(network, state):
        return False
    record, chain = as_int(network.constraints[CHAINS]), _first_chain(network)
    while record < len(network.constraints):
        if not _keep_chain(network, state, chain, record):
            return False
        record = as_int(network.constraints[record + NEXT_CHAIN])
        chain += 1
    return True


@inlined
def cardinality_record(cardinality: int) -> int:
    """Where a cardinality lies in `Network.constraints`."""
    return FIRST_CARDINALITY + cardinality * CARDINALITY_COLUMNS


@inlined
def counts_squares(network: Network, cardinality: int) -> bool:
    """Whether a cardinality is one on squares."""
    return bool(cardinality < network.constraints[SQUARE_CARDINALITIES])


@inlined
def members(network: Network, cardinality: int) -> int:
    """How many squares or slots a cardinality is about."""
    if counts_squares(network, cardinality):
        record = cardinality_record(cardinality)
        return int(network.constraints[record + SQUARES_END] - network.constraints[record + SQUARES])
    return slot_count(network)


@inlined
def member(network: Network, cardinality: int, number: int) -> int:
    """The square or slot that is a cardinality's member of this number."""
    if counts_squares(network, cardinality):
        return int(network.constraints[network.constraints[cardinality_record(cardinality) + SQUARES] + number])
    return number


@inlined
def cardinality_symbols(network: Network, cardinality: int) -> np.uint64:
    """The symbols that a cardinality on squares counts, as bits."""
    return np.uint64(network.constraints[cardinality_record(cardinality) + SYMBOLS])


@kernel
def standing(network: Network, state: State, cardinality: int, who: int) -> int:
    """Whether a square or slot can be INSIDE a cardinality, OUTSIDE it, or BOTH."""
    if counts_squares(network, cardinality):
        symbols = cardinality_symbols(network, cardinality)
        mask = square_mask(network, state, who)
        return (INSIDE if mask & symbols != ZERO else 0) | (OUTSIDE if mask & ~symbols != ZERO else 0)
    return states.rows_show(network, state, who, network.constraints[cardinality_record(cardinality) + SYMBOLS])


@kernel
def _keep_cardinality(network: Network, state: State, cardinality: int) -> bool:
    """Count a cardinality's members; where it is exhausted or only just to be met, settle those that are open."""
    record = cardinality_record(cardinality)
    least, most = network.constraints[record + LEAST], network.constraints[record + MOST]
    count = members(network, cardinality)
    decided, possible, last_decided = 0, 0, -1
    for number in range(count):
        who = member(network, cardinality, number)
        stands = standing(network, state, cardinality, who)
        if stands & INSIDE:
            possible += 1
            if stands == INSIDE:
                decided += 1
                last_decided = who
            if possible > least and most >= count:
                return True
    if decided > most or possible < least:
        _fail(network, state, cardinality, last_decided if decided > most else -1)
        return False
    if decided < possible and (decided == most or possible == least):
        for number in range(count):
            who = member(network, cardinality, number)
            if standing(network, state, cardinality, who) == BOTH:
                _settle(network, state, cardinality, who, decided != most)
    return True


@kernel
def _settle(network: Network, state: State, cardinality: int, who: int, inside: bool) -> None:
    """Leave a square or slot only what is inside a cardinality, or only what is outside."""
    if counts_squares(network, cardinality):
        symbols = cardinality_symbols(network, cardinality)
        narrow_for(network, state, cardinality, who, symbols if inside else ~symbols)
        return
    before = as_int(state.memory[size_address(network, who)])
    states.keep_rows(network, state, who, network.constraints[cardinality_record(cardinality) + SYMBOLS], inside)
    after = as_int(state.memory[size_address(network, who)])
    states.record_constraint(state, states.CONSTRAINT, cardinality, who, NONE, NONE, before, after)


@kernel
def narrow_for(network: Network, state: State, constraint: int, square: int, symbols: np.uint64) -> None:
    """Leave a square only some symbols, one of which it can take."""
    mask = square_mask(network, state, square)
    left = mask & symbols
    if left != mask:
        states.narrow_square(network, state, square, left)
        before, after = count_bits(mask), count_bits(left)
        states.record_constraint(state, states.CONSTRAINT, constraint, NONE, NONE, square, before, after)


@kernel
def _keep_links(network: Network, state: State) -> bool:
    """Let linked squares follow each other."""
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
    """Let one square of a link follow the other; False where it cannot."""
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
    """Tell which constraint cannot be met, and blame the square or slot that was decided for it last, or -1."""
    states.tell_unmet(state, constraint)
    if culprit >= 0:
        if counts_squares(network, constraint):
            blame_square(network, state, culprit)
        else:
            state.control[states.FAILED_SLOT] = culprit
            state.control[states.FAILED_PLACES] = every_place(network, culprit)


@kernel
def blame_square(network: Network, state: State, square: int) -> None:
    """Blame a square for the constraint that cannot be met."""
    state.control[states.FAILED_SLOT] = network.squares[square, net.AT_SLOT]
    state.control[states.FAILED_PLACES] = as_int(bit(network.squares[square, net.AT_INDEX]))


@inlined
def claim_word(network: Network, state: State, slot: int, row: int) -> bool:
    """Take a decided slot's word away from all its mates; False where one of them runs empty."""
    table = network.slots[slot, net.TABLE]
    word = as_int(network.row_words[network.tables[table, net.ROWS] + row])
    has_one_row_a_word = network.tables[table, net.IS_PLAIN] != 0
    losers = NOUGHT
    for place in range(network.slots[slot, net.MATES], network.slots[slot + 1, net.MATES]):
        mate = network.mates[place]
        before = state.memory[size_address(network, mate)]
        if has_one_row_a_word and network.slots[mate, net.TABLE] == table:
            if not give_up(network, state, slot, mate, row):
                return False
        elif not _give_up_word(network, state, slot, mate, word):
            return False
        if state.memory[size_address(network, mate)] != before:
            losers += 1
    if losers > 0:
        states.record(state, states.CLAIM, slot, row, NONE, losers, states.EMPTY, NONE, ZERO)
    return True


@kernel
def _give_up_word(network: Network, state: State, slot: int, mate: int, word: int) -> bool:
    """Take a word away from a mate with another table: all rows that spell it there."""
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
        if not give_up(network, state, slot, mate, row):
            return False
        low += 1
    return True


@inlined
def give_up(network: Network, state: State, slot: int, mate: int, row: int) -> bool:
    """Take one row away from a mate, if it has it, because of what a slot took; False where it was the last."""
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
def claim_keys(network: Network, state: State, slot: int, row: int, steering: Longs | None) -> bool:
    """Take the rows that share a key with a decided slot's from all other slots; False where one runs empty."""
    if steering is None:
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
                    if not give_up(network, state, slot, mate, rival - network.tables[table, net.ROWS]):
                        state.control[states.FAILED_CONSTRAINT] = keys_constraint(network)
                        return False
    if losers > 0:
        states.record_constraint(
            state, states.CONSTRAINT, keys_constraint(network), slot, row, NONE, losers, states.EMPTY
        )
    return True


@inlined
def keys_constraint(network: Network) -> int:
    """The number of the constraint that no two answers share a key: it comes after all others."""
    if len(network.constraints) == 0:
        return 0
    return _first_chain(network) + count_chains(network, as_int(network.constraints[CHAINS]))


@inlined
def _first_chain(network: Network) -> int:
    """The number of the first chain: they come after cardinalities and links."""
    links = network.constraints[CHAINS] - network.constraints[LINKS]
    return as_int(network.constraints[CARDINALITIES] + links // LINK_COLUMNS)
