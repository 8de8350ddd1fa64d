"""Which process has a puzzle file open: a lock file next to the journals, released when its process ends."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from xwtui.dataclasses import asdict, dataclass
from xwtui.lazy import lazy_imports
from xwtui.resources import journal_folder
from xwtui.user_files import keep, read_kept

with lazy_imports():
    import getpass
    import socket

    import filelock
    from filelock import FileLock

_FOLDER = "open"
_PRIVATE = 0o600


@dataclass(frozen=True)
class Holder:
    """Another process that has a puzzle open; unknown fields are empty or 0."""

    pid: int = 0
    host: str = ""
    user: str = ""
    since: float = 0.0
    """Time in seconds since the epoch."""

    @property
    def words(self) -> str:
        """Such as `is open in another xwtui: process 4711 of ada on orlando, since 9 March 14:05`."""
        parts = [f"process {self.pid}"] * bool(self.pid)
        parts += [f"of {self.user}"] * bool(self.user) + [f"on {self.host}"] * bool(self.host)
        since = f", since {datetime.fromtimestamp(self.since):%d %B %H:%M}" if self.since else ""
        return "is open in another xwtui" + (f": {' '.join(parts)}{since}" if parts else "")


class Presence:
    """Claims a puzzle file for this process unless another process has it; one process may claim it repeatedly."""

    def __init__(self, path: Path | None, folder: Path | None = None) -> None:
        """`folder` is the folder of the journals."""
        self._folder = (folder if folder is not None else journal_folder()) / _FOLDER
        self._lock: FileLock | None = None
        self.other: Holder | None = None
        """The process that already had the file open."""
        self.hold(path)

    def hold(self, path: Path | None) -> None:
        """Claim a file in place of the previous one; if another process has it, set `other` instead.

        If no lock can be created, on a read-only disk for example, the claim is skipped silently.
        """
        self.release()
        self.other = None
        if path is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            place = self._folder / hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]
            details, name = place.with_suffix(".json"), place.with_suffix(".lock")
            lock = FileLock(name, mode=_PRIVATE, thread_local=False, is_singleton=True, fallback_to_soft=False)
            try:
                lock.acquire(timeout=0)
            except filelock.Timeout:
                self.other = _read(details)
                return
            self._lock, user = lock, ""
            with suppress(OSError, KeyError):
                user = getpass.getuser()
            keep(details, asdict(Holder(os.getpid(), socket.gethostname(), user, time.time())))
        except (OSError, RuntimeError, ValueError, NotImplementedError):
            return

    def release(self) -> None:
        if self._lock is not None:
            with suppress(OSError):
                self._lock.release()
            self._lock = None


def _read(place: Path) -> Holder:
    with suppress(LookupError, ValueError, TypeError):
        found = read_kept(place, dict)
        return Holder(int(found["pid"]), str(found["host"]), str(found["user"]), float(found["since"]))
    return Holder()
