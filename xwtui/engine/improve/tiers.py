"""Climbing score tiers: the highest minimum score that all entries of a fill can have."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event as Flag

import numpy as np

from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.settings import WORKERS
from xwtui.engine.improve.refill import Refill
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.standing import standing_of
from xwtui.engine.improve.worth import Demand

_NO_LIMIT = 1 << 62
_NODES = 300
"""Decisions that the first sweep through the tiers may take for each."""
_ROUNDS = 12
"""Refills between the first sweep and the second; they take somewhat longer than the sweep."""
_GROWTH = 2
"""How much longer each sweep, and what follows it, is than the last."""


@dataclass(frozen=True)
class Tier:
    """A minimum score that was tried, and what came of it: FILLED, IMPOSSIBLE (proved) or UNKNOWN."""

    minimum_score: int
    outcome: Outcome


class Climb:
    """Looks for fills of ever higher tiers, with all threads on one tier at a time; the first result wins."""

    def __init__(self, shared: SharedBest, watch: Watch, seed: int, threads: int) -> None:
        self._shared = shared
        self._watch = watch
        self._seed = seed
        worth = shared.worth
        self._refills = [Refill(worth.problem, worth) for _ in range(threads)]
        self._blank = standing_of(worth.problem, {})
        self._tried: dict[int, Outcome] = {}
        self._count = 0

    @property
    def tiers(self) -> tuple[Tier, ...]:
        """All tiers tried, the lowest first, each with the last that came of it."""
        return tuple(Tier(*each) for each in sorted(self._tried.items()))

    def find_any(self) -> Outcome:
        """Look for any fill until there is one, or the time is over."""
        return self._try(0, _NO_LIMIT)

    @property
    def _lowest(self) -> int:
        """The lowest score of the best fill."""
        standing = self._shared.standing
        assert standing is not None
        return standing.rank[0]

    def _open_tiers(self) -> list[int]:
        """The tiers above the best fill that are not proved impossible, ascending."""
        worth = self._shared.worth
        tables = {
            id(worth.problem.tables[slot]): worth.problem.tables[slot] for slot in np.flatnonzero(worth.chosen)
        }
        scores = sorted({int(score) for table in tables.values() for score in np.unique(table.scores)})
        return [score for score in scores if self._lowest < score <= self._shared.bound]

    def sweep(self, nodes: int) -> None:
        """Look, by bisection, for the highest tier that so many nodes can fill."""
        highest = float("inf")
        while self._shared.standing is not None and not self._shared.is_stopped:
            tiers = [tier for tier in self._open_tiers() if tier < highest]
            if not tiers:
                return
            tier = tiers[len(tiers) // 2]
            outcome = self._try(tier, nodes)
            if outcome is Outcome.IMPOSSIBLE:
                self._shared.bound = float(
                    max([score for score in self._open_tiers() if score < tier], default=self._lowest)
                )
            elif outcome is not Outcome.FILLED:
                highest = tier

    def by_turns_with(self, improve: Callable[[], None]) -> None:
        """Sweep through the tiers, and improve what stands, for longer each time, until all is over."""
        nodes, rounds = 0, _ROUNDS
        while not self._shared.is_over:
            self.sweep(nodes)
            self._shared.allow(rounds)
            improve()
            nodes, rounds = _GROWTH * nodes or _NODES, _GROWTH * rounds

    def _try(self, tier: int, nodes: int) -> Outcome:
        """Search for a fill of a tier; what is found is offered."""
        found = Flag()
        self._count += 1
        with ThreadPoolExecutor(len(self._refills)) as pool:
            others = [
                pool.submit(self._search, worker, tier, nodes, found) for worker in range(1, len(self._refills))
            ]
            outcomes = [self._search(0, tier, nodes, found), *[each.result() for each in others]]
        outcome = next((each for each in outcomes if each.is_final), Outcome.UNKNOWN)
        self._tried[tier] = outcome
        return outcome

    def _search(self, worker: int, tier: int, nodes: int, found: Flag) -> Outcome:
        """One thread's search."""
        refill = self._refills[worker]

        def is_stopped() -> bool:
            if worker == 0:
                self._watch.look()
            return found.is_set() or self._shared.is_stopped

        outcome = None
        try:
            outcome = refill.run(
                self._blank,
                np.ones(len(self._blank.symbols), np.bool_),
                Demand(self._shared.worth.row_limits(tier)),
                settings=WORKERS[worker % len(WORKERS)],
                seed=self._seed + self._count + 7919 * worker,
                nodes=nodes,
                stopped=is_stopped,
            )
            if outcome is Outcome.FILLED:
                self._shared.offer(refill.found())
        finally:
            if worker == 0 or outcome is None or outcome.is_final:
                found.set()
        return outcome
