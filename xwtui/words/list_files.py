"""Whether a word list's file is still as it was, told cheaply and often, and not while it is being written."""

from __future__ import annotations

import stat
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from xwtui.dataclasses import dataclass
from xwtui.reading import DiskMark

QUIET_SECONDS = 0.4
"""How long a file must be left alone before its new content counts."""
SHRUNK_SECONDS = 5.0
"""The same for one that has gone, or lost much of what it had: most likely it is being written anew."""

_SHRUNK = 0.9
_GONE = DiskMark(0, -1, 0)
"""The mark of what is not there, or is no ordinary file."""


@dataclass(slots=True)
class _Seen:
    """A file's mark that counts, and the newest one, with when that was seen first."""

    counts: DiskMark
    newest: DiskMark
    since: float


class ListFiles:
    """The marks of files as they count: what a program writes just now counts once it has come to rest.

    It may be used by several threads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._seen: dict[Path, _Seen] = {}
        self._written: set[DiskMark] = set()

    def mark(self, path: Path) -> DiskMark | None:
        """The mark of a file that counts now; None where there is none, and for what is no ordinary file."""
        now, at = _mark_of(path), self._clock()
        with self._lock:
            seen = self._seen.get(path)
            if seen is None or seen.counts == _GONE:
                seen = self._seen[path] = _Seen(now, now, at)
            if now != seen.newest:
                seen.newest, seen.since = now, at
            if seen.newest != seen.counts and at - seen.since >= _patience(seen.counts, now):
                seen.counts = now
            return None if seen.counts == _GONE else seen.counts

    def files_in(self, folder: Path) -> tuple[Path, ...]:
        """The files of a folder that have been asked about and count still, there or gone."""
        with self._lock:
            return tuple(
                path for path, seen in self._seen.items() if seen.counts != _GONE and path.parent == folder
            )

    def take(self, path: Path) -> None:
        """Let a file count as it is: this program has written it, whole."""
        now = _mark_of(path)
        with self._lock:
            self._seen[path] = _Seen(now, now, self._clock())
            self._written.add(now)

    def has_written(self, mark: DiskMark | None) -> bool:
        """Whether a file is as this program has left it."""
        return mark in self._written


def _patience(before: DiskMark, now: DiskMark) -> float:
    return SHRUNK_SECONDS if now.size < _SHRUNK * before.size else QUIET_SECONDS


def _mark_of(path: Path) -> DiskMark:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return _GONE
    return DiskMark.of_status(status) if stat.S_ISREG(status.st_mode) else _GONE


LIST_FILES = ListFiles()
"""What this process has seen of list files."""
