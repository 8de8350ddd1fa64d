"""Making the keys that keep answers apart: letters in a row, and stems.

Words come in groups of one length each: their identities, as in `Table.words`, and their letters
as codes, shape (words, length). Each word is in them once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.demands.quotas import WordKeys
from xwtui.words.stems import Stemmer
from xwtui.words.word_list import WordTable, row_keys

WordGroup = tuple[NDArray[np.int32], NDArray[np.uint8]]


def substring_keys(groups: Iterable[WordGroup], length: int) -> WordKeys:
    """A key for each run of so many letters; a word has as many keys as it has different runs."""
    words, runs = [np.zeros(0, np.int32)], [np.zeros(0, row_keys(np.zeros((0, length), np.uint8)).dtype)]
    for identities, letters in groups:
        for start in range(letters.shape[1] - length + 1):
            words.append(identities)
            runs.append(row_keys(letters[:, start : start + length]))
    _, keys = np.unique(np.concatenate(runs), return_inverse=True)
    pairs = np.sort(np.concatenate(words).astype(np.int64) << 32 | keys)
    pairs = pairs[np.diff(pairs, prepend=-1) != 0]
    return WordKeys(f"share {length} letters in a row", (pairs >> 32).astype(np.int32), pairs.astype(np.int32))


def stem_keys(groups: Iterable[WordGroup], stem_groups: Collection[Collection[str]] = ()) -> WordKeys:
    """A key for each stem; the words of a stem group have one more in common, with all that share their stem."""
    identity_of = {
        word: identity
        for identities, letters in groups
        for word, identity in zip(_spell(letters), identities.tolist(), strict=True)
    }
    stemmer = Stemmer(stem_groups, identity_of.keys())
    numbers: dict[str, int] = {}
    words: list[int] = []
    keys: list[int] = []
    for word, identity in identity_of.items():
        for stem in stemmer.stems(word):
            words.append(identity)
            keys.append(numbers.setdefault(stem, len(numbers)))
    return WordKeys("share a stem", np.array(words, np.int32), np.array(keys, np.int32))


def _spell(letters: NDArray[np.uint8]) -> list[str]:
    return WordTable(np.ascontiguousarray(letters), np.zeros(len(letters), np.uint8)).words()
