"""Counting every fill of a problem, a slice at a time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from xwtui.engine.building.assemble import with_longer_trail
from xwtui.engine.kernels.enumerate import (
    DESCENDING,
    ENUMERATED,
    FILLS,
    NODES,
    TOTALS_SIZE,
    TRAIL_FULL,
    Enumeration,
    enumerate_fills,
)
from xwtui.engine.kernels.network import REQUIRED, Network
from xwtui.engine.problem import Problem

_NODES_A_SLICE = 1_000


class FillEnumeration:
    """A search through all fills of a problem whose root is possible, or of some of its slots."""

    def __init__(self, problem: Problem, slots: Collection[int] | None = None) -> None:
        """`slots` must be independent of the others."""
        depths = len(problem.slots) + 1
        self._network = problem.network if slots is None else _requiring(problem.network, slots)
        self._state = problem.new_state()
        self._place = Enumeration(
            slots=np.zeros(depths, np.int64),
            rows=np.full(depths, -1, np.int64),
            totals=np.zeros(TOTALS_SIZE, np.int64),
        )
        self._place.totals[DESCENDING] = 1

    def advance(self, nodes: int = _NODES_A_SLICE) -> bool:
        """Go on for so many nodes at most; True when all fills are counted."""
        outcome = enumerate_fills(self._network, self._state, self._place, nodes)
        if outcome == TRAIL_FULL:
            self._state = with_longer_trail(self._state)
        return outcome == ENUMERATED

    @property
    def fills(self) -> int:
        """The fills counted so far."""
        return int(self._place.totals[FILLS])

    @property
    def nodes(self) -> int:
        """The words tried so far."""
        return int(self._place.totals[NODES])


def _requiring(network: Network, slots: Collection[int]) -> Network:
    """A network in which these slots alone must be decided."""
    rows = network.slots.copy()
    rows[:, REQUIRED] = 0
    rows[list(slots), REQUIRED] = 1
    return replace(network, slots=rows)
