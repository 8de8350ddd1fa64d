"""The searches of the branches: each a search of its own, of a part of all fills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from xwtui.session.jobs.fills.arguing.ground import Ground
from xwtui.session.jobs.fills.arguing.trail import Trail
from xwtui.session.jobs.fills.stepper import Branch, EngineStepper
from xwtui.session.jobs.fills.strategy_stepper import StrategyStepper
from xwtui.strategies.registry import StrategyChoice

if TYPE_CHECKING:
    from xwtui.engine.problem import Problem


class Branches(Protocol):
    """Who begins the search of a branch."""

    ground: Ground
    is_recorded: bool
    """Whether the searches that begin from now on are recorded."""

    def open(self, trail: Trail) -> Branch:
        """The search of the part that a trail leaves, at its beginning; raises EngineError for none."""


class EngineBranches:
    """Searches by the engine; each begins with what the one before has learnt."""

    def __init__(self, problem: Problem, seed: int, *, is_recorded: bool = True) -> None:
        self.ground = Ground(problem)
        self.is_recorded = is_recorded
        self._seed = seed
        self._last: EngineStepper | None = None

    def open(self, trail: Trail) -> Branch:
        """The search of the part that a trail leaves, at its beginning."""
        self._last = EngineStepper(
            self.ground.part(trail), self._seed, is_recorded=self.is_recorded, after=self._last
        )
        return self._last


class StrategyBranches:
    """Searches by a strategy."""

    def __init__(self, problem: Problem, choice: StrategyChoice, seed: int, *, is_recorded: bool = True) -> None:
        self.ground = Ground(problem)
        self.is_recorded = is_recorded
        self._choice = choice
        self._seed = seed

    def open(self, trail: Trail) -> Branch:
        """The search of the part that a trail leaves, at its beginning; raises EngineError for none."""
        strategy = self._choice.make(self.ground.task(trail), self._seed)
        return StrategyStepper(strategy, is_recorded=self.is_recorded)
