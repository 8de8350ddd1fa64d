"""Whether what leans on numba's insides can be trusted here: tried once, before any kernel is compiled by it.

Drafts (`drafts.py`) and records of arrays (`cells.py`) use parts of numba and llvmlite that either may
change in any release. A small kernel is compiled with them and by plain `njit`. Where both do the same, a mark in
the folder of the compiled kernels says so, and later starts only look for it. Where they differ, or where numba's
insides are not what they were, each process compiles all kernels by plain `njit`: slowly, to the same fills.

The same small kernel is then called without numba, from its machine code alone (`objects.py`). Where that cannot
be, or does something else, numba keeps and calls all kernels in its own way: as fast, but for the start.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.compiler.objects import (
    PLAIN_OPTIONS,
    Native,
    Target,
    UnusableObjectError,
    kinds_and_cells,
)

_MARK = "fence-holds"
_LOADS = "loading-holds"
_FAILS = "loading-fails"
_PRIVATE = 0o600
_ROWS = 7


class FenceDoubt(enum.Enum):
    """Why kernels are compiled by plain `njit`."""

    MISSING = "lacks what the engine's own compiler builds on"
    FAILED = "fails on a kernel of the engine's own compiler"
    DIFFERS = "makes something else of a kernel by the engine's own compiler than Python does"


class FenceFailure(NamedTuple):
    """Why the engine is slower than it could be; `str` says it in one line."""

    doubt: FenceDoubt
    detail: str = ""
    """The error's text, where there was one."""

    def __str__(self) -> str:
        from importlib.metadata import version  # noqa: PLC0415  only where it is told

        reason = f" ({self.detail})" if self.detail else ""
        return (
            f"every start compiles the engine plainly, which takes minutes:"
            f" numba {version('numba')} {self.doubt.value}{reason};"
            " install a numba that this xwtui was tested with"
        )


class LoadingFailure(NamedTuple):
    """Why each start imports the compiler; `str` says it in one line."""

    detail: str

    def __str__(self) -> str:
        return f"every start loads the whole compiler, which takes its time: {self.detail}"


class Probe:
    """A record of two arrays, made without the class that kernels' records have."""

    numba_name = "Probe"

    def __init__(self) -> None:
        self.words: NDArray[np.uint64] = np.arange(_ROWS, dtype=np.uint64) << np.uint64(60)
        self.pairs: NDArray[np.int64] = np.arange(2 * _ROWS, dtype=np.int64).reshape(_ROWS, 2)
        arrays = (self.words, self.pairs)
        self.table = np.array([(array.ctypes.data, len(array)) for array in arrays], np.int64)
        self.address: int = self.table.ctypes.data

    def content(self) -> tuple[bytes, bytes]:
        return self.words.tobytes(), self.pairs.tobytes()


def fence_failure(folder: Path | None) -> FenceFailure | None:
    """Why kernels must be compiled plainly; None where numba is as expected. `folder` keeps what was found."""
    if is_known_to_hold(folder):
        return None
    try:
        from xwtui.engine.kernels.compiler import cells, drafts  # noqa: F401, PLC0415  numba may lack what they import
    except Exception as error:
        return FenceFailure(FenceDoubt.MISSING, str(error))
    try:
        fenced = by_the_fence()
    except Exception as error:
        return FenceFailure(FenceDoubt.FAILED, _first_line(error))
    if fenced != by_python():
        return FenceFailure(FenceDoubt.DIFFERS)
    _mark(folder, _MARK)
    return None


def loading_failure(folder: Path | None) -> LoadingFailure | None:
    """Why machine code cannot be called without numba; None where it can. `folder` keeps what was found."""
    if folder is not None:
        with contextlib.suppress(OSError):
            return LoadingFailure((folder / _FAILS).read_text(errors="replace"))
        if (folder / _LOADS).exists():
            return None
    try:
        if by_the_loader() == by_python():
            _mark(folder, _LOADS)
            return None
        detail = "loaded machine code does something else than Python"
    except UnusableObjectError as error:
        detail = str(error)
    except Exception as error:
        return LoadingFailure(_first_line(error))
    return note_loading(folder, detail)


def note_loading(folder: Path | None, detail: str) -> LoadingFailure:
    """Keep that machine code cannot be loaded here, for later starts."""
    _mark(folder, _FAILS, detail)
    return LoadingFailure(detail)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _mark(folder: Path | None, name: str, content: str = "") -> None:
    if folder is not None:
        with contextlib.suppress(OSError):
            (folder / name).touch(_PRIVATE)
            (folder / name).write_text(content)


def is_known_to_hold(folder: Path | None, *, with_loader: bool = False) -> bool:
    """Whether an earlier process has found that the compiler does what Python does, and the loader, if asked."""
    if folder is None or not (folder / _MARK).exists():
        return False
    return not with_loader or (folder / _LOADS).exists() or (folder / _FAILS).exists()


def plain(function: Callable[..., Any], *, is_inlined: bool = False) -> Any:
    """What plain numba makes of a kernel."""
    import numba  # noqa: PLC0415  only where something is compiled

    return numba.njit(**PLAIN_OPTIONS, **({"forceinline": True} if is_inlined else {}))(function)


def by_the_fence() -> tuple[int, tuple[bytes, bytes]]:
    """What the small kernel returns and leaves, compiled with drafts and for a record."""
    import numba  # noqa: PLC0415  only where something is compiled

    from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

    probe = _fenced_probe()
    return numba.njit(**drafts.ENTRY_OPTIONS)(_small_kernel(drafts.inner))(probe, _ROWS), probe.content()


def by_the_loader() -> tuple[int, tuple[bytes, bytes]]:
    """The same from its machine code alone, called without numba."""
    from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

    probe = _fenced_probe()
    arguments = (probe, _ROWS)
    kinds, in_cells = kinds_and_cells(arguments)
    run = _small_kernel(drafts.inner)
    return Native(drafts.object_file(run, arguments, Target.of(run, kinds, "")))(in_cells), probe.content()


def _fenced_probe() -> Probe:
    from xwtui.engine.kernels.compiler import cells  # noqa: PLC0415  it imports numba

    probe = Probe()
    fields = {"words": _Elements(probe.words.dtype, 0), "pairs": _Elements(probe.pairs.dtype, 2), "lacking": None}
    probe.table = np.concatenate([probe.table, np.zeros((1, 2), np.int64)])
    probe.address = probe.table.ctypes.data
    probe._numba_type_ = cells.record_type(probe.numba_name, fields, is_fixed=False)  # type: ignore[attr-defined]
    return probe


def by_python() -> tuple[int, tuple[bytes, bytes]]:
    """The same by Python itself."""
    probe = Probe()
    return _small_kernel(lambda function: function)(probe, _ROWS), probe.content()


class _Elements(NamedTuple):
    dtype: np.dtype[Any]
    columns: int


def _small_kernel(inner: Callable[[Any], Any]) -> Callable[[Any, int], int]:
    """A kernel that reads and writes rows, columns and words, and calls another that does."""

    @inner
    def turn(record: Any, row: int) -> int:
        record.pairs[row, 1] -= record.pairs[row, 0] * 3
        record.words[row] |= np.uint64(1) << np.uint64(row)
        return int(record.pairs[row, 1])

    def run(record: Any, rows: int) -> int:
        total = len(record.pairs)
        for row in range(rows):
            if record.words[row] >> np.uint64(60) != np.uint64(3):
                total += turn(record, row)
        return total

    return run
