"""Belief propagation between slots: the Bethe estimate, and shares of the fills by square and by entry."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.budget import BELIEF_BUDGET, Budget, TimeLimit, never
from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.count import belief as kernels
from xwtui.engine.kernels.network import Network
from xwtui.engine.problem.problem import Problem
from xwtui.model import Content

TOLERANCE = 0.01
"""Messages have converged when none moves more than this share of the fills from one symbol to another."""
MOST_VISITS = 60
"""Maximum number of revisions of a slot: around short loops, messages may never converge."""
_ROWS_PER_SLICE = 400_000
"""Rows read between two checks of the clock, which takes some milliseconds."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """How a problem's fills are distributed over its letters and words, according to belief propagation.

    Shares are from 0 to 1 of all fills, and 0 for whatever propagation rules out. They are exact if the entries
    cross in trees and answers may repeat; otherwise they are estimates.
    """

    problem: Problem
    log10_bethe: float | None
    """The Bethe estimate of the number of fills, log base 10; None if there is provably no fill."""
    converged: bool
    """Whether the messages converged in time."""
    rounds: float
    """Average number of revisions per slot."""
    messages: kernels.Messages | None
    """The slots' messages; None if there is provably no fill."""

    def square_shares(self, square: int) -> Mapping[Content, float]:
        """Return the share of fills with each content in a square, by number, greatest first; empty for none."""
        if self.messages is None:
            return {}
        slot, index = self.problem.network.squares[square, [net.AT_SLOT, net.AT_INDEX]].tolist()
        place = int(self.problem.network.slots[slot, net.PLACES]) + index
        weights = self._by_symbol(self.messages.shares, place) * self._by_symbol(self._incoming(slot), index)
        shares = weights / weights.sum()
        order = np.argsort(-shares, kind="stable")
        contents = self.problem.symbols.contents
        return {contents[symbol]: float(shares[symbol]) for symbol in order.tolist() if shares[symbol] > 0}

    def row_shares(self, slot: int) -> NDArray[np.float64]:
        """Return the share of fills with each row of a slot's table, shape (rows,); zeros if there is no fill."""
        table = self.problem.tables[slot]
        shares = np.zeros(table.rows, np.float64)
        if self.messages is not None:
            rows = self.problem.rows_left(self.problem.root.state, slot)
            weights, incoming = np.ones(len(rows)), self._incoming(slot)
            for index in range(table.symbols.shape[1]):
                weights *= self._by_symbol(incoming, index)[table.symbols[rows, index]]
            shares[rows] = weights / (weights.sum() or 1.0)
        return shares

    def word_shares(self, slot_name: str) -> Mapping[str, float]:
        """Return the share of fills with each word in an entry; 0 for dead words. Raises KeyError."""
        slot = self.problem.slot_numbers[slot_name]
        shares: dict[str, float] = {}
        for word, share in zip(self.problem.words(slot), self.row_shares(slot).tolist(), strict=True):
            shares[word] = shares.get(word, 0.0) + share
        return shares

    def _incoming(self, slot: int) -> NDArray[np.float64]:
        """Return a slot's incoming messages, flat, the symbols of each index in turn."""
        if slot not in self._known:
            assert self.messages is not None
            incoming = np.empty(self.problem.tables[slot].symbols.shape[1] * net.SYMBOLS)
            kernels.collect_incoming(self.problem.network, self.messages, slot, self._differing, incoming)
            self._known[slot] = incoming
        return self._known[slot]

    @staticmethod
    def _by_symbol(flat: NDArray[np.float64], at: int) -> NDArray[np.float64]:
        """Return the part of a flat array for one place or index, by symbol."""
        return flat[at * net.SYMBOLS : (at + 1) * net.SYMBOLS]

    @cached_property
    def _known(self) -> dict[int, NDArray[np.float64]]:
        """Cache of incoming messages by slot."""
        return {}

    @cached_property
    def _differing(self) -> NDArray[np.float64]:
        return differing(self.problem)


def pairwise_log10(problem: Problem) -> float:
    """Return the pairwise estimate of the number of fills, log base 10; the root must be possible."""
    network = problem.network
    messages, workspace = _fresh_messages(network), fresh_workspace(problem)
    return float(kernels.pairwise(network, problem.root.state, messages, workspace)) / math.log(10)


def believe(
    problem: Problem, *, seconds: float | None = BELIEF_BUDGET.seconds, cancelled: Callable[[], bool] = never
) -> Beliefs:
    """Let the messages converge within a time limit; the clock is checked every few milliseconds."""
    if not problem.root.is_possible:
        return Beliefs(problem, None, True, 0.0, None)
    network, state = problem.network, problem.root.state
    messages, workspace = _fresh_messages(network), fresh_workspace(problem)
    kernels.begin_messages(network, state, messages)
    limit = TimeLimit(Budget(seconds, stop=cancelled))
    while True:
        settled = kernels.settle_messages(
            network, state, messages, workspace, TOLERANCE, MOST_VISITS, _ROWS_PER_SLICE
        )
        if settled or limit.is_over():
            break
    converged = bool(settled) and int(workspace.control[kernels.GIVEN_UP]) == 0
    rounds = int(workspace.control[kernels.VISITS]) / max(len(problem.slots), 1)
    log10_bethe = float(kernels.bethe(network, messages, workspace)) / math.log(10)
    return Beliefs(problem, log10_bethe, converged, rounds, messages)


def _fresh_messages(network: Network) -> kernels.Messages:
    slots = len(network.slots) - 1
    return kernels.Messages(
        shares=np.zeros(len(network.places) * net.SYMBOLS, np.float64),
        log_sums=np.zeros(slots, np.float64),
        sizes=np.zeros(slots, np.int32),
        entropies=np.zeros(slots, np.float64),
    )


def fresh_workspace(problem: Problem) -> kernels.Workspace:
    """Return scratch arrays with an empty queue."""
    network, slots = problem.network, len(problem.slots)
    cells = int(network.tables[:, net.LENGTH].max(initial=0)) * net.SYMBOLS
    return kernels.Workspace(
        incoming=np.zeros(cells, np.float64),
        sums=np.zeros(cells, np.float64),
        queue=np.zeros(slots, np.int64),
        queued=np.zeros(slots, np.uint8),
        visits=np.zeros(slots, np.int32),
        control=np.zeros(kernels.CONTROL_SIZE, np.int64),
        differing=differing(problem),
    )


def differing(problem: Problem) -> NDArray[np.float64]:
    """Return bounds on the share of pairs that differ at each place, shape (places, 2); no rows if none may."""
    if not problem.constraints.pairs:
        return np.zeros((0, 2))
    limits = np.tile((0.0, math.inf), (len(problem.positions), 1))
    for constraint in problem.constraints.pairs:
        free = max(len(constraint.pairs) - constraint.given, 1)
        least, most = (
            min(max(each - constraint.given, 0) / free, 1.0) for each in (constraint.least, constraint.most)
        )
        squares = np.array(constraint.pairs, np.int64).reshape(-1)
        limits[squares, 0] = np.maximum(limits[squares, 0], least)
        limits[squares, 1] = np.minimum(limits[squares, 1], most)
    limits[np.isinf(limits[:, 1])] = 0.0
    return limits[problem.network.places[:, net.SQUARE]]
