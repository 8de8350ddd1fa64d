"""Random numbers from a state of one 64-bit word: the same on every machine, and each search has its own.

SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
"""

import numpy as np

from xwtui.engine.kernels.compiler.compiled import kernel
from xwtui.engine.kernels.network import Bits

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_MIX = np.uint64(0x94D049BB133111EB)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11))
_UNIT = 1.0 / (1 << 53)


@kernel
def random_word(random: Bits) -> np.uint64:
    """Draw 64 random bits, advancing the state `random`, shape (1,)."""
    random[0] += _STEP
    word: np.uint64 = random[0]
    word = (word ^ (word >> _SHIFTS[0])) * _FIRST_MIX
    word = (word ^ (word >> _SHIFTS[1])) * _SECOND_MIX
    return word ^ (word >> _SHIFTS[2])


@kernel
def uniform(random: Bits) -> float:
    """Draw a number from 0 up to, but not including, 1."""
    return float(random_word(random) >> _SHIFTS[3]) * _UNIT
