"""Batches on Dask: what is killed is done again, nothing counts twice, nothing is lost."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.batch.batches import BLANK, STUCK, begin
from tests.batch.pools import HerePool
from tests.examples import is_deep
from tests.racing.races import endless_task
from xwtui.batch.dask_pool import DaskPool
from xwtui.batch.first_fill import fill_first
from xwtui.batch.pool import Arrival
from xwtui.batch.results import TaskResult, TaskState
from xwtui.batch.run import run_batch
from xwtui.batch.store import BatchStore
from xwtui.batch.tasks import BatchKind, BatchTask
from xwtui.errors import BatchError, BatchRefusal

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'xwtui[cluster]'")

KILLS = 20 if is_deep() else 1
deep = pytest.mark.skipif(not is_deep(), reason="takes minutes: make test-deep")


class Killer:
    """Kills the process that has just sent a result, now and then."""

    def __init__(self, kills: int, every: int) -> None:
        self.left = kills
        self._every = every
        self.names: list[str] = []

    def kept(self, task: BatchTask, result: TaskResult) -> None:
        self.names.append(task.name)
        if self.left and len(self.names) % self._every == 0:
            _, _, pid = result.worker.rpartition(":")
            self.left -= 1
            os.kill(int(pid), signal.SIGKILL)


def finds(store: BatchStore) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(one.title, one.seed, one.find.rows) for one in store.best(10_000)]


def found_here(path: Path, seeds: int) -> list[tuple[str, int, tuple[str, ...]]]:
    """What one process finds, one task after the other."""
    with begin(path, BLANK, STUCK, seeds=range(seeds)) as store:
        run_batch(store, HerePool())
        return finds(store)


def test_killed_workers_cost_no_result(tmp_path: Path) -> None:
    every = 5
    seeds = every * KILLS  # with two grids, twice as many results as it takes
    killer = Killer(KILLS, every)
    with begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=range(seeds)) as store:
        with DaskPool(BatchKind.FILL, workers=2 if is_deep() else 1) as pool:
            end = run_batch(store, pool, kept=killer.kept)
        assert killer.left == 0
        assert end.view.states == {TaskState.FOUND: seeds, TaskState.IMPOSSIBLE: seeds}
        assert sorted(killer.names) == sorted(set(killer.names))
        assert end.new == end.view.tasks == len(killer.names)
        assert finds(store) == found_here(tmp_path / "here.sqlite", seeds)


def test_a_scheduler_that_is_not_there_is_told() -> None:
    with pytest.raises(BatchError, match=r"127\.0\.0\.1:1") as refused:
        DaskPool(BatchKind.FILL, address="tcp://127.0.0.1:1", connect_seconds=0.2)
    assert refused.value.refusal is BatchRefusal.NO_SCHEDULER


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Cluster:
    """A scheduler and a worker as a user starts them."""

    def __init__(self) -> None:
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self._processes: list[subprocess.Popen[bytes]] = []
        self.start()

    def start(self) -> None:
        """Start both; the worker waits for the scheduler."""
        host, port = self.address.removeprefix("tcp://").split(":")
        self._start("scheduler", "--host", host, "--port", port, "--no-dashboard")
        self._start("worker", self.address, "--nthreads", "1", "--no-dashboard")

    def _start(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "dask", *arguments]
        self._processes.append(
            subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        )

    def kill(self) -> None:
        """End them, with all that they have started, at once."""
        for process in self._processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._processes.clear()


@contextmanager
def cluster() -> Iterator[Cluster]:
    one = Cluster()
    try:
        yield one
    finally:
        one.kill()


@deep
def test_the_searches_of_others_stop(tmp_path: Path) -> None:
    """No search of this ends by itself: only once it is told to."""
    endless = endless_task().engine_task
    asked: list[int] = []

    def cancelled() -> bool:
        return bool(asked) and asked[-1] == 2

    with DaskPool(BatchKind.FILL, workers=2) as pool:
        assert fill_first(endless, pool, cancelled=cancelled, told=asked.append).state is TaskState.STOPPED
        arrived: list[Arrival] = []
        while len(arrived) < 2:
            arrived += pool.arrivals(1.0)
        assert {TaskResult.from_bytes(one.data).state for one in arrived} == {TaskState.STOPPED}


@deep
def test_a_scheduler_that_comes_back_is_used_again(tmp_path: Path) -> None:
    names: list[str] = []
    with cluster() as one, begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=range(15)) as store:

        def restart(task: BatchTask, result: TaskResult) -> None:
            names.append(task.name)
            if len(names) in (3, 12):
                one.kill()
                one.start()

        with DaskPool(BatchKind.FILL, address=one.address) as pool:
            end = run_batch(store, pool, kept=restart)
        assert end.view.is_over
        assert len(names) == len(set(names)) == 30
        assert finds(store) == found_here(tmp_path / "here.sqlite", 15)
