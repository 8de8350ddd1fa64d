"""What journals left behind offer: the work of a process that ended without saving."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xwtui.errors import PuzzleError, XwtuiError
from xwtui.formats.registry import read_bytes, read_puzzle, write_puzzle
from xwtui.model import Puzzle
from xwtui.session.journal import LARGEST_BYTES, SUFFIX, changed, journal_folder, try_lock

if TYPE_CHECKING:
    from xwtui.session.document import Document

KEPT_DAYS = 30
"""How long a copy of discarded work is kept."""

_DISCARDED = "discarded"
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Recovery:
    """Unsaved work: the puzzle, the file it belongs to (None: it never had one), and its last edit."""

    journal: Path
    source: Path | None
    puzzle: Puzzle
    label: str
    at: datetime

    @property
    def name(self) -> str:
        """What the puzzle is called."""
        return self.source.name if self.source is not None else self.puzzle.title or "an untitled puzzle"

    def describe(self) -> str:
        """The offer in a line: which puzzle, from when, and the last edit."""
        return f"unsaved work on {self.name}, {self.at:%d %B %H:%M}, last edit: {self.label}"

    def discard(self) -> Path:
        """Offer the work no more; returns the puzzle file in which a copy of it is kept for `KEPT_DAYS`.

        Raises PuzzleFormatError where the copy cannot be written; the work will be offered again then.
        """
        copy = _keep_copy(self.puzzle, self.source, self.journal.parent, self.at, self.journal.stem)
        self.forget()
        return copy

    def forget(self) -> None:
        """Forget the work for good: it is held elsewhere."""
        self.journal.unlink(missing_ok=True)


def copy_of_discarded(document: Document) -> Path:
    """Keep a copy of a document whose changes are to be discarded, for `KEPT_DAYS`; returns its file.

    Raises PuzzleFormatError where it cannot be written.
    """
    journal = document.journal
    return _keep_copy(document.puzzle, document.path, journal.folder, datetime.now(), journal.session)


def _keep_copy(puzzle: Puzzle, source: Path | None, journals: Path, at: datetime, mark: str) -> Path:
    folder = journals / _DISCARDED
    name = source.stem[:_LONGEST_NAME] if source is not None else "untitled"
    copy = folder / f"{name}-{at:%Y-%m-%d-%H%M%S}-{mark[:8]}.ipuz"
    with suppress(OSError):
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    write_puzzle(copy, puzzle)
    return copy


def find_recoveries(folder: Path | None = None) -> tuple[Recovery, ...]:
    """The work that dead processes left, the newest first.

    Journals that hold only what their file has are tidied away, and so are old copies of discarded work;
    journals that cannot be read stay.
    """
    where = folder if folder is not None else journal_folder()
    _sweep(where / _DISCARDED)
    newest: dict[str, tuple[int, Recovery]] = {}
    for path in sorted(where.glob(f"*{SUFFIX}")):
        with _unless_alive(path) as is_free:
            if not is_free:
                continue
            found = _read(path)
            if found is None:
                continue
            if _is_saved(found[2]):
                path.unlink(missing_ok=True)
                continue
        session, number, recovery = found
        if session in newest:
            newest[session][1].forget()
        newest[session] = (number, recovery)
    return tuple(sorted((recovery for _, recovery in newest.values()), key=lambda r: r.at, reverse=True))


def _sweep(folder: Path) -> None:
    """Remove the copies of discarded work whose time is over."""
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for copy in folder.glob("*.ipuz"):
        with suppress(OSError):
            if copy.stat().st_mtime < oldest:
                copy.unlink()


@contextmanager
def _unless_alive(path: Path) -> Iterator[bool]:
    """Hold a journal's lock for a moment; yields False where a living process has it."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        yield False
        return
    try:
        yield try_lock(file)
    finally:
        os.close(file)


@contextmanager
def taken(recovery: Recovery) -> Iterator[None]:
    """Take a recovery up, so that no other xwtui does, and forget its journal at the end.

    Raises PuzzleError where another one was faster.
    """
    with _unless_alive(recovery.journal) as is_free:
        if not is_free or not recovery.journal.exists():
            raise PuzzleError("another xwtui has taken this work up already")
        yield
        recovery.forget()


def _read(path: Path) -> tuple[str, int, Recovery] | None:
    """The last change of a journal that can be read, or None where there is none."""
    with suppress(*_UNREADABLE), path.open("rb") as file:
        header_line, *lines = file.read(2 * LARGEST_BYTES).splitlines(keepends=True)
        header = _object(header_line)
        source = Path(str(header["source"])) if header["source"] is not None else None
        session, number = str(header["session"]), int(header["number"])
        recovery = _last_change(path, source, lines)
        return (session, number, recovery) if recovery is not None else None
    return None


def _last_change(path: Path, source: Path | None, lines: list[bytes]) -> Recovery | None:
    """What the lines come to; those that build on one that cannot be read are left out."""
    recovery: Recovery | None = None
    is_broken = False
    for line in lines:
        try:
            record = _object(line)
            if "ipuz" in record:
                puzzle = read_bytes(str(record["ipuz"]).encode("utf-8"), ".ipuz")
            elif recovery is None or is_broken:
                continue
            else:
                puzzle = changed(recovery.puzzle, record)
            at = datetime.fromtimestamp(float(record["at"]))
            recovery = Recovery(path, source, puzzle, str(record["label"]), at)
            is_broken = False
        except _UNREADABLE:
            is_broken = True
    return recovery


_UNREADABLE = (OSError, ValueError, LookupError, TypeError, OverflowError, RecursionError, XwtuiError)
"""What reading a file of unknown making may end in."""


def _object(line: bytes) -> dict[str, Any]:
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError("a journal's lines are objects")
    return found


def _is_saved(recovery: Recovery) -> bool:
    """Whether the file has the work already: the process ended between saving and tidying up."""
    if recovery.source is None:
        return False
    with suppress(OSError, XwtuiError):
        return read_puzzle(recovery.source) == recovery.puzzle
    return False
