"""The key of a locked .puz solution, found by trying all of them at once.

A locked solution is scrambled with a key of four digits, and the file has a checksum of 16 bits of the letters as
they were. puzpy tries a key in 0.2 ms, so all in 2 s for a daily grid and 4 s for a Sunday one; as arrays the
9,000 keys take a tenth of that, and puzpy has the last word on those that fit. As others than the right one may
fit by chance, the one is taken whose letters are the commonest.
"""

from collections.abc import Sequence

import numpy as np
import puz
from numpy.typing import NDArray

_KEYS = np.arange(1000, 10000)
_FIRST, _LETTERS = ord("A"), 26
_COMMON = "EAROTISNLCDUPMHGBYFKWVXZJQ"
"""Letters of answers, the commonest first."""


def fitting_keys(file: puz.Puzzle) -> Sequence[int]:
    """The keys that unlock the solution of a file, the likeliest first; none where it has more than A-Z."""
    blocks = file.blacksquare()
    locked = puz.replace_chars(puz.square(file.solution, file.width, file.height), blocks)
    codes = np.array([ord(letter) - _FIRST for letter in locked], np.int64)
    if not len(codes) or not ((codes >= 0) & (codes < _LETTERS)).all():
        return []
    letters = _unscrambled(codes.astype(np.uint8))
    fitting = np.flatnonzero(_checksums(letters) == file.scrambled_cksum)
    rank = np.array([_COMMON.index(chr(_FIRST + code)) for code in range(_LETTERS)])
    likeliest = sorted(fitting, key=lambda row: rank[letters[row]].sum())
    return [key for row in likeliest if _fits(file, key := int(_KEYS[row]))]


def _fits(file: puz.Puzzle, key: int) -> bool:
    solution = puz.unscramble_solution(
        file.solution, file.width, file.height, key, ignore_chars=file.blacksquare()
    )
    return bool(file.check_answers(solution))


def _unscrambled(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The letters, 0 to 25, that each key gives, shape (keys, letters): the rounds of scrambling backwards."""
    count = len(codes)
    digits = np.stack([_KEYS // 10**place % 10 for place in (3, 2, 1, 0)], axis=1).astype(np.uint8)
    unshuffled = np.concatenate([np.arange(1, count, 2), np.arange(0, count, 2)])
    shifts = digits[:, np.arange(count) % 4]
    letters = np.tile(codes, (len(_KEYS), 1))
    for turn in (3, 2, 1, 0):
        letters = letters[:, unshuffled]
        for digit in range(10):
            rows = digits[:, turn] == digit
            letters[rows] = np.roll(letters[rows], digit, axis=1)
        letters = (letters + _LETTERS - shifts) % _LETTERS
    return letters


def _checksums(letters: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The checksum of each row of letters, as .puz has it."""
    checksums = np.zeros(len(letters), np.int64)
    for column in letters.T:
        checksums = (checksums >> 1) + ((checksums & 1) << 15)
        checksums = (checksums + column + _FIRST) & 0xFFFF
    return checksums
