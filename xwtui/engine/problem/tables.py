"""The word tables of a problem: for each slot, the rows of symbols that its squares can take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.network import FIRST_ROWS, PLAIN_SYMBOLS
from xwtui.engine.kernels.setup import build_supports

_LETTERS = 26


@dataclass(frozen=True, eq=False)
class Table:
    """Rows by descending score; `symbols` (rows, squares), `words` and `scores` (rows,) and bit-sets.

    A word that falls into the squares in several ways has a row for each.
    """

    symbols: NDArray[np.uint8]
    words: NDArray[np.int32]
    scores: NDArray[np.uint8]
    supports: NDArray[np.uint64]
    row_counts: NDArray[np.int32]
    """How many rows each bit-set has."""
    first_rows: NDArray[np.int32]
    """The first FIRST_ROWS rows of each bit-set."""
    symbol_count: int
    rows_by_word: NDArray[np.int32]
    lengths: tuple[int, ...]
    """How many characters the words have."""
    appeals: NDArray[np.uint8]
    """(rows,) how dear each word is to the filler: its score, but for preferences."""
    marks: NDArray[np.uint8] | None = None
    """(rows,) of words that are not what is entered, how they are entered; see treated_words.py."""
    is_whole: bool = True
    """Whether no way to enter an answer otherwise is left out for want of room."""

    @classmethod
    def of_rows(
        cls,
        symbols: NDArray[np.uint8],
        words: NDArray[np.int32],
        scores: NDArray[np.uint8],
        lengths: tuple[int, ...],
        appeals: NDArray[np.uint8] | None = None,
        *,
        marks: NDArray[np.uint8] | None = None,
        least_symbols: int = 0,
        is_whole: bool = True,
    ) -> Table:
        """Build the bit-sets of some rows; `appeals` are the scores if they are not given.

        There are `least_symbols` of them at least: more than PLAIN_SYMBOLS where a word may have several rows.
        """
        rows, length = symbols.shape
        highest = max(int(symbols.max(initial=0)), least_symbols - 1)
        symbol_count = next(count for count in (_LETTERS, PLAIN_SYMBOLS, highest + 1) if count > highest)
        bit_sets = length * symbol_count
        supports = np.zeros(bit_sets * -(-rows // 64), np.uint64)
        counts, first_rows = np.zeros(bit_sets, np.int32), np.zeros(bit_sets * FIRST_ROWS, np.int32)
        build_supports(symbols.flatten(), length, symbol_count, supports, counts, first_rows)
        rows_by_word = np.argsort(words, kind="stable").astype(np.int32)
        appeals = scores if appeals is None else appeals
        return cls(
            symbols,
            words,
            scores,
            supports,
            counts,
            first_rows,
            symbol_count,
            rows_by_word,
            lengths,
            appeals,
            marks,
            is_whole,
        )

    @cached_property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.words)

    @cached_property
    def width(self) -> int:
        """64-bit words of one bit-set."""
        return -(-self.rows // 64)

    @property
    def is_plain(self) -> bool:
        """Whether it has none but the first 36 symbols: no rebus, and so one row for each word."""
        return self.symbol_count <= PLAIN_SYMBOLS

    @cached_property
    def has_letters_alone(self) -> bool:
        """Whether no square of its rows holds more than a plain symbol; a word may have several rows still."""
        return int(self.symbols.max(initial=0)) < PLAIN_SYMBOLS

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        arrays = (self.symbols, self.words, self.scores, self.supports, self.first_rows, self.rows_by_word)
        return sum(array.nbytes for array in arrays)
