"""Several fills of one grid that differ from each other in at least a given share of their squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from xwtui.engine.crew import SECONDS_A_SLICE, Crew, never
from xwtui.engine.filler import Filler
from xwtui.engine.narrowing import narrow
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.engine.variety.fill_set import FillSet, RankedFill
from xwtui.engine.variety.remaining_fills import RemainingFills
from xwtui.engine.warmup import warm_up
from xwtui.errors import EngineError

_FIRST_NODES = 1_000
"""Nodes of the first searches for another fill, or twice what one took; they double with every few failures."""
_TRIES_A_DOUBLING = 4
_MOST_DOUBLINGS = 12


@dataclass(frozen=True)
class DiverseResult:
    """What a search for several fills came to."""

    outcome: Outcome
    """FILLED: all that were asked for. IMPOSSIBLE: no other fill differs enough from these (proved).
    UNKNOWN: the time came first. CANCELLED."""
    fills: tuple[RankedFill, ...]
    """By mean score, the best first."""
    squares: int
    """In so many squares, at least, any two of them differ."""
    reason: str
    """Why there are fewer than were asked for; empty where there are not."""


def diverse_fills(
    problem: Problem,
    *,
    count: int,
    difference: float,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    cancelled: Callable[[], bool] = never,
    found: Callable[[RankedFill], None] | None = None,
) -> DiverseResult:
    """Find so many fills, each two of which differ in a share (0 to 1) of the squares that are not given.

    They differ in one square at least. With one thread and without a deadline the same seed finds the
    same fills on every machine. `found` is called in the caller's thread for each fill, as it comes.
    Raises EngineError for a share outside 0 to 1.
    """
    if not 0 <= difference <= 1:
        raise EngineError(f"fills differ in a share of their squares from 0 to 1; {difference:g} is outside")
    warm_up(counting=False, improving=not problem.demands.is_empty)
    hunt = _Hunt(problem, count, difference, seed, found)
    return hunt.run(Crew(threads, seconds, cancelled, hunt.tell))


class _Hunt:
    """Workers that look for one more fill, until there are enough or the first has proved that no other exists."""

    def __init__(
        self,
        problem: Problem,
        count: int,
        difference: float,
        seed: int,
        found: Callable[[RankedFill], None] | None,
    ) -> None:
        self._problem = problem
        self._count = count
        self._seed = seed
        self._found = found
        self._told = 0
        self._reason = problem.root.reason
        self._fills = FillSet(problem, difference)
        self._is_exhausted = not problem.root.is_possible
        self._nodes = _FIRST_NODES

    def run(self, crew: Crew) -> DiverseResult:
        """Hunt until it is over."""
        crew.run(lambda worker: self._work(worker, crew))
        self.tell()
        ranked = tuple(sorted(self._fills.fills[: self._count], key=lambda fill: -fill.mean_score))
        if len(ranked) == self._count:
            outcome = Outcome.FILLED
        elif self._is_exhausted:
            outcome = Outcome.IMPOSSIBLE
        else:
            outcome = Outcome.CANCELLED if crew.was_cancelled else Outcome.UNKNOWN
        return DiverseResult(outcome, ranked, self._fills.least, self._why(outcome))

    def _why(self, outcome: Outcome) -> str:
        if outcome is Outcome.FILLED:
            return ""
        have = len(self._fills.fills)
        if outcome is Outcome.IMPOSSIBLE:
            if not have:
                return self._reason
            these = "this one" if have == 1 else f"these {have}"
            least = "1 square" if self._fills.least == 1 else f"{self._fills.least} squares"
            return f"no other fill differs from {these} in {least} or more: all were looked at"
        ended = "search was stopped" if outcome is Outcome.CANCELLED else "time was over"
        return f"found {have} of {self._count} before the {ended}"

    def tell(self) -> None:
        """Tell of the fills that have come since the last call."""
        fills = self._fills.fills[: self._count]
        for fill in fills[self._told :]:
            self._told += 1
            if self._found is not None:
                self._found(fill)

    def _work(self, worker: int, crew: Crew) -> None:
        chance = Random(f"{self._seed} {worker}")
        remaining = RemainingFills(self._problem, self._fills, seed=self._seed) if worker == 0 else None
        tries = 0
        while len(self._fills.fills) < self._count and not self._is_exhausted and not crew.is_over(worker):
            before = len(self._fills.fills)
            self._try(worker, chance, tries, crew)
            tries += 1
            if len(self._fills.fills) > before:
                tries = 0
            elif remaining is not None and before and tries % _TRIES_A_DOUBLING == 0:
                self._is_exhausted = remaining.look(self._budget(tries), lambda: crew.is_over(worker))

    def _budget(self, tries: int) -> int:
        return self._nodes << min(tries // _TRIES_A_DOUBLING, _MOST_DOUBLINGS)

    def _try(self, worker: int, chance: Random, tries: int, crew: Crew) -> None:
        """Search for one fill: freely at first, then with letters forbidden so that it must differ enough."""
        problem = self._problem
        if tries:
            problem = narrow(problem, self._fills.forbidding(chance))
        filler = Filler(problem, seed=chance.getrandbits(30), worker=worker)
        last = self._budget(tries) if self._fills.fills else None
        while not filler.outcome.is_final and not crew.is_over(worker):
            left = None if last is None else last - filler.statistics.nodes
            if left is not None and left <= 0:
                return
            filler.advance(nodes=left, seconds=SECONDS_A_SLICE)
        if filler.outcome is Outcome.FILLED:
            self._fills.offer(filler)
            self._nodes = max(self._nodes, 2 * filler.statistics.nodes)
        elif filler.outcome is Outcome.IMPOSSIBLE and problem is self._problem:
            self._reason = self._reason or filler.reason
            self._is_exhausted = True
