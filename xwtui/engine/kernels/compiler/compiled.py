"""The decorators of all compiled code, and the cache folder that survives edits and read-only installs.

The folder's name holds a hash of all kernel sources and of the machine, so that what lies there is of these and no
others. It is in the user's cache folder, or in NUMBA_CACHE_DIR: the package itself may be read-only. Where no
folder can be written or trusted, kernels are compiled anew in each process.

Numba is imported only to compile. What it made of an entry point is kept as machine code and called without it
(`objects.py`); where the fence (`fence.py`) finds that this cannot be, plain numba compiles all in each process.
"""

from __future__ import annotations

import contextlib
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

from xwtui.engine.kernels.compiler import fence, objects
from xwtui.engine.kernels.compiler.cache_folder import KernelCache, private_cache

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

JIT: bool = os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}
"""False under NUMBA_DISABLE_JIT=1, where the kernels run as plain Python."""

_FOLDER_VARIABLE = "NUMBA_CACHE_DIR"


_KERNELS = Path(__file__).parents[1]


def source_fingerprint(folder: Path = _KERNELS) -> str:
    """Hash all kernel sources with the versions that decide what they compile to."""
    digest = hashlib.sha256(f"{np.__version__} {platform.python_version()}".encode())
    for package in ("numba", "llvmlite"):
        digest.update(package.encode() + b"\0" + _version_of(package))
    for source in (*sorted(folder.rglob("*.py")), folder.parent / "rehearsal.py"):
        digest.update(str(source.relative_to(folder.parent)).encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _version_of(package: str) -> bytes:
    """What tells the version of a package that is not imported."""
    spec = find_spec(package)
    try:
        return Path((spec and spec.origin) or "").with_name("_version.py").read_bytes()
    except OSError:
        from importlib.metadata import version  # noqa: PLC0415  only where a package was built otherwise

        return version(package).encode()


def machine() -> str:
    """What else decides what the kernels compile to: the processor, and what numba is told."""
    from llvmlite import binding  # noqa: PLC0415  not without compiled code

    told = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    told = [each for each in told if not each.startswith(_FOLDER_VARIABLE)]
    return "\n".join([binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten(), *told])


@cache
def kernel_cache() -> KernelCache:
    """Where the compiled kernels are kept, or why every process compiles them anew."""
    base = Path(os.environ.get(_FOLDER_VARIABLE) or platformdirs.user_cache_dir("xwtui"))
    known = hashlib.sha256(f"{source_fingerprint()}\n{machine()}".encode()).hexdigest()
    return private_cache(base, f"kernels-{known[:16]}")


def cache_folder() -> Path | None:
    """The folder of the compiled kernels, made if missing, or None where none can be used."""
    return kernel_cache().folder


@cache
def fence_failure() -> fence.FenceFailure | None:
    """Why kernels are compiled by plain `njit`, without what leans on numba's insides; None where they are not."""
    return fence.fence_failure(cache_folder()) if JIT else None


def is_fence_untried() -> bool:
    """Whether `fence_failure` would have to compile to know."""
    return JIT and not fence.is_known_to_hold(cache_folder())


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
        self._natives: dict[tuple[str, ...], objects.Native] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run it; raises TypeError for arguments that compiled code does not take."""
        kinds, cells = objects.kinds_and_cells(arguments)
        native = self._natives.get(kinds)
        if native is None:
            if fence_failure() is not None:
                plain = (each.as_tuple() if hasattr(each, "as_tuple") else each for each in arguments)
                return self._dispatcher(*plain)
            native = self._natives[kinds] = objects.Native(self._object_file(kinds, arguments))
        return native(cells)

    def _object_file(self, kinds: tuple[str, ...], arguments: tuple[Any, ...]) -> objects.ObjectFile:
        """Read its machine code from the cache folder, or compile it and put it there.

        Nothing is kept of a function whose source the folder's name does not tell, as in a test.
        """
        is_told = _KERNELS in Path(self.function.__code__.co_filename).parents
        folder = cache_folder() if is_told else None
        if folder is not None:
            KEPT.add(objects.object_name(self.function, kinds))
            with contextlib.suppress(objects.UnusableObjectError):
                return objects.ObjectFile.read(folder / objects.object_name(self.function, kinds))
        from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

        file = drafts.object_file(self.function, arguments, kinds)
        if folder is not None:
            with contextlib.suppress(OSError):
                file.write(folder)
        return file


KEPT: set[str] = set()
"""The files in the cache folder that hold what was called in this process."""
