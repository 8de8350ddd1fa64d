"""Whether what leans on numba's insides can be trusted here: tried once, before any kernel is compiled by it.

Drafts and records of arrays (`drafts.py`) and machine code without its compiler (`objects.py`) use
parts of numba and llvmlite that either may change in any release. A small kernel is compiled with them, and run by
Python. Where both do the same, a mark in the folder of the compiled kernels says so, and later starts only look
for it. Where they differ, or where numba's insides are not what they were, each process compiles all kernels by
plain `njit`: slowly, to the same fills.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from xwtui.dataclasses import dataclass
from xwtui.engine.kernels.compiler.objects import PLAIN_OPTIONS, Native, kinds_and_cells
from xwtui.engine.kernels.compiler.records import Array, Assembled
from xwtui.worded import Worded

_MARK = "fence-holds"
_PRIVATE = 0o600
_ROWS = 7


class FenceDoubt(enum.Enum):
    """Why kernels are compiled by plain `njit`."""

    MISSING = "missing"
    """It lacks what the engine's compiler needs."""
    FAILED = "failed"
    """It fails on a kernel of that."""
    DIFFERS = "differs"
    """It makes something else of such a kernel than Python does."""


@dataclass(frozen=True)
class FenceFailure(Worded):
    """Why the engine is slower than it could be."""

    doubt: FenceDoubt
    detail: str = ""
    """The error's text, where there was one."""


def fence_failure(folder: Path | None) -> FenceFailure | None:
    """Why kernels must be compiled plainly; None where numba is as expected. `folder` keeps what was found."""
    if is_known_to_hold(folder):
        return None
    try:
        from xwtui.engine.kernels.compiler import drafts  # noqa: F401, PLC0415  numba may lack what they import
    except Exception as error:
        return FenceFailure(FenceDoubt.MISSING, str(error))
    try:
        fenced = by_the_fence()
    except Exception as error:
        return FenceFailure(FenceDoubt.FAILED, next(iter(str(error).splitlines()), type(error).__name__))
    if fenced != by_python():
        return FenceFailure(FenceDoubt.DIFFERS)
    if folder is not None:
        with contextlib.suppress(OSError):
            (folder / _MARK).touch(_PRIVATE)
    return None


def is_known_to_hold(folder: Path | None) -> bool:
    """Whether an earlier process has found that the compiler does what Python does."""
    return folder is not None and (folder / _MARK).exists()


def plain(function: Callable[..., Any], *, is_inlined: bool = False) -> Any:
    """What plain numba makes of a kernel."""
    import numba  # noqa: PLC0415  only where something is compiled

    return numba.njit(forceinline=is_inlined, **PLAIN_OPTIONS)(function)


@dataclass(frozen=True, eq=False)
class _Probe(Assembled, columns={"pairs": 2}):
    words: Array[np.uint64]
    pairs: Array[np.int64]
    lacking: Array[np.int64] | None = None


def by_the_fence() -> list[Any]:
    """What a small kernel returns and leaves, compiled with drafts, for a record, and called as kernels are."""
    from xwtui.engine.kernels.compiler import drafts  # noqa: PLC0415  it imports numba

    def call(run: Callable[[_Probe, int], int], probe: _Probe) -> Any:
        kinds, in_cells = kinds_and_cells((probe, _ROWS))
        return Native(drafts.object_file(run, (probe, _ROWS), kinds))(in_cells)

    return _tried(drafts.inner, call)


def by_python() -> list[Any]:
    """The same by Python itself."""
    return _tried(lambda function: function, lambda run, probe: run(probe, _ROWS))


def _tried(inner: Callable[[Any], Any], call: Callable[[Callable[[Any, int], int], _Probe], Any]) -> list[Any]:
    """Call a kernel that reads and writes rows, columns and words, and calls another that does."""

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

    words = np.arange(_ROWS, dtype=np.uint64) << np.uint64(60)
    probe = _Probe(words, np.arange(2 * _ROWS, dtype=np.int64).reshape(_ROWS, 2))
    return [call(run, probe), probe.words.tolist(), probe.pairs.tolist()]
