"""The searches that cannot be stepped: each works until it is done, and may be stopped with what it has."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.events.event import THE_END, Event, Outcome, Until
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.session.fill_options import MOST_KEPT, FillOptions, Mode
from xwtui.session.jobs.fills.improve import Best, Improving
from xwtui.session.jobs.fills.search import DirectSearch, ModeSearch
from xwtui.session.jobs.fills.swapping import Swapping
from xwtui.session.run_view import FoundFill, RunView, Stopped, view_of
from xwtui.strategies import DEFAULT_STRATEGY
from xwtui.words.kept_order import KeptOrder

with lazy_imports():
    from xwtui.engine.fill.diverse import RankedFill, diverse_fills
    from xwtui.engine.fill.partial import PartialFill, partial_fill
    from xwtui.engine.fill.portfolio import FillResult, Portfolio
    from xwtui.engine.improve.plain_fill import stems_apart
    from xwtui.engine.problem.problem import Problem
    from xwtui.formats.trace import TraceWriter
    from xwtui.session.jobs.fills.cluster_fill import ClusterFill, ClusterImproving
    from xwtui.session.recording import head_of
    from xwtui.strategies.protocol import Strategy
    from xwtui.strategies.registry import StrategyChoice


class SideBySide(DirectSearch):
    """A portfolio."""

    tells_depths = True

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(problem, options, seed)
        self._portfolio = Portfolio(problem, options.threads, seed)
        self._result: FillResult | None = None

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        self._result = result = self._portfolio.run(budget)
        self.end(result.outcome, result.reason)

    def view(self) -> RunView:
        stands = self._result or self._portfolio.progress
        statistics = stands.statistics
        return replace(
            self.so_far(),
            squares=dict(stands.squares),
            nodes=statistics.nodes,
            backtracks=statistics.backtracks,
            restarts=statistics.restarts,
            depth=statistics.depth,
            deepest=statistics.deepest,
        )


class Partial(DirectSearch):
    """Fills as many squares as it can; stopped, it leaves the best that it has."""

    _best: PartialFill | None = None

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        self._take(partial_fill(self.problem, budget, progress=self._take))
        assert self._best is not None
        self.end(self._best.outcome)

    def _take(self, partial: PartialFill) -> None:
        self._best = partial

    def best(self, last: RunView) -> RunView | None:
        return None if self._best is None else self.view()

    def view(self) -> RunView:
        best = self._best
        if best is None:
            return self.so_far()
        return replace(
            self.so_far(),
            squares=dict(best.squares),
            found=best.filled,
            wanted=best.filled + best.open,
            stopped=tuple(Stopped(name, str(reason)) for name, reason in best.stopped),
        )


class Collecting(DirectSearch):
    """Goes from fill to fill and writes none; stopped, it leaves those that it has kept."""

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(problem, options, seed)
        self.kept: KeptOrder[FoundFill] = KeptOrder(lambda fill: -fill.mean_score)
        """Fills to choose from, the best mean first."""
        self.newest: Mapping[Position, Content] = {}

    @property
    def found(self) -> Sequence[FoundFill]:
        return list(self.kept)


class Variety(Collecting):
    """Finds so many fills that are unlike each other, or as many as there are."""

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        options = self.options
        problem = stems_apart(self.problem, {}, budget).problem

        def take(fill: RankedFill) -> None:
            self.newest = fill.squares
            self.kept.add(FoundFill.of(problem, fill.squares))
            self.tell()

        result = diverse_fills(problem, budget, count=options.count, difference=options.difference, found=take)
        self.end(result.outcome, result.reason)

    def best(self, last: RunView) -> RunView | None:
        return self.view() if self.kept else None

    def view(self) -> RunView:
        count = self.options.count
        return replace(self.so_far(), squares=dict(self.newest), found=len(self.kept), wanted=count)


_SLICE_SECONDS = 0.02


class EveryFill(Collecting):
    """Goes through all fills, as long as there is time."""

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(problem, options, seed)
        self._choice = StrategyChoice.parse(options.strategy or DEFAULT_STRATEGY).for_all()
        self._strategy = self._choice.make(problem.task, seed)
        self._first: Mapping[Position, Content] = {}

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        if self.options.trace is None:
            self._go_through(budget, None)
            return

        head = head_of(self.problem.grid, strategy=str(self._choice), seed=self._strategy.seed)
        with closing(TraceWriter(self.options.trace, head)) as writer:
            self._go_through(budget, writer)

    def _go_through(self, budget: Budget, writer: TraceWriter | None) -> None:
        strategy, limit = self._strategy, TimeLimit(budget)
        while not (strategy.is_over or limit.is_over()):
            if writer is None:
                strategy.advance(Budget(_SLICE_SECONDS))
            else:
                writer.write(_events_of_slice(strategy))
            if strategy.outcome is Outcome.FILLED and not strategy.is_over:
                self._take()
        self.end(*self._end())

    def close(self) -> None:
        self._strategy.close()

    def _take(self) -> None:
        """Keep a fill with its scores, if it is one of the first."""
        self.newest = dict(self._strategy.squares)
        self._first = self._first or self.newest
        if len(self.kept) < MOST_KEPT:
            self.kept.add(FoundFill.of(self.problem, self.newest))

    def _end(self) -> tuple[Outcome, str]:
        """How it ended, with the reason where these may not be all fills, or none."""
        strategy = self._strategy
        if not strategy.is_over:
            return Outcome.UNKNOWN, "time ran out"
        if not strategy.counters.fills:
            return strategy.outcome, strategy.reason
        if strategy.is_complete:
            return Outcome.FILLED, ""
        return Outcome.UNKNOWN, f"with these options, {strategy.name} does not find every fill"

    def best(self, last: RunView) -> RunView | None:
        return last if self.kept else None

    def view(self) -> RunView:
        so_far = self.so_far()
        return replace(
            view_of(self._strategy),
            outcome=so_far.outcome,
            squares=self._first if self.has_ended else self.newest,
            deepest=0,
            domain_sizes={},
            seconds=so_far.seconds,
            reason=so_far.reason,
            seed=so_far.seed,
            mode=so_far.mode,
            found=self._strategy.counters.fills,
        )


def _events_of_slice(strategy: Strategy) -> list[Event]:
    """What a strategy does in a slice, or up to the next fill."""
    deadline, events = Budget(_SLICE_SECONDS).deadline, list[Event]()
    for event in strategy.steps():
        if event is not None:
            events.append(event)
        if strategy.outcome is Outcome.FILLED or time.perf_counter() >= deadline:
            break
    return events


_SEARCHES: Mapping[Mode, type[DirectSearch]] = {
    Mode.FILL: SideBySide,
    Mode.PARTIAL: Partial,
    Mode.BEST: Best,
    Mode.DIVERSE: Variety,
    Mode.ALL: EveryFill,
    Mode.IMPROVE: Improving,
    Mode.SWAP: Swapping,
    Mode.REJECT: Swapping,
}


def search_of(problem: Problem, options: FillOptions, seed: int) -> ModeSearch:
    """Begin the search of a mode."""
    if options.scheduler:
        is_better = options.mode is Mode.IMPROVE
        return ClusterImproving(problem, options, seed) if is_better else ClusterFill(problem, options, seed)
    return _SEARCHES[options.mode](problem, options, seed)
