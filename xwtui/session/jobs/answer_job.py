"""What a verb works out in one go beside the face, and what goes into the clue book there."""

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
from xwtui.named_tuples import NamedTuple
from xwtui.session.jobs.job import Job, JobContext, Reporter
from xwtui.session.jobs.scheduler import Priority, stand_back
from xwtui.session.messages import AnswerReady, Notice, Severity

with lazy_imports():
    from xwtui.clues.book import ClueBook, ClueSource
    from xwtui.clues.importing import clues_of_puzzle
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.task import Task
    from xwtui.session.answers import VerbAnswer

AnswerReporter: TypeAlias = "Reporter[VerbAnswer]"
"""What work is given that needs neither the words of the puzzle nor its fills."""
AnswerWork: TypeAlias = "Callable[[AnswerReporter], VerbAnswer | None]"
"""Works an answer out, in the thread of the job; once stopped, it returns what it has, or None."""


class ProblemReporter(Reporter["VerbAnswer"]):
    """What the work of a verb is given that needs the words of the puzzle, or its fills."""

    def __init__(self, context: JobContext, task: Task, reporter: AnswerReporter) -> None:
        super().__init__(reporter.is_stopped, reporter.tell)
        self._context = context
        self._task = task
        self.lexicon = task.lexicon
        """The words of the puzzle."""

    @cached_property
    def problem(self) -> Problem:
        """What the puzzle asks, laid out with its words; the counting of fills is loaded."""
        return self._context.problems.problem(self._task)


_Kind = TypeVar("_Kind", bound="VerbAnswer")
ProblemWork: TypeAlias = "Callable[[ProblemReporter], VerbAnswer]"
"""The same as AnswerWork with what the puzzle asks at hand."""


class _AnswerRequest(NamedTuple):
    revision: int
    work: AnswerWork


class AnswerJob(Job[_AnswerRequest, "VerbAnswer"]):
    """Does the work of the newest verb that needs a while for its answer; AnswerReady tells each better answer."""

    def __init__(
        self, context: JobContext, name: str, failure: str, nothing: str, *, is_about_puzzle: bool = True
    ) -> None:
        """`nothing` is said where it was stopped before anything was known.

        What is not about the puzzle goes on while that is edited, without compiled code; nothing gives way to it.
        """
        priority = Priority.ASKED if is_about_puzzle else Priority.SHOWN
        super().__init__(
            context, name, failure, priority=priority, is_compiled=is_about_puzzle, tells_when_stopped=True
        )
        self._nothing = nothing
        self._is_about_puzzle = is_about_puzzle
        self._of_kinds: dict[type[VerbAnswer], VerbAnswer] = {}

    def start(self, work: ProblemWork, *, designing: bool = False) -> Callable[[], VerbAnswer]:
        """Work an answer out for the puzzle as it is, with its words and the counting of fills; returns `answer`.

        What is designed needs the improving of fills and the drawing of layouts, too.
        """
        self.context.start_loading()
        return self.start_plain(partial(self._pose, self.context.snapshot().puzzle, work, designing))

    def start_plain(self, work: AnswerWork, *, drawing: bool = False) -> Callable[[], VerbAnswer]:
        """The same for an answer that needs neither words nor engine, but for the drawing of layouts if said."""
        self.ask(_AnswerRequest(self.context.snapshot().revision, partial(self._draw, work) if drawing else work))
        return self.answer

    def answer(self) -> VerbAnswer:
        """What was found; raises VerbError where the work was stopped before anything was known."""
        if self.latest is None:
            raise VerbError(self._nothing)
        return self.latest

    def last(self, kind: type[_Kind]) -> _Kind | None:
        """What was found last, or so far, of a kind, whatever was asked since; None where nothing was."""
        found = self._of_kinds.get(kind)
        return found if isinstance(found, kind) else None

    # In the thread

    def work(self, request: _AnswerRequest, reporter: AnswerReporter) -> VerbAnswer | None:
        return request.work(reporter)

    def keep(self, request: _AnswerRequest, view: VerbAnswer) -> None:
        self.latest = self._of_kinds[type(view)] = view

    def message(self, request: _AnswerRequest, view: VerbAnswer, *, is_last: bool) -> AnswerReady:
        revision = request.revision if self._is_about_puzzle else self.context.snapshot().revision
        return AnswerReady(revision, view, is_last=is_last)

    def _draw(self, work: AnswerWork, reporter: AnswerReporter) -> VerbAnswer | None:
        return work(reporter) if self.context.engine.wait_for_drawing(reporter.is_stopped) else None

    def _pose(
        self, puzzle: Puzzle, work: ProblemWork, designing: bool, reporter: AnswerReporter
    ) -> VerbAnswer | None:
        """Do work for a puzzle once all is loaded that it needs."""
        engine = self.context.engine
        parts = [partial(engine.wait_for_counting, rules=puzzle.rules)]
        designs = (engine.wait_for_improving, engine.wait_for_drawing) if designing else ()
        asked = self.context.asked_of(puzzle, reporter.is_stopped, *parts, *designs)
        return work(ProblemReporter(self.context, asked, reporter)) if asked is not None else None


_KEEP_SECONDS = 5.0
"""How long a saved puzzle waits for the book where another process writes to it."""


class BookJob(AnswerJob):
    """Imports one folder at a time; edits of the puzzle leave that alone."""

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "clue book", "", "stopped before anything was read", is_about_puzzle=False)
        self._keeping: list[threading.Thread] = []
        self._order = threading.Lock()
        """Held while the clues of a puzzle are kept, so that those that are saved last are kept last."""

    def keep_clues(self, puzzle: Puzzle, path: Path) -> None:
        """Let the book have the clues of a puzzle that was saved, as one's own; a failure is a Notice."""
        thread = self.context.scheduler.thread("clues kept", lambda: self._keep_clues(puzzle, path))
        self._keeping = [*(one for one in self._keeping if one.is_alive()), thread]

    def close(self) -> None:
        """Wait until the clues of saved puzzles are in the book."""
        deadline = time.monotonic() + _KEEP_SECONDS
        for thread in self._keeping:
            thread.join(max(deadline - time.monotonic(), 0.0))

    def _keep_clues(self, puzzle: Puzzle, path: Path) -> None:
        stand_back()
        today = time.strftime("%Y-%m-%d")
        source = ClueSource(str(path), puzzle.title or path.stem, puzzle.author, today, is_own=True)
        try:
            with self._order:
                ClueBook(patience=_KEEP_SECONDS).keep(source, clues_of_puzzle(puzzle))
        except ClueBookError as error:
            self.context.post(Notice(f"the clues are not in the clue book: {error}", Severity.WARNING))
