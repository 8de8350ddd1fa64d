"""Debian's scowl: English words in ten sizes, from the thousand commonest to a hundred thousand rarities.

A file is named for its spelling, its kind and its size, such as `american-words.35`. The size is the best measure
of familiarity that a free list has: it comes from frequencies and from how many of twelve dictionaries have
the word.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_WORD_SCORES = {10: 60, 20: 60, 35: 57, 40: 53, 50: 49, 55: 46, 60: 42, 70: 34, 80: 17}
_UPPER_SCORES = {10: 58, 20: 58, 35: 56, 40: 52, 50: 46, 60: 42, 70: 30, 80: 14}
_NAME_SCORES = {35: 50, 40: 48, 50: 36, 60: 38, 70: 24, 80: 8}
_SHORTENED_SCORES = {10: 52, 20: 52, 35: 52, 40: 46, 50: 41, 55: 41, 60: 32, 70: 22, 80: 12}
_SCORES = {
    "words": _WORD_SCORES,
    "upper": _UPPER_SCORES,
    "proper-names": _NAME_SCORES,
    "abbreviations": _SHORTENED_SCORES,
    "contractions": _WORD_SCORES,
}
_SPELLING_PENALTIES = {
    "english": 0,
    "american": 0,
    "variant_1": 6,
    "british": 18,
    "british_z": 18,
    "canadian": 18,
    "australian": 18,
    "british_variant_1": 20,
    "variant_2": 12,
    "variant_3": 18,
}


@dataclass(frozen=True)
class ScowlList:
    """One file: its spelling region, kind of word, size, and its words as they are written."""

    spelling: str
    kind: str
    size: int
    words: tuple[str, ...]

    @property
    def score(self) -> int:
        """The score of every word of the file, before anything else is known of the word."""
        return max(_SCORES[self.kind][self.size] - _SPELLING_PENALTIES[self.spelling], 3)


def read_scowl(package: Path) -> tuple[ScowlList, ...]:
    """Return the files up to size 80 of the spellings the list knows, sorted by name."""
    return tuple(_read_lists(package / "usr/share/dict/scowl"))


def _read_lists(folder: Path) -> Iterator[ScowlList]:
    for path in sorted(folder.iterdir()):
        stem, _, size = path.name.partition(".")
        spelling, _, kind = stem.partition("-")
        if spelling in _SPELLING_PENALTIES and kind in _SCORES and int(size) in _SCORES[kind]:
            lines = path.read_text("latin-1").split()
            yield ScowlList(spelling, kind, int(size), tuple(word for word in lines if not word.endswith("'s")))


def word_sizes(lists: tuple[ScowlList, ...]) -> dict[str, int]:
    """Return the smallest size in which each word appears, by its lower-case spelling."""
    sizes: dict[str, int] = {}
    for scowl_list in lists:
        for word in scowl_list.words:
            spelt = word.lower()
            sizes[spelt] = min(scowl_list.size, sizes.get(spelt, scowl_list.size))
    return sizes
