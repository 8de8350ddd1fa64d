"""Better and better fills: from the one on the grid, or from none."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from xwtui.engine.events.event import Outcome
from xwtui.engine.improve.improvement import Aim, Objective
from xwtui.session.fill_options import FillOptions, Goodness, ImproveAim
from xwtui.session.jobs.fills.run import FillRun, FoundFill
from xwtui.session.run_view import LoweredScore, Quality, RunView

if TYPE_CHECKING:
    from xwtui.engine.improve.improvement import Improvement, ImproveProgress, ImproveResult
    from xwtui.engine.problem.problem import Problem

BEST_SECONDS = 20.0
"""How long the best fill is looked for, unless told otherwise."""
START_NOTE = "the start"


class _BetterFill(NamedTuple):
    """A fill with how good the engine finds it, and with its scores as the review of the grid has them."""

    made: Improvement
    fill: FoundFill


class BetterFills(FillRun):
    """Keeps every better fill; stopped, it leaves the best one."""

    def __init__(self, options: FillOptions, seed: int) -> None:
        super().__init__(options, seed)
        self._kept: tuple[_BetterFill, ...] = ()
        self._rounds = 0
        self._objective = Objective()
        self._bound: float | None = None
        self._counted: int | None = None

    @property
    @abstractmethod
    def has_start(self) -> bool:
        """Whether its first fill is the one that stands on the grid already."""

    @property
    def best(self) -> RunView | None:
        """The best fill so far, where it is better than what stands on the grid."""
        kept = self._kept
        return self._view(Outcome.RUNNING) if len(kept) > int(self.has_start) else None

    @property
    def found(self) -> Sequence[FoundFill]:
        """All fills that were the best in their control, the best first."""
        kept = self._kept
        notes = [START_NOTE if number == 0 and self.has_start else "" for number in range(len(kept))]
        return tuple(one.fill._replace(note=note) for one, note in zip(kept, notes, strict=True))[::-1]

    def apart(self, problem: Problem) -> Problem:
        """The problem under the rule that stems are kept apart, where a fill is found so; else as it is."""
        from xwtui.engine.improve.plain_fill import stems_apart  # noqa: PLC0415  (loads numba)

        return stems_apart(problem, self.options.start, self.budget).problem

    def take(self, problem: Problem, improvement: Improvement) -> None:
        """Keep a better fill, and show it at once."""
        if not self._kept:
            self._counted = _entries_counted(problem)
        self._kept = (*self._kept, _BetterFill(improvement, FoundFill.of(problem, improvement.squares)))
        self.tell(self._view(Outcome.RUNNING))

    def show(self, progress: ImproveProgress) -> None:
        """Tell how far it is."""
        self._rounds = progress.rounds
        self._bound = progress.bound
        self.tell(self._view(Outcome.RUNNING))

    def end(self, outcome: Outcome, rounds: int, reason: str, bound: float, *, is_proved: bool) -> RunView:
        """How it ended, and whether nothing better exists."""
        self._rounds = rounds
        view = self._view(outcome, reason)
        if view.quality is None:
            return view
        gap = abs(bound - view.quality.value)
        return replace(view, quality=view.quality._replace(bound=bound, gap=gap, is_proved=is_proved))

    def _view(self, outcome: Outcome, reason: str = "") -> RunView:
        kept = self._kept
        return replace(
            self.so_far(outcome, reason),
            squares=dict(kept[-1].fill.squares) if kept else {},
            quality=self._quality(kept) if kept else None,
            lowered=self._lowered(kept),
        )

    def _lowered(self, kept: Sequence[_BetterFill]) -> LoweredScore | None:
        first = kept[0].fill.lowest_score if kept and self.has_start else None
        return LoweredScore.of(first, kept[-1].fill.lowest_score) if kept else None

    def _quality(self, kept: Sequence[_BetterFill]) -> Quality:
        first, (best, fill) = kept[0].made, kept[-1]
        bound = best.bound if self._bound is None else self._bound
        aim = self._objective.aim
        listed = {Aim.MEAN: best.mean_score, Aim.LOWEST: best.lowest_score}.get(aim, best.value)
        return Quality(
            mean_score=fill.mean_score,
            lowest_score=fill.lowest_score,
            aim=aim,
            unit=self._objective.describe(),
            value=best.value,
            first=first.value,
            bound=bound,
            gap=abs(bound - best.value),
            rounds=self._rounds,
            better=len(kept) - int(self.has_start),
            counted=None if self._objective.is_of_letters else self._counted,
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

    def fill(self, problem: Problem) -> RunView:
        """Improve until nothing better exists, the time is up, or it is stopped."""
        objective = objective_of(self.options.aim)
        self._objective = objective
        result = self.improve(self.apart(problem), objective)
        is_proved = result.outcome is Outcome.FILLED
        return self.end(result.outcome, result.rounds, result.reason, result.bound, is_proved=is_proved)

    def improve(self, problem: Problem, objective: Objective) -> ImproveResult:
        """Do so on the threads of this process."""
        from xwtui.engine.improve.improver import improve  # noqa: PLC0415  (loads numba)

        return improve(
            problem,
            self.options.start,
            self.budget,
            objective=objective,
            improved=partial(self.take, problem),
            progress=self.show,
        )

    def take(self, problem: Problem, improvement: Improvement) -> None:
        """Keep a better fill; the first one is the start itself where that is a legal fill."""
        if not self._kept:
            self._is_start_legal = all(
                self.options.start.get(at) == content for at, content in improvement.squares.items()
            )
        super().take(problem, improvement)


class Best(BetterFills):
    """Begins with nothing, and climbs through ever higher lowest scores."""

    @property
    def has_start(self) -> bool:
        """It has none."""
        return False

    def fill(self, problem: Problem) -> RunView:
        """Fill as well as the time allows."""
        from xwtui.engine.improve.improver import fill_best  # noqa: PLC0415  (loads numba)

        self._objective = Objective.lowest()
        problem = self.apart(problem)
        result = fill_best(
            problem,
            self.budget._replace(seconds=self.options.seconds or BEST_SECONDS),
            improved=partial(self.take, problem),
            progress=self.show,
        )
        bound = float(result.highest_possible)
        return self.end(result.outcome, self._rounds, result.reason, bound, is_proved=result.is_best)


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
