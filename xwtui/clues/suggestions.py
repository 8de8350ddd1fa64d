"""Clues that are suggested for an answer (one's own, imported ones, WordNet's glosses), and enumerations."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice

from msgspec import Struct

from xwtui.clues.book import ClueBook, origin_words
from xwtui.clues.glosses import Form, Glosses, PartOfSpeech, shipped_glosses
from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.clues import AnswerEnumeration
from xwtui.model.letters import KNOWN
from xwtui.model.markup import as_markup
from xwtui.named_tuples import NamedTuple
from xwtui.text import without_accents
from xwtui.words.normalise import as_answer, enumeration_of

with lazy_imports():
    from xwtui.words.lexicon import Lexicon

LETTERS_IN_A_ROW = 4

_APOSTROPHES = lazy_pattern(r"['’ʼ`]")
_WORD = lazy_pattern(rf"[{KNOWN}]+")


def gives_away(text: str, answer: str) -> bool:
    """Whether a clue shows four letters in a row of its answer, which is in capitals and 0-9; accents say nothing.

    They are sought within each word of the clue ("internal" gives TERN away) and in whole words that stand
    together ("as I see it" gives ASISEEIT away), not across parts of words: "the attic" does not give HEAT away.
    An answer of fewer letters is given away as a word of its own alone: "wheel" says nothing about EEL.
    """
    answer = without_accents(answer)
    words = _WORD.findall(_APOSTROPHES.sub("", without_accents(text)).upper())
    rows = [answer[start : start + LETTERS_IN_A_ROW] for start in range(len(answer) - LETTERS_IN_A_ROW + 1)]
    return any(row in word for word in words for row in rows) or any(
        _begins_run(words, start, answer) for start in range(len(words))
    )


def _begins_run(words: list[str], start: int, answer: str) -> bool:
    """Whether words from one on, whole ones, are enough of the answer."""
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
    """Whether a clue points to another entry of its puzzle, `With 17-Across`, which this one may not have."""
    return _OTHER_ENTRY.search(text) is not None


MOST_OF_BOOK = 40
MOST_GLOSSES = 20
"""Suggestions of each kind for one answer."""

_MOST_LOOKED_AT = 400
"""Clues of the book for one answer that are looked at."""


class SuggestionKind(enum.Enum):
    """Where a suggestion comes from, in the order in which they are made."""

    OWN = "own"
    """A puzzle of the constructor's own."""
    IMPORTED = "imported"
    GLOSS = "gloss"


class Suggestion(Struct, frozen=True):
    """A clue that an answer could have; its `text` is markup, as in `model/markup.py`.

    `title` names the puzzle or list where it stood last, by `author`, on a `date` as in 2026-11-22, each empty
    where nobody knows; `times` tells in how many it stood. A gloss has its part of speech, and where the answer is
    an inflected `form`, the `base` that it is the gloss of.
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
    """Whether four letters in a row of the answer stand in it, as they may in one's own clues alone."""

    @property
    def origin(self) -> str:
        """Where it is from, in words: `Heart to Heart, 2026-11-22, and 2 more`, or `noun, plural of AXLE`."""
        if self.part is not None:
            of_base = f"{self.form.value} of {self.base}" if self.form is not None else ""
            return ", ".join(filter(None, (self.part.value, of_base)))
        told = origin_words(self.title, self.author, self.date, self.times)
        return ", ".join(filter(None, (told, "names another entry" if names_entry(self.text) else "")))


def suggestions(answer: str, book: ClueBook | None = None) -> tuple[Suggestion, ...]:
    """The clues to suggest for an answer, the likeliest first: one's own, imported ones, then glosses.

    Imported clues and glosses that have four letters in a row of the answer are left out, since they give it away
    (`gives_away`); one's own are kept, and marked. The same text comes once. Of clues that are one's own, and of
    imported ones, those of most puzzles come first, then the newest; imported ones that name other entries are
    last. Glosses come by how common the meaning is.

    `book` is the user's where none is told. Raises ClueBookError where the book cannot be read, WordListError for
    an answer that is no word.
    """
    word = as_answer(answer)
    glossed = _distinct(_of_glosses(word, shipped_glosses()))
    return tuple(_distinct(chain(book_suggestions(word, book), islice(glossed, MOST_GLOSSES))))


def book_suggestions(answer: str, book: ClueBook | None = None) -> tuple[Suggestion, ...]:
    """Those of them that the clue book has; raises as `suggestions`."""
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
    """Each text once, whatever its capitals and its last full stop."""
    texts: set[str] = set()
    for one in found:
        text = one.text.casefold().rstrip(".")
        if text not in texts:
            texts.add(text)
            yield one


class EnumerationSource(enum.Enum):
    """Who writes an answer so; the value is what it is called."""

    LISTS = "word lists"
    WORDNET = "WordNet"


class SuggestedEnumeration(NamedTuple):
    """An enumeration, and who writes the answer so."""

    enumeration: AnswerEnumeration
    source: EnumerationSource


def suggested_enumerations(
    answer: str, alphabet: Alphabet, lexicon: Lexicon | None
) -> tuple[SuggestedEnumeration, ...]:
    """The enumerations of an answer, those of the lists first; none where nobody knows how it is written.

    A list tells of words that it has in several parts alone, since most leave out all blanks. WordNet knows
    English, and of a phrase its basic form alone.
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
    for definition in glosses.definitions(answer):
        terms = (term for sense in definition.senses for term in sense.words if definition.form is None)
        for term in terms:
            if as_answer(term) == answer:
                yield enumeration_of(term) or AnswerEnumeration((len(answer),))
