"""Choosing the next decision: global constraints first, then the slot most likely to fail.

Value ordering prefers the word or symbol that leaves the most room, modified by score and randomness. The room of
a letter is the logarithm of the product of the numbers of words that it leaves in the slots crossing there. The
weight of a word is its room summed over all crossings, plus its appeal (its score, adjusted by the constructor's
preferences) times a rate that falls as dead ends accumulate, plus Gumbel noise. So each word is drawn with a
probability proportional to a power of its support and appeal.

Where the lower bound of a cardinality is unmet, a square or slot is assigned to it. A few candidate places are
drawn with probability proportional to the room that they leave, so that restarts vary them. Each is probed, and
the decision is the one whose propagation leaves the largest domains. A cardinality that the tables are likely to
satisfy many times over is left to chance until few places are left for it.

A choice among ways (see propagate/choices.py) is decided before anything else: of a few ways drawn, the roomiest.
Then come the pairs of squares that must differ, as many as required: first one entry's letter, then the other's.
"""

from typing import cast

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels import state as states
from xwtui.engine.kernels.bits import (
    ONE,
    TYPED_ZERO,
    ZERO,
    as_int,
    at,
    bit,
    count_bits,
    is_single,
    lowest_bit,
    random_word,
)
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Longs, Network, limit_address, mask_address, size_address, slot_count
from xwtui.engine.kernels.propagate import choices, constraints, pairs
from xwtui.engine.kernels.propagate.propagate import propagate
from xwtui.engine.kernels.search import decisions as deciding
from xwtui.engine.kernels.search.decisions import Search, impose, logarithm, next_slot, next_square, saved_row
from xwtui.engine.kernels.state import State, is_dense, list_rows, pop_level, push_level, square_mask

_AGREEMENT = 12 * deciding.UNIT
"""The room of a letter on which two slots agree although they need not: that of very many words."""

_SWIFT = 4
"""Number of consecutive words whose bits can be counted in the time that one row takes to read."""

_GUMBELS = np.rint(-np.log(-np.log((np.arange(4096) + 0.5) / 4096)) * deciding.UNIT).astype(np.int32)
"""Equally likely values of a Gumbel variable, fixed-point. Their number is a power of two."""


@inlined
def measure_room(network: Network, state: State, search: Search, slot: int) -> None:
    """Tabulate, for each index and symbol of a slot, the logarithm of the number of crossing words it leaves."""
    for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
        first = net.SYMBOLS * (place - network.slots[slot, net.PLACES])
        for symbol in range(net.SYMBOLS):
            search.room[first + symbol] = 0
        other = network.places[place, net.CROSSING]
        mask = state.memory[mask_address(network, network.places[place, net.SQUARE])]
        if other < 0 or is_single(mask):
            continue
        if state.memory[size_address(network, other)] == ONE:
            _prefer_agreement(network, state, search, place, first)
            continue
        count_symbols(network, state, search, other, network.places[place, net.INDEX], mask, first)
        while mask != ZERO:
            symbol = lowest_bit(mask)
            mask &= mask - ONE
            search.room[first + symbol] = logarithm(search.room[first + symbol])


@kernel
def _prefer_agreement(network: Network, state: State, search: Search, place: int, first: int) -> None:
    """Rate the letter of a decided slot highest where two slots cross in name only, so that few squares differ."""
    other = network.places[place, net.CROSSING]
    opposite = network.places[network.slots[other, net.PLACES] + network.places[place, net.INDEX], net.SQUARE]
    mask = state.memory[mask_address(network, opposite)]
    if is_single(mask):
        search.room[first + lowest_bit(mask)] = _AGREEMENT


@kernel
def count_symbols(
    network: Network, state: State, search: Search, slot: int, index: int, mask: np.uint64, first: int
) -> None:
    """Count a slot's words by their symbol at an index, either row by row or symbol by symbol."""
    table = network.slots[slot, net.TABLE]
    size = as_int(state.memory[size_address(network, slot)])
    limit = as_int(state.memory[limit_address(network, slot)])
    width = network.tables[table, net.WIDTH]
    at_once = width // _SWIFT if is_dense(limit, width) else limit
    if size == network.tables[table + 1, net.ROWS] - network.tables[table, net.ROWS]:
        sets = network.tables[table, net.BIT_SETS] + index * network.tables[table, net.SYMBOL_COUNT]
        for symbol in range(network.tables[table, net.SYMBOL_COUNT]):
            if mask & bit(symbol) != ZERO:
                search.room[first + symbol] = network.row_counts[sets + symbol]
    elif size <= at_once * count_bits(mask):
        _count_by_rows(network, state, search, slot, index, first)
    else:
        _count_by_symbols(network, state, search, slot, index, mask, first)


@inlined
def _count_by_rows(network: Network, state: State, search: Search, slot: int, index: int, first: int) -> None:
    """Read every row of the domain."""
    table = network.slots[slot, net.TABLE]
    length = network.tables[table, net.LENGTH]
    letters = network.tables[table, net.LETTERS] + index
    for number in range(list_rows(network, state, slot)):
        row = as_int(state.rows[at(number)])
        search.room[at(first + as_int(network.letters[at(letters + row * length)]))] += 1


@inlined
def _count_by_symbols(
    network: Network, state: State, search: Search, slot: int, index: int, mask: np.uint64, first: int
) -> None:
    """Intersect the domain with the bit-set of every symbol."""
    table = network.slots[slot, net.TABLE]
    start = network.slots[slot, net.DOMAIN]
    limit = as_int(state.memory[limit_address(network, slot)])
    width = network.tables[table, net.WIDTH]
    supports = network.tables[table, net.SUPPORTS] + index * network.tables[table, net.SYMBOL_COUNT] * width
    while mask != ZERO:
        symbol = lowest_bit(mask)
        mask &= mask - ONE
        support = supports + symbol * width
        count = 0
        if is_dense(limit, width):
            for word in range(width):
                count += count_bits(state.memory[at(start + word)] & network.supports[at(support + word)])
        else:
            for live in range(limit):
                word = as_int(state.sparse[at(start + live)])
                count += count_bits(state.memory[at(start + word)] & network.supports[at(support + word)])
        search.room[first + symbol] = count


@inlined
def draw_noise(search: Search, noise: int) -> int:
    """Draw a share of a Gumbel variable, both fixed-point. For a share of 0, return 0 and draw nothing."""
    if noise == 0:
        return 0
    chance = random_word(search.random) & np.uint64(len(_GUMBELS) - 1)
    return (as_int(_GUMBELS[chance]) * noise) >> deciding.UNIT_BITS


# Where in `room` each of the two slots' counts begins. Typed, because numba would compile `_tally` for each
# literal.
_FIRST = TYPED_ZERO
_SECOND = cast(int, np.int64(net.SYMBOLS))


@kernel
def draw_symbol(
    network: Network, state: State, search: Search, square: int, symbols: np.uint64, noise: int
) -> tuple[int, int]:
    """Draw one of the given symbols, all possible in the square, by the number of words left in both slots.

    Returns the symbol and its weight. `noise` scales the random part of the weight, fixed-point.
    """
    slot, index = network.squares[square, net.AT_SLOT], network.squares[square, net.AT_INDEX]
    place = network.slots[slot, net.PLACES] + index
    other = network.places[place, net.CROSSING]
    _tally(network, state, search, slot, index, symbols, _FIRST)
    if other >= 0:
        _tally(network, state, search, other, network.places[place, net.INDEX], symbols, _SECOND)
    best, most = -1, -(1 << 62)
    while symbols != ZERO:
        symbol = lowest_bit(symbols)
        symbols &= symbols - ONE
        weight = logarithm(search.room[symbol]) + draw_noise(search, noise)
        if other >= 0:
            weight += logarithm(search.room[net.SYMBOLS + symbol])
        if weight > most:
            best, most = symbol, weight
    return best, most


@inlined
def _tally(
    network: Network, state: State, search: Search, slot: int, index: int, symbols: np.uint64, first: int
) -> None:
    """Count a slot's words by their symbol at an index, writing to `room` starting at `first`."""
    for symbol in range(net.SYMBOLS):
        search.room[first + symbol] = 0
    count_symbols(network, state, search, slot, index, symbols, first)


@kernel
def draw_row(network: Network, state: State, search: Search, slot: int) -> int:
    """Draw a row from an undecided slot's domain: the saved row if usable, else one by weight and chance."""
    kept = saved_row(network, state, search, slot)
    if kept >= 0:
        return kept
    measure_room(network, state, search, slot)
    patience = search.settings[deciding.SCORE_PATIENCE]
    point = search.settings[deciding.SCORE_WEIGHT] * patience // (patience + search.progress[deciding.BACKTRACKS])
    table = network.slots[slot, net.TABLE]
    length = network.tables[table, net.LENGTH]
    first = network.tables[table, net.ROWS]
    start = network.slots[slot, net.DOMAIN]
    roomiest = _most_room(search, length)
    best, most = -1, -(1 << 62)
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        rows = state.memory[start + word]
        while rows != ZERO:
            row = 64 * word + lowest_bit(rows)
            rows &= rows - ONE
            weight = point * network.row_appeals[first + row] + draw_noise(search, search.settings[deciding.NOISE])
            if weight + roomiest <= most:
                continue
            letters = network.tables[table, net.LETTERS] + row * length
            for index in range(length):
                weight += search.room[at(net.SYMBOLS * index + as_int(network.letters[at(letters + index)]))]
            if weight > most:
                best, most = row, weight
    return best


@inlined
def _most_room(search: Search, length: int) -> int:
    """Return the room of a hypothetical word made of the best symbols: an upper bound for every word."""
    total = 0
    for index in range(length):
        most = 0
        for symbol in range(net.SYMBOLS):
            most = max(most, search.room[at(net.SYMBOLS * index + symbol)])
        total += most
    return total


_SPARE = 4
"""A cardinality left to chance is handled once its possible places exceed its lower bound by less than this."""

_LEAST_WEIGHT = -(1 << 62)


@kernel
def decide_constraint(
    network: Network, state: State, search: Search, left_to_chance: int, constraint_flag: Longs | None
) -> bool:
    """Write a decision for a choice among ways, for a pair, or for the neediest unmet cardinality; False if none.

    Cardinalities that are left to chance and have places to spare are considered only if `left_to_chance` is set.
    """
    if constraint_flag is None:
        return False
    if len(network.constraints) == 0:
        return False
    if _decide_way(network, state, search) or _decide_pair(network, state, search):
        return True
    cardinality = _tightest_cardinality(network, state, left_to_chance != 0)
    if cardinality < 0:
        return False
    _forget_candidates(search)
    for number in range(constraints.members(network, cardinality)):
        item = constraints.member(network, cardinality, number)
        if constraints.membership(network, state, cardinality, item) == constraints.BOTH:
            if constraints.counts_squares(network, cardinality):
                symbols = square_mask(network, state, item) & constraints.cardinality_symbols(network, cardinality)
                value, weight = draw_symbol(network, state, search, item, symbols, deciding.UNIT)
                _add_candidate(search, ~item, value, weight)
            else:
                value, weight = _draw_row(network, state, search, cardinality, item)
                _add_candidate(search, item, value, weight)
    return _take_roomiest(network, state, search)


@kernel
def _decide_way(network: Network, state: State, search: Search) -> bool:
    """Write a way of the first unmet choice as the next decision; False if all choices are met."""
    decisions, depth = search.decisions, state.control[states.DEPTH]
    for choice in range(choices.choice_count(network)):
        if not choices.is_met(network, state, choice):
            tight = as_int(state.control[states.TIGHT])
            state.control[states.TIGHT] = tight if depth > 0 else 0  # ruled out for good at the root
            way = _roomiest_way(network, state, search, choice)
            state.control[states.TIGHT] = tight
            square, symbol = choices.first_open(network, state, way)
            decisions[depth, 0], decisions[depth, 1] = ~square, symbol | (way << choices.WAY_SHIFT)
            return True
    return False


@kernel
def _decide_pair(network: Network, state: State, search: Search) -> bool:
    """Write a letter of a pair that must differ as the next decision; False if enough pairs differ."""
    record, depth = 0, state.control[states.DEPTH]
    last = search.decisions[depth - 1, 0] if depth > 0 else deciding.NOBODY
    while record < len(network.pairs):
        if pairs.is_undecided(network, state, record):
            _forget_candidates(search)
            for pair in range(network.pairs[record + pairs.COUNT]):
                first, second = (
                    pairs.square_of(network, record, pair, 0),
                    pairs.square_of(network, record, pair, 1),
                )
                across, down = square_mask(network, state, first), square_mask(network, state, second)
                if across & down == ZERO:
                    continue
                one, other = pairs.spelling_symbols(network, record, across, down)
                if one == ZERO:
                    continue
                square, symbols = (second, other) if is_single(across) else (first, one)
                value, weight = draw_symbol(network, state, search, square, symbols, deciding.UNIT)
                if last == ~first:
                    _forget_candidates(search)
                _add_candidate(search, ~square, value, weight)
                if last == ~first:
                    break
            if _take_roomiest(network, state, search):
                return True
        record = as_int(network.pairs[record + pairs.NEXT])
    return False


@kernel
def _roomiest_way(network: Network, state: State, search: Search, choice: int) -> int:
    """Draw a few of a choice's possible ways and return the roomiest; those that turn out dead ends are ruled out.

    The last way is never ruled out, so that a choice without a possible way fails like any other constraint.
    """
    last = -1
    while True:
        _forget_candidates(search)
        for way in range(choices.first_way(network, choice), choices.first_way(network, choice + 1)):
            if choices.open_squares(network, state, way) != choices.NEVER:
                _add_candidate(search, way, 0, draw_noise(search, deciding.UNIT))
        best, most, dead = -1, _LEAST_WEIGHT, 0
        for number in range(len(search.probes)):
            if search.probes[number, deciding.WEIGHT] > _LEAST_WEIGHT:
                last = as_int(search.probes[number, deciding.VARIABLE])
                tracing = _begin_probe(state)
                choices.take_way(network, state, last)
                room = _end_probe(network, state, tracing)
                if room > most:
                    best, most = last, room
                elif room == _LEAST_WEIGHT:
                    choices.rule_out(network, state, last)
                    dead += 1
        if best >= 0:
            return best
        if dead < len(search.probes):
            choices.allow(network, state, last)
            return last


@inlined
def _forget_candidates(search: Search) -> None:
    for number in range(len(search.probes)):
        search.probes[number, deciding.WEIGHT] = _LEAST_WEIGHT


@inlined
def _add_candidate(search: Search, variable: int, value: int, weight: int) -> None:
    """Keep a decision among the candidates if it weighs more than the lightest of them."""
    lightest = 0
    for number in range(1, len(search.probes)):
        if search.probes[number, deciding.WEIGHT] < search.probes[lightest, deciding.WEIGHT]:
            lightest = number
    if weight > search.probes[lightest, deciding.WEIGHT]:
        search.probes[lightest, deciding.VARIABLE] = variable
        search.probes[lightest, deciding.VALUE] = value
        search.probes[lightest, deciding.WEIGHT] = weight


@kernel
def _take_roomiest(network: Network, state: State, search: Search) -> bool:
    """Decide on the candidate that leaves the most room, or any if all are dead ends; False if there is none."""
    decisions, depth = search.decisions, state.control[states.DEPTH]
    best, most = -1, _LEAST_WEIGHT
    for number in range(len(search.probes)):
        if search.probes[number, deciding.WEIGHT] > _LEAST_WEIGHT:
            slot, row = search.probes[number, deciding.VARIABLE], search.probes[number, deciding.VALUE]
            room = _probe(network, state, search, slot, row)
            if best < 0 or room > most:
                best, most = number, room
    if best < 0:
        return False
    decisions[depth, 0] = search.probes[best, deciding.VARIABLE]
    decisions[depth, 1] = search.probes[best, deciding.VALUE]
    return True


@kernel
def _probe(network: Network, state: State, search: Search, variable: int, value: int) -> int:
    """Return the room after a decision, as `_end_probe` does."""
    tracing = _begin_probe(state)
    impose(network, state, variable, value)
    return _end_probe(network, state, tracing)


@inlined
def _begin_probe(state: State) -> int:
    """Open a level for a probe; return whether tracing was on."""
    tracing = as_int(state.control[states.TRACING])
    state.control[states.TRACING] = 0
    push_level(state)
    return tracing


@inlined
def _end_probe(network: Network, state: State, tracing: int) -> int:
    """Propagate and undo the probed decision; return the log of the domains' product, or _LEAST_WEIGHT if dead."""
    room = _LEAST_WEIGHT
    if propagate(network, state) == states.STABLE:
        room = 0
        for slot in range(slot_count(network)):
            room += logarithm(as_int(state.memory[size_address(network, slot)]))
    pop_level(state)
    state.control[states.TRACING] = tracing
    return room


@kernel
def _tightest_cardinality(network: Network, state: State, left_to_chance: bool) -> int:
    """Return the unmet cardinality with the fewest possible places per member still missing, or -1."""
    best, fewest = -1, np.inf
    for cardinality in range(network.constraints[constraints.CARDINALITIES]):
        record = constraints.cardinality_record(cardinality)
        least = network.constraints[record + constraints.LEAST]
        if least > 0:
            enough = 1 << 30
            if network.constraints[record + constraints.IS_UNLIKELY] == 0 and not left_to_chance:
                enough = least + _SPARE
            decided, possible = _count(network, state, cardinality, least, enough)
            if decided < least and possible < enough:
                places = (possible - decided) / (least - decided)
                if places < fewest:
                    best, fewest = cardinality, places
    return best


@inlined
def _count(network: Network, state: State, cardinality: int, least: int, enough: int) -> tuple[int, int]:
    """Count a cardinality's decided and possible members, up to `least` decided or `enough` possible ones."""
    decided, possible = 0, 0
    for number in range(constraints.members(network, cardinality)):
        side = constraints.membership(
            network, state, cardinality, constraints.member(network, cardinality, number)
        )
        possible += side & constraints.INSIDE
        decided += side == constraints.INSIDE
        if decided >= least or possible >= enough:
            break
    return decided, possible


@kernel
def _draw_row(network: Network, state: State, search: Search, cardinality: int, slot: int) -> tuple[int, int]:
    """Draw one of a cardinality's rows for an open slot; return it with its weight.

    The weight is the mean over the slot's crossings of the logarithm of the share of crossing words that have its
    letter. As a mean, it gives slots of all lengths a fair chance.
    """
    measure_room(network, state, search, slot)
    crossings, whole = _whole_room(network, state, search, slot)
    table, first = network.slots[slot, net.TABLE], network.slots[slot, net.PLACES]
    length = network.slots[slot + 1, net.PLACES] - first
    start = network.slots[slot, net.DOMAIN]
    rows = network.constraints[constraints.cardinality_record(cardinality) + constraints.SYMBOLS] + start
    best, most = -1, _LEAST_WEIGHT
    for live in range(as_int(state.memory[limit_address(network, slot)])):
        word = as_int(state.sparse[start + live])
        left = state.memory[start + word] & network.cardinality_rows[rows + word]
        while left != ZERO:
            row = 64 * word + lowest_bit(left)
            left &= left - ONE
            letters = network.tables[table, net.LETTERS] + row * length
            room = -whole
            for index in range(length):
                room += search.room[net.SYMBOLS * index + as_int(network.letters[letters + index])]
            weight = room // max(crossings, 1) + draw_noise(search, deciding.UNIT)
            if weight > most:
                best, most = row, weight
    return best, most


@inlined
def _whole_room(network: Network, state: State, search: Search, slot: int) -> tuple[int, int]:
    """Return the number of open crossings of a slot, and the logarithm of the product of their domain sizes."""
    crossings, whole = 0, 0
    for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
        other = network.places[place, net.CROSSING]
        if other >= 0 and state.memory[size_address(network, other)] > ONE:
            crossings += 1
            whole += logarithm(as_int(state.memory[size_address(network, other)]))
    return crossings, whole


# Typed, because numba would compile `decide_constraint` again for each literal that it is called with.
_UNLIKELY = TYPED_ZERO
_LEFT_TO_CHANCE = cast(int, np.int64(1))


@kernel
def choose_decision(network: Network, state: State, search: Search) -> bool:
    """Write the next decision into `search.decisions` at the current depth; False if everything is decided."""
    if decide_constraint(network, state, search, _UNLIKELY, network.constraint_flag):
        return True
    square = _square_to_decide(network, state, search) if search.progress[deciding.BY_SQUARES] != 0 else -1
    decisions, depth = search.decisions, state.control[states.DEPTH]
    if square >= 0:
        if depth == 0 or search.progress[deciding.REFUTED] != ~square:
            search.denied[depth] = ZERO
        symbols = square_mask(network, state, square) & ~search.denied[depth]
        decisions[depth, 0] = ~square
        # Randomness makes restarts differ. A proof has no restarts and does better in order of room.
        noise = (
            search.settings[deciding.NOISE] if search.progress[deciding.RESTART_AT] < deciding.NO_RESTART else 0
        )
        decisions[depth, 1], _ = draw_symbol(network, state, search, square, symbols, noise)
        return True
    slot = next_slot(network, state, search)
    if slot < 0:
        return decide_constraint(network, state, search, _LEFT_TO_CHANCE, network.constraint_flag)
    decisions[depth, 0] = slot
    decisions[depth, 1] = draw_row(network, state, search, slot)
    return True


@kernel
def _square_to_decide(network: Network, state: State, search: Search) -> int:
    """Return the square just refuted until it is decided; then the last conflict; then the likeliest to fail.

    The second rule is last conflict: Lecoutre, Saïs, Tabary, Vidal, Reasoning from Last Conflict(s) in Constraint
    Programming, Artificial Intelligence 2009.
    """
    refuted, conflict = search.progress[deciding.REFUTED], search.progress[deciding.CONFLICT]
    if is_open(network, state, refuted):
        return as_int(~refuted)
    if search.settings[deciding.LAST_CONFLICT] != 0 and is_open(network, state, conflict):
        return as_int(~conflict)
    return next_square(network, state, search)


@inlined
def is_open(network: Network, state: State, variable: int) -> bool:
    """Whether this is a square with two or more symbols left."""
    return bool(
        variable < 0 and variable != deciding.NOBODY and not is_single(square_mask(network, state, ~variable))
    )
