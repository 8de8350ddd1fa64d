"""The decorators of all compiled code, and the cache folder that survives edits and read-only installs.

Numba's cache notices an edit in the file of the function that Python calls, not one in the files
that this function calls into. So the cache folder's name holds a hash of all kernel sources. It is
in the user's cache folder, or in NUMBA_CACHE_DIR: the package itself may be read-only. Where no
folder can be written or trusted, kernels are compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core import config as _numba_config

from xwtui.engine.kernels.compiler import fence
from xwtui.engine.kernels.compiler.cache_folder import KernelCache, private_cache

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

config: Any = _numba_config

JIT: bool = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1, where the kernels run as plain Python."""

_USERS_FOLDER: str = config.CACHE_DIR
_choosing_folder = Lock()
"""Two threads may import kernels at once, and numba asks its one setting for the folder of each."""


def kernel_sources() -> list[Path]:
    """The files that decide what the kernels compile to: all that are in the kernels' folder, and below it."""
    return sorted(Path(__file__).parents[1].rglob("*.py"))


def source_fingerprint() -> str:
    """Hash all kernel sources with the versions that decide what they compile to."""
    digest = hashlib.sha256(
        f"{numba.__version__} {llvmlite.__version__} {np.__version__} {platform.python_version()}".encode()
    )
    for source in kernel_sources():
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kernel_cache() -> KernelCache:
    """Where the compiled kernels are kept, or why every process compiles them anew."""
    base = Path(_USERS_FOLDER or platformdirs.user_cache_dir("xwtui"))
    return private_cache(base, f"kernels-{source_fingerprint()}")


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


@cache
def _inner_options() -> dict[str, Any]:
    if fence_failure() is not None:
        return fence.PLAIN_OPTIONS
    from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  numba may lack what it imports

    return fence.inner_options(drafts)


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that only other kernels call: a call from Python would crash the process.

    It cannot make arrays; entry points can.
    """
    if not JIT:
        return function
    return cast(Callable[Parameters, Result], numba.njit(**_inner_options())(function))


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a short function that LLVM is to inline wherever it is called."""
    if not JIT:
        return function
    return cast(Callable[Parameters, Result], numba.njit(forceinline=True, **_inner_options())(function))


def entry_point(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that Python calls, and keep the machine code in the cache folder.

    What is compiled plainly is not kept: numba cannot keep all of it.
    """
    if not JIT:
        return np.errstate(over="ignore")(function)
    if fence_failure() is not None:
        return _with_plain_records(numba.njit(**fence.PLAIN_OPTIONS)(function))
    from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  numba may lack what it imports

    options, folder = fence.entry_options(drafts), cache_folder()
    if folder is None:
        return cast(Callable[Parameters, Result], numba.njit(**options)(function))
    with _choosing_folder:
        config.CACHE_DIR = str(folder)
        try:
            kept = numba.njit(cache=True, **options)(function)
        finally:
            config.CACHE_DIR = _USERS_FOLDER
    if folder not in Path(kept.stats.cache_path).parents:  # numba's second choice would be beside the sources
        kept = numba.njit(**options)(function)
    return cast(Callable[Parameters, Result], kept)


def _with_plain_records(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let a function that numba compiled plainly take records: as tuples of their arrays."""

    @wraps(function)
    def call(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        plain: Any = (each.as_tuple() if hasattr(each, "as_tuple") else each for each in arguments)
        return function(*plain, **named)

    return call
