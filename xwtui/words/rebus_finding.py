"""Answers for a rebus theme: those that have a text in one square, by the squares that they take."""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import nsmallest
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from xwtui.lazy import lazy_imports
from xwtui.words.finding import Places, WordQuery, picked, standing
from xwtui.words.normalise import encode

with lazy_imports():
    from xwtui.words.lexicon import Lexicon


class RebusAnswer(NamedTuple):
    """A word with a text in one square, or in several."""

    answer: str
    """As it is written into a grid: `LO[CAT]IONSCOUT`."""
    word: str
    score: int
    places: tuple[int, ...]
    """The squares that hold the text, 1 for the first of the answer."""

    @property
    def order(self) -> tuple[int, bytes, tuple[int, ...]]:
        """What sorts answers: by descending score, then alphabetically, then by the squares."""
        return -self.score, encode(self.word), self.places


class RebusSection(NamedTuple):
    """The answers that take so many squares."""

    squares: int
    matches: int
    """How many there are in all."""
    answers: tuple[RebusAnswer, ...]
    """The best of them, by descending score and then alphabetically."""


def find_rebus(
    lexicon: Lexicon, text: str, content: str, query: WordQuery, squares: range, limit: int
) -> tuple[RebusSection, ...]:
    """The allowed words that have a text in one square, in sections by squares, `limit` at most in each.

    A word that has the text twice may have it in one square at the one place, at the other, or at both. `content`
    is what is written into the square: `CAT`, `X/TIMES`. Numbers of squares that no word has are left out. Raises
    WordListError where a regular expression of the query takes too long.
    """
    totals: Counter[int] = Counter()
    found: defaultdict[int, list[RebusAnswer]] = defaultdict(list)
    for length in lexicon.lengths:
        if length < len(text) or not query.takes(length):
            continue
        table = lexicon.table(length)
        rows = query.rows(table.letters)
        stands = standing(picked(table.letters, rows), text)
        for taken, (matches, forms) in _forms(stands, length, len(text), squares, limit).items():
            totals[taken] += matches
            chosen = rows[[row for row, _ in forms]]
            words, scores = table.take(chosen).words(), table.scores[chosen].tolist()
            found[taken] += (
                _answer(word, score, starts, len(text), content)
                for word, score, (_, starts) in zip(words, scores, forms, strict=True)
            )
    return tuple(
        RebusSection(taken, totals[taken], tuple(nsmallest(limit, found[taken], key=lambda one: one.order)))
        for taken in sorted(found)
    )


class _Forms(NamedTuple):
    matches: int
    first: list[tuple[int, tuple[int, ...]]]
    """The row of a word, and where in it the text is put into one square: those of the best words."""


def _forms(stands: Places, length: int, width: int, squares: range, limit: int) -> dict[int, _Forms]:
    """The ways to write words of one length, by the squares that they take then."""
    found: dict[int, _Forms] = {}
    single = length - width + 1
    if single in squares and len(stands.rows):
        first = zip(stands.rows[:limit].tolist(), stands.starts[:limit].tolist(), strict=True)
        found[single] = _Forms(len(stands.rows), [(row, (start,)) for row, start in first])
    several: defaultdict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    again = np.isin(stands.rows, stands.rows[1:][stands.rows[1:] == stands.rows[:-1]])
    repeated = zip(stands.rows[again].tolist(), stands.starts[again].tolist(), strict=True)
    for row, places in groupby(repeated, key=itemgetter(0)):
        starts: list[int] = []
        for _, start in places:  # those that do not overlap, from the left
            if not starts or start >= starts[-1] + width:
                starts.append(start)
        if len(starts) > 1:
            several[length - len(starts) * (width - 1)].append((row, tuple(starts)))
    for taken, forms in several.items():
        if taken in squares:
            before = found.get(taken, _Forms(0, []))
            found[taken] = _Forms(before.matches + len(forms), [*before.first, *forms[:limit]])
    return found


def _answer(word: str, score: int, starts: tuple[int, ...], width: int, content: str) -> RebusAnswer:
    parts, end = [], 0
    for start in starts:
        parts += [word[end:start], f"[{content}]"]
        end = start + width
    places = tuple(start - number * (width - 1) + 1 for number, start in enumerate(starts))
    return RebusAnswer("".join([*parts, word[end:]]), word, score, places)
