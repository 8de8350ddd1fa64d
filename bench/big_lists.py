"""Reproducible word lists of any size: a sample of a list, or the list extended with invented words.

Invented words are pronounceable: each letter is drawn with the probability that it follows the two letters before
it in the list's own words. Crossings therefore find about as many letters as in a real list.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from xwtui.model.letters import ENGLISH_LETTERS

SEED = 7
_LETTERS = ENGLISH_LETTERS
_END = 26
"""Code that stands for the positions before a word's first letter."""


def resized(words: Mapping[str, int], size: int) -> dict[str, int]:
    """Return `size` words with scores: a sample of the list, or the whole list plus invented words."""
    rng = np.random.default_rng(SEED)
    listed = sorted(words)
    if size <= len(listed):
        kept = rng.choice(len(listed), size, replace=False)
        return {listed[number]: words[listed[number]] for number in sorted(kept)}
    enlarged = dict(words)
    spellable = [word for word in listed if word.isalpha()]
    likely = _following(spellable)
    lengths, scores = np.array([len(word) for word in spellable]), np.array(sorted(words.values()))
    while len(enlarged) < size:
        lots = rng.choice(lengths, size - len(enlarged))
        for length in np.unique(lots):
            codes = _drawn(likely, int(length), int((lots == length).sum()), rng)
            points = rng.choice(scores, len(codes))
            for row, score in zip(codes, points, strict=True):
                enlarged.setdefault("".join(_LETTERS[code] for code in row), int(score))
    return enlarged


def _following(words: list[str]) -> NDArray[np.float64]:
    """Return the cumulative probabilities of the next letter.

    Shape (27, 27, 26): the two codes before it, the letter.
    """
    counts = np.full((27, 27, 26), 0.001)
    for word in words:
        before, last = _END, _END
        for letter in word:
            code = ord(letter) - ord("A")
            counts[before, last, code] += 1
            before, last = last, code
    summed: NDArray[np.float64] = np.cumsum(counts, axis=2)
    summed /= summed[:, :, -1:]
    return summed


def _drawn(likely: NDArray[np.float64], length: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw `count` words of one length, as rows of letter codes."""
    codes = np.zeros((count, length), np.int64)
    before = last = np.full(count, _END)
    for place in range(length):
        chance = rng.random(count)
        codes[:, place] = np.minimum((likely[before, last] < chance[:, None]).sum(axis=1), 25)
        before, last = last, codes[:, place]
    return codes


def as_list(words: Mapping[str, int]) -> str:
    """Return the words as the text of a list file."""
    return "".join(f"{word};{score}\n" for word, score in words.items())
