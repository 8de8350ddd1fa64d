"""The Collaborative Word List of Crossword Nexus (MIT): what constructors collected, with scores of its own.

It lies in the wheel of PyPI's `blacksquare`, a program that builds crosswords. Its scores are classes rather than
a scale: 90 and 80 are dictionaries and thesauri, 55 to 75 the choices of single constructors, 40 to 50 what stood
in a published puzzle or a thesaurus, 20 and 30 what a dictionary has and few want.
"""

import re
from pathlib import Path

from builder.spelling import LONGEST, SHORTEST

_ROMAN = re.compile(r"(?=.{2})M*(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")


def read_collaborative(package: Path) -> dict[str, int]:
    """Return the score of each entry of letters only that a grid can hold, by its spelling there."""
    entries: dict[str, int] = {}
    for line in (package / "blacksquare/xwordlist.dict").read_text("ascii").splitlines():
        word, _, score = line.partition(";")
        if word.isalpha() and word.isupper() and score.isdigit() and SHORTEST <= len(word) <= LONGEST:
            entries[word] = int(score)
    return entries


def is_roman_numeral(word: str) -> bool:
    """Tell MCMXLVI from MILD by its form; a single letter is none."""
    return _ROMAN.fullmatch(word) is not None
