"""Setting out anew where nothing better comes for long: a part of the best is filled again, with good words alone.

Iterated local search (Lourenço, Martin and Stützle, Handbook of Metaheuristics, 2003): the fill with the new
part is made better in its turn, and where that ends below the best, the next one sets out from the best again.
Not where letters come first: the way back to them is longer than what is gained.
"""

from __future__ import annotations

from random import Random

from xwtui.engine.improving.standing import Standing
from xwtui.engine.outcome import Outcome

_PATIENCE = 0.4
"""Rounds without a better fill, for each square that has a choice, before the next kick."""
_SHARES = (0.3, 1.0)
"""The least and the largest share of the squares that a kick frees."""

_RISE, _FALL = 2.0, 1.0
"""Points by which the least score that words must have then goes up after a success, and down after a failure."""


class Kicks:
    """The fill that a thread works on, and whether it is time to leave it."""

    def __init__(self, squares: int, random: Random) -> None:
        """Work on no fill yet, in a grid with so many squares that have a choice."""
        self._squares = squares
        self._random = random
        self._present: Standing | None = None
        self._rounds = 0
        self._tier: float | None = None

    def present(self, best: Standing) -> Standing:
        """The fill to work on: the best where there is no other."""
        if self._present is None:
            self._present = best
        return self._present

    @property
    def is_due(self) -> bool:
        """Whether the present fill has not become better for long."""
        return self._rounds > _PATIENCE * self._squares

    @property
    def size(self) -> int:
        """How many squares the next kick is to free."""
        least, most = _SHARES
        return max(int(self._squares * (least + (most - least) * self._random.random())), 1)

    def tier(self, lowest: int) -> int:
        """The least score of the words that the next kick may use, where the best fill has this lowest one."""
        if self._tier is None:
            self._tier = float(lowest)
        return int(self._tier)

    def learn(self, outcome: Outcome) -> None:
        """Ask for better words where such were found, and for less where not."""
        assert self._tier is not None
        self._tier += _RISE if outcome is Outcome.FILLED else -_FALL
        self._tier = min(max(self._tier, 0.0), 100.0)

    def count(self) -> None:
        """Count a round without a better fill."""
        self._rounds += 1

    def work_on(self, standing: Standing | None) -> None:
        """Work on another fill from now on; None for the best."""
        self._present = standing
        self._rounds = 0
