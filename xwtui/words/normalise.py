"""Normalization of text to an alphabet's letters and 0-9, and the character codes used in arrays.

All input passes through here: keys, lines, word lists and files. A letter that the alphabet lacks is replaced as
its conventions say, or else loses its accent, and the replacement is reported. The module also derives an answer's
enumeration from the words in which it is written.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from xwtui.errors import WordListError
from xwtui.lazy import lazy_imports, lazy_pattern
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.clues import AnswerEnumeration, PartBreak
from xwtui.model.letters import KNOWN_LETTERS, are_known, capital
from xwtui.text import printable

with lazy_imports():
    import numpy as np
    from numpy.typing import NDArray

NO_CODE = 255
"""The code for a character that no square can hold."""

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
"""Replacements for Latin letters that Unicode does not decompose, and for apostrophes that it classifies as
letters."""

_SPELLING = str.maketrans(_SPELLED_OUT)
_DROPPED_CATEGORIES = frozenset("PZMS")
_DROPPED_FORMAT = "Cf"

_ASCII_CODES = 36
"""Number of codes that stand for ASCII characters."""
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
    """A text as spelled in an alphabet."""

    word: str
    folded: tuple[tuple[str, str], ...] = ()
    """Pairs of a letter that the alphabet lacks and its replacement."""


def normalise(text: str, alphabet: Alphabet = ENGLISH) -> str:
    """Return the word that a text spells in a grid: `Crème brûlée` gives `CREMEBRULEE` in English.

    Like `spell`, but records replaced letters for `recording_folds`.
    """
    if text.isascii() and text.isalnum() and alphabet.takes_ascii:
        return text.upper()
    word, folded = spell(text, alphabet)
    if folded:
        note_folds(dict(folded))
    return word


def spell(text: str, alphabet: Alphabet = ENGLISH) -> Spelling:
    """Spell a text in an alphabet: drop spaces and punctuation, and capitalize letters.

    A letter that the alphabet lacks is replaced as its conventions say, or loses its accents. Raises WordListError
    for letters without such a form, for control characters, and if nothing is left.
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
    """Return a character without accents, in capitals; ligatures and composite signs yield several."""
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
def recording_folds() -> Iterator[dict[str, str]]:
    """Record replacements of letters that an alphabet lacks, for everything read in this context (thread)."""
    folds: dict[str, str] = {}
    before = _noted.set(folds)
    try:
        yield folds
    finally:
        _noted.reset(before)


def note_folds(folds: Mapping[str, str]) -> None:
    """Record replacements made elsewhere, such as in a word list, for `recording_folds`."""
    noted = _noted.get()
    if noted is not None:
        noted.update(folds)


def folds_words(folds: Mapping[str, str], alphabet: Alphabet) -> str:
    """Return replacements in words: `English lacks Å, written A; Ö, written O`."""
    told = [
        f"{letter}, written {written}" if written else f"{letter}, left out" for letter, written in folds.items()
    ]
    others = "; `alphabet` lists others that may have it" if alphabet == ENGLISH else ""
    return f"{alphabet.title} lacks {'; '.join(told[:_MOST_FOLDS])}{others}"


_MOST_FOLDS = 6

_MARKS = lazy_pattern(r"(\s*[\[\]/]\s*|\s+)")
"""Matches the marks of rebus squares, and spaces."""


def normalise_answer(text: str, alphabet: Alphabet = ENGLISH) -> str:
    """Return an answer with its rebus squares: `Lo[cat]ion scout` gives `LO[CAT]ION SCOUT`.

    Keeps brackets, slashes and one space between words; the rest is normalized as by `normalise`. The alphabet's
    digraphs take one square. Raises WordListError as `normalise` does.
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
    """Return an answer in any alphabet unchanged, in capitals; any other text is normalized in English.

    Raises WordListError as `normalise` does.
    """
    answer = capital(text)
    return answer if are_known(answer) else normalise(text)


def encode(word: str) -> bytes:
    """Return the codes of a word, one byte per character; NO_CODE for characters that no square can hold."""
    if word.isascii():
        return word.encode("ascii").translate(_TO_CODES)
    return codecs.charmap_encode(word, "replace", _ENCODING)[0]


def decode(codes: bytes) -> str:
    """Return the characters for codes; the inverse of `encode`."""
    plain = codes.translate(_TO_ASCII)
    return plain.decode("ascii") if plain.isascii() else codecs.charmap_decode(codes, "strict", _DECODING)[0]


def word_codes(word: str) -> NDArray[np.uint8]:
    """Return the codes of a normalized word, shape (characters,): 0-25 for A-Z, 26-35 for 0-9.

    Other letters have higher codes. Raises WordListError for a character without a code.
    """
    codes = encode(word)
    if NO_CODE in codes:
        raise WordListError(f"'{printable(word, 40)}' is not a word of letters and digits")
    return np.frombuffer(codes, dtype=np.uint8)


def codes_word(codes: NDArray[np.uint8]) -> str:
    """Return the word for codes; the inverse of `word_codes`."""
    return decode(codes.tobytes())


_SIGNS = {
    **dict.fromkeys("-‐‑‒–—", PartBreak.HYPHEN),
    **dict.fromkeys("'’‘ʼ", PartBreak.APOSTROPHE),
    ".": PartBreak.PERIOD,
}
_SEPARATOR = lazy_pattern(rf"([\s_,;/&+{re.escape(''.join(_SIGNS))}]+)")
_LONGEST_PART = 99


def enumeration_of(written: str, alphabet: Alphabet = ENGLISH) -> AnswerEnumeration | None:
    """Return the enumeration of a word as it is written, or None if it is in one piece.

    A separator other than a single hyphen, apostrophe or period counts as a word break: `R & B` is 1,1. Letters
    are those of `alphabet`, which may include CH.
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
    return found if is_whole else None  # a digraph across two words takes one square


def _letters(piece: str, alphabet: Alphabet) -> int:
    if piece.isascii() and piece.isalnum() and alphabet.takes_ascii and not alphabet.digraphs:
        return len(piece)
    try:
        return len(alphabet.units(spell(piece, alphabet).word)) if piece else 0
    except WordListError:
        return 0
