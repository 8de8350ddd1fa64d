"""A fill or an improvement on the workers of a Dask scheduler."""

from __future__ import annotations

from dataclasses import replace

from xwtui.batch.pool import open_pool
from xwtui.batch.tasks import BatchKind, TaskResult, TaskState
from xwtui.engine.budget import Budget
from xwtui.engine.events.event import THE_END, Outcome, Until
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.session.fill_options import FillOptions
from xwtui.session.jobs.fills.improve import Improving
from xwtui.session.jobs.fills.search import DirectSearch
from xwtui.session.run_view import RunView

with lazy_imports():
    from xwtui.batch.shared_search import fill_first, improve_together
    from xwtui.engine.improve.improvement import ImproveResult
    from xwtui.engine.problem.problem import Problem

_OUTCOMES = {
    TaskState.FOUND: Outcome.FILLED,
    TaskState.IMPOSSIBLE: Outcome.IMPOSSIBLE,
    TaskState.UNKNOWN: Outcome.UNKNOWN,
    TaskState.STOPPED: Outcome.CANCELLED,
}


class ClusterFill(DirectSearch):
    """Searches elsewhere with a seed for each worker; only what the first one finds comes back."""

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(problem, options, seed)
        self._found = TaskResult("", TaskState.UNKNOWN)
        self._workers = 0

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        """Search until the first one ends; raises BatchError without a cluster, EngineError if it fails."""

        def note(workers: int) -> None:
            self._workers = workers

        first_only = not self.options.chooses_words
        with open_pool(BatchKind.FILL, address=self.options.scheduler) as pool:
            found = fill_first(self.problem.task, pool, budget, first_only=first_only, told=note)
        if found.state not in _OUTCOMES:
            raise EngineError(found.reason)
        self._found, self._workers = found, self.options.threads
        self.end(_OUTCOMES[found.state], found.reason)

    def view(self) -> RunView:
        figures, finds = self._found.figures, self._found.finds
        return replace(
            self.so_far(),
            squares=finds[-1].squares if finds else {},
            nodes=figures.get("nodes", 0),
            backtracks=figures.get("backtracks", 0),
            better_words_seconds=figures.get("seconds", {}).get("better_words", 0.0),
            seed=figures.get("seed", self.seed),
            threads=self._workers,
        )


class ClusterImproving(Improving):
    """Improves elsewhere: each worker goes on from the best fill that any has found."""

    def improve(self, problem: Problem, budget: Budget) -> ImproveResult:
        """Improve in slices; raises BatchError without a cluster, EngineError if the work fails."""
        start = self.options.start
        with open_pool(BatchKind.IMPROVE, address=self.options.scheduler) as pool:
            return improve_together(
                problem, start, pool, budget, objective=self.objective, improved=self.take, progress=self.note
            )
