"""Alternatives of a task, ranked: a quick look at each, then searches of the best, until time is up.

They are blocks added, removed or moved with their mirrors, theme answers put in entries, or what the caller has.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from time import perf_counter
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from xwtui.dataclasses import dataclass, field, replace
from xwtui.engine.budget import NO_LIMIT, Budget, TimeLimit, never
from xwtui.engine.count.estimator import Counter
from xwtui.engine.events.event import Outcome
from xwtui.engine.explain.judge import Cores, Judge, OutOfTimeError
from xwtui.engine.fill.filler import Filler
from xwtui.engine.kernels.network import SYMBOLS
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.reasons import why_impossible
from xwtui.engine.problem.task import Task
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.model import Content, Direction, Ink, Position, Slot, Symmetry
from xwtui.model.answers import laid_along, squares_told
from xwtui.model.block_changes import NO_LIMITS, BlockChange, BlockLimits, legal_changes
from xwtui.worded import Worded
from xwtui.words.kept_order import KeptOrder
from xwtui.words.theme_answers import MOST_TOGETHER

with lazy_imports():
    from xwtui.engine.problem.no_fill import Quoted, Reason


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
    if filler.go_on(nodes, is_over) is Outcome.IMPOSSIBLE:
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
    items: KeptOrder[Ranked[What]] = KeptOrder(_worth)
    tasks: dict[Hashable, Task] = {}
    ranking: Ranking[What] = Ranking()
    reported = perf_counter()

    def tell(*, at_once: bool = False, **better: int | bool) -> None:
        nonlocal ranking, reported
        is_time = at_once or (found is not None and perf_counter() - reported >= _SECONDS_A_REPORT)
        now = tuple(items) if is_time else ranking.items
        ranking = replace(ranking, items=now, seconds=watch.seconds, **better)  # type: ignore[arg-type]
        if is_time:
            reported = perf_counter()
            if found is not None:
                found(ranking)

    is_all = True
    for what, task in alternatives:
        if watch.is_over(_LOOKING_SHARE):
            is_all = False
            break
        items.put(len(tasks), Ranked(what, look_at(task)))
        tasks[len(tasks)] = task
        tell(looked_at=len(tasks))
    is_all = is_all and not watch.is_over()
    if is_all:
        tell(total=len(tasks))
    for number, item in list(islice(items.items(), searched)):
        if watch.is_over():
            is_all = False
            break
        outlook = search(tasks[number], item.outlook, _NODES, watch.is_over, watch.budget.seed)
        items.put(number, replace(item, outlook=outlook))
        tell(searched=ranking.searched + (item.outlook.fillability is Fillability.OPEN))
    tell(is_complete=is_all, was_cancelled=watch.was_cancelled, at_once=True)
    return ranking


def _worth(item: Ranked[Any]) -> tuple[int, float]:
    """What alternatives are in order of, the best first."""
    sure, room = item.outlook.rank
    return -sure, -room


_CHANGES_SEARCHED = 25
"""Changes, of the best ones, that a search tries to fill."""


def block_changes(
    task: Task,
    symmetry: Symmetry,
    budget: Budget = NO_LIMIT,
    *,
    limits: BlockLimits = NO_LIMITS,
    found: Callable[[Ranking[BlockChange]], None] | None = None,
) -> Ranking[BlockChange]:
    """Rank every legal change of a grid's blocks by whether it can be filled, and by about how many fills it has.

    Each is looked at by propagation and the pairwise estimate, the best ones then by a search. `found` is
    called several times a second with the ranking so far. Ends after its seconds, or soon after `stop`.
    """
    watch = TimeLimit(budget)
    changes = legal_changes(task.grid, symmetry, limits, watch.is_over)
    alternatives = ((change, replace(task, grid=change.on(task.grid))) for change in changes)
    return rank(alternatives, searched=_CHANGES_SEARCHED, watch=watch, found=found)


_WAYS_SEARCHED = 12
_FEW_WAYS = 200
"""Ways that are all looked at, in the order of the entries."""
_MOST_WAYS = 50_000
"""Ways that are weighed against each other."""


@dataclass(frozen=True)
class Arrangement(Worded):
    """Theme answers in their entries."""

    answers: Mapping[str, str]
    """The answer of each entry, by its name, from top to bottom; rebus squares in brackets."""

    def __hash__(self) -> int:
        return hash(tuple(self.answers.items()))


def theme_arrangements(
    task: Task,
    answers: Sequence[str],
    symmetry: Symmetry,
    budget: Budget = NO_LIMIT,
    *,
    size: int | None = None,
    found: Callable[[Ranking[Arrangement]], None] | None = None,
) -> Ranking[Arrangement]:
    """Rank the ways of answers into across entries, mirrored entries both being taken.

    `size` is how many of them are to stand together, None for all. Only entries that are not given count. Where
    there are many ways, those come first whose answers leave most room each by itself. Raises EngineError for more
    than seven together, for more than there are, and where their lengths find no place.
    """
    known = tuple(dict.fromkeys(answers))
    number = len(known) if size is None else size
    if number > MOST_TOGETHER:
        raise EngineError(f"{number} theme answers are too many to arrange; the limit is {MOST_TOGETHER}")
    if number > len(known):
        raise EngineError(f"{number} cannot be chosen from {len(known)} theme answers")
    watch = TimeLimit(budget)
    ways = list(islice(_arrangements(task, known, number, symmetry, watch.is_over), _MOST_WAYS))
    if not ways and not watch.is_over():
        few = "" if number == len(known) else f"{number} "
        raise EngineError(f"no symmetric entries across fit {few}answers of {squares_told(known)}")
    if len(ways) > _FEW_WAYS:
        room = _room(task, watch.is_over)
        ways.sort(key=lambda way: -sum(room(name, answer) for name, answer in way.answers.items()))
    alternatives = ((way, with_answers(task, way.answers)) for way in ways)
    return rank(alternatives, searched=_WAYS_SEARCHED, watch=watch, found=found)


def theme_candidates(
    task: Task,
    candidates: Sequence[str],
    budget: Budget = NO_LIMIT,
    *,
    found: Callable[[Ranking[Arrangement]], None] | None = None,
) -> Ranking[Arrangement]:
    """Rank single theme answers by how well the grid can be filled with each in the entry that suits it best.

    Those that no entry takes are left out.
    """
    watch = TimeLimit(budget)
    room = _room(task, watch.is_over)
    slots = _open_across(task)

    def best_places() -> Iterator[tuple[Arrangement, Task]]:
        for answer in dict.fromkeys(candidates):
            names = [slot.name for slot in slots if _fits(task, slot, answer)]
            if names:
                best = max(names, key=lambda name: room(name, answer))
                yield Arrangement({best: answer}), with_answers(task, {best: answer})

    return rank(best_places(), searched=_WAYS_SEARCHED, watch=watch, found=found)


def _room(task: Task, is_over: Callable[[], bool]) -> Callable[[str, str], float]:
    """Tells the logarithm of the fills that an answer in an entry leaves, to base 10, each looked up once.

    None is -inf, and 0 once it is over.
    """

    @cache
    def room(name: str, answer: str) -> float:
        if is_over():
            return 0.0
        log10 = look_at(with_answers(task, {name: answer})).log10
        return -math.inf if log10 is None else log10

    return room


def with_answers(task: Task, answers: Mapping[str, str]) -> Task:
    """The task with answers written in pen in some entries, which have room for them."""
    slots = {name: task.grid.entry(name) for name in answers}
    changes = {
        at: replace(task.grid[at], content=content, ink=Ink.PEN)
        for name, answer in answers.items()
        for at, content in zip(slots[name].reading, _laid(task, slots[name], answer) or (), strict=True)
    }
    return replace(task, grid=task.grid.with_squares(changes))


def _laid(task: Task, slot: Slot, answer: str) -> tuple[Content, ...] | None:
    """What an answer puts along an entry; None if it has no room, or two contents for one square."""
    laid = laid_along(answer, [task.given.get(at) for at in slot.reading], slot.directions)
    if laid is None:
        return None
    at_squares = {**dict(zip(slot.reading, laid, strict=True)), **task.given}
    return laid if all(at_squares[at] == new for at, new in zip(slot.reading, laid, strict=True)) else None


def _arrangements(
    task: Task, answers: Sequence[str], number: int, symmetry: Symmetry, is_over: Callable[[], bool]
) -> Iterator[Arrangement]:
    """Every way of so many answers into entries that together are their own mirror image; ends once it is over."""
    for chosen in _mirrored_sets(_families(task, answers, symmetry), number):
        for order in _orders(task, chosen, answers):
            if is_over():
                return
            names = (slot.name for slot in chosen)
            yield Arrangement(dict(zip(names, order, strict=True)))


def _orders(task: Task, slots: Sequence[Slot], answers: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every choice of an answer for each slot, no answer twice."""
    if not slots:
        yield ()
        return
    for answer in answers:
        if _fits(task, slots[0], answer):
            others = [other for other in answers if other != answer]
            yield from ((answer, *rest) for rest in _orders(task, slots[1:], others))


def _families(task: Task, answers: Sequence[str], symmetry: Symmetry) -> list[tuple[Slot, ...]]:
    """The open entries that some answer fits, each with its mirror images, where all of these are such entries."""
    slots = {
        frozenset(slot.positions): slot
        for slot in _open_across(task)
        if any(_fits(task, slot, answer) for answer in answers)
    }
    families: list[tuple[Slot, ...]] = []
    for slot in slots.values():
        images = _images(task, slot, symmetry)
        family = tuple(other for squares, other in slots.items() if squares <= images)
        if {at for other in family for at in other.positions} == images and family not in families:
            families.append(family)
    return families


def _images(task: Task, slot: Slot, symmetry: Symmetry) -> frozenset[Position]:
    """The squares of an entry and of its mirror images."""
    height, width = task.grid.height, task.grid.width
    return frozenset(at for position in slot.positions for at in symmetry.orbit(position, height, width))


def _mirrored_sets(families: Sequence[tuple[Slot, ...]], size: int) -> Iterator[tuple[Slot, ...]]:
    """Every union of families with so many entries, from top to bottom."""
    if size == 0:
        yield ()
    for index, family in enumerate(families):
        if len(family) <= size:
            for rest in _mirrored_sets(families[index + 1 :], size - len(family)):
                yield tuple(sorted((*family, *rest), key=lambda slot: slot.start))


def _open_across(task: Task) -> list[Slot]:
    across = Direction.ACROSS
    return [slot for slot in task.grid.entries if slot.direction is across and task.given_answer(slot) is None]


def _fits(task: Task, slot: Slot, answer: str) -> bool:
    """Whether an answer takes as many squares as an entry has, and agrees with those that are given."""
    return _laid(task, slot, answer) is not None


_BLAME_SHARE = 0.5
"""How much of the heat comes from blame, once a search has met dead ends."""


@dataclass(frozen=True)
class Heat:
    """How hard each empty square is."""

    heat: Mapping[Position, float]
    """0 (easy) to 1 (the hardest here) for each square that a fill writes."""
    agreement: Mapping[Position, float]
    """The chance that two words drawn for its entries agree there; 0 where nothing can stand."""
    blame: Mapping[Position, float]
    """The weight that the search gave it, 1 for none; dead ends raise it, and old ones fade."""
    nodes: int
    """Nodes of the search that the blame comes from."""

    def hardest(self, most: int = 5) -> tuple[Position, ...]:
        """The hardest squares, the first one first."""
        return tuple(sorted(self.heat, key=lambda at: (-self.heat[at], at))[:most])


def heat(
    problem: Problem,
    *,
    nodes: int = 2_000,
    seconds: float | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
) -> Heat:
    """Measure the heat of a problem's squares, with a search of so many nodes for the blame.

    The first half of it is -log10 of the agreement. In a problem that propagation refutes, entries that
    cannot be filled are as hot as can be, and nothing else. Ends after `seconds`, or within
    100 ms after `cancelled` says so, with the blame known by then.
    """
    budget = Budget(seconds, seed=seed, stop=cancelled)
    limit = TimeLimit(budget)
    free = [at for at in problem.positions if at not in problem.task.given]
    if not problem.root.is_possible:
        return _refuted(problem, free, Judge(budget))
    unwritten = set(free)
    agreement = {at: chance for at, chance in _agreements(problem, cancelled).items() if at in unwritten}
    filler = Filler(problem, seed=seed)
    filler.go_on(nodes, limit.is_over)
    blame = {at: float(weight) for at, weight in zip(problem.positions, filler.square_weights, strict=True)}
    blame = {at: blame[at] for at in free}
    cold = _scaled({at: -math.log10(chance) if chance > 0 else math.inf for at, chance in agreement.items()})
    hot = _scaled({at: math.log(weight) for at, weight in blame.items()})
    share = _BLAME_SHARE if any(hot.values()) else 0.0
    mixed = {at: (1 - share) * cold.get(at, 0.0) + share * hot.get(at, 0.0) for at in free}
    return Heat(_scaled(mixed), agreement, blame, filler.statistics.nodes)


def _agreements(problem: Problem, cancelled: Callable[[], bool]) -> dict[Position, float]:
    """For each square of two entries, the chance that words drawn from both domains have the same there."""
    chances: dict[Position, float] = {}
    shares: dict[Position, NDArray[np.float64]] = {}
    for number, slot in enumerate(problem.slots):
        if cancelled():
            break
        rows = problem.tables[number].symbols[problem.rows_left(problem.root.state, number)]
        for index, at in enumerate(slot.positions):
            share = np.bincount(rows[:, index], minlength=SYMBOLS) / len(rows)
            if at in shares:
                chances[at] = float(shares[at] @ share)
            shares[at] = share
    return chances


def _refuted(problem: Problem, free: list[Position], judge: Judge) -> Heat:
    """The entries that no word fits; else those refuted together; else all, for it takes rules."""
    names = tuple(slot.name for slot, table in zip(problem.slots, problem.tables, strict=True) if not table.rows)
    try:
        names = names or Cores(problem, judge).by_propagation(0)
    except OutOfTimeError:
        names = ()
    faulty = {at for name in names for at in problem.grid.entry(name).positions} or set(free)
    return Heat({at: float(at in faulty) for at in free}, dict.fromkeys(free, 0.0), dict.fromkeys(free, 1.0), 0)


def _scaled(values: Mapping[Position, float]) -> dict[Position, float]:
    """The values from 0, the least, to 1, the greatest finite one and all beyond; 0 where all are equal."""
    finite = [value for value in values.values() if math.isfinite(value)]
    if not finite:
        return dict.fromkeys(values, 1.0)
    least, span = min(finite), max(finite) - min(finite)
    return {
        at: 1.0 if math.isinf(value) else (value - least) / span if span else 0.0 for at, value in values.items()
    }
