"""Belief propagation between slots: the Bethe estimate, and how the fills share each square and each entry."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.budget import BELIEVING, Budget, TimeLimit, never
from xwtui.engine.kernels import network as net
from xwtui.engine.kernels.count import belief as kernels
from xwtui.engine.kernels.network import Network
from xwtui.engine.problem.problem import Problem
from xwtui.model import Content

TOLERANCE = 0.01
"""Messages have settled when none moves more of the fills than this from one symbol to another."""
MOST_VISITS = 60
"""How often a slot is revised at most: around short loops messages may never settle."""
_ROWS_A_SLICE = 400_000
"""Rows read between two looks at the clock: some milliseconds."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """How the fills of a problem share its letters and words, as belief propagation has it.

    All shares are from 0 to 1, of all fills, and 0 where propagation rules something out. Exact where the
    entries cross in trees and answers may repeat; else estimates.
    """

    problem: Problem
    log10_bethe: float | None
    """The Bethe estimate of the number of fills, as a logarithm to base 10; None if there is provably none."""
    converged: bool
    """Whether the messages came to rest in the time."""
    rounds: float
    """How often each slot was revised, on the average."""
    messages: kernels.Messages | None
    """What the slots say; None if there is provably no fill."""

    def square_shares(self, square: int) -> Mapping[Content, float]:
        """The share of the fills that have each content in a square, greatest first; empty if there is no fill.

        The square is a number in `Problem.positions`.
        """
        if self.messages is None:
            return {}
        weights = self._square_weights(square)
        shares = weights / weights.sum()
        order = np.argsort(-shares, kind="stable")
        contents = self.problem.symbols.contents
        return {contents[symbol]: float(shares[symbol]) for symbol in order.tolist() if shares[symbol] > 0}

    def row_shares(self, slot: int) -> NDArray[np.float64]:
        """(rows,) the share of the fills that have each row of a slot's table; zeros if there is no fill."""
        table, network = self.problem.tables[slot], self.problem.network
        shares = np.zeros(table.rows, np.float64)
        if self.messages is not None:
            rows = self.problem.rows_left(self.problem.root.state, slot)
            weights, said = np.ones(len(rows)), self.messages.shares.reshape(-1, net.SYMBOLS)
            first, end = network.slots[slot : slot + 2, net.PLACES].tolist()
            for index, place in enumerate(range(first, end)):
                other_place = _crossing_place(network, place)
                if other_place >= 0:
                    weights *= said[other_place, table.symbols[rows, index]]
            shares[rows] = weights / (weights.sum() or 1.0)
        return shares

    def word_shares(self, slot_name: str) -> Mapping[str, float]:
        """The share of the fills that have each word in an entry; dead words have 0. Raises KeyError."""
        slot = self.problem.slot_numbers[slot_name]
        shares: dict[str, float] = {}
        for word, share in zip(self.problem.words(slot), self.row_shares(slot).tolist(), strict=True):
            shares[word] = shares.get(word, 0.0) + share
        return shares

    def _square_weights(self, square: int) -> NDArray[np.float64]:
        assert self.messages is not None
        network = self.problem.network
        slot, index = network.squares[square, [net.AT_SLOT, net.AT_INDEX]].tolist()
        place = int(network.slots[slot, net.PLACES]) + index
        shares = self.messages.shares.reshape(-1, net.SYMBOLS)
        weights: NDArray[np.float64] = shares[place].copy()
        other_place = _crossing_place(network, place)
        if other_place >= 0:
            weights *= shares[other_place]
        return weights


def _crossing_place(network: Network, place: int) -> int:
    """The place of the same square in the slot that crosses there; -1 where no slot to be decided does."""
    other = int(network.places[place, net.CROSSING])
    if other < 0 or not network.slots[other, net.REQUIRED]:
        return -1
    return int(network.slots[other, net.PLACES] + network.places[place, net.INDEX])


def pairwise_log10(problem: Problem) -> float:
    """The pairwise estimate of the number of fills, as a logarithm to base 10; the root must be possible."""
    network = problem.network
    messages, workspace = _fresh_messages(network), fresh_workspace(network)
    return float(kernels.pairwise(network, problem.root.state, messages, workspace)) / math.log(10)


def log10_part(log10_total: float | None, share: float) -> float | None:
    """The logarithm of a share of a total; None where either is zero."""
    return None if log10_total is None or share <= 0.0 else log10_total + math.log10(share)


def believe(
    problem: Problem, *, seconds: float | None = BELIEVING.seconds, cancelled: Callable[[], bool] = never
) -> Beliefs:
    """Let the messages settle, for so many seconds at most; looks at the clock every few milliseconds."""
    if not problem.root.is_possible:
        return Beliefs(problem, None, True, 0.0, None)
    network, state = problem.network, problem.root.state
    messages, workspace = _fresh_messages(network), fresh_workspace(network)
    kernels.begin_messages(network, state, messages)
    limit = TimeLimit(Budget(seconds, stop=cancelled))
    while True:
        settled = kernels.settle_messages(
            network, state, messages, workspace, TOLERANCE, MOST_VISITS, _ROWS_A_SLICE
        )
        if settled or limit.is_over():
            break
    converged = bool(settled) and int(workspace.control[kernels.GIVEN_UP]) == 0
    rounds = int(workspace.control[kernels.VISITS]) / max(len(problem.slots), 1)
    log10_bethe = float(kernels.bethe(network, messages)) / math.log(10)
    return Beliefs(problem, log10_bethe, converged, rounds, messages)


def _fresh_messages(network: Network) -> kernels.Messages:
    """Zeroed arrays for `begin_messages`."""
    slots = len(network.slots) - 1
    return kernels.Messages(
        shares=np.zeros(len(network.places) * net.SYMBOLS, np.float64),
        log_sums=np.zeros(slots, np.float64),
        sizes=np.zeros(slots, np.int32),
        entropies=np.zeros(slots, np.float64),
    )


def fresh_workspace(network: Network) -> kernels.Workspace:
    """Scratch with an empty queue."""
    slots = len(network.slots) - 1
    cells = int(network.tables[:, net.LENGTH].max(initial=0)) * net.SYMBOLS
    return kernels.Workspace(
        heard=np.zeros(cells, np.float64),
        sums=np.zeros(cells, np.float64),
        queue=np.zeros(slots, np.int64),
        queued=np.zeros(slots, np.uint8),
        visits=np.zeros(slots, np.int32),
        control=np.zeros(kernels.CONTROL_SIZE, np.int64),
    )
