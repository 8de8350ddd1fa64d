"""What every job is, and what it needs beside what is asked of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.named_tuples import NamedTuple
from xwtui.session.fill_options import DEFAULT_REPEAT_COST
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.scheduler import FACE_FIRST_SECONDS, IsStopped, Priority, Scheduler
from xwtui.session.jobs.word_loader import WordLoader
from xwtui.session.messages import JobFailed, Message
from xwtui.session.problem_holders import CounterHolder, ProblemHolder
from xwtui.session.settings import NO_OVERRIDES, Overrides

with lazy_imports():
    from xwtui.engine.problem.task import Task
    from xwtui.words.sources import Vocabulary


class Snapshot(NamedTuple):
    """The puzzle as it is at one moment."""

    puzzle: Puzzle
    path: Path | None
    """Its file, if it has one."""
    revision: int
    is_from_elsewhere: bool = False
    """Whether it was read all the same."""
    repeat_cost: int = DEFAULT_REPEAT_COST
    """What an answer of recent puzzles counts less than its score, as the settings have it."""


class JobContext(NamedTuple):
    """What jobs share; all of it may be used from their threads."""

    post: Callable[[Message], None]
    """Tells how a job stands."""
    snapshot: Callable[[], Snapshot]
    """The puzzle as it is now."""
    start_loading: Callable[[], None]
    """Begins to load words and engine, if that was not done yet."""
    scheduler: Scheduler
    engine: EngineLoader
    words: WordLoader
    problems: ProblemHolder
    counters: CounterHolder
    overrides: Overrides = NO_OVERRIDES

    def task(self, puzzle: Puzzle, vocabulary: Vocabulary) -> Task:
        """What a puzzle asks with these words."""
        return Task.of(puzzle, vocabulary, allow_repeats=self.overrides.allow_repeats)

    def asked_of(self, puzzle: Puzzle, is_stopped: IsStopped, *parts: Callable[[IsStopped], bool]) -> Task | None:
        """What a puzzle asks, once its words and some parts of the engine are there; None if stopped first.

        The parts are ways to wait, such as `engine.wait_for_counting`. Raises XwtuiError where one cannot be had.
        """
        vocabulary = self.words.wait(is_stopped)
        if vocabulary is None or not all(wait(is_stopped) for wait in parts):
            return None
        return self.task(puzzle, vocabulary)


Request = TypeVar("Request")
View = TypeVar("View")
_SECONDS_BETWEEN = 0.1
"""How often it is told how far work is that has nothing to show."""


class Reporter(Generic[View]):
    """What work is given: whether to go on, and where to tell what is known so far."""

    def __init__(self, is_stopped: IsStopped, tell: Callable[[View], None]) -> None:
        self.is_stopped = is_stopped
        self.tell = tell
        """Takes what is known so far."""
        self._told = 0.0

    def tell_at_times(self, view: Callable[[], View]) -> None:
        """Tell how far the work is, unless that was told just now."""
        if time.monotonic() - self._told > _SECONDS_BETWEEN:
            self._told = time.monotonic()
            self.tell(view())


class Job(Generic[Request, View]):
    """Works on the newest request, in a thread of its own, and tells each better view of it.

    One kind of job says in `work` what it does, and in `message` how its views are told.
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
        tells_when_stopped: bool = False,
    ) -> None:
        """`failure` is what goes before the reason why it failed; the others as for `Scheduler.worker`.

        One that `tells_when_stopped` tells what it has by then.
        """
        self.context = context
        self.latest: View | None = None
        """What is known of the last request; None while that is nothing."""
        self.asked: Request | None = None
        self.lock = threading.Lock()
        """Held while what is asked or known changes."""
        self._failure = failure
        self._tells_when_stopped = tells_when_stopped
        self.worker = context.scheduler.worker(
            name, self._work_on, self.fail, priority, is_compiled=is_compiled, delay=delay
        )

    @property
    def view(self) -> View | None:
        return self.latest

    @property
    def is_busy(self) -> bool:
        """Whether something goes on that is waited for."""
        return self.worker.is_busy

    def ask(self, request: Request, known: View | None = None, *, at_once: bool = False) -> None:
        """Work on a request in place of what was asked before; `known` is what is known of it already.

        The face need not go first where that is to be done `at_once`.
        """
        self.expect(request, known)
        self.worker.submit(request, at_once=at_once)

    def expect(self, request: Request, known: View | None = None) -> None:
        """From now on, take what is found for this request alone."""
        with self.lock:
            self.asked, self.latest = request, known

    def stop(self) -> bool:
        """End what goes on; returns whether anything did that somebody has asked for."""
        return self.worker.interrupt() and self.worker.priority is not Priority.LIVE

    # In the thread

    def work(self, request: Request, reporter: Reporter[View]) -> View | None:
        """Do what is asked; returns the last view, if there is one to tell."""
        raise NotImplementedError

    def message(self, request: Request, view: View, *, is_last: bool) -> Message | None:
        """How a view is told; None where it is not."""
        raise NotImplementedError

    def keep(self, request: Request, view: View) -> None:
        """Keep what was found, within the lock."""
        self.latest = view

    def is_wanted(self, request: Request) -> bool:
        """Whether what is found for a request is still waited for; within the lock."""
        return request is self.asked

    def take(self, request: Request, view: View, is_stopped: IsStopped = lambda: False) -> bool:
        """Keep what was found; returns whether it is still waited for."""
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
