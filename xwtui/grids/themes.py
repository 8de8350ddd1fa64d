"""A theme to begin with: its answers as they are typed, and a template with them in place."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from dataclasses import replace
from typing import NamedTuple

from xwtui.grids.template_query import TemplateWanted, is_query_word, read_query
from xwtui.grids.templates import FoundTemplate
from xwtui.model import Ink, Puzzle
from xwtui.model.alphabet import Alphabet
from xwtui.model.answers import squares_taken
from xwtui.model.edits import place_answer, set_alphabet
from xwtui.words.theme_answers import theme_answer

_BETWEEN = re.compile(r"[,;\n]")
_APART = re.compile(r"(?<=[<>=≤≥])\s+(?=\d)")
"""Between the sign of a bound and its number."""


class TypedTheme(NamedTuple):
    """Theme answers, and what the template is to be that takes them."""

    answers: tuple[str, ...]
    wanted: TemplateWanted


def read_theme(text: str, alphabet: Alphabet) -> TypedTheme:
    """Read answers with commas, semicolons or line breaks between them: `heart to heart, LO[CAT]ION 15x15 <78`.

    They are spelled in an alphabet. A word that reads as a size or a bound belongs to none of them, wherever it
    stands. Raises WordListError for an answer that cannot be read.
    """
    parts = [part.split() for part in _BETWEEN.split(_APART.sub("", text))]
    typed = [" ".join(word for word in words if not is_query_word(word)) for words in parts]
    answers = tuple(theme_answer(answer, alphabet) for answer in typed if answer)
    wanted = read_query(" ".join(word for words in parts for word in words if is_query_word(word)))
    return TypedTheme(answers, replace(wanted, across=tuple(map(squares_taken, answers))))


def themed_puzzle(found: FoundTemplate, answers: tuple[str, ...], alphabet: Alphabet) -> Puzzle:
    """A template's puzzle with theme answers locked in the entries found for them, from top to bottom.

    Those for which it has no entry are left out. The puzzle is in the alphabet of the answers.
    """
    waiting: defaultdict[int, deque[str]] = defaultdict(deque)
    for answer in answers:
        waiting[squares_taken(answer)].append(answer)
    puzzle = set_alphabet(found.template.puzzle, alphabet)
    for slot in found.slots:
        if waiting[len(slot)]:
            puzzle = place_answer(puzzle, slot, waiting[len(slot)].popleft(), Ink.LOCKED)
    return puzzle
