"""Clues written and read with an editor, enumerations and linked lights: what their verbs do and answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.clues.suggestions import SuggestedEnumeration, suggested_enumerations
from xwtui.engine.events.event import Outcome
from xwtui.errors import VerbError
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
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Slot
from xwtui.model.clues import AnswerEnumeration, WholeClue
from xwtui.model.markup import placed, renamed
from xwtui.model.review import waiting_link_words
from xwtui.session.answers import FilesWritten, VerbAnswer
from xwtui.session.json_shape import JsonShape
from xwtui.session.overwriting import Guard
from xwtui.session.wording import counted
from xwtui.text import printable

with lazy_imports():
    from xwtui.formats.registry import write_puzzle
    from xwtui.words.lexicon import Lexicon

_LONGEST_SHOWN = 200


class ClueExport(VerbAnswer):
    """A file of clues that was written."""

    path: Path
    entries: int
    unclued: int
    json = JsonShape("file=path entries unclued")

    @property
    def lines(self) -> Sequence[str]:
        clues = f"{self.unclued} without a clue" if self.unclued else "all with clues"
        entries = counted(self.entries, "entry", "entries")
        return [
            f"clues written: {self.path} ({entries}, {clues})",
            f"`clues import {self.path.name}` reads them back",
        ]


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


class MovedLine(NamedTuple):
    """A line of a sheet whose answer stands in another entry now."""

    line: SheetLine
    slot: Slot


class ClueImport(VerbAnswer):
    """What the import of a sheet does to a puzzle."""

    changes: tuple[ClueChange, ...]
    kept: tuple[ClueChange, ...]
    """Clues that were changed here and in the sheet: `was` stays, `now` is the sheet's."""
    moved: tuple[MovedLine, ...]
    unplaced: tuple[UnplacedLine, ...]
    after: Puzzle | None = None
    """The puzzle with the changes, once they are made."""
    json = JsonShape(
        ("changed=changes", JsonShape("entry=slot from=was to=now")),
        ("kept", JsonShape("entry=slot here=was file=now")),
        ("moved", JsonShape("from=line.entry to=slot line.answer")),
        ("unplaced", JsonShape("line=number text reason")),
    )

    def apply(self, puzzle: Puzzle) -> Puzzle:
        for change in self.changes:
            puzzle = puzzle.with_whole_clue(change.slot, change.now)
        return puzzle

    @property
    def verdict(self) -> Outcome:
        return Outcome.IMPOSSIBLE if self.kept or self.unplaced else Outcome.FILLED

    @property
    def lines(self) -> Sequence[str]:
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
            yield f"{change.slot.name}: changed here since: {change.was or 'none'} (kept; the file has: {theirs})"
        if self.kept:
            yield "--overwrite uses the file's clues instead"
        for unplaced in self.unplaced:
            yield f"line {unplaced.number} not placed ({unplaced.reason}): {unplaced.text}"

    def write(self, path: Path, *, lossy: bool) -> FilesWritten:
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
        was_cleared = not puzzle.clue(slot) and bool(WholeClue.parted(stored).text)  # an enumeration may be left
        is_untouched = line.mark == mark_of(stored) if here and line.mark else not stored
        if stored == here or (is_untouched and not was_cleared):
            continue
        is_changed_here = bool(here) and line.mark is not None and line.mark != mark_of(here) and not was_cleared
        change = ClueChange(slot, puzzle.whole_clue(slot), theirs)
        (kept if is_changed_here and not overwrites else changes).append(change)
    moved = tuple(MovedLine(line, slot) for line, slot in places if line.entry != slot.name and line.clue)
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
    unplaced = [UnplacedLine(number, text, "it does not name an entry") for number, text in sheet.strange]
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
        return f"another line already names {line.entry}"
    return f"{line.entry} is {pattern}, not {line.answer}"


_LONGEST_GUESS = 8
"""Letters of an answer that is guessed to be one word where nobody is known to write it."""


class ToldEnumeration(NamedTuple):
    """An entry with its enumeration, and what is suggested for its answer."""

    slot: Slot
    answer: str | None
    letters: int
    enumeration: AnswerEnumeration | None
    suggested: tuple[SuggestedEnumeration, ...]

    @property
    def line(self) -> str:
        """`1A ICECREAM: (3,5)`, with what is suggested where none is told or another one."""
        told = "no enumeration" if self.enumeration is None else self.enumeration.printed
        named = f"{self.slot.label} {self.answer}" if self.answer is not None else self.slot.label
        others = [each for each in self.suggested if each.enumeration != self.enumeration]
        words = ", ".join(f"{each.enumeration.printed} by {each.source.value}" for each in others)
        remark = ""
        if self.enumeration is not None and self.answer is not None and self.enumeration.letters != self.letters:
            remark = f" ({self.answer} has {counted(self.letters, 'letter')})"
        return f"{named}: {told}{remark}{f'; suggested: {words}' if words else ''}"


_ENUMERATION = JsonShape(
    "entry=slot answer letters enumeration", ("suggested", JsonShape("enumeration from=source"))
)


def told_of(puzzle: Puzzle, slot: Slot, lexicon: Lexicon | None) -> ToldEnumeration:
    """What there is to tell of one entry."""
    answer = puzzle.answer(slot)
    suggested = () if answer is None else suggested_enumerations(answer, puzzle.alphabet, lexicon)
    return ToldEnumeration(slot, answer, puzzle.letter_count(slot), puzzle.enumeration(slot), suggested)


class EnumerationsAnswer(VerbAnswer):
    """The enumerations of some entries of a puzzle."""

    puzzle: Puzzle
    told: tuple[ToldEnumeration, ...]
    makes = "puzzle"
    json = JsonShape(("entries=told", _ENUMERATION))

    @property
    def lines(self) -> Sequence[str]:
        return [each.line for each in self.told] or ["no entries yet"]


def checked(puzzle: Puzzle, slot: Slot, told: AnswerEnumeration) -> AnswerEnumeration:
    """An enumeration that agrees with its entry; raises VerbError for another number of letters."""
    answer, letters = puzzle.answer(slot), puzzle.letter_count(slot)
    if answer is not None and told.letters != letters:
        raise VerbError(
            f"{slot.name} {answer} has {counted(letters, 'letter')}, and {told.printed} {told.letters}"
        )
    if answer is None and told.letters < letters:
        raise VerbError(f"{slot.name} has {counted(letters, 'square')}, and {told.printed} {told.letters} letters")
    return told


class TakenEnumerations(VerbAnswer):
    """Enumerations that were taken for all entries that had none, by where they are from."""

    puzzle: Puzzle
    of_clues: tuple[ToldEnumeration, ...]
    """Those that stood behind their clues."""
    suggested: tuple[ToldEnumeration, ...]
    whole: tuple[ToldEnumeration, ...]
    """Those of answers that nobody is known to write: guessed to be one word."""
    left: tuple[ToldEnumeration, ...]
    """Answers that nobody is known to write, and too long to be guessed: they have none."""
    makes = "puzzle"
    json = JsonShape(
        ("from_clues=of_clues", _ENUMERATION),
        ("suggested", _ENUMERATION),
        ("one_word=whole", _ENUMERATION),
        ("left", _ENUMERATION),
    )

    @property
    def lines(self) -> Sequence[str]:
        told = [*self.of_clues, *self.suggested]
        head = f"{counted(len(told) + len(self.whole), 'enumeration')} taken"
        parted = (each for each in told if each.enumeration is not None and each.enumeration.breaks)
        return [
            head,
            *(f"  {each.slot.name} {each.answer}: {each.enumeration}" for each in parted),
            *self._unknown(),
        ]

    def _unknown(self) -> Iterator[str]:
        if self.whole:
            yield f"assumed to be one word, since neither word lists nor WordNet have them: {_names(self.whole)}"
        if self.left:
            example = f"`enumeration {self.left[0].slot.name} 3,5`"
            yield f"left without, too long to guess: {_names(self.left)}; {example} sets the enumeration"


def _names(told: Sequence[ToldEnumeration]) -> str:
    return ", ".join(f"{each.slot.name} {each.answer}" for each in told)


def with_all_taken(puzzle: Puzzle, lexicon: Lexicon | None) -> TakenEnumerations:
    """What the answers without an enumeration are given: that behind the clue, the first suggested, or one word.

    An enumeration behind a clue stays where it is if it has another number of letters than the answer. A long
    answer that nobody is known to write is left without: few of those are one word.
    """
    taken: dict[str, list[ToldEnumeration]] = {"clue": [], "suggested": [], "whole": []}
    left: list[ToldEnumeration] = []
    for slot in puzzle.grid.entries:
        one = told_of(puzzle, slot, lexicon)
        if one.answer is None or one.enumeration is not None:
            continue
        behind = WholeClue.parted(puzzle.typed_clue(slot)).enumeration
        if behind is not None:
            puzzle = puzzle.with_whole_clue(slot, puzzle.typed_clue(slot))
            found = taken["clue"]
        elif not one.suggested and one.letters > _LONGEST_GUESS:
            left.append(one)
            continue
        else:
            first = one.suggested[0].enumeration if one.suggested else AnswerEnumeration((one.letters,))
            puzzle = puzzle.with_enumeration(slot, first)
            found = taken["suggested" if one.suggested else "whole"]
        if (enumeration := puzzle.enumeration(slot)) is not None:
            found.append(one._replace(enumeration=enumeration))
    of_clues, suggested, whole = map(tuple, taken.values())
    return TakenEnumerations(puzzle, of_clues, suggested, whole, tuple(left))


class LinksAnswer(VerbAnswer):
    """The answers of several lights."""

    puzzle: Puzzle
    makes = "puzzle"

    @property
    def lines(self) -> Sequence[str]:
        """`1A,5D  MARY???????  11 squares`, and the links that wait for a light."""
        grid = self.puzzle.grid
        linked = [entry for entry in grid.entries if entry.lights]
        told = [f"{entry.label}  {grid.pattern(entry)}  {counted(len(entry), 'square')}" for entry in linked]
        return [*told, *waiting_link_words(self.puzzle).values()] or [
            "nothing is linked; `link 1A 5D` links two entries"
        ]

    def _link(self, entry: Slot) -> dict[str, Any]:
        grid = self.puzzle.grid
        clue = self.puzzle.solver_clue(entry) or None
        return {"pattern": grid.pattern(entry), "answer": grid.answer(entry), "squares": len(entry), "clue": clue}

    @property
    def as_json(self) -> dict[str, Any]:
        linked = [entry for entry in self.puzzle.grid.entries if entry.lights]
        waiting = [[f"{start}{way.value}" for start, way in link] for link in self.puzzle.grid.waiting_links]
        return {"links": JsonShape("entry=name lights", self._link).tell(linked), "waiting": waiting}
