"""Which entries cannot be filled together: a smallest set, all others being let go."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xwtui.engine.explaining.judge import Judge
from xwtui.engine.explaining.shrinking import shrink
from xwtui.engine.filler import Filler
from xwtui.engine.kernels.network import CROSSING, PLACES
from xwtui.engine.problem import Problem
from xwtui.engine.relaxation import Relaxer

_FIRST_SIZE = 6
"""Entries of the smallest region that is tried."""


class Cores:
    """Looks for small sets of entries of one problem that have no fill, whatever the others are."""

    def __init__(self, problem: Problem, judge: Judge) -> None:
        self._problem = problem
        self._judge = judge
        self._relaxer = Relaxer(problem)
        self._all = range(len(problem.slots))

    def by_propagation(self) -> tuple[str, ...]:
        """A smallest set that propagation refutes, by name; empty if rules for the whole grid are needed, too."""
        return self._names(self._shrink(list(self._all), 0))

    def by_search(self, filler: Filler, nodes: int) -> tuple[str, ...]:
        """A small set that the search refutes within so many nodes, begun where a search of all met dead ends."""
        order = self._by_blame(filler)
        size = _FIRST_SIZE
        while True:
            region = order[:size]
            if self._is_impossible(region, nodes):
                return self._names(self._shrink(region[::-1], nodes))
            if size >= len(order):
                return ()
            size *= 2

    def most_blamed(self, filler: Filler, most: int) -> tuple[str, ...]:
        """The entries about which a search met its dead ends, at most so many."""
        return self._names(self._by_blame(filler)[:most])

    def _shrink(self, slots: Sequence[int], nodes: int) -> list[int]:
        if not self._is_impossible(slots, nodes):
            return []
        return shrink(slots, lambda kept: bool(kept) and self._is_impossible(kept, nodes))

    def _is_impossible(self, kept: Collection[int], nodes: int) -> bool:
        self._judge.check_time()
        held = set(kept)
        relaxed = self._relaxer.relax([slot for slot in self._all if slot not in held], {})
        if not nodes or not relaxed.root.is_possible:
            return not relaxed.root.is_possible
        return self._judge.finding(Filler(relaxed), nodes).is_impossible

    def _by_blame(self, filler: Filler) -> list[int]:
        """The slots as a connected region grows from the most blamed one, the most blamed neighbour first."""
        weights, network = filler.square_weights, self._problem.network
        numbers = {position: number for number, position in enumerate(self._problem.positions)}
        blame = [
            float(sum(weights[numbers[at]] for at in slot.positions)) / len(slot) for slot in self._problem.slots
        ]
        region: list[int] = []
        rim: set[int] = set()
        left = set(self._all)
        while left:
            slot = max(rim or left, key=lambda each: blame[each])
            region.append(slot)
            left.discard(slot)
            begin, end = network.slots[slot : slot + 2, PLACES].tolist()
            rim = (rim | set(network.places[begin:end, CROSSING].tolist())) & left
        return region

    def _names(self, slots: Collection[int]) -> tuple[str, ...]:
        return tuple(self._problem.slots[slot].name for slot in sorted(slots))
