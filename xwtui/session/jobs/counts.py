"""Counts: the live counts after each change, and the count that the user requests.

The live counts are each entry's number of options and an estimate of the number of fills. A requested count is
exact if time allows, and otherwise an estimate with an interval.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import NamedTuple

from xwtui.dataclasses import dataclass, replace
from xwtui.engine.budget import BELIEF_BUDGET, Budget, never
from xwtui.errors import EngineError
from xwtui.lazy import lazy_imports
from xwtui.session.jobs.job import Job, JobContext, Reporter, Snapshot
from xwtui.session.jobs.scheduler import IsStopped, Priority, Worker
from xwtui.session.messages import (
    NOTHING_COUNTED,
    CountEnded,
    EnginePhase,
    EstimateReady,
    LettersReady,
    LookAhead,
    OptionsReady,
)
from xwtui.session.problem_holders import differ_in_words, same_problem
from xwtui.worded import in_words

with lazy_imports():
    from xwtui.engine.candidates.options import (
        LetterTable,
        SlotOptions,
        exact_letter_table,
        letter_table,
        slot_options,
    )
    from xwtui.engine.count.estimate import Estimate, Instrument
    from xwtui.engine.count.estimator import Counter
    from xwtui.engine.loading_step import EnginePart
    from xwtui.engine.problem.problem import Problem
    from xwtui.engine.problem.reasons import culprits, untried_ways, why_impossible
    from xwtui.engine.problem.task import Task
    from xwtui.strategies import copeland

REFINE_SECONDS = 30.0
"""Longest time spent on refining an estimate while the constructor is idle."""
SURE_ENOUGH = 0.3
"""Width of the interval, in powers of ten, at which refinement stops."""

_SLICE_SECONDS = 0.25
_EXACT_SECONDS = 0.5
_FEW_LOG10 = 4.0
"""If the estimate is below this, the letters of all fills are counted exactly."""
_COUNTABLE_LOG10 = 6.0


@dataclass(frozen=True)
class LiveCounts:
    """The figures for one revision; `stale` if the puzzle has changed since. They become known in this order."""

    entries: OptionsReady = NOTHING_COUNTED
    estimate: Estimate | None = None
    letters: LetterTable | None = None
    stale: bool = True

    @property
    def revision(self) -> int:
        return self.entries.revision


@dataclass(eq=False)
class _CountedProblem:
    """The problem to count; its revision is updated by changes that leave the problem the same."""

    revision: int
    task: Task
    is_propagated: bool


class LiveCountJob(Job[_CountedProblem, LiveCounts]):
    """Answers the newest request with ever finer figures, while no fill is running.

    Two workers and the caller of `start` post the figures, so each holds the lock until its message is posted:
    otherwise an earlier revision's could follow a later one's.
    """

    def __init__(self, context: JobContext) -> None:
        super().__init__(context, "live counts", "the counts failed", priority=Priority.LIVE)
        # options get a worker of their own, since the one for estimates may be busy with a slice for an earlier
        # puzzle
        self._options = Worker(context.scheduler, "live options", self._count_options, self.fail, Priority.LIVE)
        self._latest = LiveCounts()
        self._post, self._engine = context.post, context.engine

    @property
    def view(self) -> LiveCounts:
        """The newest figures; `stale` tells whether the puzzle has changed since."""
        latest = self._latest
        return replace(latest, stale=latest.revision != self.context.snapshot().revision)

    def start(self, revision: int, task: Task) -> None:
        """Count for a puzzle; if it poses the same problem as before, post the valid figures again."""
        is_propagated = self._engine.is_ready_for(task.rules)
        with self.lock:
            last = self.asked
            if last is None or last.is_propagated != is_propagated or not same_problem(last.task, task):
                self.asked = request = _CountedProblem(revision, task, is_propagated)
                is_about_words = last is not None and differ_in_words(last.task, task)
            else:
                request = None
                latest = self._latest
                is_known = latest.revision == last.revision
                last.revision = revision
                if is_known:
                    self._latest = latest = replace(latest, entries=replace(latest.entries, revision=revision))
                    self._post_changes(LiveCounts(), latest)
        if request is None:
            return
        self.context.counters.rest(is_over=True)  # another problem is counted from now on
        self.worker.interrupt()
        self._options.submit(request, at_once=is_about_words)

    def _update(
        self, request: _CountedProblem, change: Callable[[LiveCounts], LiveCounts], is_stopped: IsStopped = never
    ) -> None:
        """Store and post figures that have become known, unless the request is no longer wanted."""
        with self.lock:
            if is_stopped() or self.asked is not request:
                return
            before, self._latest = self._latest, change(self._latest)
            self._post_changes(before, self._latest)

    def _post_changes(self, before: LiveCounts, latest: LiveCounts) -> None:
        if latest.entries is not before.entries:
            self._post(latest.entries)
        if latest.estimate is not None and latest.estimate != before.estimate:
            self._post(EstimateReady(latest.revision, latest.estimate))
        if latest.letters is not None and latest.letters is not before.letters:
            self._post(LettersReady(latest.revision, latest.letters))

    def take_estimate(self, revision: int, estimate: Estimate) -> None:
        """Adopt a requested count's estimate, except a rough one if a better one is known."""
        with self.lock:
            if self._latest.revision == revision:
                known = self._latest.estimate
                if estimate.rough and known is not None and not known.rough:
                    return
                self._latest = replace(self._latest, estimate=estimate)
            self._post(EstimateReady(revision, estimate))

    def log10_of(self, revision: int) -> float | None:
        """Return log10 of the number of fills of a revision; None while only a rough estimate is known."""
        latest = self._latest
        if latest.revision != revision or latest.estimate is None or latest.estimate.rough:
            return None
        return latest.estimate.log10

    def forget(self) -> None:
        """Drop the request and the figures, because there are no words."""
        self.rest()
        self._latest = LiveCounts()

    def rest(self) -> None:
        """Stop, but keep the figures; the next request is counted from scratch."""
        with self.lock:
            self.asked = None
        self._options.interrupt()
        self.worker.interrupt()

    @property
    def is_busy(self) -> bool:
        return self._options.is_busy or self.worker.is_busy

    def stop(self) -> bool:
        """Do nothing, as the figures always follow the puzzle; returns False."""
        return False

    def work(self, request: _CountedProblem, reporter: Reporter[LiveCounts]) -> None:
        """Compute ever finer estimates, after the options were posted."""
        problem = self.context.problems.problem(request.task)
        self._estimate(request, problem, reporter.is_stopped)
        if reporter.is_stopped():  # free its samples while the next problem is built
            self.context.counters.forget(problem)

    def _count_options(self, request: _CountedProblem, is_stopped: IsStopped) -> None:
        """Post each entry's options, then start the estimate of fills."""
        if not request.is_propagated:
            self._count_patterns(request, is_stopped)
            return
        try:
            problem = self.context.problems.problem(request.task)
        except EngineError as error:
            self._set_options(request, OptionsReady(request.revision, {}, str(error)))
            return
        if is_stopped():
            return
        options, reason, blamed = slot_options(problem), in_words(why_impossible(problem)), culprits(problem)
        message = OptionsReady(request.revision, options, reason, culprits=blamed, untried=untried_ways(problem))
        self._set_options(request, message)
        with self.lock:
            if self.asked is request:
                self.worker.submit(request, at_once=True)

    def _count_patterns(self, request: _CountedProblem, is_stopped: IsStopped) -> None:
        """Count the words that match each entry's pattern, while the engine compiles."""
        while self._engine.view.phase is EnginePhase.LOADING:
            if is_stopped():
                return
            time.sleep(0.02)
        grid, lexicon, options = request.task.grid, request.task.lexicon, {}
        for slot in grid.entries:
            if is_stopped():
                return
            matches = lexicon.count(grid.pattern(slot, given_only=True).replace("[", "").replace("]", ""))
            options[slot.name] = SlotOptions(matches, matches)
        self._set_options(request, OptionsReady(request.revision, options, propagated=False))

    def _estimate(self, request: _CountedProblem, problem: Problem, is_stopped: IsStopped) -> None:
        if not self._engine.wait(is_stopped, EnginePart.COUNTING, rules=request.task.rules):
            return
        with self.context.counters.counter(problem) as counter:
            estimate = counter.quick()
        self._set_estimate(request, estimate, is_stopped)
        if estimate.exact is None:
            with self.context.counters.counter(problem) as counter:
                estimate = counter.bethe(BELIEF_BUDGET._replace(stop=is_stopped))
            self._set_estimate(request, estimate, is_stopped)
        self._compute_letters(request, problem, estimate, is_stopped)
        if estimate.exact is None and estimate.log10 is not None and estimate.log10 < _COUNTABLE_LOG10:
            with self.context.counters.counter(problem) as counter:
                exact = counter.exact(Budget(_EXACT_SECONDS, stop=lambda: self._must_stop(is_stopped)))
            if exact is not None:
                self._set_estimate(request, exact, is_stopped)
                return
        self._refine(request, problem, is_stopped)

    def _compute_letters(
        self, request: _CountedProblem, problem: Problem, estimate: Estimate, is_stopped: IsStopped
    ) -> None:
        """Post the letters that squares can still take; exact if there are few fills."""
        letters = None
        if (estimate.log10 or 0) < _FEW_LOG10:
            letters = exact_letter_table(problem, Budget(_EXACT_SECONDS, stop=is_stopped))
        with self.context.counters.counter(problem) as counter:
            letters = letters or letter_table(counter.beliefs(BELIEF_BUDGET._replace(stop=is_stopped)))
        self._update(request, lambda known: replace(known, letters=letters), is_stopped)

    def _refine(self, request: _CountedProblem, problem: Problem, is_stopped: IsStopped) -> None:
        spent = 0.0
        while spent < REFINE_SECONDS and not is_stopped():
            if self.context.scheduler.has_requested_work:
                self._yield_to_requests(is_stopped)
                continue
            with self.context.counters.counter(problem) as counter:
                estimate = counter.refine(Budget(_SLICE_SECONDS, stop=lambda: self._must_stop(is_stopped)))
            spent += _SLICE_SECONDS
            self._set_estimate(request, estimate, is_stopped)
            if is_sure(estimate):
                break
        if not is_stopped():
            with self.context.counters.counter(problem) as counter:
                counter.release()

    def _must_stop(self, is_stopped: IsStopped) -> bool:
        return is_stopped() or self.context.scheduler.has_requested_work

    def _yield_to_requests(self, is_stopped: IsStopped) -> None:
        self.context.counters.rest()
        self.context.scheduler.wait_for_requested_work(is_stopped)

    def _set_options(self, request: _CountedProblem, found: OptionsReady) -> None:
        def change(known: LiveCounts) -> LiveCounts:
            kept = known.estimate if known.revision == request.revision else None
            return LiveCounts(replace(found, revision=request.revision), kept, stale=False)

        self._update(request, change)

    def _set_estimate(self, request: _CountedProblem, estimate: Estimate, is_stopped: IsStopped) -> None:
        self._update(request, lambda known: replace(known, estimate=estimate), is_stopped)


def is_sure(estimate: Estimate) -> bool:
    """Whether an estimate is exact, or its interval narrow enough."""
    if estimate.exact is not None:
        return True
    return estimate.low is not None and estimate.high is not None and estimate.high - estimate.low < SURE_ENOUGH


_LONGEST_SECONDS = 3600.0


class CountOrder(NamedTuple):
    """How to count fills: within a budget, and with `is_exact` only exactly."""

    budget: Budget
    is_exact: bool = False
    look_ahead: int = 0
    """Number of levels for an additional estimate by Copeland's method; 0 for none."""
    is_none: bool = False
    """Whether a search has proved that there is no fill, so that nothing is left to count."""


class Counted(NamedTuple):
    """The result of a count so far."""

    estimate: Estimate
    options: Mapping[str, SlotOptions]
    """Each entry's options."""
    look_ahead: LookAhead | None = None
    """Copeland's estimate, if requested."""


class CountJob(Job[tuple[Snapshot, CountOrder], Counted]):
    """Counts on request, with intermediate results; a newer request replaces an older one."""

    def __init__(self, context: JobContext, live_counts: LiveCountJob) -> None:
        """Intermediate results are passed on to `live_counts`."""
        super().__init__(context, "count", "the count failed")
        self._live_counts = live_counts

    def start(self, order: CountOrder) -> None:
        """Count the fills of the current puzzle; ends with CountEnded."""
        self.context.start_loading()
        self.ask((self.context.snapshot(), order))

    def work(self, request: tuple[Snapshot, CountOrder], reporter: Reporter[Counted]) -> Counted | None:
        """Count, with the same counter as the live counts unless a seed is given."""
        context, is_stopped, (now, order) = self.context, reporter.is_stopped, request
        task = context.wait_for_task(now.puzzle, is_stopped, EnginePart.COUNTING)
        if task is None:
            return None
        problem = context.problems.problem(task)
        options, look_ahead = slot_options(problem), None
        budget = order.budget
        if order.look_ahead:
            look_ahead = LookAhead(order.look_ahead, copeland.look_ahead(problem.task, order.look_ahead))
        if order.is_none:
            return Counted(Estimate(Instrument.EXACT, None, exact=0), options, look_ahead)
        seeded = nullcontext(Counter(problem, seed=budget.seed)) if budget.seed else None
        with seeded or context.counters.counter(problem) as counter:
            counted = Counted(counter.quick(), options, look_ahead)
            with self.lock:
                self.latest = counted
            count = counter.count_exactly if order.is_exact else counter.estimates
            longest = _LONGEST_SECONDS if budget.seconds is None else min(budget.seconds, _LONGEST_SECONDS)
            for estimate in count(Budget(longest, threads=budget.threads, stop=is_stopped)):
                counted = counted._replace(estimate=estimate)
                reporter.report(counted)
            counter.release()
        return counted

    def message(self, request: tuple[Snapshot, CountOrder], view: Counted, *, is_last: bool) -> CountEnded | None:
        revision = request[0].revision
        if is_last:
            return CountEnded(revision, view.estimate, view.look_ahead)
        self._live_counts.take_estimate(revision, view.estimate)
        return None
