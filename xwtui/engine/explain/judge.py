"""Judging whether a task can be filled, within a budget, and which entries cannot be filled together.

A conflict is a smallest set of entries: let any one go and the rest can be filled. It is found by
QuickXplain (Junker,
"QUICKXPLAIN: Preferred explanations and relaxations for over-constrained problems", AAAI 2004), which asks
about k log(n / k) times for k members out of n.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from xwtui.dataclasses import dataclass, field
from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.network import CROSSING, PLACES, SQUARE
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.problem.variants import Relaxer
from xwtui.model import Content, Position


class Judgement(enum.Enum):
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
        return self in (Judgement.REFUTED, Judgement.PROVED)


_FINDINGS = {Outcome.FILLED: Judgement.FILLED, Outcome.IMPOSSIBLE: Judgement.PROVED}


@dataclass(frozen=True)
class Verdict:
    """A finding, with what it rests on."""

    finding: Judgement
    fill: Mapping[Position, Content] = field(default_factory=dict)
    """What the fill writes, where one was found."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """The answers of that fill, by entry."""


class OutOfTimeError(Exception):
    """The time is up, or the caller has cancelled: caught where the explanation so far is handed out."""


class Judge:
    """Judges tasks until its time is up; then, and when cancelled, it raises OutOfTimeError."""

    def __init__(self, budget: Budget) -> None:
        self.limit = TimeLimit(budget)

    def check_time(self) -> bool:
        """Raise OutOfTimeError if it is over; False if not."""
        if self.limit.is_over():
            raise OutOfTimeError
        return False

    def is_refuted(self, task: Task) -> bool:
        """Whether propagation alone shows that a task has no fill."""
        self.check_time()
        return not Problem.of(task).root.is_possible

    def judge(self, task: Task, nodes: int) -> Verdict:
        """Search a task for so many nodes."""
        self.check_time()
        problem = Problem.of(task)
        if not problem.root.is_possible:
            return Verdict(Judgement.REFUTED)
        return self.go_on(Filler(problem, seed=self.limit.budget.seed), nodes)

    def go_on(self, filler: Filler, nodes: int) -> Verdict:
        """Let a search go on until it has so many nodes."""
        finding = self.finding(filler, nodes)
        is_filled = finding is Judgement.FILLED
        return Verdict(finding, filler.fill(), filler.answers() if is_filled else {})

    def finding(self, filler: Filler, nodes: int) -> Judgement:
        """What a search finds until it has so many nodes."""
        outcome = filler.go_on(nodes - filler.statistics.nodes, self.check_time)
        return _FINDINGS.get(outcome, Judgement.OPEN)


Member = TypeVar("Member")


def shrink(members: Sequence[Member], has_property: Callable[[Sequence[Member]], bool]) -> list[Member]:
    """A smallest subset of the members that has a property which all of them together have.

    For a property that larger sets keep, no member of the result can be left out; members at the
    front are left out first. Where the property cannot be shown of any of them, all stay.
    """
    if not members or has_property(()):
        return []
    return _shrink([], False, list(members), has_property)


def _shrink(
    kept: list[Member], has_grown: bool, members: list[Member], has_property: Callable[[Sequence[Member]], bool]
) -> list[Member]:
    """The members needed beside those that are kept."""
    if has_grown and has_property(kept):
        return []
    if len(members) == 1:
        return members
    middle = len(members) // 2
    front, back = members[:middle], members[middle:]
    from_front = _shrink(kept + back, True, front, has_property)
    from_back = _shrink(kept + from_front, bool(from_front), back, has_property)
    return from_front + from_back


def spare(members: Sequence[Member], has_property: Callable[[Sequence[Member]], bool]) -> list[Member]:
    """Leave out one member after the other, as long as the rest has the property."""
    left = list(members)
    for member in members:
        rest = [other for other in left if other is not member]
        if has_property(rest):
            left = rest
    return left


_FIRST_SIZE = 6
"""Entries of the smallest region that is tried."""


class Cores:
    """Looks for small sets of entries of one problem that have no fill, whatever the others are."""

    def __init__(self, problem: Problem, judge: Judge) -> None:
        self._problem = problem
        self._judge = judge
        self._relaxer = Relaxer(problem)
        self._all = range(len(problem.slots))

    def by_propagation(self, nodes: int) -> tuple[str, ...]:
        """A set that propagation refutes, or less of it that a search of so many nodes does, by name.

        Empty if rules for the whole grid are needed, too.
        """
        slots = self._shrink(list(self._all), 0)
        return self._names(spare(slots, lambda kept: bool(kept) and self._is_impossible(kept, nodes)))

    def by_search(self, filler: Filler, nodes: int) -> tuple[str, ...]:
        """A small set that the search refutes within so many nodes, begun where a search of all met dead ends."""
        order = self._by_blame(filler)
        size = _FIRST_SIZE
        while True:
            region = order[:size]
            if self._is_impossible(region, nodes):
                return self._names(self._shrink(region[::-1], nodes))
            if size >= len(order):
                return ()
            size *= 2

    def most_blamed(self, filler: Filler, most: int) -> tuple[str, ...]:
        """The entries about which a search met its dead ends, at most so many."""
        return self._names(self._by_blame(filler)[:most])

    def _shrink(self, slots: Sequence[int], nodes: int) -> list[int]:
        if not self._is_impossible(slots, nodes):
            return []
        return shrink(slots, lambda kept: bool(kept) and self._is_impossible(kept, nodes))

    def are_smallest(self, entries: Collection[str], nodes: int) -> bool:
        """Whether there are entries, and searches of so many nodes each fill the grid without one of them."""
        slots = [self._problem.slot_numbers[name] for name in entries]
        return bool(slots) and all(
            self._judge.finding(Filler(self._keeping(kept)), nodes) is Judgement.FILLED
            for kept in (set(slots) - {slot} for slot in slots)
        )

    def _keeping(self, kept: Collection[int]) -> Problem:
        held = set(kept)
        return self._relaxer.relax([slot for slot in self._all if slot not in held], {})

    def _is_impossible(self, kept: Collection[int], nodes: int) -> bool:
        self._judge.check_time()
        relaxed = self._keeping(kept)
        if not nodes or not relaxed.root.is_possible:
            return not relaxed.root.is_possible
        return self._judge.finding(Filler(relaxed), nodes).is_impossible

    def _by_blame(self, filler: Filler) -> list[int]:
        """The slots as a connected region grows from the most blamed one, the most blamed neighbour first."""
        weights, network = filler.square_weights, self._problem.network
        starts = network.slots[:, PLACES].tolist()
        squares = (network.places[begin:end, SQUARE] for begin, end in pairwise(starts))
        blame = [float(weights[each].sum()) / len(each) for each in squares]
        region: list[int] = []
        rim: set[int] = set()
        left = set(self._all)
        while left:
            slot = max(rim or left, key=lambda each: blame[each])
            region.append(slot)
            left.discard(slot)
            begin, end = network.slots[slot : slot + 2, PLACES].tolist()
            rim = (rim | set(network.places[begin:end, CROSSING].tolist())) & left
        return region

    def _names(self, slots: Collection[int]) -> tuple[str, ...]:
        return tuple(self._problem.slots[slot].name for slot in sorted(slots))
