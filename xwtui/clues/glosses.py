"""WordNet glosses of words and of the bases of inflected words (AXLE for AXLES, RUN for RAN).

The rules for regular forms are those of WordNet's morphological processor, see morphy(7WN). Irregular forms come
from its exception lists.
"""

from __future__ import annotations

import enum
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from xwtui.errors import WordListError
from xwtui.lazy import lazy_pattern
from xwtui.memory import kept_while_used
from xwtui.resources import glosses_file


class PartOfSpeech(enum.Enum):
    """The parts of speech in WordNet."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"


class Form(enum.Enum):
    """The relation of an inflected word to its base; the value precedes `of BASE`."""

    PLURAL = "plural"
    THIRD_PERSON = "third person"
    PAST = "past form"
    ING = "-ing form"
    COMPARATIVE = "comparative"
    SUPERLATIVE = "superlative"
    OTHER = "form"


class Base(NamedTuple):
    """A possible base of another word."""

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
"""Minimum length of a base."""

Irregular = Mapping[str, tuple[tuple[str, PartOfSpeech], ...]]
"""Bases of each irregular form, with their parts of speech."""


def bases(word: str, irregular: Irregular) -> Iterator[Base]:
    """Yield the possible bases of a word in capitals, irregular forms first; they need not be words."""
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
    """Return an irregular form's relation to its base, as far as its ending shows."""
    if part is PartOfSpeech.NOUN:
        return Form.PLURAL
    if part is PartOfSpeech.VERB:
        if base == "BE":
            return Form.OTHER
        if word.endswith("ING"):
            return Form.ING
        return Form.THIRD_PERSON if word.endswith("S") else Form.PAST
    return Form.SUPERLATIVE if word.endswith("ST") else Form.COMPARATIVE


_SENSES_A_MEMBER = 1000
_PARTS = {
    "n": PartOfSpeech.NOUN,
    "v": PartOfSpeech.VERB,
    "a": PartOfSpeech.ADJECTIVE,
    "r": PartOfSpeech.ADVERB,
}
_SHORTEST_PIECE = 2
"""Minimum length of a phrase's inflected word and of the rest."""
_MEMBERS_KEPT = 64
_QUOTED = lazy_pattern(r"`([^`']+)'")
"""Matches a word in WordNet's quotation marks."""


class Sense(Struct, frozen=True):
    """One meaning: its part of speech, its synonyms as written, and the gloss."""

    part: PartOfSpeech
    words: tuple[str, ...]
    gloss: str


class Definition(Struct, frozen=True):
    """The meanings of a word, or of the base that it is a form of: AXLES is the plural of AXLE.

    `form` is None if the senses are the word's own; then `base` is the word itself.
    """

    base: str
    form: Form | None
    senses: tuple[Sense, ...]


class Glosses:
    """The glosses in a file made by `wordlists/build_glosses.py`, with a cache.

    Raises WordListError if the file is missing or damaged.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path if path is not None else glosses_file()
        self._member = lru_cache(_MEMBERS_KEPT)(self._read)
        self._synsets = lru_cache(_MEMBERS_KEPT)(lambda member: self._read(f"senses/{member}").split("\n"))

    def definitions(self, word: str) -> tuple[Definition, ...]:
        """Return the meanings of a word in capitals A-Z and 0-9: its own senses, then those of its possible bases.

        Within each, the most common sense comes first. The result is empty if WordNet lacks the word.
        """
        own = self._senses(word)
        found = [Definition(word, None, own)] if own else []
        for base, part, form in bases(word, self._irregular):
            senses = tuple(sense for sense in self._senses(base) if sense.part is part)
            found += [Definition(base, form, senses)] if senses else []
        return tuple(found) or tuple(self._phrases(word))

    def _phrases(self, word: str) -> Iterator[Definition]:
        """Yield definitions of an inflected phrase's base: `jump the gun` for JUMPEDTHEGUN, `wisdom tooth`."""
        for cut in range(_SHORTEST_PIECE, len(word) - _SHORTEST_PIECE + 1):
            head, tail = word[:cut], word[cut:]
            for base, part, form in bases(head, self._irregular):
                if part is PartOfSpeech.VERB:
                    yield from self._phrase(base + tail, base, 0, part, form)
            for base, part, form in bases(tail, self._irregular):
                if part is PartOfSpeech.NOUN:
                    yield from self._phrase(head + base, base, -1, part, form)

    def _phrase(
        self, word: str, inflected: str, place: int, part: PartOfSpeech, form: Form
    ) -> Iterator[Definition]:
        """Yield the definition of a phrase if the inflected word is at this place in it."""
        senses = tuple(
            sense
            for sense in self._senses(word)
            if sense.part is part
            and any(term.upper().split(" ")[place] == inflected for term in sense.words if " " in term)
        )
        if senses:
            yield Definition(word, form, senses)

    def _senses(self, word: str) -> tuple[Sense, ...]:
        words = self._member(f"words/{word[:2]}")
        start = 0 if words.startswith(f"{word}\t") else words.find(f"\n{word}\t") + 1
        if not words.startswith(f"{word}\t", start):
            return ()
        numbers = words[start : words.index("\n", start)].partition("\t")[2]
        senses: list[Sense] = []
        for number in map(int, numbers.split(" ")):
            member, line = divmod(number, _SENSES_A_MEMBER)
            part, terms, gloss = self._synsets(member)[line].split("\t")
            senses.append(Sense(_PARTS[part], tuple(terms.split("|")), _QUOTED.sub(r'"\1"', gloss)))
        return tuple(senses)

    @cached_property
    def _irregular(self) -> Irregular:
        found: dict[str, list[tuple[str, PartOfSpeech]]] = {}
        for line in self._member("irregular").splitlines():
            form, base, part = line.split("\t")
            found.setdefault(form, []).append((base, _PARTS[part]))
        return {form: tuple(made) for form, made in found.items()}

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._archive.namelist())

    @cached_property
    def _archive(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self._path)
        except (OSError, zipfile.BadZipFile) as error:
            raise WordListError(f"cannot read the glosses in {self._path}: {error}") from error

    def _read(self, name: str) -> str:
        if name not in self._names:
            return ""
        try:
            return self._archive.read(name).decode("utf-8")
        except (OSError, zipfile.BadZipFile, zlib.error, ValueError) as error:
            raise WordListError(f"the glosses in {self._path} are damaged: {error}") from error


@kept_while_used
@cache
def shipped_glosses() -> Glosses:
    """Return the shipped glosses."""
    return Glosses()
