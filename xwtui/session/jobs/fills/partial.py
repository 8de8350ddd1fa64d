"""As much as can be filled, where a whole fill cannot be had."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from xwtui.session.fill_options import FillOptions
from xwtui.session.jobs.fills.job import Job
from xwtui.session.jobs.fills.running import RunOwner
from xwtui.session.run_view import RunView, Stopped

if TYPE_CHECKING:
    from xwtui.engine.outcome import Outcome
    from xwtui.engine.partial_fills.partial import PartialFill
    from xwtui.engine.problem import Problem


class Partial(Job):
    """Fills as many squares as it can; stopped, it leaves the best that it has."""

    thread_name = "partial fill"

    def __init__(self, owner: RunOwner, order: FillOptions, *, seed: int, idle: threading.Condition) -> None:
        super().__init__(owner, order, seed=seed, idle=idle)
        self._best: RunView | None = None

    @property
    def best(self) -> RunView | None:
        """The best partial fill so far."""
        return self._best

    def work(self, problem: Problem) -> RunView:
        """Fill what can be filled."""
        from xwtui.engine.partial_fills.partial import partial_fill  # noqa: PLC0415  (loads numba)

        result = partial_fill(
            problem,
            seconds=self.order.seconds,
            seed=self.seed,
            threads=self.order.threads,
            cancelled=self.is_dropped,
            progress=self._show,
        )
        return self._view(result, result.outcome)

    def _show(self, partial: PartialFill) -> None:
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (loads numba)

        self._best = self._view(partial, Outcome.RUNNING)
        self.tell(self._best)

    def _view(self, partial: PartialFill, outcome: Outcome) -> RunView:
        return RunView(
            outcome,
            squares=dict(partial.squares),
            seconds=self.seconds,
            seed=self.seed,
            threads=self.order.threads,
            mode=self.order.mode,
            found=partial.filled,
            wanted=partial.filled + partial.open,
            stopped=tuple(Stopped(name, reason) for name, reason in partial.stopped),
        )
