"""What a process has of the system: cores; memory, which is given back where it runs for hours; and its garbage.

What a worker thread has freed, glibc keeps for that thread; and once a large array was freed, later ones of its
size are cut out of such a heap as well, where one small thing above them holds them all. A count leaves a hundred
megabytes like that. See https://man7.org/linux/man-pages/man3/mallopt.3.html.
"""

import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from xwtui.lazy import lazy_imports

with lazy_imports():
    import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_NOT_NEEDED = 4
"""MADV_DONTNEED: https://man7.org/linux/man-pages/man2/madvise.2.html."""
_LARGE = 2 << 20
"""Bytes from which an array has pages of its own, which go back with it. States of a search are smaller, up to 1.6
million: to have their pages anew for each search would take a quarter of the time of an easy one."""
_KEPT = 32 << 20
"""Free bytes at the end of a heap that are kept for what comes next, until `trim`."""
_HEAPS = 2

_MANY = 200_000
"""Objects that are made before garbage is looked for, while a process begins: more than a whole fill makes."""
_MORE_THAN_USUAL = 10_000
"""The same later on, where Python has 700, and would look for it eighty times in an easy fill."""

_MUCH_GARBAGE = 100_000
"""Blocks of memory that are held beyond those of the last look, from which it is worth looking again."""

_is_asked = False
_spare_libraries: set[str] = set()
"""Parts of their names."""
_usual_threshold: tuple[int, int, int] | None = None
"""While a process begins, what it has been."""


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begin_process() -> None:
    """Look for garbage hardly ever while a process loads what it needs, and not at its end; for `main` alone.

    Numpy's linear algebra would begin a thread on each core as it is loaded, which waits for work by turning
    round and round; what is multiplied here is small, and the search has threads of its own.
    """
    global _usual_threshold  # noqa: PLW0603  of the process
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _usual_threshold = gc.get_threshold()
    gc.set_threshold(_MANY)
    atexit.register(gc.freeze)


def note_loaded() -> None:
    """Look for garbage now and then from now on, where that was put off, but no more in what is there by now."""
    global _usual_threshold  # noqa: PLW0603  of the process
    if _usual_threshold is not None:
        gc.freeze()
        gc.set_threshold(max(_usual_threshold[0], _MORE_THAN_USUAL), *_usual_threshold[1:])
        _usual_threshold = None


class Garbage:
    """What a program that opens and closes large things for hours holds for nothing.

    The collector counts objects and not their bytes: it comes late to what holds itself, as a closed puzzle does
    with its problems and counts, and never to what was there when it was told to look no more.
    """

    def __init__(self, has_closed: Callable[[], bool]) -> None:
        """`has_closed` tells whether anything was closed since it was asked last."""
        self._has_closed = has_closed
        self._has_loaded = False
        self._is_due = False
        self._blocks = sys.getallocatedblocks()

    def has_loaded(self) -> None:
        """Look no more in what is there now, which would stop every thread for 0.1 s.

        Once: what is there when this is said again may be garbage one day.
        """
        if not self._has_loaded:
            self._has_loaded = True
            gc.freeze()
            self._blocks = sys.getallocatedblocks()

    def has_replaced(self) -> None:
        """Look in all that there is next time: other word lists came in the place of those that were there."""
        self._is_due = self._is_due or self._has_loaded

    def look(self) -> None:
        """Look in all that there is, an eighth of a second's work, one turn after anything was closed.

        By then nothing else holds it. In what came since, a fraction of that work, wherever much did: the
        collector itself would wait for a million of objects that hold each other, such as lines on the screen with
        what was drawn of them.
        """
        is_due, self._is_due = self._is_due, self._has_closed()
        if is_due:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        elif self._has_loaded and sys.getallocatedblocks() - self._blocks > _MUCH_GARBAGE:
            gc.collect()
        else:
            return
        self._blocks = sys.getallocatedblocks()


def give_memory_back() -> None:
    """Let this process hold little that it does not use; before any thread is begun. Only glibc can do it."""
    global _is_asked  # noqa: PLW0603  of the process
    allocator = _glibc()
    if allocator is not None:
        allocator.mallopt(_ARENA_MAX, _HEAPS)
        allocator.mallopt(_MMAP_THRESHOLD, _LARGE)
        allocator.mallopt(_TRIM_THRESHOLD, _KEPT)
        _is_asked = True


def let_library_go(name: str) -> None:
    """Let go, at the next `trim`, of what has been read of a shared library that is not needed for now.

    Its code comes back page by page, from the system's cache, where it is called again.
    """
    _spare_libraries.add(name)


def _unchanged_mappings(name: str) -> Iterator[tuple[int, int]]:
    """From where to where parts of a file lie in memory that cannot be written to, and never were."""
    first = end = 0
    for line in Path("/proc/self/smaps").read_text().splitlines():
        what, *rest = line.split(maxsplit=5)
        if not what.endswith(":"):
            is_wanted = len(rest) == 5 and name in Path(rest[4]).name and "w" not in rest[0]
            first, end = (int(place, 16) for place in what.split("-")) if is_wanted else (0, 0)
        elif what == "Anonymous:" and end and rest[0] == "0":
            yield first, end


def trim() -> None:
    """Give back what is free now, some milliseconds' work, where that was asked for."""
    allocator = _glibc() if _is_asked else None
    if allocator is not None:
        allocator.malloc_trim(0)
        spare = tuple(_spare_libraries)
        _spare_libraries.difference_update(spare)
        with suppress(OSError, ValueError):
            for first, end in (mapping for name in spare for mapping in _unchanged_mappings(name)):
                allocator.madvise(ctypes.c_void_p(first), ctypes.c_size_t(end - first), _NOT_NEEDED)


@cache
def _glibc() -> Any:
    """The allocator's functions; None where there are none of these."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
