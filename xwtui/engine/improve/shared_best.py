"""The best fill shared by an improver's threads, a bound on all fills, and the watch over limits and callbacks.

The bound on the worth of a fill comes from Lagrangian relaxation: crossings need not agree, but disagreement has a
price. Each entry takes the word that is best for itself, given the price of a letter at each crossing. What one
entry pays for a letter there, the crossing entry receives. In a fill the payments cancel, so the sum of the best
that each entry can have is a bound on all fills for any prices. The prices move by subgradient steps that lower
the bound (Held, Wolfe and Crowder, Validation of Subgradient Optimization, Mathematical Programming 6, 1974),
averaged as by Camerini, Fratta and Maffioli (Mathematical Programming Study 3, 1975). All numbers are integers, so
the bound is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import inf
from threading import Event as Flag
from threading import Lock
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.improve.improvement import Aim, Improvement, ImproveProgress
from xwtui.engine.improve.worth import NONE, CodedFill, Worth, lowest_of, mean
from xwtui.engine.kernels.network import PLACES, SQUARE, SYMBOLS
from xwtui.engine.kernels.propagate.bound import find_priced_rows
from xwtui.engine.problem.arrays import with_constraints

PRICE_STEPS = 256
"""Price steps per unit of worth."""
IMPOSSIBLE_SHORTFALL = 1 << 40
"""The shortfall of a row that is not in the domain at the root."""
_ROWS_PER_NODE = 2000
"""Rows that can be priced in about the time that the search takes for a node."""
_FIRST_STRIDE = 0.3
"""The share of the gap to the best fill that a step ideally closes."""
_PATIENCE = 20
"""Steps without a better bound after which the stride is halved."""
_LAST_STRIDE = 0.002
"""The stride below which the prices are no longer changed."""
_MEMORY = 0.7
"""The share of the previous direction that each step keeps."""


class PricedRows(NamedTuple):
    """A bound, in price steps, and its components."""

    bound: int
    prices: NDArray[np.int64]
    """Shape (places, 64): the amount that a symbol adds at a place."""
    totals: NDArray[np.int64]
    """Shape (chosen slots,): the worth of each one's best row at these prices."""


class PricedBound:
    """Tightens the bound for an objective that is a sum over entries; for one thread."""

    def __init__(self, worth: Worth) -> None:
        """Start with all prices at zero, which gives the bound of each entry's best word."""
        self._problem = worth.problem
        self._network = with_constraints(worth.problem.network)
        self._slots = np.flatnonzero(worth.chosen)
        self._worths = worth.summands * PRICE_STEPS
        self._first, self._second = self._crossings()
        self._prices = np.zeros((len(self._first), SYMBOLS), np.int64)
        self._direction = np.zeros((len(self._first), SYMBOLS))
        self._stride, self._idle = _FIRST_STRIDE, 0
        self.best: PricedRows | None = None
        """The components of the lowest bound so far."""
        self.effort = 0
        """The cost of the steps so far, in nodes of a search."""
        self.is_settled = not len(self._slots)
        """Whether further steps would not be worthwhile."""

    def step(self, target: int) -> int:
        """Compute the bound at the current prices, and move them toward `target`, the worth of the best fill.

        Returns the lowest bound so far: no fill is worth more, in units of `Worth.summands`.
        """
        prices = np.zeros((len(self._network.places), SYMBOLS), np.int64)
        prices[self._first] -= self._prices
        prices[self._second] += self._prices
        found = np.zeros(2 * len(self._slots), np.int64)
        memory = self._problem.root.state.memory
        looked = find_priced_rows(self._network, memory, self._slots, self._worths, prices.reshape(-1), found)
        self.effort += 1 + looked // _ROWS_PER_NODE
        rows, totals = found.reshape(2, -1)
        bound = int(totals.sum())
        self._move(rows, bound - target * PRICE_STEPS)
        if self.best is None or bound < self.best.bound:
            self.best, self._idle = PricedRows(bound, prices, totals), 0
        else:
            self._idle += 1
            if self._idle > _PATIENCE:
                self._idle, self._stride = 0, self._stride / 2
                self.is_settled |= self._stride < _LAST_STRIDE
        return self.best.bound // PRICE_STEPS

    def shortfalls(self, slot: int) -> NDArray[np.int64]:
        """Return how much each row of a chosen slot lowers the lowest bound, in steps of 1/256; shape (rows,).

        No fill with some of these rows is worth more than that bound minus the sum of their shortfalls. Rows not
        in the domain at the root have a shortfall greater than any bound.
        """
        assert self.best is not None
        table = self._problem.tables[slot]
        totals = self._worths[table.scores.astype(np.int64)]
        first = int(self._network.slots[slot, PLACES])
        for index in range(table.symbols.shape[1]):
            totals = totals + self.best.prices[first + index, table.symbols[:, index]]
        left = self._problem.rows_left(self._problem.root.state, slot)
        lost = np.full(len(totals), IMPOSSIBLE_SHORTFALL, np.int64)
        lost[left] = self.best.totals[np.searchsorted(self._slots, slot)] - totals[left]
        return lost

    def _move(self, rows: NDArray[np.int64], gap: int) -> None:
        """Raise the price, for each of two crossing entries, of the letter that it alone took there."""
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
        """Return the two places of each open square where two of the slots cross."""
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


Admits = Callable[[CodedFill], bool]
"""Whether a fill may become the best, beyond the constraints of the problem."""


def any_fill(fill: CodedFill) -> bool:
    """Admit any fill."""
    return True


_BOUND_SHARE = 10
"""At most one in this many nodes goes into improving the bound."""


class SharedBest:
    """Collects better fills from all threads, and keeps each of them. Thread-safe."""

    def __init__(
        self,
        worth: Worth,
        rounds: int | None = None,
        admits: Admits = any_fill,
        mending_nodes: int | None = None,
    ) -> None:
        """Only a fill that it `admits` becomes the best; proofs and bounds are about all fills."""
        self.worth = worth
        self.mending_nodes = inf if mending_nodes is None else mending_nodes
        """Node limit for each thread's search for a first fill."""
        self.admits = admits
        self.bound = worth.bound()
        """In the objective's unit; proofs of better bounds are passed to `limit`."""
        self.stop = Flag()
        """Set when all threads should stop."""
        self.tries_whole_grid = Flag()
        """Set when no part around the start's faults was filled at first, and the whole grid is tried."""
        self.freed: frozenset[int] = frozenset()
        """The smallest set of squares around the start's faults to free, as far as known.

        Without freeing them, the rest of the start is refuted. Empty until that is known.
        """
        self.is_unbeaten = False
        """Whether no fill is better in the sense of `Worth.better_than`."""
        self.is_proved = False
        """Whether it is proved that no better fill exists (or no fill at all, while there is none)."""
        self.rounds = 0
        self._most_rounds = self._turn_ends = inf if rounds is None else rounds
        self._begin = perf_counter()
        self._lock = Lock()
        self.best: CodedFill | None = None
        """The best fill; None while there is none."""
        self._kept: list[Improvement] = []

    @cached_property
    def _priced(self) -> PricedBound | None:
        return PricedBound(self.worth) if self.worth.objective.is_sum else None

    @property
    def seconds(self) -> float:
        return perf_counter() - self._begin

    @property
    def is_stopped(self) -> bool:
        return self.stop.is_set()

    @property
    def kept(self) -> tuple[Improvement, ...]:
        """Every fill that was better than all before it."""
        with self._lock:
            return tuple(self._kept)

    def offer(self, fill: CodedFill) -> bool:
        """Accept a whole fill if it is better; return whether it was."""
        with self._lock:
            if self.best is not None and fill.rank <= self.best.rank:
                return False
            if not self.admits(fill):
                return False
            if not self.worth.is_summed and self._kept and self._improvement(fill).value > self._kept[-1].value:
                return False
            self.best = fill
            self.is_unbeaten = False
            self._keep(fill)
            return True

    def _keep(self, fill: CodedFill) -> None:
        self._kept.append(self._improvement(fill))

    def allow(self, rounds: int) -> None:
        """Allow this many more refills to begin, within the overall limit."""
        self._turn_ends = min(self.rounds + rounds, self._most_rounds)

    @property
    def is_over(self) -> bool:
        """Whether all threads should stop, or all allowed refills have been made."""
        return self.is_stopped or self.rounds >= self._most_rounds

    def count_round(self) -> bool:
        """Count a refill that is about to begin; False if there have been enough."""
        with self._lock:
            if self.rounds >= self._turn_ends:
                return False
            self.rounds += 1
            return True

    def tighten(self, effort: int) -> None:
        """Improve the bound, while that has used less than its share of `effort`, in nodes; for one thread.

        A best fill whose sum reaches the bound is proved optimal, unless ties are broken by something else.
        """
        best, worth = self.best, self.worth
        priced = None if best is None else self._priced
        if priced is None or best is None or priced.is_settled or priced.effort * _BOUND_SHARE > effort:
            return
        total = priced.step(worth.sum_of(best.rows))
        better = min if worth.objective.higher_is_better else max
        self.limit(better(self.bound, worth.value_of_sum(total)))
        if worth.objective.aim is not Aim.FEWER_BELOW and total <= worth.sum_of(best.rows):
            self.prove(best)

    def prove(self, fill: CodedFill | None) -> None:
        """Register that the search for anything better than this fill was exhausted without a result.

        If it is still the best, everything ends, unless a fill may have a higher lowest score.
        """
        with self._lock:
            if fill is not self.best:
                return
            if fill is None or self.worth.is_summed or self._kept[-1].value == self.bound:
                self.is_unbeaten = True
                self._conclude()

    def limit(self, bound: float) -> None:
        """Register that no fill has a better value than this."""
        with self._lock:
            self.bound = bound
            self._conclude()

    def _conclude(self) -> None:
        """Stop everything if the best is proved optimal."""
        best = self.best
        if self.is_unbeaten and (best is None or not self.worth.is_by_tier or self.bound <= best.rank[0]):
            self.is_proved = True
            self.stop.set()

    def _improvement(self, fill: CodedFill) -> Improvement:
        worth = self.worth
        scores = worth.scores(fill.rows)
        listed = worth.listed_scores(fill.rows)
        return Improvement(
            squares=fill.squares(worth.problem),
            answers=fill.answers(worth.problem),
            value=worth.value(scores, [0 if one == NONE else 1 << one for one in fill.symbols.tolist()]),
            mean_score=mean(listed),
            lowest_score=lowest_of(listed),
            bound=self.bound,
            seconds=self.seconds,
            round=self.rounds,
        )


class Watch:
    """Stops a shared best's threads in time, and reports its fills; for the caller's thread only."""

    def __init__(
        self,
        shared: SharedBest,
        budget: Budget,
        improved: Callable[[Improvement], None] | None = None,
        progress: Callable[[ImproveProgress], None] | None = None,
    ) -> None:
        self.limit = TimeLimit(budget.reporting(self.report))
        self.budget = budget._replace(threads=max(budget.threads, 1))
        """The budget that the threads share."""
        self._shared = shared
        self._improved = improved
        self._progress = progress
        self._reported_count = 0

    def poll(self) -> None:
        """Set the stop flag if the limit is reached, and report if the last report is old enough."""
        if self.limit.is_over():
            self._shared.stop.set()

    def report(self) -> None:
        """Report each fill not yet reported, and the progress."""
        shared, kept = self._shared, self._shared.kept
        new = kept[self._reported_count :]
        self._reported_count = len(kept)
        if self._improved is not None:
            for improvement in new:
                self._improved(improvement)
        if self._progress is not None:
            best = kept[-1] if kept else None
            self._progress(ImproveProgress(best, shared.rounds, shared.seconds, shared.bound))
