"""A fill or an improvement on the workers of a Dask scheduler."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from xwtui.batch.dask_pool import DaskPool
from xwtui.batch.first_fill import fill_first
from xwtui.batch.tasks import BatchKind, TaskResult, TaskState
from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.session.jobs.fills.improve import Improving
from xwtui.session.jobs.fills.run import FillRun, ended_fill
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.improve.improvement import ImproveResult, Objective
    from xwtui.engine.problem.problem import Problem

_OUTCOMES = {
    TaskState.FOUND: Outcome.FILLED,
    TaskState.IMPOSSIBLE: Outcome.IMPOSSIBLE,
    TaskState.UNKNOWN: Outcome.UNKNOWN,
    TaskState.STOPPED: Outcome.CANCELLED,
}
_NOTHING_YET = TaskResult("", TaskState.UNKNOWN)


class ClusterFill(FillRun):
    """Searches elsewhere with a seed for each worker; only what the first one finds comes back."""

    def fill(self, problem: Problem) -> RunView:
        """Search, and tell the first one's end; raises BatchError without a cluster, EngineError if it fails."""
        with DaskPool(BatchKind.FILL, address=self.options.scheduler) as pool:
            found = fill_first(
                problem.task,
                pool,
                self.budget,
                first_only=not self.options.chooses_words,
                told=lambda workers: self.tell(self._view(_NOTHING_YET, Outcome.RUNNING, workers)),
            )
        if found.state not in _OUTCOMES:
            raise EngineError(found.reason)
        view = self._view(found, _OUTCOMES[found.state], self.options.threads)
        return ended_fill(problem, view, self.options, self.is_stopped)

    def _view(self, result: TaskResult, outcome: Outcome, threads: int) -> RunView:
        return replace(
            self.so_far(outcome, result.reason),
            squares=result.finds[-1].squares if result.finds else {},
            nodes=result.figures.get("nodes", 0),
            backtracks=result.figures.get("backtracks", 0),
            better_words_seconds=result.figures.get("seconds", {}).get("better_words", 0.0),
            seed=result.figures.get("seed", self.seed),
            threads=threads,
        )


class ClusterImproving(Improving):
    """Improves elsewhere: each worker goes on from the best fill that any has found."""

    def improve(self, problem: Problem, objective: Objective) -> ImproveResult:
        """Improve in slices; raises BatchError without a cluster, EngineError if the work fails."""
        from xwtui.batch.shared_improving import improve_together  # noqa: PLC0415  (loads numba)

        with DaskPool(BatchKind.IMPROVE, address=self.options.scheduler) as pool:
            return improve_together(
                problem,
                self.options.start,
                pool,
                self.budget,
                objective=objective,
                improved=lambda improvement: self.take(problem, improvement),
                progress=self.show,
            )
