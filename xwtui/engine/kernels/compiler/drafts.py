"""What is asked of numba, and what LLVM makes of a kernel: nothing, until an entry point calls it.

Numba optimises every function by itself, turns it into machine code, and does both again wherever
it is called: twice the time for the search, three times for what improves. But kernels are called by kernels
alone, so a draft is kept of each, and the entry points that Python calls have the drafts of all that they lead to
optimised with them, once.

A record of arrays is one pointer, and a field its elements and their number. A tuple of arrays would be hundreds
of numbers, handed from call to call one by one, and most of what LLVM has to do. An index is taken as it is: it
may be neither negative nor too large. LLVM is told that nothing in a table changes while kernels run, nor the
elements of a fixed record, and that no two fields share memory, so it need not read again what lies in a register.

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


class _IntoDrafts(Compiler):
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
    return numba.njit(forceinline=is_inlined, **_OPTIONS)(function)


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


class CellsType(types.Type):
    """A field: its elements, or rows of elements."""

    def __init__(self, name: str, field: Field, is_fixed: bool) -> None:
        self.dtype = numba.from_dtype(field.dtype)
        self.columns = field.columns
        self.is_fixed = is_fixed
        super().__init__(name)


class RecordType(types.Type):
    """A record of arrays: a pointer to their table; a field that it lacks is None."""

    def __init__(self, name: str, fields: Mapping[str, CellsType | None]) -> None:
        self.fields = fields
        super().__init__(name)


def record_type(name: str, fields: Mapping[str, Field], lacking: tuple[str, ...], is_fixed: bool) -> RecordType:
    """What numba takes records for that lack some fields."""
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
    """Read from the table where a field's elements are, and how many."""
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
    """Reading and writing of elements. Numba tries what is meant for its target before all else."""

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
    """The address of an element."""
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
    """Say that nobody writes to what is read."""
    load.set_metadata("invariant.load", builder.module.add_metadata([]))


def _is_alone(builder: Any, access: Any, cells: CellsType) -> None:
    """Say that accesses of one field touch no other: https://llvm.org/docs/LangRef.html#tbaa-metadata."""
    module = builder.module
    kind = module.add_metadata([cells.name, module.add_metadata(["records"]), _WORD(0)])
    access.set_metadata("tbaa", module.add_metadata([kind, kind, _WORD(0)]))
