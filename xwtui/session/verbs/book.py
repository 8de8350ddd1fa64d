"""Verbs for the clue book, and for suggestions: clues for an entry, definitions of words, enumerations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from xwtui.errors import ClueBookError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle, Slot
from xwtui.model.alphabet import Alphabet
from xwtui.model.clues import AnswerEnumeration, WholeClue
from xwtui.session.answers import ImmediateAnswer, JsonShape, VerbAnswer
from xwtui.session.verbs import kinds
from xwtui.session.verbs.verb import (
    WITHOUT_GRID,
    Answer,
    FromShell,
    Group,
    Needs,
    Writes,
    argument,
    option,
    verbs_of,
)
from xwtui.text import counted
from xwtui.words.normalise import folds_words

with lazy_imports():
    from xwtui.clues.book import BookClue, ClueBook, origin_words
    from xwtui.clues.glosses import shipped_glosses
    from xwtui.clues.importing import ImportView, import_clues
    from xwtui.clues.suggestions import SuggestedEnumeration, suggested_enumerations, suggestions
    from xwtui.session.document import full_path
    from xwtui.session.jobs.answer_job import AnswerReporter
    from xwtui.session.session import Session
    from xwtui.session.verbs.word_choice import loaded_words, words_soon
    from xwtui.session.wording import and_more
    from xwtui.words.lexicon import Lexicon


verb = verbs_of(Group.CLUES)

_MOST_LISTED = 1000
_limit = kinds.limit_option(50, _MOST_LISTED)


def _sources(session: Session, beginning: str) -> list[kinds.Item]:
    """Complete the sources of the book's clues, and their folders."""
    try:
        sources = ClueBook().tally().sources
    except ClueBookError:
        return []
    names = [Path(one.source.name) for one in sources]
    return kinds.offered(
        [*dict.fromkeys(str(path) for path in (*(path.parent for path in names), *names))], beginning
    )


SOURCE = replace(kinds.file_kind(), name="source", offers=_sources)


@verb("book", from_shell=WITHOUT_GRID)
def book(session: Session) -> Answer:
    """Show what is in the clue book: how many clues, and from where.

    It holds the clues of your own puzzles, added when you save them, and the clues that `book import` read.
    """
    found, is_kept = ClueBook(), session.settings.keep_clues
    tally = found.tally()
    kept = "added when you save a puzzle" if is_kept else "not added when you save a puzzle"
    clues, answers = counted(tally.clues, "clue"), counted(tally.answers, "answer")
    lines = [f"{clues} of {answers} from {counted(len(tally.sources), 'source')}; your own are {kept}"]
    folders: dict[tuple[Path, bool], list[int]] = {}
    for one in tally.sources:
        folders.setdefault((Path(one.source.name).parent, one.source.is_own), []).append(one.clues)
    for (folder, is_own), numbers in folders.items():
        counts = f"{counted(len(numbers), 'file')}, {counted(sum(numbers), 'clue')}"
        lines.append(f"  {'yours' if is_own else 'imported':8}  {folder}: {counts}")
    sources = JsonShape("source.name source.title source.author source.date own=source.is_own clues")
    document = {"book": found.path, "clues": tally.clues, "answers": tally.answers, "kept": is_kept}
    return ImmediateAnswer(lines, {**document, "sources": sources.convert(tally.sources)})


@verb(
    "book import ~/puzzles",
    "book import emogic.txt",
    "book import ~/mine --mine",
    from_shell=FromShell(needs=Needs.NOTHING, takes_grid=False, takes_alphabet=True, takes_long=True),
)
def book_import(
    session: Session,
    folder: Path = argument("a folder of puzzles and lists with clues, or one such file", kinds.file_kind()),
    mine: bool = option("these are your own puzzles, so their clues come first"),
) -> Answer:
    """Add clues from puzzles and lists to the clue book.

    Puzzles can be in any format xwtui reads. Lists have lines such as `WORD|clue`, or columns separated by tabs
    or commas; their words are read in the puzzle's alphabet. Clues already in the book are skipped. If you stop
    an import, what was added stays, and the next import continues from there.
    """
    work = partial(_import, full_path(folder), session.puzzle.alphabet, mine)
    return session.jobs.book.start_plain(work)


@verb("book search shaft on a", "book search river", from_shell=WITHOUT_GRID)
def book_search(
    session: Session,
    limit: int = _limit,
    words: tuple[str, ...] = argument(
        "words from the clue; the last one may be incomplete", kinds.WORDS, required=True
    ),
) -> Answer:
    """Find clues in the book by their words."""
    text = " ".join(words)
    return _clues_found(f"'{text}'", ClueBook().search(text, limit))


@verb("book show AXLE", from_shell=replace(WITHOUT_GRID, takes_alphabet=True))
def book_show(session: Session, word: str = argument("an answer", kinds.WORD), limit: int = _limit) -> Answer:
    """Show the clues that the book has for an answer, your own first."""
    return _clues_found(word, ClueBook().clues_of(word, limit))


def _clues_found(sought: str, clues: Sequence[BookClue]) -> Answer:
    width = max((len(clue.answer) for clue in clues), default=0)
    lines = []
    for clue in clues:
        named = origin_words(clue.source.title, clue.source.author, clue.date, clue.times)
        whose = "yours: " if clue.source.is_own else ""
        lines.append(f"{clue.answer:{width}}  {clue.text}  ({whose}{named})")
    one = JsonShape("answer text own=source.is_own source=source.name source.title source.author date times")
    return ImmediateAnswer(
        lines or [f"the clue book has nothing for {sought}"], {"clues": one.convert(clues)}, is_found=bool(clues)
    )


@verb("book forget ~/puzzles", from_shell=WITHOUT_GRID)
def book_forget(
    session: Session,
    source: Path = argument("the file or folder that the clues came from; `book` lists them", SOURCE),
) -> Answer:
    """Remove the clues of a puzzle, a list or a whole folder from the book."""
    path = full_path(source)
    removed = ClueBook().forget(str(path))
    if not removed:
        raise VerbError(f"the clue book has no clues from {path}; `book` lists its sources")
    return f"{counted(removed, 'clue')} from {path} forgotten"


@verb("book keep on", "book keep off", "book keep")
def book_keep(session: Session, switch: bool | None = kinds.switch_argument) -> Answer:
    """Choose whether saving a puzzle adds its clues to the book; the choice is remembered."""
    if switch is not None:
        session.remember(keep_clues=switch)
    kept = "adds" if session.settings.keep_clues else "does not add"
    return f"saving a puzzle {kept} its clues to the clue book"


@verb("clue suggest 17A", "clue suggest 17A --take 2", from_shell=FromShell(needs=Needs.NOTHING, hidden=("take",)))
def clue_suggest(
    session: Session,
    entry: Slot = kinds.entry_argument,
    take: int | None = option(
        "use the suggestion with this number as the clue", kinds.number_kind(1, _MOST_LISTED)
    ),
) -> Answer:
    """Suggest clues for an entry's answer: your own, imported ones, and WordNet's definition.

    Imported clues and definitions that contain four letters in a row from the answer are left out.
    """
    answer = (session.shown_puzzle if take is None else session.commit_shown(entry)).answer(entry)
    if answer is None:
        raise VerbError(f"{entry.name} is not complete, so it has no answer to suggest clues for")
    found = suggestions(answer)
    if take is None:
        lines, numbered = [f"{entry.name} {answer}"], list[dict[str, object]]()
        for number, one in enumerate(found, 1):
            numbered.append({"number": number, **_SUGGESTION.of(one)})
            warning = "; gives the answer away" if one.gives_away else ""
            lines.append(f"{number:>3}  {_LABELS[one.kind.name]:8}  {one.text}  ({one.origin}{warning})")
        return ImmediateAnswer(
            lines if found else [f"no suggestions for {entry.name} {answer}"],
            {"entry": entry.name, "answer": answer, "suggestions": numbered},
            is_found=bool(found),
        )
    if take > len(found):
        how_many = "1 clue is" if len(found) == 1 else f"{len(found) or 'no'} clues are"
        raise VerbError(f"{how_many} suggested for {entry.name} {answer}; there is no number {take}")
    text = found[take - 1].text
    session.edit(f"clue {entry.name}", lambda puzzle: puzzle.with_clue(entry, text))
    return f"{entry.name}: {text}"


@verb("define AXLE", "define AXLES", group=Group.WORDS, from_shell=WITHOUT_GRID)
def define(session: Session, word: str = argument("a word, or a phrase without its spaces", kinds.WORD)) -> Answer:
    """Define a word, with its part of speech and synonyms, from WordNet.

    For an inflected form it names the base form: AXLES is the plural of AXLE.
    """
    found, lines = shipped_glosses().definitions(word), list[str]()
    definitions: list[dict[str, object]] = []
    for one in found:
        senses: list[dict[str, object]] = []
        lines.append(f"{word}: {one.form.value} of {one.base}" if one.form is not None else word)
        for number, sense in enumerate(one.senses, 1):
            synonyms = [each for each in sense.words if "".join(filter(str.isalnum, each)).upper() != one.base]
            also = f" (also: {', '.join(synonyms)})" if synonyms else ""
            lines.append(f"{number:>3}  {sense.part.value}: {sense.gloss}{also}")
            senses.append({"part": sense.part.value, "gloss": sense.gloss, "synonyms": synonyms})
        definitions.append({"base": one.base, "form": one.form, "senses": senses})
    return ImmediateAnswer(
        lines or [f"WordNet does not have {word}"],
        {"word": word, "definitions": definitions},
        is_found=bool(found),
    )


_MOST_SKIPPED = 20

_SUGGESTION = JsonShape("text kind title author date times part form base? gives_away")
_LABELS = {"OWN": "yours", "IMPORTED": "imported", "GLOSS": "gloss"}


class ImportAnswer(VerbAnswer):
    """The progress of an import, or its result."""

    stopped = "what was read so far is in the clue book"
    view: ImportView
    json = JsonShape(
        "view.path view.files view.done complete=view.is_whole new_clues=view.clues known_files=view.known "
        "view.odd_lines folded=view.folds",
        ("view.skipped", JsonShape("file=path reason")),
    )

    @property
    def headline(self) -> str:
        view = self.view
        return f"{view.done:,} of {counted(view.files, 'file')}, {counted(view.clues, 'new clue')}"

    @property
    def lines(self) -> Sequence[str]:
        view = self.view
        read = counted(view.files, "file") if view.is_whole else f"{view.done:,} of {counted(view.files, 'file')}"
        parts = [f"{counted(view.clues, 'new clue')} from {read}"]
        parts += [f"{counted(view.known, 'file')} already in the clue book"] * bool(view.known)
        parts += [f"{counted(view.odd_lines, 'line')} of lists without a word and a clue"] * bool(view.odd_lines)
        skipped = view.skipped
        parts += [f"{counted(len(skipped), 'file')} skipped"] * bool(skipped)
        lines = ["; ".join(parts), *([folds_words(view.folds, view.alphabet)] if view.folds else [])]
        named = [f"  {path}: {reason}" for path, reason in skipped[:_MOST_SKIPPED]]
        return [*lines, *named, *and_more(len(skipped) - len(named))]

    @property
    def seconds(self) -> float:
        return self.view.seconds


def _import(path: Path, alphabet: Alphabet, is_own: bool, reporter: AnswerReporter) -> ImportAnswer:
    """Import a folder of puzzles and lists, or a file, into the clue book; if stopped, keep what was read."""
    view = import_clues(
        ClueBook(),
        path,
        is_own=is_own,
        alphabet=alphabet,
        is_stopped=reporter.is_stopped,
        tell=lambda view: reporter.report_throttled(lambda: ImportAnswer(view)),
    )
    return ImportAnswer(view)


_KEPT = FromShell(writes=Writes.PUZZLE, needs=Needs.WORDS, is_lost_unwritten=True)


@verb(
    "enumeration 17A 3,5", "enumeration 17A", "enumeration --take 17A", "enumeration --clear 17A", from_shell=_KEPT
)
def enumeration(
    session: Session,
    entry: Slot = kinds.entry_argument,
    numbers: str | None = argument("3,4 or 2'1 or 4-2-3; shows the enumeration if left out", kinds.REST_OF_LINE),
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
    puzzle = session.commit_shown(entry) if take or clear or numbers else session.shown_puzzle
    if take:
        suggested = entry_enumeration(puzzle, entry, loaded_words(session)).suggested
        if not suggested:
            raise VerbError(f"no suggestion for {entry.name}: neither word lists nor WordNet spell it out")
        chosen: AnswerEnumeration | None = suggested[0].enumeration
    else:
        chosen = _checked(puzzle, entry, AnswerEnumeration.parse(numbers)) if numbers else None
    if not (take or clear or numbers):
        return _enumerations_answer([entry_enumeration(puzzle, entry, words_soon(session))])
    session.edit(f"enumeration {entry.name}", lambda puzzle: puzzle.with_enumeration(entry, chosen))
    return _enumerations_answer([entry_enumeration(session.shown_puzzle, entry, None)])


def _enumerations_answer(found: Sequence[EntryEnumeration]) -> Answer:
    lines = [each.line for each in found] or ["no entries yet"]
    return ImmediateAnswer(lines, {"entries": _ENUMERATION.convert(found)})


@verb("enumerations", from_shell=FromShell(needs=Needs.WORDS))
def enumerations(session: Session) -> Answer:
    """List every entry's enumeration, with suggestions."""
    puzzle, lexicon = session.shown_puzzle, words_soon(session)
    return _enumerations_answer([entry_enumeration(puzzle, slot, lexicon) for slot in puzzle.grid.entries])


@verb("enumerate", from_shell=_KEPT)
def enumerate_(session: Session) -> Answer:
    """Add the suggested enumeration to every answer that has none, as one edit.

    The enumeration comes from the end of the clue, or else from the first suggestion. An answer found in no
    source is taken as one word and listed; one longer than eight letters is listed and left without an
    enumeration.
    """
    taken, made = with_all_taken(session.commit_shown(), loaded_words(session))
    session.edit("enumerate", lambda _: made)
    return taken


_LONGEST_GUESS = 8
"""Longest answer, in letters, that is assumed to be one word if no source has it."""


class EntryEnumeration(NamedTuple):
    """An entry with its enumeration, and suggestions for its answer."""

    slot: Slot
    answer: str | None
    letters: int
    enumeration: AnswerEnumeration | None
    suggested: tuple[SuggestedEnumeration, ...]

    @property
    def line(self) -> str:
        """Such as `1A ICECREAM: (3,5)`, with the suggestions that differ from the enumeration."""
        text = "no enumeration" if self.enumeration is None else self.enumeration.printed
        named = f"{self.slot.label} {self.answer}" if self.answer is not None else self.slot.label
        others = [each for each in self.suggested if each.enumeration != self.enumeration]
        words = ", ".join(f"{each.enumeration.printed} by {each.source.value}" for each in others)
        remark = ""
        if self.enumeration is not None and self.answer is not None and self.enumeration.letters != self.letters:
            remark = f" ({self.answer} has {counted(self.letters, 'letter')})"
        return f"{named}: {text}{remark}{f'; suggested: {words}' if words else ''}"


_ENUMERATION = JsonShape(
    "entry=slot answer letters enumeration", ("suggested", JsonShape("enumeration from=source"))
)


def entry_enumeration(puzzle: Puzzle, slot: Slot, lexicon: Lexicon | None) -> EntryEnumeration:
    """Return an entry with its enumeration and suggestions."""
    answer = puzzle.answer(slot)
    suggested = () if answer is None else suggested_enumerations(answer, puzzle.alphabet, lexicon)
    return EntryEnumeration(slot, answer, puzzle.letter_count(slot), puzzle.enumeration(slot), suggested)


def _checked(puzzle: Puzzle, slot: Slot, enumeration: AnswerEnumeration) -> AnswerEnumeration:
    """Check that an enumeration agrees with its entry; raises VerbError if the number of letters differs."""
    answer, letters = puzzle.answer(slot), puzzle.letter_count(slot)
    if answer is not None and enumeration.letters != letters:
        raise VerbError(
            f"{slot.name} {answer} has {counted(letters, 'letter')}, "
            f"but {enumeration.printed} has {enumeration.letters}"
        )
    if answer is None and enumeration.letters < letters:
        raise VerbError(
            f"{slot.name} has {counted(letters, 'square')}, "
            f"but {enumeration.printed} has {enumeration.letters} letters"
        )
    return enumeration


def with_all_taken(puzzle: Puzzle, lexicon: Lexicon | None) -> tuple[ImmediateAnswer, Puzzle]:
    """Give enumerations to all answers without one: that at the end of the clue, a suggestion, or one word.

    An enumeration at the end of a clue stays there if its number of letters differs from the answer's. A long
    answer in no source is left without one, because few of those are single words.
    """
    of_clues, suggested, whole, left = (list[EntryEnumeration]() for _ in range(4))
    for slot in puzzle.grid.entries:
        one = entry_enumeration(puzzle, slot, lexicon)
        if one.answer is None or one.enumeration is not None:
            continue
        behind = WholeClue.parted(puzzle.typed_clue(slot)).enumeration
        if behind is not None:
            puzzle = puzzle.with_whole_clue(slot, puzzle.typed_clue(slot))
            found = of_clues
        elif not one.suggested and one.letters > _LONGEST_GUESS:
            left.append(one)
            continue
        else:
            first = one.suggested[0].enumeration if one.suggested else AnswerEnumeration((one.letters,))
            puzzle = puzzle.with_enumeration(slot, first)
            found = suggested if one.suggested else whole
        if (enumeration := puzzle.enumeration(slot)) is not None:
            found.append(one._replace(enumeration=enumeration))
    changed = [*of_clues, *suggested]
    lines = [f"{counted(len(changed) + len(whole), 'enumeration')} taken"]
    parted = (each for each in changed if each.enumeration is not None and each.enumeration.breaks)
    lines += [f"  {each.slot.name} {each.answer}: {each.enumeration}" for each in parted]
    if whole:
        lines.append(
            f"assumed to be one word, since neither word lists nor WordNet spell them out: {_answer_names(whole)}"
        )
    if left:
        example = f"`enumeration {left[0].slot.name} 3,5`"
        lines.append(f"left without, too long to guess: {_answer_names(left)}; {example} sets the enumeration")
    groups = {"from_clues": of_clues, "suggested": suggested, "one_word": whole, "left": left}
    document = {name: _ENUMERATION.convert(each) for name, each in groups.items()}
    return ImmediateAnswer(lines, document), puzzle


def _answer_names(found: Sequence[EntryEnumeration]) -> str:
    return ", ".join(f"{each.slot.name} {each.answer}" for each in found)
