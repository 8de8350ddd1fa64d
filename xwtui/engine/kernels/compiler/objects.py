"""Machine code without its compiler: object files that numba made are kept in our own form, loaded and called.

An object file holds an entry point for one kind of arguments and all that it leads to. It is kept in a file whose
first line is a hash of the rest: no pickle, so nothing is run but the code itself, which lies in a folder that
only the user can write to (`cache_folder.py`). LLVM's linker loads it
(https://llvm.org/docs/MCJITDesignAndImplementation.html), ctypes calls it, without Python's lock.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import stat
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.engine.kernels.compiler.arguments import cell_types, result_cell
from xwtui.errors import EngineError

SUFFIX = ".kernel"

_ELF = b"\x7fELF\x02\x01"
"""How an object file of 64-bit Linux begins, lowest byte first."""
_SYMBOL_TABLE = 2
_SYMBOL = struct.Struct("<IBBHQQ")
_LINKER_MAKES_IT = "_GLOBAL_OFFSET_TABLE_"
_WRITABLE_BY_OTHERS = 0o022
_NO_LINKS: int = getattr(os, "O_NOFOLLOW", 0)


class UnusableObjectError(Exception):
    """An object file that is not there, damaged, another one's, or not to be loaded here; the text says which."""


def can_load() -> bool:
    """Whether this system's object files are such as we can look into before LLVM does, which ends the process."""
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

    def write(self, folder: Path) -> None:
        """Keep it; whoever reads meanwhile finds the whole file or none. Raises OSError."""
        told = {
            "entry": self.target.entry,
            "kinds": self.target.kinds,
            "machine": self.target.machine,
            "returns": self.returns,
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
            return ObjectFile(target, fields["returns"], code)
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


def unresolved(code: bytes) -> set[str]:
    """The names that an object file leaves to the process it is loaded into; raises UnusableObjectError.

    ELF-64, "Object File Format", version 1.5, section headers and symbol table.
    """
    if not code.startswith(_ELF):
        raise UnusableObjectError("its code is no object file of 64-bit Linux")
    try:
        return {name for name in _undefined(code) if name not in {"", _LINKER_MAKES_IT}}
    except (struct.error, ArithmeticError, IndexError, ValueError) as error:
        raise UnusableObjectError("its code is damaged") from error


def _undefined(code: bytes) -> Iterator[str]:
    (headers,) = struct.unpack_from("<Q", code, 0x28)
    size, count = struct.unpack_from("<HH", code, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, headers + size * number) for number in range(count)]
    for kind, offset, length, link in ((each[1], each[4], each[5], each[6]) for each in sections):
        if kind != _SYMBOL_TABLE:
            continue
        names = sections[link][4]
        for name, _, _, section, _, _ in _SYMBOL.iter_unpack(code[offset : offset + length]):
            if section == 0:
                yield code[names + name : code.index(b"\0", names + name)].decode()


def check_symbols(file: ObjectFile) -> None:
    """Raise UnusableObjectError where LLVM could not link a file: that would end the process."""
    process = ctypes.CDLL(None)
    missing = {name for name in unresolved(file.code) if not hasattr(process, name)}
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
