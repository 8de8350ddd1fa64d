"""Work that many processes share: each takes a slice of it, and the next slice begins with the best of all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import count

from xwtui.batch.judge import judged
from xwtui.batch.packed_words import pack_words
from xwtui.batch.pool import Pool
from xwtui.batch.results import TaskResult, TaskState
from xwtui.batch.tasks import BatchTask
from xwtui.words.vocabulary import Vocabulary

SLICE_SECONDS = 5.0
"""How long each works by itself; what another finds meanwhile it hears of after that."""
_LOOK_SECONDS = 0.1
_LAST_SECONDS = 5.0
"""How long slices are waited for once no more begin."""
_MOST_FAILURES = 20
"""Slices that may be lost, or come to nothing that stands, before the work is given up."""
_SOUND = (TaskState.FOUND, TaskState.UNKNOWN, TaskState.IMPOSSIBLE, TaskState.STOPPED)

MakeTask = Callable[[int, float, str], BatchTask]
"""The task of a slice: its seed, its seconds, and the digest of its words."""


def work_in_slices(
    words: Vocabulary,
    pool: Pool,
    make: MakeTask,
    take: Callable[[TaskResult], bool],
    *,
    seed: int = 0,
    seconds: float | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    told: Callable[[], object] = lambda: None,
) -> str:
    """Keep each process busy with a slice of its own, until `take` says that it is done, or the time is up.

    `make` makes the task of the next slice, with the next seed, and `take` gets what has come back, judged. `told`
    hears ten times a second. Returns why the work was given up; nothing where it was not. Raises BatchError where
    the pool fails.
    """
    packed = pack_words(words)
    pool.give_words([packed])
    seeds, out = count(seed), dict[str, BatchTask]()
    deadline = time.monotonic() + (math.inf if seconds is None else seconds)
    failures, reason, is_over = 0, "", False
    while True:
        now = time.monotonic()
        if not is_over and (now >= deadline or cancelled() or failures > _MOST_FAILURES):
            is_over, deadline = True, now
            pool.stop()
        if is_over and (not out or not pool.is_connected or now > deadline + _LAST_SECONDS):
            return reason if failures > _MOST_FAILURES else ""
        while not is_over and pool.is_connected and len(out) < pool.workers:
            one = make(next(seeds), min(SLICE_SECONDS, deadline - now), packed.digest)
            out[one.name] = one
            pool.submit(one.name, one.to_bytes())
        for arrival in pool.arrivals(_LOOK_SECONDS):
            task = out.pop(arrival.name)
            if arrival.loss is not None:
                failures, reason = failures + 1, arrival.reason
                continue
            result = judged(task, TaskResult.from_bytes(arrival.data), words)
            if result.state not in _SOUND:
                failures, reason = failures + 1, result.reason
            elif take(result) and not is_over:
                is_over, deadline = True, time.monotonic()
                pool.stop()
        told()
