"""The fills found so far, any two of which differ enough."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.filler import Filler
from xwtui.engine.problem import Problem
from xwtui.model import Content, Position

_ALL_SYMBOLS = (1 << 64) - 1


@dataclass(frozen=True)
class RankedFill:
    """One of several fills; scores are of the entries that are not given whole."""

    squares: Mapping[Position, Content]
    """The content of every square of an entry; of a selection those in it."""
    answers: Mapping[str, str]
    """The answer of every entry, by its name."""
    mean_score: float
    lowest_score: int


class FillSet:
    """Fills that differ in at least a share of the squares that a fill decides; threads may share it."""

    def __init__(self, problem: Problem, difference: float) -> None:
        task = problem.task
        self._problem = problem
        self.free = np.array(
            [
                at not in task.given and at not in task.holes and (task.selection is None or at in task.selection)
                for at in problem.positions
            ],
            bool,
        )
        """(squares,) whether a square counts: it is not given, and it is to be filled."""
        self.least = max(math.ceil(difference * int(self.free.sum()) - 1e-9), 1)
        """In how many squares two fills differ, at least."""
        self.fills: tuple[RankedFill, ...] = ()
        """In the order that they were found."""
        self._codes: list[NDArray[np.int64]] = []
        self._open = [
            square
            for square, mask in enumerate(problem.masks(problem.root.state))
            if self.free[square] and mask & (mask - 1)
        ]
        self._lock = Lock()

    def offer(self, filler: Filler) -> bool:
        """Take a filler's fill, if it differs enough from all the others."""
        masks = self._problem.masks(filler.state)
        codes = np.array([mask.bit_length() - 1 for mask in masks], np.int64)
        fill = self._ranked(filler)
        with self._lock:
            if not self.differs(codes):
                return False
            self._codes.append(codes)
            self.fills = (*self.fills, fill)
            return True

    def differs(self, codes: NDArray[np.int64]) -> bool:
        """Whether a fill, or what is known of it (-1 for an undecided square), may differ enough from all."""
        return all(int((codes != other)[self.free].sum()) >= self.least for other in self._codes)

    def forbidding(self, chance: Random) -> dict[int, int]:
        """For each fill, the letters of so many random squares forbidden that every other fill differs enough."""
        allowed: dict[int, int] = {}
        for codes in tuple(self._codes):
            for square in chance.sample(self._open, min(self.least, len(self._open))):
                allowed[square] = allowed.get(square, _ALL_SYMBOLS) & ~(1 << int(codes[square]))
        return allowed

    def _ranked(self, filler: Filler) -> RankedFill:
        problem, state = self._problem, filler.state
        rows = {
            slot: int(problem.rows_left(state, slot)[0])
            for slot, is_required in enumerate(problem.is_required)
            if is_required
        }
        given = problem.task.given.keys()
        scores = [
            problem.score(slot, row) for slot, row in rows.items() if not given >= {*problem.slots[slot].positions}
        ]
        return RankedFill(
            squares=filler.fill(),
            answers={problem.slots[slot].name: problem.word(slot, row) for slot, row in rows.items()},
            mean_score=sum(scores) / len(scores) if scores else 0.0,
            lowest_score=min(scores, default=0),
        )
