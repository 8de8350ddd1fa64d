"""Batches on Dask: killed tasks run again, nothing counts twice, nothing is lost."""

from __future__ import annotations

import logging
import os
import pydoc
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Self

import pytest

from tests.batch.batches import BLANK, STUCK, HerePool, begin, packed
from tests.batch.races.entrants import endless_task
from tests.examples import is_deep
from xwtui import __version__
from xwtui.batch import dask_pool
from xwtui.batch.dask_pool import DaskPool
from xwtui.batch.pool import Arrival, LeftOut, Loss
from xwtui.batch.run import run_batch
from xwtui.batch.shared_search import fill_first
from xwtui.batch.store import BatchStore
from xwtui.batch.tasks import BatchKind, BatchTask, TaskResult, TaskState
from xwtui.batch.work import WordsMissingError
from xwtui.engine.budget import Budget
from xwtui.errors import BatchError, BatchRefusal

if TYPE_CHECKING:
    from xwtui.batch.dask_worker import WordsPlugin

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

KILLS = 20 if is_deep() else 1
deep = pytest.mark.skipif(not is_deep(), reason="takes minutes: make test-deep")


class Killer:
    """Sometimes kills the process that has just sent a result."""

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
    """Return the results of a single process, task by task."""
    with begin(path, BLANK, STUCK, seeds=range(seeds)) as store:
        run_batch(store, HerePool())
        return finds(store)


@deep
def test_a_worker_that_ends_during_startup_is_replaced(tmp_path: Path) -> None:
    """Dask considers it still starting; without others a batch would wait forever."""
    config, status = pytest.importorskip("dask").config, pytest.importorskip("distributed").Status
    with (
        config.set({"distributed.deploy.lost-worker-timeout": "0.1s"}),
        begin(tmp_path / "run.sqlite", BLANK, seeds=range(4)) as store,
        DaskPool(BatchKind.FILL, workers=1) as pool,
    ):
        for nanny in pool._cluster.workers.values():
            nanny.status = status.starting
            os.kill(nanny.pid, signal.SIGKILL)
        end = run_batch(store, pool)
        assert end.view.states == {TaskState.FOUND: 4}


def test_killed_workers_lose_no_result(tmp_path: Path) -> None:
    every = 5
    seeds = every * KILLS  # with two grids, twice as many results as needed
    killer = Killer(KILLS, every)
    with begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=range(seeds)) as store:
        with DaskPool(BatchKind.FILL, workers=2 if is_deep() else 1) as pool:
            end = run_batch(store, pool, on_result=killer.kept)
        assert killer.left == 0
        assert end.view.states == {TaskState.FOUND: seeds, TaskState.IMPOSSIBLE: seeds}
        assert sorted(killer.names) == sorted(set(killer.names))
        assert end.new == end.view.tasks == len(killer.names)
        assert finds(store) == found_here(tmp_path / "here.sqlite", seeds)


def test_a_missing_scheduler_is_reported() -> None:
    with pytest.raises(BatchError, match=r"127\.0\.0\.1:1") as refused:
        DaskPool(BatchKind.FILL, address="tcp://127.0.0.1:1", connect_seconds=0.2)
    assert refused.value.refusal is BatchRefusal.NO_SCHEDULER


class FakeDask:
    """Replaces Dask with a cluster without processes, whose futures all end the same way."""

    CPU_COUNT = 5

    def __init__(self, status: str, error: Exception | None = None) -> None:
        self.addresses: list[str] = []
        self.processes: list[int] = []
        self.plugins: list[str] = []
        self.versions: dict[str, object] = {}
        """The workers' answers about their xwtui version."""
        self.given: list[Sequence[str] | None] = []
        """The allowed workers of each task."""
        self.made_ready: list[str] = []
        self.is_gone = False
        self.status = status
        self.config = self
        self.LocalCluster = self._cluster
        self.Client = self._connected
        self._error = error

    def set(self, values: object) -> AbstractContextManager[None]:
        return nullcontext()

    def _cluster(self, n_workers: int, **options: object) -> object:
        self.processes.append(n_workers)
        return SimpleNamespace(scheduler_address="tcp://its-own:1", close=lambda timeout: None)

    def _connected(self, address: str, **options: object) -> Self:
        self.addresses.append(address)
        return self

    def register_plugin(self, plugin: WordsPlugin) -> None:
        self.plugins.append(plugin.name)
        if any(version is None for version in self.versions.values()):
            raise ModuleNotFoundError("No module named 'xwtui'")

    def run(
        self, function: object, *arguments: object, on_error: str, workers: Sequence[str] | None = None
    ) -> dict[str, object]:
        if function is pydoc.locate:
            return self.versions
        self.made_ready += workers or []
        return {}

    def nthreads(self) -> dict[str, int]:
        if self.is_gone:
            raise RuntimeError("ConnectionPool is closed")
        return dict.fromkeys(self.versions, 1)

    def submit(self, *arguments: object, workers: Sequence[str] | None, **options: object) -> Self:
        if self.is_gone:
            raise RuntimeError("Client is closed")
        self.given.append(workers)
        return self

    def add_done_callback(self, call: Callable[[object], object]) -> None:
        call(self)

    def exception(self) -> Exception | None:
        return self._error


def test_the_users_scheduler_is_looked_for_at_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    dask = FakeDask("lost")
    monkeypatch.setattr(dask_pool, "_load", lambda module: dask)
    with DaskPool(BatchKind.FILL) as pool:
        pool.submit("task", b"")
        assert [one.loss for one in pool.arrivals(1.0)] == [Loss.SCHEDULER]
        pool.arrivals(1.0)
        assert pool.is_connected
    assert dask.addresses == ["tcp://its-own:1"] * 2
    assert dask.processes == [dask.CPU_COUNT]


def test_words_removed_by_another_run_are_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = packed()
    dask = FakeDask("error", WordsMissingError(words.digest))
    monkeypatch.setattr(dask_pool, "_load", lambda module: dask)
    with DaskPool(BatchKind.FILL, address="tcp://there:1") as pool:
        pool.give_words([words])
        pool.submit("task", b"")
        assert [one.loss for one in pool.arrivals(1.0)] == [Loss.WORDS]
    assert len(dask.plugins) == 2
    assert len(set(dask.plugins)) == 1


def give_words_to(
    monkeypatch: pytest.MonkeyPatch, versions: dict[str, object], told: Callable[[LeftOut], object]
) -> tuple[FakeDask, DaskPool]:
    dask = FakeDask("pending")
    dask.versions = versions
    monkeypatch.setattr(dask_pool, "_load", lambda module: dask)
    pool = DaskPool(BatchKind.FILL, address="tcp://there:1", left_out=told)
    pool.give_words([packed()])
    return dask, pool


def test_workers_with_another_or_no_xwtui_are_named_and_excluded(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[LeftOut] = []
    versions: dict[str, object] = {"good": __version__, "none": None, "other": "0.0.1", "ended": OSError()}
    dask, pool = give_words_to(monkeypatch, versions, told.append)
    assert sorted(one.words for one in told) == ["none has no xwtui", "other has xwtui 0.0.1"]
    assert sorted(dask.made_ready) == ["ended", "good"], "the plugin has not waited for them"
    del versions["ended"]
    assert pool.workers == 1
    pool.submit("task", b"")
    assert dask.given == [["good"]]
    pool.give_words([packed()])
    assert len(told) == 2, "once"


def test_tasks_restricted_to_dead_workers_are_submitted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask would wait for those workers, since the task may not run elsewhere."""
    versions: dict[str, object] = {"first": __version__, "other": "0.0.1"}
    _, pool = give_words_to(monkeypatch, versions, lambda _: None)
    assert pool.workers == 1
    pool.submit("task", b"")
    assert not pool.arrivals(0.0)
    versions["later"] = versions.pop("first")
    pool._count_due = 0.0
    assert pool.workers == 1
    assert [(one.name, one.loss) for one in pool.arrivals(0.0)] == [("task", Loss.WORKER)]
    pool.submit("task", b"")
    assert not pool.arrivals(0.0)


def test_unusable_workers_are_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    versions: dict[str, object] = {"one": None, "two": "0.0.1", "three": None, "four": None, "five": None}
    with pytest.raises(BatchError) as refused:
        give_words_to(monkeypatch, versions, lambda _: None)
    assert refused.value.refusal is BatchRefusal.NO_WORKER
    named = "one has no xwtui, two has xwtui 0.0.1, three has no xwtui, and so on for 2 more"
    assert str(refused.value) == f"no worker of tcp://there:1 has this xwtui, {__version__}: {named}"


def test_dask_chooses_among_workers_with_this_xwtui(monkeypatch: pytest.MonkeyPatch) -> None:
    dask, pool = give_words_to(monkeypatch, {"one": __version__, "two": __version__}, lambda _: None)
    assert (pool.workers, dask.made_ready) == (2, [])
    pool.submit("task", b"")
    assert dask.given == [None]


def test_a_scheduler_lost_while_idle_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask then raises its own exceptions from every call."""
    dask, pool = give_words_to(monkeypatch, {"one": __version__}, lambda _: None)
    dask.is_gone = True
    assert pool.workers == 0
    pool.submit("task", b"")
    assert [(one.name, one.loss) for one in pool.arrivals(0.0)] == [("task", Loss.SCHEDULER)]
    assert not pool.is_connected


def test_dask_writes_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client sets its own log level."""
    logger = logging.getLogger("distributed.client")
    monkeypatch.setattr(logger, "level", logging.WARNING)
    monkeypatch.setattr(dask_pool, "_load", lambda module: FakeDask("lost"))
    DaskPool(BatchKind.FILL, address="tcp://there:1")
    assert not logger.isEnabledFor(logging.ERROR)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Cluster:
    """A scheduler and a worker, as a user starts them."""

    def __init__(self) -> None:
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self._processes: list[subprocess.Popen[bytes]] = []
        self.start()

    def start(self) -> None:
        """Start both; the worker waits for the scheduler."""
        host, port = self.address.removeprefix("tcp://").split(":")
        self._start("scheduler", "--host", host, "--port", port, "--no-dashboard")
        self._start("worker", self.address, "--nthreads", "1", "--no-dashboard")

    def add_worker(self, before: str = "") -> None:
        """Start another worker, which first runs this Python code."""
        code = f"import sys; {before}; from dask.__main__ import main; main()"
        self._start("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", code=code)

    def _start(self, *arguments: str, code: str = "") -> None:
        command = [sys.executable, *(["-c", code] if code else ["-m", "dask"]), *arguments]
        self._processes.append(
            subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        )

    def kill(self) -> None:
        """Kill them and all their child processes."""
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
def test_other_workers_searches_stop(tmp_path: Path) -> None:
    """None of these searches ends unless it is told to."""
    endless = endless_task().engine_task
    asked: list[int] = []

    def cancelled() -> bool:
        return bool(asked) and asked[-1] == 2

    with DaskPool(BatchKind.FILL, workers=2) as pool:
        assert fill_first(endless, pool, Budget(stop=cancelled), progress=asked.append).state is TaskState.STOPPED
        arrived: list[Arrival] = []
        while len(arrived) < 2:
            arrived += pool.arrivals(1.0)
        assert {TaskResult.from_bytes(one.data).state for one in arrived} == {TaskState.STOPPED}


@deep
def test_a_returning_scheduler_is_used_again(tmp_path: Path) -> None:
    names: list[str] = []
    with cluster() as one, begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=range(15)) as store:

        def restart(task: BatchTask, result: TaskResult) -> None:
            names.append(task.name)
            if len(names) in (3, 12):
                one.kill()
                one.start()

        with DaskPool(BatchKind.FILL, address=one.address) as pool:
            end = run_batch(store, pool, on_result=restart)
        assert end.view.is_over
        assert len(names) == len(set(names)) == 30
        assert finds(store) == found_here(tmp_path / "here.sqlite", 15)


_NONE = "sys.modules['xwtui'] = None"
_OTHER = "import xwtui; xwtui.__version__ = '0.0.1'"


@deep
@pytest.mark.parametrize("before", [_NONE, _OTHER], ids=["no xwtui", "another"])
def test_a_batch_continues_without_an_unusable_worker(tmp_path: Path, before: str) -> None:
    told: list[LeftOut] = []
    with cluster() as one, begin(tmp_path / "run.sqlite", BLANK, STUCK, seeds=range(15)) as store:
        one.add_worker("pass")
        one.add_worker(before)
        with DaskPool(BatchKind.FILL, address=one.address, connect_seconds=60, left_out=told.append) as pool:
            pool._client.wait_for_workers(3)
            end = run_batch(store, pool)
        assert end.view.states == {TaskState.FOUND: 15, TaskState.IMPOSSIBLE: 15}
        assert len(told) == 1
        assert finds(store) == found_here(tmp_path / "here.sqlite", 15)
