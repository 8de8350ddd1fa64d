"""How long other workers run on after one has a fill: `fill --scheduler` on hard grids, seed by seed.

    python -m bench.stopping [TEMPLATE...] [--seeds 10] [--scheduler ADDRESS]

Wall time from when the client has the first fill, or a proof that there is none, until each other worker has
returned its stopped search.
"""

import argparse
import os
import time
from collections.abc import Sequence
from contextlib import nullcontext
from statistics import median
from typing import NamedTuple

from bench.scale import cluster
from bench.tables import duration, table
from xwtui.batch.dask_pool import DaskPool
from xwtui.batch.pool import Arrival
from xwtui.batch.shared_search import fill_first
from xwtui.batch.tasks import BatchKind
from xwtui.engine.budget import Budget
from xwtui.engine.problem.task import Task
from xwtui.formats.registry import read_puzzle
from xwtui.model import WordChoice
from xwtui.resources import puzzles_folder
from xwtui.words.sources import load_lexicon

GRIDS = tuple(f"wide-open-15x15-{number}" for number in ("07", "10", "14", "19", "24"))
_LIMIT = 60.0
"""Time limit of a fill in seconds."""
_CONNECT_SECONDS = 60.0
_WORKERS = 2


class WatchedPool(DaskPool):
    """A pool that records when results arrive and how many are outstanding; stopped workers get no new run."""

    def __init__(self, address: str) -> None:
        super().__init__(BatchKind.FILL, address=address, connect_seconds=_CONNECT_SECONDS)
        self.out = 0
        self.came: list[float] = []

    def submit(self, name: str, data: bytes) -> None:
        self.out += 1
        super().submit(name, data)

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        arrived = super().arrivals(seconds)
        self.out -= len(arrived)
        self.came += [time.monotonic()] * len(arrived)
        return arrived


class Stopped(NamedTuple):
    """One fill by several workers."""

    first: float
    """Seconds until the deciding result."""
    others: tuple[float, ...]
    """Seconds that each other worker ran on."""


def measure(task: Task, address: str, seed: int) -> Stopped:
    """Fill once, and wait for the workers that were told to stop."""
    with WatchedPool(address) as pool:
        while pool.workers < _WORKERS:
            time.sleep(0.1)
        begun = time.monotonic()
        fill_first(task, pool, Budget(_LIMIT, seed=seed))
        while pool.out:
            pool.arrivals(1.0)
        decided, *others = pool.came
        return Stopped(decided - begun, tuple(one - decided for one in others))


def row(name: str, runs: Sequence[Stopped]) -> list[str]:
    """Return a table row."""
    firsts, others = [one.first for one in runs], [each for one in runs for each in one.others]
    return [name, str(len(runs)), *map(duration, (median(firsts), median(others), max(others)))]


def main() -> None:
    """Measure, print a row after each grid, and print the table."""
    parser = argparse.ArgumentParser(description="How soon workers stop once one has a fill.")
    parser.add_argument("grids", nargs="*", default=GRIDS, metavar="TEMPLATE")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a cluster of two workers that is running")
    asked = parser.parse_args()
    lexicon = load_lexicon(WordChoice(minimum_score=40)).lexicon
    rows = []
    with nullcontext() if asked.scheduler else cluster(_WORKERS) as one:
        address = asked.scheduler if one is None else one.address
        for name in asked.grids:
            task = Task(read_puzzle(puzzles_folder() / "templates" / f"{name}.txt").grid, lexicon)
            rows.append(row(name, [measure(task, address, 1_000 * seed) for seed in range(asked.seeds)]))
            print(" ".join(rows[-1]), flush=True)
    head = ("grid", "fills", "first fill after", "the other goes on", "longest")
    print(f"\nThe load was {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores.\n")
    print("\n".join(table(head, rows)))


if __name__ == "__main__":
    main()
