"""The journal: every change of an unsaved puzzle, on the disk before it is on the screen.

A journal is a file of one JSON object a line: a header, a whole puzzle (ipuz text), and then what each change
did to the one before, or a whole puzzle again where that cannot be said in squares, clues and texts. A line is
handed to the system before the change is shown, which a kill does not undo; a thread of its own then forces it
to the disk, for the case that the machine goes down. The open file is locked as long as its process lives, so
that a second xwtui tells a journal that is being written from one left behind.
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
from xwtui.interrupts import let_end
from xwtui.model import Content, Direction, Ink, Kind, Position, Puzzle, Square
from xwtui.model.clues import AnswerEnumeration, Clue, EntryClues
from xwtui.reading import DiskMark
from xwtui.resources import journal_folder

SUFFIX = ".journal"
LARGEST_BYTES = 4 * 1024 * 1024
"""A journal that grows beyond this is begun anew with the present puzzle."""

VERSION = 3
"""Of the journals: from this one on, a line says of what kind it is, and the header what the file was."""

_SYNC_SECONDS = 0.2


class LineKind(StrEnum):
    """What a line of a journal was to the history of the puzzle."""

    EDIT = "edit"
    JOINED = "joined"
    """A letter that was typed on: it goes on with the edit before."""
    AMENDMENT = "amendment"
    """A change that undo does not take back, or what the puzzle began as or is again after what was interim."""
    UNDO = "undo"
    REDO = "redo"
    INTERIM = "interim"
    """What a run that goes on would leave: no edit yet."""


class Journal:
    """The journal of one document; it has a file only while there are changes to keep."""

    def __init__(self, source: Path | None, folder: Path | None = None) -> None:
        self.source = source
        self.base = DiskMark.of(source) if source is not None else None
        """What tells the file as it was read or written from whatever it becomes."""
        self.session = uuid.uuid4().hex
        self.folder = folder if folder is not None else journal_folder()
        """Where its file is, or would be."""
        self._path: Path | None = None
        self._file = -1
        self._size = 0
        self._number = 0
        self._last: Puzzle | None = None
        """What the last line comes to."""
        self._syncer: _Syncer | None = None

    @property
    def path(self) -> Path | None:
        """The journal's file, or None while there is nothing to keep."""
        return self._path

    @property
    def last(self) -> Puzzle | None:
        """The puzzle that it would give back; None while there is nothing to keep."""
        return self._last

    def record(
        self,
        label: str,
        puzzle: Puzzle,
        kind: LineKind = LineKind.EDIT,
        beginning: Puzzle | None = None,
        edit: str = "",
    ) -> None:
        """Write a change; raises OSError where that fails (the lines before are kept).

        Before the first one it tells the `beginning`, which no file has. `edit` is what was undone or redone.
        """
        stamp = {"label": label, "at": time.time(), "kind": kind.value, **({"edit": edit} if edit else {})}
        before, head = self._last, b""
        if before is None and beginning is not None:
            before = beginning
            head = _line({**stamp, "kind": LineKind.AMENDMENT.value, "ipuz": _ipuz_text(beginning)})
        change = change_between(before, puzzle) if before is not None else None
        line = _line({**stamp, **(change if change is not None else {"ipuz": _ipuz_text(puzzle)})})
        if self._path is not None and self._size + len(line) <= LARGEST_BYTES:
            self._append(line)
        else:
            is_readable = bool(head) or change is None
            self._begin_with(head + line if is_readable else _line({**stamp, "ipuz": _ipuz_text(puzzle)}))
        self._last = puzzle
        if self._syncer is not None:
            self._syncer.wake()

    def clear(self) -> None:
        """Forget all: the work is saved, or not wanted."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Let go of the file and leave it where it is."""
        if self._syncer is not None:
            self._syncer.stop()
        if self._file >= 0:
            unlock(self._file)
            os.close(self._file)
        self._path, self._file, self._syncer, self._size, self._last = None, -1, None, 0, None

    def _begin_with(self, lines: bytes) -> None:
        """Begin a new file; only when it holds the change is the one before given up."""
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
                "goes_on": self._path is not None,
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
        self._path, self._file, self._size = path, file, len(header) + len(lines)
        self._syncer = _Syncer(file)

    def _append(self, line: bytes) -> None:
        try:
            _write_all(self._file, line)
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += len(line)


class _Syncer:
    """A thread that forces a file to the disk soon after each write, off the path of the keys."""

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
        let_end([self._thread])

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
    """What makes one puzzle of another, for JSON; None where squares, clues, texts and rules are not all."""
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
    told = [] if clue.enumeration is None else [str(clue.enumeration)]
    return [clue.text, clue.answer, *told]


def _clue(text: object, answer: object, enumeration: object = None) -> Clue:
    told = None if enumeration is None else AnswerEnumeration.parse(str(enumeration))
    return Clue(str(text), str(answer), told)


def changed(puzzle: Puzzle, change: Mapping[str, Any]) -> Puzzle:
    """The puzzle after such a change; raises LookupError, ValueError, TypeError or XwtuiError for what is none."""
    squares = list(puzzle.grid.squares)
    for number, kind, content, ink, circle, shade in change["squares"]:
        squares[range(len(squares))[number]] = Square(
            Kind(kind), None if content is None else Content.parse(content), Ink(ink), bool(circle), bool(shade)
        )
    clues = dict(puzzle.clues)
    for row, column, direction, kept in change["clues"]:
        key = Position(int(row), int(column)), Direction(direction)
        clues.pop(key, None)
        if isinstance(kept, str):  # as the version before this one wrote them
            clues[key] = EntryClues((Clue(kept),))
        elif kept:
            clues[key] = EntryClues(tuple(_clue(*each) for each in kept))
    texts: dict[str, Any] = {name: str(text) for name, text in change["texts"].items() if name in _TEXTS}
    grid = replace(puzzle.grid, squares=tuple(squares))
    rules = read_rules(change["rules"], grid) if "rules" in change else puzzle.rules
    return replace(puzzle, grid=grid, clues=clues, rules=rules, **texts)


# Locks on open files, which end with the process, however it ends

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: int) -> bool:
        """Lock an open file for this process; returns False where another one holds it."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(file: int) -> None:
        """Let go of the lock, for duplicates of the descriptor too."""
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock an open file for this process; returns False where another one holds it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def unlock(file: int) -> None:
        """Let go of the lock, for duplicates of the descriptor too."""
        fcntl.flock(file, fcntl.LOCK_UN)
