"""Getting the compiled kernels ready: from the cache in a moment, compiled once on each machine.

Call it off the UI thread: importing numba is part of the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import perf_counter

_lock = Lock()
_seconds: list[float] = []


def is_warm() -> bool:
    """Whether this process has all kernels ready."""
    return bool(_seconds)


def seconds_spent() -> float:
    """The seconds that this process took to get its kernels ready; 0 before that."""
    return _seconds[0] if _seconds else 0.0


def warm_up(progress: Callable[[str], None] = lambda _: None) -> float:
    """Compile or load all kernels, saying what is going on; returns the seconds that it took.

    Another thread's call waits for the first; later calls return at once.
    """
    if _seconds:
        return _seconds[0]
    with _lock:
        if not _seconds:
            begin = perf_counter()
            from xwtui.engine.rehearsal import rehearse  # noqa: PLC0415  it imports numba

            rehearse(progress)
            _seconds.append(perf_counter() - begin)
    return _seconds[0]
