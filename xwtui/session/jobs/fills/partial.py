"""As much as can be filled, where a whole fill cannot be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xwtui.session.fill_options import FillOptions
from xwtui.session.jobs.fills.direct_run import DirectRun
from xwtui.session.run_view import RunView, Stopped

if TYPE_CHECKING:
    from xwtui.engine.outcome import Outcome
    from xwtui.engine.partial_fills.partial import PartialFill
    from xwtui.engine.problem import Problem


class Partial(DirectRun):
    """Fills as many squares as it can; stopped, it leaves the best that it has."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._best: RunView | None = None

    @property
    def best(self) -> RunView | None:
        """The best partial fill so far."""
        return self._best

    def fill(self, problem: Problem) -> RunView:
        """Fill what can be filled."""
        from xwtui.engine.partial_fills.partial import partial_fill  # noqa: PLC0415  (loads numba)

        result = partial_fill(
            problem,
            seconds=self.options.seconds,
            seed=self.seed,
            threads=self.options.threads,
            cancelled=self.is_stopped,
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
            threads=self.options.threads,
            mode=self.options.mode,
            found=partial.filled,
            wanted=partial.filled + partial.open,
            stopped=tuple(Stopped(name, reason) for name, reason in partial.stopped),
        )
