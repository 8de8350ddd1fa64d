"""How many words fit a run of squares some of which are known, and what a run so costs a layout."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.kernels.layouts import FORBIDDEN
from xwtui.words.indexes import ANY
from xwtui.words.lexicon import Lexicon

Known: TypeAlias = tuple[tuple[int, str], ...]
"""Squares, counted from the start of a line or a run, and what stands in each, in order."""

_ENOUGH = 150.0
"""Words among which there will be one for whatever crosses a run."""
_FEW_COST = 0.35
_THREE_COST = 0.3
_LONG, _LONG_COST = 8, 0.25
_PATTERNS_KEPT = 200_000
_LINES_KEPT = 4_000


class RunWords:
    """Counts the words of a lexicon that fit; keeps what it has counted. May be used by several threads."""

    def __init__(self, lexicon: Lexicon, shortest_entry: int = 3) -> None:
        self._index = lexicon.index
        self._shortest = shortest_entry
        self.cost = lru_cache(_PATTERNS_KEPT)(self._cost)
        self.line_costs = lru_cache(_LINES_KEPT)(self._line_costs)

    def count(self, squares: int, known: Known) -> int:
        """How many words fit a run of so many squares."""
        contents = dict(known)
        return self._index.count("".join(contents.get(square, ANY) for square in range(squares)))

    def _cost(self, squares: int, known: Known) -> float:
        """What a run costs: less the more words fit it, FORBIDDEN where none does or it is too short."""
        if squares < self._shortest:
            return FORBIDDEN
        fitting = self.count(squares, known)
        if not fitting:
            return FORBIDDEN
        cost = _FEW_COST * max(0.0, math.log(_ENOUGH / fitting)) + _THREE_COST * (squares == 3)
        return cost if known else cost + _LONG_COST * max(0, squares - _LONG)

    def _line_costs(self, squares: int, known: Known) -> NDArray[np.float64]:
        """(squares x (squares + 1)) what each run of a line costs, by where it starts and its squares."""
        costs = np.zeros((squares, squares + 1))
        for start in range(squares):
            for length in range(1, squares - start + 1):
                inside = tuple((at - start, content) for at, content in known if start <= at < start + length)
                costs[start, length] = self.cost(length, inside)
        return costs
