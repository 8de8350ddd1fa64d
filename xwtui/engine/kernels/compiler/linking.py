"""Kernels that have an object file of their own, which entry points call by its symbol.

Numba compiles a kernel into every entry point that leads to it. What several lead to is compiled once, by itself,
and may be by another process while this one compiles what calls it: that has to know no more of it than its
annotations. The loader puts the object files together (`objects.py`).

Written against numba's low-level extension interface:
https://numba.readthedocs.io/en/stable/extending/low-level.html
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, signature

from xwtui.engine.kernels.compiler.cells import RecordType
from xwtui.engine.kernels.compiler.objects import Target, UnusableObjectError

_RETURNED = {int: types.int64, bool: types.boolean}
_KINDS = {types.int64: "q", types.uint64: "Q", types.float64: "d", types.boolean: "?"}


@dataclass(frozen=True)
class LinkedCall:
    """A kernel with an object file of its own, and the types that it is called with."""

    function: Callable[..., Any]
    types: tuple[Any, ...]
    target: Target

    @property
    def returned(self) -> Any:
        """What it returns, by its annotation; raises KeyError for what machine code is not asked for."""
        return _RETURNED[inspect.get_annotations(self.function, eval_str=True)["return"]]


CALLED: dict[str, LinkedCall] = {}
"""By their symbols, those that were called by what this process has compiled."""


def called(symbol: str) -> LinkedCall:
    """What was called by a symbol; raises UnusableObjectError where nothing was."""
    if symbol not in CALLED:
        raise UnusableObjectError(f"{symbol} is missing")
    return CALLED[symbol]


class Linked:
    """A kernel that has an object file of its own, for who calls it."""

    def __init__(self, function: Callable[..., Any], machine: str = "") -> None:
        """Its file is for one machine."""
        self._numba_type_ = _function_type(function, machine)
        """What numba takes it for."""


@cache
def _function_type(function: Callable[..., Any], machine: str) -> Any:
    """What numba takes such a kernel for: a function known by its types, whose code is elsewhere."""

    def generic(_self: Any, args: tuple[Any, ...], _: Any) -> Any:
        return signature(linked_call(function, args, machine).returned, *args)

    cpu_target.target_context.insert_func_defn(
        [(partial(_call, function, machine), function, (types.VarArg(types.Any),))]
    )
    return types.Function(type(function.__qualname__, (AbstractTemplate,), {"key": function, "generic": generic}))


def linked_call(function: Callable[..., Any], kinds: Iterable[Any], machine: str) -> LinkedCall:
    """A kernel called with numba's types; raises KeyError for others than records and numbers."""
    args = tuple(kinds)
    named = tuple(f"record {kind.name}" if isinstance(kind, RecordType) else _KINDS[kind] for kind in args)
    return LinkedCall(function, args, Target.of(function, named, machine))


def _call(function: Callable[..., Any], machine: str, context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Call what has the symbol, in numba's own way."""
    call = linked_call(function, sig.args, machine)
    CALLED[call.target.symbol] = call
    convention = context.call_conv
    kind = convention.get_function_type(sig.return_type, sig.args)
    callee = cgutils.get_or_insert_function(builder.module, kind, call.target.symbol)
    status, returned = convention.call_function(builder, callee, sig.return_type, sig.args, args)
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return returned
