"""Getting the compiled kernels ready: from the cache in a moment, compiled once on each machine.

Call it off the UI thread: importing numba is part of the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import perf_counter

_SEARCH = "search"
_COUNTING = "counting"

_lock = Lock()
_seconds: dict[str, float] = {}


def is_warm(*, counting: bool = True) -> bool:
    """Whether this process has the kernels of the search ready, and those of counting if these are meant too."""
    return _SEARCH in _seconds and (_COUNTING in _seconds or not counting)


def seconds_spent() -> float:
    """The seconds that this process took to get its kernels ready; 0 before that."""
    return sum(_seconds.values())


def warm_up(progress: Callable[[str], None] = lambda _: None, *, counting: bool = True) -> float:
    """Compile or load the kernels, saying what is going on; returns the seconds that it took in all.

    Without `counting` only those of the search. Another thread's call waits for the first; later
    calls return at once.
    """
    if not is_warm(counting=counting):
        with _lock:
            from xwtui.engine import rehearsal  # noqa: PLC0415  it imports numba

            _rehearse(_SEARCH, rehearsal.rehearse_search, progress)
            if counting:
                _rehearse(_COUNTING, rehearsal.rehearse_counting, progress)
    return seconds_spent()


def _rehearse(
    stage: str, rehearse: Callable[[Callable[[str], None]], None], progress: Callable[[str], None]
) -> None:
    """Run a rehearsal, if it has not been run, and note how long it took."""
    if stage not in _seconds:
        begin = perf_counter()
        rehearse(progress)
        _seconds[stage] = perf_counter() - begin
