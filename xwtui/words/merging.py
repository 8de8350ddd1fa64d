"""Several word lists as one: the first layer that has a word decides its score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from xwtui.words.sharing import Shared
from xwtui.words.word_list import WordList, WordTable, by_score, empty_table, frozen_table, row_keys


class MergedWords:
    """A list over all that lies below it. Tables are made when first asked for, and kept.

    What lies below is an object of its own, so that a change in the list on top leaves it as it is made.
    """

    def __init__(self, top: WordList, below: MergedWords | None = None) -> None:
        self._top = top
        self._below = below
        self._tables: dict[int, WordTable] = {}
        self._by_score: dict[int, WordTable] = {}

    def table(self, length: int) -> WordTable:
        """The words of a length in alphabetical order."""
        table = self._tables.get(length)
        if table is None:
            table = self._tables[length] = self._merged(length)
        return table

    def by_score(self, length: int) -> WordTable:
        """The same words by descending score, equal ones alphabetically."""
        table = self._by_score.get(length)
        if table is None:
            table = self._by_score[length] = self._sorted(length)
        return table

    def _merged(self, length: int) -> WordTable:
        own = self._top.table(length)
        below = self._below.table(length) if self._below is not None else empty_table(length)
        if not len(below.scores):
            return own
        return _over(own, below) if len(own.scores) else below

    def _sorted(self, length: int) -> WordTable:
        """Those of the list itself or of what lies below, where only one has any: these are sorted already."""
        table = self.table(length)
        if table is self._top.table(length):
            return self._top.by_score(length)
        if self._below is not None and table is self._below.table(length):
            return self._below.by_score(length)
        return by_score(table)


def _over(own: WordTable, below: WordTable) -> WordTable:
    """Two tables in alphabetical order as one; words of both keep the score of the first."""
    together = frozen_table(
        np.concatenate([own.letters, below.letters]), np.concatenate([own.scores, below.scores])
    )
    keys = row_keys(together.letters)
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    is_first = np.concatenate(([True], in_order[1:] != in_order[:-1]))
    return together.take(order[is_first])


_merged: Shared[tuple[int, ...], MergedWords] = Shared()
"""By the ids of the lists from one layer down; what is in use keeps its lists, and so their ids."""


def merged(layers: Sequence[WordList]) -> MergedWords:
    """The layers as one, the first one on top; lexicons whose lower layers are the same share these."""
    found: MergedWords | None = None
    for start in reversed(range(len(layers))):
        top, below = layers[start], found
        found = _merged.get(tuple(map(id, layers[start:])), lambda: MergedWords(top, below))  # noqa: B023
    return found if found is not None else MergedWords(WordList("none", {}))
