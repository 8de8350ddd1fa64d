"""The journal: every change of an unsaved puzzle, on disk before it is on the screen.

A journal is a file with one JSON object per line: a header, a whole puzzle (ipuz text), and then the changes. A
change lists the differences from the state before, or holds a whole puzzle if squares, clues and texts cannot
express it. A line is written to the system before the change is shown, so it survives a kill of the process. A
separate thread then syncs it to disk, so that it survives a crash of the machine. The open file is locked while
its process lives. That lets a second xwtui tell a journal in use from one left behind.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from xwtui.formats.ipuz_extensions import read_rules, rules_field
from xwtui.formats.registry import puzzle_bytes
from xwtui.interrupts import register_ending
from xwtui.model import Content, Direction, Ink, Kind, Position, Puzzle, Square
from xwtui.model.clues import AnswerEnumeration, Clue, EntryClues
from xwtui.reading import DiskMark
from xwtui.resources import journal_folder

SUFFIX = ".journal"
LARGEST_BYTES = 4 * 1024 * 1024
"""A journal that would exceed this size starts again with the present puzzle."""

VERSION = 3
"""Version of the format. Since version 3, lines state their kind, and the header identifies the file's state."""

_SYNC_SECONDS = 0.2


class LineKind(StrEnum):
    """What a line of the journal means for the puzzle's history."""

    EDIT = "edit"
    JOINED = "joined"
    """A typed letter that extends the edit before."""
    AMENDMENT = "amendment"
    """A change that undo does not take back, the puzzle's first state, or its state again after an interim
    line."""
    UNDO = "undo"
    REDO = "redo"
    INTERIM = "interim"
    """What the running search would leave; no edit yet."""


class Journal:
    """The journal of one document; its file exists only while there are unsaved changes."""

    def __init__(self, source: Path | None, folder: Path | None = None) -> None:
        self.source = source
        self.base = DiskMark.of(source) if source is not None else None
        """Identifies the state of the file as read or written, so that later changes are noticed."""
        self.session = uuid.uuid4().hex
        self.folder = folder if folder is not None else journal_folder()
        """The folder where the journal's file is, or would be."""
        self.path: Path | None = None
        """The journal's file; None while there is nothing to keep."""
        self._file = -1
        self._size = 0
        self._number = 0
        self.last: Puzzle | None = None
        """The puzzle as of the last line, which recovery would restore; None while there is nothing to keep."""
        self._syncer: _Syncer | None = None

    def record(
        self,
        label: str,
        puzzle: Puzzle,
        kind: LineKind = LineKind.EDIT,
        beginning: Puzzle | None = None,
        edit: str = "",
    ) -> None:
        """Write a change; raises OSError if that fails (earlier lines are kept).

        The first line is preceded by the `beginning`, a state that no file holds. `edit` is the label of the edit
        that was undone or redone.
        """
        stamp = {"label": label, "at": time.time(), "kind": kind.value, **({"edit": edit} if edit else {})}
        before, head = self.last, b""
        if before is None and beginning is not None:
            before = beginning
            head = _line({**stamp, "kind": LineKind.AMENDMENT.value, "ipuz": _ipuz_text(beginning)})
        change = change_between(before, puzzle) if before is not None else None
        line = _line({**stamp, **(change if change is not None else {"ipuz": _ipuz_text(puzzle)})})
        if self.path is not None and self._size + len(line) <= LARGEST_BYTES:
            self._append(line)
        else:
            is_readable = bool(head) or change is None
            self._begin_with(head + line if is_readable else _line({**stamp, "ipuz": _ipuz_text(puzzle)}))
        self.last = puzzle
        if self._syncer is not None:
            self._syncer.wake()

    def clear(self) -> None:
        """Delete the journal: the work is saved, or not wanted."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Close the file and leave it where it is."""
        if self._syncer is not None:
            self._syncer.stop()
        if self._file >= 0:
            unlock(self._file)
            os.close(self._file)
        self.path, self._file, self._syncer, self._size, self.last = None, -1, None, 0, None

    def _begin_with(self, lines: bytes) -> None:
        """Start a new file; the previous one is deleted only when the new one holds the change."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._number += 1
        path = self.folder / f"{self.session}-{self._number:04d}{SUFFIX}"
        source = str(self.source) if self.source is not None else None
        header = _line(
            {
                "xwtui": VERSION,
                "session": self.session,
                "number": self._number,
                "source": source,
                "base": self.base,
                "goes_on": self.path is not None,
            }
        )
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        try:
            try_lock(file)
            _write_all(file, header + lines)
        except OSError:
            os.close(file)
            path.unlink(missing_ok=True)
            raise
        self.clear()
        self.path, self._file, self._size = path, file, len(header) + len(lines)
        self._syncer = _Syncer(file)

    def _append(self, line: bytes) -> None:
        try:
            _write_all(self._file, line)
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += len(line)


class _Syncer:
    """A thread that syncs a file to disk soon after each write, without delaying key presses."""

    def __init__(self, file: int) -> None:
        self._file = os.dup(file)
        self._written = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        self._written.set()

    def stop(self) -> None:
        self._stopped.set()
        self._written.set()
        register_ending([self._thread])

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._written.wait()
            self._written.clear()
            try:
                os.fsync(self._file)
            except OSError:
                break
            self._stopped.wait(_SYNC_SECONDS)
        os.close(self._file)


def _ipuz_text(puzzle: Puzzle) -> str:
    return puzzle_bytes(puzzle, ".ipuz").data.decode("utf-8")


def _line(record: dict[str, object]) -> bytes:
    return json.dumps(record).encode("ascii") + b"\n"


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


# Changes

_TEXTS = ("title", "author", "copyright", "notes")
_OTHERS = ("symmetry", "profile", "words", "foreign", "snapshots", "solver_notes", "entered")


def change_between(before: Puzzle, after: Puzzle) -> dict[str, object] | None:
    """Return the difference as JSON; None if more than squares, clues, texts and rules has changed."""
    grid, other = before.grid, after.grid
    if (grid.height, grid.width, grid.bars, grid.links) != (other.height, other.width, other.bars, other.links):
        return None
    if any(getattr(before, name) != getattr(after, name) for name in _OTHERS):
        return None
    squares = [
        [number, one.kind.value, one.content and str(one.content), one.ink, one.circle, one.shade]
        for number, (old, one) in enumerate(zip(grid.squares, other.squares, strict=True))
        if old is not one and old != one
    ]
    clues = [
        [
            at.row,
            at.column,
            direction.value,
            [_fields(clue) for clue in after.clues[at, direction].clues] if (at, direction) in after.clues else (),
        ]
        for at, direction in {**before.clues, **after.clues}
        if before.clues.get((at, direction)) != after.clues.get((at, direction))
    ]
    texts = {name: text for name in _TEXTS if (text := getattr(after, name)) != getattr(before, name)}
    rules = {} if before.rules == after.rules else {"rules": rules_field(after.rules)}
    return {"squares": squares, "clues": clues, "texts": texts, **rules}


def _fields(clue: Clue) -> list[str]:
    enumeration = [] if clue.enumeration is None else [str(clue.enumeration)]
    return [clue.text, clue.answer, *enumeration]


def _clue(text: object, answer: object, enumeration: object = None) -> Clue:
    parsed = None if enumeration is None else AnswerEnumeration.parse(str(enumeration))
    return Clue(str(text), str(answer), parsed)


def changed(puzzle: Puzzle, change: Mapping[str, Any]) -> Puzzle:
    """Apply such a change; raises LookupError, ValueError, TypeError or XwtuiError if it is malformed."""
    squares = list(puzzle.grid.squares)
    for number, kind, content, ink, circle, shade in change["squares"]:
        squares[range(len(squares))[number]] = Square(
            Kind(kind), None if content is None else Content.parse(content), Ink(ink), bool(circle), bool(shade)
        )
    clues = dict(puzzle.clues)
    for row, column, direction, kept in change["clues"]:
        key = Position(int(row), int(column)), Direction(direction)
        clues.pop(key, None)
        if isinstance(kept, str):  # format of the previous version
            clues[key] = EntryClues((Clue(kept),))
        elif kept:
            clues[key] = EntryClues(tuple(_clue(*each) for each in kept))
    texts: dict[str, Any] = {name: str(text) for name, text in change["texts"].items() if name in _TEXTS}
    grid = replace(puzzle.grid, squares=tuple(squares))
    rules = read_rules(change["rules"], grid) if "rules" in change else puzzle.rules
    return replace(puzzle, grid=grid, clues=clues, rules=rules, **texts)


# Locks on open files; the system releases them when the process ends for any reason

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: int) -> bool:
        """Lock an open file for this process; returns False if another process holds the lock."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(file: int) -> None:
        """Release the lock, also for duplicates of the file descriptor."""
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock an open file for this process; returns False if another process holds the lock."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def unlock(file: int) -> None:
        """Release the lock, also for duplicates of the file descriptor."""
        fcntl.flock(file, fcntl.LOCK_UN)
