"""What was used of late: puzzles, and the verbs of the command line; and what was told of word lists."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from xwtui.lazy import lazy_imports
from xwtui.own_files import keep, read_kept
from xwtui.reading import is_file
from xwtui.resources import export_kinds_file, recent_puzzles_file, told_of_lists_file, verb_uses_file
from xwtui.session.verbs.verb import BOOK

with lazy_imports():
    from hashlib import sha256

MOST_RECENT = 20
_MOST_OFFERED = 8


def in_short(path: Path) -> str:
    """A file as one would type it: from the folder one is in, or from the home folder, where it lies below."""
    with suppress(ValueError, OSError):
        return str(path.relative_to(Path.cwd()))
    with suppress(ValueError, RuntimeError):
        return f"~/{path.relative_to(Path.home())}"
    return str(path)


class RecentPuzzles:
    """A list of files, the newest first; one that cannot be read or written is as good as empty."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or recent_puzzles_file()
        self._noted: Path | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(path for path in self._read() if is_file(path))

    def note(self, path: Path | None) -> None:
        """Put a puzzle's file first; None is a puzzle without one, and what is first already stays so."""
        if path is None or path == self._noted:
            return
        self._noted = path
        others = [one for one in self._read() if one != path]
        keep(self._path, [os.fsdecode(one) for one in [path, *others][:MOST_RECENT]])

    def _read(self) -> list[Path]:
        names = read_kept(self._path, list)
        paths = [Path(name) for name in names[:MOST_RECENT] if isinstance(name, str) and "\0" not in name]
        return [path for path in paths if path.is_absolute()]


def recent_but(path: Path | None) -> list[tuple[str, str, str]]:
    """Some that were open last, but that of the puzzle in front, for completion: text, its kind, what it is."""
    others = [one for one in RecentPuzzles().files if one != path]
    return [(in_short(one), "plain", f"recent: {one.name}") for one in others[:_MOST_OFFERED]]


def recent_kinds() -> list[str]:
    """The kinds of files that were exported, by the ends of their names without the dot, the last one first."""
    return [one for one in read_kept(export_kinds_file(), list)[:MOST_RECENT] if isinstance(one, str)]


def note_kind(kind: str) -> None:
    """A file of a kind was exported."""
    keep(export_kinds_file(), [kind, *(one for one in recent_kinds() if one != kind)][:MOST_RECENT])


_MOST_TOLD = 50


def not_yet_told(notices: Sequence[str], lists: str, state: str) -> list[str]:
    """What the last start with these word lists has not told, or told of another `state` of their files.

    What begins with the name of one list is told once for each state of that list, whatever the others are.
    All of it is noted as told now; where `lists` is empty, nobody has started, and all is new.
    """
    if not lists:
        return list(notices)
    path = told_of_lists_file()
    kept = read_kept(path, dict)
    before, new = dict(kept), list[str]()
    files = dict(line.split("\t", 1) for line in state.splitlines() if "\t" in line)
    list_of = {text: one if (one := text.partition(": ")[0]) in files else lists for text in notices}
    for name, now in ((lists, state), *files.items()):
        told = [text for text in notices if list_of[text] == name]
        key, *marks = (
            sha256(text.encode()).hexdigest()[:16] for text in (name, *(f"{now}\n{one}" for one in told))
        )
        new += [text for text, mark in zip(told, marks, strict=True) if mark not in before.get(key, [])]
        kept.pop(key, None)
        kept |= {key: marks} if marks else {}
    if kept != before:
        keep(path, dict([*kept.items()][-_MOST_TOLD:]))
    return [text for text in notices if text in new]


_MOST_COUNTED = 500
"""Uses after which all counts are halved, so that what was used lately counts for more."""


class VerbUses:
    """The counts by the names of verbs; what cannot be read or written is only not remembered."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or verb_uses_file()
        self._counts = self._read()

    def of(self, verb: str) -> int:
        return self._counts[verb]

    def note(self, verb: str) -> None:
        """A verb was used once more; another program that counts in the same file is not forgotten."""
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
