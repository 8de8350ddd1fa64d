"""How a word that is written in several parts is parted: ICE CREAM is 3,5."""

from __future__ import annotations

import re

from xwtui.errors import WordListError
from xwtui.model.alphabet import ENGLISH, Alphabet
from xwtui.model.clues import AnswerEnumeration, PartBreak
from xwtui.words.normalise import spell

_SIGNS = {
    **dict.fromkeys("-‐‑‒–—", PartBreak.HYPHEN),
    **dict.fromkeys("'’‘ʼ", PartBreak.APOSTROPHE),
    ".": PartBreak.PERIOD,
}
_SEPARATOR = re.compile(rf"([\s_,;/&+{re.escape(''.join(_SIGNS))}]+)")
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
