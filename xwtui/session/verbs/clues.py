"""The verbs for clues and the title page, and the import of an edited clue file into a puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from xwtui.errors import ClueBookError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Slot
from xwtui.model.clues import WholeClue
from xwtui.model.markup import numbered, placed, printed, renamed
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.model.review import Check, entry_remarks
from xwtui.session.answers import FilesWritten, ImmediateAnswer, JsonShape, VerbAnswer
from xwtui.session.verbs.kinds import REST_OF_LINE, entry_argument, file_kind
from xwtui.session.verbs.verb import EDITS_PUZZLE, OF_GRID, Answer, Group, argument, option, verbs_of
from xwtui.text import counted, in_quotes, printable

with lazy_imports():
    from xwtui.clues.suggestions import SuggestionKind, book_suggestions, names_entry
    from xwtui.formats.base import write_atomically
    from xwtui.formats.clue_sheet import (
        Sheet,
        SheetLine,
        check_suffix,
        is_whole,
        mark_of,
        read_sheet,
        same_answer,
        sheet_answer,
        sheet_bytes,
        suffixes,
    )
    from xwtui.formats.registry import write_puzzle
    from xwtui.grids.profiles import wants_enumerations
    from xwtui.session.document import full_path
    from xwtui.session.overwriting import Guard
    from xwtui.session.recent import short_path
    from xwtui.session.session import Session


verb = verbs_of(Group.CLUES)


@verb(
    "clue 17A It can't be bought",
    "clue 17A *Jaws* menace, or {21D}",
    "clue 17A",
    "clue --keep 17A",
    "clue --clear 17A",
)
def clue(
    session: Session,
    entry: Slot = entry_argument,
    text: str | None = argument(
        "the clue exactly as printed, quotes included; shows the clue if left out", REST_OF_LINE
    ),
    keep: bool = option("keep the previous answer's clue for this answer"),
    take: bool = option("use the clue that this puzzle or the clue book already has for this answer"),
    clear: bool = option("remove the clue, or the previous answer's clue if this answer has none"),
) -> Answer:
    """Write or show the clue for an entry.

    `*Jaws*` is italic and `**not**` is bold. `{17A}` stands for that entry's number and follows it when the grid
    is renumbered. Put a backslash before a literal `*` or `{`. `(3,4)` at the end is the enumeration if the
    lengths match the answer.

    A clue belongs to the answer it was written for. When the answer changes, the clue stays with the old answer,
    and returns with it.
    """
    given = sum((keep, take, clear, bool(text)))
    if given > 1:
        raise VerbError("clue: use only one of a text, --keep, --take and --clear")
    puzzle = session.commit_shown(entry) if given else session.shown_puzzle
    if clear:
        if puzzle.clue(entry):
            _write(session, entry, "")
        else:
            session.edit(f"clue {entry.name}", lambda puzzle: puzzle.without_stale_clue(entry))
    elif keep:
        stale = puzzle.stale_clue(entry)
        if stale is None:
            raise VerbError(f"{entry.name} has no earlier answer's clue to keep")
        _write(session, entry, stale.clue.text)
    elif take:
        if (offer := _offer(puzzle, entry)) is None:
            answer = puzzle.answer(entry)
            none = f"neither the puzzle nor the clue book has another clue for {answer}"
            raise VerbError(none if answer else f"{entry.name} is not complete")
        _write(session, entry, offer.text)
    elif text:
        _check_length(text)
        _write(session, entry, text)
    return clue_lines(session.shown_puzzle, entry)


def _write(session: Session, slot: Slot, text: str) -> None:
    enumeration = session.puzzle.enumeration(slot)
    session.edit(
        f"clue {slot.name}", lambda puzzle: puzzle.with_whole_clue(slot, str(WholeClue(text, enumeration)))
    )


class _Offer(NamedTuple):
    """A clue that an answer might take, and where it comes from."""

    text: str
    source: str


def _offer(puzzle: Puzzle, slot: Slot, *, by_itself: bool = False) -> _Offer | None:
    """Return the clue that the puzzle or else the clue book has for an entry's answer; None if neither has one.

    `by_itself` excludes clues of the book that name another entry. A book that cannot be read has no clues.
    """
    if offered := puzzle.offered_clues(slot):
        return _Offer(offered[0], "this puzzle")
    answer = puzzle.answer(slot)
    with suppress(ClueBookError):
        for one in book_suggestions(answer) if answer is not None else ():
            if not (by_itself and names_entry(one.text)):
                whose = "yours" if one.kind is SuggestionKind.OWN else "the clue book's"
                return _Offer(one.text, f"{whose}, {one.origin}" if one.origin else whose)
    return None


def clue_lines(puzzle: Puzzle, slot: Slot) -> list[str]:
    """Return lines with an entry's clue or its stale clue; without a clue, also a suggestion for its answer."""
    own, stale = puzzle.clue(slot) and puzzle.whole_clue(slot), puzzle.stale_clue(slot)
    printed_own = puzzle.clue(slot) and puzzle.solver_clue(slot)
    lines = [
        f"{slot.label}: {own or f'no clue {puzzle.whole_clue(slot)}'.rstrip()}",
        *([f"    as printed: {printed_own}"] if printed_own != own else []),
    ]
    if stale is not None:
        text = numbered(stale.clue.text, puzzle.grid)
        lines = [f"{slot.label}: clue of {stale.clue.answer}: {text} (`clue --keep {slot.name}` keeps it)"]
    if not own and (offer := _offer(puzzle, slot)):
        text = f"{slot.name}: offered: {numbered(offer.text, puzzle.grid)}"
        lines.append(f"{text} ({offer.source}; `clue --take {slot.name}` takes it)")
    reported = (Check.MISSING_CLUE, Check.STALE_CLUE)
    is_wanted = wants_enumerations(puzzle.profile)
    found = entry_remarks(puzzle, slot, wants_enumerations=is_wanted)
    remarks = (each for each in found if each.fault not in reported)
    return [*lines, *(f"    {each.fault.value}: {each.message}" for each in remarks)]


@verb("clues", "clues --open")
def clues(
    session: Session, only_open: bool = option("only entries whose answer has no clue yet", name="--open")
) -> Answer:
    """List all entries with their answers and clues."""
    puzzle = session.shown_puzzle
    slots = [slot for slot in puzzle.grid.clue_slots if not (only_open and puzzle.clue(slot))]
    width = max((len(puzzle.shown_pattern(slot)) for slot in slots), default=0)
    lines = []
    for slot in slots:
        note = puzzle.solver_note(slot)
        noted = f"  (noted while solving: {note})" if note else ""
        lines.append(
            f"{slot.label:>4}  {puzzle.shown_pattern(slot):{width}}  {_brief(puzzle, slot)}{noted}".rstrip()
        )
    return lines or ["every answer has a clue" if puzzle.grid.slots else "no entries yet"]


def _brief(puzzle: Puzzle, slot: Slot) -> str:
    stale, offered = puzzle.stale_clue(slot), puzzle.offered_clues(slot)
    if puzzle.clue(slot):
        return puzzle.solver_clue(slot)
    if offered:
        return f"(offered) {printed(offered[0], puzzle.grid)}"
    if stale is None:
        return "-"
    return f"(clue of {stale.clue.answer}) {printed(stale.clue.text, puzzle.grid)}"


def _sheet_suffixes() -> tuple[str, ...]:
    return suffixes()


_SHEET = file_kind(read_from=_sheet_suffixes)


@verb("clues export heart.md", "clues export heart.csv", asks=True, from_shell=OF_GRID)
def clues_export(
    session: Session,
    file: Path = argument("a file ending in .txt, .md or .csv", _SHEET),
    force: bool = option("overwrite a file that this session did not write"),
) -> Answer:
    """Write entries, answers and clues to a file, so you can write the clues in a text editor.

    `clues import` reads them back.
    """
    guard = session.document.exported.guard("clues export --force", file, force=force)
    return export_clues(session.commit_shown(), full_path(file), guard)


@verb("clues import heart.md", asks=True, from_shell=EDITS_PUZZLE)
def clues_import(
    session: Session,
    file: Path = argument("a file in the form that `clues export` writes", _SHEET),
    overwrite: bool = option("use the file's clue even where the puzzle's clue has changed since"),
) -> Answer:
    """Read clues from a file that `clues export` wrote, as one edit.

    Each clue goes to the entry that now has its answer. Clues changed here since the export are kept and listed,
    and so are lines that match no entry.
    """
    sheet = read_sheet(full_path(file))
    answer = import_clues(session.commit_shown(), sheet, overwrites=overwrite)
    session.edit(f"clues import {file.name}", answer.apply)
    return replace(answer, after=session.puzzle)


class _TakenClue(NamedTuple):
    """The clue given to an answer that had none, as typed, with its source."""

    slot: Slot
    answer: str
    clue: str
    source: str


@verb("clues take", from_shell=EDITS_PUZZLE)
def clues_take(session: Session) -> Answer:
    """Give every answer without a clue one that this puzzle or the clue book has for it, as one edit.

    Each is listed with its source. Your own clues come before other people's; a clue that names another entry is
    not taken.
    """
    before = made = session.commit_shown()
    taken: list[_TakenClue] = []
    unclued = [slot for slot in before.grid.entries if before.answer(slot) and not before.clue(slot)]
    for slot in unclued:
        if offer := _offer(made, slot, by_itself=True):
            made = made.with_whole_clue(slot, str(WholeClue(offer.text, made.enumeration(slot))))
            taken.append(_TakenClue(slot, before.shown_pattern(slot), made.clue(slot), offer.source))
    if taken:
        session.edit("clues take", lambda _: made)
    left = len(unclued) - len(taken)
    lines = [
        f"{counted(len(taken), 'clue')} taken; {counted(left, 'answer')} still without a clue",
        *(f"  {each.slot.name} {each.answer}: {each.clue} ({each.source})" for each in taken),
    ]
    shape = JsonShape("entry=slot answer clue source")
    return ImmediateAnswer(lines, {"taken": shape.convert(taken), "unclued": left}, is_found=bool(taken))


def _title(text: str, session: Session) -> str:
    """Remove a pair of quotes around the whole text; quotes within it stay, and of two pairs the inner one."""
    read = REST_OF_LINE.read(text, session)
    quote, inner = read[:1], read[1:-1]
    is_around = len(read) > 1 and quote in ('"', "'") and read.endswith(quote)
    return inner.strip() if is_around and quote not in inner.strip(quote) else read


_TITLE = replace(REST_OF_LINE, read=_title)


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise VerbError(f"this text has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed")


_TITLE_PAGE = (
    ("title", "the puzzle's title", "title Heart to Heart", "title"),
    ("author", "the puzzle's author", "author A. Constructor"),
    ("copyright", "the copyright line", "copyright © 2026 A. Constructor"),
    ("notes", "the note to solvers and editors", "notes Shaded squares spell a name"),
)
"""The texts of a puzzle: the field (also the verb's name), its description, and examples."""

_TEXT_HELP = 'the text as printed, or in quotes; "" removes it; shows it if left out'


def _declare(field: str, what: str, *examples: str) -> None:
    def function(
        session: Session, text: str | None = argument(_TEXT_HELP, _TITLE), clear: bool = option("remove it")
    ) -> Answer:
        if clear or text is not None:
            _check_length(text or "")
            change: dict[str, Any] = {field: "" if clear else text}
            session.edit(field, lambda puzzle: replace(puzzle, **change))
        return f"{field}: {getattr(session.puzzle, field) or 'none'}"

    function.__doc__ = f"Set or show {what}."
    verb(*examples, name=field)(function)


for _texts in _TITLE_PAGE:
    _declare(*_texts)


def export_clues(puzzle: Puzzle, path: Path, guard: Guard) -> ImmediateAnswer:
    """Write the clues to a file within a guard, because an existing file may hold the only copy of other clues."""
    check_suffix(path)
    data = sheet_bytes(puzzle, path.suffix)
    with guard(path):
        write_atomically(path, data)
    slots = puzzle.grid.entries
    unclued = sum(not puzzle.clue(slot) for slot in slots)
    clues = f"{unclued} without a clue" if unclued else "all with clues"
    return ImmediateAnswer(
        [
            f"clues written: {path} ({counted(len(slots), 'entry', 'entries')}, {clues})",
            f"`clues import {in_quotes(short_path(path))}` reads them back",
        ],
        {"file": path, "entries": len(slots), "unclued": unclued},
    )


_LONGEST_SHOWN = 200


class ClueChange(NamedTuple):
    """An entry's clue before and after an import, as typed; empty if there was or is none."""

    slot: Slot
    was: str
    now: str


class UnplacedLine(NamedTuple):
    """A line of a clue sheet that matches no entry, with the reason."""

    number: int
    text: str
    reason: str


class MovedLine(NamedTuple):
    """A line of a clue sheet whose answer is now at another entry."""

    line: SheetLine
    slot: Slot


class ClueImport(VerbAnswer):
    """The effect of importing a clue sheet."""

    changes: tuple[ClueChange, ...]
    kept: tuple[ClueChange, ...]
    """Clues that changed both here and in the sheet: `was` stays, and `now` is the sheet's."""
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
    def is_found(self) -> bool | None:
        return not (self.kept or self.unplaced)

    @property
    def lines(self) -> Sequence[str]:
        new = sum(not change.was for change in self.changes)
        parts = [
            f"{new} new" if new else "",
            f"{len(self.changes) - new} changed" if len(self.changes) > new else "",
        ]
        summary = ", ".join(filter(None, parts)) or "no clue changed"
        return [f"clues: {summary}", *(printable(line, _LONGEST_SHOWN) for line in self._remarks())]

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


def import_clues(puzzle: Puzzle, sheet: Sheet, *, overwrites: bool) -> ClueImport:
    """Work out the effect of a sheet's clues on a puzzle.

    A clue goes to the entry that has its answer. If both the puzzle and the sheet have changed it since the
    export, the puzzle's clue stays, unless the sheet `overwrites`.
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
    """Match lines to entries: by name and answer, else by an answer that is unique, else by name alone."""
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
