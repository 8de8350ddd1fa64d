"""Making a fill better until told to stop: large-neighbourhood search with branch and bound.

After Shaw, Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems,
CP 1998: free a part of the fill, keep all else, and search that part under the demand that the
whole be better. Parts that are searched to their end let the next ones be larger, parts that are given up let
them be smaller, and the ways of choosing them are drawn as often as they succeed (Ropke and Pisinger,
Transportation Science 40, 2006). Where nothing better comes for long, a large part is filled anew with words of
high scores alone (kicks.py). Minimum scores are climbed by searching the whole grid (tiers.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from xwtui.engine.improving.guide import GuidingBest
from xwtui.engine.improving.improvement import Improvement, ImproveProgress, ImproveResult
from xwtui.engine.improving.objective import Aim, Objective
from xwtui.engine.improving.refill import Refill
from xwtui.engine.improving.rounds import Rounds
from xwtui.engine.improving.shared_best import SharedBest
from xwtui.engine.improving.standing import standing_of
from xwtui.engine.improving.tiers import Climb
from xwtui.engine.improving.worth import Demand, Worth
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.engine.settings import Settings
from xwtui.engine.warmup import warm_up
from xwtui.engine.watch import Watch
from xwtui.model import Content, Position

_NODES_A_TIER = (500, 4_000, 16_000)
"""Decisions that the guide may take for each minimum score that it tries, in one sweep after the other."""


def _never() -> bool:
    return False


def improve(
    problem: Problem,
    start: Mapping[Position, Content],
    *,
    objective: Objective | None = None,
    seed: int = 0,
    threads: int = 1,
    seconds: float | None = None,
    rounds: int | None = None,
    cancelled: Callable[[], bool] = _never,
    improved: Callable[[Improvement], None] | None = None,
    progress: Callable[[ImproveProgress], None] | None = None,
) -> ImproveResult:
    """Make a fill better, until nothing better exists or the seconds or rounds are over.

    `start` is a fill of the problem's entries, the filler's or the constructor's. What is given (PEN,
    LOCKED) stays whatever `start` has there. A start may be faulty: entries that are incomplete,
    that the word list does not allow, or that repeat an answer are replaced first, with as
    little else as can be; until that is done there is no `best`. However it is stopped, the best
    is a legal fill and never worse than a legal start.

    `improved` is called for each better fill, the first included, and `progress` every tenth of a second or
    so, both in the caller's thread. With one thread the same seed finds the same fills round by round.
    """
    threads = max(threads, 1)
    warm_up(counting=False, improving=True)
    if not problem.root.is_possible:
        return ImproveResult(Outcome.IMPOSSIBLE, None, None, (), 0.0, 0, problem.root.reason)
    worth = Worth(problem, objective or Objective())
    shared = SharedBest(worth, seconds, rounds)
    watch = Watch(shared, cancelled, improved, progress)
    first = (
        _improve_by_guide(shared, watch, start, seed, threads) if GuidingBest.leads_to(worth.objective) else None
    )
    if not shared.is_stopped:
        improving = ImproveRun(shared, watch, start, seed, threads)
        if shared.standing is None and improving.accept_start():
            first = shared.kept[0]
        if worth.objective.aim is Aim.LOWEST:
            Climb(shared, watch, seed, threads).by_turns_with(improving.run)
        else:
            improving.run()
    watch.tell()
    return _result(shared, watch, first)


def _improve_by_guide(
    shared: SharedBest, watch: Watch, start: Mapping[Position, Content], seed: int, threads: int
) -> Improvement | None:
    """Lift the lowest scores first, as far as that is quickly done; return the start if it is a legal fill."""
    guide = GuidingBest(shared)
    guided = ImproveRun(guide, watch, start, seed, threads)
    first = shared.kept[0] if guided.accept_start() else None
    climb = Climb(guide, watch, seed, threads)
    for nodes in _NODES_A_TIER:
        if shared.is_over:
            break
        climb.sweep(nodes)
        guided.run()
    return first


class ImproveRun:
    """Threads that improve one shared best; the caller's is the first and looks up for all."""

    def __init__(
        self, shared: SharedBest, watch: Watch, start: Mapping[Position, Content], seed: int, threads: int
    ) -> None:
        self._shared = shared
        self._watch = watch
        self._start = standing_of(shared.worth.problem, start)
        pauses = [watch.look, *[_nothing] * (threads - 1)]
        self._workers = [Rounds(shared, self._start, seed, worker, pause) for worker, pause in enumerate(pauses)]

    def run(self) -> None:
        """Improve until told to stop or out of rounds; an exception of any thread ends all and is raised here."""
        leader, *others = self._workers
        with ThreadPoolExecutor(max(len(others), 1)) as pool:
            running = [pool.submit(self._follow, worker) for worker in others]
            self._follow(leader)
        for each in running:
            each.result()

    def _follow(self, worker: Rounds) -> None:
        """Run one worker; where it dies, all end."""
        try:
            worker.run()
        except BaseException:
            self._shared.stop.set()
            raise

    def accept_start(self) -> bool:
        """Take the start for the first best if it is a legal fill, and tell whether it is."""
        worth = self._shared.worth
        if self._start.faults(worth.problem):
            return False
        check = Refill(worth.problem, worth)
        nothing = np.zeros(len(self._start.symbols), np.bool_)
        demand = Demand(worth.row_limits(0))
        outcome = check.run(self._start, nothing, demand, settings=Settings(), seed=0, nodes=1, stopped=_never)
        if outcome is Outcome.FILLED:
            self._shared.offer(check.found())
        return outcome is Outcome.FILLED


def _result(shared: SharedBest, watch: Watch, first: Improvement | None) -> ImproveResult:
    """What a run came to."""
    kept = shared.kept
    best = kept[-1] if kept else None
    if shared.is_proved:
        outcome = Outcome.IMPOSSIBLE if best is None else Outcome.FILLED
    else:
        outcome = Outcome.CANCELLED if watch.was_cancelled else Outcome.UNKNOWN
    return ImproveResult(
        outcome=outcome,
        first=first,
        best=best,
        kept=kept,
        bound=best.value if best is not None and shared.is_proved else shared.bound,
        rounds=shared.rounds,
        reason="searched everything: no fill exists" if outcome is Outcome.IMPOSSIBLE else "",
    )


def _nothing() -> None:
    """Followers do not look up: they see the flag that the leader sets."""
