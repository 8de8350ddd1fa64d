"""A fill as every face makes it: the first one that is found, with its stems apart and better words.

Stems are kept apart where a fill can be found so: no WAFT beside WAFTS, unless no other fill is found. A search
for a fill is as ever. Where two answers of what it finds share a stem, a fill near it is looked for
under the rule that none do (`SharedStems`), for a while; it counts where one is found, and else the first. So the
proof that there is no fill is always about all fills.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from time import perf_counter
from typing import Any, NamedTuple

from xwtui.engine.budget import Budget, never
from xwtui.engine.events.event import FillSeconds, Outcome
from xwtui.engine.fill.portfolio import FillResult, Progress, fill
from xwtui.engine.improve.improver import with_better_words
from xwtui.engine.problem.problem import Problem
from xwtui.engine.problem.task import Task
from xwtui.engine.repair.repair import RepairResult, follow, repair
from xwtui.model import Content, Position
from xwtui.model.alphabet import ENGLISH
from xwtui.model.rules import SharedStems
from xwtui.words.stems import Stemmer

APART_SECONDS = 2.0
"""How long a fill that keeps stems apart is looked for, at most."""
_SHARE = 0.5
"""Of the time that is left, so much at most."""


class SharedStem(NamedTuple):
    """Two entries whose answers share a stem."""

    entries: tuple[str, str]
    answers: tuple[str, str]


def prefers_stems_apart(task: Task) -> bool:
    """Whether stems are to be kept apart where that can be, for nobody has said what else; they are English."""
    is_told = task.rules.one(SharedStems) is not None or task.allow_repeats
    return not is_told and task.lexicon.alphabet == ENGLISH


def shared_stems(task: Task, squares: Mapping[Position, Content]) -> tuple[SharedStem, ...]:
    """The entries that share a stem in a fill, where they are to be kept apart; two that are given may."""
    if not prefers_stems_apart(task):
        return ()
    contents = {**task.given, **squares}
    full = [slot for slot in task.grid.entries if all(at in contents for at in slot.positions)]
    answers = {slot: slot.spell(contents) for slot in full}
    stems_of = Stemmer(is_known=task.lexicon.allows).stems
    stems = {answer: stems_of(answer) for answer in set(answers.values())}
    return tuple(
        SharedStem((one.name, other.name), (answers[one], answers[other]))
        for one, other in combinations(full, 2)
        if answers[one] != answers[other]
        and not stems[answers[one]].isdisjoint(stems[answers[other]])
        and not all(at in task.given for at in (*one.positions, *other.positions))
    )


def under_the_rule(problem: Problem) -> Problem | None:
    """The same problem under the rule that no two answers share a stem; None where that is not preferred."""
    task = problem.task
    if not prefers_stems_apart(task):
        return None
    return Problem.of(replace(task, rules=task.rules.with_all(SharedStems, [SharedStems()])))


def most_seconds(left: float | None) -> float:
    """How long a fill that keeps stems apart is looked for where so many seconds are left."""
    return APART_SECONDS if left is None else min(APART_SECONDS, _SHARE * max(left, 0.0))


class StemsApart(NamedTuple):
    """A fill that keeps stems apart, and its problem under the rule; both as they were where none was found."""

    problem: Problem
    squares: Mapping[Position, Content]


def stems_apart(
    problem: Problem,
    squares: Mapping[Position, Content],
    *,
    seed: int = 0,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
) -> StemsApart:
    """Keep stems apart in a fill of a problem, or look for any fill that does where there is none yet."""
    strict = under_the_rule(problem)
    if strict is None:
        return StemsApart(problem, squares)
    if squares and not shared_stems(problem.task, squares):
        return StemsApart(strict, squares)
    found = follow(strict, squares, seed=seed, seconds=most_seconds(seconds), cancelled=cancelled)
    return StemsApart(strict, found.squares) if found.outcome is Outcome.FILLED else StemsApart(problem, squares)


def with_stems_apart(
    problem: Problem,
    squares: Mapping[Position, Content],
    *,
    seed: int = 0,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
) -> Mapping[Position, Content]:
    """A fill that keeps stems apart: the same where it does already, or where no other is found."""
    if not shared_stems(problem.task, squares):
        return squares
    return stems_apart(problem, squares, seed=seed, seconds=seconds, cancelled=cancelled).squares


def repair_apart(
    problem: Problem,
    standing: Mapping[Position, Content],
    *,
    seconds: float | None = None,
    entry: str = "",
    **how: Any,
) -> RepairResult:
    """As `repair`, under the rule where a repair is found so.

    Where what is to stay shares a stem already, it is not asked for: nothing but the entry's change is to move.
    """
    own = set(problem.grid.entry(entry).positions) if entry else set()
    others = {at: content for at, content in standing.items() if at not in own}
    strict = under_the_rule(problem) if not (entry and shared_stems(problem.task, others)) else None
    if strict is not None:
        found = repair(strict, standing, seconds=most_seconds(seconds), entry=entry, **how)
        if found.repairs:
            return found
    return repair(problem, standing, seconds=seconds, entry=entry, **how)


class PlainFill(NamedTuple):
    """What a fill came to."""

    first: FillResult
    """The search for the first fill."""
    squares: Mapping[Position, Content]
    """As the fill is finished; empty where there is none."""
    seconds: FillSeconds
    """What took how long; the layout is for who has laid the problem out."""
    shared_stems: tuple[SharedStem, ...] = ()
    """The entries that share a stem, where they were to be kept apart and no fill was found that does."""


def plain_fill(
    problem: Problem,
    *,
    first_only: bool = False,
    seed: int = 0,
    threads: int = 1,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
    progress: Callable[[Progress], None] | None = None,
) -> PlainFill:
    """Fill a grid and finish the fill; `seconds` are for both.

    The same seed makes the same fill as far as `portfolio.fill` does, if the time does not end the better words.
    """
    begun = perf_counter()
    first = fill(problem, Budget(seed=seed, threads=threads, seconds=seconds, stop=cancelled), progress=progress)
    found = perf_counter()
    if first.outcome is not Outcome.FILLED:
        return PlainFill(first, first.squares, FillSeconds(first_fill=found - begun))
    left = None if seconds is None else max(seconds - (found - begun), 0.0)
    squares = finished(problem, first.squares, first_only=first_only, seed=seed, seconds=left, cancelled=cancelled)
    ended = perf_counter()
    if first_only:
        found = ended
    took = FillSeconds(first_fill=found - begun, better_words=ended - found)
    return PlainFill(first, squares, took, shared_stems(problem.task, squares))


def finished(
    problem: Problem,
    squares: Mapping[Position, Content],
    *,
    first_only: bool = False,
    seed: int = 0,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = never,
) -> Mapping[Position, Content]:
    """A first fill with its stems apart where one near it is found so, and but for `first_only` better words."""
    if first_only:
        return with_stems_apart(problem, squares, seed=seed, seconds=seconds, cancelled=cancelled)
    begun = perf_counter()
    apart = stems_apart(problem, squares, seed=seed, seconds=seconds, cancelled=cancelled)
    left = None if seconds is None else max(seconds - (perf_counter() - begun), 0.0)
    return with_better_words(apart.problem, apart.squares, seed=seed, seconds=left, cancelled=cancelled)


def laid_out(make: Callable[[], Problem]) -> tuple[Problem, float]:
    """A problem with its root, and the seconds that laying out both took."""
    begun = perf_counter()
    problem = make()
    problem.root  # noqa: B018  (it is made when it is first looked at)
    return problem, perf_counter() - begun
