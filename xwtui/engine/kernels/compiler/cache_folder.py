"""The cache folder for compiled kernels, or the reason why there is none.

The folder holds machine code that will be executed. It is trusted only if the user owns it and every folder on the
path to it is one where no other user could replace the next. Folders owned by root are fine.
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


class CacheFault(enum.Enum):
    """Why a folder is not used for compiled kernels."""

    NOT_ABSOLUTE = "not-absolute"
    NOT_WRITABLE = "not-writable"
    NOT_OWN = "not-own"
    OPEN_TO_OTHERS = "open-to-others"


@dataclass(frozen=True)
class CacheRefusal(Worded):
    """Why kernels are compiled at every start."""

    doubt: CacheFault
    at: Path
    """The offending folder, file or link."""
    folder: Path
    """The intended folder, or the one in NUMBA_CACHE_DIR."""


class KernelCache(NamedTuple):
    """The folder for compiled kernels, if any."""

    folder: Path | None
    refusal: CacheRefusal | None = None
    """Why there is no folder."""


class _RefusedError(Exception):
    def __init__(self, doubt: CacheFault, at: Path) -> None:
        self.doubt = doubt
        self.at = at


def private_cache(base: Path, name: str) -> KernelCache:
    """Find or create a folder owned by the user in `base`; created folders are closed to everybody else."""
    folder = base / name
    try:
        _check(base, folder)
    except _RefusedError as refused:
        return KernelCache(None, CacheRefusal(refused.doubt, refused.at, base))
    except OSError:
        return KernelCache(None, CacheRefusal(CacheFault.NOT_WRITABLE, base, base))
    return KernelCache(folder)


def _check(base: Path, folder: Path) -> None:
    """Raise _RefusedError or OSError if the folder cannot be created, trusted and written to."""
    if not base.is_absolute():
        raise _RefusedError(CacheFault.NOT_ABSOLUTE, base)
    _check_way(folder)
    for step in (*reversed(folder.parents), folder):
        if not step.exists():
            step.mkdir(_PRIVATE, exist_ok=True)
    _check_way(folder)
    own = folder.lstat()
    if not stat.S_ISDIR(own.st_mode):
        raise _RefusedError(CacheFault.NOT_WRITABLE, folder)
    if _HAS_OWNERS:
        _check_status(folder, own, {os.getuid()}, _WRITABLE_BY_OTHERS)
        is_reached = own.st_mode & _REACHED_BY_OTHERS
        for path in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another process may be replacing a file
                status = path.lstat()
                if stat.S_ISLNK(status.st_mode):
                    raise _RefusedError(CacheFault.NOT_OWN, path)
                _check_status(path, status, {os.getuid()}, _WRITABLE_BY_OTHERS if is_reached else 0)
        if is_reached:
            folder.chmod(_PRIVATE)
    tempfile.TemporaryFile(dir=folder).close()


def _check_way(folder: Path) -> None:
    """Refuse a folder that another user could replace, checking the part of the path that exists."""
    with contextlib.suppress(FileNotFoundError):
        for step in _steps(folder, _MOST_LINKS) if _HAS_OWNERS else ():
            status = step.lstat()
            # In a sticky folder nobody can replace another user's entries. A link's own mode means nothing.
            is_safe = status.st_mode & stat.S_ISVTX or stat.S_ISLNK(status.st_mode)
            _check_status(step, status, {_ROOT, os.getuid()}, 0 if is_safe else _WRITABLE_BY_OTHERS)


def _steps(path: Path, links: int) -> Iterator[Path]:
    """Yield all folders and links passed on the way to a path, and the path itself."""
    for named in (*reversed(path.parents), path):
        if named.name == os.pardir:
            continue  # everything above was passed on the way here
        step = named.parent.resolve() / named.name
        yield step
        if step.is_symlink():
            if not links:
                raise OSError(f"{path} leads through too many links")
            yield from _steps(step.parent / step.readlink(), links - 1)


def _check_status(path: Path, status: os.stat_result, owners: set[int], forbidden: int) -> None:
    """Refuse a path that belongs to somebody else or has a forbidden mode bit."""
    if status.st_uid not in owners:
        raise _RefusedError(CacheFault.NOT_OWN, path)
    if status.st_mode & forbidden:
        raise _RefusedError(CacheFault.OPEN_TO_OTHERS, path)
