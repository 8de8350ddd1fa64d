"""How the names of alphabets are read from a line and completed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from xwtui.errors import WordListError
from xwtui.model.alphabet import Alphabet
from xwtui.session.verbs.types import VerbType
from xwtui.words.alphabets import alphabet_names, find_alphabet

if TYPE_CHECKING:
    from xwtui.session.session import Session

AS_FILE_TELLS = "auto"
"""The word for the alphabet that a list's file tells."""


class AlphabetType(VerbType[Alphabet]):
    """The name of an alphabet."""

    name = "alphabet"

    @property
    def choices(self) -> tuple[str, ...]:
        """All names, by which its verbs are found."""
        return tuple(alphabet_names())

    def read(self, text: str, session: Session) -> Alphabet:
        """The alphabet; raises WordListError where there is none."""
        return find_alphabet(text)

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """The names, with their titles and letters."""
        names = [name for name in alphabet_names() if name.startswith(beginning.lower())]
        return [CompletionItem(name, help=told_of(name)) for name in names]


class ListAlphabetType(VerbType[str]):
    """The name of an alphabet, or `auto`."""

    name = "alphabet"

    def read(self, text: str, session: Session) -> str:
        """The alphabet's name; raises WordListError where there is none."""
        return AS_FILE_TELLS if text.strip().lower() == AS_FILE_TELLS else find_alphabet(text).name

    def offers(self, session: Session, beginning: str) -> list[CompletionItem[str]]:
        """`auto`, and the names."""
        first = [CompletionItem(AS_FILE_TELLS)] if AS_FILE_TELLS.startswith(beginning.lower()) else []
        return [*first, *AlphabetType().offers(session, beginning)]


def alphabet_told(alphabet: Alphabet) -> str:
    """An alphabet in words: `Swedish: A-Z Å Ä Ö`."""
    return f"{alphabet.title}: {alphabet.shown}"


def told_of(name: str) -> str:
    """The title and letters of an alphabet, or what is wrong with its file."""
    try:
        return alphabet_told(find_alphabet(name))
    except WordListError as error:
        return str(error)
