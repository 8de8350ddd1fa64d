"""Suggestions for an answer: clues (own, imported, and WordNet glosses) and enumerations."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from typing import NamedTuple

from msgspec import Struct

from xwtui.clues.book import ClueBook, origin_words
from xwtui.clues.glosses import Form, Glosses, PartOfSpeech, shipped_glosses
from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.clues import AnswerEnumeration
from xwtui.model.letters import KNOWN
from xwtui.model.markup import as_markup
from xwtui.text import without_accents
from xwtui.words.normalise import as_answer, enumeration_of

with lazy_imports():
    from xwtui.words.lexicon import Lexicon

LETTERS_IN_A_ROW = 4

_APOSTROPHES = lazy_pattern(r"['’ʼ`]")
_WORD = lazy_pattern(rf"[{KNOWN}]+")


def gives_away(text: str, answer: str) -> bool:
    """Whether a clue contains four consecutive letters of its answer (capitals and 0-9), ignoring accents.

    They are searched within each word of the clue ("internal" gives TERN away) and in adjacent whole words ("as I
    see it" gives ASISEEIT away), but not across parts of words: "the attic" does not give HEAT away. A shorter
    answer is given away only if it occurs as a word: "wheel" does not give EEL away.
    """
    answer = without_accents(answer)
    words = _WORD.findall(_APOSTROPHES.sub("", without_accents(text)).upper())
    rows = [answer[start : start + LETTERS_IN_A_ROW] for start in range(len(answer) - LETTERS_IN_A_ROW + 1)]
    return any(row in word for word in words for row in rows) or any(
        _begins_run(words, start, answer) for start in range(len(words))
    )


def _begins_run(words: list[str], start: int, answer: str) -> bool:
    """Whether whole words from one on spell enough of the answer."""
    run = ""
    for word in words[start:]:
        run += word
        if run not in answer:
            return False
        if len(run) >= min(LETTERS_IN_A_ROW, len(answer)):
            return True
    return False


_OTHER_ENTRY = lazy_pattern(r"\b\d{1,3}[ -]?(?:across|down)\b", re.IGNORECASE)


def names_entry(text: str) -> bool:
    """Whether a clue refers to another entry, `With 17-Across`, which another puzzle may lack."""
    return _OTHER_ENTRY.search(text) is not None


MOST_OF_BOOK = 40
MOST_GLOSSES = 20
"""Maximum number of suggestions of each kind for one answer."""

_MOST_LOOKED_AT = 400
"""Maximum number of the book's clues considered for one answer."""


class SuggestionKind(enum.Enum):
    """The source of a suggestion, in the order in which they are listed."""

    OWN = "own"
    """One of the constructor's own puzzles."""
    IMPORTED = "imported"
    GLOSS = "gloss"


class Suggestion(Struct, frozen=True):
    """A clue suggested for an answer; its `text` is markup, as in `model/markup.py`.

    `title`, `author` and `date` (like 2026-11-22) describe its most recent source, and are empty if unknown.
    `times` is the number of uses. A gloss has its part of speech, and, if the answer is an inflected `form`, the
    `base` that it defines.
    """

    text: str
    kind: SuggestionKind
    title: str = ""
    author: str = ""
    date: str = ""
    times: int = 1
    part: PartOfSpeech | None = None
    form: Form | None = None
    base: str = ""
    gives_away: bool = False
    """Whether it contains four consecutive letters of the answer, which is possible only for one's own clues."""

    @property
    def origin(self) -> str:
        """The origin in words: `Heart to Heart, 2026-11-22, and 2 more`, or `noun, plural of AXLE`."""
        if self.part is not None:
            of_base = f"{self.form.value} of {self.base}" if self.form is not None else ""
            return ", ".join(filter(None, (self.part.value, of_base)))
        told = origin_words(self.title, self.author, self.date, self.times)
        return ", ".join(filter(None, (told, "names another entry" if names_entry(self.text) else "")))


def suggestions(answer: str, book: ClueBook | None = None) -> tuple[Suggestion, ...]:
    """Return suggested clues for an answer, most promising first: own ones, imported ones, then glosses.

    Imported clues and glosses that contain four consecutive letters of the answer are omitted, because they give
    it away (`gives_away`); own clues are kept and marked. Each text occurs once. Own and imported clues are
    ordered by number of uses and then newest first, with imported ones that refer to other entries last. Glosses
    are ordered by how common the meaning is.

    `book` is the user's by default. Raises ClueBookError if the book cannot be read, WordListError for an invalid
    answer.
    """
    word = as_answer(answer)
    glossed = _distinct(_of_glosses(word, shipped_glosses()))
    return tuple(_distinct(chain(book_suggestions(word, book), islice(glossed, MOST_GLOSSES))))


def book_suggestions(answer: str, book: ClueBook | None = None) -> tuple[Suggestion, ...]:
    """Return the suggestions from the clue book; raises as `suggestions` does."""
    return tuple(islice(_distinct(_of_book(as_answer(answer), book or ClueBook())), MOST_OF_BOOK))


def _of_book(word: str, book: ClueBook) -> Iterator[Suggestion]:
    found = book.clues_of(word, _MOST_LOOKED_AT)
    for clue in sorted(found, key=lambda clue: not clue.source.is_own and names_entry(clue.text)):
        source, shows = clue.source, gives_away(clue.text, word)
        if source.is_own or not shows:
            kind = SuggestionKind.OWN if source.is_own else SuggestionKind.IMPORTED
            yield Suggestion(clue.text, kind, source.title, source.author, clue.date, clue.times, gives_away=shows)


def _of_glosses(word: str, glosses: Glosses) -> Iterator[Suggestion]:
    for definition in glosses.definitions(word):
        for sense in definition.senses:
            if sense.gloss and not gives_away(sense.gloss, word):
                base = definition.base if definition.form is not None else ""
                text = as_markup(sense.gloss[:1].upper() + sense.gloss[1:])
                yield Suggestion(text, SuggestionKind.GLOSS, part=sense.part, form=definition.form, base=base)


def _distinct(found: Iterator[Suggestion]) -> Iterator[Suggestion]:
    """Yield each text once, ignoring case and a final period."""
    texts: set[str] = set()
    for one in found:
        text = one.text.casefold().rstrip(".")
        if text not in texts:
            texts.add(text)
            yield one


class EnumerationSource(enum.Enum):
    """The source of an enumeration. The value is its display name."""

    LISTS = "word lists"
    WORDNET = "WordNet"


class SuggestedEnumeration(NamedTuple):
    """An enumeration and its source."""

    enumeration: AnswerEnumeration
    source: EnumerationSource


def suggested_enumerations(
    answer: str, alphabet: Alphabet, lexicon: Lexicon | None
) -> tuple[SuggestedEnumeration, ...]:
    """Return known enumerations of an answer, those of word lists first; empty if there are none.

    Lists contribute only words that they write in several parts, since most lists omit all spaces. WordNet
    contributes English words with their inflected forms, and of phrases only the base form.
    """
    found: dict[AnswerEnumeration, EnumerationSource] = {}
    if lexicon is not None:
        found = dict.fromkeys(lexicon.enumerations(answer), EnumerationSource.LISTS)
    if alphabet.letters == ENGLISH.letters:
        with suppress(WordListError):
            for told in _of_wordnet(answer, shipped_glosses()):
                found.setdefault(told, EnumerationSource.WORDNET)
    return tuple(SuggestedEnumeration(told, source) for told, source in found.items())


def _of_wordnet(answer: str, glosses: Glosses) -> Iterator[AnswerEnumeration]:
    whole = AnswerEnumeration((len(answer),))
    for definition in glosses.definitions(answer):
        terms = (term for sense in definition.senses for term in sense.words if as_answer(term) == definition.base)
        told = [enumeration_of(term) or whole for term in terms]
        if definition.form is None:
            yield from told
        elif told and all(one == whole for one in told):
            yield whole
