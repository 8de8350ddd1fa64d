"""A bound on what any fill is worth, by Lagrangian relaxation: no crossing need agree, but disagreement is priced.

Each entry takes the word that is best for itself, given what a letter costs it at each crossing; what
one entry pays for a letter there, the entry across is paid. A fill pays as much as it is paid, so
the sum of the best that each entry can have is a bound on all fills, whatever the prices are. They move by
subgradient steps towards those that make the bound low (Held, Wolfe and Crowder, Validation of
Subgradient Optimization, Mathematical Programming 6, 1974), averaged as by Camerini, Fratta and
Maffioli (Mathematical Programming Study 3, 1975). All numbers are whole: the bound is exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.building.assemble import steered
from xwtui.engine.improving.worth import Worth
from xwtui.engine.kernels.network import PLACES, SQUARE, SYMBOLS
from xwtui.engine.kernels.priced_rows import find_priced_rows

_SCALE = 256
"""Steps of a price in one unit of worth."""
_ROWS_A_NODE = 2000
"""Rows priced in about the time that the search takes for a node."""
_FIRST_STRIDE = 0.3
"""What a step closes of the gap to the best fill, if all goes well."""
_PATIENCE = 20
"""Steps without a better bound after which the stride is halved."""
_LAST_STRIDE = 0.002
"""The stride at which the prices are left as they are."""
_MEMORY = 0.7
"""How much of the last direction each step keeps."""


class PricedBound:
    """Tightens the bound of an objective that sums what the entries are worth; belongs to one thread."""

    def __init__(self, worth: Worth) -> None:
        """Begin with all prices at nothing, where the bound is each entry's best word."""
        self._problem = worth.problem
        self._network = steered(worth.problem.network)
        self._slots = np.flatnonzero(worth.chosen)
        self._worths = worth.summands * _SCALE
        self._first, self._second = self._crossings()
        self._prices = np.zeros((len(self._first), SYMBOLS), np.int64)
        self._direction = np.zeros((len(self._first), SYMBOLS))
        self._stride, self._idle = _FIRST_STRIDE, 0
        self._least: int | None = None
        self.effort = 0
        """What the steps have taken so far, in nodes of a search."""
        self.is_settled = not len(self._slots)
        """Whether no more steps are worth while."""

    def step(self, target: int) -> int:
        """Reckon the bound at the present prices, and move them towards what the best fill is worth, `target`.

        Returns the least bound so far: no fill is worth more, in units of `Worth.summands`.
        """
        prices = np.zeros((len(self._network.places), SYMBOLS), np.int64)
        prices[self._first] -= self._prices
        prices[self._second] += self._prices
        found = np.zeros(2 * len(self._slots), np.int64)
        memory = self._problem.root.state.memory
        looked = find_priced_rows(self._network, memory, self._slots, self._worths, prices.reshape(-1), found)
        self.effort += 1 + looked // _ROWS_A_NODE
        rows, totals = found.reshape(2, -1)
        bound = int(totals.sum())
        self._move(rows, bound - target * _SCALE)
        return self._note(bound) // _SCALE

    def _note(self, bound: int) -> int:
        """Keep the least bound; where none comes for long, take shorter strides."""
        if self._least is None or bound < self._least:
            self._least, self._idle = bound, 0
            return bound
        self._idle += 1
        if self._idle > _PATIENCE:
            self._idle, self._stride = 0, self._stride / 2
            self.is_settled |= self._stride < _LAST_STRIDE
        return self._least

    def _move(self, rows: NDArray[np.int64], gap: int) -> None:
        """Make dearer, for each of two entries, the letter that it alone took at a crossing."""
        symbols = np.zeros(len(self._network.places), np.int64)
        starts = self._network.slots[:, PLACES]
        for slot, row in zip(self._slots.tolist(), rows.tolist(), strict=True):
            symbols[starts[slot] : starts[slot + 1]] = self._problem.tables[slot].symbols[row]
        one, other = symbols[self._first], symbols[self._second]
        crossings = np.arange(len(one))
        self._direction *= _MEMORY
        np.add.at(self._direction, (crossings, one), 1.0)
        np.add.at(self._direction, (crossings, other), -1.0)
        self.is_settled |= gap <= 0 or bool((one == other).all())
        square = float((self._direction**2).sum())
        if square and not self.is_settled:
            self._prices += np.rint(self._direction * (self._stride * gap / square)).astype(np.int64)

    def _crossings(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The two places of each open square where two of the slots cross."""
        network = self._network
        masks = self._problem.masks(self._problem.root.state)
        at: dict[int, list[int]] = {}
        for slot in self._slots.tolist():
            for place in range(*network.slots[slot : slot + 2, PLACES].tolist()):
                at.setdefault(int(network.places[place, SQUARE]), []).append(place)
        pairs = [
            places for square, places in at.items() if len(places) == 2 and masks[square] & (masks[square] - 1)
        ]
        both = np.array(pairs, np.int64).reshape(-1, 2)
        return both[:, 0], both[:, 1]
