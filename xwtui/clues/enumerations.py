"""Enumerations that are suggested for an answer: as word lists write it, and as WordNet does."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from xwtui.clues.glosses import Glosses, shipped_glosses
from xwtui.errors import WordListError
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.enumeration import AnswerEnumeration
from xwtui.words.normalise import as_answer
from xwtui.words.written_parts import enumeration_of

if TYPE_CHECKING:
    from xwtui.words.lexicon import Lexicon


class EnumerationSource(enum.Enum):
    """Who writes an answer so; the value is what it is called."""

    LISTS = "word lists"
    WORDNET = "WordNet"


class SuggestedEnumeration(NamedTuple):
    """An enumeration, and who writes the answer so."""

    enumeration: AnswerEnumeration
    source: EnumerationSource


def suggested_enumerations(
    answer: str, alphabet: Alphabet = ENGLISH, lexicon: Lexicon | None = None, glosses: Glosses | None = None
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
            for told in _of_wordnet(answer, shipped_glosses() if glosses is None else glosses):
                found.setdefault(told, EnumerationSource.WORDNET)
    return tuple(SuggestedEnumeration(told, source) for told, source in found.items())


def _of_wordnet(answer: str, glosses: Glosses) -> Iterator[AnswerEnumeration]:
    for definition in glosses.definitions(answer):
        terms = (term for sense in definition.senses for term in sense.words if definition.form is None)
        for term in terms:
            if as_answer(term) == answer:
                yield enumeration_of(term) or AnswerEnumeration((len(answer),))
