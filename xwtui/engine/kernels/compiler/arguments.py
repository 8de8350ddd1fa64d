"""What Python hands to an entry point, as machine code takes it: kinds, which decide what is compiled, and cells.

A number is one cell, a record is the address of its table, an array is what numba makes of one (`numba.core.
datamodel`: its owner twice, how many elements, their size, where they are, its shape and its strides), and a tuple
is what is in it. Numba compiles anew for other kinds, and so do we.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

import numpy as np

_CELLS: dict[str, Any] = {
    "?": ctypes.c_bool,
    "b": ctypes.c_int8,
    "B": ctypes.c_uint8,
    "h": ctypes.c_int16,
    "H": ctypes.c_uint16,
    "i": ctypes.c_int32,
    "I": ctypes.c_uint32,
    "q": ctypes.c_int64,
    "Q": ctypes.c_uint64,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
}
_OF_NUMPY: dict[type, str] = {
    np.bool_: "?",
    np.int8: "b",
    np.uint8: "B",
    np.int16: "h",
    np.uint16: "H",
    np.int32: "i",
    np.uint32: "I",
    np.int64: "q",
    np.uint64: "Q",
    np.float32: "f",
    np.float64: "d",
}
_OF_PYTHON = {bool: "?", int: "q", float: "d"}

_NOTHING: Any = ctypes.c_char * 0
"""What ctypes finds at the start of any writable buffer, a few times faster than numpy tells where that is."""

_POINTER = ctypes.c_void_p
_WORD = ctypes.c_int64


def address_of(array: np.ndarray[Any, Any]) -> int:
    """Where the elements of a contiguous array are in the process's memory."""
    if array.flags.writeable:
        return ctypes.addressof(_NOTHING.from_buffer(array))
    address: int = array.__array_interface__["data"][0]
    return address


def kinds_and_cells(arguments: Iterable[object]) -> tuple[tuple[str, ...], list[Any]]:
    """Take arguments apart; raises TypeError for what compiled code does not take."""
    kinds: list[str] = []
    cells: list[Any] = []
    for argument in arguments:
        _take(argument, kinds, cells)
    return tuple(kinds), cells


def _take(argument: Any, kinds: list[str], cells: list[Any]) -> None:
    kind = type(argument)
    if kind in _OF_PYTHON:
        kinds.append(_OF_PYTHON[kind])
        cells.append(argument)
    elif kind is np.ndarray:
        flags = argument.flags
        if not (flags.carray or (flags.c_contiguous and flags.aligned)):
            raise TypeError("compiled code takes arrays whose elements lie side by side")
        kinds.append(f"{'array' if flags.writeable else 'constant'} {argument.ndim} {argument.dtype.str}")
        cells += 0, 0, argument.size, argument.itemsize, address_of(argument), *argument.shape, *argument.strides
    elif hasattr(argument, "address"):
        kinds.append(f"record {argument.numba_name}")
        cells.append(argument.address)
    elif isinstance(argument, tuple):
        kinds.append(f"tuple {kind.__qualname__} {len(argument)}")
        for part in argument:
            _take(part, kinds, cells)
    elif kind in _OF_NUMPY:
        kinds.append(_OF_NUMPY[kind])
        cells.append(argument.item())
    else:
        raise TypeError(f"compiled code takes no {kind.__name__}")


def cell_types(kinds: Iterable[str]) -> list[Any]:
    """What C takes the cells for; raises ValueError for what is no kind."""
    found: list[Any] = []
    for kind in kinds:
        match kind.split(" "):
            case [code] if code in _CELLS:
                found.append(_CELLS[code])
            case ["record", _]:
                found.append(_POINTER)
            case ["array" | "constant", dimensions, _]:
                found += [_POINTER, _POINTER, _WORD, _WORD, _POINTER, *[_WORD] * (2 * int(dimensions))]
            case ["tuple", _, _]:
                pass
            case _:
                raise ValueError(f"{kind} is no kind of argument")
    return found


def result_cell(code: str) -> Any:
    """What C returns; numba's Boolean is a byte."""
    return _CELLS[code]
