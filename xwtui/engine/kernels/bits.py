"""64-bit words: counting bits, finding the lowest, making single-bit words, and drawing random words.

Masks and bit-sets are `uint64` throughout. Numba would turn `uint64 + int64` into a float, so the constants here
are typed. LLVM compiles `count_bits` to the machine's popcount instruction.

Random words come from a one-word state, with the same results on every machine. Each search has its own:
SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
"""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.compiler.compiled import inlined, kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
TYPED_ZERO = cast(int, np.int64(0))
"""A typed 0: numba compiles a function again for each literal that it is called with."""

_PAIRS = np.uint64(0x5555555555555555)
_NIBBLE_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_TWO = np.uint64(2)
_FOUR = np.uint64(4)
_FIFTY_SIX = np.uint64(56)


@inlined
def as_int(word: np.integer[Any] | int) -> int:
    """Convert a word, or an array's short integer, to a plain integer (64 bits when compiled)."""
    return np.int64(word)  # type: ignore[return-value]


@inlined
def at(index: int) -> int:
    """Convert an array index that is not negative to unsigned, so that compiled code skips the sign check."""
    return np.uint64(index)  # type: ignore[return-value]


@inlined
def count_bits(word: np.uint64) -> int:
    """Count the one bits in a 64-bit word."""
    pairs = word - ((word >> ONE) & _PAIRS)
    nibbles = (pairs & _NIBBLE_PAIRS) + ((pairs >> _TWO) & _NIBBLE_PAIRS)
    octets = (nibbles + (nibbles >> _FOUR)) & _NIBBLES
    return as_int((octets * _BYTES) >> _FIFTY_SIX)


@inlined
def lowest_bit(word: np.uint64) -> int:
    """Return the position of the lowest one bit in a nonzero word."""
    return count_bits(~word & (word - ONE))


@inlined
def bit(place: int) -> np.uint64:
    """Return the word with only the bit at this position set, 0 to 63."""
    return ONE << np.uint64(place)


@inlined
def is_single(word: np.uint64) -> bool:
    """Whether exactly one bit is set."""
    return bool(word != ZERO and (word & (word - ONE)) == ZERO)


_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_MIX = np.uint64(0x94D049BB133111EB)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11))
_UNIT = 1.0 / (1 << 53)


@kernel
def random_word(random: NDArray[np.uint64]) -> np.uint64:
    """Draw 64 random bits, advancing the state `random`, shape (1,)."""
    random[0] += _STEP
    word: np.uint64 = random[0]
    word = (word ^ (word >> _SHIFTS[0])) * _FIRST_MIX
    word = (word ^ (word >> _SHIFTS[1])) * _SECOND_MIX
    return word ^ (word >> _SHIFTS[2])


@kernel
def uniform(random: NDArray[np.uint64]) -> float:
    """Draw a number in [0, 1)."""
    return float(random_word(random) >> _SHIFTS[3]) * _UNIT
