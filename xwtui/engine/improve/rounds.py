"""One thread of an improver: refill a region, keep what is better, and again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.settings import SearchSettings
from xwtui.engine.improve.neighbourhood import Neighbourhoods, Perturbations, Region
from xwtui.engine.improve.refill import Refill
from xwtui.engine.improve.shared_best import SharedBest
from xwtui.engine.improve.standing import NONE, CodedFill
from xwtui.engine.improve.worth import Demand

_NO_LIMIT = 1 << 62
_NODES_A_ROUND = 200
_NODES_OF_A_KICK = 1000
_MENDING_NODES = 100
_NODES_OF_OPENING = 10
"""Opening a region takes about as long as so many nodes."""
_WHOLE_SHARE = 20
"""One in so many nodes, at most, goes into searching the whole grid for a proof."""

_SEEKING = SearchSettings(score_weight=0.2, noise=0.2)
"""Refilling a region: towards high scores."""
_MENDING = SearchSettings()


class Rounds:
    """Improves the shared best until told to stop; belongs to one thread."""

    def __init__(
        self, shared: SharedBest, start: CodedFill, seed: int, worker: int, pause: Callable[[], None]
    ) -> None:
        """Work on `start` while there is no best; `pause` is called between slices, often."""
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

    def _is_stopped(self) -> bool:
        self._pause()
        return self._shared.is_stopped

    def _is_mended(self) -> bool:
        return self._is_stopped() or self._shared.standing is not None

    def run(self) -> None:
        """Mend the start if need be, then improve, until told to stop or out of rounds; may be called again."""
        if self._shared.standing is None:
            self._mend()
        if not self._regions.movable_squares:
            self._shared.prove(self._shared.standing)
        while (best := self._shared.standing) is not None and not self._is_stopped():
            if not self._shared.count_round():
                return
            if self._is_leader:
                self._shared.tighten(self._effort)
            if (self._whole_spent + self._whole_nodes) * _WHOLE_SHARE <= self._effort:
                self._search_whole(best)
            else:
                self._round(best)

    def _round(self, best: CodedFill) -> None:
        """Refill one region of the fill that is worked on, to make it better."""
        if self._perturbations.is_due and not self._worth.objective.is_of_letters:
            self._perturb(best)
            return
        standing = self._perturbations.present(best)
        self._aim_at(standing)
        region = self._regions.draw()
        outcome = self._try(standing, region, self._worth.better_than(standing.rank), _NODES_A_ROUND)
        self._regions.learn(region, outcome)
        if outcome is not Outcome.FILLED:
            self._perturbations.count()
        while outcome is Outcome.FILLED:
            standing = self._refill.found()
            self._perturbations.work_on(standing)
            if self._shared.offer(standing):
                best = standing
            outcome = self._try(standing, region, self._worth.better_than(standing.rank), _NODES_A_ROUND)
        if outcome is Outcome.IMPOSSIBLE and standing is best and self._regions.is_whole(region):
            self._shared.prove(best)

    def _perturb(self, best: CodedFill) -> None:
        """Fill a large region of the best anew, no matter how well; the best itself is next where that fails."""
        perturbations = self._perturbations
        region = self._regions.anywhere(perturbations.size)
        limits = self._worth.row_limits(max(perturbations.tier(self._worth.lowest(best)), best.rank[0]))
        demand = Demand(np.maximum(limits, np.where(self._regions.slots_outside(region), best.rows + 1, 0)))
        outcome = self._try(best, region, demand, _NODES_OF_A_KICK)
        perturbations.learn(outcome)
        perturbations.work_on(self._refill.found() if outcome is Outcome.FILLED else None)

    def _search_whole(self, best: CodedFill) -> None:
        """Look in the whole grid for a better fill, or for a proof that there is none."""
        before = self._effort
        demand = self._worth.better_than(best.rank)
        outcome = self._try(best, self._regions.whole(), demand, self._whole_nodes)
        if outcome is Outcome.FILLED:
            found = self._refill.found()
            self._perturbations.work_on(found)
            self._shared.offer(found)
        elif outcome is Outcome.IMPOSSIBLE:
            self._shared.prove(best)
        elif outcome is Outcome.UNKNOWN:
            self._whole_nodes *= 2
        self._whole_spent += self._effort - before

    def _aim_at(self, standing: CodedFill) -> None:
        """Draw regions by what is to be gained at each square of the fill that is worked on."""
        if standing is not self._aimed_at:
            self._aimed_at = standing
            self._regions.wish(self._worth.wishes(standing))

    @property
    def _effort(self) -> int:
        """Nodes so far, with what opening the regions took."""
        return self._refill.nodes + _NODES_OF_OPENING * self._refill.regions

    def _try(
        self,
        standing: CodedFill,
        region: Region,
        demand: Demand,
        nodes: int,
        settings: SearchSettings = _SEEKING,
    ) -> Outcome:
        return self._refill.run(
            standing,
            region.free,
            demand,
            settings=settings,
            seed=self._random.getrandbits(31),
            nodes=nodes,
            stopped=self._is_mended if standing is self._start else self._is_stopped,
        )

    def _mend(self) -> None:
        """Free the start's faulty entries, then more and more about them, until there is a fill."""
        squares = self._faulty_squares()
        nodes = _MENDING_NODES
        demand = Demand(self._worth.row_limits(0))
        while self._shared.standing is None and not self._is_stopped() and self._shared.count_round():
            region = self._regions.of(squares)
            is_whole = len(squares) == len(self._regions.movable_squares)
            outcome = self._try(self._start, region, demand, _NO_LIMIT if is_whole else nodes, _MENDING)
            if outcome is Outcome.FILLED:
                self._shared.offer(self._refill.found())
            elif outcome is Outcome.IMPOSSIBLE and is_whole:
                self._shared.prove(None)
            squares = self._regions.around(squares)
            nodes *= 2

    def _faulty_squares(self) -> set[int]:
        """The start's open squares and those of other faulty entries; all, if it has no such fault."""
        movable = set(self._regions.movable_squares)
        unknown = {square for square in movable if self._start.symbols[square] == NONE}
        along = [self._regions.slot_squares[slot] for slot in self._start.faults(self._worth.problem)]
        wrong = {square for squares in along if unknown.isdisjoint(squares) for square in squares}
        return (unknown | wrong) & movable or movable
