"""What is asked of numba, and what LLVM makes of a kernel: nothing, until an entry point calls it.

Numba optimises every function by itself, turns it into machine code, and does both again wherever
it is called: twice the time for the search, three times for what improves. But kernels are called by kernels
alone, so a draft is kept of each, and the entry points that Python calls have the drafts of all that they lead to
optimised with them, once.

Written against numba's compiler and code libraries:
https://numba.readthedocs.io/en/stable/extending/compiler.html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numba
import numpy as np
from numba.core import config, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from xwtui.engine.kernels.compiler.objects import PLAIN_OPTIONS, ObjectFile, object_name

_RETURNED = {types.none: ""} | {
    numba.from_dtype(np.dtype(kind)): np.dtype(kind).str for kind in (np.bool_, np.int64, np.uint64, np.float64)
}


class _WithoutEnvironment:
    """A library without its function's environment, which is of Python's objects: kernels have none."""

    @property
    def codegen(self) -> _WithoutEnvironment:
        """That to which `set_env` tells it."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Keep nothing."""


class _Draft(_WithoutEnvironment, JITCodeLibrary):  # type: ignore[misc]
    """A kernel as numba wrote it."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave the functions as they are."""

    def finalize(self) -> None:
        """Nothing is added any more; what this calls is linked by the entry point."""
        self._finalized = True


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """An entry point, and all that it leads to."""

    def add_linking_library(self, library: Any) -> None:
        """Link what is called, and what that calls."""
        if library not in self._linking_libraries:
            super().add_linking_library(library)
            if isinstance(library, _Draft):
                for called in library._linking_libraries:
                    self.add_linking_library(called)


class _Object(_WithoutEnvironment, _Whole):
    """An entry point that becomes an object file: numba need not load it, nor what it is linked with."""

    def _optimize_final_module(self) -> None:
        """Once: numba's cheaper round before that is for counts of references, which kernels lack."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        """Leave the module to `object_code`."""
        self._finalized = True

    def object_code(self, symbol: str, name: str) -> tuple[bytes, tuple[str, ...]]:
        """The machine code, with its function under another name, and the names that it leaves to others."""
        module = self._final_module
        self.get_function(symbol).name = name
        foreign = (each.name for each in (*module.functions, *module.global_variables) if each.is_declaration)
        needs = tuple(sorted(each for each in foreign if not each.startswith("llvm.")))
        return self._codegen._tm.emit_object(module), needs


def _compiler_into(library_class: Any) -> type[Compiler]:
    """Numba's compiler, with another kind of library for what it makes."""

    class Into(Compiler):  # type: ignore[misc]
        def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
            super().__init__(typing, target, library, *rest)
            self.state.library = library_class(target.codegen(), library_class.__name__)
            self.state.library.enable_object_caching()

    return Into


_INNER_OPTIONS: dict[str, Any] = PLAIN_OPTIONS | {
    "pipeline_class": _compiler_into(_Draft),
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""What a kernel that only kernels call is compiled with.

Wrappers would make it callable from Python and from C, and take most of the time to compile; counting
the references to every array at every call would take most of the time to run, and make threads
wait for each other. So kernels borrow the arrays of the entry point, and cannot make any.
"""
_ENTRY_OPTIONS: dict[str, Any] = PLAIN_OPTIONS | {"pipeline_class": _compiler_into(_Whole)}
"""What a kernel that Python calls by numba is compiled with."""
_OBJECT_OPTIONS: dict[str, Any] = _INNER_OPTIONS | {"pipeline_class": _compiler_into(_Object)}
"""What a kernel is compiled with that is called without numba, and has nothing of Python's in it."""

_choosing_folder = Lock()
"""Numba asks its one setting for the folder of each function."""


def inner(function: Callable[..., Any], *, is_inlined: bool = False) -> Any:
    """A function that only other kernels call."""
    return numba.njit(**_INNER_OPTIONS, **({"forceinline": True} if is_inlined else {}))(function)


def object_file(function: Callable[..., Any], arguments: Sequence[Any], kinds: tuple[str, ...]) -> ObjectFile:
    """Compile an entry point for arguments like these, with all that it leads to."""
    types_of = tuple(map(numba.typeof, arguments))
    entry = numba.njit(**_OBJECT_OPTIONS)(function)
    entry.compile(types_of)
    result = entry.overloads[types_of]
    name = object_name(function, kinds)
    code, needs = result.library.object_code(result.fndesc.llvm_func_name, name)
    return ObjectFile(name, kinds, _RETURNED[result.signature.return_type], needs, code)


def kept_by_numba(function: Callable[..., Any], folder: Path | None) -> Any:
    """An entry point that numba calls itself, and keeps in a folder in its own way."""
    if folder is None:
        return numba.njit(**_ENTRY_OPTIONS)(function)
    with _choosing_folder:
        users_folder, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            kept = numba.njit(cache=True, **_ENTRY_OPTIONS)(function)
        finally:
            config.CACHE_DIR = users_folder
    if folder not in Path(kept.stats.cache_path).parents:  # numba's second choice would be beside the sources
        kept = numba.njit(**_ENTRY_OPTIONS)(function)
    return kept
