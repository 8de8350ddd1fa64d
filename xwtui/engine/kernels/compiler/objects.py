"""Machine code without its compiler: object files made by numba, stored in our own format, loaded and called.

An object file holds an entry point for one combination of argument kinds and everything that it calls. The stored
file starts with a line that is a hash of its name and the rest. It is not a pickle, so reading it executes
nothing, and the code itself lies in a folder that only the user can write to (`cache_folder.py`). LLVM's linker
loads it (https://llvm.org/docs/MCJITDesignAndImplementation.html), and ctypes calls it without the GIL.

The arguments of an entry point are split into kinds, which determine what is compiled, and cells, the C arguments.
A number is one cell. A record is the address of its table. An array is the fields of numba's array model
(`numba.core.datamodel`: two owner pointers, number of elements, element size, address, shape and strides). A tuple
is the cells of its items. Each new combination of kinds is compiled separately, as numba does.
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
from xwtui.memory import release_library
from xwtui.reading import write_whole

_CELLS = {np.dtype(code).str: np.ctypeslib.as_ctypes_type(np.dtype(code)) for code in "?bBhHiIqQfd"}
"""The ctypes type of a number, by its numpy type string."""

_OF_PYTHON = {bool: np.dtype(np.bool_).str, int: np.dtype(np.int64).str, float: np.dtype(np.float64).str}

_empty_object: Any = (ctypes.c_char * 0).from_buffer
"""Makes a ctypes object at the start of a writable buffer; a few times faster than numpy for an address."""

_POINTER = ctypes.c_void_p
_WORD = ctypes.c_int64

PLAIN_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
"""Options that all kernels are compiled with, plain or not."""

SUFFIX = ".kernel"

_LINKER_LIBRARY = "llvmlite"
"""The linker's library, which is not needed until another kernel is called for the first time."""


class Field(NamedTuple):
    """The element type and shape of an array."""

    dtype: np.dtype[Any]
    columns: int
    """Elements in a row; 0 for an array without rows of several elements."""
    may_lack: bool
    """Whether a record may have None for it."""


def address_of(array: np.ndarray[Any, Any]) -> int:
    """Return the memory address of a contiguous array's elements."""
    if array.flags.writeable:
        return ctypes.addressof(_empty_object(array))
    address: int = array.__array_interface__["data"][0]
    return address


def kinds_and_cells(arguments: Iterable[object]) -> tuple[tuple[str, ...], list[Any]]:
    """Split arguments into kinds and cells; raises TypeError for types that compiled code does not accept."""
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
    """Return the ctypes types of the cells; raises ValueError for an unknown kind."""
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
    """An object file that is missing, damaged, misnamed, or not loadable here; the text says which."""


def object_name(function: Callable[..., Any], kinds: tuple[str, ...]) -> str:
    """Return the name of an entry point's object file for these kinds, which is also its function's name in it."""
    module = function.__module__.split(".")[-2:]
    kind = hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]
    return ".".join([*module, f"{function.__qualname__}-{kind}{SUFFIX}"])


class ObjectFile(NamedTuple):
    """The machine code of an entry point."""

    name: str
    """As returned by `object_name`; also the name of the function in the code."""
    kinds: tuple[str, ...]
    """Kinds of its arguments, as returned by `kinds_and_cells`."""
    returns: str
    """Numpy's type string of the result; empty for None."""
    needs: tuple[str, ...]
    """The external symbols that the process must provide."""
    code: bytes
    """Its calling convention is numba's (`numba.core.callconv`)."""

    def write(self, folder: Path) -> None:
        """Store the file atomically: concurrent readers find the whole file or none. Raises OSError."""
        content = json.dumps([self.kinds, self.returns, self.needs]).encode() + b"\n" + self.code
        write_whole(folder / self.name, _digest(self.name, content) + b"\n" + content)

    @staticmethod
    def read(path: Path) -> ObjectFile:
        """Read a stored file; raises UnusableObjectError."""
        try:
            digest, _, content = path.read_bytes().partition(b"\n")
        except OSError as error:
            raise UnusableObjectError(f"{path} cannot be read: {reason_of(error)}") from error
        if digest != _digest(path.name, content):
            raise UnusableObjectError(f"{path} is damaged")
        header, _, code = content.partition(b"\n")
        kinds, returns, needs = json.loads(header)
        return ObjectFile(path.name, tuple(kinds), returns, tuple(needs), code)


def _digest(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + content).hexdigest().encode()


class Native:
    """Loaded machine code, which stays loaded as long as this object lives."""

    def __init__(self, file: ObjectFile) -> None:
        """Load an object file; raises UnusableObjectError if that is impossible."""
        from llvmlite import binding  # noqa: PLC0415  only where something is loaded

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        machine = binding.Target.from_default_triple().create_target_machine()
        nothing = binding.parse_assembly("")
        self._engine = binding.create_mcjit_compiler(nothing, machine)
        self._engine.remove_module(nothing)  # LLVM would compile it, which takes longer than linking a kernel
        _check_symbols(file, binding.address_of_symbol)
        self._engine.add_object_file(binding.ObjectFileRef.from_data(file.code))
        self._engine.finalize_object()
        release_library(_LINKER_LIBRARY)
        address = self._engine.get_function_address(file.name)
        if not address:
            raise UnusableObjectError(f"{file.name} is not in its own code")
        types = (ctypes.c_void_p, ctypes.c_void_p, *cell_types(file.kinds))
        self._call: Any = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(address)
        self._result: Any = _CELLS[file.returns] if file.returns else None
        self._name = file.name.removesuffix(SUFFIX).rpartition("-")[0]

    def __call__(self, cells: Sequence[Any]) -> Any:
        """Call the code without the GIL; raises EngineError if it returns an error status."""
        result = (self._result or ctypes.c_void_p)()
        reason = ctypes.c_void_p()
        status = self._call(ctypes.byref(result), ctypes.byref(reason), *cells)
        if status:
            raise EngineError(f"the engine's {self._name} failed with status {status}")
        return result.value if self._result else None


def _check_symbols(file: ObjectFile, address_of_name: Callable[[str], int | None]) -> None:
    """Raise UnusableObjectError for an undefined symbol, because LLVM would end the process."""
    if not all(map(address_of_name, file.needs)):
        from numba.core.registry import cpu_target  # noqa: PLC0415  only where its libraries are needed

        cpu_target.target_context.refresh()  # loads the libraries that its code needs besides C's own
    if missing := [name for name in file.needs if not address_of_name(name)]:
        raise UnusableObjectError(f"{file.name} needs {missing[0]}, which is not here")
