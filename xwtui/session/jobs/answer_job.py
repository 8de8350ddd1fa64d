"""Jobs for verbs whose answers take a while, and the job that fills the clue book."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TypeAlias, TypeVar

from xwtui.errors import ClueBookError, VerbError
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.jobs.job import Job, JobContext, Reporter
from xwtui.session.jobs.scheduler import Priority, lower_priority
from xwtui.session.messages import AnswerReady, Notice, Severity

with lazy_imports():
    from xwtui.clues.book import ClueBook, ClueSource
    from xwtui.clues.importing import clues_of_puzzle
    from xwtui.engine.loading_step import EnginePart
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.task import Task
    from xwtui.engine.problem.word_stock import release_tables
    from xwtui.session.answers import VerbAnswer

AnswerReporter: TypeAlias = "Reporter[VerbAnswer]"
"""The reporter for work that needs neither the puzzle's words nor its fills."""
AnswerWork: TypeAlias = "Callable[[AnswerReporter], VerbAnswer | None]"
"""Computes an answer on the job's thread; once stopped, it returns what it has, or None."""


class ProblemReporter(Reporter["VerbAnswer"]):
    """The reporter for work that needs the puzzle's words or fills."""

    def __init__(self, context: JobContext, task: Task, reporter: AnswerReporter) -> None:
        super().__init__(reporter.is_stopped, reporter.report)
        self._context = context
        self._task = task
        self.lexicon = task.lexicon
        """The puzzle's words."""

    @cached_property
    def problem(self) -> Problem:
        """The puzzle's fill problem with its words; the counting kernels are loaded."""
        return self._context.problems.problem(self._task)


_Kind = TypeVar("_Kind", bound="VerbAnswer")
ProblemWork: TypeAlias = "Callable[[ProblemReporter], VerbAnswer]"
"""Like AnswerWork, with access to the puzzle's fill problem."""


_AnswerRequest: TypeAlias = tuple[int, AnswerWork]
"""The puzzle's revision, and the work."""


class AnswerJob(Job[_AnswerRequest, "VerbAnswer"]):
    """Runs the newest verb that takes a while to answer; AnswerReady reports each better answer."""

    def __init__(
        self, context: JobContext, name: str, failure: str, nothing: str, *, is_about_puzzle: bool = True
    ) -> None:
        """`nothing` is the error message if the work was stopped before it found anything.

        Work that is not about the puzzle goes on while the puzzle is edited. It does not use compiled code, and no
        job gives way to it.
        """
        priority = Priority.ASKED if is_about_puzzle else Priority.SHOWN
        super().__init__(
            context, name, failure, priority=priority, is_compiled=is_about_puzzle, reports_when_stopped=True
        )
        self._nothing = nothing
        self._is_about_puzzle = is_about_puzzle
        self._of_kinds: dict[type[VerbAnswer], VerbAnswer] = {}

    def start(self, work: ProblemWork, *, designing: bool = False) -> Callable[[], VerbAnswer]:
        """Compute an answer for the current puzzle with its words and the counting kernels; returns `answer`.

        With `designing`, the improvement and layout-drawing kernels are loaded too.
        """
        self.context.start_loading()
        return self.start_plain(partial(self._pose, self.context.snapshot().puzzle, work, designing))

    def start_plain(self, work: AnswerWork, *, drawing: bool = False) -> Callable[[], VerbAnswer]:
        """Do the same for an answer without words or engine, except (with `drawing`) the layout generator."""
        self.ask((self.context.snapshot().revision, partial(self._draw, work) if drawing else work))
        return self.answer

    def answer(self) -> VerbAnswer:
        """Return the result; raises VerbError if the work was stopped before it found anything."""
        if self.latest is None:
            raise VerbError(self._nothing)
        return self.latest

    def last(self, kind: type[_Kind]) -> _Kind | None:
        """Return the latest result of a kind, even if other requests followed; None if there was none."""
        found = self._of_kinds.get(kind)
        return found if isinstance(found, kind) else None

    # On the job's thread

    def work(self, request: _AnswerRequest, reporter: AnswerReporter) -> VerbAnswer | None:
        return request[1](reporter)

    def keep(self, request: _AnswerRequest, view: VerbAnswer) -> None:
        self.latest = self._of_kinds[type(view)] = view

    def message(self, request: _AnswerRequest, view: VerbAnswer, *, is_last: bool) -> AnswerReady:
        revision = request[0] if self._is_about_puzzle else self.context.snapshot().revision
        return AnswerReady(revision, view, is_last=is_last)

    def _draw(self, work: AnswerWork, reporter: AnswerReporter) -> VerbAnswer | None:
        return work(reporter) if self.context.engine.wait(reporter.is_stopped, EnginePart.DRAWING) else None

    def _pose(
        self, puzzle: Puzzle, work: ProblemWork, designing: bool, reporter: AnswerReporter
    ) -> VerbAnswer | None:
        designs = (EnginePart.IMPROVING, EnginePart.DRAWING) if designing else ()
        task = self.context.wait_for_task(puzzle, reporter.is_stopped, EnginePart.COUNTING, *designs)
        if task is None:
            return None
        try:
            return work(ProblemReporter(self.context, task, reporter))
        finally:
            release_tables(task.lexicon)


_KEEP_SECONDS = 5.0
"""Longest wait for the clue book, if another process writes to it while a puzzle is saved."""


class BookJob(AnswerJob):
    """Imports one folder at a time; edits of the puzzle do not stop it."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "clue book", "", "stopped before anything was read", is_about_puzzle=False)
        self._keeping: list[threading.Thread] = []
        self._order = threading.Lock()
        """Held while a puzzle's clues are stored, so that later saves are stored later."""

    def keep_clues(self, puzzle: Puzzle, path: Path) -> None:
        """Store the clues of a saved puzzle in the clue book, as the user's own; a failure becomes a Notice."""
        thread = self.context.scheduler.thread("clues kept", lambda: self._keep_clues(puzzle, path))
        self._keeping = [*(one for one in self._keeping if one.is_alive()), thread]

    def close(self) -> None:
        """Wait until the clues of saved puzzles are in the book, at most `_KEEP_SECONDS`."""
        deadline = time.monotonic() + _KEEP_SECONDS
        for thread in self._keeping:
            thread.join(max(deadline - time.monotonic(), 0.0))

    def _keep_clues(self, puzzle: Puzzle, path: Path) -> None:
        lower_priority()
        today = time.strftime("%Y-%m-%d")
        source = ClueSource(str(path), puzzle.title or path.stem, puzzle.author, today, is_own=True)
        try:
            with self._order:
                ClueBook(patience=_KEEP_SECONDS).keep(source, clues_of_puzzle(puzzle))
        except ClueBookError as error:
            self.context.post(Notice(f"the clues are not in the clue book: {error}", Severity.WARNING))
