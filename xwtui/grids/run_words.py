"""How many words fit a run of squares some of which are known, and what a run so costs a layout."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.layouts import FORBIDDEN, count_runs
from xwtui.engine.problem.arrays import Table
from xwtui.engine.problem.symbols import plain_symbols
from xwtui.engine.problem.word_stock import word_stock_of
from xwtui.model.grid import LARGEST_SIDE
from xwtui.words.lexicon import Lexicon

Known: TypeAlias = tuple[tuple[int, str], ...]
"""Squares, counted from the start of a line, and what stands in each, in order."""

_SQUARE_DIGITS = 0.59
"""Digits (powers of ten) by which each open square lessens the words of a run: two letters of chance are the same
in one of fifteen squares, and either entry bears half of that."""
_EASY_DIGITS, _HARD_COST = 1.0, 0.6
"""A run to which more digits are left costs nothing, and each digit less costs so much."""
_THREE_COST = 0.3
_LINES_KEPT = 4_000
USUAL_LENGTHS = range(3, LARGEST_SIDE + 1)
"""How many squares an entry may have where nothing else is demanded."""


class RunWords:
    """Counts the words of a lexicon that fit; keeps what it has counted. May be used by several threads."""

    def __init__(self, lexicon: Lexicon, entry_lengths: range = USUAL_LENGTHS) -> None:
        self._stock = word_stock_of(lexicon, {}, ())
        self._symbols = plain_symbols(lexicon.alphabet)
        self._entry_lengths = entry_lengths
        self.line_costs = lru_cache(_LINES_KEPT)(self._line_costs)

    def counts(self, squares: int, known: Known) -> NDArray[np.int64]:
        """(squares x (squares + 1)) how many words fit each run of a line, by where it starts and its squares."""
        contents = dict(known)
        texts = [contents.get(square, "") for square in range(squares)]
        codes = [code for text in texts for code in (self._symbols.of_text(text) if text else (-1,))]
        letters = np.array(codes, np.int64)
        before = np.array([0, *np.cumsum([max(len(text), 1) for text in texts])], np.int64)
        counts = np.zeros((squares, squares + 1), np.int64)
        for length in range(1, len(codes) + 1):
            table: Table = self._stock.free_table(length)
            shape = np.array([length, table.symbol_count, table.rows, table.width], np.int64)
            count_runs(table.supports, shape, letters, before, np.zeros(length, np.int64), counts)
        return counts

    def _line_costs(self, squares: int, known: Known) -> NDArray[np.float64]:
        """(squares x (squares + 1)) what each run of a line costs: less the more words fit it.

        What counts are the digits of their number, less what the entries across rule out, open square by open
        square: the run's part of the estimate of all fills. One that no word fits, or that is too short or too
        long, is FORBIDDEN.
        """
        counts = self.counts(squares, known)
        starts, lengths = np.ogrid[:squares, : squares + 1]
        open_squares = np.repeat(lengths, squares, axis=0)
        for square, _ in known:
            open_squares -= (starts <= square) & (square < starts + lengths)
        digits = np.log10(np.maximum(counts, 1)) - _SQUARE_DIGITS * open_squares
        costs: NDArray[np.float64] = _HARD_COST * np.maximum(_EASY_DIGITS - digits, 0)
        costs += _THREE_COST * (lengths == 3)
        is_length = (lengths >= self._entry_lengths.start) & (lengths < self._entry_lengths.stop)
        costs[(counts == 0) | ~is_length] = FORBIDDEN
        costs[:, 0] = 0.0
        costs.flags.writeable = False
        return costs
