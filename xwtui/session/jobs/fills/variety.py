"""Several fills that differ from each other, to choose from."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xwtui.session.fill_options import FillOptions
from xwtui.session.jobs.fills.direct_run import DirectRun
from xwtui.session.jobs.fills.run import FoundFill
from xwtui.session.run_view import RunView

if TYPE_CHECKING:
    from xwtui.engine.outcome import Outcome
    from xwtui.engine.problem import Problem
    from xwtui.engine.variety.fill_set import RankedFill

_VIEW_SECONDS = 0.1


class Variety(DirectRun):
    """Collects fills and writes none; stopped, it leaves those that it has."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._fills: tuple[RankedFill, ...] = ()
        self._told = 0.0

    @property
    def best(self) -> RunView | None:
        """The fills so far."""
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (only once there was a run)

        return self._view(Outcome.RUNNING) if self._fills else None

    @property
    def found(self) -> Sequence[FoundFill]:
        """The fills, the best mean first."""
        ranked = sorted(self._fills, key=lambda fill: -fill.mean_score)
        return [FoundFill(fill.squares, fill.mean_score, fill.lowest_score) for fill in ranked]

    def fill(self, problem: Problem) -> RunView:
        """Find so many fills, or as many as there are."""
        from xwtui.engine.variety.diverse import diverse_fills  # noqa: PLC0415  (loads numba)

        result = diverse_fills(
            problem,
            count=self.options.count,
            difference=self.options.difference,
            seconds=self.options.seconds,
            seed=self.seed,
            threads=self.options.threads,
            cancelled=self._look,
            found=self._take,
        )
        return self._view(result.outcome, result.reason)

    def _take(self, fill: RankedFill) -> None:
        self._fills = (*self._fills, fill)
        self._told = 0.0

    def _look(self) -> bool:
        """Tell how far it is, now and then; returns whether it is dropped."""
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (loads numba)

        now = time.perf_counter()
        if now - self._told >= _VIEW_SECONDS:
            self._told = now
            self.tell(self._view(Outcome.RUNNING))
        return self.is_stopped()

    def _view(self, outcome: Outcome, reason: str = "") -> RunView:
        return RunView(
            outcome,
            squares=dict(self._fills[-1].squares) if self._fills else {},
            seconds=self.seconds,
            reason=reason,
            seed=self.seed,
            threads=self.options.threads,
            mode=self.options.mode,
            found=len(self._fills),
            wanted=self.options.count,
        )
