"""Deciding whether a task can be filled, within a budget, and which entries cannot be filled together.

A conflict is a minimal set of entries: without any one of them, the rest can be filled. It is found by QuickXplain
(Junker, "QUICKXPLAIN: Preferred explanations and relaxations for over-constrained problems", AAAI 2004), which
takes about k log(n / k) checks for k members out of n.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from xwtui.dataclasses import dataclass, field
from xwtui.engine.budget import Budget, TimeLimit
from xwtui.engine.events.event import Outcome
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.network import CROSSING, PLACES
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.problem.variants import Relaxer
from xwtui.model import Content, Position


class Judgement(enum.Enum):
    """The result of examining a task."""

    FILLED = "filled"
    """A fill was found."""
    REFUTED = "by propagation"
    """Propagation alone shows that there is none."""
    PROVED = "proved"
    """An exhaustive search found none."""
    OPEN = "suspected"
    """The budget was used up first."""

    @property
    def is_impossible(self) -> bool:
        return self in (Judgement.REFUTED, Judgement.PROVED)


_FINDINGS = {Outcome.FILLED: Judgement.FILLED, Outcome.IMPOSSIBLE: Judgement.PROVED}


@dataclass(frozen=True)
class Verdict:
    """A finding and its evidence."""

    finding: Judgement
    fill: Mapping[Position, Content] = field(default_factory=dict)
    """The fill, if one was found."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """The answers of that fill, by entry."""


class OutOfTimeError(Exception):
    """Time is up or the caller has cancelled. Caught where the explanation so far is returned."""


class Judge:
    """Judges tasks until its time is up or it is cancelled; then it raises OutOfTimeError."""

    def __init__(self, budget: Budget) -> None:
        self.limit = TimeLimit(budget)

    def check_time(self) -> bool:
        """Raise OutOfTimeError if time is up; else return False."""
        if self.limit.is_over():
            raise OutOfTimeError
        return False

    def is_refuted(self, task: Task) -> bool:
        """Whether propagation alone shows that a task has no fill."""
        self.check_time()
        return not Problem.of(task).root.is_possible

    def judge(self, task: Task, nodes: int) -> Verdict:
        """Search a task for this many nodes."""
        self.check_time()
        problem = Problem.of(task)
        if not problem.root.is_possible:
            return Verdict(Judgement.REFUTED)
        return self.resume(Filler(problem, seed=self.limit.budget.seed), nodes)

    def resume(self, filler: Filler, nodes: int) -> Verdict:
        """Continue a search until it has this many nodes."""
        finding = self.finding(filler, nodes)
        is_filled = finding is Judgement.FILLED
        return Verdict(finding, filler.fill(), filler.answers() if is_filled else {})

    def finding(self, filler: Filler, nodes: int) -> Judgement:
        """Return the judgement of a search continued until it has this many nodes."""
        outcome = filler.resume(nodes - filler.statistics.nodes, self.check_time)
        return _FINDINGS.get(outcome, Judgement.OPEN)


Member = TypeVar("Member")


def shrink(members: Sequence[Member], has_property: Callable[[Sequence[Member]], bool]) -> list[Member]:
    """Return a minimal subset of the members that has a property of the whole set.

    If the property is monotone, no member of the result can be left out. Members at the front are dropped first.
    If the property cannot be shown for any subset, all members stay.
    """
    if not members or has_property(()):
        return []
    return _shrink([], False, list(members), has_property)


def _shrink(
    kept: list[Member], has_grown: bool, members: list[Member], has_property: Callable[[Sequence[Member]], bool]
) -> list[Member]:
    """Return the members needed in addition to those that are kept."""
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
    """Drop one member after another, as long as the rest has the property."""
    left = list(members)
    for member in members:
        rest = [other for other in left if other is not member]
        if has_property(rest):
            left = rest
    return left


_FIRST_SIZE = 6
"""Number of entries in the smallest region that is tried."""


class Cores:
    """Finds small sets of a problem's entries that have no fill, whatever the other entries are."""

    def __init__(self, problem: Problem, judge: Judge) -> None:
        self._problem = problem
        self._judge = judge
        self._relaxer = Relaxer(problem)
        self._all = range(len(problem.slots))

    def by_propagation(self, nodes: int) -> tuple[str, ...]:
        """Return entries that propagation refutes, reduced by searches; empty if global rules take part."""
        slots = self._shrink(list(self._all), 0)
        return self._names(spare(slots, lambda kept: bool(kept) and self._is_impossible(kept, nodes)))

    def by_search(self, filler: Filler, nodes: int) -> tuple[str, ...]:
        """Return a small set of entries that a search refutes, starting from the most blamed ones."""
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
        """Return the entries with the most dead ends of a search, at most this many."""
        return self._names(self._by_blame(filler)[:most])

    def _shrink(self, slots: Sequence[int], nodes: int) -> list[int]:
        if not self._is_impossible(slots, nodes):
            return []
        return shrink(slots, lambda kept: bool(kept) and self._is_impossible(kept, nodes))

    def are_smallest(self, entries: Collection[str], nodes: int) -> bool:
        """Whether there are entries without any one of which searches of this many nodes fill the grid."""
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
        """Return the slots in the order of a region grown from the most blamed one, most blamed neighbor first."""
        weights, network = filler.square_weights, self._problem.network
        blame = [float(weights[each].sum()) / len(each) for each in self._problem.slot_squares]
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
