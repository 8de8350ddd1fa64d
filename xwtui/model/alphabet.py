"""Alphabets: which letters a puzzle has, in which order, which of several characters take one square."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from xwtui.dataclasses import dataclass
from xwtui.errors import PuzzleError
from xwtui.lazy import lazy_pattern
from xwtui.model.letters import DIGITS, ENGLISH_LETTERS, are_known
from xwtui.model.square import Content

MOST_SYMBOLS = 64
"""Letters, digits and strings of several letters that the filler can tell apart in a square."""

_NAME = lazy_pattern(r"[a-z][a-z0-9-]{0,29}")
_LONGEST_TITLE = 40
_LONGEST_DIGRAPH = 3
_LONGEST_FOLD = 3


@dataclass(frozen=True)
class Alphabet:
    """The letters of a puzzle, as data.

    `letters` stand in their order; those of two or three characters are digraphs, which take one square. `folds`
    says what is written for letters that it lacks, by convention; all others lose their accents, if it has what
    is left of them then. Raises PuzzleError for what cannot be an alphabet.
    """

    name: str
    """Small letters, digits and hyphens: what it is called in verbs and files."""
    title: str
    """What it is called in a sentence."""
    letters: tuple[str, ...]
    folds: tuple[tuple[str, str], ...] = ()
    """A capital that it lacks, with the letters that are written for it; none drop it."""
    has_digits: bool = True
    """Whether its squares may hold digits."""

    def __post_init__(self) -> None:
        is_shown = 0 < len(self.title) <= _LONGEST_TITLE and self.title.isprintable()
        if _NAME.fullmatch(self.name) is None or not is_shown:
            raise PuzzleError("an alphabet has a lowercase name and a title of at most 40 characters")
        self._check_letters()
        for capital, written in self.folds:
            if len(capital) != 1 or capital in self.symbols or not (set(written) <= set(self.symbols)):
                raise PuzzleError(f"the alphabet {self.name} cannot write {written!r} for {capital!r}")
            if len(written) > _LONGEST_FOLD:
                raise PuzzleError(f"the alphabet {self.name} writes more than 3 letters for {capital!r}")

    def _check_letters(self) -> None:
        bad = [each for each in self.letters if not are_known(each) or not set(each).isdisjoint(DIGITS)]
        if bad or not self.letters or len(set(self.letters)) < len(self.letters):
            raise PuzzleError(f"the alphabet {self.name} has repeated or impossible letters: {bad}")
        for digraph in self.digraphs:
            if len(digraph) > _LONGEST_DIGRAPH or not set(digraph) <= set(self.letters):
                raise PuzzleError(f"the alphabet {self.name} lacks letters of {digraph!r}")
        if len(self.symbols) + len(self.digraphs) > MOST_SYMBOLS:
            raise PuzzleError(
                f"the alphabet {self.name} has {len(self.symbols) + len(self.digraphs)} letters and digits; "
                f"the filler supports at most {MOST_SYMBOLS}"
            )

    @cached_property
    def digraphs(self) -> tuple[str, ...]:
        """The letters of several characters that take one square, such as CH."""
        return tuple(each for each in self.letters if len(each) > 1)

    @cached_property
    def symbols(self) -> str:
        """The letters of one character in their order, then the digits where it has these."""
        return "".join(each for each in self.letters if len(each) == 1) + (DIGITS if self.has_digits else "")

    @cached_property
    def takes_ascii(self) -> bool:
        """Whether it has all of A-Z and 0-9, so that these need no second look."""
        return set(ENGLISH_LETTERS + DIGITS) <= set(self.symbols)

    @cached_property
    def _symbol_set(self) -> frozenset[str]:
        return frozenset(self.symbols)

    def has_all(self, text: str) -> bool:
        """Whether a text has none but its letters, capitals, and its digits."""
        return self._symbol_set.issuperset(text)

    @cached_property
    def shown(self) -> str:
        """Its letters for a sentence: `A-Z Å Ä Ö`, and all of them where it is no longer A-Z."""
        if self.letters[:26] == tuple(ENGLISH_LETTERS):
            return " ".join(["A-Z", *self.letters[26:]])
        if set(ENGLISH_LETTERS) <= set(self.letters):
            return " ".join(["A-Z", *(each for each in self.letters if each not in set(ENGLISH_LETTERS))])
        return " ".join(self.letters)

    @cached_property
    def fold_of(self) -> Mapping[str, str]:
        """What is written for letters that it lacks, by convention."""
        return dict(self.folds)

    @property
    def language(self) -> str:
        """Its name without what sets it apart from others of one language: `spanish` of `spanish-ch-ll`."""
        return self.name.partition("-")[0]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {letter: place for place, letter in enumerate((*self.letters, *DIGITS))}

    @cached_property
    def _units(self) -> re.Pattern[str]:
        by_length = sorted(self.digraphs, key=len, reverse=True)
        return re.compile("|".join([*by_length, "."]), re.DOTALL)

    def sort_key(self, word: str) -> tuple[int, ...]:
        """What sorts normalised words in the order of the alphabet; letters that it lacks come last."""
        return tuple(self._places.get(unit, len(self._places) + ord(unit[0])) for unit in self.units(word))

    def units(self, word: str) -> list[str]:
        """The letters of a word, each as it takes a square: `CH I L E`."""
        return self._units.findall(word) if self.digraphs else list(word)

    def is_rebus(self, content: Content) -> bool:
        """Whether a square holds more than one letter of it: a digraph is one."""
        return content.is_rebus and content.text not in self.digraphs

    def in_squares(self, answer: str) -> str:
        """An answer with its digraphs in brackets, as squares of several letters are written: `[CH]ILE`.

        What stands in brackets already stays as it is.
        """
        if not self.digraphs:
            return answer
        parts = re.split(r"(\[[^\]]*\])", answer)
        return "".join(
            part if index % 2 else "".join(f"[{unit}]" if len(unit) > 1 else unit for unit in self.units(part))
            for index, part in enumerate(parts)
        )

    def lacks(self, text: str) -> str:
        """The letters of a normalised text that the alphabet does not have, each once."""
        return "".join(dict.fromkeys(each for each in text if each not in self._symbol_set and each.isalnum()))


def alphabet_of(name: str, fields: dict[str, Any]) -> Alphabet:
    """The alphabet that the fields of a file describe; raises PuzzleError where they are none."""
    match fields:
        case {"title": str(title), "letters": str(letters), **others}:
            folds, has_digits = others.pop("folds", {}), others.pop("digits", True)
            if (
                isinstance(folds, dict)
                and all(isinstance(part, str) for pair in folds.items() for part in pair)
                and isinstance(has_digits, bool)
                and not others
            ):
                return Alphabet(name, title, tuple(letters.split()), tuple(folds.items()), has_digits)
    raise PuzzleError(
        "an alphabet has a `title`, its `letters` separated by spaces, and optionally `[folds]` and `digits`"
    )


def alphabet_fields(alphabet: Alphabet) -> dict[str, Any]:
    """What `alphabet_of` reads."""
    fields: dict[str, Any] = {"title": alphabet.title, "letters": " ".join(alphabet.letters)}
    if alphabet.folds:
        fields["folds"] = dict(alphabet.folds)
    if not alphabet.has_digits:
        fields["digits"] = False
    return fields


ENGLISH = Alphabet("english", "English", tuple(ENGLISH_LETTERS))
