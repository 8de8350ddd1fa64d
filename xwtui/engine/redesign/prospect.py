"""How well a task can be filled, as far as a given effort tells."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from xwtui.engine.counting.estimator import Counter
from xwtui.engine.filler import Filler
from xwtui.engine.outcome import Outcome
from xwtui.engine.problem import Problem
from xwtui.engine.task import Task
from xwtui.errors import EngineError
from xwtui.model import Content, Position

_SECONDS_A_SLICE = 0.02


class Fillability(enum.IntEnum):
    """How sure a fill is; more is better."""

    IMPOSSIBLE = 0
    """Proved: there is none."""
    OPEN = 1
    """Propagation leaves something for every entry."""
    HARD = 2
    """A search looked for a fill, and ended neither way in its time."""
    FILLED = 3
    """A fill was found."""


@dataclass(frozen=True)
class Outlook:
    """What is known of the fills of a task."""

    fillability: Fillability
    log10: float | None = None
    """The pairwise estimate of the number of fills, as a logarithm to base 10; None where there is none."""
    reason: str = ""
    """Why there is none."""
    fill: Mapping[Position, Content] = field(default_factory=dict, repr=False, compare=False)
    """A fill, where one was found."""

    @property
    def rank(self) -> tuple[int, float]:
        """What outlooks are compared by: whether a fill is sure, then how many there may be.

        A grid that a search has not filled is not worse for having been searched.
        """
        sure = {Fillability.IMPOSSIBLE: 0, Fillability.HARD: 1, Fillability.OPEN: 1, Fillability.FILLED: 2}
        return sure[self.fillability], float("-inf") if self.log10 is None else self.log10

    def describe(self) -> str:
        """The outlook in a few words: `≈10^38.4, a fill found`."""
        if self.fillability is Fillability.IMPOSSIBLE:
            return f"no fill: {self.reason}" if self.reason else "no fill"
        about = "" if self.log10 is None else f"≈10^{self.log10:.1f}"
        return about + {
            Fillability.OPEN: "",
            Fillability.HARD: ", no fill found yet",
            Fillability.FILLED: ", a fill found",
        }.get(self.fillability, "")


def look_at(task: Task) -> Outlook:
    """What propagation and the pairwise estimate tell, in some milliseconds."""
    try:
        problem = Problem.of(task)
    except EngineError as error:
        return Outlook(Fillability.IMPOSSIBLE, None, str(error))
    if not problem.root.is_possible:
        return Outlook(Fillability.IMPOSSIBLE, None, problem.root.reason)
    return Outlook(Fillability.OPEN, Counter(problem).quick().log10)


def search(task: Task, outlook: Outlook, nodes: int, is_over: Callable[[], bool], seed: int = 0) -> Outlook:
    """The outlook after a search of so many nodes, or until it is over; the task has been looked at."""
    if outlook.fillability is not Fillability.OPEN:
        return outlook
    filler = Filler(Problem.of(task), seed=seed)
    while not filler.outcome.is_final and filler.statistics.nodes < nodes and not is_over():
        filler.advance(nodes - filler.statistics.nodes, _SECONDS_A_SLICE)
    if filler.outcome is Outcome.IMPOSSIBLE:
        return Outlook(Fillability.IMPOSSIBLE, None, filler.reason)
    found = filler.outcome is Outcome.FILLED
    return Outlook(Fillability.FILLED if found else Fillability.HARD, outlook.log10, fill=filler.fill())
