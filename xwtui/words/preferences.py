"""What a constructor would rather see: words of some lists more, words used of late less."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xwtui.words.word_list import WordList, WordTable, row_keys

FAVOUR = 50
"""What being preferred adds to a word's score in the filler's choice, and what having been used of late takes."""


@dataclass(frozen=True, eq=False)
class Preferences:
    """Lists to be preferred, and words to be avoided where that is possible; they forbid nothing."""

    preferred: tuple[WordList, ...] = ()
    recent: WordList | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no word is dearer than its score."""
        return not self.preferred and self.recent is None

    @property
    def fingerprint(self) -> str:
        """Tells preferences apart; empty where there are none."""
        recent = "" if self.recent is None else self.recent.fingerprint
        return (
            "" if self.is_empty else " ".join(["prefer", *(each.fingerprint for each in self.preferred), recent])
        )

    def appeal(self, table: WordTable) -> NDArray[np.uint8]:
        """How dear each word of a table is to the filler: its score, raised or lowered; 0 to 150."""
        if self.is_empty:
            return table.scores
        appeal = table.scores.astype(np.int16)
        appeal[_are_in(table, self.preferred)] += FAVOUR
        if self.recent is not None:
            appeal[_are_in(table, [self.recent])] -= FAVOUR
        return np.maximum(appeal, 0).astype(np.uint8)


NO_PREFERENCES = Preferences()


def _are_in(table: WordTable, lists: Iterable[WordList]) -> NDArray[np.bool_]:
    """Which words of a table any of some lists has."""
    count, length = table.letters.shape
    letters = [each.table(length).letters for each in lists]
    if not count or not any(map(len, letters)):
        return np.zeros(count, np.bool_)
    return np.isin(row_keys(table.letters), row_keys(np.concatenate(letters)))
