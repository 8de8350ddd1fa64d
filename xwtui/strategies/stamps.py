"""The stamps of TheF#WORD: the steps in which patterns were filled, by which a jump finds its way."""

from __future__ import annotations

from xwtui.strategies.board import Board


class Stamps:
    """The step in which each filled slot was filled."""

    def __init__(self, board: Board) -> None:
        """No slot is filled at first."""
        self._board = board
        self._steps: dict[int, int] = {}
        self.last = 0
        """The number of the last step."""

    def put(self, slot: int) -> None:
        """Stamp a slot that is filled, in a new step."""
        self.last += 1
        self._steps[slot] = self.last

    def take(self, slot: int) -> None:
        """Take the stamp off a slot that is not filled any more."""
        del self._steps[slot]

    def target(self, inconsistent: int) -> int | None:
        """The slot to jump back to from an inconsistent one; None where none is filled.

        Of those that cross it, or else of all, the one filled last.
        """
        crossing = [other for _, other, _ in self._board.crossings[inconsistent] if other in self._steps]
        return max(crossing or self._steps, key=self._steps.__getitem__, default=None)

    def dependent_on(self, target: int) -> set[int]:
        """A filled slot, those that cross it and were filled later, and so on from these."""
        found = [target]
        for slot in found:
            stamp = self._steps[slot]
            crossing = [other for _, other, _ in self._board.crossings[slot]]
            found += {other for other in crossing if self._steps.get(other, 0) > stamp}.difference(found)
        return set(found)
