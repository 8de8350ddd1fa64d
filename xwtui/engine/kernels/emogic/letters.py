"""Emogic's letter search, compiled: each step matches one in `strategies.emogic_letters`, which documents it.

Random numbers are those of Python's `random.Random`, so the same seed gives the same shuffles. Source: Matsumoto,
Nishimura, "Mersenne Twister", ACM TOMACS 1998. Like `random.shuffle`, it draws numbers below a bound by discarding
those that are too large. The word search also uses the shuffle, the comparison of two slots and the move to front.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.bits import ALL, ONE, as_int, bit, count_bits
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel

_STATE = 624
_MIDDLE = 397
_UPPER = np.uint32(0x80000000)
_LOWER = np.uint32(0x7FFFFFFF)
_TWIST = np.uint32(0x9908B0DF)
_FIRST_MASK = np.uint32(0x9D2C5680)
_SECOND_MASK = np.uint32(0xEFC60000)
_ONE = np.uint32(1)
_NONE = np.uint32(0)
_WIDTH = 32


def chance_of(rng: Random) -> NDArray[np.uint32]:
    """Return a generator's state, shape (625,): the twister's words and the index of its next number."""
    return np.array(rng.getstate()[1], np.uint32)


@kernel
def shuffle(chance: NDArray[np.uint32], items: NDArray[np.int32], first: int, count: int) -> None:
    """Shuffle `count` items starting at `first` as `Random.shuffle` would, advancing the state."""
    for last in range(count - 1, 0, -1):
        place = _below(chance, last + 1)
        moved = items[first + last]
        items[first + last] = items[first + place]
        items[first + place] = moved


@kernel
def _below(chance: NDArray[np.uint32], bound: int) -> int:
    """Draw a number from 0 up to, but not including, a bound below 2**32."""
    width = 0
    while bound >> width:
        width += 1
    drawn = _number(chance) >> (_WIDTH - width)
    while drawn >= bound:
        drawn = _number(chance) >> (_WIDTH - width)
    return drawn


@kernel
def _number(chance: NDArray[np.uint32]) -> int:
    """Draw the next 32-bit number."""
    place = as_int(chance[_STATE])
    if place >= _STATE:
        _renew(chance)
        place = 0
    drawn = chance[place]
    chance[_STATE] = np.uint32(place + 1)
    drawn ^= drawn >> np.uint32(11)
    drawn ^= (drawn << np.uint32(7)) & _FIRST_MASK
    drawn ^= (drawn << np.uint32(15)) & _SECOND_MASK
    return as_int(drawn ^ (drawn >> np.uint32(18)))


@kernel
def _renew(chance: NDArray[np.uint32]) -> None:
    """Generate the next 624 numbers."""
    for place in range(_STATE):
        mixed = (chance[place] & _UPPER) | (chance[(place + 1) % _STATE] & _LOWER)
        odd = _TWIST if mixed & _ONE else _NONE
        chance[place] = chance[(place + _MIDDLE) % _STATE] ^ (mixed >> _ONE) ^ odd


Longs = NDArray[np.int64]

# Results of an advance.
GOING_ON, FULL, OVER = 0, 1, 2

# Backtracking rules.
NAIVE, CAMBON, BY_TEXT, BY_SCRIPT = 0, 1, 2, 3

# Indices into LetterWalk.rules.
RULE, IS_SHUFFLED, MAY_REPEAT = 0, 1, 2
RULES = 3

# Indices into LetterState.control.
DEPTH, GIVEN, IS_FULL, IS_LOCAL, NODES, BACKTRACKS, DEEPEST = 0, 1, 2, 3, 4, 5, 6
CONTROLS = 7


class LetterWalk(NamedTuple):
    """The search problem: N squares, M slots, S symbols, P places of squares in slots, T nodes of all tries."""

    walk: Longs
    """(N,) the square at each turn."""
    slots: Longs
    """(N x 2) the slots through a square, -1 for none."""
    places: Longs
    """(N x 2) the square's index in each."""
    starts: Longs
    """(M + 1,) where the squares of each slot start in `squares`."""
    squares: Longs
    """(P,)"""
    roots: Longs
    """(M,) the root of each slot's trie."""
    masks: NDArray[np.uint64]
    """(T,) the symbols that may follow a node, as bits."""
    firsts: Longs
    """(T,) the child for the lowest of these symbols; the other children follow in order."""
    given: Longs
    """(N,) the symbol given on a square, -1 for none."""
    preferred: Longs
    """(N,) the symbol to try first, -1 for none."""
    order: Longs
    """(N x S) the symbols in the order in which to try them, before shuffling."""
    targets: NDArray[np.uint8]
    """(N x N) 1 if the second square is left of or above the first in a slot that contains both."""
    latest: Longs
    """(N,) the last turn among those targets, -1 for none."""
    corners: Longs
    """(N x 2) row and column."""
    rules: Longs
    """(RULES,)"""


class LetterState(NamedTuple):
    """The state of the search."""

    symbols: Longs
    """(N,) the symbol on each square, -1 for none."""
    empty: Longs
    """(M,) number of empty squares in each slot."""
    path: Longs
    """(P,) the trie node that each slot's letters lead to."""
    left: NDArray[np.int32]
    """(N * S,) the letters to try at each turn."""
    next_left: Longs
    """(N,) how many of them have been tried."""
    end_left: Longs
    """(N,) how many there are."""
    is_written: NDArray[np.uint8]
    """(N,) whether the turn wrote its square."""
    targets: NDArray[np.uint8]
    """(N,) scratch."""
    control: Longs
    """(CONTROLS,)"""
    chance: NDArray[np.uint32]
    """(625,)"""


@entry_point
def advance_letters(walk: LetterWalk, state: LetterState, steps: int) -> int:
    """Place at most `steps` letters: GOING_ON, FULL if the grid is full, OVER if everything has been tried."""
    control = state.control
    while True:
        if control[IS_FULL]:
            control[IS_FULL] = 0
            failed = -1
        else:
            if steps <= 0:
                return GOING_ON
            turn = control[DEPTH]
            if turn == len(walk.walk):
                control[IS_FULL] = 1
                return FULL
            failed = walk.walk[turn]
            _find_letters(walk, state, turn, failed)
            if state.end_left[turn]:
                _choose(walk, state)
                steps -= 1
                continue
        if not _go_back(walk, state, failed):
            return OVER
        steps -= 1


@kernel
def _find_letters(walk: LetterWalk, state: LetterState, turn: int, square: int) -> None:
    """List the letters to try at a turn, and record whether any were excluded only because of repeats."""
    legal = ALL
    for side in range(2):
        if walk.slots[square, side] >= 0:
            legal &= walk.masks[_node_before(walk, state, square, side)]
    state.control[IS_LOCAL] = 1
    state.next_left[turn] = 0
    symbols = walk.order.shape[1]
    first = turn * symbols
    given = walk.given[square]
    count = 0
    if given >= 0:
        if legal & bit(given):
            state.left[first] = given
            count = 1
        state.end_left[turn] = count
        return
    for rank in range(symbols):
        symbol = walk.order[square, rank]
        if legal & bit(symbol):
            if not walk.rules[MAY_REPEAT] and _would_repeat(walk, state, square, symbol):
                state.control[IS_LOCAL] = 0
            else:
                state.left[first + count] = symbol
                count += 1
    if walk.rules[IS_SHUFFLED]:
        shuffle(state.chance, state.left, first, count)
    state.end_left[turn] = count
    for place in range(first, first + count):
        if state.left[place] == walk.preferred[square]:
            put_first(state.left, first, place)
            break


@kernel
def _node_before(walk: LetterWalk, state: LetterState, square: int, side: int) -> int:
    """Return the trie node reached by the letters before a square in one of its slots."""
    slot, at = walk.slots[square, side], walk.places[square, side]
    return as_int(walk.roots[slot] if at == 0 else state.path[walk.starts[slot] + at - 1])


@kernel
def _would_repeat(walk: LetterWalk, state: LetterState, square: int, symbol: int) -> bool:
    state.symbols[square] = symbol
    is_repeat = False
    for side in range(2):
        slot = walk.slots[square, side]
        if slot < 0 or state.empty[slot] != 1:
            continue
        for other in range(len(walk.roots)):
            is_filled = state.empty[other] == 0
            if side == 1 and other == walk.slots[square, 0]:
                is_filled = state.empty[other] == 1
            if other != slot and is_filled and are_alike(walk.starts, walk.squares, state.symbols, slot, other):
                is_repeat = True
                break
    state.symbols[square] = -1
    return is_repeat


@kernel
def are_alike(starts: Longs, squares: Longs, symbols: Longs, slot: int, other: int) -> bool:
    """Whether two slots have the same content."""
    start, begin, length = starts[slot], starts[other], starts[slot + 1] - starts[slot]
    if starts[other + 1] - begin != length:
        return False
    same = 0
    while same < length and symbols[squares[start + same]] == symbols[squares[begin + same]]:
        same += 1
    return bool(same == length)


@kernel
def put_first(items: NDArray[np.int32], first: int, place: int) -> None:
    """Move an item to the front, shifting those before it back by one."""
    moved = items[place]
    for later in range(place, first, -1):
        items[later] = items[later - 1]
    items[first] = moved


@kernel
def _choose(walk: LetterWalk, state: LetterState) -> None:
    control = state.control
    turn = control[DEPTH]
    square = walk.walk[turn]
    symbol = as_int(state.left[turn * walk.order.shape[1] + state.next_left[turn]])
    state.next_left[turn] += 1
    state.is_written[turn] = state.symbols[square] < 0
    for side in range(2):
        slot = walk.slots[square, side]
        if slot >= 0:
            node = _node_before(walk, state, square, side)
            lower = walk.masks[node] & (bit(symbol) - ONE)
            state.path[walk.starts[slot] + walk.places[square, side]] = walk.firsts[node] + count_bits(lower)
            state.empty[slot] -= as_int(state.is_written[turn])
    state.symbols[square] = symbol
    control[DEPTH] += 1
    if walk.given[square] >= 0:
        control[GIVEN] += 1
    else:
        control[NODES] += 1
        control[DEEPEST] = max(control[DEEPEST], control[DEPTH] - control[GIVEN])


@kernel
def _undo(walk: LetterWalk, state: LetterState) -> int:
    """Remove the last letter; return its square."""
    control = state.control
    control[DEPTH] -= 1
    turn = control[DEPTH]
    square = walk.walk[turn]
    if state.is_written[turn]:
        state.symbols[square] = -1
        for side in range(2):
            if walk.slots[square, side] >= 0:
                state.empty[walk.slots[square, side]] += 1
    if walk.given[square] >= 0:
        control[GIVEN] -= 1
    return as_int(square)


@kernel
def _go_back(walk: LetterWalk, state: LetterState, failed: int) -> bool:
    """Backtrack from a square without letters, or from a fill, and place the next letter there."""
    control, rule = state.control, walk.rules[RULE]
    if rule == CAMBON and failed >= 0 and control[IS_LOCAL]:
        while control[DEPTH] > walk.latest[failed] + 1:
            _undo(walk, state)
    targets = 0
    if rule in (BY_TEXT, BY_SCRIPT) and failed >= 0:
        targets = _set_targets(walk, state, failed)
    while control[DEPTH]:
        square = _undo(walk, state)
        is_target = targets > 0 and state.targets[square] == 1
        if targets > 0 and not is_target and not _is_above_and_left(walk, square, failed):
            continue
        if walk.given[square] < 0:
            control[BACKTRACKS] += 1
        if state.next_left[control[DEPTH]] < state.end_left[control[DEPTH]]:
            _choose(walk, state)
            return True
        if is_target:
            state.targets[square] = 0
            targets -= 1
        elif rule == BY_SCRIPT:
            failed = square
            targets = _set_targets(walk, state, failed)
        else:
            targets = 0
    return False


@kernel
def _set_targets(walk: LetterWalk, state: LetterState, failed: int) -> int:
    """Make the squares before a failed one the targets; return their number."""
    count = 0
    for square in range(len(state.targets)):
        state.targets[square] = walk.targets[failed, square]
        count += as_int(state.targets[square])
    return count


@kernel
def _is_above_and_left(walk: LetterWalk, square: int, failed: int) -> bool:
    is_above = walk.corners[square, 0] < walk.corners[failed, 0]
    return bool(is_above and walk.corners[square, 1] < walk.corners[failed, 1])
