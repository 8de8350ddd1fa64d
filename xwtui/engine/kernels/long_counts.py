"""Counts of any size: digits to the base 2**32, the lowest first, each in a 64-bit word.

The caller sees to it that there are digits enough for the largest count.
"""

import numpy as np

from xwtui.engine.kernels.bits import ZERO
from xwtui.engine.kernels.compiled import inlined, kernel
from xwtui.engine.kernels.network import Bits

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
