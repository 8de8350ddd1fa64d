"""Clues that are suggested for an answer: one's own, imported ones, and WordNet's glosses as raw material."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from xwtui.clues.book import ClueBook, origin_words
from xwtui.clues.giveaway import gives_away
from xwtui.clues.glosses import Glosses, shipped_glosses
from xwtui.clues.inflections import Form, PartOfSpeech
from xwtui.model.markup import as_markup
from xwtui.words.normalise import as_answer

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


@dataclass(frozen=True)
class Suggestion:
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
        return origin_words(self.title, self.author, self.date, self.times)


def suggestions(
    answer: str, book: ClueBook | None = None, glosses: Glosses | None = None
) -> tuple[Suggestion, ...]:
    """The clues to suggest for an answer, the likeliest first: one's own, imported ones, then glosses.

    Imported clues and glosses that have four letters in a row of the answer are left out, since they give it away
    (`giveaway.py`); one's own are kept, and marked. The same text comes once. Of clues that are one's own, and of
    imported ones, those of most puzzles come first, then the newest; glosses come by how common the meaning is.

    `book` is the user's and `glosses` those that ship where none are told. Raises ClueBookError where the book
    cannot be read, WordListError for an answer that is no word.
    """
    word = as_answer(answer)
    glossed = _distinct(_of_glosses(word, glosses or shipped_glosses()))
    return tuple(_distinct(chain(book_suggestions(word, book), islice(glossed, MOST_GLOSSES))))


def book_suggestions(answer: str, book: ClueBook | None = None) -> tuple[Suggestion, ...]:
    """Those of them that the clue book has; raises as `suggestions`."""
    return tuple(islice(_distinct(_of_book(as_answer(answer), book or ClueBook())), MOST_OF_BOOK))


def _of_book(word: str, book: ClueBook) -> Iterator[Suggestion]:
    for clue in book.clues_of(word, _MOST_LOOKED_AT):
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
