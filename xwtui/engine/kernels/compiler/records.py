"""Records of arrays, the data that kernels work on.

Python reads the arrays; a kernel gets one pointer to all of them. The pointer leads to a table that holds, in the
order of the fields, each array's address and number of rows. The fields of a record are declared once, as
annotations: Array with one element type, plus a fixed number of columns for arrays with rows of several elements.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.compiler.objects import Field, address_of

_CELL = 8
"""Alignment of the arrays in a block, in bytes."""


if TYPE_CHECKING:
    _Element = TypeVar("_Element", bound=np.generic)
    Array = NDArray[_Element]
else:

    class Array:
        """Field declaration: NDArray to mypy, but with an element type that a record can read at run time."""

        def __class_getitem__(cls, element):
            """Put the element type where a record finds it."""
            return Annotated[np.ndarray, np.dtype(element)]


class Record:
    """Arrays that kernels take as one argument. Kernels never write to the arrays of a fixed record.

    A record is pickled and copied as its arrays. The addresses in its table are valid only in this process and for
    these arrays, so the new record makes its own table.
    """

    fields: ClassVar[Mapping[str, Field]]
    is_fixed: ClassVar[bool]
    plain: ClassVar[Callable[..., tuple[NDArray[Any] | None, ...]]]
    """Makes the tuple of arrays that plain numba takes."""
    address: int
    """Address of the table, which is passed to compiled code in every call from Python."""
    numba_name: str
    """Name of its numba type. Records of one class that lack different fields have different types."""

    def __init_subclass__(cls, *, columns: Mapping[str, int] | None = None, is_fixed: bool = False) -> None:
        """Read the fields from the annotations; `columns` gives the number of columns of fields with rows."""
        super().__init_subclass__()
        annotations = inspect.get_annotations(cls, eval_str=True)
        cls.fields = {name: _field(name, kind, (columns or {}).get(name, 0)) for name, kind in annotations.items()}
        cls.is_fixed = is_fixed
        cls.plain = namedtuple(cls.__name__, cls.fields)  # type: ignore[misc]

    def _point(self, table: NDArray[np.int64], address: int, lacking: tuple[str, ...] = ()) -> None:
        """Store the table and the values that compiled code reads from an argument."""
        self.__dict__["table"] = table
        self.__dict__["address"] = address
        self.__dict__["_lacking"] = lacking
        self.__dict__["numba_name"] = "-".join([type(self).__name__, *lacking])

    @property
    def _numba_type_(self) -> Any:
        """The type that numba compiles for."""
        from xwtui.engine.kernels.compiler.drafts import record_type  # noqa: PLC0415  only numba needs it

        return record_type(type(self).__name__, self.fields, self.__dict__["_lacking"], self.is_fixed)

    def as_tuple(self) -> tuple[NDArray[Any] | None, ...]:
        """Return the arrays as the named tuple that plain numba takes; None for missing ones."""
        return self.plain(*(getattr(self, name) for name in self.fields))


class Assembled(Record):
    """A record whose arrays come from different places; subclasses are frozen dataclasses."""

    def __post_init__(self) -> None:
        """Check the arrays, because compiled code relies on their declared types and shapes."""
        lacking: tuple[str, ...] = ()
        cells: list[int] = []
        for name, field in self.fields.items():
            array = getattr(self, name)
            if array is not None:
                shape = (field.columns,) if field.columns else ()
                if array.dtype != field.dtype or array.shape[1:] != shape or not array.flags.c_contiguous:
                    raise TypeError(
                        f"{type(self).__name__}.{name}: {array.dtype} {array.shape} is not as declared"
                    )
                cells += address_of(array), len(array)
            elif field.may_lack:
                lacking += (name,)
                cells += 0, 0
            else:
                raise TypeError(f"{name} is missing")
        table = np.array(cells, np.int64)
        self._point(table, address_of(table), lacking)

    def __reduce__(self) -> tuple[Any, ...]:
        return _assembled, (type(self), tuple(getattr(self, name) for name in self.fields))


class BlockLayout:
    """The layout of a block's arrays in memory, in bytes: the table first, then one array after another."""

    def __init__(self, fields: Mapping[str, Field], rows: Mapping[str, int], first_scratch: str = "") -> None:
        """Lay out arrays with these numbers of rows; those from `first_scratch` on are not zeroed or copied."""
        self.fields = fields
        self.rows = rows
        self.first_scratch = first_scratch
        self.spans: dict[str, tuple[int, int]] = {}
        self.size = _CELL * 2 * len(fields)
        for name, field in fields.items():
            end = self.size + rows[name] * max(field.columns, 1) * field.dtype.itemsize
            self.spans[name] = self.size, end
            self.size = -(-end // _CELL) * _CELL
        self.kept = self.spans[first_scratch][0] if first_scratch else self.size
        self.table = np.array([cell for name in fields for cell in (self.spans[name][0], rows[name])], np.int64)
        self.whole = self
        """The layout of a copy, which includes the scratch arrays."""

    @cached_property
    def without_scratch(self) -> BlockLayout:
        """The same layout without space for scratch arrays."""
        names = list(self.fields)
        scratch = names[names.index(self.first_scratch) :]
        layout = BlockLayout(self.fields, {**self.rows, **dict.fromkeys(scratch, 0)}, self.first_scratch)
        layout.whole = self
        return layout

    def with_rows(self, name: str, rows: int) -> BlockLayout:
        """Return the same layout with another number of rows for one array."""
        return BlockLayout(self.fields, {**self.rows, name: rows}, self.first_scratch)


class Block(Record):
    """A record whose arrays lie in one block of memory, so that one operation creates or copies it."""

    def __init__(self, layout: BlockLayout, like: NDArray[np.uint8] | None = None) -> None:
        """Create zeroed arrays, or start with the bytes of another block."""
        self.layout = layout
        self.block = np.empty(layout.size, np.uint8)
        if like is None:
            self.block[: layout.kept] = 0
        else:
            self.block[: len(like)] = like
        table = self.block[: layout.table.nbytes].view(np.int64)
        table[:] = layout.table
        address = address_of(self.block)
        table[::2] += address
        self._point(table, address)

    def __getattr__(self, name: str) -> NDArray[Any]:
        """Create and cache the view of an array on first access."""
        field = type(self).fields.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        start, end = self.layout.spans[name]
        array: NDArray[Any] = self.block[start:end].view(field.dtype)
        array = array.reshape(-1, field.columns) if field.columns else array
        self.__dict__[name] = array
        return array

    def __reduce__(self) -> tuple[Any, ...]:
        content = self.block.copy()
        content[: self.layout.table.nbytes] = 0
        return type(self), (self.layout, content)

    def copy(self) -> Self:
        """Return a copy of the arrays; the contents of scratch arrays are undefined."""
        return type(self)(self.layout.whole, self.block[: self.layout.kept])

    def without_scratch(self) -> Self:
        """Return a copy without the scratch arrays, which are four fifths of a state, for reading and copying."""
        return type(self)(self.layout.without_scratch, self.block[: self.layout.kept])

    def lengthened(self, name: str, rows: int) -> Self:
        """Return a copy whose last array has more rows."""
        return type(self)(self.layout.with_rows(name, rows), self.block)


def _assembled(record: type[Assembled], arrays: tuple[NDArray[Any] | None, ...]) -> Assembled:
    """Make a record from unpickled arrays, which may have arrived as buffers that kernels cannot use."""
    return record(
        *(None if array is None else np.require(array, requirements=("C", "A", "W")) for array in arrays)
    )


def _field(name: str, annotation: Any, columns: int) -> Field:
    """Parse `Array[np.int64]` or `Array[np.int64] | None`."""
    kinds = get_args(annotation)
    may_lack = type(None) in kinds
    match get_args(kinds[0]) if may_lack else kinds:
        case (_, np.dtype() as dtype):
            return Field(dtype, columns, may_lack)
    raise TypeError(f"{name} is not declared as an Array")
