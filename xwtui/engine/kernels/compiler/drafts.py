"""What LLVM makes of a kernel: nothing, until an entry point calls it.

Numba optimises every function by itself, turns it into machine code, and does both again wherever
it is called. But kernels are called by kernels alone, so a draft is kept of each, and the entry
points that Python calls have the drafts of all that they lead to optimised with them, once.

Written against numba's compiler and code libraries:
https://numba.readthedocs.io/en/stable/extending/compiler.html
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager

from xwtui.engine.kernels.compiler.objects import ObjectFile, Target

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

    def object_code(self, symbol: str, name: str) -> bytes:
        """The machine code, with its function under another name."""
        self.get_function(symbol).name = name
        code: bytes = self._codegen._tm.emit_object(self._final_module)
        return code


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
        """As numba calls it."""
        brief = PassManager("kernels")
        for each, reason in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            if each.name() not in _IDLE_PASSES:
                brief.add_pass(each, reason)
        brief.finalize()
        return [brief]


class DraftCompiler(_BriefCompiler):
    """Compiles kernels."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        """As numba calls it."""
        super().__init__(typing, target, library, *rest)
        self.state.library = _Draft(target.codegen(), "draft")


class WholeCompiler(Compiler):  # type: ignore[misc]
    """Compiles entry points."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        """As numba calls it."""
        super().__init__(typing, target, library, *rest)
        self.state.library = _Whole(target.codegen(), "whole")
        self.state.library.enable_object_caching()


class ObjectCompiler(_BriefCompiler):
    """Compiles what is called without numba."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        """As numba calls it."""
        super().__init__(typing, target, library, *rest)
        self.state.library = _Object(target.codegen(), "object")


def object_file(
    function: Callable[..., Any], kinds: tuple[Any, ...], target: Target, options: Mapping[str, Any]
) -> ObjectFile:
    """What numba's compiler makes of a function for arguments of numba's types; by `fence.object_options`."""
    entry = numba.njit(**options)(function)
    entry.compile(kinds)
    result = entry.overloads[kinds]
    code = result.library.object_code(result.fndesc.llvm_func_name, target.symbol)
    return ObjectFile(target, _RETURNED[result.signature.return_type], code)
