"""Better and better fills: from the one on the grid, or from none."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from xwtui.engine.budget import Budget
from xwtui.engine.events.event import THE_END, Outcome, Until
from xwtui.engine.improve.improvement import Aim, Objective
from xwtui.lazy import lazy_imports
from xwtui.session.fill_options import FillOptions, Goodness, ImproveAim
from xwtui.session.jobs.fills.search import DirectSearch
from xwtui.session.run_view import FoundFill, LoweredScore, Quality, RunView

with lazy_imports():
    from xwtui.engine.improve.improvement import Improvement, ImproveProgress, ImproveResult
    from xwtui.engine.improve.improver import fill_best, improve
    from xwtui.engine.improve.plain_fill import stems_apart
    from xwtui.engine.problem.problem import Problem

BEST_SECONDS = 20.0
"""How long the best fill is looked for, unless told otherwise."""
START_NOTE = "the start"


class _BetterFill(NamedTuple):
    """A fill with how good the engine finds it, and with its scores as the review of the grid has them."""

    made: Improvement
    fill: FoundFill


class BetterFills(DirectSearch):
    """Keeps every better fill; stopped, it leaves the best one."""

    def __init__(self, problem: Problem, options: FillOptions, seed: int) -> None:
        super().__init__(problem, options, seed)
        self.objective = Objective()
        self.rounds = 0
        self.bound: float | None = None
        """No fill is better; None as long as that is what the best one tells."""
        self.is_proved = False
        """Whether nothing better exists."""
        self._kept: tuple[_BetterFill, ...] = ()
        self._counted: int | None = None

    @property
    @abstractmethod
    def has_start(self) -> bool:
        """Whether its first fill is the one that stands on the grid already."""

    def best(self, last: RunView) -> RunView | None:
        """The best fill so far, where it is better than what stands on the grid."""
        return self.view() if len(self._kept) > int(self.has_start) else None

    @property
    def found(self) -> Sequence[FoundFill]:
        """All fills that were the best in their turn, the best first."""
        kept = self._kept
        notes = [START_NOTE if number == 0 and self.has_start else "" for number in range(len(kept))]
        return tuple(one.fill._replace(note=note) for one, note in zip(kept, notes, strict=True))[::-1]

    def apart(self, budget: Budget) -> Problem:
        """The problem under the rule that stems are kept apart, where a fill is found so; else as it is."""
        return stems_apart(self.problem, self.options.start, budget).problem

    def take(self, improvement: Improvement) -> None:
        """Keep a better fill, and show it at once."""
        if not self._kept:
            self._counted = _entries_counted(self.problem)
        self._kept = (*self._kept, _BetterFill(improvement, FoundFill.of(self.problem, improvement.squares)))
        self.tell()

    def note(self, progress: ImproveProgress) -> None:
        self.rounds, self.bound = progress.rounds, progress.bound

    def view(self) -> RunView:
        kept = self._kept
        return replace(
            self.so_far(),
            squares=dict(kept[-1].fill.squares) if kept else {},
            quality=self._quality(kept) if kept else None,
            lowered=self._lowered(kept),
        )

    def _lowered(self, kept: Sequence[_BetterFill]) -> LoweredScore | None:
        first = kept[0].fill.lowest_score if kept and self.has_start else None
        return LoweredScore.of(first, kept[-1].fill.lowest_score) if kept else None

    def _quality(self, kept: Sequence[_BetterFill]) -> Quality:
        first, (best, fill) = kept[0].made, kept[-1]
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
            gap=abs(bound - best.value),
            rounds=self.rounds,
            better=len(kept) - int(self.has_start),
            is_proved=self.is_proved,
            counted=None if self.objective.is_of_letters else self._counted,
            has_preferences=best.value != listed,
        )


def _entries_counted(problem: Problem) -> int | None:
    """How many entries the engine's values are about, those that are not given whole; None where that is all."""
    given = problem.task.given.keys()
    counted = sum(
        is_required and not given >= set(slot.positions)
        for slot, is_required in zip(problem.slots, problem.is_required, strict=True)
    )
    return counted if counted < len(problem.grid.entries) else None


class Improving(BetterFills):
    """Begins with what stands on the grid."""

    _is_start_legal = True

    @property
    def has_start(self) -> bool:
        """Unless what stood there was no legal fill."""
        return self._is_start_legal

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        self.objective = objective_of(self.options.aim)
        result = self.improve(self.apart(budget), budget)
        self.rounds, self.bound, self.is_proved = result.rounds, result.bound, result.outcome is Outcome.FILLED
        self.end(result.outcome, result.reason)

    def improve(self, problem: Problem, budget: Budget) -> ImproveResult:
        """Do so on the threads of this process."""
        start, objective = self.options.start, self.objective
        return improve(problem, start, budget, objective=objective, improved=self.take, progress=self.note)

    def take(self, improvement: Improvement) -> None:
        """Keep a better fill; the first one is the start itself where that is a legal fill."""
        if not self._kept:
            start = self.options.start
            self._is_start_legal = all(start.get(at) == content for at, content in improvement.squares.items())
        super().take(improvement)


class Best(BetterFills):
    """Begins with nothing, and climbs through ever higher lowest scores."""

    @property
    def has_start(self) -> bool:
        return False

    def advance(self, budget: Budget, until: Until = THE_END) -> None:
        self.objective = Objective.lowest()
        budget = budget._replace(seconds=self.options.seconds or BEST_SECONDS)
        result = fill_best(self.apart(budget), budget, improved=self.take, progress=self.note)
        self.bound, self.is_proved = float(result.highest_possible), result.is_best
        self.end(result.outcome, result.reason)


def objective_of(aim: ImproveAim) -> Objective:
    """The engine's objective; letters to avoid come first where any are named."""
    if aim.avoid:
        return Objective.avoiding(aim.avoid)
    match aim.by:
        case Goodness.LOWEST:
            return Objective.lowest()
        case Goodness.FLAT:
            return Objective.flattened(aim.exponent)
        case Goodness.BELOW:
            return Objective.fewer_below(aim.mark)
        case Goodness.FRESH:
            return Objective.fresh()
        case _:
            return Objective()
