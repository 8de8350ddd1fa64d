"""The folder that compiled kernels are kept in, or why none is.

Numba keeps machine code in pickles: what lies there is run. It is trusted only in a folder of the
user's own, reached through folders in which no other user could put another in its place. Root's
are fine.
"""

from __future__ import annotations

import enum
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_PRIVATE = 0o700
_WRITABLE_BY_OTHERS = 0o022
_REACHED_BY_OTHERS = 0o077
_ROOT = 0
_MOST_LINKS = 40


class CacheDoubt(enum.Enum):
    """Why compiled kernels are not kept in a folder."""

    NOT_ABSOLUTE = "is no absolute path"
    NOT_WRITABLE = "cannot be written to"
    NOT_OWN = "belongs to another user"
    OPEN_TO_OTHERS = "can be written to by other users"


class CacheRefusal(NamedTuple):
    """Why every start compiles; `str` says it in one line."""

    doubt: CacheDoubt
    at: Path
    """The folder, file or link that the doubt is about."""
    folder: Path
    """The folder that was to be used, or was in NUMBA_CACHE_DIR."""

    def __str__(self) -> str:
        place = "" if self.at == self.folder else f", so {self.folder} is not used"
        return (
            f"every start compiles the engine anew: {self.at} {self.doubt.value}{place};"
            " set NUMBA_CACHE_DIR to a folder of your own"
        )


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
    if not base.is_absolute():
        raise _RefusedError(CacheDoubt.NOT_ABSOLUTE, base)
    _check_way(folder)
    _make(folder)
    _check_way(folder)
    own = folder.lstat()
    if not stat.S_ISDIR(own.st_mode):
        raise _RefusedError(CacheDoubt.NOT_WRITABLE, folder)
    if _has_owners():
        if own.st_uid != os.getuid():
            raise _RefusedError(CacheDoubt.NOT_OWN, folder)
        if own.st_mode & _WRITABLE_BY_OTHERS:
            raise _RefusedError(CacheDoubt.OPEN_TO_OTHERS, folder)
        if own.st_mode & _REACHED_BY_OTHERS:
            _check_content(folder, _WRITABLE_BY_OTHERS)
            folder.chmod(_PRIVATE)
        else:
            _check_content(folder, 0)
    tempfile.TemporaryFile(dir=folder).close()


def _has_owners() -> bool:
    return hasattr(os, "getuid")


def _make(folder: Path) -> None:
    """Make a folder and those above it that are missing."""
    missing = [step for step in (folder, *folder.parents) if not step.exists()]
    for step in reversed(missing):
        step.mkdir(_PRIVATE, exist_ok=True)


def _check_way(folder: Path) -> None:
    """Refuse where another user could put another folder in place of this one, as far as there is one."""
    if not _has_owners():
        return
    for step in _steps(folder):
        try:
            status = step.lstat()
        except FileNotFoundError:
            return
        if status.st_uid not in {_ROOT, os.getuid()}:
            raise _RefusedError(CacheDoubt.NOT_OWN, step)
        # Nobody else's entries can be replaced in a sticky folder. A link's own mode says nothing.
        is_replaceable = status.st_mode & _WRITABLE_BY_OTHERS and not status.st_mode & stat.S_ISVTX
        if is_replaceable and not stat.S_ISLNK(status.st_mode):
            raise _RefusedError(CacheDoubt.OPEN_TO_OTHERS, step)


def _steps(folder: Path) -> Iterator[Path]:
    """All folders and links that are passed on the way to a folder, and itself."""
    current = Path(folder.anchor)
    yield current
    left = list(folder.parts[1:])
    links = 0
    while left:
        part = left.pop(0)
        if part == os.pardir:
            current = current.parent
            continue
        step = current / part
        yield step
        if step.is_symlink():
            links += 1
            if links > _MOST_LINKS:
                raise OSError(f"{folder} leads through too many links")
            target = step.readlink()
            left = [*target.parts[1 if target.is_absolute() else 0 :], *left]
            current = Path(target.anchor) if target.is_absolute() else current
        else:
            current = step


def _check_content(folder: Path, forbidden: int) -> None:
    """Refuse what is not the user's own, what is a link, and what has a forbidden bit in its mode."""
    for inside, folders, files in os.walk(folder):
        for path in (Path(inside, name) for name in (*folders, *files)):
            try:
                status = path.lstat()
            except FileNotFoundError:
                continue  # another process has put a finished file in place of it
            if status.st_uid != os.getuid() or stat.S_ISLNK(status.st_mode):
                raise _RefusedError(CacheDoubt.NOT_OWN, path)
            if status.st_mode & forbidden:
                raise _RefusedError(CacheDoubt.OPEN_TO_OTHERS, path)
