"""What a letter walk remembers: the counts of subtrees, by all that they depend on.

A count depends on the square, and on the endings that each open slot has left. Where answers must
differ it depends on words, too, if one that is taken fits an unfinished slot, or one word fits two of
these; then the nodes stand for their words, and the taken words that still fit are part of the key. Keys are
128 bits: two different ones of ten million are equal with a chance below 10^-24.
The memory is a fixed number of pairs of places: the first keeps the count that took longest to find.
"""

import numpy as np

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, bit
from xwtui.engine.kernels.compiled import inlined
from xwtui.engine.kernels.long_counts import copy_count
from xwtui.engine.kernels.network import Bits
from xwtui.engine.kernels.walk_arrays import (
    CHECK,
    CONTEXT,
    DIGITS,
    END,
    FUTURE,
    IS_ODD,
    KEY,
    KIND,
    LETTERS,
    LEVEL,
    OTHER_LEVEL,
    OTHER_SLOT,
    PAIRS,
    SLOT,
    UNFINISHED,
    USED_COUNT,
    WORTH,
    Place,
    Walk,
)

_FIRST = np.uint64(0x9E3779B97F4A7C15)
_SECOND = np.uint64(0xC2B2AE3D27D4EB4F)
_THIRD = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)
_OTHER_SHIFT = np.uint64(29)


@inlined
def _mix(value: np.uint64, factor: np.uint64, shift: np.uint64) -> np.uint64:
    mixed: np.uint64 = value * factor
    return mixed ^ (mixed >> shift)


@inlined
def letters_ahead(walk: Walk, node: int, level: int) -> np.uint64:
    """The letters that the endings of a node have at its own level or a later one."""
    letters: np.uint64 = walk.futures[at(walk.nodes[at(node), FUTURE] + level)]
    return letters


@inlined
def letters_here(walk: Walk, place: Place, square: int) -> np.uint64:
    """The letters that the slots through a square, which is not settled yet, allow there."""
    slot, other = walk.squares[at(square), SLOT], walk.squares[at(square), OTHER_SLOT]
    letters = letters_ahead(walk, place.nodes[at(slot)], walk.squares[at(square), LEVEL])
    if other >= 0:
        letters &= letters_ahead(walk, place.nodes[at(other)], walk.squares[at(square), OTHER_LEVEL])
    return letters


@inlined
def make_key(walk: Walk, place: Place, square: int) -> None:
    """Write what a square's count depends on into `Place.keys`."""
    is_shared = len(walk.lengths) == 0 or _has_no_rivals(walk, place, square)
    first, second = np.uint64(2 * square + is_shared), np.uint64(square)
    for entry in range(walk.squares[square, CONTEXT], walk.squares[square, PAIRS]):
        node = place.nodes[at(walk.lists[at(entry)])]
        value = np.uint64(walk.nodes[at(node), KIND] if is_shared else node)
        first = _mix(first ^ value, _FIRST, _SHIFT)
        second = _mix(second + value, _SECOND, _OTHER_SHIFT)
    if not is_shared:
        for number in range(place.control[USED_COUNT]):
            if _still_fits(walk, place, square, place.taken[number]):
                value = _mix(np.uint64(place.taken[number] + 1), _THIRD, _SHIFT)
                first += _mix(value, _FIRST, _OTHER_SHIFT)
                second += _mix(value, _SECOND, _SHIFT)
    place.keys[square, 0] = _mix(first, _THIRD, _SHIFT)
    place.keys[square, 1] = _mix(second, _THIRD, _OTHER_SHIFT)


@inlined
def _has_no_rivals(walk: Walk, place: Place, square: int) -> bool:
    """Tell whether no taken word fits an unfinished slot, and no word fits two of these."""
    if walk.squares[square, IS_ODD] != 0:
        return False
    for ahead in range(square, walk.squares[square, END]):
        place.letters[at(ahead)] = letters_here(walk, place, ahead)
    for entry in range(walk.squares[square, PAIRS], walk.squares[square, UNFINISHED], 2):
        if _may_agree(walk, place, walk.lists[entry], walk.lists[entry + 1]):
            return False
    number = 0
    while number < place.control[USED_COUNT] and not _still_fits(walk, place, square, place.taken[number]):
        number += 1
    return bool(number == place.control[USED_COUNT])


@inlined
def _letters_of(walk: Walk, place: Place, entry: int) -> np.uint64:
    """The letters that one square of a slot, by its place in `Walk.letters`, can take."""
    square = walk.letters[at(entry)]
    return place.letters[at(square)] if square >= 0 else bit(-1 - square)


@inlined
def _may_agree(walk: Walk, place: Place, slot: int, other: int) -> bool:
    """Tell whether two slots of one length might take the same word."""
    shift = walk.slots[other, LETTERS] - walk.slots[slot, LETTERS]
    for own in range(walk.slots[slot, LETTERS], walk.slots[slot + 1, LETTERS]):
        if _letters_of(walk, place, own) & _letters_of(walk, place, own + shift) == ZERO:
            return False
    return True


@inlined
def _still_fits(walk: Walk, place: Place, square: int, word: int) -> bool:
    """Tell whether an unfinished slot might take a word; `Place.letters` are up to date, unless it is odd."""
    length = walk.lengths[word]
    if walk.squares[square, IS_ODD] != 0 or length == 0:
        return True
    for entry in range(walk.squares[square, UNFINISHED], walk.squares[square + 1, CONTEXT]):
        slot = walk.lists[entry]
        start = walk.slots[slot, LETTERS]
        fits = walk.slots[slot + 1, LETTERS] - start == length
        index = 0
        while fits and index < length:
            fits = (_letters_of(walk, place, start + index) & bit(as_int(walk.words[word, index]))) != ZERO
            index += 1
        if fits:
            return True
    return False


@inlined
def recall(entries: Bits, keys: Bits, square: int, value: Bits) -> bool:
    """Look a square's count up by its key; if it is known, it is in `value`."""
    first = as_int(keys[square, 0] & np.uint64(len(entries) - 1))
    for entry in (first, first ^ 1):
        is_known = entries[entry, KEY] == keys[square, 0] and entries[entry, CHECK] == keys[square, 1]
        if is_known and entries[entry, WORTH] != ZERO:
            copy_count(entries[entry, DIGITS:], value)
            return True
    return False


@inlined
def remember(entries: Bits, keys: Bits, square: int, value: Bits, steps: int) -> None:
    """Store a count, which took so many steps, under a square's key."""
    worth = np.uint64(steps) + ONE
    entry = as_int(keys[square, 0] & np.uint64(len(entries) - 1))
    if entries[entry, WORTH] > worth:
        entry ^= 1
    entries[entry, KEY] = keys[square, 0]
    entries[entry, CHECK] = keys[square, 1]
    entries[entry, WORTH] = worth
    copy_count(value, entries[entry, DIGITS:])
