"""The searches that cannot be stepped: each runs until it is done, and may be stopped with what it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from hashlib import blake2b
from typing import Any, NamedTuple

from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.events.event import Event, Outcome
from xwtui.engine.improve.improvement import Aim, Objective
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.session.fill_options import MOST_KEPT, FillOptions, Mode
from xwtui.session.jobs.fills.search import SLICE_SECONDS, DirectSearch, Ending
from xwtui.session.jobs.fills.swapping import Swapping
from xwtui.session.run_view import FoundFill, LoweredScore, Quality, RunView, view_of
from xwtui.strategies import DEFAULT_STRATEGY
from xwtui.words.kept_order import KeptOrder

with lazy_imports():
    from xwtui.batch.pool import open_pool
    from xwtui.batch.shared_search import fill_first, improve_together
    from xwtui.batch.tasks import STATES, BatchKind, TaskResult
    from xwtui.engine.fill.diverse import RankedFill, RemainingFills, diverse_fills
    from xwtui.engine.fill.filler import Filler
    from xwtui.engine.fill.partial import PartialFill, partial_fill
    from xwtui.engine.fill.portfolio import FillResult, Portfolio
    from xwtui.engine.improve.improvement import Improvement, ImproveProgress, ImproveResult
    from xwtui.engine.improve.improver import improve
    from xwtui.engine.improve.plain_fill import stems_apart
    from xwtui.engine.improve.worth import is_summed
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.reasons import untried_ways
    from xwtui.formats.trace import TraceWriter
    from xwtui.session.recording import head_of
    from xwtui.strategies.protocol import Strategy
    from xwtui.strategies.registry import StrategyChoice

START_NOTE = "the start"


def _apart(search: DirectSearch, budget: Budget) -> Problem:
    """Return the problem with repeated stems forbidden if a fill is found that way, else unchanged."""
    return stems_apart(search.problem, search.options.start, budget).problem


class SideBySide(DirectSearch):
    """Runs a portfolio of searches."""

    shows_depth = True

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(problem, options, seed)
        self._portfolio = Portfolio(problem, options.threads, seed)
        self._result: FillResult | None = None

    def work(self, budget: Budget) -> Ending:
        self._result = result = self._portfolio.run(budget)
        return result.outcome, result.reason

    def figures(self) -> dict[str, Any]:
        stands = self._result or self._portfolio.progress
        counted = stands.statistics
        names = ("nodes", "backtracks", "restarts", "depth", "deepest")
        return {"squares": dict(stands.squares), **{name: getattr(counted, name) for name in names}}


class Partial(DirectSearch):
    """Fills as many squares as possible; if stopped, it leaves its best result."""

    _best: PartialFill | None = None

    def work(self, budget: Budget) -> Ending:
        self._best = best = partial_fill(self.problem, budget, progress=self._take)
        return best.outcome, best.at_odds

    def _take(self, partial: PartialFill) -> None:
        self._best = partial

    @property
    def has_found(self) -> bool:
        return self._best is not None

    def figures(self) -> dict[str, Any]:
        best = self._best
        if best is None:
            return {}
        wanted = best.filled + best.open
        return {"squares": dict(best.squares), "found": best.filled, "wanted": wanted, "stopped": best.stopped}


class Collecting(DirectSearch):
    """Finds one fill after another and writes none of them; if stopped, it leaves those it has kept."""

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(problem, options, seed)
        self.kept: KeptOrder[FoundFill] = KeptOrder(lambda fill: -fill.mean_score)
        """Fills to choose from, best mean first."""
        self.newest: Mapping[Position, Content] = {}

    @property
    def has_found(self) -> bool:
        return bool(self.kept)

    @property
    def found(self) -> Sequence[FoundFill]:
        return list(self.kept)


class Variety(Collecting):
    """Finds a number of fills that differ from each other, or as many as exist."""

    def work(self, budget: Budget) -> Ending:
        options, problem = self.options, _apart(self, budget)

        def take(fill: RankedFill) -> None:
            self.newest = fill.squares
            self.kept.add(FoundFill.of(problem.task, fill.squares))
            self.notify()

        result = diverse_fills(problem, budget, count=options.count, difference=options.difference, found=take)
        return result.outcome, result.reason

    def figures(self) -> dict[str, Any]:
        return {"squares": dict(self.newest), "found": len(self.kept), "wanted": self.options.count}


_NODES_A_LOOK = 1_000
_COMPLETIONS_AT_FIRST, _COMPLETIONS_A_FILL = 64, 16
"""Number of completions enumerated, at first and per distinct fill of a selection, before each fill is sought with
only one completion."""


class EveryFill(Collecting):
    """Enumerates all fills while time allows; fills of a selection count as different if they differ inside it.

    If the strategy meets ever more completions of the same fills of a selection, the engine takes over. It finds
    each of these fills once, with a single completion.
    """

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(problem, options, seed)
        self._choice = StrategyChoice.parse(options.strategy or DEFAULT_STRATEGY).for_all()
        self._strategy = self._choice.make(problem.task, seed)
        self._first: Mapping[Position, Content] = {}
        self._seen: set[bytes] = set()
        """Digests of the selection's fills that were found."""
        self._rest: RemainingFills | None = None
        """The enumeration that takes over from the strategy."""

    def work(self, budget: Budget) -> Ending:
        strategy, limit, trace = self._strategy, TimeLimit(budget), self.options.trace
        head = head_of(self.problem.grid, strategy=str(self._choice), seed=strategy.seed)
        with nullcontext() if trace is None else closing(TraceWriter(trace, head)) as writer:
            while not (strategy.is_over or limit.is_over() or self._wastes):
                if writer is None:
                    strategy.advance(Budget(SLICE_SECONDS))
                else:
                    writer.write(_events_of_slice(strategy))
                if strategy.outcome is Outcome.FILLED and not strategy.is_over:
                    self._take(strategy.squares)
        if not strategy.is_over and not (self._wastes and self._take_each_once(limit)):
            return Outcome.UNKNOWN, "time ran out"
        if not strategy.counters.fills:
            return strategy.outcome, strategy.reason
        if strategy.is_complete:
            return Outcome.FILLED, ""
        return Outcome.UNKNOWN, f"with these options, {strategy.name} does not find every fill"

    def close(self) -> None:
        self._strategy.close()

    @property
    def _wastes(self) -> bool:
        """Whether the engine's own strategy, which nobody requested or records, mostly repeats known fills."""
        options, known = self.options, len(self._seen)
        most = _COMPLETIONS_AT_FIRST + _COMPLETIONS_A_FILL * known
        is_free = options.selection is not None and not options.strategy and options.trace is None
        return is_free and self._strategy.counters.fills > most

    def _take_each_once(self, limit: TimeLimit) -> bool:
        """Find each fill of a selection with one completion; returns whether all were found."""

        def take(filler: Filler) -> bool:
            self._take(filler.fill())
            return True

        self._rest = rest = RemainingFills(self.problem, take, seed=self.seed)
        is_over = False
        while not (is_over or limit.is_over()):
            is_over = rest.advance(_NODES_A_LOOK, limit.is_over)
        return is_over

    def _take(self, squares: Mapping[Position, Content]) -> None:
        """Count a fill, and keep it with its scores if it is one of the first."""
        self.newest, inside = dict(squares), self.options.selection
        if inside is not None:
            self.newest = {at: self.newest[at] for at in sorted(self.newest.keys() & inside)}
            fill = blake2b(repr([*map(str, self.newest.values())]).encode(), digest_size=16).digest()
            if fill in self._seen:
                return
            self._seen.add(fill)
        self._first = self._first or self.newest
        if len(self.kept) < MOST_KEPT:
            self.kept.add(FoundFill.of(self.problem.task, self.newest))

    def best(self, last: RunView) -> RunView | None:
        return last if self.kept else None

    def figures(self) -> dict[str, Any]:
        stands = view_of(self._strategy)
        names = ("nodes", "backtracks", "restarts", "depth", "placements", "lookups")
        return {
            "squares": self._first if self.has_ended else self.newest,
            "found": self._strategy.counters.fills if self.options.selection is None else len(self._seen),
            **{name: getattr(stands, name) for name in names},
            "nodes": stands.nodes + (0 if self._rest is None else self._rest.nodes),
        }


def _events_of_slice(strategy: Strategy) -> list[Event]:
    """Return a strategy's events of one slice, or up to the next fill."""
    limit, events = TimeLimit(Budget(SLICE_SECONDS)), list[Event]()
    for event in strategy.steps():
        if event is not None:
            events.append(event)
        if strategy.outcome is Outcome.FILLED or limit.is_over():
            break
    return events


class _BetterFill(NamedTuple):
    """A fill with the engine's evaluation, and with its scores as the grid's review counts them."""

    made: Improvement
    fill: FoundFill


class BetterFills(DirectSearch):
    """Keeps each new incumbent; if stopped, it leaves the best one."""

    objective = Objective()
    rounds = 0
    bound: float | None = None
    """Bound on the value of any fill; None while only the best fill itself carries one."""
    is_proved = False
    """Whether no better fill exists."""
    _kept: tuple[_BetterFill, ...] = ()
    _has_start = False
    """Whether its first fill is the one already on the grid."""
    _counted: int | None = None

    @property
    def has_found(self) -> bool:
        """Whether it has a fill that is better than the present one."""
        return len(self._kept) > int(self._has_start)

    @property
    def found(self) -> Sequence[FoundFill]:
        """All incumbents, best first."""
        return tuple(one.fill for one in self._kept)[::-1]

    def take(self, improvement: Improvement) -> None:
        """Keep a better fill, and show it at once; the first one may be the start itself."""
        squares, start, note = improvement.squares, self.options.start, ""
        if not self._kept:
            self._counted = _entries_counted(self.problem)
            self._has_start = all(start.get(at) == content for at, content in squares.items())
            note = START_NOTE if self._has_start else ""
        self._kept = (*self._kept, _BetterFill(improvement, FoundFill.of(self.problem.task, squares, note)))
        self.notify()

    def note(self, progress: ImproveProgress) -> None:
        self.rounds, self.bound = progress.rounds, progress.bound

    def figures(self) -> dict[str, Any]:
        kept = self._kept
        if not kept:
            return {}
        best = kept[-1].fill
        first = kept[0].fill.lowest_score if self._has_start else None
        lowered = LoweredScore.of(first, best.lowest_score)
        return {"squares": dict(best.squares), "quality": self._quality(kept), "lowered": lowered}

    def _quality(self, kept: Sequence[_BetterFill]) -> Quality:
        first, (best, fill) = kept[0].made, kept[-1]
        bound = None
        if untried_ways(self.problem) is None:  # fills with the answers left out could be better
            bound = best.bound if self.bound is None else self.bound
        aim = self.objective.aim
        listed = {Aim.MEAN: best.mean_score, Aim.LOWEST: best.lowest_score}.get(aim, best.value)
        return Quality(
            mean_score=fill.mean_score,
            lowest_score=fill.lowest_score,
            aim=aim,
            unit=self.objective.describe(),
            value=best.value,
            first=first.value,
            bound=bound,
            gap=None if bound is None else abs(bound - best.value),
            rounds=self.rounds,
            better=len(kept) - int(self._has_start),
            is_proved=self.is_proved,
            counted=None if self.objective.is_of_letters else self._counted,
            has_preferences=best.value != listed,
            may_be_proved=is_summed(self.problem, self.objective),
        )


def _entries_counted(problem: Problem) -> int | None:
    """Return how many entries the engine's values cover (those not given as a whole); None for all."""
    given = problem.task.given.keys()
    counted = sum(
        is_required and not given >= set(slot.positions)
        for slot, is_required in zip(problem.slots, problem.is_required, strict=True)
    )
    return counted if counted < len(problem.grid.entries) else None


class Improving(BetterFills):
    """Starts from the fill on the grid."""

    def work(self, budget: Budget) -> Ending:
        self.objective = self.options.objective
        result = self.improve(_apart(self, budget), budget)
        self.rounds, self.bound, self.is_proved = result.rounds, result.bound, result.outcome is Outcome.FILLED
        return result.outcome, result.reason

    def improve(self, problem: Problem, budget: Budget) -> ImproveResult:
        start, objective = self.options.start, self.objective
        return improve(problem, start, budget, objective=objective, improved=self.take, progress=self.note)


class Best(BetterFills):
    """Starts from nothing, and raises the lowest score step by step."""

    def work(self, budget: Budget) -> Ending:
        self.objective = Objective.lowest()
        result = improve(
            _apart(self, budget), None, budget, objective=self.objective, improved=self.take, progress=self.note
        )
        self.bound, self.is_proved = result.bound, result.outcome is Outcome.FILLED
        return result.outcome if result.best is None else Outcome.FILLED, result.reason


# On the workers of a Dask scheduler


class ClusterFill(DirectSearch):
    """Searches on a cluster with a different seed for each worker; only the first result is returned."""

    _found: TaskResult | None = None
    _workers = 0

    def work(self, budget: Budget) -> Ending:
        """Search until the first worker ends; raises BatchError without a cluster, EngineError if it fails."""

        def note(workers: int) -> None:
            self._workers = workers

        first_only = not self.options.chooses_words
        with open_pool(BatchKind.FILL, address=self.options.scheduler) as pool:
            found = fill_first(self.problem.task, pool, budget, first_only=first_only, progress=note)
        outcome = next((outcome for outcome, state in STATES.items() if state is found.state), None)
        if outcome is None:
            raise EngineError(found.reason)
        self._found, self._workers = found, self.options.threads
        return outcome, found.reason

    def figures(self) -> dict[str, Any]:
        found = self._found
        if found is None:
            return {"threads": self._workers}
        figures = found.figures
        return {
            "squares": found.finds[-1].squares if found.finds else {},
            "nodes": figures.get("nodes", 0),
            "backtracks": figures.get("backtracks", 0),
            "better_words_seconds": figures.get("seconds", {}).get("better_words", 0.0),
            "seed": figures.get("seed", self.seed),
            "threads": self._workers,
        }


class ClusterImproving(Improving):
    """Improves on a cluster: each worker continues from the best fill that any of them has found."""

    def improve(self, problem: Problem, budget: Budget) -> ImproveResult:
        """Improve in slices; raises BatchError without a cluster, EngineError if the work fails."""
        start = self.options.start
        with open_pool(BatchKind.IMPROVE, address=self.options.scheduler) as pool:
            return improve_together(
                problem, start, pool, budget, objective=self.objective, improved=self.take, progress=self.note
            )


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
_ON_CLUSTER: Mapping[Mode, type[DirectSearch]] = {Mode.FILL: ClusterFill, Mode.IMPROVE: ClusterImproving}


def search_of(problem: Problem, options: FillOptions, seed: int) -> DirectSearch:
    """Create the search for the mode of the options."""
    searches = _ON_CLUSTER if options.scheduler else _SEARCHES
    return searches[options.mode](problem, options, seed)
