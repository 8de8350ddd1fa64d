"""Searches to argue with, which go on through every fill."""

from typing import Any

from xwtui.engine.budget import Budget
from xwtui.engine.events.event import THE_END, Event, EventKind, Outcome, Until
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.model import Content, Position
from xwtui.session.jobs.fills.argued import BranchAssumptions, ProblemParts
from xwtui.strategies.protocol import Strategy
from xwtui.strategies.registry import StrategyChoice

Fill = frozenset[tuple[Position, Content]]


class ThroughAll:
    """A strategy that passes over the fills that it finds, and notes them."""

    def __init__(self, strategy: Strategy, found: list[Fill]) -> None:
        strategy.record()
        self._searching = strategy
        self._found = found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._searching, name)

    @property
    def has_ended(self) -> bool:
        return self._searching.is_over

    @property
    def outcome(self) -> Outcome:
        if not self._searching.is_over:
            return Outcome.RUNNING
        return Outcome.IMPOSSIBLE if self._searching.is_complete else Outcome.UNKNOWN

    def advance(self, budget: Budget, until: Until = THE_END) -> Event | None:
        event: Event | None = self._searching.advance(budget, until)
        if event is not None and event.kind is EventKind.SOLVED:
            self._found.append(frozenset(self._searching.squares.items()))
        if event is None:
            next(self._searching.run(), None)
        return event


class AllBranches:
    """Branches of a strategy that find every fill."""

    def __init__(self, task: Task, strategy: str, seed: int) -> None:
        self.parts = ProblemParts(Problem.of(task))
        self.found: list[Fill] = []
        self._choice, self._seed = StrategyChoice.parse(strategy).for_all(), seed

    def open(self, assumed: BranchAssumptions) -> Any:
        return ThroughAll(self._choice.make(self.parts.task(assumed), self._seed), self.found)
