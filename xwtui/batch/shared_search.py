"""One search on many processes: a fill with a seed in each, or an improvement of the best fill of all."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count

from xwtui.batch.judge import judged_bytes
from xwtui.batch.packed_words import pack_words
from xwtui.batch.pool import Arrival, Pool
from xwtui.batch.subjects import improvement_text, task_text
from xwtui.batch.tasks import BatchKind, BatchTask, TaskResult, TaskSettings, TaskState
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit
from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Improvement, ImproveProgress, ImproveResult, Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import Worth, code_start
from xwtui.engine.problem.no_fill import QuotedText
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.model import Content, Position
from xwtui.words.sources import Vocabulary

SLICE_SECONDS = 5.0
"""Length of a slice, after which a process learns what the others have found."""
_POLL_SECONDS = 0.1
_LAST_SECONDS = 5.0
"""How long to wait for slices once no more are started."""
_MOST_FAILURES = 20
"""Limit on lost slices, and on seeds with an invalid result, before the work is abandoned."""
_LONGEST_SECONDS = 604_800.0
_SETTLED = (TaskState.FOUND, TaskState.IMPOSSIBLE)
_SOUND = (TaskState.FOUND, TaskState.UNKNOWN, TaskState.IMPOSSIBLE, TaskState.STOPPED)


def fill_first(
    task: Task,
    pool: Pool,
    budget: Budget = NO_LIMIT,
    *,
    first_only: bool = False,
    progress: Callable[[int], object] = lambda _: None,
) -> TaskResult:
    """Search with a seed per process at once, counting up from the budget's; stop when one has finished.

    Processes that join later take part. The result is judged, and its figures include its `seed`. It is UNKNOWN
    after the time limit, and STOPPED soon after `stop` returns True. `progress` is called ten times a second with
    the number of running searches. Raises BatchError if the pool fails.
    """
    shares, text, seconds = _Shares(task.vocabulary, pool), task_text(task), budget.seconds
    settings = TaskSettings(_LONGEST_SECONDS if seconds is None else seconds, task.allow_repeats, first=first_only)
    seeds, lost, failures = count(budget.seed), deque[BatchTask](), 0
    limit, last = TimeLimit(budget), TaskResult("", TaskState.UNKNOWN)

    def next_task() -> BatchTask:
        return lost.popleft() if lost else BatchTask(BatchKind.FILL, text, shares.words, next(seeds), settings)

    try:
        while not budget.stop() and (limit.left or shares.out):
            if limit.left:
                shares.hand_out(next_task)
            for done, found in shares.arrivals():
                if isinstance(found, Arrival):
                    lost.append(done)
                    continue
                last = replace(found, figures={**found.figures, "seed": done.seed})
                failures += last.state is not TaskState.UNKNOWN
                if last.state in _SETTLED or failures > _MOST_FAILURES:
                    return last
            progress(len(shares.out))
    finally:
        pool.stop()
    return TaskResult("", TaskState.STOPPED) if budget.stop() else last


class _Shares:
    """The tasks of one search that processes work on, one each."""

    def __init__(self, vocabulary: Vocabulary, pool: Pool) -> None:
        """Give the processes the words; raises BatchError if the pool fails, as all methods do."""
        packed = pack_words(vocabulary)
        pool.give_words([packed])
        self.words = packed.digest
        self.out: dict[str, BatchTask] = {}
        self._vocabulary, self._pool = vocabulary, pool

    def hand_out(self, next_task: Callable[[], BatchTask]) -> None:
        """Give a task to each process that has none."""
        while self._pool.is_connected and len(self.out) < self._pool.workers:
            one = next_task()
            self.out[one.name] = one
            self._pool.submit(one.name, one.to_bytes())

    def arrivals(self) -> Iterator[tuple[BatchTask, TaskResult | Arrival]]:
        """Yield the tasks that came back within a tenth of a second, with judged results or as lost."""
        for arrival in self._pool.arrivals(_POLL_SECONDS):
            task = self.out.pop(arrival.name)
            is_lost = arrival.loss is not None
            yield task, arrival if is_lost else judged_bytes(task, arrival.data, self._vocabulary)


def improve_together(
    problem: Problem,
    start: Mapping[Position, Content],
    pool: Pool,
    budget: Budget = NO_LIMIT,
    *,
    objective: Objective | None = None,
    improved: Callable[[Improvement], object] = lambda _: None,
    progress: Callable[[ImproveProgress], object] = lambda _: None,
) -> ImproveResult:
    """Do on the processes of a pool what `engine.improve.improver.improve` does on threads.

    Each better fill is judged on arrival, and all later slices start from it. The problem must be of a whole grid,
    without a selection. Raises BatchError if the pool fails, and EngineError if its work does.
    """
    if not problem.root.is_possible:
        return ImproveResult(Outcome.IMPOSSIBLE, None, None, (), 0.0, 0, why_impossible(problem))
    return _Together(problem, start, objective or Objective(), improved).run(pool, budget, progress)


class _Together:
    """The best fill so far, as kept by the client."""

    def __init__(
        self,
        problem: Problem,
        start: Mapping[Position, Content],
        objective: Objective,
        improved: Callable[[Improvement], object],
    ) -> None:
        self._problem, self._objective, self._improved = problem, objective, improved
        self._shared = SharedBest(Worth(problem, objective))
        self._best = start
        """Where slices start: the best fill, or the given start if that is not legal."""
        self._reason = ""
        self._is_done = False
        ImproveRun(self._shared, Watch(self._shared, NO_LIMIT), start).leader.accept_start()
        self._first = next(iter(self._shared.kept), None)
        if self._first is not None:
            improved(self._first)

    def run(self, pool: Pool, budget: Budget, progress: Callable[[ImproveProgress], object]) -> ImproveResult:
        shared = self._shared
        if failure := self._work(pool, budget, progress):
            raise EngineError(failure)
        best = shared.kept[-1] if shared.kept else None
        if self._is_done:
            outcome = Outcome.IMPOSSIBLE if best is None else Outcome.FILLED
        else:
            outcome = Outcome.CANCELLED if budget.stop() else Outcome.UNKNOWN
        bound = best.value if best is not None and self._is_done else shared.bound
        reason = QuotedText(self._reason) if self._reason else None
        return ImproveResult(outcome, self._first, best, shared.kept, bound, shared.rounds, reason)

    def _work(self, pool: Pool, budget: Budget, progress: Callable[[ImproveProgress], object]) -> str:
        """Work until nothing better is possible or time is up; returns why it was abandoned, or nothing."""
        task, shared = self._problem.task, self._shared
        shares, puzzle, seeds = _Shares(task.vocabulary, pool), task_text(task), count(budget.seed)
        deadline = time.monotonic() + (math.inf if budget.seconds is None else budget.seconds)
        failures, reason, is_over, seconds = 0, "", False, SLICE_SECONDS

        def next_slice() -> BatchTask:
            text = improvement_text(puzzle, self._best, self._objective)
            settings = TaskSettings(seconds, task.allow_repeats)
            return BatchTask(BatchKind.IMPROVE, text, shares.words, next(seeds), settings)

        while True:
            now = time.monotonic()
            if not is_over and (self._is_done or now >= deadline or budget.stop() or failures > _MOST_FAILURES):
                is_over, deadline = True, now
                pool.stop()
            if is_over and (not shares.out or not pool.is_connected or now > deadline + _LAST_SECONDS):
                return reason if failures > _MOST_FAILURES else ""
            if not is_over:
                seconds = min(SLICE_SECONDS, deadline - now)
                shares.hand_out(next_slice)
            for _, found in shares.arrivals():
                if isinstance(found, Arrival) or found.state not in _SOUND:
                    failures, reason = failures + 1, found.reason
                else:
                    self._take(found)
            best = shared.kept[-1] if shared.kept else None
            progress(ImproveProgress(best, shared.rounds, shared.seconds, shared.bound))

    def _take(self, result: TaskResult) -> None:
        """Keep a slice's fill if it is better, and note whether it is proved that nothing better exists."""
        shared = self._shared
        shared.rounds += int(result.figures.get("rounds", 0))
        for find in result.finds:
            squares = find.squares
            standing = shared.worth.ranked(code_start(self._problem, squares))
            if shared.offer(standing):
                self._best = squares
                self._improved(shared.kept[-1])
            best = shared.best
            self._is_done |= bool(result.figures["is_best"] and best is not None and standing.rank >= best.rank)
        if result.state is TaskState.IMPOSSIBLE and shared.best is None:
            self._reason, self._is_done = result.reason, True
