"""A fill on the workers of a Dask scheduler: a seed for each, and the first that is done decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.batch.dask_pool import DaskPool
from xwtui.batch.first_fill import fill_first
from xwtui.batch.results import TaskResult, TaskState
from xwtui.batch.tasks import BatchKind
from xwtui.engine.events.event import Outcome
from xwtui.errors import EngineError
from xwtui.formats.grid_text import grid_from_text
from xwtui.model import Content, Position
from xwtui.session.jobs.fills.direct_runs import DirectRun
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.problem.problem import Problem

_OUTCOMES = {
    TaskState.FOUND: Outcome.FILLED,
    TaskState.IMPOSSIBLE: Outcome.IMPOSSIBLE,
    TaskState.UNKNOWN: Outcome.UNKNOWN,
    TaskState.STOPPED: Outcome.CANCELLED,
}
_NOTHING_YET = TaskResult("", TaskState.UNKNOWN)


class ClusterFill(DirectRun):
    """Searches elsewhere; only what the first worker finds comes back."""

    def fill(self, problem: Problem) -> RunView:
        """Search, and tell the first one's end; raises BatchError without a cluster, EngineError if it fails."""
        with DaskPool(BatchKind.FILL, address=self.options.scheduler) as pool:
            found = fill_first(
                problem.task,
                pool,
                seed=self.seed,
                seconds=self.options.seconds,
                cancelled=self.is_stopped,
                told=lambda workers: self.tell(self._view(_NOTHING_YET, Outcome.RUNNING, workers)),
            )
        if found.state not in _OUTCOMES:
            raise EngineError(found.reason)
        return self._view(found, _OUTCOMES[found.state], self.options.threads)

    def _view(self, result: TaskResult, outcome: Outcome, threads: int) -> RunView:
        squares: dict[Position, Content] = {}
        for find in result.finds:
            grid = grid_from_text("\n".join(find.rows))
            squares = {at: content for at in grid.open_positions() if (content := grid[at].content)}
        return RunView(
            outcome=outcome,
            squares=squares,
            nodes=result.figures.get("nodes", 0),
            backtracks=result.figures.get("backtracks", 0),
            seconds=self.seconds,
            reason=result.reason,
            seed=self.seed,
            threads=threads,
            mode=self.options.mode,
        )
