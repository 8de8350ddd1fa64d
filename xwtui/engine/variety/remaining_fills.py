"""A systematic look at all fills, which proves that no other one differs enough from those found.

After Lawler's way of parting what is left when one solution is known ("A procedure for computing the K best
solutions to discrete optimization problems", Management Science 1972): the fills that differ from
it first in the first square, those that agree there and differ first in the second, and so on. A
part all of whose fills are too much like one found is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.crew import SECONDS_A_SLICE
from xwtui.engine.filler import Filler
from xwtui.engine.narrowing import narrow
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.engine.variety.fill_set import FillSet


@dataclass
class _Part:
    """The fills of a narrowed problem, one of which is known, and how many of its sub-parts were looked at."""

    masks: list[int]
    """What each square can take, propagated."""
    codes: list[int]
    """The symbols of the fill that is known."""
    next: int = 0
    """How many of the squares that count were looked at."""


class RemainingFills:
    """Goes through all parts, depth first, a slice at a time; one thread's."""

    def __init__(self, problem: Problem, fills: FillSet, *, seed: int) -> None:
        self._problem = problem
        self._fills = fills
        self._seed = seed
        self._free = np.flatnonzero(fills.free).tolist()
        self._parts: list[_Part] = []
        self._filler: Filler | None = Filler(problem, seed=seed)

    def look(self, nodes: int, is_over: Callable[[], bool]) -> bool:
        """Go on for so many nodes or parts at most, or to the first new fill; True where nothing is left."""
        while nodes > 0 and not is_over():
            if self._filler is None and not self._open_next():
                return True
            if self._filler is not None:
                before = self._filler.statistics.nodes
                self._filler.advance(nodes=nodes, seconds=SECONDS_A_SLICE)
                nodes -= self._filler.statistics.nodes - before + 1
                if self._filler.outcome.is_final and self._close():
                    return False
        return False

    def _open_next(self) -> bool:
        """Begin with the next part that may hold a fill unlike all found, if one is left."""
        while self._parts:
            part = self._parts[-1]
            if part.next == len(self._free):
                self._parts.pop()
                continue
            square = self._free[part.next]
            code = 1 << part.codes[square]
            allowed = dict(enumerate(part.masks))
            allowed |= {fixed: 1 << part.codes[fixed] for fixed in self._free[: part.next]}
            allowed[square] &= ~code
            part.next += 1
            if not allowed[square]:
                continue
            narrowed = narrow(self._problem, allowed)
            if narrowed.root.is_possible and self._fills.differs(known_codes(narrowed.masks(narrowed.root.state))):
                self._filler = Filler(narrowed, seed=self._seed)
                return True
        return False

    def _close(self) -> bool:
        """Part what is left of a part that was searched; whether its fill is a new one."""
        filler, self._filler = self._filler, None
        if filler is None or filler.outcome is not Outcome.FILLED:
            return False
        masks = filler.problem.masks(filler.problem.root.state)
        codes = known_codes(filler.problem.masks(filler.state)).tolist()
        self._parts.append(_Part(masks, codes))
        return self._fills.offer(filler)


def known_codes(masks: list[int]) -> NDArray[np.int64]:
    """The symbol of each square that has one left, else -1."""
    return np.array([mask.bit_length() - 1 if mask & (mask - 1) == 0 else -1 for mask in masks], np.int64)
