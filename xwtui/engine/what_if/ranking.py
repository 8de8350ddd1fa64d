"""Ranking of alternative tasks: a quick look at each, then searches of the best, until time is up.

Alternatives are blocks added, removed or moved with their mirror images, theme answers in entries, or any others
that the caller supplies.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from time import perf_counter
from typing import Generic, TypeVar

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
from xwtui.model.answers import laid_along, squares_in_words
from xwtui.model.block_changes import NO_LIMITS, BlockChange, BlockLimits, legal_changes
from xwtui.worded import Worded
from xwtui.words.kept_order import KeptOrder
from xwtui.words.theme_answers import MOST_TOGETHER

with lazy_imports():
    from xwtui.engine.problem.no_fill import QuotedText, Reason


class Fillability(enum.IntEnum):
    """How certain a fill is; higher is better."""

    IMPOSSIBLE = 0
    """Proved that there is no fill."""
    OPEN = 1
    """Propagation leaves every entry some words."""
    HARD = 2
    """A search neither found a fill nor proved that there is none in its time."""
    FILLED = 3
    """A fill was found."""


@dataclass(frozen=True)
class Outlook(Worded):
    """What is known about the fills of a task."""

    fillability: Fillability
    log10: float | None = None
    """The pairwise estimate of the number of fills, log base 10; None if there is none."""
    reason: Reason | None = None
    """Why there is no fill."""
    fill: Mapping[Position, Content] = field(default_factory=dict, repr=False, compare=False)
    """A fill, if one was found."""

    @property
    def rank(self) -> tuple[int, float]:
        """The sort key: whether a fill is certain, then the estimated number; failed searches do not count."""
        sure = {Fillability.IMPOSSIBLE: 0, Fillability.HARD: 1, Fillability.OPEN: 1, Fillability.FILLED: 2}
        return sure[self.fillability], float("-inf") if self.log10 is None else self.log10


def quick_outlook(task: Task) -> Outlook:
    """Return the outlook from propagation and the pairwise estimate, within some milliseconds."""
    try:
        problem = Problem.of(task)
    except EngineError as error:
        return Outlook(Fillability.IMPOSSIBLE, None, QuotedText(str(error)))
    if not problem.root.is_possible:
        return Outlook(Fillability.IMPOSSIBLE, None, why_impossible(problem))
    return Outlook(Fillability.OPEN, Counter(problem).quick().log10)


def search(task: Task, outlook: Outlook, nodes: int, is_over: Callable[[], bool], seed: int = 0) -> Outlook:
    """Return the outlook after a search of this many nodes, or until it is over; needs a first outlook."""
    if outlook.fillability is not Fillability.OPEN:
        return outlook
    filler = Filler(Problem.of(task), seed=seed)
    if filler.resume(nodes, is_over) is Outcome.IMPOSSIBLE:
        return Outlook(Fillability.IMPOSSIBLE, None, filler.reason)
    found = filler.outcome is Outcome.FILLED
    return Outlook(Fillability.FILLED if found else Fillability.HARD, outlook.log10, fill=filler.fill())


What = TypeVar("What")

_SECONDS_PER_REPORT = 0.1
_LOOKING_SHARE = 0.7
"""Share of the time for the first look if there are very many alternatives; the rest is for the best."""
_NODES = 1_500
"""Nodes of the search for a fill of one alternative."""


@dataclass(frozen=True)
class Ranked(Generic[What]):
    """An alternative with its outlook."""

    what: What
    outlook: Outlook


@dataclass(frozen=True)
class Ranking(Generic[What]):
    """Alternatives, best first; extended and refined step by step."""

    items: tuple[Ranked[What], ...] = ()
    looked_at: int = 0
    total: int | None = None
    """The number of alternatives; None while they are still being counted."""
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

    If the alternatives end because the watch is over, they are not considered complete.
    """
    items: KeptOrder[Ranked[What]] = KeptOrder(lambda item: (-item.outlook.rank[0], -item.outlook.rank[1]))
    tasks: dict[Hashable, Task] = {}
    ranking: Ranking[What] = Ranking()
    reported = perf_counter()

    def report(*, at_once: bool = False, **better: int | bool) -> None:
        nonlocal ranking, reported
        is_time = at_once or (found is not None and perf_counter() - reported >= _SECONDS_PER_REPORT)
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
        items.put(len(tasks), Ranked(what, quick_outlook(task)))
        tasks[len(tasks)] = task
        report(looked_at=len(tasks))
    is_all = is_all and not watch.is_over()
    if is_all:
        report(total=len(tasks))
    for number, item in list(islice(items.items(), searched)):
        if watch.is_over():
            is_all = False
            break
        outlook = search(tasks[number], item.outlook, _NODES, watch.is_over, watch.budget.seed)
        items.put(number, replace(item, outlook=outlook))
        report(searched=ranking.searched + (item.outlook.fillability is Fillability.OPEN))
    report(is_complete=is_all, was_cancelled=watch.was_cancelled, at_once=True)
    return ranking


_CHANGES_SEARCHED = 25
"""How many of the best changes are searched for a fill."""


def block_changes(
    task: Task,
    symmetry: Symmetry,
    budget: Budget = NO_LIMIT,
    *,
    limits: BlockLimits = NO_LIMITS,
    found: Callable[[Ranking[BlockChange]], None] | None = None,
) -> Ranking[BlockChange]:
    """Rank every legal change of a grid's blocks by whether it can be filled and by the estimated number of fills.

    Each change is examined by propagation and the pairwise estimate, the best ones then by a search. `found` is
    called several times a second with the ranking so far. Ends after its time limit, or soon after `stop` returns
    True.
    """
    watch = TimeLimit(budget)
    changes = legal_changes(task.grid, symmetry, limits, watch.is_over)
    alternatives = ((change, replace(task, grid=change.on(task.grid))) for change in changes)
    return rank(alternatives, searched=_CHANGES_SEARCHED, watch=watch, found=found)


_WAYS_SEARCHED = 12
_FEW_WAYS = 200
"""Up to this many arrangements are all examined, in the order of the entries."""
_MOST_WAYS = 50_000
"""Maximum number of arrangements that are compared."""


@dataclass(frozen=True)
class Arrangement(Worded):
    """Theme answers in their entries."""

    answers: Mapping[str, str]
    """The answer of each entry, by name, from top to bottom; rebus squares in brackets."""

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
    """Rank the placements of answers in across entries, always using mirrored entries together.

    `size` is how many answers are placed, by default all. Only entries that are not given count. If there are many
    arrangements, those whose answers individually leave the most room come first. Raises EngineError for more than
    seven answers at once, for more than are given, and if no entries fit their lengths.
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
        raise EngineError(f"no symmetric entries across fit {few}answers of {squares_in_words(known)}")
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
    """Rank single theme answers by how well the grid can be filled with each in its best entry, if any fits."""
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
    """Return a cached log10 of the fills that an answer leaves: -inf for none, and 0 once `is_over`."""

    @cache
    def room(name: str, answer: str) -> float:
        if is_over():
            return 0.0
        log10 = quick_outlook(with_answers(task, {name: answer})).log10
        return -math.inf if log10 is None else log10

    return room


def with_answers(task: Task, answers: Mapping[str, str]) -> Task:
    """Return the task with answers written in pen in entries where they fit."""
    slots = {name: task.grid.entry(name) for name in answers}
    changes = {
        at: replace(task.grid[at], content=content, ink=Ink.PEN)
        for name, answer in answers.items()
        for at, content in zip(slots[name].reading, _laid(task, slots[name], answer) or (), strict=True)
    }
    return replace(task, grid=task.grid.with_squares(changes))


def _laid(task: Task, slot: Slot, answer: str) -> tuple[Content, ...] | None:
    """Return an answer's contents along an entry; None if it does not fit or needs two contents in one square."""
    laid = laid_along(answer, [task.given.get(at) for at in slot.reading], slot.directions)
    if laid is None:
        return None
    at_squares = {**dict(zip(slot.reading, laid, strict=True)), **task.given}
    return laid if all(at_squares[at] == new for at, new in zip(slot.reading, laid, strict=True)) else None


def _arrangements(
    task: Task, answers: Sequence[str], number: int, symmetry: Symmetry, is_over: Callable[[], bool]
) -> Iterator[Arrangement]:
    """Yield every placement of `number` answers in entries that form a mirror-symmetric set, until it is over."""
    for chosen in _mirrored_sets(_families(task, answers, symmetry), number):
        for order in _orders(task, chosen, answers):
            if is_over():
                return
            names = (slot.name for slot in chosen)
            yield Arrangement(dict(zip(names, order, strict=True)))


def _orders(task: Task, slots: Sequence[Slot], answers: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every assignment of answers to slots, without repeats."""
    if not slots:
        yield ()
        return
    for answer in answers:
        if _fits(task, slots[0], answer):
            others = [other for other in answers if other != answer]
            yield from ((answer, *rest) for rest in _orders(task, slots[1:], others))


def _families(task: Task, answers: Sequence[str], symmetry: Symmetry) -> list[tuple[Slot, ...]]:
    """Return the open entries that some answer fits, grouped with their mirror images if all are such entries."""
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
    height, width = task.grid.height, task.grid.width
    return frozenset(at for position in slot.positions for at in symmetry.orbit(position, height, width))


def _mirrored_sets(families: Sequence[tuple[Slot, ...]], size: int) -> Iterator[tuple[Slot, ...]]:
    """Yield every union of families with this many entries, from top to bottom."""
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
"""Share of the heat that comes from blame, once a search has met dead ends."""


@dataclass(frozen=True)
class Heat:
    """How hard each empty square is."""

    heat: Mapping[Position, float]
    """From 0 (easy) to 1 (the hardest in this grid) for each square that a fill writes."""
    agreement: Mapping[Position, float]
    """The probability that two random words for its entries agree there; 0 if nothing is possible."""
    blame: Mapping[Position, float]
    """The weight from the search, 1 for none; dead ends raise it, and old ones fade."""
    nodes: int
    """Nodes of the search that the blame comes from."""

    def hardest(self, most: int = 5) -> tuple[Position, ...]:
        """Return the hardest squares, hardest first."""
        return tuple(sorted(self.heat, key=lambda at: (-self.heat[at], at))[:most])


def heat(
    problem: Problem,
    *,
    nodes: int = 2_000,
    seconds: float | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = never,
) -> Heat:
    """Measure the heat of a problem's squares, using a search of this many nodes for the blame.

    The other half of the heat is -log10 of the agreement. In a problem that propagation refutes, the entries that
    cannot be filled get the maximum and all others none. Ends after `seconds`, or within 100 ms after `cancelled`
    returns True, with the blame known so far.
    """
    budget = Budget(seconds, seed=seed, stop=cancelled)
    limit = TimeLimit(budget)
    free = [at for at in problem.positions if at not in problem.task.given]
    if not problem.root.is_possible:
        return _refuted(problem, free, Judge(budget))
    unwritten = set(free)
    agreement = {at: chance for at, chance in _agreements(problem, cancelled).items() if at in unwritten}
    filler = Filler(problem, seed=seed)
    filler.resume(nodes, limit.is_over)
    blame = {at: float(weight) for at, weight in zip(problem.positions, filler.square_weights, strict=True)}
    blame = {at: blame[at] for at in free}
    cold = _scaled({at: -math.log10(chance) if chance > 0 else math.inf for at, chance in agreement.items()})
    hot = _scaled({at: math.log(weight) for at, weight in blame.items()})
    share = _BLAME_SHARE if any(hot.values()) else 0.0
    mixed = {at: (1 - share) * cold.get(at, 0.0) + share * hot.get(at, 0.0) for at in free}
    return Heat(_scaled(mixed), agreement, blame, filler.statistics.nodes)


def _agreements(problem: Problem, cancelled: Callable[[], bool]) -> dict[Position, float]:
    """Return, for each square of two entries, the probability that random words from both domains agree there."""
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
    """Return a heat of 1 for entries that no word fits, else for those refuted together, else for all."""
    names = tuple(slot.name for slot, table in zip(problem.slots, problem.tables, strict=True) if not table.rows)
    try:
        names = names or Cores(problem, judge).by_propagation(0)
    except OutOfTimeError:
        names = ()
    faulty = {at for name in names for at in problem.grid.entry(name).positions} or set(free)
    return Heat({at: float(at in faulty) for at in free}, dict.fromkeys(free, 0.0), dict.fromkeys(free, 1.0), 0)


def _scaled(values: Mapping[Position, float]) -> dict[Position, float]:
    """Scale values linearly to 0 to 1; infinite ones become 1. All equal finite values become 0."""
    finite = [value for value in values.values() if math.isfinite(value)]
    if not finite:
        return dict.fromkeys(values, 1.0)
    least, span = min(finite), max(finite) - min(finite)
    return {
        at: 1.0 if math.isinf(value) else (value - least) / span if span else 0.0 for at, value in values.items()
    }
