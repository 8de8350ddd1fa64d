"""Search for answers to a rebus theme: words with a given text in one square, by their number of squares."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from heapq import nsmallest
from itertools import groupby, islice, zip_longest
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from xwtui.lazy import lazy_imports
from xwtui.words.finding import Places, WordQuery, picked, standing
from xwtui.words.normalise import encode

with lazy_imports():
    from xwtui.words.lexicon import Lexicon


class RebusAnswer(NamedTuple):
    """A word with a text in one square, or in several squares each."""

    answer: str
    """The answer as it is entered in a grid: `LO[CAT]IONSCOUT`."""
    word: str
    score: int
    places: tuple[int, ...]
    """The squares that hold the text, counted from 1."""

    @property
    def order(self) -> tuple[int, bytes, tuple[int, ...]]:
        """Sort key: descending score, then alphabetical, then by squares."""
        return -self.score, encode(self.word), self.places


class RebusSection(NamedTuple):
    """The answers with one number of squares."""

    squares: int
    matches: int
    """The total number of answers."""
    answers: tuple[RebusAnswer, ...]
    """The best answers, by descending score and then alphabetically."""


def find_rebus(
    lexicon: Lexicon, text: str, content: str, query: WordQuery, squares: range, limit: int
) -> tuple[RebusSection, ...]:
    """Return the allowed words with a text in one square, grouped by number of squares, up to `limit` each.

    A word that contains the text repeatedly may have it in one square at any of these places, or at several that
    do not overlap. `content` is what the square holds: `CAT`, `X/TIMES`. Numbers of squares without a word are
    omitted. Raises WordListError if a regular expression of the query takes too long.
    """
    totals: Counter[int] = Counter()
    found: defaultdict[int, list[RebusAnswer]] = defaultdict(list)
    for length in lexicon.lengths:
        if length < len(text) or not query.takes(length):
            continue
        table = lexicon.table(length)
        rows = query.rows(table.letters)
        stands = standing(picked(table.letters, rows), text)
        for taken, matches, forms in _forms(stands, length, len(text), squares, limit):
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
    squares: int
    matches: int
    first: list[tuple[int, tuple[int, ...]]]
    """Rows of the best words, each with the starts of the texts that are put into squares."""


def _forms(stands: Places, length: int, width: int, squares: range, limit: int) -> Iterator[_Forms]:
    """Yield the ways to write words of one length, by the number of squares with the text."""

    def taken(together: int) -> int:
        return length - together * (width - 1)

    matches: Counter[int] = Counter()
    first: defaultdict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    if len(stands.rows) and taken(1) in squares:
        best = zip(stands.rows[:limit].tolist(), stands.starts[:limit].tolist(), strict=True)
        matches[1], first[1] = len(stands.rows), [(row, (start,)) for row, start in best]
    again = np.isin(stands.rows, stands.rows[1:][stands.rows[1:] == stands.rows[:-1]])
    repeated = zip(stands.rows[again].tolist(), stands.starts[again].tolist(), strict=True)
    known: dict[tuple[int, ...], _Choices] = {}
    for row, places in groupby(repeated, key=itemgetter(0)):
        starts = tuple(start for _, start in places)
        choices = known.get(starts) or known.setdefault(starts, _Choices(starts, width))
        for together in range(2, choices.most + 1):
            if taken(together) in squares:
                matches[together] += choices.count(together)
                room = limit - len(first[together])
                first[together] += [(row, chosen) for chosen in islice(choices.listed(together), room)]
    return (_Forms(taken(together), matches[together], forms) for together, forms in first.items())


class _Choices:
    """The sets of places of a text in a word that can be squares together, because none overlap."""

    def __init__(self, starts: tuple[int, ...], width: int) -> None:
        self._starts = starts
        self._after = [bisect_left(starts, start + width) for start in starts]
        """For each place, the index of the first later one that does not overlap it."""
        self._counts: list[list[int]] = [[1]]
        """From each place on, and past the last, the number of ways to choose 0, 1, 2… places."""
        for after in reversed(self._after):
            without, with_it = self._counts[0], [0, *self._counts[after - len(starts) - 1]]
            self._counts.insert(0, [sum(pair) for pair in zip_longest(without, with_it, fillvalue=0)])

    @property
    def most(self) -> int:
        """The maximum number of places chosen together."""
        return len(self._counts[0]) - 1

    def count(self, together: int) -> int:
        """Return the number of ways to choose this many places; it can be millions in `AAAA…`."""
        return self._counts[0][together]

    def listed(self, together: int, begin: int = 0) -> Iterator[tuple[int, ...]]:
        """Yield these ways in order."""
        if not together:
            yield ()
            return
        for place in range(begin, len(self._starts)):
            if len(self._counts[place]) <= together:
                return
            for others in self.listed(together - 1, self._after[place]):
                yield (self._starts[place], *others)


def _answer(word: str, score: int, starts: tuple[int, ...], width: int, content: str) -> RebusAnswer:
    parts, end = [], 0
    for start in starts:
        parts += [word[end:start], f"[{content}]"]
        end = start + width
    places = tuple(start - number * (width - 1) + 1 for number, start in enumerate(starts))
    return RebusAnswer("".join([*parts, word[end:]]), word, score, places)
