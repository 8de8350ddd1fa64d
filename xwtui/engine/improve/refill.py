"""Refilling a part of a grid, all else kept, under the constraint that it be better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.workers import SearchSettings
from xwtui.engine.improve.standing import NONE, CodedFill, required_squares
from xwtui.engine.improve.worth import Cut, Worth
from xwtui.engine.kernels.improve import open_region, read_rows
from xwtui.engine.kernels.network import PLACES, ROWS, SQUARE, TABLE
from xwtui.engine.kernels.propagate.bound import WORTH_SIZE
from xwtui.engine.kernels.search import search as kernel
from xwtui.engine.kernels.search.decisions import NODES, Search
from xwtui.engine.problem.arrays import fresh_search, steered, with_longer_trail
from xwtui.engine.problem.problem import Problem

_FIRST_CHUNK = 32
_LARGEST_CHUNK = 1 << 16
_SECONDS_A_CHUNK = 0.005
"""How long the kernel runs between two looks at whether to stop, about."""

_MOST_APPEAL = 255
"""That of a word which is preferred: more than any has."""


class Refill:
    """A state and a search that serve one region after another; belongs to one thread."""

    def __init__(self, problem: Problem, worth: Worth) -> None:
        """Copy the root of a problem that is not proved impossible."""
        self.problem = problem
        self.worth = worth
        self.nodes = 0
        """Decisions so far, in all regions."""
        self.regions = 0
        """Regions opened so far."""
        self._network = steered(problem.network)
        self._state = problem.new_state()
        self._chunk = _FIRST_CHUNK
        self._places = problem.network.places[:, SQUARE]
        self._starts = problem.network.slots[:-1, PLACES]
        self._outside = ~required_squares(problem)

    def prefer(self, standing: CodedFill | None) -> None:
        """Try the words of a fill first from now on, while dead ends are few; None: all by their scores."""
        network = steered(self.problem.network)
        if standing is not None:
            appeals, known = network.row_appeals.copy(), np.flatnonzero(standing.rows != NONE)
            first_rows = network.tables[network.slots[known, TABLE], ROWS]
            appeals[first_rows + standing.rows[known]] = _MOST_APPEAL
            network = replace(network, row_appeals=appeals)
        self._network = network

    def run(
        self,
        standing: CodedFill,
        free: NDArray[np.bool_],
        cut: Cut,
        *,
        settings: SearchSettings,
        seed: int,
        nodes: int,
        stopped: Callable[[], bool],
        left_out: int = NONE,
    ) -> Outcome:
        """Fill the free squares (squares,), all others as they stand; one slot may not keep its row.

        IMPOSSIBLE where no such fill meets the cut, UNKNOWN after so many nodes, CANCELLED soon
        after `stopped` says so. The same seed makes the same search.
        """
        self.regions += 1
        symbols = np.where(free, NONE, standing.symbols)
        open_squares = np.add.reduceat(symbols[self._places] == NONE, self._starts, dtype=np.int64)
        rows = np.where(open_squares == 0, standing.rows, NONE)
        avoided = np.full(len(rows), NONE, np.int64)
        if left_out != NONE:
            avoided[left_out] = standing.rows[left_out]
        self._state.worth[:WORTH_SIZE] = 0 if cut.steering is None else cut.steering
        root = self.problem.root.state.memory
        if not open_region(self._network, self._state, root, symbols, rows, cut.row_limits, avoided):
            return Outcome.IMPOSSIBLE
        search = fresh_search(self.problem.network, settings, seed, 0)
        outcome = self._search(search, nodes, stopped)
        self.nodes += int(search.progress[NODES])
        return outcome

    def _search(self, search: Search, nodes: int, stopped: Callable[[], bool]) -> Outcome:
        """Run the kernel in chunks, and look up between them."""
        done = 0
        while not stopped():
            begin = perf_counter()
            result = self._run_kernel(search, min(nodes, done + self._chunk))
            if result != kernel.RUNNING:
                return Outcome.FILLED if result == kernel.FILLED else Outcome.IMPOSSIBLE
            done = int(search.progress[NODES])
            if done >= nodes:
                return Outcome.UNKNOWN
            is_short = perf_counter() - begin < _SECONDS_A_CHUNK
            self._chunk = min(2 * self._chunk, _LARGEST_CHUNK) if is_short else max(self._chunk // 2, 1)
        return Outcome.CANCELLED

    def _run_kernel(self, search: Search, last_node: int) -> int:
        """Call the kernel, with a longer trail whenever it asks for one."""
        while True:
            result = kernel.advance(self._network, self._state, search, last_node)
            if result != kernel.TRAIL_FULL:
                return result
            self._state = with_longer_trail(self._state)

    def found(self) -> CodedFill:
        """The fill that the last run found."""
        rows = np.empty(len(self.problem.slots), np.int64)
        symbols = np.empty(len(self.problem.positions), np.int64)
        read_rows(self._network, self._state, rows, symbols)
        symbols[self._outside] = NONE
        return CodedFill(symbols, rows, self.worth.rank(rows, symbols))
