"""Every letter that a square can hold, each with one code that all alphabets and word lists share.

An alphabet (`xwtui.model.alphabet`) selects the letters that a puzzle uses. The codes are never written to files.
"""

import unicodedata

ENGLISH_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"

_NORDIC = "ÅÄÖÆØ"
_LATIN = "ÑÜÁÀÂÃĄĂĀÇĆČĈĊÐĎĐÉÈÊËĘĚĒĖÞĞĢĜĠĦĤÍÌÎÏİĪĮĴĶŁĹĽĻŃŇŅŊÓÒÔÕŐŌŔŘŖŚŠŞȘŜŤŢȚŦÚÙÛŰŮŪŲŬŴÝŸŶŹŻŽŒẞ"
_GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"
_CYRILLIC = "АБВГҐДЂЃЕЁЄЖЗЅИІЇЙЈКЌЛЉМНЊОПРСТЋУЎФХЦЧЏШЩЪЫЬЭЮЯ"

KNOWN_LETTERS = ENGLISH_LETTERS + DIGITS + _NORDIC + _LATIN + _GREEK + _CYRILLIC
"""A character's code is its index in this string, always below 255. A-Z and 0-9 are in alphabetical order."""

KNOWN = "A-Z0-9" + KNOWN_LETTERS[36:]
"""The same characters, written as the inside of a regular expression's character class."""


def are_known(text: str) -> bool:
    """Whether a nonempty text consists only of digits and capital letters that a square can hold."""
    return bool(text) and _KNOWN_SET.issuperset(text)


_KNOWN_SET = frozenset(KNOWN_LETTERS)


def small(letter: str) -> str:
    """Return a capital's lowercase form, or "" if that form does not convert back to this capital."""
    lower = letter.lower()
    return lower if len(lower) == 1 and lower != letter and capital(lower) == letter else ""


def capital(text: str) -> str:
    """Return the text in capitals with composed (NFC) letters; ß becomes two letters."""
    return text.upper() if text.isascii() else unicodedata.normalize("NFC", text.upper())
