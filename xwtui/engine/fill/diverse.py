"""Several fills of one grid, any two of which differ in at least a given share of their squares.

A systematic enumeration of all fills proves that no other one differs enough from those found. It follows Lawler's
partitioning of what is left once one solution is known ("A procedure for computing the K best solutions to
discrete optimization problems", Management Science 1972): the fills that differ from it in the first square, those
that agree there and differ in the second, and so on. A part all of whose fills are too similar to one found is
skipped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from random import Random
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass
from xwtui.engine.budget import NO_LIMIT, SECONDS_PER_SLICE, Budget, Workers
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler, scores_of
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import limited_reason, why_impossible
from xwtui.engine.problem.variants import narrow
from xwtui.engine.warmup import warm_up
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position

with lazy_imports():
    from xwtui.engine.problem.no_fill import FewerFills, NoOtherFill, Reason

_ALL_SYMBOLS = (1 << 64) - 1


@dataclass(frozen=True)
class RankedFill:
    """One of several fills; scores are of the entries that are not completely given."""

    squares: Mapping[Position, Content]
    """The content of every square of an entry; with a selection, only of those inside it."""
    answers: Mapping[str, str]
    """The answer of every entry, by the entry's name."""
    mean_score: float
    lowest_score: int


def _free_squares(problem: Problem) -> NDArray[np.bool_]:
    """Return whether each square counts: it must be filled and is not given; shape (squares,)."""
    task = problem.task
    return np.array(
        [
            at not in task.given and at not in task.holes and (task.selection is None or at in task.selection)
            for at in problem.positions
        ],
        bool,
    )


class FillSet:
    """Fills that differ in at least a share of the squares that a fill decides. Thread-safe."""

    def __init__(self, problem: Problem, difference: float) -> None:
        self._problem = problem
        self._free = _free_squares(problem)
        self.least = max(math.ceil(difference * int(self._free.sum()) - 1e-9), 1)
        """Minimum number of squares in which two fills differ."""
        self.fills: tuple[RankedFill, ...] = ()
        """In the order in which they were found."""
        self._codes: list[NDArray[np.int64]] = []
        self._open = [
            square
            for square, mask in enumerate(problem.masks(problem.root.state))
            if self._free[square] and mask & (mask - 1)
        ]
        self._lock = Lock()

    def offer(self, filler: Filler) -> bool:
        """Add a filler's fill if it differs enough from all others; return whether it did."""
        problem, state = self._problem, filler.state
        codes = known_codes(problem.masks(state))
        rows = {slot: row for slot, row in problem.decided_rows(state) if problem.is_required[slot]}
        scores = scores_of(problem, rows)
        fill = RankedFill(
            squares=filler.fill(),
            answers={problem.slots[slot].name: problem.word(slot, row) for slot, row in rows.items()},
            mean_score=sum(scores) / len(scores) if scores else 0.0,
            lowest_score=min(scores, default=0),
        )
        with self._lock:
            if not self.differs(codes):
                return False
            self._codes.append(codes)
            self.fills = (*self.fills, fill)
            return True

    def differs(self, codes: NDArray[np.int64]) -> bool:
        """Whether a fill may differ enough from all others; undecided squares (-1) count as different."""
        return all(int((codes != other)[self._free].sum()) >= self.least for other in self._codes)

    def forbidding(self, rng: Random) -> dict[int, int]:
        """Forbid, for each fill, its letters in as many random squares as make every new fill differ enough."""
        allowed: dict[int, int] = {}
        for codes in tuple(self._codes):
            for square in rng.sample(self._open, min(self.least, len(self._open))):
                allowed[square] = allowed.get(square, _ALL_SYMBOLS) & ~(1 << int(codes[square]))
        return allowed


@dataclass
class _Part:
    """The fills of a narrowed problem, of which one is known."""

    masks: list[int]
    """The domain of each square, propagated."""
    codes: list[int]
    """The symbols of the known fill."""
    next: int = 0
    """Number of subparts examined so far, one for each counting square."""


class RemainingFills:
    """Enumerates all parts depth first, in slices; for one thread.

    Each part's fill is passed to `take`, which returns whether it is a new one. No two of these fills agree in all
    counting squares. Parts without a fill that `may_differ` enough from those found are skipped.
    """

    def __init__(
        self,
        problem: Problem,
        take: Callable[[Filler], bool],
        may_differ: Callable[[NDArray[np.int64]], bool] = lambda _: True,
        *,
        seed: int,
    ) -> None:
        self._problem = problem
        self._take = take
        self._may_differ = may_differ
        self._seed = seed
        self.nodes = 0
        self._free = np.flatnonzero(_free_squares(problem)).tolist()
        self._parts: list[_Part] = []
        self._filler: Filler | None = Filler(problem, seed=seed)

    def advance(self, nodes: int, is_over: Callable[[], bool]) -> bool:
        """Continue for at most this many nodes or parts, or until the next new fill; True if nothing is left."""
        while nodes > 0 and not is_over():
            if self._filler is None and not self._open_next():
                return True
            if self._filler is not None:
                before = self._filler.statistics.nodes
                self._filler.advance(nodes=nodes, seconds=SECONDS_PER_SLICE)
                done = self._filler.statistics.nodes - before
                self.nodes += done
                nodes -= done + 1
                if self._filler.outcome.is_final and self._close():
                    return False
        return False

    def _open_next(self) -> bool:
        """Start on the next part that may hold a sufficiently different fill, if one is left."""
        while self._parts:
            part = self._parts[-1]
            if part.next == len(self._free):
                self._parts.pop()
                continue
            square = self._free[part.next]
            code = 1 << part.codes[square]
            allowed = dict(enumerate(part.masks))
            allowed |= {fixed: 1 << part.codes[fixed] for fixed in self._free[: part.next]}
            allowed[square] &= ~code
            part.next += 1
            if not allowed[square]:
                continue
            narrowed = narrow(self._problem, allowed)
            if narrowed.root.is_possible and self._may_differ(known_codes(narrowed.masks(narrowed.root.state))):
                self._filler = Filler(narrowed, seed=self._seed)
                return True
        return False

    def _close(self) -> bool:
        """Partition a part that was searched; return whether its fill is new."""
        filler, self._filler = self._filler, None
        if filler is None or filler.outcome is not Outcome.FILLED:
            return False
        masks = filler.problem.masks(filler.problem.root.state)
        codes = known_codes(filler.problem.masks(filler.state)).tolist()
        self._parts.append(_Part(masks, codes))
        return self._take(filler)


def known_codes(masks: list[int]) -> NDArray[np.int64]:
    """Return the symbol of each square that has only one left, else -1."""
    return np.array([mask.bit_length() - 1 if mask & (mask - 1) == 0 else -1 for mask in masks], np.int64)


_FIRST_NODES = 1_000
"""Minimum node limit of the first searches for another fill, else twice what one took; doubles with failures."""
_TRIES_PER_DOUBLING = 4
_MOST_DOUBLINGS = 12


@dataclass(frozen=True)
class DiverseResult:
    """The result of a search for several fills."""

    outcome: Outcome
    """FILLED: all fills requested. IMPOSSIBLE: proved that no other fill differs enough from these.

    UNKNOWN: the time ran out first. CANCELLED.
    """
    fills: tuple[RankedFill, ...]
    """Sorted by mean score, best first."""
    squares: int
    """Any two of them differ in at least this many squares."""
    reason: Reason | None
    """Why there are fewer than requested."""


def diverse_fills(
    problem: Problem,
    budget: Budget = NO_LIMIT,
    *,
    count: int,
    difference: float,
    found: Callable[[RankedFill], None] | None = None,
) -> DiverseResult:
    """Find `count` fills, any two of which differ in a share (0 to 1) of the squares that are not given.

    They differ in at least one square. With one thread and without a deadline, the same seed finds the same fills
    on every machine. `found` is called in the caller's thread for each fill as it is found. Raises EngineError for
    a share outside 0 to 1.
    """
    if not 0 <= difference <= 1:
        raise EngineError(f"fills differ in a share of their squares from 0 to 1; {difference:g} is outside")
    warm_up(counting=False, improving=not problem.constraints.is_empty)
    search = _DiverseSearch(problem, count, difference, budget.seed, found)
    return search.run(Workers(budget.reporting(search.report, 0.0)))


class _DiverseSearch:
    """Workers that look for further fills until there are enough, or the first proves that no other exists."""

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
        self._reported = 0
        self._reason = why_impossible(problem)
        self._fills = FillSet(problem, difference)
        self._is_exhausted = not problem.root.is_possible
        self._nodes = _FIRST_NODES

    def run(self, workers: Workers) -> DiverseResult:
        workers.run(lambda worker: self._work(worker, workers))
        self.report()
        ranked = tuple(sorted(self._fills.fills[: self._count], key=lambda fill: -fill.mean_score))
        if len(ranked) == self._count:
            outcome = Outcome.FILLED
        elif self._is_exhausted:
            outcome = Outcome.IMPOSSIBLE
        else:
            outcome = workers.limit.unfinished_outcome
        reason, have = self._reason, len(self._fills.fills)
        if outcome is Outcome.FILLED:
            reason = None
        elif outcome is not Outcome.IMPOSSIBLE:
            reason = FewerFills(have, self._count, was_stopped=outcome is Outcome.CANCELLED)
        elif have:
            reason = limited_reason(self._problem, NoOtherFill(have, self._fills.least))
        return DiverseResult(outcome, ranked, self._fills.least, reason)

    def report(self) -> None:
        """Report the fills found since the last call."""
        fills = self._fills.fills[: self._count]
        for fill in fills[self._reported :]:
            self._reported += 1
            if self._found is not None:
                self._found(fill)

    def _work(self, worker: int, workers: Workers) -> None:
        rng = Random(f"{self._seed} {worker}")
        fills, remaining = self._fills, None
        if worker == 0:
            remaining = RemainingFills(self._problem, fills.offer, fills.differs, seed=self._seed)
        tries = 0
        while len(fills.fills) < self._count and not self._is_exhausted and not workers.is_over(worker):
            before = len(fills.fills)
            self._try(worker, rng, tries, workers)
            tries += 1
            if len(fills.fills) > before:
                tries = 0
            elif remaining is not None and before and tries % _TRIES_PER_DOUBLING == 0:
                self._is_exhausted = remaining.advance(self._budget(tries), lambda: workers.is_over(worker))

    def _budget(self, tries: int) -> int:
        return self._nodes << min(tries // _TRIES_PER_DOUBLING, _MOST_DOUBLINGS)

    def _try(self, worker: int, rng: Random, tries: int, workers: Workers) -> None:
        """Search for one fill: unrestricted at first, then with letters forbidden so that it differs enough."""
        problem = self._problem
        if tries:
            problem = narrow(problem, self._fills.forbidding(rng))
        filler = Filler(problem, seed=rng.getrandbits(30), worker=worker)
        nodes = self._budget(tries) if self._fills.fills else None
        if filler.resume(nodes, lambda: workers.is_over(worker)) is Outcome.FILLED:
            self._fills.offer(filler)
            self._nodes = max(self._nodes, 2 * filler.statistics.nodes)
        elif filler.outcome is Outcome.IMPOSSIBLE and problem is self._problem:
            self._reason = self._reason or filler.reason
            self._is_exhausted = True
