"""Scores for lists that have none: of how many lists have a word, and of its length; a minimum chooses by them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from xwtui.words.sharing import Shared
from xwtui.words.word_list import WordList, WordTable, frozen_table, rows_in

IN_ALL_LISTS = 60
"""The score of a word of three letters that all lists have; of one that some have it is their share of this."""

A_LETTER_MORE = 2
SHORTEST_GRADED, LONGEST_GRADED = 3, 13
"""Letters from which on a word gets more by its length, and up to which."""


def has_no_scores(words: WordList) -> bool:
    """Whether all words of a list have one score, as where its file tells none, but not 0, which bans."""
    found = {int(score) for length in words.lengths for score in _ends(words.table(length).scores)}
    return len(found) == 1 and 0 not in found


def _ends(scores: NDArray[np.uint8]) -> tuple[np.uint8, ...]:
    return (scores.min(), scores.max()) if len(scores) else ()


def graded(lists: Sequence[WordList]) -> list[WordList]:
    """The lists, each of those without scores with scores by how many of all lists have a word, and by its length.

    Lists that have scores stay as they are, and count. The same lists give the very same ones again, as long as
    these are in use.
    """
    key = tuple(sorted(each.fingerprint for each in lists))
    return [_grade(each, lists, key) if has_no_scores(each) else each for each in lists]


_graded: Shared[tuple[str, str, tuple[str, ...]], WordList] = Shared()
"""By the name and hash of a list, and the hashes of all lists."""


def _grade(words: WordList, lists: Sequence[WordList], key: tuple[str, ...]) -> WordList:
    def made() -> WordList:
        tables = {length: _graded_table(words.table(length), lists) for length in words.lengths}
        return WordList(words.name, tables, words.tag_rows, words.parted_rows)

    return _graded.get((words.name, words.fingerprint, key), made)


def _graded_table(table: WordTable, lists: Sequence[WordList]) -> WordTable:
    length = table.letters.shape[1]
    having = np.zeros(len(table.letters), np.int64)
    for each in lists:
        having += rows_in(table, [each.table(length).letters])
    more = A_LETTER_MORE * (min(max(length, SHORTEST_GRADED), LONGEST_GRADED) - SHORTEST_GRADED)
    return frozen_table(table.letters, (having * IN_ALL_LISTS // len(lists) + more).astype(np.uint8))
