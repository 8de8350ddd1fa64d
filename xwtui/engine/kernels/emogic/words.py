"""Emogic's word search, compiled: each step matches one in `strategies.emogic_words`, which documents it.

Words are stored in tables, one for all slots that may take the same words. The words with a symbol at an index are
a bit-set with one bit for each word, the first word in the lowest bit of the first block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.bits import ALL, ONE, ZERO, as_int, bit, lowest_bit
from xwtui.engine.kernels.compiler.compiled import entry_point, kernel
from xwtui.engine.kernels.emogic.letters import FULL, GOING_ON, OVER, are_alike, put_first, shuffle

Longs = NDArray[np.int64]

# Backtracking rules, in WordWalk.rules[RULE].
NAIVE, CAMBON, EMOGIC = 0, 1, 2

# Indices into WordWalk.rules.
RULE, IS_SHUFFLED, MAY_REPEAT, IS_META = 0, 1, 2, 3
RULES = 4

# Indices into WordState.control.
DEPTH, PHASE, IS_FRESH, BLAMES_REPEATS, FAILED, HAS_TARGETS, NODES, BACKTRACKS, DEEPEST = 0, 1, 2, 3, 4, 5, 6, 7, 8
CONTROLS = 9

# Next action: choose a slot, place a word, check its crossings, backtrack.
_PICK, _LAY, _CHECK, _BACK = 0, 1, 2, 3

_BLOCK = 64


class WordWalk(NamedTuple):
    """The search problem: N squares, M slots, P places of squares in slots, C crossings, K tables, S symbols."""

    walk: Longs
    """(M,) the slots in order."""
    starts: Longs
    """(M + 1,) where the squares of each slot start in `squares`."""
    squares: Longs
    """(P,)"""
    cross_starts: Longs
    """(M + 1,) where the crossings of each slot start."""
    crossings: Longs
    """(C x 3) index along the slot, the other slot, and the index along that."""
    tables: Longs
    """(M,) the table of each slot."""
    sizes: Longs
    """(K x 2) number of words and of blocks in each table."""
    letter_starts: Longs
    """(K,) where the letters of each table start, word after word."""
    letters: NDArray[np.int8]
    bit_starts: Longs
    """(K,) where the bit-sets of each table start: for each index, those of all symbols."""
    bits: NDArray[np.uint64]
    preferred: Longs
    """(N,) the symbol to try first, -1 for none."""
    targets: NDArray[np.uint8]
    """(M x M) 1 if the second slot may be to blame for the first."""
    rules: Longs
    """(RULES,)"""
    symbols: Longs
    """(1,) S"""
    most: Longs
    """(1,) number of words in the largest table."""


class WordState(NamedTuple):
    """The state of the search."""

    symbols: Longs
    """(N,) the symbol on each square, -1 for none."""
    empty: Longs
    """(M,) number of empty squares in each slot."""
    decided: Longs
    """(M,) the slot of each decision."""
    left: NDArray[np.int32]
    """(M * most words,) the words to try for each decision."""
    next_left: Longs
    """(M,) how many of them have been tried."""
    end_left: Longs
    """(M,) how many there are."""
    is_written: NDArray[np.uint8]
    """(M x longest) whether a decision wrote each square of its slot."""
    allowed: NDArray[np.uint64]
    """(longest,) scratch: the letters allowed at each index of a slot."""
    control: Longs
    """(CONTROLS,)"""
    chance: NDArray[np.uint32]
    """(625,)"""


@entry_point
def advance_words(walk: WordWalk, state: WordState, steps: int) -> int:
    """Place at most `steps` words: GOING_ON, FULL if the grid is full, OVER if everything has been tried."""
    control = state.control
    while True:
        phase = control[PHASE]
        if phase == _PICK:
            control[BLAMES_REPEATS] = 0
            slot = _next_slot(walk, state)
            if slot < 0:
                control[PHASE] = _BACK
                control[HAS_TARGETS] = 0
                return FULL
            state.decided[control[DEPTH]] = slot
            _find_words(walk, state, slot)
            control[IS_FRESH] = 1
            control[PHASE] = _LAY
        elif phase == _LAY:
            depth = control[DEPTH]
            if state.next_left[depth] < state.end_left[depth]:
                _choose(walk, state)
                control[PHASE] = _CHECK
                steps -= 1
                if steps <= 0:
                    return GOING_ON
            else:
                _plan_backtrack(walk, state)
                control[PHASE] = _BACK
        elif phase == _CHECK:
            if _breaks_crossing(walk, state):
                _undo(walk, state)
                control[BACKTRACKS] += 1
                control[PHASE] = _LAY
            else:
                control[PHASE] = _PICK
        elif not _step_back(walk, state):
            return OVER


@kernel
def _next_slot(walk: WordWalk, state: WordState) -> int:
    """Return the first slot in order that is not filled; -1 if all are."""
    for slot in walk.walk:
        if state.empty[slot]:
            return as_int(slot)
    return -1


# Forwards


@kernel
def _find_words(walk: WordWalk, state: WordState, slot: int) -> None:
    start, length = walk.starts[slot], walk.starts[slot + 1] - walk.starts[slot]
    for at in range(length):
        state.allowed[at] = ALL
    if walk.rules[IS_META]:
        for number in range(walk.cross_starts[slot], walk.cross_starts[slot + 1]):
            at = walk.crossings[number, 0]
            if state.symbols[walk.squares[start + at]] < 0:
                state.allowed[at] = _crossing_letters(walk, state, number)
    _list_words(walk, state, slot, length)
    if not walk.rules[MAY_REPEAT]:
        _exclude_taken(walk, state, slot)
    first = state.control[DEPTH] * walk.most[0]
    count = state.end_left[state.control[DEPTH]]
    if walk.rules[IS_SHUFFLED]:
        shuffle(state.chance, state.left, first, count)
    _put_preferred_first(walk, state, slot, first, count)


@kernel
def _fitting(walk: WordWalk, state: WordState, slot: int, block: int) -> np.uint64:
    """Return, of a block of 64 words in a slot's table, those that fit the slot's content, as bits."""
    table, start = walk.tables[slot], walk.starts[slot]
    over = walk.sizes[table, 0] - block * _BLOCK
    found = ALL if over >= _BLOCK else bit(over) - ONE
    blocks = walk.sizes[table, 1]
    for at in range(walk.starts[slot + 1] - start):
        symbol = state.symbols[walk.squares[start + at]]
        if symbol >= 0:
            found &= walk.bits[walk.bit_starts[table] + (at * walk.symbols[0] + symbol) * blocks + block]
            if found == ZERO:
                break
    return found


@kernel
def _crossing_letters(walk: WordWalk, state: WordState, number: int) -> np.uint64:
    """Return the letters at the shared square of the crossing slot's fitting words, as bits."""
    slot, at = walk.crossings[number, 1], walk.crossings[number, 2]
    letters = ZERO
    for block in range(walk.sizes[walk.tables[slot], 1]):
        left = _fitting(walk, state, slot, block)
        while left != ZERO:
            letters |= bit(_letter(walk, slot, block * _BLOCK + lowest_bit(left), at))
            left &= left - ONE
    return letters


@kernel
def _list_words(walk: WordWalk, state: WordState, slot: int, length: int) -> None:
    """List the fitting words all of whose letters are allowed."""
    depth = state.control[DEPTH]
    first, count = depth * walk.most[0], 0
    for block in range(walk.sizes[walk.tables[slot], 1]):
        left = _fitting(walk, state, slot, block)
        while left != ZERO:
            word = block * _BLOCK + lowest_bit(left)
            left &= left - ONE
            is_allowed = True
            for at in range(length):
                if not state.allowed[at] & bit(_letter(walk, slot, word, at)):
                    is_allowed = False
                    break
            if is_allowed:
                state.left[first + count] = word
                count += 1
    state.next_left[depth] = 0
    state.end_left[depth] = count


@kernel
def _exclude_taken(walk: WordWalk, state: WordState, slot: int) -> None:
    """Exclude words already in other slots, and record whether there were any."""
    depth = state.control[DEPTH]
    first, length = depth * walk.most[0], walk.starts[slot + 1] - walk.starts[slot]
    for other in range(len(walk.tables)):
        begin = walk.starts[other]
        if state.empty[other] or walk.starts[other + 1] - begin != length:
            continue
        kept = 0
        for place in range(state.end_left[depth]):
            word = state.left[first + place]
            is_taken = True
            for at in range(length):
                if state.symbols[walk.squares[begin + at]] != _letter(walk, slot, word, at):
                    is_taken = False
                    break
            if is_taken:
                state.control[BLAMES_REPEATS] = 1
            else:
                state.left[first + kept] = word
                kept += 1
        state.end_left[depth] = kept


@kernel
def _put_preferred_first(walk: WordWalk, state: WordState, slot: int, first: int, count: int) -> None:
    """Move the first word that agrees with the required starting content to the front, if there is any content."""
    start, length = walk.starts[slot], walk.starts[slot + 1] - walk.starts[slot]
    is_anything = False
    for at in range(length):
        is_anything |= walk.preferred[walk.squares[start + at]] >= 0
    if not is_anything:
        return
    for place in range(first, first + count):
        word = state.left[place]
        agrees = True
        for at in range(length):
            wanted = walk.preferred[walk.squares[start + at]]
            agrees &= wanted < 0 or wanted == _letter(walk, slot, word, at)
        if agrees:
            put_first(state.left, first, place)
            return


@kernel
def _letter(walk: WordWalk, slot: int, word: int, at: int) -> int:
    length = walk.starts[slot + 1] - walk.starts[slot]
    return as_int(walk.letters[walk.letter_starts[walk.tables[slot]] + word * length + at])


@kernel
def _choose(walk: WordWalk, state: WordState) -> None:
    control = state.control
    depth = control[DEPTH]
    slot = state.decided[depth]
    word = as_int(state.left[depth * walk.most[0] + state.next_left[depth]])
    state.next_left[depth] += 1
    start = walk.starts[slot]
    for at in range(walk.starts[slot + 1] - start):
        square = walk.squares[start + at]
        state.is_written[depth, at] = state.symbols[square] < 0
        state.symbols[square] = _letter(walk, slot, word, at)
        if state.is_written[depth, at]:
            state.empty[slot] -= 1
    _count_crossed(walk, state, slot, depth, -1)
    control[DEPTH] += 1
    control[NODES] += 1
    control[DEEPEST] = max(control[DEEPEST], control[DEPTH])


@kernel
def _count_crossed(walk: WordWalk, state: WordState, slot: int, depth: int, change: int) -> None:
    """Update the empty squares of crossing slots by `change` for the squares that a decision wrote."""
    for number in range(walk.cross_starts[slot], walk.cross_starts[slot + 1]):
        if state.is_written[depth, walk.crossings[number, 0]]:
            state.empty[walk.crossings[number, 1]] += change


@kernel
def _breaks_crossing(walk: WordWalk, state: WordState) -> bool:
    """Whether the word just placed leaves a crossing slot without a word, or with a repeated one."""
    depth = state.control[DEPTH] - 1
    slot = state.decided[depth]
    for number in range(walk.cross_starts[slot], walk.cross_starts[slot + 1]):
        if not state.is_written[depth, walk.crossings[number, 0]]:
            continue
        other = walk.crossings[number, 1]
        if not _has_word(walk, state, other):
            return True
        if state.empty[other] == 0 and not walk.rules[MAY_REPEAT] and _is_repeated(walk, state, other):
            state.control[BLAMES_REPEATS] = 1
            return True
    return False


@kernel
def _has_word(walk: WordWalk, state: WordState, slot: int) -> bool:
    """Whether a word fits the content of a slot that is not empty."""
    block, blocks = 0, walk.sizes[walk.tables[slot], 1]
    while block < blocks and _fitting(walk, state, slot, block) == ZERO:
        block += 1
    return bool(block < blocks)


@kernel
def _is_repeated(walk: WordWalk, state: WordState, slot: int) -> bool:
    for other in range(len(walk.tables)):
        is_filled = other != slot and state.empty[other] == 0
        if is_filled and are_alike(walk.starts, walk.squares, state.symbols, slot, other):
            return True
    return False


# Backwards


@kernel
def _undo(walk: WordWalk, state: WordState) -> int:
    """Remove the last word; return its slot."""
    control = state.control
    control[DEPTH] -= 1
    depth = control[DEPTH]
    slot = state.decided[depth]
    start = walk.starts[slot]
    for at in range(walk.starts[slot + 1] - start):
        if state.is_written[depth, at]:
            state.symbols[walk.squares[start + at]] = -1
            state.empty[slot] += 1
    _count_crossed(walk, state, slot, depth, 1)
    return as_int(slot)


@kernel
def _plan_backtrack(walk: WordWalk, state: WordState) -> None:
    """Record where to backtrack to from a slot that has no words left."""
    control, rule = state.control, walk.rules[RULE]
    if control[IS_FRESH]:
        control[FAILED] = state.decided[control[DEPTH]]
        control[HAS_TARGETS] = rule == EMOGIC or (rule == CAMBON and not control[BLAMES_REPEATS])
    elif rule != EMOGIC:
        control[HAS_TARGETS] = 0


@kernel
def _step_back(walk: WordWalk, state: WordState) -> bool:
    """Remove a word, and continue with its decision if it is a backtracking target; False if none is left."""
    control = state.control
    if control[DEPTH] == 0:
        return False
    slot = _undo(walk, state)
    if control[HAS_TARGETS] and not walk.targets[control[FAILED], slot]:
        return True
    control[BACKTRACKS] += 1
    if state.next_left[control[DEPTH]] < state.end_left[control[DEPTH]]:
        control[IS_FRESH] = 0
        control[PHASE] = _LAY
    elif walk.rules[RULE] != EMOGIC:
        control[HAS_TARGETS] = 0
    return True
