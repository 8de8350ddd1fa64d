"""Clues on their way to an editor and back: what goes where, what stays, and what has no place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.engine.events.event import Outcome
from xwtui.formats.base import write_atomically
from xwtui.formats.clue_sheet import (
    Sheet,
    SheetLine,
    check_suffix,
    is_whole,
    mark_of,
    same_answer,
    sheet_answer,
    sheet_bytes,
)
from xwtui.model import Puzzle, Slot
from xwtui.model.markup import placed, renamed
from xwtui.session.answers import FilesWritten, VerbAnswer
from xwtui.session.overwriting import Guard
from xwtui.session.wording import counted
from xwtui.text import printable

_LONGEST_SHOWN = 200


@dataclass(frozen=True)
class ClueExport(VerbAnswer):
    """A file of clues that was written."""

    path: Path
    entries: int
    unclued: int

    @property
    def lines(self) -> Sequence[str]:
        """What was written, and how it comes back."""
        clues = f"{self.unclued} of them without a clue" if self.unclued else "all with clues"
        entries = counted(self.entries, "entry", "entries")
        return [
            f"clues written: {self.path} ({entries}, {clues})",
            f"`clues import {self.path.name}` brings them back",
        ]

    @property
    def as_json(self) -> dict[str, Any]:
        """The file and how much is in it."""
        return {"file": str(self.path), "entries": self.entries, "unclued": self.unclued}


def export_clues(puzzle: Puzzle, path: Path, guard: Guard) -> ClueExport:
    """Write the clues to a file within a guard: the clues of one that is there may be nowhere else."""
    check_suffix(path)
    data = sheet_bytes(puzzle, path.suffix)
    with guard(path):
        write_atomically(path, data)
    slots = puzzle.grid.entries
    return ClueExport(path, len(slots), sum(not puzzle.clue(slot) for slot in slots))


class ClueChange(NamedTuple):
    """An entry's clue before and after an import, as it is typed; empty where there was or is none."""

    slot: Slot
    was: str
    now: str


class UnplacedLine(NamedTuple):
    """A line of a sheet that no entry takes, and why."""

    number: int
    text: str
    reason: str


@dataclass(frozen=True)
class ClueImport(VerbAnswer):
    """What the import of a sheet does to a puzzle."""

    changes: tuple[ClueChange, ...]
    kept: tuple[ClueChange, ...]
    """Clues that were changed here and in the sheet: `was` stays, `now` is the sheet's."""
    moved: tuple[tuple[SheetLine, Slot], ...]
    """Lines whose answer stands in another entry now."""
    unplaced: tuple[UnplacedLine, ...]
    after: Puzzle | None = None
    """The puzzle with the changes, once they are made."""

    def apply(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle with the changes."""
        for change in self.changes:
            puzzle = puzzle.with_whole_clue(change.slot, change.now)
        return puzzle

    @property
    def verdict(self) -> Outcome:
        """FILLED where every line found its place."""
        return Outcome.IMPOSSIBLE if self.kept or self.unplaced else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
        """How many clues came in, each that took the place of another, and all that stayed out."""
        new = sum(not change.was for change in self.changes)
        parts = [
            f"{new} new" if new else "",
            f"{len(self.changes) - new} changed" if len(self.changes) > new else "",
        ]
        told = ", ".join(filter(None, parts)) or "no clue changed"
        return [f"clues: {told}", *map(_shown, self._remarks())]

    def _remarks(self) -> Iterator[str]:
        for change in self.changes:
            if change.was:
                yield f"{change.slot.name}: {change.now or 'removed'} (was: {change.was})"
        for line, slot in self.moved:
            yield f"{line.entry} {line.answer} is {slot.name} now"
        for change in self.kept:
            theirs = change.now or "none"
            yield f"{change.slot.name}: changed here since: {change.was or 'none'} (stays; the file has: {theirs})"
        if self.kept:
            yield "with --overwrite the file's clues take their place"
        for unplaced in self.unplaced:
            yield f"line {unplaced.number} not placed, {unplaced.reason}: {unplaced.text}"

    @property
    def as_json(self) -> dict[str, Any]:
        """`changed`, `kept`, `moved` and `unplaced`."""
        return {
            "changed": [{"entry": each.slot.name, "from": each.was, "to": each.now} for each in self.changes],
            "kept": [{"entry": each.slot.name, "here": each.was, "file": each.now} for each in self.kept],
            "moved": [{"from": line.entry, "to": slot.name, "answer": line.answer} for line, slot in self.moved],
            "unplaced": [
                {"line": each.number, "text": each.text, "reason": each.reason} for each in self.unplaced
            ],
        }

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
        """Write the puzzle with its clues."""
        from xwtui.formats.registry import write_puzzle  # noqa: PLC0415  (loads the formats)

        if self.after is None:
            return FilesWritten()
        return FilesWritten((path,), write_puzzle(path, self.after, lossy=lossy))


def _shown(line: str) -> str:
    return printable(line, _LONGEST_SHOWN)


def import_clues(puzzle: Puzzle, sheet: Sheet, *, overwrites: bool) -> ClueImport:
    """What a sheet's clues do to a puzzle.

    A clue goes where its answer stands. One that both have changed since the sheet was written stays as the puzzle
    has it, unless the sheet `overwrites`.
    """
    places, unplaced = _places(puzzle, sheet)
    names = {line.entry: slot.name for line, slot in places}
    changes: list[ClueChange] = []
    kept: list[ClueChange] = []
    for line, slot in places:
        here, theirs = puzzle.kept_clue(slot), renamed(line.clue, names)
        stored = placed(theirs, puzzle.grid)
        is_untouched = line.mark == mark_of(stored) if here and line.mark else not stored
        if stored == here or is_untouched:
            continue
        is_changed_here = bool(here) and line.mark is not None and line.mark != mark_of(here)
        change = ClueChange(slot, puzzle.whole_clue(slot), theirs)
        (kept if is_changed_here and not overwrites else changes).append(change)
    moved = tuple((line, slot) for line, slot in places if line.entry != slot.name and line.clue)
    return ClueImport(tuple(changes), tuple(kept), moved, tuple(sorted(unplaced)))


def _places(puzzle: Puzzle, sheet: Sheet) -> tuple[list[tuple[SheetLine, Slot]], list[UnplacedLine]]:
    """The entry of each line: that of its name and answer, the only one of its answer, or that of its name."""
    places: dict[Slot, SheetLine] = {}
    waiting = list(sheet.lines)
    for find in (_of_name_and_answer, _of_answer, _of_name):
        left = []
        for line in waiting:
            slot = find(puzzle, line)
            if slot is None or slot in places:
                left.append(line)
            else:
                places[slot] = line
        waiting = left
    unplaced = [UnplacedLine(number, text, "it names no entry") for number, text in sheet.strange]
    unplaced += [UnplacedLine(line.number, line.clue, _reason(puzzle, line)) for line in waiting if line.clue]
    return [(line, slot) for slot, line in places.items()], unplaced


def _of_name_and_answer(puzzle: Puzzle, line: SheetLine) -> Slot | None:
    slot = _of_name(puzzle, line)
    return slot if slot is not None and is_whole(line.answer) and is_whole(sheet_answer(puzzle, slot)) else None


def _of_answer(puzzle: Puzzle, line: SheetLine) -> Slot | None:
    if not is_whole(line.answer):
        return None
    patterns = ((slot, sheet_answer(puzzle, slot)) for slot in puzzle.grid.entries)
    alike = [slot for slot, pattern in patterns if is_whole(pattern) and same_answer(line.answer, pattern)]
    return alike[0] if len(alike) == 1 else None


def _of_name(puzzle: Puzzle, line: SheetLine) -> Slot | None:
    slot = _named(puzzle, line)
    return slot if slot is not None and same_answer(line.answer, sheet_answer(puzzle, slot)) else None


def _named(puzzle: Puzzle, line: SheetLine) -> Slot | None:
    slot = puzzle.grid.slots_by_name.get(line.entry)
    return None if slot is None else puzzle.grid.entry_of(slot)


def _reason(puzzle: Puzzle, line: SheetLine) -> str:
    slot = _named(puzzle, line)
    if slot is None:
        return f"there is no {line.entry}" + (f" {line.answer}" if line.answer else "")
    pattern = sheet_answer(puzzle, slot)
    if same_answer(line.answer, pattern):
        return f"another line is {line.entry} already"
    return f"{line.entry} is {pattern}, not {line.answer}"
