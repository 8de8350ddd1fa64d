"""The letters that squares can hold at all, each with a code that is the same in every alphabet and word list.

Which of them a puzzle uses says its alphabet (`xwtui.model.alphabet`); codes are never written to files.
"""

import unicodedata

ENGLISH_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"

_NORDIC = "ÅÄÖÆØ"
_LATIN = "ÑÜÁÀÂÃĄĂĀÇĆČĈĊÐĎĐÉÈÊËĘĚĒĖÞĞĢĜĠĦĤÍÌÎÏİĪĮĴĶŁĹĽĻŃŇŅŊÓÒÔÕŐŌŔŘŖŚŠŞȘŜŤŢȚŦÚÙÛŰŮŪŲŬŴÝŸŶŹŻŽŒẞ"
_GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"
_CYRILLIC = "АБВГҐДЂЃЕЁЄЖЗЅИІЇЙЈКЌЛЉМНЊОПРСТЋУЎФХЦЧЏШЩЪЫЬЭЮЯ"

KNOWN_LETTERS = ENGLISH_LETTERS + DIGITS + _NORDIC + _LATIN + _GREEK + _CYRILLIC
"""A character's code is its index here, below 255; those of A-Z and 0-9 are in alphabetical order."""

KNOWN = "A-Z0-9" + KNOWN_LETTERS[36:]
"""The same for a set in a regular expression."""


def are_known(text: str) -> bool:
    """Whether a text is one or more letters that a square can hold, capitals, or digits."""
    return bool(text) and _KNOWN_SET.issuperset(text)


_KNOWN_SET = frozenset(KNOWN_LETTERS)


def small(letter: str) -> str:
    """A capital's small letter; empty where there is none from which the capital could be told again."""
    lower = letter.lower()
    return lower if len(lower) == 1 and lower != letter and capital(lower) == letter else ""


def capital(text: str) -> str:
    """A text in capitals, with composed letters; ß has two letters then."""
    return text.upper() if text.isascii() else unicodedata.normalize("NFC", text.upper())
