"""Getting the compiled kernels ready: from the cache in a moment, compiled once on each machine.

Call it off the UI thread: importing numba is part of the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from xwtui.engine.kernels.compiler.cache_folder import CacheRefusal
from xwtui.engine.loading_step import LoadingStep

if TYPE_CHECKING:
    from xwtui.engine.kernels.compiler.fence import FenceFailure

_SEARCH = "search"
_COUNTING = "counting"
_IMPROVING = "improving"

_lock = Lock()
_seconds: dict[str, float] = {}


def is_warm(*, counting: bool = True, improving: bool = False) -> bool:
    """Whether this process has the kernels of the search ready, and those of the rest that is meant."""
    wanted = {_SEARCH} | ({_COUNTING} if counting else set()) | ({_IMPROVING} if improving else set())
    return wanted <= _seconds.keys()


def seconds_spent() -> float:
    """The seconds that this process took to get its kernels ready; 0 before that."""
    return sum(_seconds.values())


def cache_refusal() -> CacheRefusal | FenceFailure | None:
    """Why kernels are compiled plainly, or why they are not kept; None where all is well. Imports numba."""
    from xwtui.engine.kernels.compiler import compiled  # noqa: PLC0415  it imports numba

    return (compiled.fence_failure() or compiled.kernel_cache().refusal) if compiled.JIT else None


def warm_up(
    progress: Callable[[LoadingStep], None] = lambda _: None, *, counting: bool = True, improving: bool = False
) -> float:
    """Compile or load the kernels, saying what is going on; returns the seconds that it took in all.

    Those of the search always, and those of `counting` and `improving` if these are meant; the
    latter see to what is asked of the grid as a whole, too. Another thread's call waits for the
    first, and another process's while this one compiles; later calls return at once.
    """
    if not is_warm(counting=counting, improving=improving):
        with _lock:
            from xwtui.engine import rehearsal  # noqa: PLC0415  it imports numba

            _rehearse(_SEARCH, rehearsal.rehearse_search, progress)
            if counting:
                _rehearse(_COUNTING, rehearsal.rehearse_counting, progress)
            if improving:
                _rehearse(_IMPROVING, rehearsal.rehearse_improving, progress)
    return seconds_spent()


def _rehearse(
    stage: str, rehearse: Callable[[Callable[[LoadingStep], None]], None], progress: Callable[[LoadingStep], None]
) -> None:
    """Run a rehearsal, if it has not been run, and note how long it took."""
    if stage not in _seconds:
        begin = perf_counter()
        rehearse(progress)
        _seconds[stage] = perf_counter() - begin
