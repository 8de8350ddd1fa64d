"""The count that is asked for: exact if that can be had in the time, else an estimate with its interval."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from xwtui.model import Puzzle
from xwtui.session.fill_options import ALL_CORES, threads_of
from xwtui.session.jobs.answering import Answering
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.live_counts import CounterHolder
from xwtui.session.jobs.word_loader import WordLoader
from xwtui.session.jobs.worker import IsStale
from xwtui.session.messages import CountEnded, JobFailed, Message
from xwtui.session.problem_specification import ProblemHolder, ProblemSpecification

if TYPE_CHECKING:
    from xwtui.engine.counting.estimate import Estimate
    from xwtui.engine.counting.estimator import Counter


class CountRequest(NamedTuple):
    """A puzzle to count the fills of, and the time for it."""

    revision: int
    puzzle: Puzzle
    seconds: float
    exact: bool = False
    """Whether it is to be counted exactly or not at all."""


class CountJob(Answering[CountRequest]):
    """Counts on demand, with figures on the way, and gives way to the next demand."""

    def __init__(
        self,
        post: Callable[[Message], None],
        room: EngineLoader,
        words: WordLoader,
        problems: ProblemHolder,
        counters: CounterHolder,
        found: Callable[[int, Estimate], None],
        idle: threading.Condition,
    ) -> None:
        self._post = post
        self._room = room
        self._words = words
        self._problems = problems
        self._counters = counters
        self._found = found
        super().__init__("count", idle)

    def _answer(self, question: CountRequest, is_stale: IsStale) -> None:
        vocabulary = self._words.wait(is_stale)
        if vocabulary is None or not self._room.wait_for_counting(is_stale):
            return
        problem = self._problems.problem(ProblemSpecification.of(question.puzzle, vocabulary))
        with self._counters.counter(problem) as counter:
            self._count(question, counter, is_stale)

    def _count(self, question: CountRequest, counter: Counter, is_stale: IsStale) -> None:
        estimate = counter.quick()
        count = counter.exactly if question.exact else counter.estimates
        for estimate in count(question.seconds, threads=threads_of(ALL_CORES), cancelled=is_stale):
            if not is_stale():
                self._found(question.revision, estimate)
        if not is_stale():
            self._post(CountEnded(question.revision, estimate))

    def _fail(self, message: str) -> None:
        self._post(JobFailed(f"the count failed: {message}"))
