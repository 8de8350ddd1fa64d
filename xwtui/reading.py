"""Reading files of others with care, writing our own whole, and putting away what dead processes left."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from xwtui.lazy import lazy_imports
from xwtui.named_tuples import NamedTuple

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
    """Read a file up to so many bytes; what is larger comes cut off after them.

    A pipe is read to its end as long as somebody writes into it, so `<(command)` of a shell works as a file does.
    Raises OSError with a plain reason for a folder, a device, a socket, a pipe that nobody writes into, and
    where the file cannot be opened or read; ValueError for a NUL in the path.
    """
    _check_kind(path, path.stat().st_mode)
    # Without O_NONBLOCK, opening a named pipe waits for somebody who opens it to write.
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        mode = os.fstat(file).st_mode
        _check_kind(path, mode)
        return _read_pipe(path, file, size) if stat.S_ISFIFO(mode) else _read(file, size)
    finally:
        os.close(file)


class DiskMark(NamedTuple):
    """What tells whether a file is still the one that was read or written."""

    inode: int
    size: int
    modified_ns: int

    @classmethod
    def of(cls, path: Path) -> DiskMark | None:
        """The mark of a file, or None where there is none."""
        try:
            return cls.of_status(path.stat())
        except OSError:
            return None

    @classmethod
    def of_status(cls, status: os.stat_result) -> DiskMark:
        """The mark of a file that was looked at already."""
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)


def check_is_file(path: Path) -> None:
    """Raise OSError for what is no ordinary file, pipes too: for who opens it later and reads bit by bit."""
    mode = path.stat().st_mode
    _check_kind(path, mode)
    if not stat.S_ISREG(mode):
        raise OSError(errno.ENXIO, "this is a pipe, not a file", str(path))


def is_file(path: Path) -> bool:
    """Whether there is an ordinary file, also for names that no file can have, such as too long ones."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_pipe(path: Path) -> bool:
    """Whether this is a pipe, named or a shell's `<(command)`: it can be read once, and not written to."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _check_kind(path: Path, mode: int) -> None:
    for is_kind, number, reason in _KINDS:
        if is_kind(mode):
            raise OSError(number, reason, str(path))


def _read_pipe(path: Path, file: int, size: int) -> bytes:
    """The first look does not wait: an end that comes at once means that nobody has the pipe open to write."""
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
    at_once = max(os.fstat(file).st_size + 1, _PIECE)  # pieces would have to be joined, which is another copy
    while size > 0 and (piece := os.read(file, min(size, at_once))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def write_whole(path: Path, content: str | bytes) -> None:
    """Replace a small file of the program's own, which only this user reads, in a folder that is there.

    Other processes see the old one or the new one, also where several write at once. A power cut may lose it: a
    puzzle is written by `formats.base.write_atomically`. Raises OSError, with the old file as it was.
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
    """Within, nobody else who asks for it changes a file of the program's own; its folder is made if need be.

    Raises OSError where that cannot be, and where another process goes on changing it for some seconds.
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
    """Remove the files and folders directly in a folder that match a pattern and were not touched for so long.

    Links are left alone, and so is whatever cannot be removed.
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
