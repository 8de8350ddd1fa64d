"""What was used recently (puzzles, export formats, verbs), and which notices about word lists were shown."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from xwtui.lazy import lazy_imports
from xwtui.reading import is_file
from xwtui.resources import export_kinds_file, recent_puzzles_file, reported_lists_file, verb_uses_file
from xwtui.session.verbs.verb import BOOK
from xwtui.user_files import keep, read_kept

with lazy_imports():
    from hashlib import sha256

MOST_RECENT = 20
_MOST_OFFERED = 8


def short_path(path: Path) -> str:
    """Return a path as typed: relative to the working directory or the home folder if it is below one."""
    with suppress(ValueError, OSError):
        return str(path.relative_to(Path.cwd()))
    with suppress(ValueError, RuntimeError):
        return f"~/{path.relative_to(Path.home())}"
    return str(path)


class RecentPuzzles:
    """The list of recent files, newest first; if it cannot be read or written, it counts as empty."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or recent_puzzles_file()
        self._noted: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(path for path in self._read() if is_file(path))

    def note(self, path: Path | None) -> None:
        """Put a puzzle's file first in the list; None stands for a puzzle without a file."""
        if path is None or path == self._noted:
            return
        self._noted = path
        others = [one for one in self._read() if one != path]
        keep(self._path, [os.fsdecode(one) for one in [path, *others][:MOST_RECENT]])

    def _read(self) -> list[Path]:
        names = read_kept(self._path, list)
        paths = [Path(name) for name in names[:MOST_RECENT] if isinstance(name, str) and "\0" not in name]
        return [path for path in paths if path.is_absolute()]


def recent_except(path: Path | None) -> list[tuple[str, str, str]]:
    """Return recent files other than `path`, for completion: text, kind and description of each."""
    others = [one for one in RecentPuzzles().files if one != path]
    return [(short_path(one), "plain", f"recent: {one.name}") for one in others[:_MOST_OFFERED]]


def recent_kinds() -> list[str]:
    """Return the formats of recent exports, as suffixes without the dot, latest first."""
    return [one for one in read_kept(export_kinds_file(), list)[:MOST_RECENT] if isinstance(one, str)]


def note_kind(kind: str) -> None:
    """Record the format of an export."""
    keep(export_kinds_file(), [kind, *(one for one in recent_kinds() if one != kind)][:MOST_RECENT])


_MOST_REPORTED = 50


def unreported_notices(notices: Sequence[str], lists: str, state: str) -> list[str]:
    """Return the notices that were not shown before for these word lists in this `state` of their files.

    A notice that starts with the name of one list is shown once for each state of that list, regardless of the
    others. All notices are then recorded as shown. If `lists` is empty, this is not a start, and all are new.
    """
    if not lists:
        return list(notices)
    path = reported_lists_file()
    kept = read_kept(path, dict)
    before, new = dict(kept), list[str]()
    files = dict(line.split("\t", 1) for line in state.splitlines() if "\t" in line)
    list_of = {text: one if (one := text.partition(": ")[0]) in files else lists for text in notices}
    for name, now in ((lists, state), *files.items()):
        texts = [text for text in notices if list_of[text] == name]
        key, *marks = (
            sha256(text.encode()).hexdigest()[:16] for text in (name, *(f"{now}\n{one}" for one in texts))
        )
        new += [text for text, mark in zip(texts, marks, strict=True) if mark not in before.get(key, [])]
        kept.pop(key, None)
        kept |= {key: marks} if marks else {}
    if kept != before:
        keep(path, dict([*kept.items()][-_MOST_REPORTED:]))
    return [text for text in notices if text in new]


_MOST_COUNTED = 500
"""Uses after which all counts are halved, so that recent use counts for more."""


class VerbUses:
    """How often each verb was used; if the file cannot be read or written, the counts are not remembered."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or verb_uses_file()
        self._counts = self._read()

    def of(self, verb: str) -> int:
        return self._counts[verb]

    def note(self, verb: str) -> None:
        """Count one more use of a verb, on top of what other processes have counted in the file."""
        kept = self._read()
        self._counts = kept if kept.total() else self._counts
        self._counts[verb] += 1
        if self._counts.total() > _MOST_COUNTED:
            self._counts = Counter({name: count // 2 for name, count in self._counts.items() if count > 1})
        keep(self._path, dict(self._counts))

    def _read(self) -> Counter[str]:
        return Counter(
            {
                name: min(count, _MOST_COUNTED)
                for name, count in read_kept(self._path, dict).items()
                if name in BOOK.verbs and isinstance(count, int) and count > 0
            }
        )
