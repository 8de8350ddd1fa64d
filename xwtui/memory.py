"""A process's system resources: cores, memory returned to the system in long runs, and garbage collection.

glibc keeps memory that a worker thread freed for that thread. Once a large array has been freed, later arrays of
its size are cut out of such a heap as well, where one small block above them pins them all. A count leaves about a
hundred megabytes behind that way. See https://man7.org/linux/man-pages/man3/mallopt.3.html.
"""

import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from xwtui.lazy import lazy_imports

with lazy_imports():
    import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_DONT_NEED = 4
"""MADV_DONTNEED: https://man7.org/linux/man-pages/man2/madvise.2.html."""
_LARGE = 2 << 20
"""Size in bytes from which an array gets pages of its own, which are returned when it is freed. A search state is
smaller, up to 1.6 million bytes: mapping fresh pages for each search would take a quarter of the time of an easy
one."""
_KEPT = 6 << 20
"""Free bytes at the end of a heap that later allocations can use. `trim` returns them only for the first heap,
not for the one that threads share. Fills, counts and problems are no faster with five times as much."""
_HEAPS = 2

_STARTUP_THRESHOLD = 200_000
"""Allocations between garbage collections during startup: more than a whole fill makes."""
_THRESHOLD = 10_000
"""The same after startup. Python's default of 700 would collect eighty times in an easy fill."""

_MUCH_GARBAGE, _MUCH_OLD_GARBAGE = 30_000, 60_000
"""Growth in allocated memory blocks, of some hundred bytes each, since the last collection that makes another one
worthwhile: one of new objects, and one of all objects."""

_is_limited = False
_spare_libraries: set[str] = set()
"""Parts of the names of shared libraries whose pages the next `trim` drops."""
_usual_threshold: tuple[int, int, int] | None = None
"""The collector's original thresholds, during startup."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def begin_process() -> None:
    """Nearly stop garbage collection during startup, and skip it at exit; only `main` calls this.

    On import, Numpy's linear algebra would also start one thread per core that busy-waits for work. The products
    computed here are small, and the search has its own threads, so it is limited to one.
    """
    global _usual_threshold  # noqa: PLW0603  per process
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _usual_threshold = gc.get_threshold()
    gc.set_threshold(_STARTUP_THRESHOLD)
    atexit.register(gc.freeze)


def note_loaded() -> None:
    """Resume garbage collection if startup throttled it, but exempt all objects that exist now."""
    global _usual_threshold  # noqa: PLW0603  per process
    if _usual_threshold is not None:
        gc.freeze()
        gc.set_threshold(max(_usual_threshold[0], _THRESHOLD), *_usual_threshold[1:])
        _usual_threshold = None


Cached = TypeVar("Cached", bound=Callable[..., Any])

_last_calls: dict[Any, int] = {}
"""Functions whose cached results are dropped while unused, with their number of calls at the last look."""


def kept_while_used(cached: Cached) -> Cached:
    """Let `drop_unused` drop the results of a function that is decorated with `functools.cache`."""
    _last_calls[cached] = 0
    return cached


def drop_unused() -> None:
    """Drop the results of cached functions that were not called since the last time."""
    for cached, last in _last_calls.items():
        known = cached.cache_info()
        if known.currsize and known.hits + known.misses == last:
            cached.cache_clear()
        _last_calls[cached] = sum(cached.cache_info()[:2])


class Garbage:
    """Collects garbage in a program that opens and closes large objects for hours.

    The collector counts objects, not their bytes. It comes late to reference cycles, such as a closed puzzle with
    its problems and counts, and never to objects that were frozen.
    """

    def __init__(self, has_closed: Callable[[], bool]) -> None:
        """`has_closed` returns whether anything was closed since its last call."""
        self._has_closed = has_closed
        self._has_loaded = False
        self._is_due = False
        self._blocks = self._blocks_at_last_full = sys.getallocatedblocks()

    def has_loaded(self) -> None:
        """Exempt all objects that exist now from collection, which would stop every thread for 0.1 s.

        Only the first call does so: what exists at a later one may become garbage.
        """
        if not self._has_loaded:
            self._has_loaded = True
            gc.freeze()
            self._blocks = self._blocks_at_last_full = sys.getallocatedblocks()

    def has_replaced(self) -> None:
        """Collect everything next time, as new word lists have replaced the old ones."""
        self._is_due = self._is_due or self._has_loaded

    def collect(self) -> None:
        """Collect everything, an eighth of a second's work, one call after anything was closed.

        By then nothing else refers to it. Otherwise collect only objects that are not frozen, a fraction of that
        work, once many were allocated: the collector itself would wait for a million objects that refer to each
        other, such as lines on the screen and their rendered segments. If many are left, frozen ones may be
        garbage.
        """
        is_due, self._is_due = self._is_due, self._has_closed()
        if is_due:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._blocks = self._blocks_at_last_full = sys.getallocatedblocks()
        elif self._has_loaded and sys.getallocatedblocks() - self._blocks > _MUCH_GARBAGE:
            gc.collect()
            self._blocks = sys.getallocatedblocks()
            self._is_due |= self._blocks - self._blocks_at_last_full > _MUCH_OLD_GARBAGE


def limit_unused_memory() -> None:
    """Make this process hold little unused memory. Call it before any thread starts; only glibc supports it."""
    global _is_limited  # noqa: PLW0603  per process
    allocator = _glibc()
    if allocator is not None:
        allocator.mallopt(_ARENA_MAX, _HEAPS)
        allocator.mallopt(_MMAP_THRESHOLD, _LARGE)
        allocator.mallopt(_TRIM_THRESHOLD, _KEPT)
        _is_limited = True


def is_long_lived() -> bool:
    """Whether this process is a screen or REPL, which should hold little memory for hours."""
    return _is_limited


def release_library(name: str) -> None:
    """Drop a shared library's clean pages at the next `trim`, while it is not needed.

    They are loaded again page by page, from the system's cache, when the library is called.
    """
    _spare_libraries.add(name)


def _unchanged_mappings(name: str) -> Iterator[tuple[int, int]]:
    """Yield the address ranges of a file's mappings that are read-only and were never modified."""
    first = end = 0
    for line in Path("/proc/self/smaps").read_text().splitlines():
        what, *rest = line.split(maxsplit=5)
        if not what.endswith(":"):
            is_wanted = len(rest) == 5 and name in Path(rest[4]).name and "w" not in rest[0]
            first, end = (int(place, 16) for place in what.split("-")) if is_wanted else (0, 0)
        elif what == "Anonymous:" and end and rest[0] == "0":
            yield first, end


def trim() -> None:
    """Return free memory to the system, if `limit_unused_memory` was called; it takes some milliseconds."""
    allocator = _glibc() if _is_limited else None
    if allocator is not None:
        allocator.malloc_trim(0)
        spare = tuple(_spare_libraries)
        _spare_libraries.difference_update(spare)
        with suppress(OSError, ValueError):
            for first, end in (mapping for name in spare for mapping in _unchanged_mappings(name)):
                allocator.madvise(ctypes.c_void_p(first), ctypes.c_size_t(end - first), _DONT_NEED)


@cache
def _glibc() -> Any:
    """The C library with the allocator's functions; None if it is not glibc."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
