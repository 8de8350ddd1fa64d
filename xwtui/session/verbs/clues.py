"""The verbs for clues, and for enumerations: how many letters each word of an answer has."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from xwtui.errors import ClueBookError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Slot
from xwtui.model.clues import AnswerEnumeration, WholeClue
from xwtui.model.markup import numbered, printed
from xwtui.model.puzzle import LONGEST_TEXT
from xwtui.model.review import Check, entry_remarks
from xwtui.session.verbs.kinds import REST_OF_LINE, entry_argument, file_kind
from xwtui.session.verbs.verb import Answer, FromShell, Group, Needs, Writes, answered, argument, option, verbs_of

with lazy_imports():
    from xwtui.clues.suggestions import Suggestion, SuggestionKind, book_suggestions
    from xwtui.formats.clue_sheet import read_sheet, suffixes
    from xwtui.grids.profiles import wants_enumerations
    from xwtui.session.clue_answers import (
        EnumerationsAnswer,
        checked,
        export_clues,
        import_clues,
        told_of,
        with_all_taken,
    )
    from xwtui.session.document import full_path
    from xwtui.session.session import Session
    from xwtui.session.verbs.finding import words_soon
    from xwtui.words.lexicon import Lexicon

verb = verbs_of(Group.CLUES)


@verb(
    examples=(
        "clue 17A It can't be bought",
        "clue 17A *Jaws* menace, or {21D}",
        "clue 17A",
        "clue --keep 17A",
        "clue --clear 17A",
    ),
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
    puzzle = session.puzzle
    if sum((keep, take, clear, bool(text))) > 1:
        raise VerbError("clue: use only one of a text, --keep, --take and --clear")
    if clear:
        _clear(session, entry)
    elif keep:
        _write(session, entry, _stale_text(puzzle, entry))
    elif take:
        _write(session, entry, _offered_text(puzzle, entry))
    elif text:
        _check_length(text)
        _write(session, entry, text)
    return clue_lines(session.puzzle, entry)


def _write(session: Session, slot: Slot, text: str) -> None:
    told = session.puzzle.enumeration(slot)
    session.edit(f"clue {slot.name}", lambda puzzle: puzzle.with_whole_clue(slot, str(WholeClue(text, told))))


def _clear(session: Session, slot: Slot) -> None:
    if session.puzzle.clue(slot):
        _write(session, slot, "")
    else:
        session.edit(f"clue {slot.name}", lambda puzzle: puzzle.without_stale_clue(slot))


def _stale_text(puzzle: Puzzle, slot: Slot) -> str:
    stale = puzzle.stale_clue(slot)
    if stale is None:
        raise VerbError(f"{slot.name} has no earlier answer's clue to keep")
    return stale.clue.text


def _offered_text(puzzle: Puzzle, slot: Slot) -> str:
    if offered := puzzle.offered_clues(slot):
        return offered[0]
    if of_book := _of_book(puzzle, slot):
        return of_book.text
    answer = puzzle.answer(slot)
    if answer is None:
        raise VerbError(f"{slot.name} is not complete")
    raise VerbError(f"neither the puzzle nor the clue book has another clue for {answer}")


def _of_book(puzzle: Puzzle, slot: Slot) -> Suggestion | None:
    """The likeliest clue that the clue book has for an entry's answer; none where the book cannot be read."""
    answer = puzzle.answer(slot)
    if answer is not None:
        with suppress(ClueBookError):
            return next(iter(book_suggestions(answer)), None)
    return None


def clue_lines(puzzle: Puzzle, slot: Slot) -> list[str]:
    """The clue of an entry, or of the answer before; else what the puzzle or the clue book has for its answer."""
    own, stale = puzzle.clue(slot) and puzzle.whole_clue(slot), puzzle.stale_clue(slot)
    printed_own = puzzle.clue(slot) and puzzle.solver_clue(slot)
    lines = [
        f"{slot.label}: {own or f'no clue {puzzle.whole_clue(slot)}'.rstrip()}",
        *([f"    as printed: {printed_own}"] if printed_own != own else []),
    ]
    if stale is not None:
        text = numbered(stale.clue.text, puzzle.grid)
        lines = [f"{slot.label}: clue of {stale.clue.answer}: {text} (`clue --keep {slot.name}` keeps it)"]
    offered = puzzle.offered_clues(slot)
    if offered and not own:
        text = numbered(offered[0], puzzle.grid)
        lines.append(f"{slot.name}: suggested: {text} (`clue --take {slot.name}` uses it)")
    elif not own and (of_book := _of_book(puzzle, slot)):
        whose = "yours" if of_book.kind is SuggestionKind.OWN else "the clue book's"
        where = f"{whose}, {of_book.origin}" if of_book.origin else whose
        text = f"{slot.name}: offered: {numbered(of_book.text, puzzle.grid)}"
        lines.append(f"{text} ({where}; `clue --take {slot.name}` takes it)")
    told = (Check.MISSING_CLUE, Check.STALE_CLUE)
    is_wanted = wants_enumerations(puzzle.profile)
    found = entry_remarks(puzzle, slot, wants_enumerations=is_wanted)
    remarks = (each for each in found if each.fault not in told)
    return [*lines, *(f"    {each.fault.value}: {each.message}" for each in remarks)]


@verb(examples=("clues", "clues --open"))
def clues(
    session: Session, only_open: bool = option("only entries whose answer has no clue yet", name="--open")
) -> Answer:
    """List all entries with their answers and clues."""
    puzzle = session.puzzle
    slots = [slot for slot in puzzle.grid.clue_slots if not (only_open and puzzle.clue(slot))]
    width = max((len(puzzle.told_pattern(slot)) for slot in slots), default=0)
    lines = [
        f"{slot.label:>4}  {puzzle.told_pattern(slot):{width}}  {_with_note(puzzle, slot)}".rstrip()
        for slot in slots
    ]
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


@verb(
    examples=("clues export heart.md", "clues export heart.csv"),
    asks=True,
    from_shell=FromShell(needs=Needs.NOTHING),
)
def clues_export(
    session: Session,
    file: Path = argument("a file ending in .txt, .md or .csv", _SHEET),
    force: bool = option("overwrite a file that this session did not write"),
) -> Answer:
    """Write entries, answers and clues to a file, so you can write the clues in a text editor.

    `clues import` reads them back.
    """
    guard = session.document.exported.guard("clues export --force", file, force=force)
    return answered(export_clues(session.puzzle, full_path(file), guard))


@verb(
    examples=("clues import heart.md",),
    asks=True,
    from_shell=FromShell(writes=Writes.PUZZLE, needs=Needs.NOTHING, is_lost_unwritten=True),
)
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
    answer = import_clues(session.puzzle, sheet, overwrites=overwrite)
    session.edit(f"clues import {file.name}", answer.apply)
    return answered(replace(answer, after=session.puzzle))


def _with_note(puzzle: Puzzle, slot: Slot) -> str:
    note = puzzle.solver_note(slot)
    return _brief(puzzle, slot) + (f"  (noted while solving: {note})" if note else "")


def _title(text: str, session: Session) -> str:
    """A text without a pair of quotes around the whole; quotes within it stay, and of two pairs the inner one."""
    read = REST_OF_LINE.read(text, session)
    quote, inner = read[:1], read[1:-1]
    is_around = len(read) > 1 and quote in ('"', "'") and read.endswith(quote)
    return inner.strip() if is_around and quote not in inner.strip(quote) else read


_TITLE = replace(REST_OF_LINE, read=_title)


def _title_page(session: Session, field: str, text: str | None, clear: bool) -> str:
    """Write a field of the title page, or show it."""
    if clear or text is not None:
        _check_length(text or "")
        change: dict[str, Any] = {field: "" if clear else text}
        session.edit(field, lambda puzzle: replace(puzzle, **change))
    return f"{field}: {getattr(session.puzzle, field) or 'none'}"


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise VerbError(f"this text has {len(text):,} characters; {LONGEST_TEXT:,} are the most")


_text_argument = argument('the text as printed, or in quotes; "" removes it; shows it if left out', _TITLE)
_clear_option = option("remove it")


@verb(examples=("title Heart to Heart", "title"))
def title(session: Session, text: str | None = _text_argument, clear: bool = _clear_option) -> Answer:
    """Set or show the puzzle's title."""
    return _title_page(session, "title", text, clear)


@verb(examples=("author A. Constructor",))
def author(session: Session, text: str | None = _text_argument, clear: bool = _clear_option) -> Answer:
    """Set or show the puzzle's author."""
    return _title_page(session, "author", text, clear)


@verb(examples=("copyright © 2026 A. Constructor",))
def copyright_(session: Session, text: str | None = _text_argument, clear: bool = _clear_option) -> Answer:
    """Set or show the copyright line."""
    return _title_page(session, "copyright", text, clear)


@verb(examples=("notes Shaded squares spell a name",))
def notes(session: Session, text: str | None = _text_argument, clear: bool = _clear_option) -> Answer:
    """Set or show the note to solvers and editors."""
    return _title_page(session, "notes", text, clear)


_KEPT = FromShell(writes=Writes.PUZZLE, needs=Needs.WORDS, is_lost_unwritten=True)


@verb(
    examples=("enumeration 17A 3,5", "enumeration 17A", "enumeration --take 17A", "enumeration --clear 17A"),
    from_shell=_KEPT,
)
def enumeration(
    session: Session,
    entry: Slot = entry_argument,
    numbers: str | None = argument("3,4 or 2'1 or 4-2-3; shows the enumeration if left out", REST_OF_LINE),
    take: bool = option("use the first suggestion"),
    clear: bool = option("remove it"),
) -> Answer:
    """Set or suggest an answer's enumeration: the lengths of its words.

    Like a clue, it belongs to the answer. The suggestion comes from how word lists, then WordNet, write the
    answer, with its spaces, hyphens and apostrophes. ipuz and JPZ store it in its own field; other formats put
    it after the clue.
    """
    if sum((take, clear, bool(numbers))) > 1:
        raise VerbError("enumeration: use only one of numbers, --take and --clear")
    if take:
        suggested = told_of(session.puzzle, entry, _words(session)).suggested
        if not suggested:
            raise VerbError(f"no suggestion for {entry.name}: neither word lists nor WordNet have it")
        told: AnswerEnumeration | None = suggested[0].enumeration
    else:
        told = checked(session.puzzle, entry, AnswerEnumeration.parse(numbers)) if numbers else None
    if take or clear or numbers:
        label = f"enumeration {entry.name}"
        session.edit(label, lambda puzzle: puzzle.with_enumeration(entry, told))
    shown = told_of(session.puzzle, entry, None if take or clear or numbers else words_soon(session))
    return answered(EnumerationsAnswer(session.puzzle, (shown,)))


@verb(examples=("enumerations",), from_shell=FromShell(needs=Needs.WORDS))
def enumerations(session: Session) -> Answer:
    """List every entry's enumeration, with suggestions."""
    puzzle, lexicon = session.puzzle, words_soon(session)
    return answered(
        EnumerationsAnswer(puzzle, tuple(told_of(puzzle, slot, lexicon) for slot in puzzle.grid.entries))
    )


@verb(examples=("enumerate",), from_shell=_KEPT)
def enumerate_(session: Session) -> Answer:
    """Add the suggested enumeration to every answer that has none, as one edit.

    The enumeration comes from the end of the clue, or else from the first suggestion. An answer found in no
    source is taken as one word and listed; one longer than eight letters is listed and left without an
    enumeration.
    """
    taken = with_all_taken(session.puzzle, _words(session))
    session.edit("enumerate", lambda _: taken.puzzle)
    return answered(taken)


def _words(session: Session) -> Lexicon:
    """The words, without which nobody knows how lists write an answer; raises VerbError while they are loaded."""
    lexicon = words_soon(session)
    if lexicon is None:
        raise VerbError("the word lists are still loading, and with them the suggestions")
    return lexicon
