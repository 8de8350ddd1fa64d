"""Reading foreign files safely, replacing our own atomically, and removing what dead processes left."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from xwtui.lazy import lazy_imports

with lazy_imports():
    import shutil
    import tempfile

    import filelock
    from filelock import FileLock

_KINDS = (
    (stat.S_ISDIR, errno.EISDIR, "this is a folder, not a file"),
    (stat.S_ISCHR, errno.ENODEV, "this is a device, not a file"),
    (stat.S_ISBLK, errno.ENODEV, "this is a device, not a file"),
    (stat.S_ISSOCK, errno.ENXIO, "this is a socket, not a file"),
)
_PIECE = 1 << 20
_LOCK_SECONDS = 5.0


def read_at_most(path: Path, size: int) -> bytes:
    """Read at most `size` bytes of a file; the rest is cut off.

    A pipe is read until its writers close it, so the shell's `<(command)` works like a file. Raises OSError with a
    plain reason for a folder, a device, a socket, a pipe without a writer, and a file that cannot be opened or
    read. Raises ValueError for a NUL in the path.
    """
    _check_kind(path, path.stat().st_mode)
    # Without O_NONBLOCK, opening a named pipe blocks until a writer opens it.
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(file).st_mode
        _check_kind(path, mode)
        return _read_pipe(path, file, size) if stat.S_ISFIFO(mode) else _read(file, size)
    finally:
        os.close(file)


class DiskMark(NamedTuple):
    """Identifies a file's state on disk, to detect whether it has changed since it was read or written."""

    inode: int
    size: int
    modified_ns: int

    @classmethod
    def of(cls, path: Path) -> DiskMark | None:
        """Return the mark of a file, or None if it does not exist."""
        try:
            return cls.of_status(path.stat())
        except OSError:
            return None

    @classmethod
    def of_status(cls, status: os.stat_result) -> DiskMark:
        """Return the mark for a known stat result."""
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)


def check_is_file(path: Path) -> None:
    """Raise OSError unless this is a regular file, for readers that open it later and read bit by bit."""
    mode = path.stat().st_mode
    _check_kind(path, mode)
    if not stat.S_ISREG(mode):
        raise OSError(errno.ENXIO, "this is a pipe, not a file", str(path))


def is_file(path: Path) -> bool:
    """Whether this is a regular file; False for invalid names too, such as overlong ones."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_pipe(path: Path) -> bool:
    """Whether this is a pipe, named or from a shell's `<(command)`, which can be read once and not written."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _check_kind(path: Path, mode: int) -> None:
    for is_kind, number, reason in _KINDS:
        if is_kind(mode):
            raise OSError(number, reason, str(path))


def _read_pipe(path: Path, file: int, size: int) -> bytes:
    """Read a pipe. The first read does not block: an immediate end of file means that there is no writer."""
    try:
        first = os.read(file, min(size, _PIECE))
    except BlockingIOError:
        first = None
    os.set_blocking(file, True)
    if first == b"":
        raise OSError(errno.ENXIO, "nothing is writing to this pipe", str(path))
    first = first or b""
    return first + _read(file, size - len(first))


def _read(file: int, size: int) -> bytes:
    pieces = []
    # in one read if possible, as joining pieces would copy them again
    at_once = max(os.fstat(file).st_size + 1, _PIECE)
    while size > 0 and (piece := os.read(file, min(size, at_once))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def write_whole(path: Path, content: str | bytes) -> None:
    """Replace one of the program's small files, private to this user, in an existing folder.

    Other processes see the old content or the new, even with several writers. A power cut may lose it, so puzzles
    are written by `formats.base.write_atomically`. On OSError, the old file is unchanged.
    """
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}-")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content if isinstance(content, bytes) else content.encode())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def changing_alone(path: Path) -> Iterator[None]:
    """Lock one of the program's own files against other processes that use this lock; creates its folder.

    Raises OSError if the lock cannot be taken, or if another process holds it for more than some seconds.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path.with_name(f"{path.name}.lock"), timeout=_LOCK_SECONDS)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise OSError(errno.EBUSY, "another program is writing it", str(path)) from None
    try:
        yield
    finally:
        lock.release()


HOUR = 3600.0
DAY = 24 * HOUR


def remove_stale(folder: Path, pattern: str, seconds: float) -> None:
    """Remove the files and folders directly in a folder that match a pattern and are older than `seconds`.

    Symbolic links, and anything that cannot be removed, are left alone.
    """
    oldest = time.time() - seconds
    with contextlib.suppress(OSError):
        for path in folder.glob(pattern):
            with contextlib.suppress(OSError):
                if path.is_symlink() or path.stat().st_mtime >= oldest:
                    continue
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()
