"""Records of arrays: what kernels work on. Python reads the arrays; a kernel takes one pointer to all of them.

It points to a table that tells of each array, in the order of the fields, where its elements are
and how many rows it has. The fields of a record are declared once, by their annotations: Array of
one type of elements, with a fixed number of columns where an array has rows of several.
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
"""Bytes that arrays in a block are aligned to."""


if TYPE_CHECKING:
    _Element = TypeVar("_Element", bound=np.generic)
    Array = NDArray[_Element]
else:

    class Array:
        """Declares a field: to mypy what NDArray is, but a record can read the type of elements from it."""

        def __class_getitem__(cls, element):
            """Put the type of elements where a record finds it."""
            return Annotated[np.ndarray, np.dtype(element)]


class Record:
    """Arrays that kernels take as one argument. The arrays of a fixed record are never written to by kernels.

    A record is pickled and copied as its arrays: the addresses in its table hold in this process and
    for these arrays alone, so the other record makes a table of its own.
    """

    fields: ClassVar[Mapping[str, Field]]
    is_fixed: ClassVar[bool]
    plain: ClassVar[Callable[..., tuple[NDArray[Any] | None, ...]]]
    """Makes the tuple of its arrays that plain numba takes."""
    address: int
    """Of the table; compiled code is handed it at every call from Python."""
    numba_name: str
    """Of its type: records of a class that lack different fields are of several."""

    def __init_subclass__(cls, *, columns: Mapping[str, int] | None = None, is_fixed: bool = False) -> None:
        """Read the fields from the annotations; `columns` tells how many those with rows have."""
        super().__init_subclass__()
        annotations = inspect.get_annotations(cls, eval_str=True)
        cls.fields = {name: _field(name, kind, (columns or {}).get(name, 0)) for name, kind in annotations.items()}
        cls.is_fixed = is_fixed
        cls.plain = namedtuple(cls.__name__, cls.fields)  # type: ignore[misc]

    def _point(self, table: NDArray[np.int64], address: int, lacking: tuple[str, ...] = ()) -> None:
        """Keep the table, and what compiled code asks an argument for."""
        self.__dict__["table"] = table
        self.__dict__["address"] = address
        self.__dict__["_lacking"] = lacking
        self.__dict__["numba_name"] = "-".join([type(self).__name__, *lacking])

    @property
    def _numba_type_(self) -> Any:
        """What numba compiles for, where it is asked to."""
        from xwtui.engine.kernels.compiler.drafts import record_type  # noqa: PLC0415  only numba needs it

        return record_type(type(self).__name__, self.fields, self.__dict__["_lacking"], self.is_fixed)

    def as_tuple(self) -> tuple[NDArray[Any] | None, ...]:
        """The arrays by name, as plain numba takes them; None for those that it lacks."""
        return self.plain(*(getattr(self, name) for name in self.fields))


class Assembled(Record):
    """A record whose arrays come from many places; a frozen dataclass."""

    def __post_init__(self) -> None:
        """Check the arrays: compiled code would take them for what they were declared as."""
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
    """How the arrays of a block lie in its memory: the table first, then one after the other; in bytes."""

    def __init__(self, fields: Mapping[str, Field], rows: Mapping[str, int], first_scratch: str = "") -> None:
        """Lay out arrays of so many rows; from `first_scratch` on, fields are neither zeroed nor copied."""
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
        """What a copy has: the scratch, too."""

    @cached_property
    def at_rest(self) -> BlockLayout:
        """The same without room for scratch."""
        names = list(self.fields)
        scratch = names[names.index(self.first_scratch) :]
        layout = BlockLayout(self.fields, {**self.rows, **dict.fromkeys(scratch, 0)}, self.first_scratch)
        layout.whole = self
        return layout

    def with_rows(self, name: str, rows: int) -> BlockLayout:
        """The same but for the rows of one array."""
        return BlockLayout(self.fields, {**self.rows, name: rows}, self.first_scratch)


class Block(Record):
    """A record whose arrays lie in one block of memory, so that it is made and copied in one go."""

    def __init__(self, layout: BlockLayout, like: NDArray[np.uint8] | None = None) -> None:
        """Make zeroed arrays, or begin with what another block begins with."""
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
        """Look at an array for the first time."""
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
        """The same arrays once more, but for the scratch ones, whose content is left open."""
        return type(self)(self.layout.whole, self.block[: self.layout.kept])

    def at_rest(self) -> Self:
        """The same arrays without the scratch, four fifths of a state: to be looked at and copied."""
        return type(self)(self.layout.at_rest, self.block[: self.layout.kept])

    def lengthened(self, name: str, rows: int) -> Self:
        """The same arrays once more, the last one with more rows."""
        return type(self)(self.layout.with_rows(name, rows), self.block)


def _assembled(record: type[Assembled], arrays: tuple[NDArray[Any] | None, ...]) -> Assembled:
    """Make a record of arrays that were pickled: those may have come as buffers that kernels could not use."""
    return record(
        *(None if array is None else np.require(array, requirements=("C", "A", "W")) for array in arrays)
    )


def _field(name: str, annotation: Any, columns: int) -> Field:
    """Read `Array[np.int64]`, or that `| None`."""
    kinds = get_args(annotation)
    may_lack = type(None) in kinds
    match get_args(kinds[0]) if may_lack else kinds:
        case (_, np.dtype() as dtype):
            return Field(dtype, columns, may_lack)
    raise TypeError(f"{name} is not declared as an Array")
