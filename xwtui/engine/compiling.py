"""Compiling once on a machine: the first process does it, one that comes meanwhile waits and then loads."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout
from llvmlite import binding

from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.tidy import DAY, remove_stale

Progress = Callable[[LoadingStep], None]

_LONGEST_WAIT = 600.0
"""Seconds after which one process no longer waits for another, which may have been halted for good."""

_PRIVATE = 0o600


def make_ready(part: EnginePart, rehearse: Callable[[], None], progress: Progress) -> None:
    """Run what makes numba load a part of the kernels, or compile it, telling which of the two it is."""
    folder = compiled.cache_folder() if compiled.JIT else None
    if folder is None:
        progress(LoadingStep(part, LoadingStage.COMPILING if compiled.JIT else LoadingStage.LOADING))
        rehearse()
    elif not _is_compiled_here(folder, part, rehearse, progress):
        tend_cache(folder, is_new=False)
        progress(LoadingStep(part))
        rehearse()


def _is_compiled_here(folder: Path, part: EnginePart, rehearse: Callable[[], None], progress: Progress) -> bool:
    """Compile a part, unless that is done or another process does it; whether this one has."""
    mark = folder / f"{part.value}-{_stamp()}.ready"
    if mark.exists():
        return False
    with in_turn(folder / f"{part.value}.lock", part, progress):
        if mark.exists():
            return False
        tend_cache(folder, is_new=True)
        progress(LoadingStep(part, LoadingStage.COMPILING, is_kept=True))
        rehearse()
        with contextlib.suppress(OSError):
            mark.touch(_PRIVATE)
    return True


@contextlib.contextmanager
def in_turn(path: Path, part: EnginePart, progress: Progress) -> Iterator[None]:
    """Do something while no other process does, saying so where one has to be waited for.

    The system takes the lock from a process that ends in whatever way. Where the file system has no
    locks, processes go on side by side: each writes whole files.
    """
    lock = FileLock(path, mode=_PRIVATE, fallback_to_soft=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        progress(LoadingStep(part, LoadingStage.WAITING))
        with contextlib.suppress(OSError, NotImplementedError):  # a Timeout is an OSError, too
            lock.acquire(timeout=_LONGEST_WAIT)
    except (OSError, NotImplementedError):
        pass
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            lock.release()


def tend_cache(folder: Path, *, is_new: bool) -> None:
    """Mark the folder of the compiled kernels as used; beside a new one, remove those not used for a month."""
    with contextlib.suppress(OSError):
        os.utime(folder)
    if is_new:
        remove_stale(folder.parent, "kernels-" + 16 * "[0-9a-f]", 30 * DAY)


def _stamp() -> str:
    """Hash what numba's files depend on beside the sources' text: their place and age, and the processor."""
    ages = [f"{source} {source.stat().st_mtime_ns}" for source in compiled.kernel_sources()]
    facts = [binding.get_host_cpu_name(), *ages]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
