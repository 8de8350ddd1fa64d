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
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from xwtui.engine.kernels.compiler.objects import PLAIN_OPTIONS, ObjectFile, object_name

_RETURNED = {types.none: ""} | {
    numba.from_dtype(np.dtype(kind)): np.dtype(kind).str for kind in (np.bool_, np.int64, np.uint64, np.float64)
}


class _Draft(JITCodeLibrary):  # type: ignore[misc]
    """A kernel as numba wrote it; numba neither optimises nor loads it, nor links it with what it calls."""

    @property
    def codegen(self) -> _Draft:
        """That to which `set_env` tells the Python objects that a function has to do with: kernels have none."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Keep nothing."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave the functions as they are."""

    def finalize(self) -> None:
        """Nothing is added any more; what this calls is linked by the entry point."""
        self._finalized = True


class _IntoDrafts(Compiler):  # type: ignore[misc]
    """Numba's compiler, with another kind of library for what it makes."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library, *rest)
        self.state.library = _Draft(target.codegen(), _Draft.__name__)
        self.state.library.enable_object_caching()


_OPTIONS: dict[str, Any] = PLAIN_OPTIONS | {
    "pipeline_class": _IntoDrafts,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""What a kernel is compiled with.

Wrappers would make it callable from Python and from C, and take most of the time to compile; counting
the references to every array at every call would take most of the time to run, and make threads
wait for each other. So kernels borrow the arrays of the entry point, and cannot make any.
"""


def inner(function: Callable[..., Any], *, is_inlined: bool = False) -> Any:
    """A function that only other kernels call."""
    return numba.njit(**_OPTIONS, **({"forceinline": True} if is_inlined else {}))(function)


def object_file(function: Callable[..., Any], arguments: Sequence[Any], kinds: tuple[str, ...]) -> ObjectFile:
    """Compile an entry point for arguments like these, with all that it leads to.

    Once: numba's cheaper round of optimising before that is for counts of references, which kernels lack.
    """
    types_of = tuple(map(numba.typeof, arguments))
    entry = inner(function)
    entry.compile(types_of)
    result = entry.overloads[types_of]
    codegen, module = result.library._codegen, result.library._final_module
    for called in _led_to(result.library, {}):
        module.link_in(called._get_module_for_linking(), preserve=True)
    passes, builder = codegen._module_pass_manager()
    passes.run(module, builder)
    name = object_name(function, kinds)
    result.library.get_function(result.fndesc.llvm_func_name).name = name
    foreign = (each.name for each in (*module.functions, *module.global_variables) if each.is_declaration)
    needs = tuple(sorted(each for each in foreign if not each.startswith("llvm.")))
    returns = _RETURNED[result.signature.return_type]
    return ObjectFile(name, kinds, returns, needs, codegen._tm.emit_object(module))


def _led_to(library: Any, found: dict[Any, None]) -> dict[Any, None]:
    """All libraries that one calls, and those that these call."""
    for called in library._linking_libraries:
        if called not in found:
            found[called] = None
            _led_to(called, found)
    return found
