"""The fill problem that a puzzle poses, and what is kept of the last one for all that ask the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from xwtui.dataclasses import dataclass, field, replace
from xwtui.lazy import lazy_imports
from xwtui.memory import trim
from xwtui.model import Content, Grid, Kind, Position, Puzzle, Rules, Slot, SlotKey, Symmetry
from xwtui.model.entering import EnteredAnswer

with lazy_imports():
    from xwtui.engine.count.estimator import Counter
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.tables import let_entered_go
    from xwtui.engine.problem.task import Task
    from xwtui.engine.problem.word_stock import stock_of
    from xwtui.words.sources import Vocabulary


@dataclass(frozen=True, eq=False)
class ProblemSpecification:
    """All that a fill problem depends on; cheap to make, for the problem itself is made by `problem`."""

    grid: Grid
    vocabulary: Vocabulary
    rules: Rules
    symmetry: Symmetry
    """What new rebus squares keep, where a rule asks for that; the blocks stand already."""
    allow_repeats: bool = False
    selection: frozenset[Position] | None = None
    """The squares to fill, where not all are; pencil elsewhere counts as given."""
    entered: Mapping[SlotKey, EnteredAnswer] = field(default_factory=dict)
    """The answers of which something else is entered."""

    @classmethod
    def of(cls, puzzle: Puzzle, vocabulary: Vocabulary, *, allow_repeats: bool = False) -> ProblemSpecification:
        return cls(
            puzzle.grid, vocabulary, puzzle.rules, placing_symmetry(puzzle), allow_repeats, entered=puzzle.entered
        )

    def narrowed(
        self, minimum_score: int | None, selection: frozenset[Position] | None, repeat_cost: int | None = None
    ) -> ProblemSpecification:
        """The same with another lowest score or cost of repeats, if there is one, and for some squares alone."""
        words = self.vocabulary if minimum_score is None else self.vocabulary.with_minimum(minimum_score)
        words = words if repeat_cost is None else words.with_repeat_cost(repeat_cost)
        return replace(self, vocabulary=words, selection=selection)

    @property
    def has_all_lists(self) -> bool:
        """Whether the lists that single entries have of their own are loaded."""
        return self.rules.own_lists <= self.vocabulary.own_lists.keys()

    def problem(self) -> Problem:
        """Lay the problem out; raises EngineError where the engine cannot take it on."""
        return Problem.of(self.task())

    def task(self) -> Task:
        return Task(
            self.grid,
            self.vocabulary.lexicon,
            self.allow_repeats,
            self.rules,
            self.vocabulary.own_lists,
            self.selection,
            symmetry=self.symmetry,
            entered=self.entered,
        )

    def differs_in_words(self, other: ProblemSpecification) -> bool:
        """Whether another is about the same squares and rules."""
        return replace(self, vocabulary=other.vocabulary).is_same(other)

    def _given_answers(self) -> list[tuple[Slot, EnteredAnswer]]:
        slots = ((self.grid.slot_at(*key), told) for key, told in self.entered.items())
        return [
            (slot, told) for slot, told in slots if slot and all(self.grid[at].is_given for at in slot.positions)
        ]

    def is_same(self, other: ProblemSpecification) -> bool:
        """Whether both pose the same problem: the grids may differ in pencil, marks and locks."""
        return (
            self.vocabulary is other.vocabulary
            and self.rules == other.rules
            and self.symmetry is other.symmetry
            and self.allow_repeats == other.allow_repeats
            and self.selection is None
            and other.selection is None
            and same_squares(self.grid, other.grid)
            and self._given_answers() == other._given_answers()
        )


def placing_symmetry(puzzle: Puzzle) -> Symmetry:
    """The puzzle's symmetry where a rule places squares by it, else none: then it does not matter to a fill."""
    if any(new.symmetric for new in puzzle.rules.new_squares):
        return puzzle.symmetry
    return Symmetry.NONE


def asks_the_same(one: Puzzle, other: Puzzle) -> bool:
    """Whether what may fill two puzzles depends on the same grid, words and rules, pencil included."""
    return (
        one.grid == other.grid
        and one.words == other.words
        and one.rules == other.rules
        and one.entered == other.entered
        and placing_symmetry(one) is placing_symmetry(other)
    )


def same_squares(one: Grid, other: Grid) -> bool:
    """Whether two grids are the same to a fill, which replaces pencil and sees no marks."""
    if one is other:
        return True
    is_same_layout = one.bars == other.bars and one.links == other.links and one.width == other.width
    return is_same_layout and _given(one) == _given(other)


def _given(grid: Grid) -> list[tuple[Kind, Content | None]]:
    return [(square.kind, square.content if square.is_given else None) for square in grid.squares]


class ProblemHolder:
    """The last fill problem posed, shared by all that ask the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._specification: ProblemSpecification | None = None
        self._problem: Problem | None = None
        self._is_kept = True

    def keep(self, is_kept: bool) -> None:
        """Hold what is posed from now on, or nothing: then each that asks has one of its own."""
        self._is_kept = is_kept
        if not is_kept and self._lock.acquire(blocking=False):
            self._specification = self._problem = None
            self._lock.release()

    def problem(self, specification: ProblemSpecification) -> Problem:
        """The problem that is posed; raises EngineError where the engine cannot take it on."""
        with self._lock:
            if not self._holds(specification):
                self._problem = None  # it need not be there while the next one is laid out
                was_large = let_entered_go()
                self._specification, self._problem = specification, specification.problem()
                is_entered_otherwise = bool(self._problem.task.treatments)
                if not is_entered_otherwise:
                    stock_of(self._problem.task).forget_entered()
                if was_large or is_entered_otherwise:
                    trim()
            problem = self._problem
            assert problem is not None
            if not self._is_kept:
                self._specification = self._problem = None
            return problem

    def has(self, specification: ProblemSpecification) -> bool:
        """Whether this was posed last, so that nothing has to be laid out for it; told while another is."""
        return self._holds(specification)

    def _holds(self, specification: ProblemSpecification) -> bool:
        known = self._specification
        return self._problem is not None and known is not None and known.is_same(specification)


class CounterHolder:
    """The counter of the problem counted last, so that no run of it is lost; one thread uses it at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._problem: Problem | None = None
        self._counter: Counter | None = None
        self._is_kept = True

    def keep(self, is_kept: bool) -> None:
        """Hold a counter from now on, or none that is not in use."""
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
        """Hold no counter of a problem that is counted no more, unless it is in use."""
        if self._problem is problem:
            self.rest(is_over=True)

    def rest(self, *, is_over: bool = False) -> None:
        """Let the counter hold only what is known, or nothing where it `is_over`, unless it is in use."""
        if self._lock.acquire(blocking=False):
            try:
                if is_over:
                    self._problem = self._counter = None
                elif self._counter is not None:
                    self._counter.rest()
            finally:
                self._lock.release()
