"""How far a thread's own fill may fall behind the best, so that it gets over what no single region mends.

Dueck's record-to-record travel (New Optimization Heuristics, Journal of Computational Physics 104, 1993), with
an allowance that grows from nothing: the longer nothing better is found, the farther the fill may stray, until
it goes back to the best and sets out anew.
"""

from __future__ import annotations

from xwtui.engine.improving.standing import Standing

_POINTS = 20
"""Points of score, over all entries together, that a fill may be behind at most."""
_PATIENCE = 1.5
"""Rounds for each square that has a choice in which nothing but a better fill will do; then, in as many again,
the allowance grows to its most, and then the fill goes back to the best."""


class Straying:
    """The fill that a thread works on, and what it may be worse by."""

    def __init__(self, squares: int) -> None:
        """Set out from no fill yet, in a grid with so many squares that have a choice."""
        self._patience = max(_PATIENCE * squares, 1.0)
        self._rounds = 0
        self._best: Standing | None = None
        self._present: Standing | None = None

    def from_best(self, best: Standing) -> Standing:
        """The fill to work on in the next round: the best where it is new or nothing came of the last way."""
        if self._present is None or best is not self._best or self._rounds > 2 * self._patience:
            self._best = self._present = best
            self._rounds = 0
        self._rounds += 1
        return self._present

    @property
    def points(self) -> int:
        """The next fill may be worse than the best by fewer points of score than this; 0: it must be better."""
        return int(_POINTS * max(self._rounds / self._patience - 1, 0))

    def move(self, standing: Standing) -> None:
        """Work on another fill."""
        self._present = standing
