"""The count that is asked for: exact if that can be had in the time, else an estimate with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from typing import NamedTuple

from xwtui.engine.budget import Budget
from xwtui.lazy import lazy_imports
from xwtui.model import Puzzle
from xwtui.session.jobs.job import Job, JobContext, Reporter
from xwtui.session.jobs.live_counts import LiveCountJob
from xwtui.session.messages import CountEnded, LookAhead

with lazy_imports():
    from xwtui.engine.candidates.options import SlotOptions, slot_options
    from xwtui.engine.count.estimate import Estimate
    from xwtui.engine.count.estimator import Counter
    from xwtui.strategies import copeland

_LONGEST_SECONDS = 3600.0


class CountOrder(NamedTuple):
    """How fills are to be counted: within a budget, exactly or not at all where that `is_exact`."""

    budget: Budget
    is_exact: bool = False
    look_ahead: int = 0
    """For how many levels Copeland's estimate is wanted, too."""


class _CountRequest(NamedTuple):
    """A puzzle to count the fills of."""

    revision: int
    puzzle: Puzzle
    order: CountOrder


class Counted(NamedTuple):
    """What a count has come to so far."""

    estimate: Estimate
    options: Mapping[str, SlotOptions]
    """The words that each entry may take."""
    look_ahead: LookAhead | None = None
    """Copeland's estimate, where that was asked for."""


class CountJob(Job[_CountRequest, Counted]):
    """Counts on demand, with figures on the way, and gives way to the next demand."""

    def __init__(self, context: JobContext, live_counts: LiveCountJob) -> None:
        """The live counts go on with each figure that is found."""
        super().__init__(context, "count", "the count failed")
        self._live_counts = live_counts

    def start(self, order: CountOrder) -> None:
        """Count the fills of the puzzle as it is; ends with CountEnded."""
        self.context.start_loading()
        now = self.context.snapshot()
        self.ask(_CountRequest(now.revision, now.puzzle, order))

    def work(self, request: _CountRequest, reporter: Reporter[Counted]) -> Counted | None:
        """Count, with the counter that the live counts use unless a seed is given."""
        context, is_stopped = self.context, reporter.is_stopped
        counting = partial(context.engine.wait_for_counting, rules=request.puzzle.rules)
        asked = context.asked_of(request.puzzle, is_stopped, counting)
        if asked is None:
            return None
        problem = context.problems.problem(asked)
        options, look_ahead = slot_options(problem), None
        order, budget = request.order, request.order.budget
        if order.look_ahead:
            options_ahead = copeland.look_ahead(problem.task, order.look_ahead)
            look_ahead = LookAhead(order.look_ahead, options_ahead)
        seeded = nullcontext(Counter(problem, seed=budget.seed)) if budget.seed else None
        with seeded or context.counters.counter(problem) as counter:
            counted = Counted(counter.quick(), options, look_ahead)
            with self.lock:
                self.latest = counted
            count = counter.exactly if order.is_exact else counter.estimates
            longest = min(budget.seconds or _LONGEST_SECONDS, _LONGEST_SECONDS)
            for estimate in count(Budget(longest, threads=budget.threads, stop=is_stopped)):
                counted = counted._replace(estimate=estimate)
                reporter.tell(counted)
            counter.rest()
        return counted

    def message(self, request: _CountRequest, view: Counted, *, is_last: bool) -> CountEnded | None:
        if is_last:
            return CountEnded(request.revision, view.estimate, view.look_ahead)
        self._live_counts.take_estimate(request.revision, view.estimate)
        return None
