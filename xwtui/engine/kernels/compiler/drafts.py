"""How numba and LLVM are used: no kernel is optimized until an entry point that needs it is called.

Numba optimizes each function on its own, turns it into machine code, and does both again at every call site. That
takes twice as long for the search and three times as long for the improver. Since kernels are called only by
kernels, each is instead kept as a draft (unoptimized LLVM code). An entry point that Python calls is optimized
once, together with the drafts of all functions that it reaches.

A record of arrays is one pointer; a field is a pair of its elements' address and their number. A tuple of arrays
would be hundreds of values passed one by one at every call, and most of LLVM's work. Indices are not checked: they
may be neither negative nor out of range. LLVM is told that a record's table and the elements of a fixed record do
not change while kernels run, and that no two fields share memory, so it need not reload values held in registers.

Written against numba's compiler and code libraries, and its low-level extension interface:
https://numba.readthedocs.io/en/stable/extending/compiler.html
https://numba.readthedocs.io/en/stable/extending/low-level.html
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
    type_callable,
)

from xwtui.engine.kernels.compiler.objects import PLAIN_OPTIONS, Field, ObjectFile, object_name

_RETURNED = {types.none: ""} | {
    numba.from_dtype(np.dtype(kind)): np.dtype(kind).str for kind in (np.bool_, np.int64, np.uint64, np.float64)
}

_WORD = ir.IntType(64)


class _Draft(JITCodeLibrary):
    """A kernel as numba emitted it. Numba does not optimize it, load it, or link it with what it calls."""

    @property
    def codegen(self) -> _Draft:
        """The receiver of `set_env`, which registers the Python objects used by a function. Kernels use none."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Store nothing."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave the functions unoptimized."""

    def finalize(self) -> None:
        """Mark the library as complete; the entry point links what it calls."""
        self._finalized = True


class _DraftCompiler(Compiler):
    """Numba's compiler, with a different library class for its output."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library, *rest)
        self.state.library = _Draft(target.codegen(), _Draft.__name__)
        self.state.library.enable_object_caching()


_OPTIONS: dict[str, Any] = PLAIN_OPTIONS | {
    "pipeline_class": _DraftCompiler,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""Options that kernels are compiled with.

Wrappers would make a kernel callable from Python and from C, and would take most of the compilation time.
Reference counting of every array at every call would take most of the run time and make threads wait for each
other. So kernels borrow the entry point's arrays and cannot create any.
"""


def compile_draft(function: Callable[..., Any], *, is_inlined: bool = False) -> Any:
    """Compile a function that only other kernels call."""
    return numba.njit(forceinline=is_inlined, **_OPTIONS)(function)


def object_file(function: Callable[..., Any], arguments: Sequence[Any], kinds: tuple[str, ...]) -> ObjectFile:
    """Compile an entry point for arguments of these types, together with everything that it calls.

    Only one optimization pass is run. Numba's cheaper pass before it prunes reference counts, and kernels have
    none.
    """
    types_of = tuple(map(numba.typeof, arguments))
    entry = compile_draft(function)
    entry.compile(types_of)
    result = entry.overloads[types_of]
    codegen, module = result.library._codegen, result.library._final_module
    for called in _called_libraries(result.library, {}):
        module.link_in(called._get_module_for_linking(), preserve=True)
    passes, builder = codegen._module_pass_manager()
    passes.run(module, builder)
    name = object_name(function, kinds)
    result.library.get_function(result.fndesc.llvm_func_name).name = name
    foreign = (each.name for each in (*module.functions, *module.global_variables) if each.is_declaration)
    needs = tuple(sorted(each for each in foreign if not each.startswith("llvm.")))
    returns = _RETURNED[result.signature.return_type]
    return ObjectFile(name, kinds, returns, needs, codegen._tm.emit_object(module))


def _called_libraries(library: Any, found: dict[Any, None]) -> dict[Any, None]:
    for called in library._linking_libraries:
        if called not in found:
            found[called] = None
            _called_libraries(called, found)
    return found


class CellsType(types.Type):
    """The type of a field: a vector of elements, or of rows of elements."""

    def __init__(self, name: str, field: Field, is_fixed: bool) -> None:
        self.dtype = numba.from_dtype(field.dtype)
        self.columns = field.columns
        self.is_fixed = is_fixed
        super().__init__(name)


class RecordType(types.Type):
    """The type of a record of arrays: a pointer to their table. A missing field is None."""

    def __init__(self, name: str, fields: Mapping[str, CellsType | None]) -> None:
        self.fields = fields
        super().__init__(name)


def record_type(name: str, fields: Mapping[str, Field], lacking: tuple[str, ...], is_fixed: bool) -> RecordType:
    """Return numba's type for records that lack these fields."""
    cells = {
        field: None if field in lacking else CellsType(f"{name}.{field}", kind, is_fixed)
        for field, kind in fields.items()
    }
    return RecordType("-".join([name, *lacking]), cells)


@register_model(CellsType)
class _CellsModel(models.StructModel):
    def __init__(self, manager: Any, cells: CellsType) -> None:
        super().__init__(manager, cells, [("data", types.CPointer(cells.dtype)), ("count", types.intp)])


@register_model(RecordType)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, record: RecordType) -> None:
        super().__init__(manager, record, _WORD.as_pointer())


@infer_getattr
class _Fields(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, record: RecordType, name: str) -> Any:
        return record.fields[name] or types.none if name in record.fields else None


@lower_getattr_generic(RecordType)
def _get_field(context: Any, builder: Any, record: RecordType, table: Any, name: str) -> Any:
    """Read a field's address and element count from the table."""
    kind = record.fields[name]
    if kind is None:
        return context.get_dummy_value()
    cells = cgutils.create_struct_proxy(kind)(context, builder)
    place = 2 * list(record.fields).index(name)
    address, cells.count = (builder.load(builder.gep(table, [_WORD(place + column)])) for column in (0, 1))
    _never_changes(builder, address)
    _never_changes(builder, cells.count)
    cells.data = builder.inttoptr(address, cells.data.type)
    return cells._getvalue()


@type_callable(len)
def _type_len(_: Any) -> Any:
    return lambda cells: types.intp if isinstance(cells, CellsType) else None


@lower_builtin(len, CellsType)
def _len(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).count


@infer_global(operator.getitem)
@infer_global(operator.setitem)
class _Access(AbstractTemplate):
    """Typing of element reads and writes. Numba tries templates for its own target before all others."""

    metadata: ClassVar[dict[str, str]] = {"target": "cpu"}

    def generic(self, args: tuple[types.Type, ...], _: Any) -> Any:
        cells, index, *written = args
        if not isinstance(cells, CellsType):
            return None
        parts = index.types if isinstance(index, types.BaseTuple) else (index,)
        if len(parts) != (2 if cells.columns else 1) or not all(isinstance(part, types.Integer) for part in parts):
            return None
        return signature(types.none if written else cells.dtype, *args)


@lower_builtin(operator.getitem, CellsType, types.Any)
def _read(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value = builder.load(_element(context, builder, sig, args))
    if sig.args[0].is_fixed:
        _never_changes(builder, value)
    else:
        _is_alone(builder, value, sig.args[0])
    return value


@lower_builtin(operator.setitem, CellsType, types.Any, types.Any)
def _write(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    cells, _, kind = sig.args
    value = context.cast(builder, args[2], kind, cells.dtype)
    _is_alone(builder, builder.store(value, _element(context, builder, sig, args)), cells)
    return context.get_dummy_value()


def _element(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    cells, index = sig.args[:2]
    place = args[1]
    if cells.columns:
        row, column = cgutils.unpack_tuple(builder, place, 2)
        first = builder.mul(_word(context, builder, row, index[0]), _WORD(cells.columns), flags=["nsw"])
        place = builder.add(first, _word(context, builder, column, index[1]), flags=["nsw"])
    else:
        place = _word(context, builder, place, index)
    return builder.gep(builder.extract_value(args[0], 0), [place], inbounds=True)


def _word(context: Any, builder: Any, value: Any, kind: Any) -> Any:
    return context.cast(builder, value, kind, types.intp if kind.signed else types.uintp)


def _never_changes(builder: Any, load: Any) -> None:
    """Mark a load as invariant: nobody writes to its address."""
    load.set_metadata("invariant.load", builder.module.add_metadata([]))


def _is_alone(builder: Any, access: Any, cells: CellsType) -> None:
    """Declare that accesses to one field alias no other: https://llvm.org/docs/LangRef.html#tbaa-metadata."""
    module = builder.module
    kind = module.add_metadata([cells.name, module.add_metadata(["records"]), _WORD(0)])
    access.set_metadata("tbaa", module.add_metadata([kind, kind, _WORD(0)]))
