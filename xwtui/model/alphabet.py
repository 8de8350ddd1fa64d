"""Alphabets: a puzzle's letters, their order, and the digraphs that take one square."""

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
"""Maximum number of distinct letters, digits and digraphs that the filler supports in a square."""

_NAME = lazy_pattern(r"[a-z][a-z0-9-]{0,29}")
_LONGEST_TITLE = 40
_LONGEST_DIGRAPH = 3
_LONGEST_FOLD = 3


@dataclass(frozen=True)
class Alphabet:
    """The letters of a puzzle, as data.

    `letters` are in alphabetical order. Those of two or three characters are digraphs, which take one square.
    `folds` defines the conventional spelling of letters that the alphabet lacks. Any other missing letter loses
    its accents, provided that the alphabet has the bare letter. Raises PuzzleError if the fields do not form a
    valid alphabet.
    """

    name: str
    """Name in verbs and files: lowercase letters, digits and hyphens."""
    title: str
    """Name in a sentence."""
    letters: tuple[str, ...]
    folds: tuple[tuple[str, str], ...] = ()
    """Pairs of a capital that the alphabet lacks and the letters written for it. An empty string drops the
    capital."""
    has_digits: bool = True
    """Whether squares may hold digits."""

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
        """The letters of several characters, such as CH, each of which takes one square."""
        return tuple(each for each in self.letters if len(each) > 1)

    @cached_property
    def symbols(self) -> str:
        """The single-character letters in alphabetical order, followed by the digits if the alphabet has them."""
        return "".join(each for each in self.letters if len(each) == 1) + (DIGITS if self.has_digits else "")

    @cached_property
    def takes_ascii(self) -> bool:
        """Whether the alphabet has all of A-Z and 0-9, so that ASCII words need no further check."""
        return set(ENGLISH_LETTERS + DIGITS) <= set(self.symbols)

    @cached_property
    def _symbol_set(self) -> frozenset[str]:
        return frozenset(self.symbols)

    def has_all(self, text: str) -> bool:
        """Whether a text consists only of the alphabet's capital letters and digits."""
        return self._symbol_set.issuperset(text)

    @cached_property
    def shown(self) -> str:
        """The letters for a sentence: `A-Z Å Ä Ö`, or a full list if some of A-Z are missing."""
        if set(ENGLISH_LETTERS) <= set(self.letters):
            return " ".join(["A-Z", *(each for each in self.letters if each not in set(ENGLISH_LETTERS))])
        return " ".join(self.letters)

    @cached_property
    def fold_of(self) -> Mapping[str, str]:
        """The conventional spelling of each letter that the alphabet lacks."""
        return dict(self.folds)

    @property
    def language(self) -> str:
        """The name up to the first hyphen, which names the language: `spanish` for `spanish-ch-ll`."""
        return self.name.partition("-")[0]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {letter: place for place, letter in enumerate((*self.letters, *DIGITS))}

    @cached_property
    def _units(self) -> re.Pattern[str]:
        by_length = sorted(self.digraphs, key=len, reverse=True)
        return re.compile("|".join([*by_length, "."]), re.DOTALL)

    def sort_key(self, word: str) -> tuple[int, ...]:
        """Return a key that sorts normalized words alphabetically; letters not in the alphabet come last."""
        return tuple(self._places.get(unit, len(self._places) + ord(unit[0])) for unit in self.units(word))

    def units(self, word: str) -> list[str]:
        """Return the letters of a word, one for each square it takes: `CH I L E`."""
        return self._units.findall(word) if self.digraphs else list(word)

    def is_rebus(self, content: Content) -> bool:
        """Whether a content holds more than one letter; a digraph counts as one."""
        return content.is_rebus and content.text not in self.digraphs

    def in_squares(self, answer: str) -> str:
        """Return an answer with its digraphs in brackets, `[CH]ILE`; text already in brackets is unchanged."""
        if not self.digraphs:
            return answer
        parts = re.split(r"(\[[^\]]*\])", answer)
        return "".join(
            part if index % 2 else "".join(f"[{unit}]" if len(unit) > 1 else unit for unit in self.units(part))
            for index, part in enumerate(parts)
        )

    def lacks(self, text: str) -> str:
        """Return the letters of a normalized text that the alphabet lacks, each once."""
        return "".join(dict.fromkeys(each for each in text if each not in self._symbol_set and each.isalnum()))


def alphabet_of(name: str, fields: dict[str, Any]) -> Alphabet:
    """Return the alphabet that the fields of a file describe; raises PuzzleError if they do not describe one."""
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
    """Return the fields from which `alphabet_of` rebuilds the alphabet."""
    fields: dict[str, Any] = {"title": alphabet.title, "letters": " ".join(alphabet.letters)}
    if alphabet.folds:
        fields["folds"] = dict(alphabet.folds)
    if not alphabet.has_digits:
        fields["digits"] = False
    return fields


ENGLISH = Alphabet("english", "English", tuple(ENGLISH_LETTERS))
