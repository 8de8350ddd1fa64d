"""The decorators of all compiled code, and the cache folder that survives edits and read-only installs.

The folder's name holds a hash of all kernel sources, so that what lies there is of these sources and no
others. It is in the user's cache folder, or in NUMBA_CACHE_DIR: the package itself may be read-only. Where no
folder can be written or trusted, kernels are compiled anew in each process.

Numba is imported only to compile. What it made of an entry point is kept as machine code and called without it
(`objects.py`); where that cannot be, numba keeps and calls it in its own way.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
from collections.abc import Callable, Iterable
from functools import cache, cached_property, update_wrapper, wraps
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import platformdirs

from xwtui.engine.kernels.compiler import fence
from xwtui.engine.kernels.compiler.cache_folder import KernelCache, private_cache
from xwtui.engine.kernels.compiler.objects import (
    Native,
    ObjectFile,
    Target,
    UnusableObjectError,
    can_load,
    check_symbols,
    kinds_and_cells,
)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

JIT: bool = os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}
"""False under NUMBA_DISABLE_JIT=1, where the kernels run as plain Python."""

_FOLDER_VARIABLE = "NUMBA_CACHE_DIR"


def kernel_sources() -> list[Path]:
    """The files that decide what the kernels compile to: all that are in the kernels' folder, and below it."""
    inside = os.walk(Path(__file__).parents[1])
    return sorted(Path(folder, name) for folder, _, names in inside for name in names if name.endswith(".py"))


def source_fingerprint() -> str:
    """Hash all kernel sources with the versions that decide what they compile to."""
    digest = hashlib.sha256(f"{np.__version__} {platform.python_version()}".encode())
    for package in ("numba", "llvmlite"):
        digest.update(package.encode() + b"\0" + _version_of(package))
    folder = Path(__file__).parents[1]
    for source in kernel_sources():
        digest.update(str(source.relative_to(folder)).encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _version_of(package: str) -> bytes:
    """What tells the version of a package that is not imported."""
    spec = find_spec(package)
    try:
        return Path((spec and spec.origin) or "").with_name("_version.py").read_bytes()
    except OSError:
        from importlib.metadata import version  # noqa: PLC0415  only where a package was built otherwise

        return version(package).encode()


@cache
def machine() -> str:
    """Hash what else decides what the kernels compile to: the processor, and what numba is told."""
    from llvmlite import binding  # noqa: PLC0415  not without compiled code

    told = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    told = [each for each in told if not each.startswith(_FOLDER_VARIABLE)]
    facts = [binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten(), *told]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


@cache
def kernel_cache() -> KernelCache:
    """Where the compiled kernels are kept, or why every process compiles them anew."""
    base = Path(os.environ.get(_FOLDER_VARIABLE) or platformdirs.user_cache_dir("xwtui"))
    return private_cache(base, f"kernels-{source_fingerprint()}")


def cache_folder() -> Path | None:
    """The folder of the compiled kernels, made if missing, or None where none can be used."""
    return kernel_cache().folder


@cache
def fence_failure() -> fence.FenceFailure | None:
    """Why kernels are compiled by plain `njit`, without what leans on numba's insides; None where they are not."""
    return fence.fence_failure(cache_folder()) if JIT else None


@cache
def loading_failure() -> fence.LoadingFailure | None:
    """Why numba keeps and calls the kernels itself where it should not; None where all is well."""
    if not JIT or not can_load() or fence_failure() is not None:
        return None
    return fence.loading_failure(cache_folder())


@cache
def calls_without_numba() -> bool:
    """Whether machine code is called without numba."""
    return JIT and can_load() and fence_failure() is None and loading_failure() is None


def is_fence_untried() -> bool:
    """Whether `fence_failure` or `loading_failure` would have to compile to know."""
    return JIT and not fence.is_known_to_hold(cache_folder(), with_loader=can_load())


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that only other kernels call. It cannot make arrays."""
    return cast(Callable[Parameters, Result], Kernel(function)) if JIT else function


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a short function that LLVM is to inline wherever it is called."""
    return cast(Callable[Parameters, Result], Kernel(function, is_inlined=True)) if JIT else function


def entry_point(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that Python calls, and keep the machine code in the cache folder.

    It cannot make arrays. What is compiled plainly is not kept: numba cannot keep all of it.
    """
    if not JIT:
        return np.errstate(over="ignore")(function)
    return cast(Callable[Parameters, Result], EntryPoint(function))


class Kernel:
    """A function that is compiled into the entry points that lead to it."""

    def __init__(self, function: Callable[..., Any], *, is_inlined: bool = False) -> None:
        update_wrapper(cast(Callable[..., Any], self), function)
        self.function = function
        self._is_inlined = is_inlined

    @property
    def _numba_type_(self) -> Any:
        """What numba takes this for where a kernel calls it."""
        return self._dispatcher._numba_type_

    @cached_property
    def _dispatcher(self) -> Any:
        if fence_failure() is not None:
            return fence.plain(self.function, is_inlined=self._is_inlined)
        from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

        return drafts.inner(self.function, is_inlined=self._is_inlined)


class EntryPoint(Kernel):
    """A function that Python calls, compiled for each kind of arguments when it is first called with them."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._natives: dict[tuple[str, ...], Native] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run it; raises TypeError for arguments that compiled code does not take."""
        kinds, cells = kinds_and_cells(arguments)
        native = self._natives.get(kinds)
        if native is None:
            native = LOADED.get(self.function, kinds, arguments) if calls_without_numba() else None
            if native is None:
                return self.by_numba(*arguments)
            self._natives[kinds] = native
        return native(cells)

    @cached_property
    def by_numba(self) -> Callable[..., Any]:
        """The same called by numba, where its machine code cannot be without."""
        if fence_failure() is not None:
            return _with_plain_records(fence.plain(self.function))
        from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

        kept: Callable[..., Any] = drafts.kept_by_numba(self.function, cache_folder())
        return kept


class LoadedKernels:
    """The machine code that this process has, from the cache folder or of its own making.

    What was read is linked when it is first called: a fill needs few of the kernels that improve.
    """

    def __init__(self) -> None:
        self._read: dict[Target, ObjectFile] = {}
        self._loaded: dict[Target, Native] = {}
        self._lock = RLock()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._unlock)

    def _unlock(self) -> None:
        """Begin anew with the lock: who held it is not in this process."""
        self._lock = RLock()

    def names(self) -> list[str]:
        """The files in the cache folder that hold what was read, or compiled, here."""
        return sorted(target.file_name for target in {*self._read, *self._loaded})

    def load(self, folder: Path, names: Iterable[str]) -> None:
        """Read files of the cache folder; raises UnusableObjectError."""
        files = [_read_from(folder, name) for name in names]
        for file in files:
            check_symbols(file)
        with self._lock:
            self._read |= {file.target: file for file in files if file.target not in self._loaded}

    def get(
        self, function: Callable[..., Any], kinds: tuple[str, ...], arguments: tuple[Any, ...]
    ) -> Native | None:
        """The machine code of an entry point, compiled where it is not there; None where it cannot be loaded."""
        target = Target.of(function, kinds, machine())
        folder = cache_folder() if _is_kept(function) else None
        with self._lock:
            native = self._loaded.get(target) if folder is not None else None
            if native is None:
                native = self._kept(folder, target) or self._compiled(function, arguments, folder, target)
                if native is not None and folder is not None:
                    self._loaded[target] = native
            return native

    def _kept(self, folder: Path | None, target: Target) -> Native | None:
        """What the cache folder holds for a target; None where it holds nothing that can be used."""
        try:
            read = self._read.pop(target, None)
            return Native(_read_from(folder, target.file_name) if read is None else read)
        except UnusableObjectError:
            return None

    def _compiled(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], folder: Path | None, target: Target
    ) -> Native | None:
        """Compile, and keep where there is a folder; None where LLVM could not load it, which is noted there."""
        from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

        file = drafts.object_file(function, arguments, target)
        try:
            native = Native(file)
        except UnusableObjectError as error:
            fence.note_loading(folder, str(error))
            return None
        if folder is not None:
            with contextlib.suppress(OSError):
                file.write(folder)
        return native


def _is_kept(function: Callable[..., Any]) -> bool:
    """Whether what is compiled of a function is kept: where the folder's name tells its source, as in no test."""
    return Path(__file__).parents[1] in Path(function.__code__.co_filename).parents


def _read_from(folder: Path | None, name: str) -> ObjectFile:
    """Read a file of the cache folder, if there is one; raises UnusableObjectError."""
    if folder is None:
        raise UnusableObjectError("nothing is kept")
    file = ObjectFile.read(folder / name)
    if (file.target.file_name, file.target.machine) != (name, machine()):
        raise UnusableObjectError(f"{name} was compiled for another machine")
    return file


LOADED = LoadedKernels()
"""That of this process."""


def _with_plain_records(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let a function that numba compiled plainly take records: as tuples of their arrays."""

    @wraps(function)
    def call(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        plain: Any = (each.as_tuple() if hasattr(each, "as_tuple") else each for each in arguments)
        return function(*plain, **named)

    return call
