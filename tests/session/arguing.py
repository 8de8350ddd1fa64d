"""Searches to argue with, which go on through every fill."""

from xwtui.engine.events.event import EventKind
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.model import Content, Position
from xwtui.session.jobs.fills.stepper import Ground, StrategyStepper
from xwtui.session.jobs.fills.trail import Trail
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice

Fill = frozenset[tuple[Position, Content]]


class ThroughAll(StrategyStepper):
    """A strategy that passes over the fills that it finds, and notes them."""

    def __init__(self, strategy: Strategy, found: list[Fill]) -> None:
        strategy.record()
        super().__init__(strategy)
        self._searching = strategy
        self._found = found

    @property
    def is_over(self) -> bool:
        return self._searching.is_over

    @property
    def is_exhausted(self) -> bool:
        return self._searching.is_over

    @property
    def is_proved(self) -> bool:
        return self._searching.is_complete

    def step(self, seconds: float):  # type: ignore[no-untyped-def]
        event = super().step(seconds)
        if event is not None and event.kind is EventKind.SOLVED:
            self._found.append(frozenset(self._searching.squares.items()))
        if event is None:
            next(self._searching.run(), None)
        return event


class AllBranches:
    """Branches of a strategy that find every fill."""

    def __init__(self, task: Task, strategy: str, seed: int) -> None:
        self.ground = Ground(Problem.of(task))
        self.is_recorded = True
        self.found: list[Fill] = []
        self._choice, self._seed = StrategyChoice.parse(strategy).for_all(), seed

    def open(self, trail: Trail) -> ThroughAll:
        return ThroughAll(self._choice.make(self.ground.task(trail), self._seed), self.found)
