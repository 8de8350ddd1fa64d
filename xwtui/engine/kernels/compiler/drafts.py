"""What is asked of numba, and what LLVM makes of a kernel: nothing, until an entry point calls it.

Numba optimises every function by itself, turns it into machine code, and does both again wherever
it is called. But kernels are called by kernels alone, so a draft is kept of each, and the entry
points that Python calls have the drafts of all that they lead to optimised with them, once.

Written against numba's compiler and code libraries:
https://numba.readthedocs.io/en/stable/extending/compiler.html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numba
from numba.core import config, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager

from xwtui.engine.kernels.compiler.objects import PLAIN_OPTIONS, ObjectFile, Target

_RETURNED = {
    types.none: "",
    types.boolean: "?",
    types.int64: "q",
    types.uint64: "Q",
    types.float64: "d",
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
        """Once: numba's cheaper round before that prepares for the counting of references, which kernels lack."""
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


_IDLE_PASSES = frozenset(
    {
        "LiteralPropagation",
        "annotate_types",
        "dump_parfor_diagnostics",
        "find_literally",
        "inline_closure_likes",
        "inline_inlinables",
        "inline_overloads",
        "literal_unroll",
        "make_function_op_code_to_jit_function",
        "nopython_rewrites",
        "nopython_supported_feature_validation",
        "with_lifting",
    }
)
"""What numba does with every function, and does to none of ours: they have no closures, no `with`, no array
expressions and nothing of literals. A tenth of its time goes there."""


class _BriefCompiler(Compiler):  # type: ignore[misc]
    """Numba's, without what leaves kernels as they are."""

    def define_pipelines(self) -> list[Any]:
        brief = PassManager("kernels")
        for each, reason in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            if each.name() not in _IDLE_PASSES:
                brief.add_pass(each, reason)
        brief.finalize()
        return [brief]


class DraftCompiler(_BriefCompiler):
    """Compiles kernels."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library, *rest)
        self.state.library = _Draft(target.codegen(), "draft")


class WholeCompiler(Compiler):  # type: ignore[misc]
    """Compiles entry points."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library, *rest)
        self.state.library = _Whole(target.codegen(), "whole")
        self.state.library.enable_object_caching()


class ObjectCompiler(_BriefCompiler):
    """Compiles what is called without numba."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library, *rest)
        self.state.library = _Object(target.codegen(), "object")


INNER_OPTIONS: dict[str, Any] = PLAIN_OPTIONS | {
    "pipeline_class": DraftCompiler,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""What a kernel that only kernels call is compiled with.

Wrappers would make it callable from Python and from C, and take most of the time to compile; counting
the references to every array at every call would take most of the time to run, and make threads
wait for each other. So kernels borrow the arrays of the entry point, and cannot make any.
"""
ENTRY_OPTIONS: dict[str, Any] = PLAIN_OPTIONS | {"pipeline_class": WholeCompiler}
"""What a kernel that Python calls by numba is compiled with."""
OBJECT_OPTIONS: dict[str, Any] = INNER_OPTIONS | {"pipeline_class": ObjectCompiler}
"""What a kernel is compiled with that is called without numba, and has nothing of Python's in it."""

_choosing_folder = Lock()
"""Numba asks its one setting for the folder of each function."""


def inner(function: Callable[..., Any], *, is_inlined: bool = False) -> Any:
    """A function that only other kernels call."""
    return numba.njit(**INNER_OPTIONS, **({"forceinline": True} if is_inlined else {}))(function)


def object_file(function: Callable[..., Any], arguments: Sequence[Any], target: Target) -> ObjectFile:
    """Compile an entry point for arguments like these, with all that it leads to."""
    kinds = tuple(map(numba.typeof, arguments))
    entry = numba.njit(**OBJECT_OPTIONS)(function)
    entry.compile(kinds)
    result = entry.overloads[kinds]
    code, needs = result.library.object_code(result.fndesc.llvm_func_name, target.symbol)
    return ObjectFile(target, _RETURNED[result.signature.return_type], code, needs)


def kept_by_numba(function: Callable[..., Any], folder: Path | None) -> Any:
    """An entry point that numba calls itself, and keeps in a folder in its own way."""
    if folder is None:
        return numba.njit(**ENTRY_OPTIONS)(function)
    with _choosing_folder:
        users_folder, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            kept = numba.njit(cache=True, **ENTRY_OPTIONS)(function)
        finally:
            config.CACHE_DIR = users_folder
    if folder not in Path(kept.stats.cache_path).parents:  # numba's second choice would be beside the sources
        kept = numba.njit(**ENTRY_OPTIONS)(function)
    return kept
