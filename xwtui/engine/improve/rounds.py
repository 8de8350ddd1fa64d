"""The work of an improver's threads: climbing through minimum scores, and refilling regions.

A region is refilled with everything else kept, under the constraint that the fill improves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from random import Random
from threading import Event as Flag
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from xwtui.engine.budget import never, run_concurrently
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import run_kernel
from xwtui.engine.fill.search_settings import WORKERS, SearchSettings
from xwtui.engine.improve.neighbourhood import Neighbourhoods, Perturbations, Region
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import NONE, CodedFill, Cut, Worth, code_start, lowest_of
from xwtui.engine.kernels.network import PLACES, ROWS, SQUARE, TABLE
from xwtui.engine.kernels.propagate.bound import WORTH_SIZE, open_region, read_rows
from xwtui.engine.kernels.search import search as kernel
from xwtui.engine.kernels.search.decisions import NODES, Search
from xwtui.engine.problem.arrays import fresh_search, with_constraints
from xwtui.engine.problem.problem import Problem

_FIRST_CHUNK = 32
_LARGEST_CHUNK = 1 << 16
_SECONDS_PER_CHUNK = 0.005
"""Approximate time that the kernel runs before it is checked whether to stop."""

USUAL = SearchSettings()
"""Settings for refilling a region."""

_MOST_APPEAL = 255
"""The appeal of a preferred word, above any other."""


class Refill:
    """A state and a search that are reused for one region after another; for one thread."""

    def __init__(self, problem: Problem, worth: Worth) -> None:
        """Copy the root of a problem that is not proved impossible."""
        self.problem = problem
        self.worth = worth
        self.nodes = 0
        """Number of decisions so far, in all regions."""
        self.regions = 0
        """Number of regions opened so far."""
        self._network = with_constraints(problem.network)
        self._state = problem.new_state()
        self._chunk = _FIRST_CHUNK
        self._places = problem.network.places[:, SQUARE]
        self._starts = problem.network.slots[:-1, PLACES]
        self._outside = ~problem.required_squares

    def prefer(self, fill: CodedFill | None) -> None:
        """Prefer the words of a fill from now on, while dead ends are few; None restores the order by score."""
        network = with_constraints(self.problem.network)
        if fill is not None:
            appeals, known = network.row_appeals.copy(), np.flatnonzero(fill.rows != NONE)
            first_rows = network.tables[network.slots[known, TABLE], ROWS]
            appeals[first_rows + fill.rows[known]] = _MOST_APPEAL
            network = replace(network, row_appeals=appeals)
        self._network = network

    def run(
        self,
        fill: CodedFill,
        free: NDArray[np.bool_],
        cut: Cut,
        *,
        seed: int,
        nodes: int,
        stopped: Callable[[], bool],
        settings: SearchSettings = USUAL,
    ) -> Outcome:
        """Fill the free squares, shape (squares,), keeping all others.

        Returns IMPOSSIBLE if no such fill meets the cut, UNKNOWN after this many nodes, CANCELLED soon after
        `stopped` returns True. The same seed makes the same search.
        """
        self.regions += 1
        symbols = np.where(free, NONE, fill.symbols)
        open_squares = np.add.reduceat(symbols[self._places] == NONE, self._starts, dtype=np.int64)
        rows = np.where(open_squares == 0, fill.rows, NONE)
        self._state.worth[:WORTH_SIZE] = 0 if cut.objective_table is None else cut.objective_table
        root = self.problem.root.state.memory
        if not open_region(self._network, self._state, root, symbols, rows, cut.row_limits):
            return Outcome.IMPOSSIBLE
        search = fresh_search(self.problem.network, settings, seed, 0)
        outcome = self._search(search, nodes, stopped)
        self.nodes += int(search.progress[NODES])
        return outcome

    def _search(self, search: Search, nodes: int, stopped: Callable[[], bool]) -> Outcome:
        """Run the kernel in chunks, checking between them whether to stop."""
        done = 0
        while not stopped():
            begin = perf_counter()
            last = min(nodes, done + self._chunk)
            result, self._state = run_kernel(self._network, self._state, search, last)
            if result != kernel.RUNNING:
                return Outcome.FILLED if result == kernel.FILLED else Outcome.IMPOSSIBLE
            done = int(search.progress[NODES])
            if done >= nodes:
                return Outcome.UNKNOWN
            is_short = perf_counter() - begin < _SECONDS_PER_CHUNK
            self._chunk = min(2 * self._chunk, _LARGEST_CHUNK) if is_short else max(self._chunk // 2, 1)
        return Outcome.CANCELLED

    def found(self) -> CodedFill:
        rows = np.empty(len(self.problem.slots), np.int64)
        symbols = np.empty(len(self.problem.positions), np.int64)
        read_rows(self._network, self._state, rows, symbols)
        symbols[self._outside] = NONE
        return CodedFill(symbols, rows, self.worth.rank(rows, symbols))


_NO_LIMIT = 1 << 62


class Climb:
    """Searches for fills of ever higher tiers, all threads on one tier at a time; the first result wins."""

    def __init__(self, shared: SharedBest, watch: Watch) -> None:
        self._shared = shared
        self._watch = watch
        worth = shared.worth
        self._refills = [Refill(worth.problem, worth) for _ in range(watch.budget.threads)]
        self._blank = code_start(worth.problem, {})
        self.tried: dict[int, Outcome] = {}
        """The latest outcome of each minimum score tried: FILLED, IMPOSSIBLE (proved) or UNKNOWN."""
        self._count = 0

    def find_any(self) -> None:
        """Search for any fill until there is one, none is proved to exist, or time runs out."""
        if self._try(0, _NO_LIMIT) is Outcome.IMPOSSIBLE:
            self._shared.prove(None)

    @property
    def _lowest(self) -> int:
        best = self._shared.best
        assert best is not None
        return best.rank[0]

    @cached_property
    def _tiers(self) -> list[int]:
        """The scores of words of the chosen entries, ascending."""
        worth = self._shared.worth
        tables = {
            id(worth.problem.tables[slot]): worth.problem.tables[slot] for slot in np.flatnonzero(worth.chosen)
        }
        scores: set[int] = set()
        for table in tables.values():
            scores.update(np.flatnonzero(np.bincount(table.scores)).tolist())  # np.unique loads numpy.ma
        return sorted(scores)

    def _open_tiers(self) -> list[int]:
        """Return the tiers above the best fill that are not proved impossible, ascending."""
        return [score for score in self._tiers if self._lowest < score <= self._shared.bound]

    def sweep(self, nodes: int) -> None:
        """Search by bisection for the highest tier that can be filled within this many nodes."""
        highest = float("inf")
        while self._shared.best is not None and not self._shared.is_stopped:
            tiers = [tier for tier in self._open_tiers() if tier < highest]
            if not tiers:
                return
            tier = tiers[len(tiers) // 2]
            outcome = self._try(tier, nodes)
            if outcome is Outcome.IMPOSSIBLE:
                below = [score for score in self._open_tiers() if score < tier]
                self._shared.limit(float(max(below, default=self._lowest)))
            elif outcome is not Outcome.FILLED or self._lowest < tier:  # none found or none admitted
                highest = tier

    def _try(self, tier: int, nodes: int) -> Outcome:
        """Search for a fill of a tier, and offer it."""
        found = Flag()
        self._count += 1
        first, *others = (
            partial(self._search, worker, tier, nodes, found) for worker in range(len(self._refills))
        )
        outcomes = run_concurrently(first, others)
        outcome = next((each for each in outcomes if each.is_final), Outcome.UNKNOWN)
        self.tried[tier] = outcome
        return outcome

    def _search(self, worker: int, tier: int, nodes: int, found: Flag) -> Outcome:
        refill = self._refills[worker]

        def is_stopped() -> bool:
            if worker == 0:
                self._watch.poll()
            return found.is_set() or self._shared.is_stopped

        outcome = None
        try:
            outcome = refill.run(
                self._blank,
                np.ones(len(self._blank.symbols), np.bool_),
                Cut(self._shared.worth.row_limits(tier)),
                settings=WORKERS[worker % len(WORKERS)],
                seed=self._watch.budget.seed + self._count + 7919 * worker,
                nodes=nodes,
                stopped=is_stopped,
            )
            if outcome is Outcome.FILLED:
                self._shared.offer(refill.found())
        finally:
            if worker == 0 or outcome is None or outcome.is_final:
                found.set()
        return outcome


_NODES_PER_ROUND = 200
_PERTURBATION_NODES = 1000
_MENDING_NODES = 50
"""Initial node limit for each region around a fault."""
_MENDING_GROWTH = 4
"""Factor by which the node limit of a region grows from one try to the next."""
_RINGS_SHARE = 2
"""Multiple of that limit that all regions together may use before the whole grid is tried."""
_WHOLE_SHARE_OF_MENDING = 40
"""Multiple of that limit for the whole grid."""
_WAIT_SECONDS = 0.002
_NODES_OF_OPENING = 10
"""Opening a region takes about as long as this many nodes."""
_WHOLE_SHARE = 20
"""At most one in this many nodes goes into searching the whole grid for a proof."""

_NEAR = SearchSettings(first_restart=100)
"""Initial settings for repairing the start: stay close to it; its words are preferred."""


class Rounds:
    """Improves the shared best until stopped; for one thread."""

    def __init__(
        self, shared: SharedBest, start: CodedFill, seed: int, worker: int, pause: Callable[[], None]
    ) -> None:
        """Use `start` while there is no best; `pause` is called often, between slices."""
        self._shared = shared
        self._start = start
        self._worth = shared.worth
        self._is_leader = worker == 0
        self._random = Random(f"{seed} {worker}")
        self._regions = Neighbourhoods(shared.worth.problem, self._random)
        self._refill = Refill(shared.worth.problem, shared.worth)
        self._pause = pause
        self._whole_nodes = 100
        self._whole_spent = 0
        self._perturbations = Perturbations(len(self._regions.movable_squares), self._random)
        self._aimed_at: CodedFill | None = None

    def accept_start(self) -> bool:
        """Offer the start as the first best if it is a legal fill, before any `run`; return whether it is."""
        if self._start.faults(self._worth.problem):
            return False
        refill, nothing = self._refill, np.zeros(len(self._start.symbols), np.bool_)
        cut = Cut(self._worth.row_limits(0))
        outcome = refill.run(self._start, nothing, cut, seed=0, nodes=1, stopped=never)
        refill.nodes = refill.regions = 0  # checking the start does not count as work
        if outcome is Outcome.FILLED:
            self._shared.offer(refill.found())
        return outcome is Outcome.FILLED

    def _is_stopped(self) -> bool:
        self._pause()
        return self._shared.is_stopped

    def _is_mended(self) -> bool:
        return self._is_stopped() or self._shared.best is not None

    def run(self) -> None:
        """Mend the start if needed, then improve until stopped, out of rounds or proved optimal; repeatable."""
        if self._shared.best is None:
            self._mend()
        if not self._regions.movable_squares:
            self._shared.prove(self._shared.best)
        while (best := self._shared.best) is not None and not self._is_stopped():
            if self._shared.is_unbeaten or not self._shared.count_round():
                return
            if self._is_leader:
                self._shared.tighten(self._effort)
            if (self._whole_spent + self._whole_nodes) * _WHOLE_SHARE <= self._effort:
                self._search_whole(best)
            else:
                self._round(best)

    def _round(self, best: CodedFill) -> None:
        """Refill one region of the current fill to improve it."""
        if self._perturbations.is_due and not self._worth.objective.is_of_letters:
            self._perturb(best)
            return
        current = self._perturbations.current(best)
        if current is not self._aimed_at:
            self._aimed_at = current
            self._regions.set_gains(self._worth.possible_gains(current))
        region = self._regions.draw()
        outcome = self._try(current, region, self._worth.better_than(current.rank), _NODES_PER_ROUND)
        self._regions.learn(region, outcome)
        if outcome is not Outcome.FILLED:
            self._perturbations.count()
        while outcome is Outcome.FILLED:
            found = self._refill.found()
            if not self._shared.admits(found):
                break
            current = found
            self._perturbations.switch_to(current)
            if self._shared.offer(current):
                best = current
            outcome = self._try(current, region, self._worth.better_than(current.rank), _NODES_PER_ROUND)
        if outcome is Outcome.IMPOSSIBLE and current is best and self._regions.is_whole(region):
            self._shared.prove(best)

    def _perturb(self, best: CodedFill) -> None:
        """Refill a large region of the best fill, at any worth; if that fails, continue with the best itself."""
        perturbations = self._perturbations
        region = self._regions.anywhere(perturbations.size)
        limits = self._worth.row_limits(
            max(perturbations.tier(lowest_of(self._worth.scores(best.rows))), best.rank[0])
        )
        cut = Cut(np.maximum(limits, np.where(self._regions.slots_outside(region), best.rows + 1, 0)))
        outcome = self._try(best, region, cut, _PERTURBATION_NODES)
        perturbations.learn(outcome)
        perturbations.switch_to(self._refill.found() if outcome is Outcome.FILLED else None)

    def _search_whole(self, best: CodedFill) -> None:
        """Search the whole grid for a better fill, or for a proof that there is none."""
        before = self._effort
        cut = self._worth.better_than(best.rank)
        outcome = self._try(best, self._regions.whole(), cut, self._whole_nodes)
        if outcome is Outcome.FILLED:
            found = self._refill.found()
            if self._shared.admits(found):
                self._perturbations.switch_to(found)
                self._shared.offer(found)
        elif outcome is Outcome.IMPOSSIBLE:
            self._shared.prove(best)
        elif outcome is Outcome.UNKNOWN:
            self._whole_nodes *= 2
        self._whole_spent += self._effort - before

    @property
    def _effort(self) -> int:
        """Nodes so far, including the cost of opening regions."""
        return self._refill.nodes + _NODES_OF_OPENING * self._refill.regions

    def _try(
        self,
        fill: CodedFill,
        region: Region,
        cut: Cut,
        nodes: int,
        settings: SearchSettings = USUAL,
    ) -> Outcome:
        return self._refill.run(
            fill,
            region.free,
            cut,
            settings=settings,
            seed=self._random.getrandbits(31),
            nodes=nodes,
            stopped=self._is_mended if fill is self._start else self._is_stopped,
        )

    def _mend(self) -> None:
        """Free the start's faulty entries, then more and more around them, until there is a fill.

        Each region gets few nodes and the whole grid more, because a region that barely has no fill takes long to
        refute, while the whole grid is filled soon. Undecided regions are tried again with more nodes. The start's
        words are preferred until the whole grid has been tried: in a hard grid they mislead. Threads other than
        the leader begin when the leader comes to the whole grid, so that little is freed where little suffices.
        """
        self._wait_for_leader()
        self._refill.prefer(self._start)
        least, squares = self._faulty_squares(), set[int]()
        settings = _NEAR
        spent, nodes, cut = 0, _MENDING_NODES, Cut(self._worth.row_limits(0))
        while not self._is_mended() and self._shared.count_round():
            left = self._shared.mending_nodes - self._effort
            if left <= 0:
                break
            squares = squares or (least if self._is_leader else set(self._regions.movable_squares))
            if spent > _RINGS_SHARE * nodes and self._shared.freed == least:
                squares = set(self._regions.movable_squares)
            is_whole = len(squares) == len(self._regions.movable_squares)
            if is_whole:
                self._try_whole_grid(least)
            limit = int(min(_WHOLE_SHARE_OF_MENDING * nodes if is_whole else nodes, left))
            before = self._refill.nodes
            outcome = self._try(self._start, self._regions.of(squares), cut, limit, settings)
            spent += self._refill.nodes - before
            if outcome is Outcome.FILLED:
                self._shared.offer(self._refill.found())
            elif outcome is Outcome.IMPOSSIBLE and is_whole:
                self._shared.prove(None)
            if is_whole:
                squares, spent, nodes, settings = set(), 0, nodes * _MENDING_GROWTH, USUAL
                self._refill.prefer(None)
                continue
            if outcome is Outcome.UNKNOWN and squares is least:
                self._shared.freed = frozenset(least)
            squares = self._regions.around(squares)
            if outcome is Outcome.IMPOSSIBLE:
                least = squares
        self._refill.prefer(None)
        self._shared.tries_whole_grid.set()  # do not keep others waiting, even if this thread had few rounds

    def _wait_for_leader(self) -> None:
        """Let the leader try small regions first; the leader itself does not wait."""
        while not self._is_leader and not self._shared.tries_whole_grid.wait(_WAIT_SECONDS):
            if self._is_mended():
                return

    def _try_whole_grid(self, least: set[int]) -> None:
        """Let all threads try the whole grid; if every smaller part is refuted, nothing of the start can stay."""
        if len(least) == len(self._regions.movable_squares):
            self._shared.freed = frozenset(least)
        self._shared.tries_whole_grid.set()

    def _faulty_squares(self) -> set[int]:
        """Return the start's open squares and those of its faulty entries; all squares if it has no such fault."""
        movable = set(self._regions.movable_squares)
        unknown = {square for square in movable if self._start.symbols[square] == NONE}
        along = [self._regions.slot_squares[slot] for slot in self._start.faults(self._worth.problem)]
        wrong = {square for squares in along if unknown.isdisjoint(squares) for square in squares}
        return (unknown | wrong) & movable or movable
