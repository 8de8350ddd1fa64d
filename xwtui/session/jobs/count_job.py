"""The count that is asked for: exact if that can be had in the time, else an estimate with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from xwtui.model import Puzzle
from xwtui.session.fill_options import ALL_CORES, threads_of
from xwtui.session.jobs.context import JobContext
from xwtui.session.jobs.live_counts import LiveCountJob
from xwtui.session.jobs.scheduler import IsStopped
from xwtui.session.messages import CountEnded, JobFailed, LookAhead

if TYPE_CHECKING:
    from xwtui.engine.candidates.options import SlotOptions
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.count.estimator import Counter

_LONGEST_SECONDS = 3600.0
COUNT_SECONDS = 5.0
"""How long a count that is asked for takes, unless told otherwise."""


class _CountRequest(NamedTuple):
    """A puzzle to count the fills of, and the time for it."""

    revision: int
    puzzle: Puzzle
    seconds: float
    is_exact: bool
    seed: int
    threads: int
    look_ahead: int


class CountJob:
    """Counts on demand, with figures on the way, and gives way to the next demand."""

    def __init__(self, context: JobContext, live_counts: LiveCountJob) -> None:
        """The live counts go on with each figure that is found."""
        self.view: Estimate | None = None
        """The figure that the last count came to, or has come to so far."""
        self.counted: tuple[Estimate, Mapping[str, SlotOptions]] | None = None
        """The same with the words that each entry may take."""
        self.look_ahead: LookAhead | None = None
        """Copeland's estimate, where that was asked for."""
        self._context = context
        self._live_counts = live_counts
        self._worker = context.scheduler.worker("count", self._count, self._fail)

    def start(
        self,
        seconds: float = COUNT_SECONDS,
        *,
        exact: bool = False,
        seed: int = 0,
        threads: int | None = None,
        look_ahead: int = 0,
    ) -> None:
        """Count the fills for some seconds at most, `exact` or not at all; ends with CountEnded.

        Beside that, estimate them as Copeland does, so many levels ahead; 0 for not at all.
        """
        self._context.start_loading()
        now = self._context.snapshot()
        self.view = self.counted = self.look_ahead = None
        cores = threads_of(ALL_CORES) if threads is None else threads
        self._worker.submit(
            _CountRequest(now.revision, now.puzzle, min(seconds, _LONGEST_SECONDS), exact, seed, cores, look_ahead)
        )

    @property
    def is_busy(self) -> bool:
        """Whether a count goes on."""
        return self._worker.is_busy

    def stop(self) -> bool:
        """Let go of the count; returns whether one went on."""
        return self._worker.interrupt()

    def _count(self, request: _CountRequest, is_stopped: IsStopped) -> None:
        context = self._context
        vocabulary = context.words.wait(is_stopped)
        if vocabulary is None or not context.engine.wait_for_counting(is_stopped, request.puzzle.rules):
            return
        problem = context.problems.problem(context.specification(request.puzzle, vocabulary))
        from xwtui.engine.candidates.options import slot_options  # noqa: PLC0415  (loads numba)

        options = slot_options(problem)
        if request.look_ahead:
            from xwtui.strategies.copeland import look_ahead  # noqa: PLC0415  (only where it is asked for)

            self.look_ahead = LookAhead(request.look_ahead, look_ahead(problem.task, request.look_ahead))
        if request.seed:
            from xwtui.engine.count.estimator import Counter  # noqa: PLC0415  (loads numba)

            self._count_with(Counter(problem, seed=request.seed), request, options, is_stopped)
            return
        with context.counters.counter(problem) as counter:
            self._count_with(counter, request, options, is_stopped)

    def _count_with(
        self, counter: Counter, request: _CountRequest, options: Mapping[str, SlotOptions], is_stopped: IsStopped
    ) -> None:
        estimate = counter.quick()
        self.counted = estimate, options
        count = counter.exactly if request.is_exact else counter.estimates
        for estimate in count(request.seconds, threads=request.threads, cancelled=is_stopped):
            if not is_stopped():
                self.view = estimate
                self.counted = estimate, options
                self._live_counts.take(request.revision, estimate)
        counter.rest()
        if not is_stopped():
            self._context.post(CountEnded(request.revision, estimate, self.look_ahead))

    def _fail(self, message: str) -> None:
        self._context.post(JobFailed(f"the count failed: {message}"))
