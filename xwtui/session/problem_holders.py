"""Equality of fill problems, and caches of the last problem and its counter, shared by all jobs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from xwtui.dataclasses import replace
from xwtui.lazy import lazy_imports
from xwtui.memory import trim
from xwtui.model import Content, Grid, Kind, Puzzle, Slot
from xwtui.model.entering import EnteredAnswer

with lazy_imports():
    from xwtui.engine.count.estimator import Counter
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.task import Task, placing_symmetry
    from xwtui.engine.problem.word_stock import forget_entered


def same_problem(one: Task, other: Task) -> bool:
    """Whether two tasks pose the same fill problem; their grids may differ in pencil, marks and locks."""
    return (
        one.lexicon is other.lexicon
        and one.own_lists is other.own_lists
        and one.rules == other.rules
        and one.symmetry is other.symmetry
        and one.allow_repeats == other.allow_repeats
        and one.selection is None
        and other.selection is None
        and same_squares(one.grid, other.grid)
        and _given_answers(one) == _given_answers(other)
    )


def differ_in_words(one: Task, other: Task) -> bool:
    """Whether two tasks differ at most in their words."""
    return same_problem(replace(one, lexicon=other.lexicon, own_lists=other.own_lists), other)


def _given_answers(task: Task) -> list[tuple[Slot, EnteredAnswer]]:
    slots = ((task.grid.slot_at(*key), entered) for key, entered in task.entered.items())
    return [
        (slot, entered) for slot, entered in slots if slot and all(task.grid[at].is_given for at in slot.positions)
    ]


def same_puzzle(one: Puzzle, other: Puzzle) -> bool:
    """Whether two puzzles have the same grid (with pencil), words and rules, and thus the same fills."""
    return (
        one.grid == other.grid
        and one.words == other.words
        and one.rules == other.rules
        and one.entered == other.entered
        and placing_symmetry(one) is placing_symmetry(other)
    )


def same_squares(one: Grid, other: Grid) -> bool:
    """Whether two grids are equivalent for a fill, which replaces pencil and ignores marks."""
    if one is other:
        return True
    is_same_layout = one.bars == other.bars and one.links == other.links and one.width == other.width
    return is_same_layout and _given(one) == _given(other)


def _given(grid: Grid) -> list[tuple[Kind, Content | None]]:
    return [(square.kind, square.content if square.is_given else None) for square in grid.squares]


class ProblemHolder:
    """Caches the last fill problem, for all jobs that have the same task."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._task: Task | None = None
        self._problem: Problem | None = None
        self._is_kept = True

    def keep(self, is_kept: bool) -> None:
        """Cache problems from now on, or (False) build one for each request."""
        self._is_kept = is_kept
        if not is_kept and self._lock.acquire(blocking=False):
            self._task = self._problem = None
            self._lock.release()

    def problem(self, task: Task) -> Problem:
        """Return the problem of a task; raises EngineError if the engine cannot handle it."""
        with self._lock:
            if not self.has(task):
                was_large = self._problem is not None and bool(self._problem.task.treatments)
                self._problem = None  # freed before the next one is built
                self._task, self._problem = task, Problem.of(task)
                is_entered_otherwise = bool(self._problem.task.treatments)
                if not is_entered_otherwise:
                    forget_entered()
                if was_large or is_entered_otherwise:
                    trim()
            problem = self._problem
            assert problem is not None
            if not self._is_kept:
                self._task = self._problem = None
            return problem

    def has(self, task: Task) -> bool:
        """Whether the cached problem is the task's; does not wait while another problem is being built."""
        known = self._task
        return self._problem is not None and known is not None and same_problem(known, task)


class CounterHolder:
    """Caches the counter of the last problem, so that its results accumulate; one thread uses it at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._problem: Problem | None = None
        self._counter: Counter | None = None
        self._is_kept = True

    def keep(self, is_kept: bool) -> None:
        """Cache the counter from now on, or (False) only while it is in use."""
        self._is_kept = is_kept
        if not is_kept:
            self.rest(is_over=True)

    @contextmanager
    def counter(self, problem: Problem) -> Iterator[Counter]:
        with self._lock:
            if self._counter is None or self._problem is not problem:
                self._problem, self._counter = problem, Counter(problem)
            yield self._counter
            if not self._is_kept:
                self._problem = self._counter = None

    def forget(self, problem: Problem) -> None:
        """Drop the counter of a problem that is no longer counted, unless it is in use."""
        if self._problem is problem:
            self.rest(is_over=True)

    def rest(self, *, is_over: bool = False) -> None:
        """Reduce the counter to its results, or drop it (`is_over`), unless it is in use."""
        if self._lock.acquire(blocking=False):
            try:
                if is_over:
                    self._problem = self._counter = None
                elif self._counter is not None:
                    self._counter.release()
            finally:
                self._lock.release()
