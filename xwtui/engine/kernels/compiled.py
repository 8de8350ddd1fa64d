"""The decorators of all compiled code, and the cache folder that survives edits and read-only installs.

Numba's cache notices an edit in the file of the function that Python calls, not one in the files
that this function calls into. So the cache folder's name holds a hash of all kernel sources. It is
in the user's cache folder, or in NUMBA_CACHE_DIR: the package itself may be read-only. Where no
folder can be written, kernels are compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import platform
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.core import config as _numba_config

from xwtui.engine.kernels.drafts import DraftCompiler, WholeCompiler

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

config: Any = _numba_config

JIT: bool = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1, where the kernels run as plain Python."""

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


def source_fingerprint() -> str:
    """Hash all kernel sources with the versions that decide what they compile to."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {platform.python_version()}".encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """The folder of the compiled kernels, made if missing, or None where none can be written."""
    base = Path(config.CACHE_DIR or platformdirs.user_cache_dir("xwtui"))
    folder = base / f"kernels-{source_fingerprint()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    return folder


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
    users_folder = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        return cast(Callable[Parameters, Result], numba.njit(cache=True, **_ENTRY)(function))
    finally:
        config.CACHE_DIR = users_folder
