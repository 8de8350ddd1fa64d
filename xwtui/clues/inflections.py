"""What an inflected word may be made of: AXLES of AXLE, RAN of RUN.

The rules for regular forms are those of WordNet's morphological processor (manual page morphy(7WN)); the irregular
ones come from its lists of exceptions.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class PartOfSpeech(enum.Enum):
    """The kinds of words that WordNet has."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"


class Form(enum.Enum):
    """What an inflected word is of its base; the value stands before `of BASE`."""

    PLURAL = "plural"
    THIRD_PERSON = "third person"
    PAST = "past form"
    ING = "-ing form"
    COMPARATIVE = "comparative"
    SUPERLATIVE = "superlative"
    OTHER = "form"


class Base(NamedTuple):
    """A word that another may be made of."""

    word: str
    part: PartOfSpeech
    form: Form


_NOUN, _VERB, _ADJECTIVE = PartOfSpeech.NOUN, PartOfSpeech.VERB, PartOfSpeech.ADJECTIVE

_ENDINGS: tuple[tuple[str, str, PartOfSpeech, Form], ...] = (
    ("S", "", _NOUN, Form.PLURAL),
    ("SES", "S", _NOUN, Form.PLURAL),
    ("XES", "X", _NOUN, Form.PLURAL),
    ("ZES", "Z", _NOUN, Form.PLURAL),
    ("CHES", "CH", _NOUN, Form.PLURAL),
    ("SHES", "SH", _NOUN, Form.PLURAL),
    ("MEN", "MAN", _NOUN, Form.PLURAL),
    ("IES", "Y", _NOUN, Form.PLURAL),
    ("S", "", _VERB, Form.THIRD_PERSON),
    ("IES", "Y", _VERB, Form.THIRD_PERSON),
    ("ES", "E", _VERB, Form.THIRD_PERSON),
    ("ES", "", _VERB, Form.THIRD_PERSON),
    ("ED", "E", _VERB, Form.PAST),
    ("ED", "", _VERB, Form.PAST),
    ("IED", "Y", _VERB, Form.PAST),
    ("ING", "E", _VERB, Form.ING),
    ("ING", "", _VERB, Form.ING),
    ("ER", "", _ADJECTIVE, Form.COMPARATIVE),
    ("EST", "", _ADJECTIVE, Form.SUPERLATIVE),
    ("ER", "E", _ADJECTIVE, Form.COMPARATIVE),
    ("EST", "E", _ADJECTIVE, Form.SUPERLATIVE),
    ("IER", "Y", _ADJECTIVE, Form.COMPARATIVE),
    ("IEST", "Y", _ADJECTIVE, Form.SUPERLATIVE),
)
_SHORTEST = 2
"""Letters of the shortest base."""

Irregular = Mapping[str, tuple[tuple[str, PartOfSpeech], ...]]
"""The bases of each irregular form, with their parts of speech."""


def bases(word: str, irregular: Irregular) -> Iterator[Base]:
    """What a word in capitals may be made of, irregular forms first; not each of them need be a word."""
    found: set[Base] = set()
    exceptions = irregular.get(word, ())
    for base, part in exceptions:
        found.add(made := Base(base, part, _form_of(word, base, part)))
        yield made
    regular_parts = set(PartOfSpeech) - {part for _, part in exceptions}
    for ending, replaced, part, form in _ENDINGS:
        if word.endswith(ending) and part in regular_parts:
            made = Base(word.removesuffix(ending) + replaced, part, form)
            if len(made.word) >= _SHORTEST and made not in found:
                found.add(made)
                yield made


def _form_of(word: str, base: str, part: PartOfSpeech) -> Form:
    """What an irregular form is, as far as its end tells."""
    if part is PartOfSpeech.NOUN:
        return Form.PLURAL
    if part is PartOfSpeech.VERB:
        if base == "BE":
            return Form.OTHER
        if word.endswith("ING"):
            return Form.ING
        return Form.THIRD_PERSON if word.endswith("S") else Form.PAST
    return Form.SUPERLATIVE if word.endswith("ST") else Form.COMPARATIVE
