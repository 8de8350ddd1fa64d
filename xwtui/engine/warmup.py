"""Preparing the compiled kernels: they load from the cache quickly, and are compiled once on each machine.

Call it off the UI thread, because missing kernels have to be compiled. The first process has that done, and others
that start meanwhile wait and then load. A separate process compiles (`main`) and exits. That frees the 170 MB or
so that numba and LLVM would hold forever, and no face has to wait while the compiler holds the GIL. If no other
process can be started, if it fails, or if nothing can be stored, the current process compiles.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock
from time import perf_counter

from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.kernels.compiler.cache_folder import CacheRefusal
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.lazy import lazy_imports
from xwtui.reading import DAY, remove_stale, write_whole

with lazy_imports():
    import subprocess

    import filelock
    from filelock import FileLock

    from xwtui.engine.rehearsal import rehearse

Progress = Callable[[LoadingStep], None]

_LONGEST_WAIT = 600.0
"""Seconds after which a process stops waiting for another, which may be suspended for good."""

_PRIVATE = 0o600

SOURCES = str(Path(__file__).parent)
"""Checked by the compiling process, which may find another xwtui."""

_lock = Lock()
_seconds: dict[EnginePart, float] = {}


def is_warm(*, counting: bool = True, improving: bool = False, drawing: bool = False) -> bool:
    """Whether this process has the search kernels and the requested other parts ready."""
    return _seconds.keys() >= {*_parts(counting, improving, drawing)}


def _parts(counting: bool, improving: bool, drawing: bool) -> list[EnginePart]:
    meant = {EnginePart.COUNTING: counting, EnginePart.IMPROVING: improving, EnginePart.DRAWING: drawing}
    return [EnginePart.SEARCH, *(part for part, is_meant in meant.items() if is_meant)]


def seconds_spent() -> float:
    """Return the seconds that this process took to prepare its kernels; 0 before that."""
    return sum(_seconds.values())


def is_improver_kept() -> bool:
    """Whether the improver is available without compiling."""
    return is_warm(counting=False, improving=True) or is_kept(EnginePart.IMPROVING)


def warm_up(
    progress: Progress = lambda _: None,
    *,
    counting: bool = True,
    improving: bool = False,
    drawing: bool = False,
) -> float:
    """Compile or load the kernels, reporting progress; return the total seconds that it took.

    The search is always prepared; `counting`, `improving` and `drawing` (of layouts) on request. Improving
    includes the kernels for global constraints. Calls from other threads wait for the first, and other processes
    wait while one compiles. Later calls return at once.
    """
    if not is_warm(counting=counting, improving=improving, drawing=drawing):
        with _lock:
            for part in _parts(counting, improving, drawing):
                if part not in _seconds:
                    begin = perf_counter()
                    make_ready(part, progress)
                    _seconds[part] = perf_counter() - begin
    return seconds_spent()


def _rehearse(part: EnginePart) -> None:
    """Run the kernels of a part, so that missing ones are compiled."""
    rehearse(part)


def make_ready(part: EnginePart, progress: Progress, rehearse: Callable[[EnginePart], None] = _rehearse) -> None:
    """Load a part of the kernels, or compile it by running `rehearse`, reporting which of the two it is."""
    folder = compiled.cache_folder() if compiled.JIT else None
    if folder is None:
        progress(LoadingStep(part, LoadingStage.COMPILING if compiled.JIT else LoadingStage.LOADING))
        rehearse(part)
    elif not _is_found(folder, part, progress):
        with cache_lock(folder / f"{part.value}.lock", part, progress):
            if not _is_found(folder, part, progress):
                clean_cache(folder, is_new=True)
                progress(LoadingStep(part, LoadingStage.COMPILING, is_kept=True))
                if not (compile_in_subprocess(folder, part) and is_kept(part)):
                    _compile(folder, part, rehearse)


def is_kept(part: EnginePart) -> bool:
    """Whether a part has been compiled on this machine, so that it loads quickly."""
    folder = compiled.cache_folder() if compiled.JIT else None
    if folder is None:
        return False
    try:
        return all((folder / name).exists() for name in _mark(folder, part).read_text().split())
    except (OSError, UnicodeDecodeError):
        return False


def _is_found(folder: Path, part: EnginePart, progress: Progress) -> bool:
    """Whether a part was compiled earlier; its machine code then loads when first called."""
    if is_kept(part):
        clean_cache(folder, is_new=False)
        progress(LoadingStep(part))
        return True
    return False


def _compile(folder: Path, part: EnginePart, rehearse: Callable[[EnginePart], None] = _rehearse) -> None:
    """Compile a part here, and record the files that hold it: all kernels called so far."""
    rehearse(part)
    if compiled.self_check_failure() is None:
        with contextlib.suppress(OSError):
            write_whole(_mark(folder, part), "\n".join(sorted(compiled.STORED_FILES)))


def _mark(folder: Path, part: EnginePart) -> Path:
    """Return the marker file of a compiled part."""
    return folder / f"{part.value}.ready"


def compile_in_subprocess(folder: Path, *parts: EnginePart) -> bool:
    """Run the compiler's self-check and compile parts in another process; False if that is impossible."""
    if not Path(sys.executable or "").stem.startswith("python"):
        return False  # another program that embeds Python would be started instead
    command = [sys.executable, "-P", "-m", "xwtui.engine.warmup", str(folder), SOURCES]
    command += [part.value for part in parts]
    quiet = subprocess.DEVNULL
    try:
        # Its input ends with this process, however that ends. Ctrl+C belongs to the face.
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True
        ) as process:
            return process.wait() == 0
    except OSError:
        return False


def first_start_step() -> LoadingStep | None:
    """Return the first step if nothing was ever compiled for these sources; None if something was."""
    if not compiled.is_self_check_pending():
        return None
    is_kept = compiled.cache_folder() is not None
    return LoadingStep(EnginePart.SEARCH, LoadingStage.COMPILING, is_kept=is_kept)


def cache_refusal() -> CacheRefusal | compiled.SelfCheckFailure | None:
    """Return why kernels are compiled plainly or not cached; None if neither is the case."""
    if not compiled.JIT:
        return None
    folder = compiled.cache_folder()
    if folder is not None and compiled.is_self_check_pending():
        compile_in_subprocess(folder)
    return compiled.self_check_failure() or compiled.kernel_cache().refusal


@contextlib.contextmanager
def cache_lock(path: Path, part: EnginePart, progress: Progress) -> Iterator[None]:
    """Hold a lock between processes, reporting if another process must be waited for.

    The system releases the lock when a process ends in any way. If the file system has no locks, processes run in
    parallel, which is safe because each writes whole files.
    """
    lock = FileLock(path, mode=_PRIVATE, fallback_to_soft=False)
    try:
        lock.acquire(blocking=False)
    except filelock.Timeout:
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


def clean_cache(folder: Path, *, is_new: bool) -> None:
    """Mark the kernel cache folder as used; when creating a new one, remove those unused for a month."""
    with contextlib.suppress(OSError):
        os.utime(folder)
    if is_new:
        remove_stale(folder.parent, "kernels-" + 16 * "[0-9a-f]", 30 * DAY)


def main() -> int:
    """Compile for another process: `python -P -m xwtui.engine.warmup FOLDER SOURCES PART...`.

    It exits when its standard input ends, even while compiling: when the process that started it ends in any way.
    The exit status is 1 if nothing could be stored in the folder for these sources. Garbage collection is off.
    """
    gc.disable()
    threading.Thread(target=_exit_at_end_of_input, daemon=True).start()
    folder = compiled.cache_folder()
    if folder is None or sys.argv[1:3] != [str(folder), SOURCES] or compiled.self_check_failure() is not None:
        return 1
    for part in map(EnginePart, sys.argv[3:]):
        _compile(folder, part)
    return 0


def _exit_at_end_of_input() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    os._exit(main())  # Python itself would wait for the input
