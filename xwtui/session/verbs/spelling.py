"""The verb for the letters of a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from xwtui.errors import WordListError
from xwtui.model import edits
from xwtui.model.alphabet import Alphabet
from xwtui.session.foreign_letters import foreign_words
from xwtui.session.verbs.types import VerbType
from xwtui.session.verbs.verb import Answer, Group, verb
from xwtui.words.alphabets import alphabet_names, find_alphabet

if TYPE_CHECKING:
    from xwtui.session.session import Session


class AlphabetType(VerbType[Alphabet]):
    """The name of an alphabet."""

    name = "alphabet"

    def read(self, text: str, session: Session) -> Alphabet:
        """The alphabet; raises WordListError where there is none."""
        return find_alphabet(text)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The names, with their titles and letters."""
        names = [name for name in alphabet_names() if name.startswith(beginning.lower())]
        return [CompletionItem(name, help=_told_of(name)) for name in names]


@verb(
    Group.GRID,
    examples=("alphabet swedish", "alphabet spanish-ch-ll", "alphabet"),
    keywords=("language", "letters", "accents", "diacritics", "umlaut", "digraph"),
)
@click.argument("name", type=AlphabetType(), required=False, help="swedish, german, …; without it, all are shown")
def alphabet(session: Session, name: Alphabet | None) -> Answer:
    """Choose the letters of the puzzle, or show which alphabets there are.

    Words of lists, answers and patterns are read in it, as they are typed: a letter that it lacks is written as
    is usual in its language, or without its accent, and that is said. Some have letters of two characters in one
    square, such as IJ. Alphabets of your own are files in the folder `alphabets` of your settings.
    """
    if name is None:
        return [f"alphabet: {_told(session.puzzle.alphabet)}", "", *_all_lines()]
    session.edit(f"alphabet {name.name}", lambda puzzle: edits.set_alphabet(puzzle, name))
    return [f"alphabet: {_told(name)}", *filter(None, [foreign_words(session.puzzle)])]


def _told(alphabet: Alphabet) -> str:
    return f"{alphabet.title}: {alphabet.shown}"


def _all_lines() -> list[str]:
    names = alphabet_names()
    width = max(map(len, names))
    return [f"{name:{width}}  {_told_of(name)}" for name in names]


def _told_of(name: str) -> str:
    """The title and letters of an alphabet, or what is wrong with its file."""
    try:
        return _told(find_alphabet(name))
    except WordListError as error:
        return str(error)
