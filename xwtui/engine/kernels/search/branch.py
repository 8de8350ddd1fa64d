"""Choosing the next decision, with a look first at the places that the rules for the whole grid ask for.

Deciding first on what is demanded: where a cardinality's least is unmet, a square or a slot is given to it.

Some places are drawn with a chance in proportion to the room that they leave: of a square, the
product of the words of both its slots that have the symbol there. So restarts try other places. Each
of these is tried out, and the one is taken after whose propagation the domains are largest. A cardinality
that the tables promise to meet many times over is left to chance until few places are left for it.

Before all else a way is decided on where there is a choice among some: of a few that are drawn, the roomiest.
Then pairs of squares that are to differ, as many as are asked for: first one entry's letter, next the other's.

What is decided next: what is demanded of the whole grid, then the slot that is likeliest to fail.
"""

from typing import cast

import numpy as np

from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.bits import NOUGHT, ONE, ZERO, as_int, is_single, lowest_bit
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import SYMBOLS as SYMBOL_BITS
from xwtui.engine.kernels.network import Longs, Network, limit_address, size_address, slot_count
from xwtui.engine.kernels.propagate.choices import (
    NEVER,
    allow,
    choice_count,
    first_open,
    first_way,
    is_met,
    open_squares,
    rule_out,
    take_way,
    with_way,
)
from xwtui.engine.kernels.propagate.constraints import (
    BOTH,
    CARDINALITIES,
    INSIDE,
    LEAST,
    SOUGHT,
    SYMBOLS,
    cardinality_record,
    cardinality_symbols,
    counts_squares,
    member,
    members,
    standing,
)
from xwtui.engine.kernels.propagate.pairs import COUNT, NEXT, are_wanted, square_of, telling
from xwtui.engine.kernels.propagate.propagate import propagate
from xwtui.engine.kernels.search import decisions as deciding
from xwtui.engine.kernels.search.choose import draw_noise, draw_row, draw_symbol, logarithm, measure_room
from xwtui.engine.kernels.search.decisions import Search, impose, next_slot, next_square
from xwtui.engine.kernels.state import DEPTH, STABLE, TIGHT, TRACING, State, pop_level, push_level, square_mask

_SPARE = 4
"""Places beyond what it asks for, up to which a cardinality that was left to chance is seen to."""

_LEAST_WEIGHT = -(1 << 62)


@kernel
def seek(network: Network, state: State, search: Search, left_to_chance: int, steering: Longs | None) -> bool:
    """Write a decision for a choice among ways, or for the neediest unmet cardinality; False where there is none.

    Cardinalities that are left to chance, and have places to spare, are looked at only if asked for.
    """
    if steering is None:
        return False
    if len(network.constraints) == 0:
        return False
    if _seek_way(network, state, search) or _seek_pair(network, state, search):
        return True
    cardinality = _neediest(network, state, left_to_chance != 0)
    if cardinality < 0:
        return False
    _forget_candidates(search)
    for number in range(members(network, cardinality)):
        who = member(network, cardinality, number)
        if standing(network, state, cardinality, who) == BOTH:
            if counts_squares(network, cardinality):
                symbols = square_mask(network, state, who) & cardinality_symbols(network, cardinality)
                what, weight = draw_symbol(network, state, search, who, symbols, deciding.UNIT)
                who = ~who
            else:
                what, weight = _draw_row(network, state, search, cardinality, who)
            _keep_candidate(search, who, what, weight)
    return _take_roomiest(network, state, search)


@kernel
def _seek_way(network: Network, state: State, search: Search) -> bool:
    """Write a way of the first choice of which none is taken as the next decision; False where all are met."""
    decisions, depth = search.decisions, state.control[DEPTH]
    for choice in range(choice_count(network)):
        if not is_met(network, state, choice):
            tight = as_int(state.control[TIGHT])
            state.control[TIGHT] = tight if depth > 0 else 0  # what is ruled out at the root stays so
            way = _roomiest_way(network, state, search, choice)
            state.control[TIGHT] = tight
            square, symbol = first_open(network, state, way)
            decisions[depth, 0], decisions[depth, 1] = ~square, with_way(symbol, way)
            return True
    return False


@kernel
def _seek_pair(network: Network, state: State, search: Search) -> bool:
    """Write a letter of a pair that is to differ as the next decision; False where enough do."""
    record, depth = 0, state.control[DEPTH]
    last = search.decisions[depth - 1, 0] if depth > 0 else deciding.NOBODY
    while record < len(network.pairs):
        if are_wanted(network, state, record):
            _forget_candidates(search)
            for pair in range(network.pairs[record + COUNT]):
                first, second = square_of(network, record, pair, 0), square_of(network, record, pair, 1)
                across, down = square_mask(network, state, first), square_mask(network, state, second)
                if across & down == ZERO:
                    continue
                one, other = telling(network, record, across, down)
                if one == ZERO:
                    continue
                square, symbols = (second, other) if is_single(across) else (first, one)
                what, weight = draw_symbol(network, state, search, square, symbols, deciding.UNIT)
                if last == ~first:
                    _forget_candidates(search)
                _keep_candidate(search, ~square, what, weight)
                if last == ~first:
                    break
            if _take_roomiest(network, state, search):
                return True
        record = as_int(network.pairs[record + NEXT])
    return False


@kernel
def _roomiest_way(network: Network, state: State, search: Search, choice: int) -> int:
    """Draw a few of a choice's possible ways and return the roomiest; those that turn out dead ends are ruled out.

    The last way is never ruled out, so that a choice without any fails as others do.
    """
    last = -1
    while True:
        _forget_candidates(search)
        for way in range(first_way(network, choice), first_way(network, choice + 1)):
            if open_squares(network, state, way) != NEVER:
                _keep_candidate(search, way, 0, draw_noise(search, deciding.UNIT))
        best, most, dead = -1, _LEAST_WEIGHT, 0
        for number in range(len(search.probes)):
            if search.probes[number, deciding.WEIGHT] > _LEAST_WEIGHT:
                last = as_int(search.probes[number, deciding.WHO])
                tracing = _begin_probe(state)
                take_way(network, state, last)
                room = _end_probe(network, state, tracing)
                if room > most:
                    best, most = last, room
                elif room == _LEAST_WEIGHT:
                    rule_out(network, state, last)
                    dead += 1
        if best >= 0:
            return best
        if dead < len(search.probes):
            allow(network, state, last)
            return last


@inlined
def _forget_candidates(search: Search) -> None:
    for number in range(len(search.probes)):
        search.probes[number, deciding.WEIGHT] = _LEAST_WEIGHT


@inlined
def _keep_candidate(search: Search, who: int, what: int, weight: int) -> None:
    """Keep a decision among the candidates, if it weighs more than the lightest of them."""
    lightest = 0
    for number in range(1, len(search.probes)):
        if search.probes[number, deciding.WEIGHT] < search.probes[lightest, deciding.WEIGHT]:
            lightest = number
    if weight > search.probes[lightest, deciding.WEIGHT]:
        search.probes[lightest, deciding.WHO] = who
        search.probes[lightest, deciding.WHAT] = what
        search.probes[lightest, deciding.WEIGHT] = weight


@kernel
def _take_roomiest(network: Network, state: State, search: Search) -> bool:
    """Decide on the candidate that leaves most room, any if all are dead ends; False if there is none."""
    decisions, depth = search.decisions, state.control[DEPTH]
    best, most = -1, _LEAST_WEIGHT
    for number in range(len(search.probes)):
        if search.probes[number, deciding.WEIGHT] > _LEAST_WEIGHT:
            slot, row = search.probes[number, deciding.WHO], search.probes[number, deciding.WHAT]
            room = _probe(network, state, search, slot, row)
            if best < 0 or room > most:
                best, most = number, room
    if best < 0:
        return False
    decisions[depth, 0] = search.probes[best, deciding.WHO]
    decisions[depth, 1] = search.probes[best, deciding.WHAT]
    return True


@kernel
def _probe(network: Network, state: State, search: Search, who: int, what: int) -> int:
    """The room after a decision, as `_end_probe` tells."""
    tracing = _begin_probe(state)
    impose(network, state, who, what)
    return _end_probe(network, state, tracing)


@inlined
def _begin_probe(state: State) -> int:
    """Begin to try something out; returns whether events were recorded."""
    tracing = as_int(state.control[TRACING])
    state.control[TRACING] = 0
    push_level(state)
    return tracing


@inlined
def _end_probe(network: Network, state: State, tracing: int) -> int:
    """Propagate what was tried, and take it back.

    Returns the logarithm of the product of all domains' sizes; hardly anything for a dead end.
    """
    room = _LEAST_WEIGHT
    if propagate(network, state) == STABLE:
        room = 0
        for slot in range(slot_count(network)):
            room += logarithm(as_int(state.memory[size_address(network, slot)]))
    pop_level(state)
    state.control[TRACING] = tracing
    return room


@kernel
def _neediest(network: Network, state: State, left_to_chance: bool) -> int:
    """The unmet cardinality with the fewest places for each that is still to be found, or -1."""
    best, fewest = -1, np.inf
    for cardinality in range(network.constraints[CARDINALITIES]):
        record = cardinality_record(cardinality)
        least = network.constraints[record + LEAST]
        if least > 0:
            enough = 1 << 30
            if network.constraints[record + SOUGHT] == 0 and not left_to_chance:
                enough = least + _SPARE
            decided, possible = _count(network, state, cardinality, least, enough)
            if decided < least and possible < enough:
                places = (possible - decided) / (least - decided)
                if places < fewest:
                    best, fewest = cardinality, places
    return best


@inlined
def _count(network: Network, state: State, cardinality: int, least: int, enough: int) -> tuple[int, int]:
    """Count a cardinality's decided and possible members, up to what is asked for and enough."""
    decided, possible = 0, 0
    for number in range(members(network, cardinality)):
        stands = standing(network, state, cardinality, member(network, cardinality, number))
        possible += stands & INSIDE
        decided += stands == INSIDE
        if decided >= least or possible >= enough:
            break
    return decided, possible


@kernel
def _draw_row(network: Network, state: State, search: Search, cardinality: int, slot: int) -> tuple[int, int]:
    """Draw one of a cardinality's rows for an open slot; returns it with its weight.

    That is the mean, over its crossings, of the logarithm of the share of crossing words that have its letter:
    so that slots of all lengths have their chance.
    """
    measure_room(network, state, search, slot)
    crossings, whole = _whole_room(network, state, search, slot)
    table, first = network.slots[slot, net.TABLE], network.slots[slot, net.PLACES]
    length = network.slots[slot + 1, net.PLACES] - first
    start = network.slots[slot, net.DOMAIN]
    rows = network.constraints[cardinality_record(cardinality) + SYMBOLS] + start
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
                room += search.room[SYMBOL_BITS * index + as_int(network.letters[letters + index])]
            weight = room // max(crossings, 1) + draw_noise(search, deciding.UNIT)
            if weight > most:
                best, most = row, weight
    return best, most


@inlined
def _whole_room(network: Network, state: State, search: Search, slot: int) -> tuple[int, int]:
    """The open crossings of a slot, and the logarithm of the product of their words."""
    crossings, whole = 0, 0
    for place in range(network.slots[slot, net.PLACES], network.slots[slot + 1, net.PLACES]):
        other = network.places[place, net.CROSSING]
        if other >= 0 and state.memory[size_address(network, other)] > ONE:
            crossings += 1
            whole += logarithm(as_int(state.memory[size_address(network, other)]))
    return crossings, whole


# Typed, because numba would compile `seek` once more for each literal that it is called with.
_UNLIKELY = NOUGHT
_LEFT_TO_CHANCE = cast(int, np.int64(1))


@kernel
def choose_decision(network: Network, state: State, search: Search) -> bool:
    """Write the next decision into `search.decisions` at the present depth; False where all is decided."""
    if seek(network, state, search, _UNLIKELY, network.steering):
        return True
    square = _square_to_decide(network, state, search) if search.progress[deciding.BY_SQUARES] != 0 else -1
    decisions, depth = search.decisions, state.control[DEPTH]
    if square >= 0:
        if depth == 0 or search.progress[deciding.REFUTED] != ~square:
            search.denied[depth] = ZERO
        symbols = square_mask(network, state, square) & ~search.denied[depth]
        decisions[depth, 0] = ~square
        # Chance makes restarts differ; a proof, which has none, is better off in order of room.
        noise = (
            search.settings[deciding.NOISE] if search.progress[deciding.RESTART_AT] < deciding.NO_RESTART else 0
        )
        decisions[depth, 1], _ = draw_symbol(network, state, search, square, symbols, noise)
        return True
    slot = next_slot(network, state, search)
    if slot < 0:
        return seek(network, state, search, _LEFT_TO_CHANCE, network.steering)
    decisions[depth, 0] = slot
    decisions[depth, 1] = draw_row(network, state, search, slot)
    return True


@kernel
def _square_to_decide(network: Network, state: State, search: Search) -> int:
    """The square just refuted, until it has a symbol; then one that failed at last; then the likeliest to fail.

    The second is last conflict: Lecoutre, Saïs, Tabary, Vidal, Reasoning from Last Conflict(s) in
    Constraint Programming, Artificial Intelligence 2009.
    """
    refuted, conflict = search.progress[deciding.REFUTED], search.progress[deciding.CONFLICT]
    if is_open(network, state, refuted):
        return as_int(~refuted)
    if search.settings[deciding.LAST_CONFLICT] != 0 and is_open(network, state, conflict):
        return as_int(~conflict)
    return next_square(network, state, search)


@inlined
def is_open(network: Network, state: State, who: int) -> bool:
    """Tell whether this is a square with two symbols left, or more."""
    return bool(who < 0 and who != deciding.NOBODY and not is_single(square_mask(network, state, ~who)))
