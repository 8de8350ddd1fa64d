"""Whether a clue gives its answer away: four letters in a row of it, or all of it."""

from __future__ import annotations

import re

from xwtui.model.letters import KNOWN
from xwtui.text import without_accents

LETTERS_IN_A_ROW = 4

_APOSTROPHES = re.compile(r"['’ʼ`]")
_WORD = re.compile(rf"[{KNOWN}]+")


def gives_away(text: str, answer: str) -> bool:
    """Whether a clue shows four letters in a row of its answer, which is in capitals and 0-9; accents say nothing.

    They are sought within each word of the clue ("internal" gives TERN away) and in whole words that stand
    together ("as I see it" gives ASISEEIT away), not across parts of words: "the attic" does not give HEAT away.
    An answer of fewer letters is given away as a word of its own alone: "wheel" says nothing about EEL.
    """
    words, answer = _words(text), without_accents(answer)
    return any(_shows(word, answer) for word in words) or any(
        _begins_run(words, start, answer) for start in range(len(words))
    )


def _words(text: str) -> list[str]:
    """The words of a text in capitals, without apostrophes and diacritics."""
    return _WORD.findall(_APOSTROPHES.sub("", without_accents(text)).upper())


def _shows(word: str, answer: str) -> bool:
    last = len(answer) - LETTERS_IN_A_ROW
    return any(answer[start : start + LETTERS_IN_A_ROW] in word for start in range(last + 1))


def _begins_run(words: list[str], start: int, answer: str) -> bool:
    """Whether words from one on, whole ones, are enough of the answer."""
    run = ""
    for word in words[start:]:
        run += word
        if run not in answer:
            return False
        if len(run) >= min(LETTERS_IN_A_ROW, len(answer)):
            return True
    return False
