"""How a term of any source is spelt in the grid: A-Z and 0-9 only."""

import re
import unicodedata

_LIGATURES = str.maketrans(
    {"ß": "SS", "æ": "AE", "Æ": "AE", "ø": "O", "Ø": "O", "œ": "OE", "Œ": "OE", "ł": "L", "Ł": "L"}
    | {"đ": "D", "Đ": "D", "þ": "TH", "Þ": "TH", "ð": "D", "Ð": "D", "ı": "I"}
)
_PUNCTUATION = re.compile(r"[\s\-'’‘ʻ´`.,!?&/():;\"“”]")
_GRID_WORD = re.compile(r"[A-Z0-9]+")

SHORTEST, LONGEST = 2, 23


def grid_spelling(term: str) -> str | None:
    """Return `Crème brûlée` as `CREMEBRULEE`; None if it cannot stand in a grid.

    A term cannot stand there if letters of another alphabet are left, or if it is shorter than two
    squares or longer than twenty-three (the widest Sunday grid).
    """
    plain = unicodedata.normalize("NFKD", term.translate(_LIGATURES))
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    word = _PUNCTUATION.sub("", plain).upper()
    if not _GRID_WORD.fullmatch(word) or not SHORTEST <= len(word) <= LONGEST:
        return None
    return word


def tokens(term: str) -> list[str]:
    """Return the single words of a phrase, lower case: `Open-and-shut` gives open, and, shut."""
    return [token for token in re.split(r"[\s\-_]+", term.lower()) if token]
