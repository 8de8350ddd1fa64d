"""Recovery of unsaved work from the journals of processes that ended without saving."""

from __future__ import annotations

import json
import os
import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from xwtui.dataclasses import dataclass, replace
from xwtui.errors import PuzzleError, XwtuiError
from xwtui.formats.registry import read_bytes, read_puzzle, write_puzzle
from xwtui.lazy import lazy_imports
from xwtui.model import Grid, Puzzle, Slot
from xwtui.reading import DAY, DiskMark, remove_stale
from xwtui.resources import journal_folder
from xwtui.session.journal import LARGEST_BYTES, SUFFIX, VERSION, LineKind, changed, try_lock
from xwtui.text import counted, first_named, printable

with lazy_imports():
    from xwtui.session.document import Document

KEPT_DAYS = 30
"""Days for which a copy of discarded work is kept."""

WAY_BACK = "`discarded` brings it back, without undo"
"""Added to the question whether to discard work; short, to fit narrow dialogs."""

BRINGS_BACK = f"`discarded` brings it back for {KEPT_DAYS} days, without undo"
"""The message about work that was discarded."""

_DISCARDED = "discarded"
_LONGEST_NAME = 60
_LONGEST_LINE = 200
_TIME = "%d %B %H:%M"
_RECOVER = "recover"
_MOST_SHOWN = 2
"""Number of answers that identify a puzzle without a name."""


@dataclass(frozen=True)
class JournalLine:
    """A line of a journal, and the puzzle after it."""

    kind: LineKind
    label: str
    at: datetime
    puzzle: Puzzle
    edit: str = ""
    """The label of the edit that was undone or redone, if the line is an undo or redo."""


@dataclass(frozen=True)
class Recovery:
    """Unsaved work: the puzzle, its file (None if it never had one), and its last edit."""

    journal: Path
    session: str
    """Identifies the session whose journal it is."""
    source: Path | None
    puzzle: Puzzle
    label: str
    at: datetime
    base: DiskMark | None = None
    """The state of its file when the work began; None if unknown."""
    has_edits: bool = False
    """Whether the journal distinguishes edits from other changes of the puzzle."""
    is_whole: bool = False
    """Whether the journal has all edits since the file was read or saved."""
    lost: int = 0
    """Number of changes lost because their lines are damaged or depend on a damaged one."""

    @property
    def name(self) -> str:
        if self.source is not None:
            return self.source.name
        grid = self.puzzle.grid
        return self.puzzle.title or f"untitled {grid.height}×{grid.width}"

    @property
    def row_name(self) -> str:
        """The name in a list; work without a file is identified by its longest answer as well."""
        return (
            f"{self.name} {distinctive_pattern(self.puzzle.grid)}".rstrip() if self.source is None else self.name
        )

    def describe(self) -> str:
        content = f" ({content_words(self.puzzle)})" if self.source is None else ""
        text = f"unsaved work on {self.name}{content}, {self.at:{_TIME}}, last edit: {self.label}"
        if self.lost:
            text = f"{text}; its journal is damaged: {counted(self.lost, 'change')} cannot be read"
        changed_at = self.file_changed_at
        if changed_at is None:
            return text
        if changed_at > self.at:
            return f"{text}; the file was saved after that, {changed_at:{_TIME}}"
        return f"{text}; the file was changed after the work began, {changed_at:{_TIME}}"

    @property
    def file_changed_at(self) -> datetime | None:
        """The time of the file's last change, if that was after the work began; None if unchanged or gone."""
        mark = DiskMark.of(self.source) if self.source is not None else None
        if mark is None or mark == self.base:
            return None
        modified = datetime.fromtimestamp(mark.modified_ns / 1e9)
        return modified if self.base is not None or modified > self.at else None

    def beginning(self) -> tuple[Puzzle, bool]:
        """Return what undo leads back to (the file's puzzle, or the first), and whether the file has it."""
        if self.source is not None:
            with suppress(XwtuiError):
                return read_puzzle(self.source), True
        first = next((step for step in self._steps() if step.kind is not LineKind.INTERIM), None)
        return (first.puzzle if first is not None else self.puzzle), False

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Claim the work and, at the end, delete its journal; raises PuzzleError if another was faster."""
        with _unless_alive(self.journal) as is_free:
            if not is_free or not self.journal.exists():
                raise PuzzleError("another xwtui has already recovered this work")
            yield
            self.forget()

    def bring_back(self, document: Document, journalled: Callable[[Callable[[], object]], None]) -> None:
        """Repeat the journal's edits in a document that holds the beginning.

        If the first edit does not follow from the file's contents, its label becomes `recover`. A later save is
        refused if the file has changed in the meantime.
        """
        if self.base is not None or self.file_changed_at is not None:
            document.journal.base = self.base
        is_known = self.is_whole and self.file_changed_at is None
        for step in self._steps():
            if step.kind is LineKind.INTERIM:
                continue
            jump = replace(step, kind=LineKind.EDIT, label=_RECOVER)
            journalled(partial(_make_again, document, step if is_known else jump))
            is_known = True
        if document.puzzle != self.puzzle:
            journalled(lambda: document.record(self.puzzle, self.label if is_known else _RECOVER))
        journalled(lambda: document.journal_pending(document.puzzle, self.label))

    def _steps(self) -> tuple[JournalLine, ...]:
        with suppress(*_UNREADABLE):
            if self.has_edits:
                return tuple(_steps_of(_header_and_lines(self.journal)[1]))
        return ()

    def discard(self) -> Path:
        """Stop offering the work; returns its copy's file. After PuzzleFormatError, it is still offered."""
        copy = _keep_copy(self.puzzle, self.source, self.journal.parent, self.at, self.journal.stem)
        self.forget()
        return copy

    def forget(self) -> None:
        self.journal.unlink(missing_ok=True)


def content_words(puzzle: Puzzle) -> str:
    """Describe a puzzle that has no name by its number of letters and its longest answers, in clue order.

    Without a complete answer, it names the entry with the most letters; without letters, the number of blocks.
    """
    grid = puzzle.grid
    if not (letters := len(grid.contents)):
        return f"no letters, {counted(sum(not square.is_open for square in grid.squares), 'block')}"
    longest = _distinctive_slots(grid)[:_MOST_SHOWN]
    shown = [f"{slot.name} {grid.pattern(slot)}" for slot in grid.slots if slot in longest]
    return ", ".join([counted(letters, "letter"), *shown])


def distinctive_pattern(grid: Grid) -> str:
    """Return a grid's longest answer, or else the entry with the most letters, to identify it without a name."""
    return "".join(grid.pattern(slot) for slot in _distinctive_slots(grid)[:1])


def _distinctive_slots(grid: Grid) -> list[Slot]:
    """Return the filled slots, longest first; if there are none, the slot with the most letters."""
    filled = [slot for slot in grid.slots if grid.answer(slot)]
    most = max(grid.slots, key=lambda slot: len(slot.positions) - grid.pattern(slot).count("?"), default=None)
    return sorted(filled, key=lambda slot: -len(slot.positions)) or [slot for slot in [most] if slot is not None]


def copy_of_discarded(document: Document) -> Path:
    """Keep a copy of a document that will be discarded; returns its file. Raises PuzzleFormatError."""
    journal = document.journal
    return _keep_copy(document.puzzle, document.path, journal.folder, datetime.now(), journal.session)


@dataclass(frozen=True)
class DiscardedCopy:
    """A copy of discarded work: its file, and when it was written."""

    path: Path
    at: datetime

    @cached_property
    def puzzle(self) -> Puzzle:
        """The work; raises PuzzleFormatError if the file can no longer be read."""
        return read_puzzle(self.path)

    def describe(self) -> str:
        try:
            puzzle = self.puzzle
        except XwtuiError as error:
            return str(error)
        name = re.sub(r"-\d{4}-\d\d-\d\d-\d{6}-[^-]*$", "", self.path.stem)
        title = [puzzle.title] if puzzle.title else []
        parts = [name, f"{self.at:{_TIME}}", *title, content_words(puzzle)]
        return printable(", ".join(parts), _LONGEST_LINE)


def discarded_copies(folder: Path) -> tuple[DiscardedCopy, ...]:
    """Return the copies of discarded work in the journals' folder, newest first; expired ones are deleted."""
    remove_stale(folder / _DISCARDED, "*.ipuz", KEPT_DAYS * DAY)
    found: list[DiscardedCopy] = []
    for path in (folder / _DISCARDED).glob("*.ipuz"):
        with suppress(OSError):
            found.append(DiscardedCopy(path, datetime.fromtimestamp(path.stat().st_mtime)))
    return tuple(sorted(found, key=lambda one: (one.at, one.path.name), reverse=True))


def _keep_copy(puzzle: Puzzle, source: Path | None, journals: Path, at: datetime, mark: str) -> Path:
    folder = journals / _DISCARDED
    name = source.stem[:_LONGEST_NAME] if source is not None else "untitled"
    copy = folder / f"{name}-{at:%Y-%m-%d-%H%M%S}-{mark[:8]}.ipuz"
    with suppress(OSError):
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    write_puzzle(copy, puzzle)
    return copy


def find_recoveries(folder: Path | None = None, files: Collection[Path | None] = ()) -> tuple[Recovery, ...]:
    """Return the work that dead processes left, newest first; only that of `files`, if given.

    Journals that hold only what their files have are deleted, and so are old copies of discarded work. Journals
    that cannot be read stay.
    """
    where = folder if folder is not None else journal_folder()
    remove_stale(where / _DISCARDED, "*.ipuz", KEPT_DAYS * DAY)
    newest: dict[str, Recovery] = {}
    for path in sorted(where.glob(f"*{SUFFIX}")):
        with _unless_alive(path) as is_free:
            found = _read(path) if is_free else None
            if found is None:
                continue
            if _is_saved(found):
                found.forget()
                continue
        if found.session in newest:
            newest[found.session].forget()
        newest[found.session] = found
    wanted = (recovery for recovery in newest.values() if not files or recovery.source in files)
    return tuple(sorted(wanted, key=lambda recovery: recovery.at, reverse=True))


def left_elsewhere(others: Sequence[Recovery]) -> str:
    """Return the message about unsaved work on puzzles that are not open; empty if there is none."""
    names = first_named([one.name for one in others])
    return f"unsaved work on {names}: `xwtui` without a file offers it" if others else ""


@contextmanager
def _unless_alive(path: Path) -> Iterator[bool]:
    """Hold a journal's lock for a moment; yields False if a living process has it."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        yield False
        return
    try:
        yield try_lock(file)
    finally:
        os.close(file)


def _make_again(document: Document, step: JournalLine) -> None:
    """Repeat a step in a document; an undo or redo with a different result here becomes an edit.

    An undo of an edit from before the journal began is repeated with `go_back`, so that redo leads back from it.
    """
    if step.kind is LineKind.AMENDMENT or step.puzzle == document.puzzle:
        document.amend(step.puzzle, step.label)
        return
    if step.kind is LineKind.JOINED and document.history.edits:
        document.join(step.puzzle, step.label)
        return
    if step.kind is LineKind.UNDO and step.edit and not document.history.edits:
        document.go_back(step.puzzle, step.edit)
        return
    ways = {LineKind.UNDO: (document.undo, document.redo), LineKind.REDO: (document.redo, document.undo)}
    if step.kind in ways:
        way, back = ways[step.kind]
        if way() is not None:
            if document.puzzle == step.puzzle:
                return
            back()
    document.record(step.puzzle, step.edit if step.kind is LineKind.REDO and step.edit else step.label)


def _read(path: Path) -> Recovery | None:
    """Return the work as of a journal's last readable change; None if there is none."""
    with suppress(*_UNREADABLE):
        header, lines = _header_and_lines(path)
        source = Path(str(header["source"])) if header["source"] is not None else None
        session = str(header["session"])
        base = DiskMark(*map(int, header["base"])) if header.get("base") is not None else None
        has_edits = int(header["xwtui"]) >= VERSION
        steps = deque(enumerate(_steps_of(lines), 1), maxlen=1)
        for count, last in steps:
            lost = sum(line.endswith(b"\n") for line in lines) - count  # a kill may cut off the last line
            is_whole = has_edits and header.get("goes_on") is False
            known = last.puzzle, last.label, last.at, base, has_edits, is_whole, max(lost, 0)
            return Recovery(path, session, source, *known)
    return None


def _header_and_lines(path: Path) -> tuple[dict[str, Any], list[bytes]]:
    with path.open("rb") as file:
        header_line, *lines = file.read(2 * LARGEST_BYTES).splitlines(keepends=True)
    return _object(header_line), lines


def _steps_of(lines: list[bytes]) -> Iterator[JournalLine]:
    """Yield the readable steps; those that build on an unreadable line are left out."""
    puzzle: Puzzle | None = None
    for line in lines:
        try:
            record = _object(line)
            if "ipuz" in record:
                after = read_bytes(str(record["ipuz"]).encode("utf-8"), ".ipuz")
            elif puzzle is None:
                continue
            else:
                after = changed(puzzle, record)
            at = datetime.fromtimestamp(float(record["at"]))
            kind = LineKind(record.get("kind", LineKind.EDIT))
            step = JournalLine(kind, str(record["label"]), at, after, str(record.get("edit", "")))
        except _UNREADABLE:
            puzzle = None
        else:
            puzzle = after
            yield step


_UNREADABLE = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
    XwtuiError,
)
"""Exceptions that reading an untrusted file may raise."""


def _object(line: bytes) -> dict[str, Any]:
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError("a journal's lines are objects")
    return found


def _is_saved(recovery: Recovery) -> bool:
    """Whether the file has the work already, because the process ended between saving and deleting the journal."""
    if recovery.source is None:
        return False
    with suppress(OSError, XwtuiError):
        return read_puzzle(recovery.source) == recovery.puzzle
    return False
