"""The verbs of the clue book: what is in it, what it suggests for an entry; and what a word means."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from click.shell_completion import CompletionItem

from xwtui.errors import ClueBookError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Slot
from xwtui.session.verbs.kinds import WORD, WORDS, Item, entry_argument, file_kind, number_kind, switch_argument
from xwtui.session.verbs.verb import (
    WITHOUT_GRID,
    Answer,
    FromShell,
    Group,
    Needs,
    answered,
    argument,
    begun,
    option,
    verbs_of,
)

with lazy_imports():
    from xwtui.clues.book import ClueBook
    from xwtui.clues.glosses import shipped_glosses
    from xwtui.clues.suggestions import suggestions
    from xwtui.session import book_answers
    from xwtui.session.book_answers import BookAnswer, BookCluesAnswer, DefinitionsAnswer, SuggestionsAnswer
    from xwtui.session.document import full_path
    from xwtui.session.session import Session
    from xwtui.session.wording import counted

verb = verbs_of(Group.CLUES)

_MOST_LISTED = 1000
_limit = option("how many to list (default: 50)", number_kind(1, _MOST_LISTED), default="50")


def _sources(session: Session, beginning: str) -> list[Item]:
    """The sources that the clues of the book are from, and their folders."""
    try:
        sources = ClueBook().tally().sources
    except ClueBookError:
        return []
    names = [Path(one.source.name) for one in sources]
    found = dict.fromkeys(str(path) for path in (*(path.parent for path in names), *names))
    return [CompletionItem(name) for name in found if name.startswith(beginning)]


SOURCE = replace(file_kind(), name="source", offers=_sources)


@verb(examples=("book",), from_shell=WITHOUT_GRID)
def book(session: Session) -> Answer:
    """Show what is in the clue book: how many clues, and from where.

    It holds the clues of your own puzzles, added when you save them, and the clues that `book import` read.
    """
    found = ClueBook()
    return answered(BookAnswer(found.path, found.tally(), session.settings.keep_clues))


@verb(
    examples=("book import ~/puzzles", "book import emogic.txt", "book import ~/mine --mine"),
    from_shell=FromShell(needs=Needs.NOTHING, takes_grid=False, takes_alphabet=True, takes_long=True),
)
def book_import(
    session: Session,
    folder: Path = argument("a folder of puzzles and lists with clues, or one such file", file_kind()),
    mine: bool = option("these are your own puzzles, so their clues come first"),
) -> Answer:
    """Add clues from puzzles and lists to the clue book.

    Puzzles can be in any format xwtui reads. Lists have lines such as `WORD|clue`, or columns separated by tabs
    or commas; their words are read in the puzzle's alphabet. Clues already in the book are skipped. If you stop
    an import, what was added stays, and the next import continues from there.
    """
    work = partial(book_answers.import_into_book, full_path(folder), session.puzzle.alphabet, mine)
    return begun(session.jobs.book.start_plain(work))


@verb(examples=("book search shaft on a", "book search river"), from_shell=WITHOUT_GRID)
def book_search(
    session: Session,
    limit: int = _limit,
    words: tuple[str, ...] = argument("words from the clue; the last one may be incomplete", WORDS, required=True),
) -> Answer:
    """Find clues in the book by their words."""
    text = " ".join(words)
    return answered(BookCluesAnswer(f"'{text}'", ClueBook().search(text, limit)))


@verb(examples=("book show AXLE",), from_shell=replace(WITHOUT_GRID, takes_alphabet=True))
def book_show(session: Session, word: str = argument("an answer", WORD), limit: int = _limit) -> Answer:
    """Show the clues that the book has for an answer, your own first."""
    return answered(BookCluesAnswer(word, ClueBook().clues_of(word, limit)))


@verb(examples=("book forget ~/puzzles",), from_shell=WITHOUT_GRID)
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


@verb(examples=("book keep on", "book keep off", "book keep"))
def book_keep(session: Session, switch: bool | None = switch_argument) -> Answer:
    """Choose whether saving a puzzle adds its clues to the book; the choice is remembered."""
    if switch is not None:
        session.remember(keep_clues=switch)
    kept = "adds" if session.settings.keep_clues else "does not add"
    return f"saving a puzzle {kept} its clues to the clue book"


@verb(
    examples=("clue suggest 17A", "clue suggest 17A --take 2"),
    from_shell=FromShell(needs=Needs.NOTHING, hidden=("take",)),
)
def clue_suggest(
    session: Session,
    entry: Slot = entry_argument,
    take: int | None = option("use the suggestion with this number as the clue", number_kind(1, _MOST_LISTED)),
) -> Answer:
    """Suggest clues for an entry's answer: your own, imported ones, and WordNet's definition.

    Imported clues and definitions that contain four letters in a row from the answer are left out.
    """
    answer = session.puzzle.answer(entry)
    if answer is None:
        raise VerbError(f"{entry.name} is not complete, so it has no answer to suggest clues for")
    found = suggestions(answer)
    if take is None:
        return answered(SuggestionsAnswer(entry.name, answer, found))
    if take > len(found):
        told = "1 clue is" if len(found) == 1 else f"{len(found) or 'no'} clues are"
        raise VerbError(f"{told} suggested for {entry.name} {answer}; there is no number {take}")
    text = found[take - 1].text
    session.edit(f"clue {entry.name}", lambda puzzle: puzzle.with_clue(entry, text))
    return f"{entry.name}: {text}"


@verb(group=Group.WORDS, examples=("define AXLE", "define AXLES"), from_shell=WITHOUT_GRID)
def define(session: Session, word: str = argument("a word, or a phrase without its spaces", WORD)) -> Answer:
    """Define a word, with its part of speech and synonyms, from WordNet.

    For an inflected form it names the base form: AXLES is the plural of AXLE.
    """
    return answered(DefinitionsAnswer(word, shipped_glosses().definitions(word)))
