"""Getting the compiled kernels ready: from the cache in a moment, compiled once on each machine.

Call it off the UI thread: what is not there has to be compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock
from time import perf_counter

from xwtui.engine import compiling
from xwtui.engine.compiling import cache_refusal, step_at_first_start
from xwtui.engine.loading_step import EnginePart, LoadingStep
from xwtui.lazy import lazy_imports

with lazy_imports():
    from xwtui.engine import rehearsal

__all__ = [
    "cache_refusal",
    "is_improver_kept",
    "is_warm",
    "seconds_spent",
    "step_at_first_start",
    "warm_up",
]

_lock = Lock()
_seconds: dict[EnginePart, float] = {}


def is_warm(*, counting: bool = True, improving: bool = False, drawing: bool = False) -> bool:
    """Whether this process has the kernels of the search ready, and those of the rest that is meant."""
    return _seconds.keys() >= {*_parts(counting=counting, improving=improving, drawing=drawing)}


def _parts(*, counting: bool, improving: bool, drawing: bool) -> Iterator[EnginePart]:
    yield EnginePart.SEARCH
    if counting:
        yield EnginePart.COUNTING
    if improving:
        yield EnginePart.IMPROVING
    if drawing:
        yield EnginePart.DRAWING


def seconds_spent() -> float:
    """The seconds that this process took to get its kernels ready; 0 before that."""
    return sum(_seconds.values())


def is_improver_kept() -> bool:
    """Whether the improver can be had without compiling it."""
    return is_warm(counting=False, improving=True) or compiling.is_kept(EnginePart.IMPROVING)


def warm_up(
    progress: Callable[[LoadingStep], None] = lambda _: None,
    *,
    counting: bool = True,
    improving: bool = False,
    drawing: bool = False,
) -> float:
    """Compile or load the kernels, saying what is going on; returns the seconds that it took in all.

    Those of the search always, and those of `counting`, `improving` and the `drawing` of layouts if these are
    meant; those of improving see to what is asked of the grid as a whole, too. Another thread's call waits for the
    first, and another process's while this one compiles; later calls return at once.
    """
    if not is_warm(counting=counting, improving=improving, drawing=drawing):
        with _lock:
            for part in _parts(counting=counting, improving=improving, drawing=drawing):
                _make_ready(part, progress)
    return seconds_spent()


def _make_ready(part: EnginePart, progress: Callable[[LoadingStep], None]) -> None:
    """Make a part ready, if it is not, and note how long it took."""
    if part not in _seconds:
        begin = perf_counter()
        compiling.make_ready(part, lambda: _rehearse(part), progress)
        _seconds[part] = perf_counter() - begin


def _rehearse(part: EnginePart) -> None:
    rehearsal.rehearse(part)
