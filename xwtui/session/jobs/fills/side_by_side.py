"""A fill with several searches side by side: the first to end decides, and none can be stepped."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING

from xwtui.model import Content, Position
from xwtui.session.fill_options import FillOptions
from xwtui.session.jobs.fills.direct_run import DirectRun
from xwtui.session.jobs.fills.search import DEPTH_SAMPLES
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.outcome import Outcome, Statistics
    from xwtui.engine.portfolio import Progress
    from xwtui.engine.problem import Problem


class SideBySide(DirectRun):
    """Runs a portfolio."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._depths: deque[int] = deque(maxlen=DEPTH_SAMPLES)

    def fill(self, problem: Problem) -> RunView:
        """Search, and tell the first one's end."""
        from xwtui.engine.portfolio import fill  # noqa: PLC0415  (loads numba)

        result = fill(
            problem,
            seed=self.seed,
            threads=self.options.threads,
            seconds=self.options.seconds,
            cancelled=self.is_stopped,
            progress=self._show,
        )
        return self._view(result.outcome, result.statistics, result.squares, result.reason)

    def _show(self, progress: Progress) -> None:
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (loads numba)

        self._depths.append(progress.statistics.depth)
        self.tell(self._view(Outcome.RUNNING, progress.statistics, progress.squares))

    def _view(
        self, outcome: Outcome, statistics: Statistics, squares: Mapping[Position, Content], reason: str = ""
    ) -> RunView:
        return RunView(
            outcome=outcome,
            squares=dict(squares),
            nodes=statistics.nodes,
            backtracks=statistics.backtracks,
            restarts=statistics.restarts,
            depth=statistics.depth,
            deepest=statistics.deepest,
            seconds=self.seconds,
            reason=reason,
            depth_history=tuple(self._depths),
            seed=self.seed,
            threads=self.options.threads,
            mode=self.options.mode,
        )
