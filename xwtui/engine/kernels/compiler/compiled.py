"""The decorators for compiled code, and the cache folder, which works across edits and read-only installs.

The folder's name contains a hash of all kernel sources and of the machine, so its contents belong to exactly
these. It lies in the user's cache folder or in NUMBA_CACHE_DIR, because the package itself may be read-only. If no
folder can be written to or trusted, every process compiles its kernels again.

Numba is imported only to compile. The machine code of an entry point is stored and later called without numba
(`objects.py`).

This, draft compilation and array records (`drafts.py`) rely on internals of numba and llvmlite that any release
may change. So before any kernel is compiled, a self-check runs: a small kernel is compiled this way and its
results are compared with Python's. If they agree, a marker file in the cache folder records it, and later starts
only look for that file. If they differ, or if numba's internals are not as expected, every process compiles all
kernels with plain `njit`: slower, with the same fills.
"""

from __future__ import annotations

import contextlib
import enum
import hashlib
import os
import platform
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import platformdirs

from xwtui.dataclasses import dataclass
from xwtui.engine.kernels.compiler import objects
from xwtui.engine.kernels.compiler.cache_folder import KernelCache, private_cache
from xwtui.engine.kernels.compiler.records import Array, Assembled
from xwtui.worded import Worded

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

JIT: bool = os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}
"""False under NUMBA_DISABLE_JIT=1, which runs the kernels as plain Python."""

_FOLDER_VARIABLE = "NUMBA_CACHE_DIR"


_KERNELS = Path(__file__).parents[1]

_MARK = "fence-holds"
_PRIVATE = 0o600
_ROWS = 7


class SelfCheckFault(enum.Enum):
    """Why kernels are compiled with plain `njit`."""

    MISSING = "missing"
    """Numba lacks something that the engine's compiler needs."""
    FAILED = "failed"
    """Compiling or running the self-check kernel fails."""
    DIFFERS = "differs"
    """The compiled self-check kernel gives a different result from Python."""


@dataclass(frozen=True)
class SelfCheckFailure(Worded):
    """Why the engine is slower than it could be."""

    doubt: SelfCheckFault
    detail: str = ""
    """The text of the error, if there was one."""


def source_fingerprint(folder: Path = _KERNELS) -> str:
    """Hash all kernel sources and the versions that affect how they compile."""
    digest = hashlib.sha256(f"{np.__version__} {platform.python_version()}".encode())
    for package in ("numba", "llvmlite"):
        digest.update(package.encode() + b"\0" + _version_of(package))
    for source in (*sorted(folder.rglob("*.py")), folder.parent / "rehearsal.py"):
        digest.update(str(source.relative_to(folder.parent)).encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _version_of(package: str) -> bytes:
    """Return the version of a package without importing it."""
    spec = find_spec(package)
    try:
        return Path((spec and spec.origin) or "").with_name("_version.py").read_bytes()
    except OSError:
        from importlib.metadata import version  # noqa: PLC0415  only for a package without a _version.py

        return version(package).encode()


def machine() -> str:
    """Return what else affects how kernels compile: the processor and numba's environment variables."""
    from llvmlite import binding  # noqa: PLC0415  not without compiled code

    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    settings = [each for each in settings if not each.startswith(_FOLDER_VARIABLE)]
    return "\n".join([binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten(), *settings])


@cache
def kernel_cache() -> KernelCache:
    """Return where compiled kernels are stored, or why every process compiles them again."""
    base = Path(os.environ.get(_FOLDER_VARIABLE) or platformdirs.user_cache_dir("xwtui"))
    known = hashlib.sha256(f"{source_fingerprint()}\n{machine()}".encode()).hexdigest()
    return private_cache(base, f"kernels-{known[:16]}")


def cache_folder() -> Path | None:
    """Return the folder of compiled kernels, created if missing; None if none is usable."""
    return kernel_cache().folder


@cache
def self_check_failure() -> SelfCheckFailure | None:
    """Return why kernels are compiled with plain `njit`; None if the self-check passes and they are not."""
    return run_self_check(cache_folder()) if JIT else None


def is_self_check_pending() -> bool:
    """Whether `self_check_failure` would have to compile something."""
    return JIT and not has_passed_self_check(cache_folder())


def run_self_check(folder: Path | None) -> SelfCheckFailure | None:
    """Run the self-check; return its failure or None. `folder` stores a success."""
    if has_passed_self_check(folder):
        return None
    try:
        from xwtui.engine.kernels.compiler import drafts  # noqa: F401, PLC0415  numba may lack its imports
    except Exception as error:
        return SelfCheckFailure(SelfCheckFault.MISSING, str(error))
    try:
        fenced = compiled_self_check()
    except Exception as error:
        return SelfCheckFailure(SelfCheckFault.FAILED, next(iter(str(error).splitlines()), type(error).__name__))
    if fenced != plain_self_check():
        return SelfCheckFailure(SelfCheckFault.DIFFERS)
    if folder is not None:
        with contextlib.suppress(OSError):
            (folder / _MARK).touch(_PRIVATE)
    return None


def has_passed_self_check(folder: Path | None) -> bool:
    """Whether an earlier process has passed the self-check."""
    return folder is not None and (folder / _MARK).exists()


def plain(function: Callable[..., Any], *, is_inlined: bool = False) -> Any:
    """Compile a kernel with plain numba."""
    import numba  # noqa: PLC0415  only where something is compiled

    return numba.njit(forceinline=is_inlined, **objects.PLAIN_OPTIONS)(function)


@dataclass(frozen=True, eq=False)
class _Probe(Assembled, columns={"pairs": 2}):
    words: Array[np.uint64]
    pairs: Array[np.int64]
    lacking: Array[np.int64] | None = None


def compiled_self_check() -> list[Any]:
    """Return the result and side effects of a small kernel compiled from drafts and called as kernels are."""
    from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

    def call(run: Callable[[_Probe, int], int], probe: _Probe) -> Any:
        kinds, in_cells = objects.kinds_and_cells((probe, _ROWS))
        return objects.Native(drafts.object_file(run, (probe, _ROWS), kinds))(in_cells)

    return _tried(drafts.compile_draft, call)


def plain_self_check() -> list[Any]:
    """Return the same, computed by Python."""
    return _tried(lambda function: function, lambda run, probe: run(probe, _ROWS))


def _tried(
    compile_draft: Callable[[Any], Any], call: Callable[[Callable[[Any, int], int], _Probe], Any]
) -> list[Any]:
    """Call a kernel that reads and writes rows, columns and words, both itself and through another kernel."""

    @compile_draft
    def turn(record: Any, row: int) -> int:
        record.pairs[row, 1] -= record.pairs[row, 0] * 3
        record.words[row] |= np.uint64(1) << np.uint64(row)
        return int(record.pairs[row, 1])

    def run(record: Any, rows: int) -> int:
        total = len(record.pairs)
        for row in range(rows):
            if record.words[row] >> np.uint64(60) != np.uint64(3):
                total += turn(record, row)
        return total

    words = np.arange(_ROWS, dtype=np.uint64) << np.uint64(60)
    probe = _Probe(words, np.arange(2 * _ROWS, dtype=np.int64).reshape(_ROWS, 2))
    return [call(run, probe), probe.words.tolist(), probe.pairs.tolist()]


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that only other kernels call. It cannot create arrays."""
    return cast(Callable[Parameters, Result], Kernel(function)) if JIT else function


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a short function that LLVM inlines at every call."""
    return cast(Callable[Parameters, Result], Kernel(function, is_inlined=True)) if JIT else function


def entry_point(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that Python calls, and store its machine code in the cache folder.

    It cannot create arrays. Code compiled with plain `njit` is not stored: numba cannot store all of it.
    """
    if not JIT:
        return np.errstate(over="ignore")(function)
    return cast(Callable[Parameters, Result], EntryPoint(function))


class Kernel:
    """A function that is compiled into each entry point that calls it, directly or not."""

    def __init__(self, function: Callable[..., Any], *, is_inlined: bool = False) -> None:
        update_wrapper(cast(Callable[..., Any], self), function)
        self.function = function
        self._is_inlined = is_inlined

    @property
    def _numba_type_(self) -> Any:
        """The numba type of this function, for calls from other kernels."""
        return self._dispatcher._numba_type_

    @cached_property
    def _dispatcher(self) -> Any:
        if self_check_failure() is not None:
            return plain(self.function, is_inlined=self._is_inlined)
        from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

        return drafts.compile_draft(self.function, is_inlined=self._is_inlined)


class EntryPoint(Kernel):
    """A function that Python calls, compiled on the first call with each combination of argument kinds."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._natives: dict[tuple[str, ...], objects.Native] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Call the function; raises TypeError for arguments that compiled code does not accept."""
        kinds, cells = objects.kinds_and_cells(arguments)
        native = self._natives.get(kinds)
        if native is None:
            if self_check_failure() is not None:
                plain = (each.as_tuple() if hasattr(each, "as_tuple") else each for each in arguments)
                return self._dispatcher(*plain)
            native = self._natives[kinds] = objects.Native(self._object_file(kinds, arguments))
        return native(cells)

    def _object_file(self, kinds: tuple[str, ...], arguments: tuple[Any, ...]) -> objects.ObjectFile:
        """Read the machine code from the cache folder, or compile it and store it there.

        A function whose source is not part of the folder's hash, such as one in a test, is not stored.
        """
        is_told = _KERNELS in Path(self.function.__code__.co_filename).parents
        folder = cache_folder() if is_told else None
        if folder is not None:
            STORED_FILES.add(objects.object_name(self.function, kinds))
            with contextlib.suppress(objects.UnusableObjectError):
                return objects.ObjectFile.read(folder / objects.object_name(self.function, kinds))
        from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

        file = drafts.object_file(self.function, arguments, kinds)
        if folder is not None:
            with contextlib.suppress(OSError):
                file.write(folder)
        return file


STORED_FILES: set[str] = set()
"""The files in the cache folder for the functions called in this process."""
