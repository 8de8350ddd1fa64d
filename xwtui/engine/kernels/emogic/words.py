"""Emogic's word search, compiled: `strategies.emogic_words` says what it does, and each step here is one there.

Words are in tables, one for the slots that may have the same ones; which words have a symbol at a place is a set
of bits, one a word, the first word in the lowest bit of the first block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.bits import ALL, ONE, ZERO, as_int, bit, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel
from xwtui.engine.kernels.emogic.letters import FULL, GOING_ON, OVER, are_alike, put_first, shuffle

Longs = NDArray[np.int64]

# The rules for going back, in WordWalk.rules[RULE].
NAIVE, CAMBON, EMOGIC = 0, 1, 2

# Places in WordWalk.rules.
RULE, IS_SHUFFLED, MAY_REPEAT, IS_META = 0, 1, 2, 3
RULES = 4

# Places in WordStand.control.
DEPTH, PHASE, IS_FRESH, BLAMES_REPEATS, FAILED, HAS_TARGETS, NODES, BACKTRACKS, DEEPEST = 0, 1, 2, 3, 4, 5, 6, 7, 8
CONTROLS = 9

# What is to be done next: choose a slot, lay a word, look at its crossings, go back.
_PICK, _LAY, _CHECK, _BACK = 0, 1, 2, 3

_BLOCK = 64


class WordWalk(NamedTuple):
    """What is searched: N squares, M slots, P places of squares in slots, C crossings, K tables, S symbols."""

    walk: Longs
    """(M,) the slots in their order."""
    starts: Longs
    """(M + 1,) where the squares of each slot begin in `squares`."""
    squares: Longs
    """(P,)"""
    cross_starts: Longs
    """(M + 1,) where the crossings of each slot begin."""
    crossings: Longs
    """(C x 3) the place along the slot, the other slot, and the place along that."""
    tables: Longs
    """(M,) the table of each slot."""
    sizes: Longs
    """(K x 2) words and blocks of each table."""
    letter_starts: Longs
    """(K,) where the letters of each table begin, word after word."""
    letters: NDArray[np.int8]
    bit_starts: Longs
    """(K,) where the sets of each table begin, for each place those of all symbols."""
    bits: NDArray[np.uint64]
    beginning: Longs
    """(N,) the symbol that is to be tried first, -1 for none."""
    targets: NDArray[np.uint8]
    """(M x M) 1 where the second slot may be to blame for the first."""
    rules: Longs
    """(RULES,)"""
    symbols: Longs
    """(1,) S"""
    most: Longs
    """(1,) the most words of a table."""


class WordStand(NamedTuple):
    """Where the search stands."""

    symbols: Longs
    """(N,) what stands on each square, -1 for nothing."""
    empty: Longs
    """(M,) how many squares of a slot are empty."""
    laid: Longs
    """(M,) the slot of each decision."""
    left: NDArray[np.int32]
    """(M * most words,) the words of each decision."""
    next_left: Longs
    """(M,) how many of them have been tried."""
    end_left: Longs
    """(M,) how many there are."""
    is_written: NDArray[np.uint8]
    """(M x longest) whether a decision wrote on a square of its slot."""
    allowed: NDArray[np.uint64]
    """(longest,) scratch: the letters that may come at each place of a slot."""
    control: Longs
    """(CONTROLS,)"""
    chance: NDArray[np.uint32]
    """(625,)"""


@entry_point
def advance_words(walk: WordWalk, stand: WordStand, steps: int) -> int:
    """Lay so many words at most: GOING_ON, FULL where the grid is full, OVER where all has been tried."""
    control = stand.control
    while True:
        phase = control[PHASE]
        if phase == _PICK:
            control[BLAMES_REPEATS] = 0
            slot = _next_slot(walk, stand)
            if slot < 0:
                control[PHASE] = _BACK
                control[HAS_TARGETS] = 0
                return FULL
            stand.laid[control[DEPTH]] = slot
            _find_words(walk, stand, slot)
            control[IS_FRESH] = 1
            control[PHASE] = _LAY
        elif phase == _LAY:
            depth = control[DEPTH]
            if stand.next_left[depth] < stand.end_left[depth]:
                _choose(walk, stand)
                control[PHASE] = _CHECK
                steps -= 1
                if steps <= 0:
                    return GOING_ON
            else:
                _give_up(walk, stand)
                control[PHASE] = _BACK
        elif phase == _CHECK:
            if _is_in_trouble(walk, stand):
                _undo(walk, stand)
                control[BACKTRACKS] += 1
                control[PHASE] = _LAY
            else:
                control[PHASE] = _PICK
        elif not _step_back(walk, stand):
            return OVER


@kernel
def _next_slot(walk: WordWalk, stand: WordStand) -> int:
    """The first slot of the walk that is not filled; -1 where all are."""
    for slot in walk.walk:
        if stand.empty[slot]:
            return as_int(slot)
    return -1


# Forwards


@kernel
def _find_words(walk: WordWalk, stand: WordStand, slot: int) -> None:
    """List the words to try in a slot."""
    start, length = walk.starts[slot], walk.starts[slot + 1] - walk.starts[slot]
    for at in range(length):
        stand.allowed[at] = ALL
    if walk.rules[IS_META]:
        for number in range(walk.cross_starts[slot], walk.cross_starts[slot + 1]):
            at = walk.crossings[number, 0]
            if stand.symbols[walk.squares[start + at]] < 0:
                stand.allowed[at] = _crossing_letters(walk, stand, number)
    _list_words(walk, stand, slot, length)
    if not walk.rules[MAY_REPEAT]:
        _leave_out_taken(walk, stand, slot)
    first = stand.control[DEPTH] * walk.most[0]
    count = stand.end_left[stand.control[DEPTH]]
    if walk.rules[IS_SHUFFLED]:
        shuffle(stand.chance, stand.left, first, count)
    _put_standing_first(walk, stand, slot, first, count)


@kernel
def _fitting(walk: WordWalk, stand: WordStand, slot: int, block: int) -> np.uint64:
    """Those of a block of 64 words of a slot's table that fit what stands there, as a set."""
    table, start = walk.tables[slot], walk.starts[slot]
    over = walk.sizes[table, 0] - block * _BLOCK
    found = ALL if over >= _BLOCK else bit(over) - ONE
    blocks = walk.sizes[table, 1]
    for at in range(walk.starts[slot + 1] - start):
        symbol = stand.symbols[walk.squares[start + at]]
        if symbol >= 0:
            found &= walk.bits[walk.bit_starts[table] + (at * walk.symbols[0] + symbol) * blocks + block]
            if found == ZERO:
                break
    return found


@kernel
def _crossing_letters(walk: WordWalk, stand: WordStand, number: int) -> np.uint64:
    """The letters that the words of a crossing slot, as they fit what stands, have at the square."""
    slot, at = walk.crossings[number, 1], walk.crossings[number, 2]
    letters = ZERO
    for block in range(walk.sizes[walk.tables[slot], 1]):
        left = _fitting(walk, stand, slot, block)
        while left != ZERO:
            letters |= bit(_letter(walk, slot, block * _BLOCK + lowest_bit(left), at))
            left &= left - ONE
    return letters


@kernel
def _list_words(walk: WordWalk, stand: WordStand, slot: int, length: int) -> None:
    """List those of the fitting words whose letters are all allowed."""
    depth = stand.control[DEPTH]
    first, count = depth * walk.most[0], 0
    for block in range(walk.sizes[walk.tables[slot], 1]):
        left = _fitting(walk, stand, slot, block)
        while left != ZERO:
            word = block * _BLOCK + lowest_bit(left)
            left &= left - ONE
            is_allowed = True
            for at in range(length):
                if not stand.allowed[at] & bit(_letter(walk, slot, word, at)):
                    is_allowed = False
                    break
            if is_allowed:
                stand.left[first + count] = word
                count += 1
    stand.next_left[depth] = 0
    stand.end_left[depth] = count


@kernel
def _leave_out_taken(walk: WordWalk, stand: WordStand, slot: int) -> None:
    """Leave out the words that stand in other slots, and note whether there were any."""
    depth = stand.control[DEPTH]
    first, length = depth * walk.most[0], walk.starts[slot + 1] - walk.starts[slot]
    for other in range(len(walk.tables)):
        begin = walk.starts[other]
        if stand.empty[other] or walk.starts[other + 1] - begin != length:
            continue
        kept = 0
        for place in range(stand.end_left[depth]):
            word = stand.left[first + place]
            is_taken = True
            for at in range(length):
                if stand.symbols[walk.squares[begin + at]] != _letter(walk, slot, word, at):
                    is_taken = False
                    break
            if is_taken:
                stand.control[BLAMES_REPEATS] = 1
            else:
                stand.left[first + kept] = word
                kept += 1
        stand.end_left[depth] = kept


@kernel
def _put_standing_first(walk: WordWalk, stand: WordStand, slot: int, first: int, count: int) -> None:
    """Let the first word come first that agrees with what the search is to begin with, where that is anything."""
    start, length = walk.starts[slot], walk.starts[slot + 1] - walk.starts[slot]
    is_anything = False
    for at in range(length):
        is_anything |= walk.beginning[walk.squares[start + at]] >= 0
    if not is_anything:
        return
    for place in range(first, first + count):
        word = stand.left[place]
        agrees = True
        for at in range(length):
            wanted = walk.beginning[walk.squares[start + at]]
            agrees &= wanted < 0 or wanted == _letter(walk, slot, word, at)
        if agrees:
            put_first(stand.left, first, place)
            return


@kernel
def _letter(walk: WordWalk, slot: int, word: int, at: int) -> int:
    """The symbol of a word of a slot at a place."""
    length = walk.starts[slot + 1] - walk.starts[slot]
    return as_int(walk.letters[walk.letter_starts[walk.tables[slot]] + word * length + at])


@kernel
def _choose(walk: WordWalk, stand: WordStand) -> None:
    """Lay the next word of the decision."""
    control = stand.control
    depth = control[DEPTH]
    slot = stand.laid[depth]
    word = as_int(stand.left[depth * walk.most[0] + stand.next_left[depth]])
    stand.next_left[depth] += 1
    start = walk.starts[slot]
    for at in range(walk.starts[slot + 1] - start):
        square = walk.squares[start + at]
        stand.is_written[depth, at] = stand.symbols[square] < 0
        stand.symbols[square] = _letter(walk, slot, word, at)
        if stand.is_written[depth, at]:
            stand.empty[slot] -= 1
    _count_crossed(walk, stand, slot, depth, -1)
    control[DEPTH] += 1
    control[NODES] += 1
    control[DEEPEST] = max(control[DEEPEST], control[DEPTH])


@kernel
def _count_crossed(walk: WordWalk, stand: WordStand, slot: int, depth: int, change: int) -> None:
    """Count the empty squares of the slots that cross a word at the squares that it writes or leaves."""
    for number in range(walk.cross_starts[slot], walk.cross_starts[slot + 1]):
        if stand.is_written[depth, walk.crossings[number, 0]]:
            stand.empty[walk.crossings[number, 1]] += change


@kernel
def _is_in_trouble(walk: WordWalk, stand: WordStand) -> bool:
    """Whether the word laid just now leaves a crossing without a word, or with one that stands twice."""
    depth = stand.control[DEPTH] - 1
    slot = stand.laid[depth]
    for number in range(walk.cross_starts[slot], walk.cross_starts[slot + 1]):
        if not stand.is_written[depth, walk.crossings[number, 0]]:
            continue
        other = walk.crossings[number, 1]
        if not _has_word(walk, stand, other):
            return True
        if stand.empty[other] == 0 and not walk.rules[MAY_REPEAT] and _stands_twice(walk, stand, other):
            stand.control[BLAMES_REPEATS] = 1
            return True
    return False


@kernel
def _has_word(walk: WordWalk, stand: WordStand, slot: int) -> bool:
    """Whether a word fits what stands in a slot, some letter of which is known."""
    block, blocks = 0, walk.sizes[walk.tables[slot], 1]
    while block < blocks and _fitting(walk, stand, slot, block) == ZERO:
        block += 1
    return bool(block < blocks)


@kernel
def _stands_twice(walk: WordWalk, stand: WordStand, slot: int) -> bool:
    """Whether another slot has the same answer."""
    for other in range(len(walk.tables)):
        is_filled = other != slot and stand.empty[other] == 0
        if is_filled and are_alike(walk.starts, walk.squares, stand.symbols, slot, other):
            return True
    return False


# Backwards


@kernel
def _undo(walk: WordWalk, stand: WordStand) -> int:
    """Take the last word back; returns its slot."""
    control = stand.control
    control[DEPTH] -= 1
    depth = control[DEPTH]
    slot = stand.laid[depth]
    start = walk.starts[slot]
    for at in range(walk.starts[slot + 1] - start):
        if stand.is_written[depth, at]:
            stand.symbols[walk.squares[start + at]] = -1
            stand.empty[slot] += 1
    _count_crossed(walk, stand, slot, depth, 1)
    return as_int(slot)


@kernel
def _give_up(walk: WordWalk, stand: WordStand) -> None:
    """Note where to go back to from a slot that no word is left for."""
    control, rule = stand.control, walk.rules[RULE]
    if control[IS_FRESH]:
        control[FAILED] = stand.laid[control[DEPTH]]
        control[HAS_TARGETS] = rule == EMOGIC or (rule == CAMBON and not control[BLAMES_REPEATS])
    elif rule != EMOGIC:
        control[HAS_TARGETS] = 0


@kernel
def _step_back(walk: WordWalk, stand: WordStand) -> bool:
    """Take a word back, and lay the next one there if it is a place to try; False where nothing is left."""
    control = stand.control
    if control[DEPTH] == 0:
        return False
    slot = _undo(walk, stand)
    if control[HAS_TARGETS] and not walk.targets[control[FAILED], slot]:
        return True
    control[BACKTRACKS] += 1
    if stand.next_left[control[DEPTH]] < stand.end_left[control[DEPTH]]:
        control[IS_FRESH] = 0
        control[PHASE] = _LAY
    elif walk.rules[RULE] != EMOGIC:
        control[HAS_TARGETS] = 0
    return True
