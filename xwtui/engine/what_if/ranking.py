"""Ranking alternatives of a task: a quick look at each, then searches of the best, until time is up."""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import islice
from time import perf_counter
from typing import Any, Generic, TypeVar

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.budget import TimeLimit
from xwtui.engine.count.estimator import Counter
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Position
from xwtui.worded import Worded
from xwtui.words.kept_order import KeptOrder

with lazy_imports():
    from xwtui.engine.problem.no_fill import Quoted, Reason

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
class Outlook(Worded):
    """What is known of the fills of a task."""

    fillability: Fillability
    log10: float | None = None
    """The pairwise estimate of the number of fills, as a logarithm to base 10; None where there is none."""
    reason: Reason | None = None
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


def look_at(task: Task) -> Outlook:
    """What propagation and the pairwise estimate tell, in some milliseconds."""
    try:
        problem = Problem.of(task)
    except EngineError as error:
        return Outlook(Fillability.IMPOSSIBLE, None, Quoted(str(error)))
    if not problem.root.is_possible:
        return Outlook(Fillability.IMPOSSIBLE, None, why_impossible(problem))
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


What = TypeVar("What")

_SECONDS_A_REPORT = 0.1
_LOOKING_SHARE = 0.7
"""How much of the time goes into looking at each, where there are very many; the rest is for the best."""
_NODES = 1_500
"""Nodes of a search for a fill of one alternative."""


@dataclass(frozen=True)
class Ranked(Generic[What]):
    """An alternative, with what is known of its fills."""

    what: What
    outlook: Outlook


@dataclass(frozen=True)
class Ranking(Generic[What]):
    """Alternatives, the best first; grows and gets better as it is worked out."""

    items: tuple[Ranked[What], ...] = ()
    looked_at: int = 0
    total: int | None = None
    """How many alternatives there are; None while they are still being counted."""
    searched: int = 0
    seconds: float = 0.0
    is_complete: bool = False
    was_cancelled: bool = False


def rank(
    alternatives: Iterable[tuple[What, Task]],
    *,
    searched: int,
    watch: TimeLimit,
    found: Callable[[Ranking[What]], None] | None,
) -> Ranking[What]:
    """Look at all alternatives, then search the `searched` best ones for a fill.

    Alternatives that end because the watch is over are taken as not being all.
    """
    return _Ranker(watch, found).run(alternatives, searched)


def _worth(item: Ranked[Any]) -> tuple[int, float]:
    """What alternatives are in order of, the best first."""
    sure, room = item.outlook.rank
    return -sure, -room


class _Ranker(Generic[What]):
    """The ranking as it grows."""

    def __init__(self, watch: TimeLimit, found: Callable[[Ranking[What]], None] | None) -> None:
        self._watch = watch
        self._reported = perf_counter()
        self._found = found
        self._items: KeptOrder[Ranked[What]] = KeptOrder(_worth)
        self._tasks: dict[Hashable, Task] = {}
        self._ranking: Ranking[What] = Ranking()

    def run(self, alternatives: Iterable[tuple[What, Task]], searched: int) -> Ranking[What]:
        is_all = True
        for what, task in alternatives:
            if self._watch.is_over(_LOOKING_SHARE):
                is_all = False
                break
            item = Ranked(what, look_at(task))
            number = len(self._items)
            self._tasks[number] = task
            self._items.put(number, item)
            self._tell(looked_at=number + 1)
        is_all = is_all and not self._watch.is_over()
        if is_all:
            self._tell(total=len(self._items))
        is_searched = self._search_best(searched)
        self._tell(is_complete=is_all and is_searched, was_cancelled=self._watch.was_cancelled, at_once=True)
        return self._ranking

    def _search_best(self, most: int) -> bool:
        """Search the best ones, as the ranking stands then; False where time ran out."""
        for number, item in list(islice(self._items.items(), most)):
            if self._watch.is_over():
                return False
            outlook = search(
                self._tasks[number], item.outlook, _NODES, self._watch.is_over, self._watch.budget.seed
            )
            self._items.put(number, replace(item, outlook=outlook))
            self._tell(searched=self._ranking.searched + (item.outlook.fillability is Fillability.OPEN))
        return True

    def _tell(self, *, at_once: bool = False, **better: int | bool) -> None:
        now = perf_counter()
        items = self._ranking.items
        is_time = at_once or (self._found is not None and now - self._reported >= _SECONDS_A_REPORT)
        if is_time:
            items = tuple(self._items)
            self._reported = now
        self._ranking = replace(self._ranking, items=items, seconds=self._watch.seconds, **better)  # type: ignore[arg-type]
        if is_time and self._found is not None:
            self._found(self._ranking)
