"""The runs that cannot be stepped: each works until it is done, and may be stopped with what it has."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from xwtui.engine.events.event import Event, Outcome
from xwtui.model import Content, Position
from xwtui.session.fill_options import MOST_KEPT, FillOptions
from xwtui.session.jobs.fills.run import DEPTH_SAMPLES, FillRun, FoundFill, ended_fill, view_of
from xwtui.session.run_view import RunView, Stopped
from xwtui.strategies import DEFAULT_STRATEGY
from xwtui.words.kept_order import KeptOrder

if TYPE_CHECKING:
    from xwtui.engine.events.event import Statistics
    from xwtui.engine.fill.diverse import RankedFill
    from xwtui.engine.fill.partial import PartialFill
    from xwtui.engine.fill.portfolio import Progress
    from xwtui.engine.problem.problem import Problem
    from xwtui.formats.trace import TraceWriter
    from xwtui.strategies.protocol import Strategy


class SideBySide(FillRun):
    """Runs a portfolio."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._depths: deque[int] = deque(maxlen=DEPTH_SAMPLES)

    def fill(self, problem: Problem) -> RunView:
        """Search, and tell the first one's end."""
        from xwtui.engine.fill.portfolio import fill  # noqa: PLC0415  (loads numba)

        result = fill(problem, self.budget, progress=self._show)
        view = self._view(result.outcome, result.statistics, result.squares, result.reason)
        return ended_fill(problem, view, self.options, self.is_stopped)

    def _show(self, progress: Progress) -> None:
        self._depths.append(progress.statistics.depth)
        self.tell(self._view(Outcome.RUNNING, progress.statistics, progress.squares))

    def _view(
        self, outcome: Outcome, statistics: Statistics, squares: Mapping[Position, Content], reason: str = ""
    ) -> RunView:
        return replace(
            self.so_far(outcome, reason),
            squares=dict(squares),
            nodes=statistics.nodes,
            backtracks=statistics.backtracks,
            restarts=statistics.restarts,
            depth=statistics.depth,
            deepest=statistics.deepest,
            depth_history=tuple(self._depths),
        )


class Partial(FillRun):
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
        from xwtui.engine.fill.partial import partial_fill  # noqa: PLC0415  (loads numba)

        result = partial_fill(problem, self.budget, progress=self._show)
        return self._view(result, result.outcome)

    def _show(self, partial: PartialFill) -> None:
        self._best = self._view(partial, Outcome.RUNNING)
        self.tell(self._best)

    def _view(self, partial: PartialFill, outcome: Outcome) -> RunView:
        return replace(
            self.so_far(outcome),
            squares=dict(partial.squares),
            found=partial.filled,
            wanted=partial.filled + partial.open,
            stopped=tuple(Stopped(name, reason) for name, reason in partial.stopped),
        )


_VIEW_SECONDS = 0.1


def _by_mean() -> KeptOrder[FoundFill]:
    """Fills to choose from, the best mean first."""
    return KeptOrder(lambda fill: -fill.mean_score)


class Variety(FillRun):
    """Collects fills and writes none; stopped, it leaves those that it has."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._by_mean = _by_mean()
        self._newest: Mapping[Position, Content] = {}
        self._told = 0.0

    @property
    def best(self) -> RunView | None:
        """The fills so far."""
        return self._view(Outcome.RUNNING) if self._by_mean else None

    @property
    def found(self) -> Sequence[FoundFill]:
        """The fills, the best mean first."""
        return list(self._by_mean)

    def fill(self, problem: Problem) -> RunView:
        """Find so many fills, or as many as there are."""
        from xwtui.engine.fill.diverse import diverse_fills  # noqa: PLC0415  (loads numba)
        from xwtui.engine.improve.plain_fill import stems_apart  # noqa: PLC0415

        problem = stems_apart(problem, {}, self.budget).problem
        result = diverse_fills(
            problem,
            self.budget._replace(stop=self._look),
            count=self.options.count,
            difference=self.options.difference,
            found=lambda fill: self._take(problem, fill),
        )
        return self._view(result.outcome, result.reason)

    def _take(self, problem: Problem, fill: RankedFill) -> None:
        self._newest = fill.squares
        self._by_mean.add(FoundFill.of(problem, fill.squares))
        self._told = 0.0

    def _look(self) -> bool:
        """Tell how far it is, now and then; returns whether it is dropped."""
        now = time.perf_counter()
        if now - self._told >= _VIEW_SECONDS:
            self._told = now
            self.tell(self._view(Outcome.RUNNING))
        return self.is_stopped()

    def _view(self, outcome: Outcome, reason: str = "") -> RunView:
        return replace(
            self.so_far(outcome, reason),
            squares=dict(self._newest),
            found=len(self._by_mean),
            wanted=self.options.count,
        )


_SLICE_SECONDS = 0.02


class EveryFill(FillRun):
    """Goes on from fill to fill and writes none; stopped, it leaves those that it has kept."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._by_mean = _by_mean()
        self._first: Mapping[Position, Content] = {}
        self._last: Mapping[Position, Content] = {}
        """The fill found last."""
        self._told = 0.0

    @property
    def best(self) -> RunView | None:
        """How it stood when it last told, if there are fills by now."""
        return self.view if self._by_mean else None

    @property
    def found(self) -> Sequence[FoundFill]:
        """The first fills, the best mean first."""
        return list(self._by_mean)

    def fill(self, problem: Problem) -> RunView:
        """Go through all fills, as long as there is time."""
        from xwtui.strategies.registry import StrategyChoice  # noqa: PLC0415  (loads all strategies)

        choice = StrategyChoice.parse(self.options.strategy or DEFAULT_STRATEGY).for_all()
        strategy = choice.make(problem.task, self.seed)
        if self.options.trace is None:
            return self._go_through(problem, strategy, strategy.advance)
        from xwtui.formats.trace import TraceWriter  # noqa: PLC0415  few runs are traced
        from xwtui.session.recording import head_of  # noqa: PLC0415

        head = head_of(problem.grid, strategy=str(choice), seed=strategy.seed)
        with closing(TraceWriter(self.options.trace, head)) as writer:
            return self._go_through(problem, strategy, lambda seconds: _advance_traced(strategy, writer, seconds))

    def _go_through(self, problem: Problem, strategy: Strategy, advance: Callable[[float], Outcome]) -> RunView:
        with closing(strategy):
            while not (strategy.is_over or self.is_stopped() or self._is_late):
                if advance(_SLICE_SECONDS) is Outcome.FILLED and not strategy.is_over:
                    self._take(problem, strategy)
                if time.perf_counter() - self._told >= _VIEW_SECONDS:
                    self._told = time.perf_counter()
                    self.tell(self._view(strategy, Outcome.RUNNING))
            return replace(self._view(strategy, *self._end(strategy)), squares=self._first)

    @property
    def _is_late(self) -> bool:
        return self.options.seconds is not None and self.seconds >= self.options.seconds

    def _take(self, problem: Problem, strategy: Strategy) -> None:
        """Keep a fill with its scores, if it is one of the first."""
        self._last = dict(strategy.squares)
        self._first = self._first or self._last
        if len(self._by_mean) < MOST_KEPT:
            self._by_mean.add(FoundFill.of(problem, self._last))

    def _end(self, strategy: Strategy) -> tuple[Outcome, str]:
        """How it ended, with the reason where these may not be all fills, or none."""
        if not strategy.is_over:
            return Outcome.UNKNOWN, "the time was up"
        if not strategy.counters.fills:
            return strategy.outcome, strategy.reason
        if strategy.is_complete:
            return Outcome.FILLED, ""
        return Outcome.UNKNOWN, f"with these options {strategy.name} does not find all"

    def _view(self, strategy: Strategy, outcome: Outcome, reason: str = "") -> RunView:
        return replace(
            view_of(strategy),
            outcome=outcome,
            squares=self._last,
            deepest=0,
            domain_sizes={},
            seconds=self.seconds,
            reason=reason,
            seed=self.seed,
            mode=self.options.mode,
            found=strategy.counters.fills,
        )


def _advance_traced(strategy: Strategy, writer: TraceWriter, seconds: float) -> Outcome:
    """Go on for so many seconds or to the next fill, and write each event."""
    deadline = time.perf_counter() + seconds
    events: list[Event] = []
    for event in strategy.steps():
        if event is not None:
            events.append(event)
        if strategy.outcome is Outcome.FILLED or time.perf_counter() >= deadline:
            break
    writer.write(events)
    return strategy.outcome
