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
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.core import config as _numba_config

from xwtui.engine.kernels.compiler.cache_folder import KernelCache, private_cache
from xwtui.engine.kernels.compiler.drafts import DraftCompiler, WholeCompiler

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

config: Any = _numba_config

JIT: bool = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1, where the kernels run as plain Python."""

_USERS_FOLDER: str = config.CACHE_DIR
_choosing_folder = Lock()
"""Two threads may import kernels at once, and numba asks its one setting for the folder of each."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}

_INNER: dict[str, Any] = _OPTIONS | {
    "pipeline_class": DraftCompiler,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""Wrappers would make it callable from Python and from C, and take most of the time to compile; counting
the references to every array at every call would take most of the time to run, and make threads
wait for each other. So kernels borrow the arrays of the entry point, and cannot make any."""

_ENTRY: dict[str, Any] = _OPTIONS | {"pipeline_class": WholeCompiler}


def kernel_sources() -> list[Path]:
    """The files that decide what the kernels compile to: all that are in the kernels' folder, and below it."""
    return sorted(Path(__file__).parents[1].rglob("*.py"))


def source_fingerprint() -> str:
    """Hash all kernel sources with the versions that decide what they compile to."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {platform.python_version()}".encode())
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


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that only other kernels call: a call from Python would crash the process.

    It cannot make arrays; entry points can.
    """
    if not JIT:
        return function
    return cast(Callable[Parameters, Result], numba.njit(**_INNER)(function))


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a short function that LLVM is to inline wherever it is called."""
    if not JIT:
        return function
    return cast(Callable[Parameters, Result], numba.njit(forceinline=True, **_INNER)(function))


def entry_point(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function that Python calls, and keep the machine code in the cache folder."""
    if not JIT:
        return np.errstate(over="ignore")(function)
    folder = cache_folder()
    if folder is None:
        return cast(Callable[Parameters, Result], numba.njit(**_ENTRY)(function))
    with _choosing_folder:
        config.CACHE_DIR = str(folder)
        try:
            kept = numba.njit(cache=True, **_ENTRY)(function)
        finally:
            config.CACHE_DIR = _USERS_FOLDER
    if folder not in Path(kept.stats.cache_path).parents:  # numba's second choice would be beside the sources
        kept = numba.njit(**_ENTRY)(function)
    return cast(Callable[Parameters, Result], kept)
