"""Writing a file whole or not at all."""

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

from xwtui.errors import PuzzleFormatError
from xwtui.tidy import DAY, remove_stale

_TEMPORARY = ".xwtui-{}.tmp"


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file's content in one step, so that at any moment the old or the new file stands there.

    A symbolic link keeps pointing where it does, an existing file keeps its permissions, and what
    is no regular file (a pipe, a terminal) is simply written to. Raises PuzzleFormatError, with
    the old file as it was, where the folder is missing, forbidden or full. What a program killed
    in the middle of writing left in the folder is removed after a day.
    """
    try:
        target = path.resolve()
        if target.is_symlink():  # a loop of links, for which resolve raises before Python 3.13
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not target.parent.is_dir():
            raise OSError(errno.ENOENT, f"there is no folder {target.parent}")
        old = target.stat() if target.exists() else None
        if old is not None and not stat.S_ISREG(old.st_mode):
            target.write_bytes(data)
            return
        if old is not None and not os.access(target, os.W_OK):
            raise PermissionError(0, "it is read-only")
        _replace(target, data, old)
    except (OSError, RuntimeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise PuzzleFormatError(f"cannot write {path}: {reason}") from error


def _replace(target: Path, data: bytes, old: os.stat_result | None) -> None:
    temporary = target.with_name(_TEMPORARY.format(secrets.token_hex(8)))
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        try:
            if old is not None:
                _keep_owner_and_mode(descriptor, old)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)
    remove_stale(target.parent, _TEMPORARY.format("[0-9a-f]" * 16), DAY)


def _keep_owner_and_mode(descriptor: int, old: os.stat_result) -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.fchown(descriptor, old.st_uid, old.st_gid)
    with contextlib.suppress(OSError, AttributeError):
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Make the renaming itself survive a power cut, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
