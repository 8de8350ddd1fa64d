"""Machine code without its compiler: object files that numba made are kept in our own form, loaded and called.

An object file holds an entry point for one kind of arguments and all that it leads to. It is kept in a file whose
first line is a hash of the rest: no pickle, so nothing is run but the code itself, which lies in a folder that
only the user can write to (`cache_folder.py`). LLVM's linker loads it
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
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from xwtui.errors import EngineError

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


PLAIN_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
"""What all kernels are compiled with, fenced or plain."""

SUFFIX = ".kernel"

_WRITABLE_BY_OTHERS = 0o022
_NO_LINKS: int = getattr(os, "O_NOFOLLOW", 0)


class UnusableObjectError(Exception):
    """An object file that is not there, damaged, another one's, or not to be loaded here; the text says which."""


def can_load() -> bool:
    """Whether machine code is loaded on such a system: elsewhere it is not tried."""
    return sys.platform == "linux" and sys.byteorder == "little" and sys.maxsize > 1 << 32


class Target(NamedTuple):
    """What an object file is for."""

    entry: str
    """The name of the entry point, with that of its module."""
    kinds: tuple[str, ...]
    """Of its arguments, as `kinds_and_cells` tells them."""
    machine: str
    """The processor and whatever else the compiler was told, in a few letters."""

    @staticmethod
    def of(function: Callable[..., Any], kinds: tuple[str, ...], machine: str) -> Target:
        """A function for kinds of arguments."""
        module = function.__module__.split(".")[-2:]
        return Target(".".join([*module, function.__qualname__]), kinds, machine)

    @property
    def file_name(self) -> str:
        """Where it is kept."""
        return f"{self._name}{SUFFIX}"

    @property
    def symbol(self) -> str:
        """The name of its function."""
        return f"xwtui.{self._name}"

    @property
    def _name(self) -> str:
        return f"{self.entry}-{hashlib.sha256(repr((self.kinds, self.machine)).encode()).hexdigest()[:16]}"


class ObjectFile(NamedTuple):
    """The machine code of an entry point."""

    target: Target
    returns: str
    """The code of what it returns, as `arguments.result_cell` knows it; empty for None."""
    code: bytes
    """Its function has the target's symbol; its calling convention is numba's (`numba.core.callconv`)."""
    needs: tuple[str, ...] = ()
    """The names that it leaves to the process, beside those of C's own libraries."""

    def write(self, folder: Path) -> None:
        """Keep it; whoever reads meanwhile finds the whole file or none. Raises OSError."""
        told = {
            "entry": self.target.entry,
            "kinds": self.target.kinds,
            "machine": self.target.machine,
            "returns": self.returns,
            "needs": self.needs,
        }
        content = json.dumps(told).encode() + b"\n" + self.code
        handle, name = tempfile.mkstemp(dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(content) + b"\n" + content)
            Path(name).replace(folder / self.target.file_name)
        except BaseException:
            Path(name).unlink()
            raise

    @staticmethod
    def read(path: Path) -> ObjectFile:
        """Read what was kept; raises UnusableObjectError."""
        digest, _, content = _own_content(path).partition(b"\n")
        if digest != _digest(content):
            raise UnusableObjectError(f"{path} is damaged")
        told, _, code = content.partition(b"\n")
        try:
            fields = json.loads(told)
            target = Target(fields["entry"], tuple(fields["kinds"]), fields["machine"])
            return ObjectFile(target, fields["returns"], code, tuple(fields["needs"]))
        except (ValueError, KeyError, TypeError) as error:
            raise UnusableObjectError(f"{path} is of another xwtui") from error


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def _own_content(path: Path) -> bytes:
    """What is in a file that nobody else could have put there."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | _NO_LINKS), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_mode & _WRITABLE_BY_OTHERS:
                raise UnusableObjectError(f"{path} can be written to by other users")
            if status.st_uid != os.getuid():
                raise UnusableObjectError(f"{path} belongs to another user")
            return file.read()
    except OSError as error:
        raise UnusableObjectError(f"{path} cannot be read: {error.strerror}") from error


def check_symbols(file: ObjectFile) -> None:
    """Raise UnusableObjectError where LLVM could not link a file: that would end the process."""
    process = ctypes.CDLL(None)
    missing = {name for name in file.needs if not hasattr(process, name)}
    if missing:
        raise UnusableObjectError(f"{file.target.entry} needs {min(missing)}, which is not here")


class Native:
    """Machine code that was loaded; it stays for as long as this does."""

    def __init__(self, file: ObjectFile) -> None:
        """Load it; raises UnusableObjectError where that cannot be."""
        check_symbols(file)
        self._engine = _engine(file.code)
        address = self._engine.get_function_address(file.target.symbol)
        if not address:
            raise UnusableObjectError(f"{file.target.entry} is not in its own code")
        types = (ctypes.c_void_p, ctypes.c_void_p, *cell_types(file.target.kinds))
        self._call: Any = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(address)
        self._result: Any = result_cell(file.returns) if file.returns else None
        self._entry = file.target.entry

    def __call__(self, cells: Sequence[Any]) -> Any:
        """Run it, without Python's lock; raises EngineError with the status where it ends with one."""
        result = (self._result or ctypes.c_void_p)()
        reason = ctypes.c_void_p()
        status = self._call(ctypes.byref(result), ctypes.byref(reason), *cells)
        if status:
            raise EngineError(f"the engine's {self._entry} failed with status {status}")
        return result.value if self._result else None


def _engine(code: bytes) -> Any:
    """A linker of LLVM's with an object file in it."""
    from llvmlite import binding  # noqa: PLC0415  only where something is loaded

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    nothing = binding.parse_assembly("")
    engine = binding.create_mcjit_compiler(nothing, machine)
    engine.remove_module(nothing)  # which LLVM would compile: that takes longer than to link a kernel
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine
