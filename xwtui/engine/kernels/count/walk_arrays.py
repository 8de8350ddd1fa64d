"""What a letter walk reads and writes, counts of any size among it.

Counts of any size: digits to the base 2**32, the lowest first, each in a 64-bit word.

The caller sees to it that there are digits enough for the largest count.

The walk visits the open squares of one part of the grid. They are numbered so that a square comes after all that
it depends on: square 0 is the root of a tree, a subtree is the squares `v` up to `END`, and all
squares of a slot lie on one path from the root. A slot's words are a graph: a node for each
set of endings that some first letters leave; its levels are the slot's squares in the order of the walk.
"""

from typing import NamedTuple

import numpy as np

from xwtui.engine.kernels.bits import ZERO
from xwtui.engine.kernels.compiler.compiled import inlined, kernel
from xwtui.engine.kernels.network import Bits, Bytes, Ints, Longs

DIGIT_BITS = 32

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(DIGIT_BITS)


@inlined
def set_count(total: Bits, value: np.uint64) -> None:
    """Set a count to a number below 2**32."""
    for digit in range(len(total)):
        total[digit] = ZERO
    total[0] = value


@inlined
def copy_count(source: Bits, target: Bits) -> None:
    """Set a count to another one."""
    for digit in range(len(target)):
        target[digit] = source[digit]


@inlined
def add_small(total: Bits, value: np.uint64) -> None:
    """Add a number below 2**32."""
    carry = value
    for digit in range(len(total)):
        if carry == ZERO:
            break
        carry += total[digit]
        total[digit] = carry & _LOW
        carry >>= _HALF


@inlined
def add_count(total: Bits, value: Bits) -> None:
    """Add another count."""
    carry = ZERO
    for digit in range(len(total)):
        carry += total[digit] + value[digit]
        total[digit] = carry & _LOW
        carry >>= _HALF


@inlined
def is_zero(total: Bits) -> bool:
    """Tell whether a count is zero."""
    some = ZERO
    for digit in range(len(total)):
        some |= total[digit]
    return bool(some == ZERO)


@kernel
def multiply(total: Bits, factor: Bits, scratch: Bits) -> None:
    """Multiply a count by another one."""
    set_count(scratch, ZERO)
    for low in range(len(total)):
        carry = ZERO
        for high in range(len(total) - low):
            carry += scratch[low + high] + total[low] * factor[high]
            scratch[low + high] = carry & _LOW
            carry >>= _HALF
    copy_count(scratch, total)


# Columns of Walk.squares.
SLOT = 0
LEVEL = 1
"""The square's level in the slot's graph."""
OTHER_SLOT = 2
"""The crossing slot, or -1."""
OTHER_LEVEL = 3
PARENT = 4
"""The square before it, -1 for the root."""
CHILD = 5
"""The first of the squares that come next, each with a part of the grid of its own, or -1."""
SIBLING = 6
"""The next of its parent's children, or -1."""
END = 7
"""Where its subtree ends."""
REMEMBERED = 8
"""1 if its counts are looked up and stored."""
CONTEXT = 9
"""Where its open slots start in `Walk.lists`: those begun before it that end in its subtree."""
PAIRS = 10
"""Where the pairs of unfinished slots start that might still take the same word."""
UNFINISHED = 11
"""Where the slots start that end in its subtree, if their words can be taken by others; the next square's
context ends them."""
IS_ODD = 12
"""1 if an unfinished slot may spell a word of another one in several ways."""
SQUARE_COLUMNS = 13

# Columns of Walk.slots.
ROOT = 0
"""The node before the first letter."""
STEPS = 1
"""Where its open squares start in `Walk.steps`, by level; the next slot's start ends them."""
LETTERS = 2
"""Where all its squares start in `Walk.letters`; the next slot's start ends them."""
SLOT_COLUMNS = 3

# Columns of Walk.steps.
STEP_SQUARE = 0
STEP_OTHER = 1
STEP_OTHER_LEVEL = 2
STEP_COLUMNS = 3

# Columns of Walk.nodes.
FUTURE = 0
"""The letters of its endings at a level, its own or a later one, are at so many places plus the level in
`Walk.futures`."""
EDGES = 1
"""Where the nodes that follow its own letters start in `Walk.edges`."""
KIND = 2
"""Equal for nodes with the same endings, whatever the words."""
LABEL = 3
"""At a word's end, the number of the word if another slot may take it too, else -1."""
NODE_COLUMNS = 4

# Places in Place.control.
TOP = 0
"""The square whose count is sought, all squares before it being settled."""
HERE = 1
MODE = 2
USED_COUNT = 3
STEPS_DONE = 4
"""Letters placed since the start."""
HITS = 5
"""Counts that were found in the memory."""
CONTROL_SIZE = 6

# Modes.
ENTER = 0
"""A square is entered: is its count known?"""
NEXT = 1
"""Its next letter is to be tried."""
LEAVE = 2
"""Its count is known, in `Place.value`."""
FINISHED = 3

# Columns of Place.frames.
SAVED = 0
"""The node of its slot before its letter."""
OTHER_SAVED = 1
USED_BEFORE = 2
"""The words taken before its letter."""
STEPS_BEFORE = 3
"""Letters placed before it was entered."""
KEPT = 4
"""Whether its count will be stored."""
FRAME_COLUMNS = 5

# Columns of Memory.entries, before the digits of the count.
KEY = 0
CHECK = 1
WORTH = 2
"""Letters that were placed to find the count, 1 at least; 0: empty."""
DIGITS = 3


class Walk(NamedTuple):
    """A part of the grid laid out for walking; nothing here changes."""

    squares: Longs
    """(squares + 1, 13)."""
    lists: Longs
    slots: Longs
    """(slots + 1, 3)."""
    steps: Longs
    """(steps, 3)."""
    letters: Longs
    """For each square of a slot, the number of an open square, or -1 - symbol where it is settled."""
    nodes: Longs
    """(nodes, 4)."""
    futures: Bits
    edges: Ints
    words: Bytes
    """(labels, longest) the symbols of the words that several slots may take."""
    lengths: Longs
    """(labels,) how many there are; 0 if a word may be spelled in several ways."""


class Place(NamedTuple):
    """Where one walker stands; counts are digits to the base 2**32, the lowest first."""

    nodes: Longs
    """(slots,) the node that each slot has come to."""
    letters: Bits
    """(squares,) the letter on each settled square, as a bit; on others scratch."""
    left: Bits
    """(squares,) the letters not tried yet."""
    frames: Longs
    """(squares, 5)."""
    keys: Bits
    """(squares, 2) under what a square's count is to be stored."""
    sums: Bits
    """(squares, digits) the fills counted so far."""
    products: Bits
    """(squares, digits) those with the present letter, of the children left so far."""
    value: Bits
    """(digits)."""
    scratch: Bits
    """(digits)."""
    used: Bytes
    """(labels,) whether a word is taken."""
    taken: Longs
    """(slots,) the words taken, one after the other."""
    control: Longs


class Memory(NamedTuple):
    """Counts found before, by what they depend on: a table of pairs of entries.

    While few pairs are in use, they lie one after the other in the order of their first use, so that a count that
    remembers little touches little of the memory; once they are many, each lies at its own place.
    """

    pairs: Ints
    """(a power of two,) by the bits of a key: which pair of entries it is, from 1 up; 0 for one never used."""
    entries: Bits
    """(2 x pairs + 2, 3 + digits) pair after pair; the first one is not used."""
    used: Longs
    """(1,) how many pairs are in use; IN_PLACE where each has its own place, one after its number in `pairs`."""


IN_PLACE = -1
