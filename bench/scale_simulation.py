"""A batch on many workers, simulated with recorded task times: what scheduler, client and words cost."""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass

BITS_A_SECOND = 1e9
"""Of the network."""
TASKS_A_WORKER = 40
AHEAD = 3
"""Tasks that are handed out for each worker, as a run does it."""


@dataclass(frozen=True)
class Costs:
    """What stands in the way of more workers, in seconds."""

    client: float
    scheduler: float
    words_bytes: int
    ready: float
    """For a worker to unpack the words and load the engine."""


@dataclass(frozen=True)
class Simulated:
    """A batch on so many workers."""

    workers: int
    rate: float
    """Results a second, once all workers have begun."""
    share: float
    """Of the time of workers that goes into tasks."""
    start: float
    """Seconds until the last worker has its words."""


def simulate(times: Sequence[float], costs: Costs, workers: int) -> Simulated:
    """Let tasks of recorded times go through a scheduler and a client, each of which does one thing at a time."""
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
