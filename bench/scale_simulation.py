"""A batch on many workers, simulated from recorded task times and the costs of scheduler, client and words."""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass

BITS_A_SECOND = 1e9
"""Network bandwidth."""
TASKS_A_WORKER = 40
AHEAD = 3
"""Tasks queued per worker, as in a real run."""


@dataclass(frozen=True)
class Costs:
    """Costs that limit the number of workers, in seconds."""

    client: float
    scheduler: float
    words_bytes: int
    ready: float
    """Seconds for a worker to unpack the words and load the engine."""


@dataclass(frozen=True)
class Simulated:
    """A batch on a number of workers."""

    workers: int
    rate: float
    """Results per second, once all workers have started."""
    share: float
    """Share of worker time spent on tasks."""
    start: float
    """Seconds until the last worker has its words."""


def simulate(times: Sequence[float], costs: Costs, workers: int) -> Simulated:
    """Simulate tasks with recorded times; scheduler and client each process one event at a time."""
    rng = random.Random(workers)
    total = TASKS_A_WORKER * workers
    scheduler = client = 0.0
    ahead = [AHEAD - 1] * workers
    handed = AHEAD * workers
    idle: set[int] = set()
    events = [(rng.choice(times), "done", worker) for worker in range(workers)]
    heapq.heapify(events)
    results, worked, now = 0, sum(one[0] for one in events), 0.0
    while events and results < total:
        now, what, worker = heapq.heappop(events)
        if what == "done":
            scheduler = max(scheduler, now) + costs.scheduler / 2
            heapq.heappush(events, (scheduler, "seen", worker))
            if ahead[worker]:
                ahead[worker] -= 1
                took = rng.choice(times)
                worked += took
                heapq.heappush(events, (now + took, "done", worker))
            else:
                idle.add(worker)
        elif what == "seen":
            client = max(client, now) + costs.client
            heapq.heappush(events, (client, "kept", worker))
        elif what == "kept":
            results += 1
            if handed < total:
                handed += 1
                scheduler = max(scheduler, now) + costs.scheduler / 2
                heapq.heappush(events, (scheduler, "given", worker))
        elif worker in idle:
            idle.discard(worker)
            took = rng.choice(times)
            worked += took
            heapq.heappush(events, (now + took, "done", worker))
        else:
            ahead[worker] += 1
    start = workers * costs.words_bytes * 8 / BITS_A_SECOND + costs.ready
    return Simulated(workers, results / now, worked / (workers * now), start)
