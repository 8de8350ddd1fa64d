"""The base class of jobs, and the context they share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.fill_options import DEFAULT_REPEAT_COST
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.scheduler import FACE_FIRST_SECONDS, IsStopped, Priority, Scheduler, Worker
from xwtui.session.jobs.word_loader import WordLoader
from xwtui.session.messages import JobFailed, Message
from xwtui.session.problem_holders import CounterHolder, ProblemHolder
from xwtui.session.settings import NO_OVERRIDES, Overrides

with lazy_imports():
    from xwtui.engine.loading_step import EnginePart
    from xwtui.engine.problem.task import Task
    from xwtui.words.sources import Vocabulary


class Snapshot(NamedTuple):
    """The puzzle at one moment, and what else jobs need to know about its document."""

    puzzle: Puzzle
    path: Path | None
    """The puzzle's file, if it has one."""
    revision: int
    is_external: bool = False
    """Whether the puzzle was read from outside, although it has no file: through a pipe, for example."""
    repeat_cost: int = DEFAULT_REPEAT_COST
    """How much the settings lower the score of an answer that recent puzzles have."""


class JobContext(NamedTuple):
    """What jobs share; everything in it is thread-safe."""

    post: Callable[[Message], None]
    """Posts a message about a job."""
    snapshot: Callable[[], Snapshot]
    """Returns the current puzzle."""
    start_loading: Callable[[], None]
    """Starts loading words and engine, if that has not happened yet."""
    scheduler: Scheduler
    engine: EngineLoader
    words: WordLoader
    problems: ProblemHolder
    counters: CounterHolder
    overrides: Overrides = NO_OVERRIDES

    def task(self, puzzle: Puzzle, vocabulary: Vocabulary) -> Task:
        """Return the fill problem that a puzzle poses with these words."""
        return Task.of(puzzle, vocabulary, allow_repeats=self.overrides.allow_repeats)

    def wait_for_task(self, puzzle: Puzzle, is_stopped: IsStopped, *parts: EnginePart) -> Task | None:
        """Return the fill problem once words and engine are ready, None if stopped; raises XwtuiError."""
        vocabulary = self.words.wait(is_stopped)
        if vocabulary is None or not self.engine.wait(is_stopped, *parts, rules=puzzle.rules):
            return None
        return self.task(puzzle, vocabulary)


Request = TypeVar("Request")
View = TypeVar("View")
_SECONDS_BETWEEN = 0.1
"""Least number of seconds between two progress reports of work that has no result to show yet."""


class Reporter(Generic[View]):
    """What a job's work uses to check whether to continue and to report its results."""

    def __init__(self, is_stopped: IsStopped, report: Callable[[View], None]) -> None:
        self.is_stopped = is_stopped
        self.report = report
        """Takes a view of what is known so far."""
        self._reported_at = 0.0

    def report_throttled(self, view: Callable[[], View]) -> None:
        """Report progress, unless that happened within the last tenth of a second."""
        if time.monotonic() - self._reported_at > _SECONDS_BETWEEN:
            self._reported_at = time.monotonic()
            self.report(view())


class Job(Generic[Request, View]):
    """Works on the newest request, in a thread of its own, and posts each better view of the result.

    A subclass does its work in `work`, and turns its views into messages in `message`.
    """

    def __init__(
        self,
        context: JobContext,
        name: str,
        failure: str,
        *,
        priority: Priority = Priority.ASKED,
        is_compiled: bool = True,
        delay: float = FACE_FIRST_SECONDS,
        reports_when_stopped: bool = False,
    ) -> None:
        """`failure` precedes the reason in an error message; the other parameters are as in `Worker`.

        With `reports_when_stopped`, a stopped job still reports what it has found.
        """
        self.context = context
        self.latest: View | None = None
        """The latest view of the last request; None if there is none yet."""
        self.asked: Request | None = None
        self.lock = threading.RLock()
        """Held while the request or the view changes."""
        self._failure = failure
        self._tells_when_stopped = reports_when_stopped
        self.worker = Worker(
            context.scheduler, name, self._work_on, self.fail, priority, is_compiled=is_compiled, delay=delay
        )

    @property
    def view(self) -> View | None:
        return self.latest

    @property
    def is_busy(self) -> bool:
        """Whether the job has work that someone waits for."""
        return self.worker.is_busy

    def ask(self, request: Request, known: View | None = None, *, at_once: bool = False) -> None:
        """Replace the current request with this one; `known` is what is known about it already.

        With `at_once`, work starts without the delay that lets the face redraw first.
        """
        self.expect(request, known)
        self.worker.submit(request, at_once=at_once)

    def expect(self, request: Request, known: View | None = None) -> None:
        """From now on, accept results of this request only."""
        with self.lock:
            self.asked, self.latest = request, known

    def stop(self) -> bool:
        """Stop the work; returns whether any was running that the user had requested."""
        return self.worker.interrupt() and self.worker.priority is not Priority.LIVE

    # On the job's thread

    def work(self, request: Request, reporter: Reporter[View]) -> View | None:
        """Process the request; returns the final view, or None if there is none."""
        raise NotImplementedError

    def message(self, request: Request, view: View, *, is_last: bool) -> Message | None:
        """Return the message that reports a view, None if it is not reported; a view may be its own message."""
        return view if isinstance(view, Message) else None

    def keep(self, request: Request, view: View) -> None:
        """Store a result; the caller holds the lock."""
        self.latest = view

    def is_wanted(self, request: Request) -> bool:
        """Whether results for this request are still wanted; the caller holds the lock."""
        return request is self.asked

    def take(self, request: Request, view: View, is_stopped: IsStopped = lambda: False) -> bool:
        """Store a result; returns whether it was still wanted."""
        with self.lock:
            if is_stopped() or not self.is_wanted(request):
                return False
            self.keep(request, view)
            return True

    def fail(self, reason: str) -> None:
        self.context.post(JobFailed(f"{self._failure}: {reason}" if self._failure else reason))

    def _work_on(self, request: Request, is_stopped: IsStopped) -> None:
        def tell(view: View, *, is_last: bool = False) -> None:
            if self.take(request, view, lambda: is_stopped() and not self._tells_when_stopped):
                message = self.message(request, view, is_last=is_last)
                if message is not None:
                    self.context.post(message)

        last = self.work(request, Reporter(is_stopped, tell))
        if last is not None:
            tell(last, is_last=True)
