"""Words as a grid takes them: in the letters of an alphabet and 0-9, and the codes that stand for them in arrays.

Whoever reads letters, from keys, lines, word lists or files, comes by here: a letter that the alphabet lacks is
written as its conventions have it, or without its accent, and what became of it is told. Where an answer is
written in several words, the lengths of these are its enumeration.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.clues import AnswerEnumeration, PartBreak
from xwtui.model.letters import KNOWN_LETTERS, are_known, capital
from xwtui.named_tuples import NamedTuple
from xwtui.text import printable

with lazy_imports():
    import numpy as np
    from numpy.typing import NDArray

NO_CODE = 255
"""The byte that `encode` gives for a character that no square can hold."""

_SPELLED_OUT = {
    letter: plain
    for plain, letters in {
        "SS": "ßẞ",
        "AE": "æÆ",
        "OE": "œŒ",
        "O": "øØ",
        "L": "łŁ",
        "D": "đĐðÐ",
        "TH": "þÞ",
        "H": "ħĦ",
        "T": "ŧŦ",
        "N": "ŋŊ",
        "I": "ı",
        "K": "ĸ",
        "": "ʻʼʹˈ",
        " ": "\t\n\r",
    }.items()
    for letter in letters
}
"""Latin letters that Unicode does not decompose, and apostrophes that it takes for letters."""

_SPELLING = str.maketrans(_SPELLED_OUT)
_DROPPED_CATEGORIES = frozenset("PZMS")
_DROPPED_FORMAT = "Cf"

_ASCII_CODES = 36
"""How many of the codes stand for characters of ASCII."""
_TO_CODES = bytes(
    KNOWN_LETTERS.find(chr(byte)) if chr(byte) in KNOWN_LETTERS[:_ASCII_CODES] else NO_CODE for byte in range(256)
)
_TO_ASCII = bytes(
    ord(KNOWN_LETTERS[code]) if code < _ASCII_CODES else 0x80 if code < len(KNOWN_LETTERS) else ord("?")
    for code in range(256)
)
_UNUSED = 255 - len(KNOWN_LETTERS)
_DECODING = KNOWN_LETTERS + "?" * (_UNUSED + 1)
_ENCODING = codecs.charmap_build(KNOWN_LETTERS + "\ufffe" * _UNUSED + "?")


class Spelling(NamedTuple):
    """How a text is written in an alphabet."""

    word: str
    folded: tuple[tuple[str, str], ...] = ()
    """The letters that the alphabet lacks, each with what is written for it."""


def normalise(text: str, alphabet: Alphabet = ENGLISH) -> str:
    """Return the word that a text spells in a grid: `Crème brûlée` gives `CREMEBRULEE` in English.

    As `spell`; what becomes of letters that the alphabet lacks is noted for `noting_folds`.
    """
    if text.isascii() and text.isalnum() and alphabet.takes_ascii:
        return text.upper()
    word, folded = spell(text, alphabet)
    if folded:
        note_folds(dict(folded))
    return word


def spell(text: str, alphabet: Alphabet = ENGLISH) -> Spelling:
    """How a text is written in an alphabet: spaces and punctuation are dropped, letters made capitals.

    A letter that the alphabet lacks is written as its conventions say, or without its accents. Raises
    WordListError for letters that have no such form, for control characters, and where nothing is left.
    """
    plain = capital(text)
    if len(plain) == len(text) and plain and alphabet.has_all(plain):
        return Spelling(plain)
    word: list[str] = []
    folded: list[tuple[str, str]] = []
    for character in unicodedata.normalize("NFC", text):
        upper = capital(character)
        if upper in alphabet.symbols and len(upper) == 1:
            word.append(upper)
            continue
        shown = upper if len(upper) == 1 else character
        written = alphabet.fold_of.get(upper, alphabet.fold_of.get(character))
        if written is None:
            written = "".join(each for each in _bare(character) if _is_kept(each, text, alphabet))
        word.append(written)
        is_lost = unicodedata.category(character)[0] == "L" and character not in _SPELLED_OUT_TO_NOTHING
        if is_lost and written not in alphabet.digraphs:
            folded.append((shown, written))
    if not any(word):
        raise WordListError(f"'{printable(text, 40)}' has no letters or digits")
    return Spelling("".join(word), tuple(dict.fromkeys(folded)))


_SPELLED_OUT_TO_NOTHING = frozenset(character for character, plain in _SPELLED_OUT.items() if not plain)


def _bare(character: str) -> str:
    """A character without accents, as capitals; several for ligatures and signs made of several."""
    plain = unicodedata.normalize("NFKD", character.translate(_SPELLING)).translate(_SPELLING)
    return capital(plain) if plain.isascii() else plain.upper()


def _is_kept(character: str, text: str, alphabet: Alphabet) -> bool:
    """Whether a character belongs to the word; raises WordListError if it can be neither kept nor dropped."""
    if character in alphabet.symbols:
        return True
    category = unicodedata.category(character)
    if category[0] in _DROPPED_CATEGORIES or category == _DROPPED_FORMAT:
        return False
    shown = printable(character)
    if category[0] in "LN":
        raise WordListError(
            f"'{printable(text, 40)}' has '{shown}', which {alphabet.title} lacks: its words are spelled with "
            f"{alphabet.shown}{' and 0-9' if alphabet.has_digits else ''}"
        )
    raise WordListError(f"'{printable(text, 40)}' has the character '{shown}', which no word can have")


_noted: ContextVar[dict[str, str] | None] = ContextVar("noted", default=None)


@contextmanager
def noting_folds() -> Iterator[dict[str, str]]:
    """Note what becomes of letters that an alphabet lacks, in all that is read meanwhile, in this thread."""
    folds: dict[str, str] = {}
    before = _noted.set(folds)
    try:
        yield folds
    finally:
        _noted.reset(before)


def note_folds(folds: Mapping[str, str]) -> None:
    """Note what became of letters elsewhere, as in a word list, for `noting_folds`."""
    noted = _noted.get()
    if noted is not None:
        noted.update(folds)


def folds_words(folds: Mapping[str, str], alphabet: Alphabet) -> str:
    """What became of letters, in a sentence: `English lacks Å, written A; Ö, written O`."""
    told = [
        f"{letter}, written {written}" if written else f"{letter}, left out" for letter, written in folds.items()
    ]
    others = "; `alphabet` lists others that may have it" if alphabet == ENGLISH else ""
    return f"{alphabet.title} lacks {'; '.join(told[:_MOST_FOLDS])}{others}"


_MOST_FOLDS = 6

_MARKS = lazy_pattern(r"(\s*[\[\]/]\s*|\s+)")
"""What an answer has between its letters: the marks of its rebus squares, and spaces."""


def normalise_answer(text: str, alphabet: Alphabet = ENGLISH) -> str:
    """An answer with its rebus squares: `Lo[cat]ion scout` gives `LO[CAT]ION SCOUT`.

    Brackets, slashes and a space between words are kept, all else is as `normalise` has it; digraphs of the
    alphabet take one square. Raises WordListError as that does.
    """
    parts = _MARKS.split(text.strip())
    answer = "".join(
        part.strip() or " " if index % 2 else normalise(part, alphabet) if part else ""
        for index, part in enumerate(parts)
    )
    if not answer:
        raise WordListError("letters or digits are expected; write a rebus square as [HEART]")
    return answer if "/" in answer else alphabet.in_squares(answer)


def as_answer(text: str) -> str:
    """An answer as it stands in a grid, in whatever alphabet, or else what a text spells in English.

    Raises WordListError as `normalise` does.
    """
    answer = capital(text)
    return answer if are_known(answer) else normalise(text)


def is_word(text: str) -> bool:
    """Whether a text is a normalised word of any alphabet: one or more capital letters and digits."""
    return are_known(text)


def encode(word: str) -> bytes:
    """Return the codes of a word, one byte a character; NO_CODE for what no square can hold."""
    if word.isascii():
        return word.encode("ascii").translate(_TO_CODES)
    return codecs.charmap_encode(word, "replace", _ENCODING)[0]


def decode(codes: bytes) -> str:
    """Return the characters that codes stand for; the inverse of `encode`."""
    plain = codes.translate(_TO_ASCII)
    return plain.decode("ascii") if plain.isascii() else codecs.charmap_decode(codes, "strict", _DECODING)[0]


def word_codes(word: str) -> NDArray[np.uint8]:
    """Return the codes of a normalised word, shape (characters,), 0-25 for A-Z and 26-35 for 0-9.

    Raises WordListError for another character.
    """
    codes = encode(word)
    if NO_CODE in codes:
        raise WordListError(f"'{printable(word, 40)}' is not a word of letters and digits")
    return np.frombuffer(codes, dtype=np.uint8)


def codes_word(codes: NDArray[np.uint8]) -> str:
    """Return the word that codes stand for; the inverse of `word_codes`."""
    return decode(codes.tobytes())


_SIGNS = {
    **dict.fromkeys("-‐‑‒–—", PartBreak.HYPHEN),
    **dict.fromkeys("'’‘ʼ", PartBreak.APOSTROPHE),
    ".": PartBreak.PERIOD,
}
_SEPARATOR = lazy_pattern(rf"([\s_,;/&+{re.escape(''.join(_SIGNS))}]+)")
_LONGEST_PART = 99


def enumeration_of(written: str, alphabet: Alphabet = ENGLISH) -> AnswerEnumeration | None:
    """How a word is parted as it is written; None for one that is in one piece.

    Between two words stands whatever no hyphen, apostrophe or period stands for alone: `R & B` is 1,1. A letter
    is one of the `alphabet`, which CH may be.
    """
    pieces = _SEPARATOR.split(written)
    if len(pieces) == 1:
        return None
    lengths: list[int] = []
    breaks: list[PartBreak] = []
    between = ""
    for piece, separator in zip(pieces[::2], (*pieces[1::2], ""), strict=True):
        if letters := _letters(piece, alphabet):
            if lengths:
                breaks.append(_SIGNS.get(between, PartBreak.WORD))
            lengths.append(letters)
            between = ""
        between += separator
    if len(lengths) < 2 or max(lengths) > _LONGEST_PART:
        return None
    found = AnswerEnumeration(tuple(lengths), tuple(breaks))
    is_whole = not alphabet.digraphs or found.letters == _letters(written, alphabet)
    return found if is_whole else None  # a digraph that stands across two words is one square


def _letters(piece: str, alphabet: Alphabet) -> int:
    if piece.isascii() and piece.isalnum() and alphabet.takes_ascii and not alphabet.digraphs:
        return len(piece)
    try:
        return len(alphabet.units(spell(piece, alphabet).word)) if piece else 0
    except WordListError:
        return 0
