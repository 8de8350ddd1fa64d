"""Telling whether a task can be filled, within a budget."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter

from xwtui.engine.filler import Filler
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.engine.task import Task
from xwtui.model import Content, Position

_SECONDS_A_SLICE = 0.02


class Finding(enum.Enum):
    """What is known of a task."""

    FILLED = "filled"
    """A fill was found."""
    REFUTED = "by propagation"
    """Propagation alone shows that there is none."""
    PROVED = "proved"
    """The complete search ended without one."""
    OPEN = "suspected"
    """The budget ended first."""

    @property
    def is_impossible(self) -> bool:
        """Whether no fill exists."""
        return self in (Finding.REFUTED, Finding.PROVED)


_FINDINGS = {Outcome.FILLED: Finding.FILLED, Outcome.IMPOSSIBLE: Finding.PROVED}


@dataclass(frozen=True)
class Verdict:
    """A finding, with what it rests on."""

    finding: Finding
    nodes: int = 0
    fill: Mapping[Position, Content] = field(default_factory=dict)
    """What the fill writes, where one was found."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """The answers of that fill, by entry."""


class OutOfTimeError(Exception):
    """The time is up, or the caller has cancelled: caught where the explanation so far is handed out."""


class Judge:
    """Judges tasks until its time is up; then, and when cancelled, it raises OutOfTimeError."""

    def __init__(self, seconds: float | None, cancelled: Callable[[], bool], seed: int = 0) -> None:
        self._deadline = float("inf") if seconds is None else perf_counter() + seconds
        self._cancelled = cancelled
        self._seed = seed
        self.was_cancelled = False

    def check_time(self) -> None:
        """Raise OutOfTimeError if it is over."""
        self.was_cancelled = self.was_cancelled or self._cancelled()
        if self.was_cancelled or perf_counter() >= self._deadline:
            raise OutOfTimeError

    def is_refuted(self, task: Task) -> bool:
        """Whether propagation alone shows that a task has no fill."""
        self.check_time()
        return not Problem.of(task).root.is_possible

    def judge(self, task: Task, nodes: int) -> Verdict:
        """Search a task for so many nodes."""
        self.check_time()
        return self.search(Problem.of(task), nodes)

    def search(self, problem: Problem, nodes: int) -> Verdict:
        """Search a problem for so many nodes."""
        if not problem.root.is_possible:
            return Verdict(Finding.REFUTED)
        return self.go_on(Filler(problem, seed=self._seed), nodes)

    def go_on(self, filler: Filler, nodes: int) -> Verdict:
        """Let a search go on until it has so many nodes."""
        finding, spent = self.finding(filler, nodes), filler.statistics.nodes
        if finding is not Finding.FILLED:
            return Verdict(finding, spent)
        return Verdict(finding, spent, filler.fill(), filler.answers())

    def finding(self, filler: Filler, nodes: int) -> Finding:
        """What a search finds until it has so many nodes."""
        while not filler.outcome.is_final and filler.statistics.nodes < nodes:
            self.check_time()
            filler.advance(nodes - filler.statistics.nodes, _SECONDS_A_SLICE)
        return _FINDINGS.get(filler.outcome, Finding.OPEN)
