"""The folder that compiled kernels are kept in, or why none is.

What lies there is machine code, and is run. It is trusted only in a folder of the user's own, reached through
folders in which no other user could put another in its place. Root's are fine.
"""

from __future__ import annotations

import contextlib
import enum
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from xwtui.dataclasses import dataclass
from xwtui.worded import Worded

_PRIVATE = 0o700
_WRITABLE_BY_OTHERS = 0o022
_REACHED_BY_OTHERS = 0o077
_ROOT = 0
_MOST_LINKS = 40
_HAS_OWNERS = hasattr(os, "getuid")


class CacheDoubt(enum.Enum):
    """Why compiled kernels are not kept in a folder."""

    NOT_ABSOLUTE = "not-absolute"
    NOT_WRITABLE = "not-writable"
    NOT_OWN = "not-own"
    OPEN_TO_OTHERS = "open-to-others"


@dataclass(frozen=True)
class CacheRefusal(Worded):
    """Why every start compiles."""

    doubt: CacheDoubt
    at: Path
    """The folder, file or link that the doubt is about."""
    folder: Path
    """The folder that was to be used, or was in NUMBA_CACHE_DIR."""


class KernelCache(NamedTuple):
    """Where compiled kernels are kept."""

    folder: Path | None
    refusal: CacheRefusal | None = None
    """Why there is no folder."""


class _RefusedError(Exception):
    def __init__(self, doubt: CacheDoubt, at: Path) -> None:
        self.doubt = doubt
        self.at = at


def private_cache(base: Path, name: str) -> KernelCache:
    """Find or make a folder of the user's own in `base`; what is made is open to nobody else."""
    folder = base / name
    try:
        _check(base, folder)
    except _RefusedError as refused:
        return KernelCache(None, CacheRefusal(refused.doubt, refused.at, base))
    except OSError:
        return KernelCache(None, CacheRefusal(CacheDoubt.NOT_WRITABLE, base, base))
    return KernelCache(folder)


def _check(base: Path, folder: Path) -> None:
    """Raise _RefusedError or OSError where the folder cannot be made, trusted and written to."""
    if not base.is_absolute():
        raise _RefusedError(CacheDoubt.NOT_ABSOLUTE, base)
    _check_way(folder)
    for step in (*reversed(folder.parents), folder):
        if not step.exists():
            step.mkdir(_PRIVATE, exist_ok=True)
    _check_way(folder)
    own = folder.lstat()
    if not stat.S_ISDIR(own.st_mode):
        raise _RefusedError(CacheDoubt.NOT_WRITABLE, folder)
    if _HAS_OWNERS:
        _check_status(folder, own, {os.getuid()}, _WRITABLE_BY_OTHERS)
        is_reached = own.st_mode & _REACHED_BY_OTHERS
        for path in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another process puts a finished file in place of one
                status = path.lstat()
                if stat.S_ISLNK(status.st_mode):
                    raise _RefusedError(CacheDoubt.NOT_OWN, path)
                _check_status(path, status, {os.getuid()}, _WRITABLE_BY_OTHERS if is_reached else 0)
        if is_reached:
            folder.chmod(_PRIVATE)
    tempfile.TemporaryFile(dir=folder).close()


def _check_way(folder: Path) -> None:
    """Refuse where another user could put another folder in place of this one, as far as there is one."""
    with contextlib.suppress(FileNotFoundError):
        for step in _steps(folder, _MOST_LINKS) if _HAS_OWNERS else ():
            status = step.lstat()
            # Nobody else's entries can be replaced in a sticky folder. A link's own mode says nothing.
            is_safe = status.st_mode & stat.S_ISVTX or stat.S_ISLNK(status.st_mode)
            _check_status(step, status, {_ROOT, os.getuid()}, 0 if is_safe else _WRITABLE_BY_OTHERS)


def _steps(path: Path, links: int) -> Iterator[Path]:
    """All folders and links that are passed on the way to a path, and itself."""
    for named in (*reversed(path.parents), path):
        if named.name == os.pardir:
            continue  # on the way to what is below it, all above was passed
        step = named.parent.resolve() / named.name
        yield step
        if step.is_symlink():
            if not links:
                raise OSError(f"{path} leads through too many links")
            yield from _steps(step.parent / step.readlink(), links - 1)


def _check_status(path: Path, status: os.stat_result, owners: set[int], forbidden: int) -> None:
    """Refuse what belongs to somebody else, and what has a forbidden bit in its mode."""
    if status.st_uid not in owners:
        raise _RefusedError(CacheDoubt.NOT_OWN, path)
    if status.st_mode & forbidden:
        raise _RefusedError(CacheDoubt.OPEN_TO_OTHERS, path)
