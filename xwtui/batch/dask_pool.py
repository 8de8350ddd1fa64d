"""A Dask cluster as a pool: local processes, or a remote scheduler, which may disappear and come back."""

from __future__ import annotations

import importlib
import logging
import pydoc
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from typing import Any, Self
from uuid import uuid4

from xwtui import __version__
from xwtui.batch.packed_words import PackedWords
from xwtui.batch.pool import Arrival, LeftOut, Loss
from xwtui.batch.races.race import ignoring_terminal_signals
from xwtui.batch.tasks import BatchKind
from xwtui.batch.work import WordsMissingError
from xwtui.errors import BatchError, BatchRefusal
from xwtui.interrupts import register_ending
from xwtui.lazy import lazy_imports
from xwtui.plugins import install_hint
from xwtui.text import printable

with lazy_imports():
    from xwtui.batch import dask_worker
    from xwtui.batch.dask_worker import WordsPlugin

CONNECT_SECONDS = 10.0
"""Timeout for the first connection to a scheduler."""
PATIENCE_SECONDS = 300.0
"""How long to wait for a lost scheduler to come back."""

_TRY_SECONDS = 1.0
_COUNT_SECONDS = 1.0
_CLOSE_SECONDS = 5.0
_CONFIG = {
    "distributed.worker.profile.enabled": False,
    "distributed.comm.compression": False,  # words are already compressed, and everything else is small
}
_LOGGERS = ("distributed", "tornado", "asyncio")
"""Loggers to silence, and those below them, some of which have a level of their own."""
_MOST_NAMED = 3
"""Maximum number of workers named in an error when none can be used."""


class DaskPool:
    """Processes of a Dask cluster; a context manager that stops the ones it started.

    Dask replaces lost workers and reruns their tasks; tasks that Dask gives up come back as lost. If the scheduler
    is lost, all outstanding tasks come back as lost, and the pool tries to reconnect. Workers with another version
    of xwtui, or none, get no tasks; Dask rejects such workers that join later.
    """

    def __init__(
        self,
        kind: BatchKind,
        *,
        workers: int | None = None,
        address: str | None = None,
        connect_seconds: float = CONNECT_SECONDS,
        left_out: Callable[[LeftOut], object] = lambda _: None,
    ) -> None:
        """Start `workers` processes on this machine, by default one per core, or connect to a scheduler's address.

        `left_out` is called once for each worker that gets no tasks. Raises BatchError if Dask is not installed or
        the scheduler cannot be reached.
        """
        self._dask = _load("distributed")
        self._kind = kind
        self._run = uuid4().hex
        self._cluster: Any = None
        self._client: Any = None
        self._words: Sequence[PackedWords] = ()
        self._futures: dict[str, Any] = {}
        self._report_left_out = left_out
        self._left_out: dict[str, LeftOut] = {}
        self._able: frozenset[str] = frozenset()
        """The usable workers at the last count."""
        self._given: dict[str, frozenset[str]] = {}
        """The workers to which a task is restricted."""
        self._attempts: dict[str, int] = {}
        self._unsent: list[str] = []
        self._done: SimpleQueue[str] = SimpleQueue()
        self._gone_since = 0.0
        self._counted, self._count_due = 0, 0.0
        self._is_closed = threading.Event()
        self._keepers: list[threading.Thread] = []
        with _quietly():
            if address is None:
                wanted = workers or _load("dask.system").CPU_COUNT
                resource_tracker.ensure_running()  # do it now, as it unblocks Ctrl+C
                with ignoring_terminal_signals(), _load("dask").config.set(_CONFIG):
                    self._cluster = self._dask.LocalCluster(
                        n_workers=wanted,
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",
                        silence_logs=logging.CRITICAL,
                    )
                keeper = threading.Thread(target=self._keep_workers, args=(wanted,), name="workers", daemon=True)
                keeper.start()
                self._keepers.append(keeper)
                address = self._cluster.scheduler_address
            self._address = str(address)
            self._client = self._connected(connect_seconds)

    def _keep_workers(self, wanted: int) -> None:
        """Start workers to replace those that Dask has given up: it does not replace one that dies while starting.

        Runs in its own thread, as the main one waits for the results of lost workers.
        """
        while not self._is_closed.wait(_COUNT_SECONDS):
            if len(self._cluster.workers) < wanted:
                with suppress(Exception):
                    self._cluster.scale(wanted)

    def _connected(self, seconds: float) -> Any:
        """Return a client; raises BatchError if there is no scheduler at the address."""
        try:
            return self._dask.Client(self._address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError) as error:
            raise BatchError(
                BatchRefusal.NO_SCHEDULER,
                f"there is no Dask scheduler at {printable(self._address, 100)}; "
                "`dask scheduler` starts one and shows its address",
            ) from error

    @property
    def workers(self) -> int:
        """How many tasks can run at once, counted again every second."""
        now = time.monotonic()
        if self._client is not None and now >= self._count_due:
            self._count_due = now + _COUNT_SECONDS
            # any Dask error here means that the scheduler is gone, which the tasks will show
            with suppress(Exception):
                threads = self._client.nthreads()
                self._able = frozenset(threads.keys() - self._left_out.keys())
                self._counted = sum(threads[worker] for worker in self._able)
        return self._counted

    @property
    def is_connected(self) -> bool:
        return self._client is not None

    def give_words(self, words: Sequence[PackedWords]) -> None:
        """Send words to all workers through a plugin, which Dask also sends to workers that join later.

        A worker that ends meanwhile is ignored, and one that missed the words reports that with its first task. If
        a worker cannot take the plugin, Dask does not wait for any of them, so the others are called once more.
        """
        self._words = words
        able = self._leave_out()
        for packed in words:
            try:
                self._client.register_plugin(WordsPlugin(packed, self._kind))
            except OSError:
                continue
            except Exception as error:
                if not self._left_out and self._client.status == "running":
                    raise BatchError(
                        BatchRefusal.NO_WORKER, f"a worker cannot start: {printable(str(error), 200)}"
                    ) from error
            if self._left_out:
                self._client.run(dask_worker.make_ready, packed, self._kind, workers=able, on_error="ignore")

    def _leave_out(self) -> list[str]:
        """Query each worker's version of xwtui, using only the standard library; return the workers with this one.

        Raises BatchError if there are workers, but none has this version.
        """
        try:
            answers: Mapping[str, object] = self._client.run(pydoc.locate, "xwtui.__version__", on_error="return")
        except Exception:  # any Dask error here means that the scheduler is gone, which the tasks will show
            return []
        others = {
            worker: LeftOut(worker, version if isinstance(version, str) else "")
            for worker, version in answers.items()
            if version != __version__ and not isinstance(version, OSError)  # such a worker has ended
        }
        if others and len(others) == len(answers):
            names = ", ".join([one.words for one in others.values()][:_MOST_NAMED])
            more = f", and so on for {len(others) - _MOST_NAMED} more" if len(others) > _MOST_NAMED else ""
            raise BatchError(
                BatchRefusal.NO_WORKER,
                f"no worker of {printable(self._address, 100)} has this xwtui, {__version__}: {names}{more}",
            )
        for worker in others.keys() - self._left_out.keys():
            self._report_left_out(others[worker])
        self._left_out = others
        self._count_due = 0.0
        return [*(answers.keys() - others.keys())]

    def submit(self, name: str, data: bytes) -> None:
        """Submit a task, with a new key per attempt: Dask never retries a key that has failed."""
        attempt = self._attempts[name] = self._attempts.get(name, 0) + 1
        key = f"xwtui-{self._run[:8]}-{name}-{attempt}"
        confined = sorted(self._able) if self._left_out else None
        try:
            future = self._client.submit(
                dask_worker.run_in_worker, data, self._run, key=key, pure=False, workers=confined
            )
        except Exception:  # any Dask error here means that the connection was already lost
            self._unsent.append(name)
            return
        self._futures[name] = future
        if confined is not None:
            self._given[name] = self._able
        future.add_done_callback(lambda _: self._done.put(name))

    def arrivals(self, seconds: float) -> Sequence[Arrival]:
        """Return what has come back, reconnecting to a lost scheduler; raises BatchError if it stays away."""
        if self._client is None:
            self._check_scheduler()
            return []
        if self._unsent:
            return self._lose_scheduler([])
        if stranded := self._stranded():
            return stranded
        done: list[str] = []
        with suppress(Empty):
            done.append(self._done.get(timeout=seconds))
            while True:
                done.append(self._done.get_nowait())
        names = [name for name in dict.fromkeys(done) if name in self._futures]
        futures = {name: self._futures.pop(name) for name in names if self._futures[name].status != "pending"}
        if not futures:
            return []
        states = {name: future.status for name, future in futures.items()}
        if any(state in ("cancelled", "lost") for state in states.values()):
            return self._lose_scheduler([*futures])
        finished = {name: futures[name] for name, state in states.items() if state == "finished"}
        try:
            results: Mapping[str, bytes | None] = self._client.gather(finished, errors="skip") if finished else {}
        except Exception:  # any Dask error here means that the connection was lost meanwhile
            return self._lose_scheduler([*futures])
        arrived = [
            Arrival(name, data) if (data := results.get(name)) is not None else self._failed(name, future)
            for name, future in futures.items()
        ]
        if any(one.loss is Loss.WORDS for one in arrived):
            self.give_words(self._words)
        return arrived

    def _stranded(self) -> list[Arrival]:
        """Return tasks restricted to workers that have all ended: Dask would wait for those to come back."""
        names = [name for name in self._futures if name in self._given and not self._given[name] & self._able]
        for name in names:
            del self._futures[name]
        return [Arrival(name, loss=Loss.WORKER, reason="its workers have ended") for name in names]

    @staticmethod
    def _failed(name: str, future: Any) -> Arrival:
        """Return a task that Dask gave up: its workers were lost, or could not run it."""
        error = future.exception() if future.status == "error" else None
        loss = Loss.WORDS if isinstance(error, WordsMissingError) else Loss.WORKER
        return Arrival(name, loss=loss, reason=f"{type(error).__name__}: {error}")

    def _lose_scheduler(self, names: Sequence[str]) -> list[Arrival]:
        lost = [*names, *self._futures, *self._unsent]
        self._futures.clear()
        self._unsent.clear()
        self._close_client()
        self._gone_since = time.monotonic()
        self._counted = 0
        return [Arrival(name, loss=Loss.SCHEDULER) for name in lost]

    def _check_scheduler(self) -> None:
        try:
            with _quietly():
                self._client = self._connected(_TRY_SECONDS)
                self.give_words(self._words)
        except Exception as error:
            self._close_client()
            gone = time.monotonic() - self._gone_since
            if gone > PATIENCE_SECONDS:
                raise BatchError(
                    BatchRefusal.NO_SCHEDULER,
                    f"the scheduler {printable(self._address, 100)} is gone for {gone:.0f} s; "
                    "earlier results are kept, and `batch resume` continues",
                ) from error

    def stop(self) -> None:
        """Tell all workers to end the tasks of this run; tasks in the queue are withdrawn."""
        with suppress(Exception):
            self._client.run(dask_worker.stop_run, self._run, on_error="ignore")

    def _close_client(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception), _quietly():
                client.close(timeout=_CLOSE_SECONDS)

    def close(self) -> None:
        """Withdraw outstanding tasks, make remote workers drop the words, and stop local workers."""
        self._futures.clear()
        self._is_closed.set()
        register_ending(self._keepers)
        with _quietly():
            if self._cluster is None and self._client is not None:
                for packed in self._words:
                    with suppress(Exception):
                        self._client.unregister_worker_plugin(WordsPlugin(packed, self._kind).name)
            self._close_client()
            if self._cluster is not None:
                with suppress(Exception):
                    self._cluster.close(timeout=_CLOSE_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check_dask() -> None:
    """Raise BatchError if Dask is not installed; for an early check."""
    _load("distributed")


def _load(module: str) -> Any:
    """Import a module of Dask; raises BatchError if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        message = f"a batch needs Dask, which is not installed: {install_hint('cluster')}"
        raise BatchError(BatchRefusal.NO_DASK, message) from error


@contextmanager
def _quietly() -> Iterator[None]:
    """Silence Dask's logs on stderr, as failures are reported otherwise; its loggers stay silent afterwards."""
    for name in (*_LOGGERS, *logging.root.manager.loggerDict):
        if name.partition(".")[0] in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    yield
