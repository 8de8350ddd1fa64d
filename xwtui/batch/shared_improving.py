"""A fill made better on many processes: each goes on, slice by slice, from the best that any of them has found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from xwtui.batch.pool import Pool
from xwtui.batch.results import TaskResult, TaskState
from xwtui.batch.slices import work_in_slices
from xwtui.batch.subjects import asked_of_improving, asked_of_task
from xwtui.batch.tasks import BatchKind, BatchTask, TaskSettings
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.workers import never
from xwtui.engine.improve.improvement import Improvement, ImproveProgress, ImproveResult, Objective
from xwtui.engine.improve.improver import ImproveRun
from xwtui.engine.improve.shared_best import SharedBest, Watch
from xwtui.engine.improve.worth import Worth, standing_of
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.errors import EngineError
from xwtui.model import Content, Position
from xwtui.words.vocabulary import Vocabulary


def improve_together(
    problem: Problem,
    start: Mapping[Position, Content],
    pool: Pool,
    *,
    objective: Objective | None = None,
    seed: int = 0,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    improved: Callable[[Improvement], object] = lambda _: None,
    progress: Callable[[ImproveProgress], object] = lambda _: None,
) -> ImproveResult:
    """Do on the processes of a pool what `engine.improve.improver.improve` does on threads.

    Each better fill is judged where it arrives, and all slices that begin later go on from it. The problem is that
    of a whole grid, without a selection. Raises BatchError where the pool fails, EngineError where its work does.
    """
    if not problem.root.is_possible:
        return ImproveResult(Outcome.IMPOSSIBLE, None, None, (), 0.0, 0, why_impossible(problem))
    return _Together(problem, start, objective or Objective(), seconds, improved).run(
        pool, seed, seconds, cancelled, progress
    )


class _Together:
    """The best fill so far, as the client keeps it."""

    def __init__(
        self,
        problem: Problem,
        start: Mapping[Position, Content],
        objective: Objective,
        seconds: float | None,
        improved: Callable[[Improvement], object],
    ) -> None:
        self._problem, self._objective, self._improved = problem, objective, improved
        self._shared = SharedBest(Worth(problem, objective), seconds, None)
        self._best = start
        """Where slices begin: the best fill, or a start that is none."""
        self._reason = ""
        self._is_done = False
        watch = Watch(self._shared, never, None, None)
        is_legal = ImproveRun(self._shared, watch, start, 0, 1).accept_start()
        self._first = self._shared.kept[0] if is_legal else None
        if self._first is not None:
            improved(self._first)

    def run(
        self,
        pool: Pool,
        seed: int,
        seconds: float | None,
        cancelled: Callable[[], bool],
        progress: Callable[[ImproveProgress], object],
    ) -> ImproveResult:
        task, shared = self._problem.task, self._shared
        puzzle = asked_of_task(task)

        def make(seed: int, seconds: float, vocabulary: str) -> BatchTask:
            asked = asked_of_improving(puzzle, self._best, self._objective)
            settings = TaskSettings(seconds, task.allow_repeats)
            return BatchTask(BatchKind.IMPROVE, asked, vocabulary, seed, settings)

        def tell() -> None:
            best = shared.kept[-1] if shared.kept else None
            progress(ImproveProgress(best, shared.rounds, shared.seconds, shared.bound))

        words = Vocabulary(task.lexicon, task.own_lists)
        failure = work_in_slices(
            words, pool, make, self._take, seed=seed, seconds=seconds, cancelled=cancelled, told=tell
        )
        if failure:
            raise EngineError(failure)
        best = shared.kept[-1] if shared.kept else None
        if self._is_done:
            outcome = Outcome.IMPOSSIBLE if best is None else Outcome.FILLED
        else:
            outcome = Outcome.CANCELLED if cancelled() else Outcome.UNKNOWN
        bound = best.value if best is not None and self._is_done else shared.bound
        return ImproveResult(outcome, self._first, best, shared.kept, bound, shared.rounds, self._reason)

    def _take(self, result: TaskResult) -> bool:
        """Keep what a slice has found, if it is better; tell whether it is proved that nothing better exists."""
        shared = self._shared
        shared.rounds += int(result.figures.get("rounds", 0))
        for find in result.finds:
            squares = find.squares
            standing = standing_of(self._problem, squares)
            standing = replace(standing, rank=shared.worth.rank(standing.rows, standing.symbols))
            if shared.offer(standing):
                self._best = squares
                self._improved(shared.kept[-1])
            best = shared.standing
            self._is_done |= bool(result.figures["is_best"] and best is not None and standing.rank >= best.rank)
        if result.state is TaskState.IMPOSSIBLE and shared.standing is None:
            self._reason, self._is_done = result.reason, True
        return self._is_done
