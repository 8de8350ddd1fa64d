"""The analyst: after each change, how many words each entry may take and how many fills there are."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from xwtui.errors import EngineError
from xwtui.session.fill_options import ALL_CORES, threads_of
from xwtui.session.jobs.engine_loader import EngineLoader
from xwtui.session.jobs.live_counts import CounterHolder, LiveCounts
from xwtui.session.jobs.worker import IsStale, Worker
from xwtui.session.messages import EnginePhase, EstimateReady, JobFailed, LettersReady, Message, OptionsReady
from xwtui.session.problem_specification import ProblemHolder, ProblemSpecification

if TYPE_CHECKING:
    from xwtui.engine.counting.estimate import Estimate
    from xwtui.engine.problem import Problem

REFINE_SECONDS = 30.0
"""How long an estimate is refined while the constructor rests, at most."""
SURE_ENOUGH = 0.3
"""The width of the interval, in powers of ten, at which refining stops."""

_SLICE_SECONDS = 0.25
_EXACT_SECONDS = 0.5
_COUNTABLE_LOG10 = 6.0


@dataclass(eq=False)
class Question:
    """What to reckon for; the revision rises with changes that leave it alone."""

    revision: int
    posing: ProblemSpecification
    is_propagated: bool


class LiveCountJob:
    """Answers the newest question with finer and finer figures, while no fill is running."""

    def __init__(
        self,
        post: Callable[[Message], None],
        room: EngineLoader,
        problems: ProblemHolder,
        counters: CounterHolder,
        is_held: Callable[[], bool],
        idle: threading.Condition,
    ) -> None:
        self.latest = LiveCounts()
        self._post = post
        self._room = room
        self._problems = problems
        self._counters = counters
        self._is_held = is_held
        self._lock = threading.Lock()
        self._question: Question | None = None
        self._worker = Worker("analysis", self._answer, self._fail, idle)

    def ask(self, revision: int, posing: ProblemSpecification) -> None:
        """Reckon for a puzzle; where it poses the same problem as before, the figures hold and are told again."""
        with self._lock:
            is_same = self._is_answered_by_last(posing)
            if self._question is None or not is_same:
                self._question = Question(revision, posing, self._room.is_ready)
                self._worker.submit(self._question)
                return
            is_known = self.latest.revision == self._question.revision
            self._question.revision = revision
            if is_known:
                self.latest = replace(self.latest, revision=revision)
            latest = self.latest
        if is_known:
            self._tell(latest)

    def _is_answered_by_last(self, posing: ProblemSpecification) -> bool:
        last = self._question
        if last is None or last.is_propagated != self._room.is_ready:
            return False
        return last.posing.is_same(posing)

    def _tell(self, latest: LiveCounts) -> None:
        self._post(OptionsReady(latest.revision, latest.options, latest.reason, latest.propagated))
        if latest.estimate is not None:
            self._post(EstimateReady(latest.revision, latest.estimate))
        if latest.letters is not None:
            self._post(LettersReady(latest.revision, latest.letters))

    def take(self, revision: int, estimate: Estimate) -> None:
        """Take an estimate that was found elsewhere, by a count that was asked for."""
        with self._lock:
            if self.latest.revision == revision:
                self.latest = replace(self.latest, estimate=estimate)
        self._post(EstimateReady(revision, estimate))

    def log10_of(self, revision: int) -> float | None:
        """How many fills a revision has, as a power of ten; None while no figure but a rough one is known."""
        latest = self.latest
        if latest.revision != revision or latest.estimate is None or latest.estimate.rough:
            return None
        return latest.estimate.log10

    def forget(self) -> None:
        """Drop the question and the figures: there are no words to reckon with."""
        with self._lock:
            self._question = None
            self.latest = LiveCounts()
        self._worker.interrupt()

    def close(self) -> None:
        """End the thread."""
        self._worker.close()

    def join(self, seconds: float) -> None:
        """Give the thread some time to end."""
        self._worker.join(seconds)

    def _answer(self, question: Question, is_stale: IsStale) -> None:
        if not question.is_propagated:
            self._count_patterns(question, is_stale)
            return
        try:
            problem = self._problems.problem(question.posing)
        except EngineError as error:
            self._set_options(question, OptionsReady(question.revision, {}, str(error)))
            return
        if is_stale():
            return
        self._count_options(question, problem)
        self._estimate(question, problem, is_stale)

    def _count_patterns(self, question: Question, is_stale: IsStale) -> None:
        """What the sorted index knows, while the engine compiles."""
        from xwtui.engine.options import SlotOptions  # noqa: PLC0415  (loads numba)

        while self._room.state.phase is EnginePhase.LOADING:
            if is_stale():
                return
            time.sleep(0.02)
        grid, index, options = question.posing.grid, question.posing.vocabulary.lexicon.index, {}
        for slot in grid.slots:
            if is_stale():
                return
            matches = index.count(grid.pattern(slot, given_only=True).replace("[", "").replace("]", ""))
            options[slot.name] = SlotOptions(matches, matches)
        self._set_options(question, OptionsReady(question.revision, options, propagated=False))

    def _count_options(self, question: Question, problem: Problem) -> None:
        from xwtui.engine.options import slot_options  # noqa: PLC0415  (loads numba)

        self._set_options(question, OptionsReady(question.revision, slot_options(problem), problem.root.reason))

    def _estimate(self, question: Question, problem: Problem, is_stale: IsStale) -> None:
        if not self._room.wait_for_counting(is_stale):
            return
        with self._counters.counter(problem) as counter:
            estimate = counter.quick()
        self._set_estimate(question, estimate, is_stale)
        if estimate.exact is None:
            with self._counters.counter(problem) as counter:
                estimate = counter.bethe(cancelled=is_stale)
            self._set_estimate(question, estimate, is_stale)
        self._share_letters(question, problem, is_stale)
        if estimate.exact is None and estimate.log10 is not None and estimate.log10 < _COUNTABLE_LOG10:
            with self._counters.counter(problem) as counter:
                exact = counter.exact(
                    seconds=_EXACT_SECONDS,
                    threads=threads_of(ALL_CORES),
                    cancelled=lambda: is_stale() or self._is_held(),
                )
            if exact is not None:
                self._set_estimate(question, exact, is_stale)
                return
        self._refine(question, problem, is_stale)

    def _share_letters(self, question: Question, problem: Problem, is_stale: IsStale) -> None:
        """Tell the letters that squares can still take."""
        from xwtui.engine.prospects.letters import letter_table  # noqa: PLC0415  (loads numba)

        with self._counters.counter(problem) as counter:
            letters = letter_table(counter.beliefs(cancelled=is_stale))
        with self._lock:
            if is_stale() or self._question is not question:
                return
            self.latest = replace(self.latest, letters=letters)
            message = LettersReady(question.revision, letters)
        self._post(message)

    def _refine(self, question: Question, problem: Problem, is_stale: IsStale) -> None:
        spent = 0.0
        while spent < REFINE_SECONDS and not is_stale():
            if self._is_held():
                time.sleep(0.05)
                continue
            with self._counters.counter(problem) as counter:
                estimate = counter.refine(
                    seconds=_SLICE_SECONDS,
                    threads=threads_of(ALL_CORES),
                    cancelled=lambda: is_stale() or self._is_held(),
                )
            spent += _SLICE_SECONDS
            self._set_estimate(question, estimate, is_stale)
            if is_sure(estimate):
                return

    def _set_options(self, question: Question, message: OptionsReady) -> None:
        with self._lock:
            if self._question is not question:
                return
            kept = self.latest.estimate if self.latest.revision == question.revision else None
            self.latest = LiveCounts(
                question.revision, message.options, kept, message.reason, message.propagated, stale=False
            )
            message = replace(message, revision=question.revision)
        self._post(message)

    def _set_estimate(self, question: Question, estimate: Estimate, is_stale: IsStale) -> None:
        with self._lock:
            if is_stale() or self._question is not question or self.latest.estimate == estimate:
                return
            self.latest = replace(self.latest, estimate=estimate)
            message = EstimateReady(question.revision, estimate)
        self._post(message)

    def _fail(self, message: str) -> None:
        self._post(JobFailed(f"the counts failed: {message}"))


def is_sure(estimate: Estimate) -> bool:
    """Whether an estimate is exact, or its interval narrow enough."""
    if estimate.exact is not None:
        return True
    return estimate.low is not None and estimate.high is not None and estimate.high - estimate.low < SURE_ENOUGH
