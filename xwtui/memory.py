"""Giving memory back to the system, for programs that run for hours.

What a worker thread has freed, glibc keeps for that thread; and once a large array was freed, later ones of its
size are cut out of such a heap as well, where one small thing above them holds them all. A count leaves a hundred
megabytes like that. See https://man7.org/linux/man-pages/man3/mallopt.3.html.
"""

import ctypes
import sys
from functools import cache
from typing import Any

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_LARGE = 4 << 20
"""Bytes from which an array has pages of its own, which go back with it. States of a search are smaller: to have
their pages anew for each search would take a quarter of the time of an easy one."""
_KEPT = 64 << 20
"""Free bytes at the end of a heap that are kept for what comes next, until `trim`."""
_HEAPS = 2

_is_asked = False


def give_memory_back() -> None:
    """Let this process hold little that it does not use; before any thread is begun. Only glibc can do it."""
    global _is_asked  # noqa: PLW0603  of the process
    allocator = _glibc()
    if allocator is not None:
        allocator.mallopt(_ARENA_MAX, _HEAPS)
        allocator.mallopt(_MMAP_THRESHOLD, _LARGE)
        allocator.mallopt(_TRIM_THRESHOLD, _KEPT)
        _is_asked = True


def trim() -> None:
    """Give back what is free now, some milliseconds' work, where that was asked for."""
    allocator = _glibc() if _is_asked else None
    if allocator is not None:
        allocator.malloc_trim(0)


@cache
def _glibc() -> Any:
    """The allocator's functions; None where there are none of these."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
