"""Words as the grid takes them: A-Z and 0-9 only, and the codes that stand for them in arrays."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from xwtui.errors import WordListError
from xwtui.text import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
"""The characters of a word; a character's code is its index here, and codes give the alphabetical order."""

NO_CODE = 255
"""The byte that `encode` gives for a character outside the alphabet."""

_SPELLED_OUT = {
    "ß": "SS",
    "ẞ": "SS",
    "æ": "AE",
    "Æ": "AE",
    "œ": "OE",
    "Œ": "OE",
    "ø": "O",
    "Ø": "O",
    "ł": "L",
    "Ł": "L",
    "đ": "D",
    "Đ": "D",
    "ð": "D",
    "Ð": "D",
    "þ": "TH",
    "Þ": "TH",
    "ħ": "H",
    "Ħ": "H",
    "ŧ": "T",
    "Ŧ": "T",
    "ŋ": "N",
    "Ŋ": "N",
    "ı": "I",
    "ĸ": "K",
    "ʻ": "",
    "ʼ": "",
    "ʹ": "",
    "ˈ": "",
    "\t": " ",
    "\n": " ",
    "\r": " ",
}
"""Latin letters that Unicode does not decompose, and apostrophes that it takes for letters."""

_SPELLING = str.maketrans(_SPELLED_OUT)
_DROPPED_CATEGORIES = frozenset("PZMS")
_DROPPED_FORMAT = "Cf"

_TO_CODES = bytes(ALPHABET.find(chr(byte)) if chr(byte) in ALPHABET else NO_CODE for byte in range(256))
_TO_ASCII = bytes(ord(ALPHABET[code]) if code < len(ALPHABET) else ord("?") for code in range(256))


def normalise(text: str) -> str:
    """Return the word that a text spells in a grid: `Crème brûlée` gives `CREMEBRULEE`.

    Diacritics, spaces and punctuation are dropped, ligatures spelled out, letters made capitals.
    Raises WordListError for letters of other alphabets, for control characters, and where no
    letter or digit is left.
    """
    if text.isascii() and text.isalnum():
        return text.upper()
    plain = unicodedata.normalize("NFKD", text.translate(_SPELLING)).translate(_SPELLING).upper()
    word = "".join(character for character in plain if _is_kept(character, text))
    if not word:
        raise WordListError(f"'{printable(text, 40)}' has no letter and no digit")
    return word


def _is_kept(character: str, text: str) -> bool:
    """Whether a character belongs to the word; raises WordListError if it can be neither kept nor dropped."""
    if character in ALPHABET:
        return True
    category = unicodedata.category(character)
    if category[0] in _DROPPED_CATEGORIES or category == _DROPPED_FORMAT:
        return False
    shown = printable(character)
    if category[0] in "LN":
        raise WordListError(
            f"'{printable(text, 40)}' has '{shown}'; words are spelled with A-Z and 0-9, "
            "other alphabets cannot be used yet"
        )
    raise WordListError(f"'{printable(text, 40)}' has the character '{shown}', which no word can have")


_MARKS = re.compile(r"(\s*[\[\]/]\s*|\s+)")
"""What an answer has between its letters: the marks of its rebus squares, and spaces."""


def normalise_answer(text: str) -> str:
    """An answer with its rebus squares: `Lo[cat]ion scout` gives `LO[CAT]ION SCOUT`.

    Brackets, slashes and a space between words are kept, all else is as `normalise` has it. Raises WordListError
    as that does.
    """
    parts = _MARKS.split(text.strip())
    answer = "".join(
        part.strip() or " " if index % 2 else normalise(part) if part else "" for index, part in enumerate(parts)
    )
    if not answer:
        raise WordListError("letters or digits are expected, a rebus square as [HEART]")
    return answer


def is_word(text: str) -> bool:
    """Whether a text is a normalised word: one or more of A-Z and 0-9."""
    return text.isascii() and text.isalnum() and text.upper() == text


def encode(word: str) -> bytes:
    """Return the codes of a word, one byte a character; NO_CODE for what is not A-Z or 0-9."""
    return word.encode("ascii", "replace").translate(_TO_CODES)


def decode(codes: bytes) -> str:
    """Return the characters that codes stand for; the inverse of `encode`."""
    return codes.translate(_TO_ASCII).decode("ascii")


def word_codes(word: str) -> NDArray[np.uint8]:
    """Return the codes of a normalised word, shape (characters,), 0-25 for A-Z and 26-35 for 0-9.

    Raises WordListError for another character.
    """
    import numpy as np  # noqa: PLC0415 - so that normalising alone stays light

    codes = encode(word)
    if NO_CODE in codes:
        raise WordListError(f"'{printable(word, 40)}' is not a word of A-Z and 0-9")
    return np.frombuffer(codes, dtype=np.uint8)


def codes_word(codes: NDArray[np.uint8]) -> str:
    """Return the word that codes stand for; the inverse of `word_codes`."""
    return decode(codes.tobytes())
