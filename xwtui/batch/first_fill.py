"""One fill on many processes: each has a seed of its own, and the first that is done decides for all."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import count

from xwtui.batch.judge import judged
from xwtui.batch.packed_words import pack_words
from xwtui.batch.pool import Pool
from xwtui.batch.subjects import asked_of_task
from xwtui.batch.tasks import BatchKind, BatchTask, TaskResult, TaskSettings, TaskState
from xwtui.engine.budget import NO_LIMIT, Budget
from xwtui.engine.problem.task import Task
from xwtui.words.vocabulary import Vocabulary

_LOOK_SECONDS = 0.1
_LONGEST_SECONDS = 604_800.0
_MOST_FAILURES = 20
"""Seeds that may end in nothing that a search ends in, before it is given up."""
_SETTLED = (TaskState.FOUND, TaskState.IMPOSSIBLE)


def fill_first(
    task: Task,
    pool: Pool,
    budget: Budget = NO_LIMIT,
    *,
    first_only: bool = False,
    told: Callable[[int], object] = lambda _: None,
) -> TaskResult:
    """Search with as many seeds at once as there are processes, from its own on; the rest stop once one is done.

    Processes that come later take part. The result is judged, and its `seed` is among its figures; it is UNKNOWN
    after the seconds, and STOPPED soon after `stop` says so. `told` hears ten times a second how many search.
    Raises BatchError where the pool fails.
    """
    words = Vocabulary(task.lexicon, task.own_lists)
    packed = pack_words(words)
    asked = asked_of_task(task)
    pool.give_words([packed])
    seconds = budget.seconds
    settings = TaskSettings(_LONGEST_SECONDS if seconds is None else seconds, task.allow_repeats, first=first_only)
    seeds, again = count(budget.seed), deque[BatchTask]()
    out: dict[str, BatchTask] = {}
    deadline = time.monotonic() + (math.inf if seconds is None else seconds)
    failures = 0
    last = TaskResult("", TaskState.UNKNOWN)
    try:
        while not budget.stop() and (time.monotonic() < deadline or out):
            while pool.is_connected and len(out) < pool.workers and time.monotonic() < deadline:
                if again:
                    one = again.popleft()
                else:
                    one = BatchTask(BatchKind.FILL, asked, packed.digest, next(seeds), settings)
                out[one.name] = one
                pool.submit(one.name, one.to_bytes())
            for arrival in pool.arrivals(_LOOK_SECONDS):
                done = out.pop(arrival.name)
                if arrival.loss is not None:
                    again.append(done)
                    continue
                last = judged(done, TaskResult.from_bytes(arrival.data), words)
                last = replace(last, figures={**last.figures, "seed": done.seed})
                failures += last.state is not TaskState.UNKNOWN
                if last.state in _SETTLED or failures > _MOST_FAILURES:
                    return last
            told(len(out))
    finally:
        pool.stop()
    return TaskResult("", TaskState.STOPPED) if budget.stop() else last
