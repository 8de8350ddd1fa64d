"""The chance of Python's `random.Random`, compiled: the same seed shuffles the same way.

Source: Matsumoto, Nishimura, "Mersenne Twister", ACM TOMACS 1998; `random.shuffle` draws numbers below a bound by
throwing away those that are too large.
"""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.bits import as_int
from xwtui.engine.kernels.compiler.compiled import kernel

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
    """The state of a generator, (625,): the twister's and the place of its next number."""
    return np.array(rng.getstate()[1], np.uint32)


@kernel
def shuffle(chance: NDArray[np.uint32], items: NDArray[np.int32], first: int, count: int) -> None:
    """Shuffle so many items from the first one on as `Random.shuffle` would, advancing the state."""
    for last in range(count - 1, 0, -1):
        place = _below(chance, last + 1)
        moved = items[first + last]
        items[first + last] = items[first + place]
        items[first + place] = moved


@kernel
def _below(chance: NDArray[np.uint32], bound: int) -> int:
    """A number from 0 up to, but not including, a bound below 2**32."""
    width = 0
    while bound >> width:
        width += 1
    drawn = _number(chance) >> (_WIDTH - width)
    while drawn >= bound:
        drawn = _number(chance) >> (_WIDTH - width)
    return drawn


@kernel
def _number(chance: NDArray[np.uint32]) -> int:
    """The next number of 32 bits."""
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
    """Make the next 624 numbers."""
    for place in range(_STATE):
        mixed = (chance[place] & _UPPER) | (chance[(place + 1) % _STATE] & _LOWER)
        odd = _TWIST if mixed & _ONE else _NONE
        chance[place] = chance[(place + _MIDDLE) % _STATE] ^ (mixed >> _ONE) ^ odd
