"""Machine code without its compiler: object files that numba made are kept in our own form, loaded and called.

An object file holds an entry point for one kind of arguments and all that it leads to. It is kept in a file whose
first line is a hash of its name and the rest: no pickle, so nothing is run but the code itself, which lies in a
folder that only the user can write to (`cache_folder.py`). LLVM's linker loads it
(https://llvm.org/docs/MCJITDesignAndImplementation.html), ctypes calls it, without Python's lock.

What Python hands to an entry point is taken apart into kinds, which decide what is compiled, and cells. A number
is one cell, a record is the address of its table, an array is what numba makes of one (`numba.core.datamodel`: its
owner twice, how many elements, their size, where they are, its shape and its strides), and a tuple is what is in
it. Numba compiles anew for other kinds, and so do we.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from xwtui.errors import EngineError, reason_of
from xwtui.memory import let_library_go
from xwtui.reading import write_whole

_CELLS = {np.dtype(code).str: np.ctypeslib.as_ctypes_type(np.dtype(code)) for code in "?bBhHiIqQfd"}
"""What C takes a number for, by numpy's name of it."""

_OF_PYTHON = {bool: np.dtype(np.bool_).str, int: np.dtype(np.int64).str, float: np.dtype(np.float64).str}

_nothing_of: Any = (ctypes.c_char * 0).from_buffer
"""What ctypes finds at the start of any writable buffer, a few times faster than numpy tells where that is."""

_POINTER = ctypes.c_void_p
_WORD = ctypes.c_int64

PLAIN_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
"""What all kernels are compiled with, fenced or plain."""

SUFFIX = ".kernel"

_LINKER_LIBRARY = "llvmlite"
"""Nobody calls it between one kernel that is called for the first time and the next."""


class Field(NamedTuple):
    """What the elements of an array are."""

    dtype: np.dtype[Any]
    columns: int
    """Elements of a row; 0 where there are no rows of several."""
    may_lack: bool
    """Whether a record may have None in place of it."""


def address_of(array: np.ndarray[Any, Any]) -> int:
    """Where the elements of a contiguous array are in the process's memory."""
    if array.flags.writeable:
        return ctypes.addressof(_nothing_of(array))
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
    elif isinstance(argument, np.generic) and argument.dtype.str in _CELLS:
        kinds.append(argument.dtype.str)
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


class UnusableObjectError(Exception):
    """An object file that is not there, damaged, another one's, or not to be loaded here; the text says which."""


def object_name(function: Callable[..., Any], kinds: tuple[str, ...]) -> str:
    """What the object file of an entry point for kinds of arguments is called, and its function in it."""
    module = function.__module__.split(".")[-2:]
    kind = hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]
    return ".".join([*module, f"{function.__qualname__}-{kind}{SUFFIX}"])


class ObjectFile(NamedTuple):
    """The machine code of an entry point."""

    name: str
    """As `object_name` makes it; the function in the code is called so, too."""
    kinds: tuple[str, ...]
    """Of its arguments, as `kinds_and_cells` tells them."""
    returns: str
    """Numpy's name of what it returns; empty for None."""
    needs: tuple[str, ...]
    """The names that it leaves to the process, beside those of C's own libraries."""
    code: bytes
    """Its calling convention is numba's (`numba.core.callconv`)."""

    def write(self, folder: Path) -> None:
        """Keep it; whoever reads meanwhile finds the whole file or none. Raises OSError."""
        content = json.dumps([self.kinds, self.returns, self.needs]).encode() + b"\n" + self.code
        write_whole(folder / self.name, _digest(self.name, content) + b"\n" + content)

    @staticmethod
    def read(path: Path) -> ObjectFile:
        """Read what was kept; raises UnusableObjectError."""
        try:
            digest, _, content = path.read_bytes().partition(b"\n")
        except OSError as error:
            raise UnusableObjectError(f"{path} cannot be read: {reason_of(error)}") from error
        if digest != _digest(path.name, content):
            raise UnusableObjectError(f"{path} is damaged")
        told, _, code = content.partition(b"\n")
        kinds, returns, needs = json.loads(told)
        return ObjectFile(path.name, tuple(kinds), returns, tuple(needs), code)


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + content).hexdigest().encode()


class Native:
    """Machine code that was loaded; it stays for as long as this does."""

    def __init__(self, file: ObjectFile) -> None:
        """Load it; raises UnusableObjectError where that cannot be."""
        from llvmlite import binding  # noqa: PLC0415  only where something is loaded

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        machine = binding.Target.from_default_triple().create_target_machine()
        nothing = binding.parse_assembly("")
        self._engine = binding.create_mcjit_compiler(nothing, machine)
        self._engine.remove_module(nothing)  # which LLVM would compile: that takes longer than to link a kernel
        _look_for(file, binding.address_of_symbol)
        self._engine.add_object_file(binding.ObjectFileRef.from_data(file.code))
        self._engine.finalize_object()
        let_library_go(_LINKER_LIBRARY)
        address = self._engine.get_function_address(file.name)
        if not address:
            raise UnusableObjectError(f"{file.name} is not in its own code")
        types = (ctypes.c_void_p, ctypes.c_void_p, *cell_types(file.kinds))
        self._call: Any = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(address)
        self._result: Any = _CELLS[file.returns] if file.returns else None
        self._name = file.name.removesuffix(SUFFIX).rpartition("-")[0]

    def __call__(self, cells: Sequence[Any]) -> Any:
        """Run it, without Python's lock; raises EngineError with the status where it ends with one."""
        result = (self._result or ctypes.c_void_p)()
        reason = ctypes.c_void_p()
        status = self._call(ctypes.byref(result), ctypes.byref(reason), *cells)
        if status:
            raise EngineError(f"the engine's {self._name} failed with status {status}")
        return result.value if self._result else None


def _look_for(file: ObjectFile, address_of_name: Callable[[str], int | None]) -> None:
    """Raise UnusableObjectError for a name that is not there, for which LLVM would end the process."""
    if not all(map(address_of_name, file.needs)):
        from numba.core.registry import cpu_target  # noqa: PLC0415  only where its libraries are needed

        cpu_target.target_context.refresh()  # which loads what its code needs beside C's own libraries
    if missing := [name for name in file.needs if not address_of_name(name)]:
        raise UnusableObjectError(f"{file.name} needs {missing[0]}, which is not here")
