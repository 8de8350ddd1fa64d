"""Compiling once on a machine: the first process has it done, one that comes meanwhile waits and then loads.

A process of its own compiles (`main`) and ends, with all that numba and LLVM hold for that, some
170 MB, which they never give back; and no face has to wait while the compiler holds Python. Where no other process
can be begun, or it fails, and where nothing can be kept, this one compiles.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import itertools
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from xwtui.engine.kernels.compiler import compiled
from xwtui.engine.kernels.compiler.cache_folder import CacheRefusal
from xwtui.engine.kernels.compiler.objects import UnusableObjectError
from xwtui.engine.loading_step import EnginePart, LoadingStage, LoadingStep
from xwtui.reading import DAY, remove_stale

if TYPE_CHECKING:
    import subprocess
    from queue import SimpleQueue

    from xwtui.engine.kernels.compiler.fence import FenceFailure, LoadingFailure

Progress = Callable[[LoadingStep], None]

_LONGEST_WAIT = 600.0
"""Seconds after which one process no longer waits for another, which may have been halted for good."""

_PRIVATE = 0o600

READY = "ready"
SOURCES = str(Path(__file__).parent)
"""Numba knows its files by the place of their sources, and another process may find another xwtui."""


def make_ready(part: EnginePart, rehearse: Callable[[], None], progress: Progress) -> None:
    """Load a part of the kernels, or compile it by running `rehearse`, telling which of the two it is."""
    folder = compiled.cache_folder() if compiled.JIT else None
    if folder is None:
        progress(LoadingStep(part, LoadingStage.COMPILING if compiled.JIT else LoadingStage.LOADING))
        rehearse()
        return
    _try_fence(folder)
    if not _is_loaded(folder, part, rehearse, progress):
        with in_turn(folder / f"{part.value}.lock", part, progress):
            if not _is_loaded(folder, part, rehearse, progress):
                _compile(folder, part, rehearse, progress)


def _is_loaded(folder: Path, part: EnginePart, rehearse: Callable[[], None], progress: Progress) -> bool:
    """Load a part that was compiled earlier; False where it was not, or where what there is cannot be used."""
    mark = _mark(folder, part)
    if not mark.exists():
        return False
    tend_cache(folder, is_new=False)
    progress(LoadingStep(part))
    return _loads(mark, rehearse)


def is_kept(part: EnginePart) -> bool:
    """Whether a part was compiled on this machine, so that it can be loaded in a moment."""
    folder = compiled.cache_folder() if compiled.JIT else None
    return folder is not None and _mark(folder, part).exists()


def _compile(folder: Path, part: EnginePart, rehearse: Callable[[], None], progress: Progress) -> None:
    """Have a part compiled and load it, or else compile it here."""
    tend_cache(folder, is_new=True)
    progress(LoadingStep(part, LoadingStage.COMPILING, is_kept=True))
    with compiler_process() as process:
        is_compiled = process.compile(folder, part)
    if not (is_compiled and _loads(_mark(folder, part), rehearse)):
        rehearse()
        note_ready(folder, part)


def _loads(mark: Path, rehearse: Callable[[], None]) -> bool:
    """Load what a mark names; False where that cannot be. What numba keeps itself it loads in a run."""
    if not mark.exists():
        return False
    if not compiled.calls_without_numba():
        rehearse()
        return True
    try:
        compiled.LOADED.load(mark.parent, mark.read_text().split())
    except (UnusableObjectError, OSError, UnicodeDecodeError):
        return False
    return True


def note_ready(folder: Path, part: EnginePart) -> None:
    """Note that a part is compiled, and which files hold it: all that were loaded up to now."""
    names = compiled.LOADED.names() if compiled.calls_without_numba() else []
    with contextlib.suppress(OSError):
        mark = _mark(folder, part)
        mark.touch(_PRIVATE)
        mark.write_text("\n".join(names))


def _mark(folder: Path, part: EnginePart) -> Path:
    """What tells that a part is compiled for this machine."""
    return folder / f"{part.value}-{_stamp()}.ready"


class CompilerProcess:
    """The process that compiles for this one: begun when it is first needed, and not again where it has failed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._has_failed = False

    def begin(self, folder: Path) -> None:
        """Have it ready, with the compiler's fence tried, before it is needed."""
        with self._lock:
            self._begin(folder)

    def compile(self, folder: Path, part: EnginePart) -> bool:
        """Compile a part into the folder of the kernels; False where that cannot be had."""
        with self._lock:
            self._begin(folder)
            if self._process is None or self._process.stdin is None:
                return False
            with contextlib.suppress(OSError):
                self._process.stdin.write(f"{part.value}\n")
                self._process.stdin.flush()
            return self._hear(part.value)

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(OSError), self._process:
                self._process = None

    def _begin(self, folder: Path) -> None:
        if self._process is not None or self._has_failed or not _is_python():
            return
        import subprocess  # noqa: PLC0415  only where something is compiled

        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "xwtui.engine.compiling", str(folder), SOURCES],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl+C is for the face
            )
        except OSError:
            self._has_failed = True
        else:
            self._hear(READY)

    def _hear(self, expected: str) -> bool:
        """Wait for an answer; where another one comes, or none, the process is of no more use."""
        assert self._process is not None
        assert self._process.stdout is not None
        if self._process.stdout.readline() == f"{expected}\n":
            return True
        self._has_failed = True
        self.end()
        return False


def _is_python() -> bool:
    """Whether this is no other program with a Python in it, which would be begun in its place."""
    return Path(sys.executable or "").stem.startswith("python")


_users = 0
_process = CompilerProcess()
_beginning = threading.Lock()


@contextlib.contextmanager
def compiler_process() -> Iterator[CompilerProcess]:
    """The process that compiles, for as long as anybody uses it."""
    global _users, _process  # noqa: PLW0603  one for all threads
    with _beginning:
        _users += 1
        process = _process
    try:
        yield process
    finally:
        with _beginning:
            _users -= 1
            if not _users:
                process.end()
                _process = CompilerProcess()


def _try_fence(folder: Path) -> None:
    """Have the process that compiles try the compiler's fence, unless the folder has the outcome."""
    if compiled.is_fence_untried():
        with compiler_process() as process:
            process.begin(folder)


def step_at_first_start() -> LoadingStep | None:
    """What will be done first where nothing was ever compiled for these sources; None where something was."""
    if not compiled.is_fence_untried():
        return None
    is_kept = compiled.cache_folder() is not None
    return LoadingStep(EnginePart.SEARCH, LoadingStage.COMPILING, is_kept=is_kept)


def cache_refusal() -> CacheRefusal | FenceFailure | LoadingFailure | None:
    """Why kernels are compiled plainly, not kept, or called by numba; None where all is well."""
    if not compiled.JIT:
        return None
    folder = compiled.cache_folder()
    if folder is not None:
        _try_fence(folder)
    return compiled.fence_failure() or compiled.kernel_cache().refusal or compiled.loading_failure()


@contextlib.contextmanager
def in_turn(path: Path, part: EnginePart, progress: Progress) -> Iterator[None]:
    """Do something while no other process does, saying so where one has to be waited for.

    The system takes the lock from a process that ends in whatever way. Where the file system has no
    locks, processes go on side by side: each writes whole files.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415  only who compiles needs it

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
    """What the compiled kernels depend on beside their sources, and what a part of them is.

    Numba's own files depend on the place and age of the sources, too.
    """
    facts = [compiled.machine(), _what_parts_are()]
    if not compiled.calls_without_numba():
        facts += [f"{source} {source.stat().st_mtime_ns}" for source in compiled.kernel_sources()]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


@functools.cache
def _what_parts_are() -> str:
    return Path(SOURCES, "rehearsal.py").read_text(encoding="utf-8")


def main() -> int:
    """The process that compiles for another one: `python -P -m xwtui.engine.compiling FOLDER SOURCES`.

    It says `ready` once it has tried the compiler's fence, and then answers the name of each part that it reads
    with the same name, once that is compiled and in FOLDER. It ends with its standard input, in the midst of
    compiling too: with the process that began it, however that ended. What it cannot do it does not answer. The
    status is 1 where nothing could be kept in the folder for these sources. Garbage is looked for after each part,
    not in the midst of one.
    """
    from queue import SimpleQueue  # noqa: PLC0415  (no other process needs one)

    gc.disable()
    asked: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    folder = compiled.cache_folder()
    if folder is None or sys.argv[1:] != [str(folder), SOURCES]:
        return 1
    return _compile_parts(folder, (EnginePart(asked.get()) for _ in itertools.count()))


def _compile_parts(folder: Path, parts: Iterable[EnginePart]) -> int:
    """Compile what is asked for, once the fence and the loader are tried: no face has to import numba for that."""
    if compiled.fence_failure() is not None:
        return 1
    compiled.loading_failure()
    _answer(READY)
    from xwtui.engine.rehearsal import rehearse  # noqa: PLC0415  (it imports all kernels)

    for part in parts:
        rehearse(part)
        note_ready(folder, part)
        _answer(part.value)
        gc.collect()
    return 0


def _listen(asked: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        asked.put(line.strip())
    os._exit(0)


def _answer(word: str) -> None:
    print(word, flush=True)


if __name__ == "__main__":
    os._exit(main())  # Python itself would wait for the input
