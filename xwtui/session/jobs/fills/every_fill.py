"""All fills of a grid, one after the other, by any strategy: they are counted, and the first ones kept."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xwtui.model import Content, Position, Puzzle
from xwtui.model.edits import write_fill
from xwtui.model.statistics import grid_statistics
from xwtui.session.fill_options import MOST_KEPT, FillOptions
from xwtui.session.jobs.fills.direct_run import DirectRun
from xwtui.session.jobs.fills.run import FoundFill
from xwtui.session.run_view import RunView
from xwtui.strategies.registry import DEFAULT_STRATEGY, StrategyChoice

if TYPE_CHECKING:
    from xwtui.engine.outcome import Outcome
    from xwtui.engine.problem import Problem
    from xwtui.strategies.protocol import Strategy

_SLICE_SECONDS = 0.02
_VIEW_SECONDS = 0.1


class EveryFill(DirectRun):
    """Goes on from fill to fill and writes none; stopped, it leaves those that it has kept."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._kept: list[FoundFill] = []
        self._last: Mapping[Position, Content] = {}
        """The fill found last."""
        self._told = 0.0

    @property
    def best(self) -> RunView | None:
        """How it stood when it last told, if there are fills by now."""
        return self.view if self._kept else None

    @property
    def found(self) -> Sequence[FoundFill]:
        """The first fills, the best mean first."""
        return sorted(self._kept, key=lambda fill: -fill.mean_score)

    def fill(self, problem: Problem) -> RunView:
        """Go through all fills, as long as there is time."""
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (loads numpy)

        choice = StrategyChoice.parse(self.options.strategy or DEFAULT_STRATEGY).for_all()
        strategy = choice.make(problem.task, self.seed)
        while not (strategy.is_over or self.is_stopped() or self._is_late):
            if strategy.advance(_SLICE_SECONDS) is Outcome.FILLED and not strategy.is_over:
                self._take(problem, strategy)
            if time.perf_counter() - self._told >= _VIEW_SECONDS:
                self._told = time.perf_counter()
                self.tell(self._view(strategy, Outcome.RUNNING))
        return self._view(strategy, *self._end(strategy))

    @property
    def _is_late(self) -> bool:
        return self.options.seconds is not None and self.seconds >= self.options.seconds

    def _take(self, problem: Problem, strategy: Strategy) -> None:
        """Keep a fill with its scores, if it is one of the first."""
        self._last = dict(strategy.squares)
        if len(self._kept) < MOST_KEPT:
            filled = write_fill(Puzzle(problem.grid), self._last)
            scores = grid_statistics(filled.grid, problem.task.lexicon.score)
            self._kept.append(FoundFill(self._last, scores.mean_score or 0.0, scores.lowest_score or 0))

    def _end(self, strategy: Strategy) -> tuple[Outcome, str]:
        """How it ended, with the reason where these may not be all fills, or none."""
        from xwtui.engine.outcome import Outcome  # noqa: PLC0415  (loads numpy)

        if not strategy.is_over:
            return Outcome.UNKNOWN, "the time was up"
        if not strategy.counters.fills:
            return strategy.outcome, strategy.reason
        if strategy.is_complete:
            return Outcome.FILLED, ""
        return Outcome.UNKNOWN, f"with these options {strategy.name} does not find all"

    def _view(self, strategy: Strategy, outcome: Outcome, reason: str = "") -> RunView:
        counters = strategy.counters
        return RunView(
            outcome,
            squares=self._last,
            nodes=counters.nodes,
            backtracks=counters.backtracks,
            restarts=counters.restarts,
            depth=strategy.depth,
            seconds=self.seconds,
            reason=reason,
            seed=self.seed,
            mode=self.options.mode,
            found=counters.fills,
            placements=counters.placements if strategy.places_letters else None,
        )
