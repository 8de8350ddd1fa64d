"""Counting fills letter by letter, without listing them.

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

from xwtui.engine.kernels.bits import ONE, ZERO, as_int, at, count_bits
from xwtui.engine.kernels.compiled import entry_point, inlined
from xwtui.engine.kernels.long_counts import add_count, add_small, copy_count, is_zero, multiply, set_count
from xwtui.engine.kernels.walk_arrays import (
    CHILD,
    EDGES,
    ENTER,
    FINISHED,
    FUTURE,
    HERE,
    HITS,
    KEPT,
    LABEL,
    LEAVE,
    LEVEL,
    MODE,
    NEXT,
    OTHER_LEVEL,
    OTHER_SAVED,
    OTHER_SLOT,
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
    USED_BEFORE,
    USED_COUNT,
    Memory,
    Place,
    Walk,
)
from xwtui.engine.kernels.walk_memory import letters_ahead, letters_here, make_key, recall, remember


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
        if recall(memory.entries, place.keys, square, place.value):
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
        remember(memory.entries, place.keys, square, place.value, spent)
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
