"""Counting fills letter by letter, without listing them, and remembering what has been counted.

What a letter walk remembers: the counts of subtrees, by all that they depend on.

A count depends on the square, and on the endings that each open slot has left. Where answers must
differ it depends on words, too, if one that is taken fits an unfinished slot, or one word fits two of
these; then the nodes stand for their words, and the taken words that still fit are part of the key. Keys are
128 bits: two different ones of ten million are equal with a chance below 10^-24.
The memory is a fixed number of pairs of places: the first keeps the count that took longest to find.

The squares are settled one after the other; a letter is tried if both slots through the square have
endings that begin with it and if that leaves each square ahead of them a letter. What is left of the
grid then depends on little: the endings that each open slot has left. So the count of a subtree of squares is
remembered by these, and where a square has several subtrees, which no open slot joins, their
counts multiply. With the squares of a strip settled column by column this is its transfer matrix; in
general it is the search of an AND/OR tree with a cache (Dechter & Mateescu, "AND/OR search spaces for
graphical models", Artificial Intelligence 171, 2007), on graphs of words (Appel & Jacobson, "The
world's fastest Scrabble program", CACM 31, 1988).
"""

import numpy as np

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, bit, count_bits
from xwtui.engine.kernels.compiler.compiled import entry_point, inlined
from xwtui.engine.kernels.count.walk_arrays import (
    CHECK,
    CHILD,
    CONTEXT,
    DIGITS,
    EDGES,
    END,
    ENTER,
    FINISHED,
    FUTURE,
    HERE,
    HITS,
    IN_PLACE,
    IS_ODD,
    KEPT,
    KEY,
    KIND,
    LABEL,
    LEAVE,
    LETTERS,
    LEVEL,
    MODE,
    NEXT,
    OTHER_LEVEL,
    OTHER_SAVED,
    OTHER_SLOT,
    PAIRS,
    PARENT,
    REMEMBERED,
    SAVED,
    SIBLING,
    SLOT,
    STEP_OTHER,
    STEP_OTHER_LEVEL,
    STEPS,
    STEPS_BEFORE,
    STEPS_DONE,
    TOP,
    UNFINISHED,
    USED_BEFORE,
    USED_COUNT,
    WORTH,
    Memory,
    Place,
    Walk,
    add_count,
    add_small,
    copy_count,
    is_zero,
    multiply,
    set_count,
)
from xwtui.engine.kernels.network import Bits

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
def _number(memory: Memory, key: np.uint64) -> int:
    """The number of a key's pair in `Memory.pairs`."""
    return as_int((key >> ONE) & np.uint64(len(memory.pairs) - 1))


@inlined
def recall(memory: Memory, keys: Bits, square: int, value: Bits) -> bool:
    """Look a square's count up by its key; if it is known, it is in `value`."""
    entries, key = memory.entries, keys[square, 0]
    pair = _number(memory, key) + 1
    if memory.used[0] != IN_PLACE:
        pair = as_int(memory.pairs[at(pair - 1)])
        if pair == 0:
            return False
    first = 2 * pair + as_int(key & ONE)
    for entry in (first, first ^ 1):
        is_known = entries[at(entry), KEY] == key and entries[at(entry), CHECK] == keys[square, 1]
        if is_known and entries[at(entry), WORTH] != ZERO:
            copy_count(entries[at(entry), DIGITS:], value)
            return True
    return False


@inlined
def remember(memory: Memory, keys: Bits, square: int, value: Bits, steps: int) -> None:
    """Store a count, which took so many steps, under a square's key."""
    entries, key = memory.entries, keys[square, 0]
    worth = np.uint64(steps) + ONE
    pair = _number(memory, key) + 1
    if memory.used[0] != IN_PLACE:
        number = pair - 1
        if memory.pairs[at(number)] == 0:
            memory.used[0] += 1
            memory.pairs[at(number)] = memory.used[0]
        pair = as_int(memory.pairs[at(number)])
    entry = 2 * pair + as_int(key & ONE)
    if entries[entry, WORTH] > worth:
        entry ^= 1
    entries[entry, KEY] = keys[square, 0]
    entries[entry, CHECK] = keys[square, 1]
    entries[entry, WORTH] = worth
    copy_count(value, entries[entry, DIGITS:])


@entry_point
def count_subtree(walk: Walk, place: Place, memory: Memory, steps: int) -> bool:
    """Go on counting the subtree of `TOP` for so many letters at most; True when `Place.value` is its count.

    It begins with the mode ENTER, `HERE` being `TOP`.
    """
    control = place.control
    here, mode = as_int(control[HERE]), as_int(control[MODE])
    last_step = control[STEPS_DONE] + steps
    while control[STEPS_DONE] < last_step and mode != FINISHED:
        if mode == NEXT:
            letters = place.left[at(here)]
            if letters == ZERO:
                copy_count(place.sums[here], place.value)
                mode = LEAVE
                continue
            rest = letters & (letters - ONE)
            place.left[at(here)] = rest
            if _settle(walk, place, here, letters ^ rest):
                here, mode = _descend(walk, place, here)
        elif mode == ENTER:
            mode = _enter(walk, place, memory, here)
        else:
            here, mode = _leave(walk, place, memory, here)
    control[HERE], control[MODE] = here, mode
    return bool(mode == FINISHED)


@entry_point
def settle(walk: Walk, place: Place, square: int, letter: np.uint64) -> bool:
    """Place a letter, given as a bit, for good; False where nothing goes with it."""
    return _settle(walk, place, square, letter)


@inlined
def _enter(walk: Walk, place: Place, memory: Memory, square: int) -> int:
    """Begin a square, or find that its count is known; returns the mode to go on in."""
    frames = place.frames
    frames[at(square), KEPT] = 0
    if walk.squares[at(square), REMEMBERED] != 0:
        make_key(walk, place, square)
        if recall(memory, place.keys, square, place.value):
            place.control[HITS] += 1
            return LEAVE
        frames[at(square), KEPT] = 1
        frames[at(square), STEPS_BEFORE] = place.control[STEPS_DONE]
    set_count(place.sums[square], ZERO)
    letters = letters_here(walk, place, square)
    if walk.squares[at(square), CHILD] < 0 and len(walk.lengths) == 0:
        add_small(place.sums[square], np.uint64(count_bits(letters)))
        letters = ZERO
    place.left[at(square)] = letters
    return NEXT


@inlined
def _descend(walk: Walk, place: Place, square: int) -> tuple[int, int]:
    """Go on after a letter was placed: with the first square after it; if there is none, with the next letter."""
    child = walk.squares[at(square), CHILD]
    if child >= 0:
        return child, ENTER
    add_small(place.sums[square], ONE)
    _unsettle(walk, place, square)
    return square, NEXT


@inlined
def _leave(walk: Walk, place: Place, memory: Memory, square: int) -> tuple[int, int]:
    """Take a square's count, `Place.value`, to the one before it, and go on there or with its next child."""
    if place.frames[at(square), KEPT] != 0:
        spent = place.control[STEPS_DONE] - place.frames[at(square), STEPS_BEFORE]
        remember(memory, place.keys, square, place.value, spent)
    if square == place.control[TOP]:
        return square, FINISHED
    parent, sibling = walk.squares[at(square), PARENT], walk.squares[at(square), SIBLING]
    if not is_zero(place.value):
        is_first = walk.squares[at(parent), CHILD] == square
        if is_first and sibling < 0:
            add_count(place.sums[parent], place.value)
        else:
            if is_first:
                copy_count(place.value, place.products[parent])
            else:
                multiply(place.products[parent], place.value, place.scratch)
            if sibling >= 0:
                return sibling, ENTER
            add_count(place.sums[parent], place.products[parent])
    _unsettle(walk, place, parent)
    return parent, NEXT


@inlined
def _settle(walk: Walk, place: Place, square: int, letter: np.uint64) -> bool:
    """Place a letter that both slots allow; False, and nothing changed, where nothing goes with it."""
    control, frames, nodes = place.control, place.frames, place.nodes
    control[STEPS_DONE] += 1
    slot, level = walk.squares[at(square), SLOT], walk.squares[at(square), LEVEL]
    other, other_level = walk.squares[at(square), OTHER_SLOT], walk.squares[at(square), OTHER_LEVEL]
    frames[at(square), USED_BEFORE] = control[USED_COUNT]
    frames[at(square), SAVED] = nodes[at(slot)]
    nodes[at(slot)] = _follow(walk, nodes[at(slot)], level, letter)
    if other >= 0:
        frames[at(square), OTHER_SAVED] = nodes[at(other)]
        nodes[at(other)] = _follow(walk, nodes[at(other)], other_level, letter)
    place.letters[at(square)] = letter
    is_right = _look_ahead(walk, place, slot, level + 1)
    if is_right and other >= 0:
        is_right = _look_ahead(walk, place, other, other_level + 1)
    if not is_right:
        _unsettle(walk, place, square)
    return is_right


@inlined
def _unsettle(walk: Walk, place: Place, square: int) -> None:
    """Take a square's letter off."""
    control, frames = place.control, place.frames
    other = walk.squares[at(square), OTHER_SLOT]
    place.nodes[at(walk.squares[at(square), SLOT])] = frames[at(square), SAVED]
    if other >= 0:
        place.nodes[at(other)] = frames[at(square), OTHER_SAVED]
    while control[USED_COUNT] > frames[at(square), USED_BEFORE]:
        control[USED_COUNT] -= 1
        place.used[place.taken[control[USED_COUNT]]] = 0


@inlined
def _follow(walk: Walk, node: int, level: int, letter: np.uint64) -> int:
    """The node that one of a node's own letters leads to."""
    before = letters_ahead(walk, node, level) & (letter - ONE)
    return as_int(walk.edges[at(walk.nodes[at(node), EDGES] + count_bits(before))])


@inlined
def _look_ahead(walk: Walk, place: Place, slot: int, level: int) -> bool:
    """See whether the squares ahead of a slot have a letter left; of a finished one, take its word."""
    node = place.nodes[at(slot)]
    step, end = walk.slots[at(slot), STEPS] + level, walk.slots[at(slot + 1), STEPS]
    if step == end:
        return _take_word(place, walk.nodes[at(node), LABEL])
    letters = walk.nodes[at(node), FUTURE] + level - step
    while step < end:
        other = walk.steps[at(step), STEP_OTHER]
        if other >= 0:
            crossing = letters_ahead(walk, place.nodes[at(other)], walk.steps[at(step), STEP_OTHER_LEVEL])
            if walk.futures[at(letters + step)] & crossing == ZERO:
                return False
        step += 1
    return True


@inlined
def _take_word(place: Place, label: int) -> bool:
    """Take a finished slot's word, if another slot may take it, too; False where one has."""
    if label >= 0:
        if place.used[at(label)] != 0:
            return False
        place.used[at(label)] = 1
        place.taken[at(place.control[USED_COUNT])] = label
        place.control[USED_COUNT] += 1
    return True
